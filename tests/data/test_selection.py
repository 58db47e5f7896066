"""`categorical_features`: by dtype, all, mask, names, positions, nonsense."""

import numpy as np
import pandas as pd
import pytest

from bnclass.data.selection import discrete_columns
from bnclass.exceptions import BnclassError, DataTypeError


def frame():
    return pd.DataFrame({"text": ["u", "v"], "n": [1, 2], "flag": [True, False], "m": [0.5, 1.5]})


def discrete(chosen, table=None):
    kinds = discrete_columns(frame() if table is None else table, chosen)
    return [name for name, on in kinds.items() if on]


@pytest.mark.parametrize("chosen", ["from_dtype", None, [], (), [False] * 4, ["text"], [0, 2]])
def test_text_and_bools_are_discrete_anyway(chosen):
    assert discrete(chosen) == ["text", "flag"]


def test_all():
    assert discrete("all") == ["text", "n", "flag", "m"]


@pytest.mark.parametrize(
    "chosen",
    [
        ["n"],
        ("n",),
        {"n"},
        pd.Index(["n"]),
        np.array(["n"]),
        [1],
        np.array([1]),
        [np.int8(1)],
        [False, True, False, False],
        np.array([False, True, False, False]),
        pd.Series([False, True, False, False], index=list("wxyz")),
    ],
    ids=repr,
)
def test_one_more_by_name_position_or_mask(chosen):
    assert discrete(chosen) == ["text", "n", "flag"]


def test_an_integer_is_a_name_where_there_is_one():
    table = pd.DataFrame([[0.5, 1.5, 2.5]], columns=[2, 0, 7])
    assert discrete([0], table) == [0]
    assert discrete([1], table) == [0]  # no column is called 1, so it is a position
    assert discrete([2], table) == [2]


def test_tuples_are_names():
    table = pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", "p"), ("a", "q")]))
    assert discrete([("a", "q")], table) == [("a", "q")]


def test_the_columns_keep_their_order():
    assert list(discrete_columns(frame(), ["m", "n"])) == ["text", "n", "flag", "m"]


@pytest.mark.parametrize("chosen", ["n", "every", "", 3, 1.5, True, object], ids=repr)
def test_nonsense_is_refused(chosen):
    with pytest.raises(BnclassError, match=r"categorical_features is .*, expected 'from_dtype'"):
        discrete(chosen)


@pytest.mark.parametrize("item", ["zz", 4, -1, 0.5, None, ["n"], True, np.True_, pd.NA], ids=repr)
def test_what_is_no_column_is_refused(item):
    with pytest.raises(BnclassError, match=r"categorical_features names .*, expected one of \['te"):
        discrete(["n", item])


@pytest.mark.parametrize("length", [1, 3, 5])
def test_a_mask_of_another_length_is_refused(length):
    with pytest.raises(BnclassError, match=f"a mask of {length}, expected 4 entries"):
        discrete([True] * length)


@pytest.mark.parametrize("chosen", ["from_dtype", "all", ["when"]])
def test_a_column_of_dates_is_refused_even_if_chosen(chosen):
    table = frame().assign(when=pd.to_datetime(["2020-01-01", "2020-01-02"]))
    with pytest.raises(DataTypeError, match="column 'when' has dtype datetime64"):
        discrete(chosen, table)


@pytest.mark.parametrize("chosen", ["from_dtype", "all", ["z"]])
def test_complex_numbers_are_refused_even_if_chosen(chosen):
    with pytest.raises(DataTypeError, match="column 'z' has dtype complex128"):
        discrete(chosen, frame().assign(z=[1j, 2]))
