import numpy as np
import pandas as pd
import polars as pl
import pytest

from bnclass.data.table import EncodedTable
from bnclass.data.variables import Variable
from bnclass.exceptions import DataError

A, B = Variable("a", states=("u", "v")), Variable("b", states=(1, 2, 3))
Y = Variable("class", states=("n", "y"))


def int32(*values):
    return np.array(values, dtype=np.int32)


def table(**changes):
    """Return three rows; the last has no a and, of class, n."""
    parts = {
        "variables": (A, B),
        "codes": int32([0, 2], [1, 0], [-1, 1]),
        "target": Y,
        "labels": int32(1, 1, 0),
        "weights": np.array([1.0, 2.0, 0.5]),
    }
    return EncodedTable(**(parts | changes))


# ---------------------------------------------------------------- from raw rows


@pytest.mark.parametrize("library", [pd, pl])
def test_columns_are_found_by_name_and_others_ignored(library):
    frame = library.DataFrame({"class": ["y", None], "z": [0, 0], "b": [3, 9], "a": ["v", None]})
    encoded = EncodedTable.from_frame(frame, [A, B], Y)
    assert encoded.codes.tolist() == [[1, 2], [-1, -1]]
    assert encoded.codes.dtype == np.int32
    assert encoded.codes.flags.f_contiguous
    assert encoded.labels.tolist() == [1, -1]
    assert encoded.variables == (A, B)


def test_rows_of_an_array_are_found_by_place():
    variables = [Variable("x1", states=(5.0, 6.0)), Variable("x0", states=(1.0,))]
    encoded = EncodedTable.from_frame(np.array([[1.0, 6.0], [2.0, 5.0]]), variables)
    assert encoded.codes.tolist() == [[1, 0], [0, -1]]
    assert encoded.labels is None


def test_a_discretised_view_reads_its_source():
    view = Variable("n (binned)", states=("low", "high"), source="n", cuts=(2.0,))
    number = Variable("n", states=(1, 3))
    encoded = EncodedTable.from_frame(pd.DataFrame({"n": [1, 3]}), [view, number])
    assert encoded.codes.tolist() == [[0, 0], [1, 1]]


def test_no_variables_leave_the_rows():
    encoded = EncodedTable.from_frame(pd.DataFrame({"a": ["u", "v"]}), [])
    assert encoded.codes.shape == (2, 0)
    assert len(encoded) == 2


def test_no_rows():
    frame = pd.DataFrame({"a": pd.Series([], dtype=str), "b": pd.Series([], dtype=int)})
    assert EncodedTable.from_frame(frame, [A, B]).codes.shape == (0, 2)


def test_a_column_that_is_not_there_is_named():
    with pytest.raises(DataError, match=r"no column 'b' in the table, found \['a', 'z'\]"):
        EncodedTable.from_frame(pd.DataFrame({"a": ["u"], "z": [1]}), [A, B])
    with pytest.raises(DataError, match="no column 'class' in the table"):
        EncodedTable.from_frame(pd.DataFrame({"a": ["u"]}), [A], Y)


# ---------------------------------------------------------------- parts of it


def test_row_weights_are_ones_by_default():
    assert table(weights=None).row_weights.tolist() == [1.0, 1.0, 1.0]
    assert table().row_weights.tolist() == [1.0, 2.0, 0.5]


def test_codes_of_some_attributes():
    assert table().codes_of(["b", "a"]).tolist() == [[2, 0], [0, 1], [1, -1]]
    assert table().codes_of(["b"]).tolist() == [[2], [0], [1]]
    assert table().codes_of([]).shape == (3, 0)


def test_codes_of_all_attributes_are_not_copied():
    encoded = table()
    assert encoded.codes_of(("a", "b")) is encoded.codes


@pytest.mark.parametrize("name", ["z", "class", 0])
def test_codes_of_an_unknown_attribute(name):
    with pytest.raises(DataError, match=rf"no attribute {name!r} in the table, found \['a', 'b'\]"):
        table().codes_of(["a", name])


@pytest.mark.parametrize(
    "which", [np.array([2, 0]), np.array([True, False, True]), slice(None, None, 2)]
)
def test_rows_take_labels_and_weights_along(which):
    some, places = table().rows(which), np.arange(3)[which]
    assert some.codes.tolist() == table().codes[places].tolist()
    assert some.labels.tolist() == table().labels[places].tolist()
    assert some.weights.tolist() == table().weights[places].tolist()
    assert (some.variables, some.target) == ((A, B), Y)


def test_rows_of_a_table_without_labels():
    some = EncodedTable((A,), int32([0], [1])).rows(np.array([1]))
    assert (some.codes.tolist(), some.labels, some.weights) == ([[1]], None, None)


# ---------------------------------------------------------------- what is no table

# The counting loops index with codes and labels unchecked, so none may be out of range.
REFUSED = {
    "codes of one axis": ({"codes": int32(0, 1)}, r"codes of shape \(2,\), expected a column for"),
    "too few columns": (
        {"codes": int32([0], [1], [0])},
        r"codes of shape \(3, 1\), .* 2 variables",
    ),
    "code too large": ({"codes": int32([0, 0], [0, 3], [0, 0])}, "'b': found code 3, .* at most 2"),
    "code too small": ({"codes": int32([0, -2], [0, 0], [0, 0])}, "found code -2, expected codes"),
    "label too large": ({"labels": int32(0, 2, 0)}, "'class': found code 2, expected at most 1"),
    "labels too few": ({"labels": int32(0, 1)}, r"labels of shape \(2,\), expected \(3,\)"),
    "weights too few": ({"weights": np.ones(2)}, r"weights of shape \(2,\), expected \(3,\)"),
    "weight 0": ({"weights": np.array([1.0, 0.0, 1.0])}, "row 1: found weight 0.0, expected a pos"),
    "weight negative": ({"weights": np.array([1.0, 1.0, -1.0])}, "row 2: found weight -1.0"),
    "weight NaN": ({"weights": np.array([np.nan, 1.0, 1.0])}, "row 0: found weight nan"),
    "weight infinite": ({"weights": np.array([np.inf, 1.0, 1.0])}, "row 0: found weight inf"),
}


@pytest.mark.parametrize(("changes", "message"), REFUSED.values(), ids=REFUSED)
def test_what_does_not_fit_together_is_refused(changes, message):
    with pytest.raises(DataError, match=message):
        table(**changes)


def test_tables_are_frozen():
    with pytest.raises(AttributeError):
        table().codes = int32([0, 0])
