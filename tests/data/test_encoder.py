"""From raw tables to codes: what training learns, and what prediction makes of new rows."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnclass import NaiveBayes
from bnclass.data.encoder import TableEncoder
from bnclass.exceptions import BnclassWarning, DataError, DataTypeError

Y4 = ["n", "y", "n", "y"]


HOLES = pd.DataFrame(
    {
        "w": ["v", None, "u", "v"],
        "full": ["p", "q", "p", "p"],
        "n": [1.0, 6.0, 2.0, None],
        "whole": [0.0, 8.0, 0.0, 8.0],
    }
)


def fitted(X, y=None, weights=None, **parameters):
    """Return an encoder and its training table."""
    encoder = TableEncoder(**parameters)
    return encoder, encoder.fit_transform(X, Y4 if y is None else y, weights)


def learned(X, y=None, weights=None, **parameters):
    """Return all that training learned, for comparison bit by bit."""
    encoder, table = fitted(X, y, weights, **parameters)
    return encoder.schema_, table.codes.tolist(), table.labels.tolist()


def domains(encoder):
    return {v.name: v.states for v in encoder.schema_.attributes}


# ---------------------------------------------------------------- by hand


def test_by_hand():
    frame = pd.DataFrame(
        {"size": ["s", "l", "s", None], "n": [1.0, 6.0, 2.0, 5.0], "hot": [True, False] * 2}
    )
    encoder, table = fitted(frame)
    assert domains(encoder) == {
        "size": ("l", "s"),
        "n": ("(-inf, 3.5]", "(3.5, inf)"),
        "hot": (False, True),
    }
    assert table.codes.tolist() == [[1, 0, 1], [0, 1, 0], [1, 0, 1], [-1, 1, 0]]
    assert table.labels.tolist() == [0, 1, 0, 1]
    assert encoder.schema_.target.states == ("n", "y")
    assert encoder.schema_["n"].cuts == (3.5,)
    assert (table.weights, encoder.means_, encoder.discretizer_) == (None, {}, None)


def test_new_rows_are_encoded_as_the_training_rows_were():
    frame = pd.DataFrame({"size": ["s", "l", "s", None], "n": [1.0, 6.0, 2.0, 5.0]})
    encoder, table = fitted(frame)
    assert encoder.transform(frame).codes.tolist() == table.codes.tolist()
    assert encoder.transform(frame).labels is None


# ---------------------------------------------------------------- the same data in other types

SAME_TEXT = [object, "str", "string[python]", "string[pyarrow]", "category"]


@pytest.mark.parametrize("dtype", SAME_TEXT)
def test_text_of_every_flavour_gives_the_same_fit(dtype):
    words = {"a": ["v", "u", None, "v"], "b": ["p", "q", "q", "p"]}
    frame, plain = pd.DataFrame(words, dtype=dtype), pd.DataFrame(words, dtype=object)
    assert learned(frame) == learned(plain)
    ours, theirs = (NaiveBayes().fit(X, Y4).predict_proba(frame) for X in (frame, plain))
    assert ours.tolist() == theirs.tolist()


def test_polars_and_pandas_give_the_same_fit():
    columns = {
        "number": [1.5, None, 6.0, 2.5],
        "whole": [3, 1, None, 2],
        "text": ["v", "u", None, "v"],
        "flag": [True, None, False, True],
    }
    levels = ["w", "v", "u"]
    ours = pl.DataFrame(columns).with_columns(
        level=pl.Series(columns["text"], dtype=pl.Enum(levels))
    )
    theirs = pd.DataFrame(columns).assign(
        whole=pd.array(columns["whole"], dtype="Int64"),
        level=pd.Categorical(columns["text"], categories=levels),
    )
    for chosen in ("from_dtype", "all"):
        expected = learned(theirs, categorical_features=chosen)
        assert learned(ours, pl.Series(Y4), categorical_features=chosen) == expected
    encoder, table = fitted(ours)
    assert encoder.transform(theirs).codes.tolist() == table.codes.tolist()


def test_a_list_of_rows_is_read_column_by_column():
    encoder, table = fitted([["u", 1.0], ["v", 6.0], [math.nan, 2.0], ["u", 5.0]])
    assert domains(encoder) == {"x0": ("u", "v"), "x1": ("(-inf, 3.5]", "(3.5, inf)")}
    assert table.codes[:, 0].tolist() == [0, 1, -1, 0]


def test_an_array_of_objects_is_discrete():
    encoder, _ = fitted(np.array([["u", True], ["v", False], [None, None], ["u", True]], object))
    assert domains(encoder) == {"x0": ("u", "v"), "x1": (False, True)}


# ---------------------------------------------------------------- names


def test_columns_of_an_array_are_numbered():
    assert fitted(np.arange(8.0).reshape(4, 2))[0].schema_.names == ("x0", "x1")


def test_names_that_are_no_text_stay_what_they_are():
    names = [2, 0, 10]
    frame = pd.DataFrame([[1, 2, "u"]] * 4, columns=names)
    encoder, _ = fitted(frame, categorical_features=[0])
    assert encoder.schema_.names == encoder.columns_ == (2, 0, 10)
    assert [type(name) for name in encoder.schema_.names] == [int, int, int]
    assert encoder.transform(frame).codes.shape == (4, 3)


def test_tuple_names():
    frame = pd.DataFrame([[1.0, "u"]] * 4, columns=pd.MultiIndex.from_product([["a"], ["p", "q"]]))
    encoder, table = fitted(frame)
    assert encoder.schema_.names == (("a", "p"), ("a", "q"))
    assert encoder.transform(frame).codes.tolist() == table.codes.tolist()


@pytest.mark.parametrize(
    ("columns", "name", "expected"),
    [
        (["a"], "label", "label"),
        (["a"], None, "class"),
        (["a"], "", "class"),
        (["a"], 3, "class"),
        (["a"], "a", "class"),
        (["class"], None, "class_"),
        (["class", "class_", "y"], "y", "class__"),
    ],
)
def test_the_class_node_has_a_name_of_its_own(columns, name, expected):
    frame = pd.DataFrame([["u"] * len(columns)] * 4, columns=columns)
    encoder, _ = fitted(frame, pd.Series(Y4, name=name))
    assert encoder.schema_.target.name == expected


def test_the_name_of_a_polars_series():
    frame = pl.DataFrame({"a": ["u"] * 4})
    assert fitted(frame, pl.Series(Y4))[0].schema_.target.name == "class"
    assert fitted(frame, pl.Series("label", Y4))[0].schema_.target.name == "label"


def test_a_name_for_the_class_node_can_be_given():
    frame = pd.DataFrame({"a": ["u"] * 4})
    assert TableEncoder().fit_transform(frame, Y4, target=7).target.name == 7
    with pytest.raises(DataError, match=r"repeated variable names \['a'\]"):
        TableEncoder().fit_transform(frame, Y4, target="a")


def test_duplicate_names_are_refused():
    with pytest.raises(DataError, match=r"duplicate column names \['a'\]"):
        fitted(pd.DataFrame([["u", "v"]] * 4, columns=["a", "a"]))


REORDERED = [["b", "a"], ["a"], ["a", "b", "c"], ["a", "z"], ["y", "z"]]


@pytest.mark.parametrize("names", REORDERED, ids=str)
def test_other_columns_than_in_training_are_refused(names):
    encoder, _ = fitted(pd.DataFrame([[1.0, 2.0]] * 4, columns=["a", "b"]))
    with pytest.raises(DataError, match=r"found columns .*, expected \['a', 'b'\] as in training"):
        encoder.transform(pd.DataFrame([[1.0] * len(names)], columns=names))


def test_whole_number_names_in_another_order_are_refused():
    encoder, _ = fitted(pd.DataFrame([[1.0, 2.0]] * 4))
    with pytest.raises(DataError, match=r"found columns \[1, 0\], expected \[0, 1\]"):
        encoder.transform(pd.DataFrame([[1.0, 2.0]], columns=[1, 0]))
    with pytest.raises(DataError, match=r"found columns \['x1', 'x0'\], expected \['x0', 'x1'\]"):
        fitted(np.ones((4, 2)))[0].transform(pd.DataFrame([[1.0, 2.0]], columns=["x1", "x0"]))


def test_a_table_without_names_is_read_by_place():
    frame = pd.DataFrame({"a": [1, 6, 2, 5], "b": [5, 1, 6, 2]}, dtype=float)
    codes = fitted(frame)[1].codes.tolist()
    assert fitted(frame)[0].transform(frame.to_numpy()).codes.tolist() == codes
    assert fitted(frame)[0].transform(pd.DataFrame(frame.to_numpy())).codes.tolist() == codes
    assert fitted(frame.to_numpy())[0].transform(frame).codes.tolist() == codes
    with pytest.raises(DataError, match="found columns"):
        fitted(frame)[0].transform(frame.to_numpy()[:, :1])


# ---------------------------------------------------------------- rows and weights


def test_no_rows_are_refused():
    with pytest.raises(DataError, match=r"no rows .*, expected at least one"):
        fitted(pd.DataFrame({"a": []}), [])


def test_rows_and_labels_must_be_as_many():
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[3, 4\]"):
        fitted(pd.DataFrame({"a": ["u"] * 3}))


def test_rows_of_weight_zero_are_left_out_before_everything_else():
    frame = pd.DataFrame({"a": ["u", "zz", "v"], "n": [1.0, math.inf, 2.0], "e": [None, "e", None]})
    with pytest.warns(BnclassWarning, match=r"\['e'\] are wholly missing"):
        encoder, table = fitted(frame, ["n", "maybe", "y"], [1.0, 0.0, 2.5])
    assert domains(encoder)["a"] == ("u", "v")
    assert encoder.classes_.tolist() == ["n", "y"]
    assert table.weights.tolist() == [1.0, 2.5]
    assert len(table) == 2


def test_rows_are_named_by_their_place_in_the_whole_table():
    frame = pd.DataFrame({"n": [1.0, 2.0, math.inf]}, index=["p", "q", "r"])
    with pytest.raises(DataError, match="column 'n', row 2: found inf"):
        fitted(frame, [0, 1, 1], [0, 1, 1])


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 1, 1, -1], "Negative values in data passed to `sample_weight`"),
        ([1, 1, 1, math.nan], "sample_weight contains NaN"),
        ([1, 1, 1, math.inf], "sample_weight contains infinity"),
        ([1, 1, 1], r"sample_weight.shape == \(3,\), expected \(4,\)"),
        ([0, 0, 0, 0], "at least one non-zero number|no rows"),
    ],
)
def test_bad_weights_are_refused(weights, message):
    with pytest.raises(ValueError, match=message):
        fitted(pd.DataFrame({"a": ["u", "v"] * 2}), weights=weights)


ROWS = st.lists(
    st.tuples(
        st.sampled_from(["u", "v", None]),
        st.sampled_from([0.0, 1.0, 2.5, 4.0, 7.0, None]),
        st.sampled_from("KL"),
    ),
    min_size=1,
    max_size=16,
)
COMPLETE = ("v", 1.0, "K")


def as_columns(rows):
    rows = [COMPLETE, *rows]
    words, numbers, labels = zip(*rows, strict=True)
    frame = pd.DataFrame(
        {"w": pd.Series(words, dtype=object), "n": pd.Series(numbers, dtype=float)}
    )
    return frame, np.array(labels)


@settings(deadline=None)
@given(ROWS, st.data(), st.sampled_from(["marginalize", "state", "impute"]))
def test_whole_weights_are_repeated_rows(rows, data, missing):
    frame, y = as_columns(rows)
    weights = data.draw(st.lists(st.integers(1, 3), min_size=len(y), max_size=len(y)))
    which = np.repeat(np.arange(len(y)), weights)
    once, _, _ = learned(frame, y, weights, missing=missing)
    repeated, _, _ = learned(frame.iloc[which], y[which], missing=missing)
    assert once == repeated


@settings(deadline=None)
@given(ROWS, st.randoms(use_true_random=False), st.sampled_from(["marginalize", "state", "impute"]))
def test_row_order_changes_nothing(rows, random, missing):
    frame, y = as_columns(rows)
    order = random.sample(range(len(y)), len(y))
    schema, codes, labels = learned(frame, y, missing=missing)
    other_schema, other_codes, other_labels = learned(frame.iloc[order], y[order], missing=missing)
    assert other_schema == schema
    assert other_codes == [codes[i] for i in order]
    assert other_labels == [labels[i] for i in order]


@settings(deadline=None)
@given(ROWS)
def test_renaming_in_order_changes_names_only(rows):
    frame, y = as_columns(rows)
    renamed = frame.assign(w=["z" + w if isinstance(w, str) else None for w in frame["w"]])
    schema, codes, labels = learned(renamed, np.char.add("z", y))
    plain, plain_codes, plain_labels = learned(frame, y)
    assert (codes, labels) == (plain_codes, plain_labels)
    assert schema["w"].states == tuple("z" + s for s in plain["w"].states)
    assert schema["n"] == plain["n"]


# ---------------------------------------------------------------- kinds


def test_a_column_of_text_and_numbers_is_refused():
    frame = pd.DataFrame({"a": pd.Series(["u", 1, "v", 2], dtype=object)})
    with pytest.raises(DataError, match="column 'a' mixes number and text"):
        fitted(frame)


def test_true_and_1_are_not_the_same():
    with pytest.raises(DataError, match="column 'a' mixes bool and number"):
        fitted(pd.DataFrame({"a": pd.Series([True, 1, False, 0], dtype=object)}))


@pytest.mark.parametrize(
    ("column", "cell", "error", "message"),
    [
        ("n", "much", DataError, "column 'n', row 0: found text 'much', expected a number or the"),
        ("n", True, DataError, "column 'n' holds bool, expected number as in training"),
        ("n", math.inf, DataError, "column 'n', row 0: found inf, expected a finite number"),
        ("n", 1j, DataTypeError, "column 'n' has dtype complex128"),
        ("n", pd.Timestamp("2020"), DataTypeError, "column 'n' has dtype datetime64"),
        ("w", 1.5, DataError, "column 'w' holds number, expected text as in training"),
        ("w", pd.Timestamp("2020"), DataTypeError, "column 'w' has dtype datetime64"),
    ],
)
def test_another_kind_at_prediction_is_refused(column, cell, error, message):
    encoder, _ = fitted(HOLES)
    with pytest.raises(error, match=message):
        encoder.transform(HOLES.assign(**{column: [cell] * 4}))


def test_one_row_of_which_the_text_is_missing():
    """Such a frame has the text as a column of floats."""
    encoder, _ = fitted(HOLES)
    row = pd.DataFrame({"w": [math.nan], "full": ["p"], "n": [1.0], "whole": [0.0]})
    assert encoder.transform(row).codes.tolist() == [[-1, 0, 0, 0]]


def test_unused_levels_stay_in_the_domain():
    levels = pd.CategoricalDtype(["c", "unused", "a"])
    encoder, table = fitted(pd.DataFrame({"a": ["a", "c", "a", "c"]}).astype(levels))
    assert domains(encoder) == {"a": ("c", "unused", "a")}
    assert table.codes.ravel().tolist() == [2, 0, 2, 0]


@pytest.mark.parametrize("chosen", ["all", ["n"], [0], [True, False]])
def test_chosen_numbers_are_states(chosen):
    frame = pd.DataFrame({"n": [3, 1, 3, 2], "m": ["u"] * 4})
    encoder, table = fitted(frame, categorical_features=chosen)
    assert domains(encoder)["n"] == (1, 2, 3)
    assert table.codes[:, 0].tolist() == [2, 0, 2, 1]


def test_numbers_as_objects_are_told_apart_from_amounts():
    amounts = pd.DataFrame({"crp": np.arange(100) % 40 / 8}, dtype=object)
    with pytest.warns(BnclassWarning, match=r"column 'crp' holds 40 different numbers as objects"):
        TableEncoder().fit_transform(amounts, [0, 1] * 50)
