"""Class labels: any one kind, in and out in its own type."""

import datetime
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnclass.data.labels import encode_labels, plain_labels
from bnclass.exceptions import DataError, DataTypeError


def test_by_hand():
    classes, codes = encode_labels(["yes", "no", "yes"])
    assert classes.tolist() == ["no", "yes"]
    assert codes.tolist() == [1, 0, 1]
    assert codes.dtype == np.int32


# ---------------------------------------------------------------- types that come back

TEXT = ["b", "a", "b"]
WHOLE = [7, 3, 7]
BOOL = [True, False, True]

GIVEN = {
    "list of text": (TEXT, str, "U"),
    "tuple of text": (tuple(TEXT), str, "U"),
    "array of text": (np.array(TEXT), str, "U"),
    "objects, text": (np.array(TEXT, dtype=object), str, "O"),
    "pandas text": (pd.Series(TEXT), str, "O"),
    "string[pyarrow]": (pd.Series(TEXT, dtype="string[pyarrow]"), str, "O"),
    "category of text": (pd.Series(TEXT, dtype="category"), str, "O"),
    "pandas Categorical": (pd.Categorical(TEXT), str, "O"),
    "polars text": (pl.Series(TEXT), str, "O"),
    "polars Categorical": (pl.Series(TEXT, dtype=pl.Categorical), str, "O"),
    "polars Enum": (pl.Series(TEXT, dtype=pl.Enum(["b", "a", "c"])), str, "O"),
    "list of ints": (WHOLE, int, "i"),
    "int8": (np.array(WHOLE, dtype=np.int8), int, "i"),
    "objects, ints": (np.array(WHOLE, dtype=object), int, "i"),
    "objects, numpy ints": (np.array([np.int16(v) for v in WHOLE], dtype=object), int, "i"),
    "Int64": (pd.Series(WHOLE, dtype="Int64"), int, "i"),
    "int64[pyarrow]": (pd.Series(WHOLE, dtype="int64[pyarrow]"), int, "i"),
    "category of ints": (pd.Series(WHOLE, dtype="category"), int, "i"),
    "polars ints": (pl.Series(WHOLE), int, "i"),
    "whole floats": (np.array(WHOLE, dtype=float), float, "f"),
    "list of ints and floats": ([7, 3.0, 7], float, "f"),
    "list of bools": (BOOL, bool, "b"),
    "objects, bools": (np.array(BOOL, dtype=object), bool, "b"),
    "boolean": (pd.Series(BOOL, dtype="boolean"), bool, "b"),
    "category of bools": (pd.Series(BOOL, dtype="category"), bool, "b"),
    "polars bools": (pl.Series(BOOL), bool, "b"),
}


@pytest.mark.parametrize(("y", "python_type", "dtype_kind"), GIVEN.values(), ids=GIVEN)
def test_labels_come_back_in_their_type(y, python_type, dtype_kind):
    classes, codes = encode_labels(y)
    assert classes.dtype.kind == dtype_kind
    assert classes[codes].tolist() == list(y)
    assert [type(label) for label in classes.tolist()] == [python_type] * 2
    assert codes.tolist() == [1, 0, 1]


def test_text_that_is_no_utf_8_is_text():
    classes, codes = encode_labels(np.array(["\ud800", "a"], dtype=object))
    assert classes[codes].tolist() == ["\ud800", "a"]


def test_the_dtype_of_an_array_is_kept():
    assert encode_labels(np.array([2, 1], dtype=np.uint8))[0].dtype == np.uint8
    assert encode_labels(np.array(["ab", "c"]))[0].dtype == np.dtype("<U2")


def test_classes_that_never_occur_are_no_classes():
    y = pd.Series(["b", "a"], dtype=pd.CategoricalDtype(["b", "unused", "a"], ordered=True))
    classes, codes = encode_labels(y)
    assert classes.tolist() == ["a", "b"]
    assert codes.tolist() == [1, 0]


