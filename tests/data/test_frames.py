"""Tables of every library as pandas frames."""

import datetime
import decimal
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse

from bnclass.data.codes import encode_column
from bnclass.data.columns import column_kind, numeric_values, observed_states, value_kind
from bnclass.data.frames import as_frame
from bnclass.data.variables import Variable
from bnclass.exceptions import DataError, DataTypeError


def learned(column):
    """Return what training makes of a discrete column: its states and codes."""
    states = observed_states(column)
    return states, encode_column(column, Variable("c", states=states)).tolist()


# ---------------------------------------------------------------- tables


def test_columns_of_an_array_are_numbered():
    assert as_frame(np.zeros((2, 3))).columns.tolist() == ["x0", "x1", "x2"]


def test_a_mapping_of_columns_is_a_table():
    assert as_frame({"a": [1, 2], "b": ["u", "v"]}).columns.tolist() == ["a", "b"]


def test_rows_are_numbered_whatever_the_index_is():
    frame = pd.DataFrame({"a": [1.0, np.inf]}, index=["p", "q"])
    with pytest.raises(DataError, match="column 'a', row 1: found inf"):
        numeric_values(as_frame(frame)["a"])
    assert frame.index.tolist() == ["p", "q"]


def test_a_list_of_rows_keeps_the_type_of_each_column():
    frame = as_frame([["a", 1, True, 1.5], [np.nan, 2, False, None]])
    assert [column_kind(frame[name]) for name in frame] == [
        "discrete",
        "continuous",
        "discrete",
        "continuous",
    ]
    assert observed_states(frame["x0"]) == ("a",)
    assert frame["x1"].tolist() == [1, 2]


def test_a_list_of_mixed_cells_is_refused_not_turned_into_text():
    with pytest.raises(DataError, match="column 'x0' mixes number and text"):
        observed_states(as_frame([["a"], [1]])["x0"])


@pytest.mark.parametrize("X", [[1, 2], [[1], [1, 2]], np.zeros(3), np.zeros((1, 1, 1)), "ab", 7])
def test_what_is_no_table_of_two_dimensions_is_refused(X):
    with pytest.raises(DataError, match="expected a table of two dimensions, found"):
        as_frame(X)


def test_a_sparse_matrix_is_refused():
    with pytest.raises(DataTypeError, match="sparse csr_array, expected a dense table"):
        as_frame(scipy.sparse.csr_array(np.eye(2)))


def test_duplicate_column_names_are_refused():
    frame = pd.DataFrame([[1, 2, 3, 4]], columns=["a", "b", "a", "b"])
    with pytest.raises(DataError, match=r"duplicate column names \['a', 'b'\]"):
        as_frame(frame)


MISSING_NAMES = [None, np.nan, pd.NA, pd.NaT, ("a", np.nan), ("a", None)]


@pytest.mark.parametrize("name", MISSING_NAMES, ids=repr)
def test_a_missing_column_name_is_refused_by_place(name):
    names = pd.Index([0.5, name], dtype=object, tupleize_cols=False)
    with pytest.raises(DataError, match=r"column 1 has the name .*, expected no missing value"):
        as_frame(pd.DataFrame([[1, 2]], columns=names))


def test_missing_names_of_other_tables_are_refused():
    for table in (
        {None: [1]},
        pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("a", None)])),
    ):
        with pytest.raises(DataError, match="column 0 has the name"):
            as_frame(table)


# ---------------------------------------------------------------- polars


def polars_column(values, dtype=None):
    return as_frame(pl.DataFrame({"c": pl.Series(values, dtype=dtype)}))["c"]


def test_polars_numbers_with_nulls():
    assert numeric_values(polars_column([1.5, None])).tolist() == pytest.approx(
        [1.5, math.nan], nan_ok=True
    )
    assert learned(polars_column([2, None, 1])) == ((1, 2), [1, -1, 0])
    big = 2**53 + 1
    assert observed_states(polars_column([big, None], pl.Int64)) == (big,)
    assert observed_states(polars_column([3, None], pl.UInt8)) == (3,)
    assert column_kind(polars_column([1, None])) == "continuous"


def test_polars_nan_is_missing():
    assert np.isnan(numeric_values(polars_column([1.0, math.nan, None]))).tolist() == [
        False,
        True,
        True,
    ]


def test_polars_text_and_bools_with_nulls():
    assert learned(polars_column(["b", None, "a"])) == (("a", "b"), [1, -1, 0])
    assert learned(polars_column([True, None, False])) == ((False, True), [1, -1, 0])


def test_a_polars_enum_declares_its_levels_in_their_order():
    column = polars_column(["b", None, "c"], pl.Enum(["c", "unused", "b"]))
    assert learned(column) == (("c", "unused", "b"), [2, -1, 0])


def test_a_polars_categorical_holds_only_its_own_levels():
    other = pl.Series(["zz", "a"], dtype=pl.Categorical)  # polars shares levels among columns
    assert learned(polars_column(["b", None, "a"], pl.Categorical)) == (("a", "b"), [1, -1, 0])
    assert len(other) == 2


def test_a_polars_column_of_nulls_is_wholly_missing():
    assert polars_column([None, None]).isna().all()


def test_polars_dates_and_decimals_are_refused():
    with pytest.raises(DataTypeError, match=r"column 'c', row 1: .* found date"):
        value_kind(polars_column([None, datetime.date(2020, 1, 1)]))
    with pytest.raises(DataTypeError, match=r"column 'c', row 0: .* found Decimal"):
        value_kind(polars_column([decimal.Decimal("1.5")]))


@pytest.mark.parametrize("X", [pl.LazyFrame({"a": [1]}), pl.Series([1])])
def test_other_polars_objects_are_refused(X):
    with pytest.raises(DataTypeError, match=f"a polars {type(X).__name__}, expected a polars Data"):
        as_frame(X)