def test_a_column_vector_is_taken_with_scikit_learns_warning():
    from sklearn.exceptions import DataConversionWarning

    with pytest.warns(DataConversionWarning, match="column-vector"):
        assert plain_labels(np.array([["a"], ["b"]])).tolist() == ["a", "b"]


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize("container", [list, tuple, lambda y: np.array(y, dtype=object)])
@pytest.mark.parametrize(
    ("y", "kinds"),
    [
        (["a", 1], "number and text"),
        ([True, "x"], "bool and text"),
        ([True, 1], "bool and number"),
        ([0.0, False], "bool and number"),
    ],
)
def test_mixed_kinds_are_refused(container, y, kinds):
    with pytest.raises(DataError, match=f"column 'y' mixes {kinds}, expected values of one kind"):
        encode_labels(container(y))


@pytest.mark.parametrize("missing", [None, math.nan, pd.NA], ids=str)
@pytest.mark.parametrize("others", [["a", "b"], [1, 2], [True, False]], ids=str)
def test_missing_labels_are_refused_with_their_rows(missing, others):
    y = [missing, *others, missing]
    for container in (list, lambda y: np.array(y, dtype=object), lambda y: pd.Series(y, dtype="O")):
        with pytest.raises(DataError, match=r"y has 2 missing labels .* in rows 0, 3, expected a"):
            encode_labels(container(y))


@pytest.mark.parametrize(
    "y",
    [
        pd.Series([1, None], dtype="Int64"),
        pd.Series([True, None], dtype="boolean"),
        pd.Series(["a", None], dtype="category"),
        pd.Series(["a", None], dtype="string[pyarrow]"),
        pl.Series([1, None]),
        pl.Series(["a", None]),
        pl.Series([True, None]),
        np.array([1.0, math.nan]),
    ],
    ids=lambda y: str(y.dtype),
)
def test_missing_labels_of_every_type(y):
    with pytest.raises(DataError, match=r"y has 1 missing labels .* in rows 1, expected"):
        encode_labels(y)


def test_only_the_first_rows_of_many_are_listed():
    with pytest.raises(DataError, match=r"y has 7 missing .* in rows 0, 1, 2, 3, 4, …, expected"):
        encode_labels([None] * 7 + ["a"])


def test_strings_that_look_missing_are_classes():
    assert encode_labels(["nan", "None", "?"])[0].tolist() == ["?", "None", "nan"]


@pytest.mark.parametrize("y", [np.array([1.0, math.inf]), [1.0, math.inf]], ids=type)
def test_infinite_labels_are_refused(y):
    with pytest.raises(DataError, match=r"row.* 1.* expected"):
        encode_labels(y)


@pytest.mark.parametrize(
    "y",
    [
        np.array(["2020-01-01"], dtype="datetime64[D]"),
        pd.Series(pd.to_datetime(["2020-01-01"])),
        pd.Series(pd.period_range("2020", periods=1)),
        [datetime.date(2020, 1, 1)],
        [("a", "b"), ("c",)],
        [1j, 2j],
        pd.cut(pd.Series([1.0, 2.0]), 2),
    ],
    ids=lambda y: type(y).__name__ + str(getattr(y, "dtype", y)),
)
def test_dates_and_other_types_are_refused(y):
    with pytest.raises(DataTypeError, match="column 'y'"):
        encode_labels(y)


def test_complex_labels_are_refused_by_scikit_learn():
    with pytest.raises(ValueError, match="Complex data not supported"):
        encode_labels(np.array([1j, 2]))


def test_fractions_are_no_classes():
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        encode_labels([0.5, 1.5])


def test_two_columns_of_labels_are_refused():
    for y in (np.zeros((2, 2)), [[0, 1], [1, 0]]):
        with pytest.raises(ValueError, match="y should be a 1d array"):
            encode_labels(y)


# ---------------------------------------------------------------- properties


@settings(deadline=None)
@given(
    st.one_of(
        st.lists(st.text(max_size=3), min_size=1, max_size=20),
        st.lists(st.integers(-(2**40), 2**40), min_size=1, max_size=20),
        st.lists(st.booleans(), min_size=1, max_size=20),
    )
)
def test_codes_decode_to_the_labels(y):
    # numpy's own text ends at a trailing NUL, so the labels are given as objects.
    classes, codes = encode_labels(pd.Series(y, dtype=object))
    assert classes[codes].tolist() == y
    assert classes.tolist() == sorted(set(y))
