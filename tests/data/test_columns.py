"""Columns: every dtype that a frame can have, its kind, its states, its codes."""

import decimal
import math

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnclass.data.codes import bin_codes, encode_column
from bnclass.data.columns import (
    column_kind,
    numeric_values,
    observed_states,
    plain,
    require_kind,
    value_kind,
)
from bnclass.data.variables import Variable
from bnclass.exceptions import DataError, DataTypeError

ARROW_TEXT = pd.ArrowDtype(pa.string())


def series(values, dtype=None, name="c"):
    return pd.Series(values, dtype=dtype, name=name)


def codes(column, states, **more):
    return encode_column(column, Variable("c", states=tuple(states), **more)).tolist()


def learned(column):
    """Return what training makes of a discrete column: its states and codes."""
    states = observed_states(column)
    return states, codes(column, states)


# ---------------------------------------------------------------- kinds

NUMBERS = ["int8", "uint64", "float16", "float32", "float64", "Int64", "Float32", "int64[pyarrow]"]
TEXTS = [object, "str", "string[python]", "string[pyarrow]", ARROW_TEXT, "category"]
BOOLS = [bool, object, "boolean", "bool[pyarrow]", "category"]


@pytest.mark.parametrize("dtype", NUMBERS)
def test_numbers_are_continuous(dtype):
    column = series([2, 1, 2], dtype)
    assert (column_kind(column), value_kind(column)) == ("continuous", "number")
    assert numeric_values(column).tolist() == [2.0, 1.0, 2.0]
    assert learned(column) == ((1, 2), [1, 0, 1])


@pytest.mark.parametrize("dtype", TEXTS)
def test_text_of_every_flavour_is_the_same(dtype):
    column = series(["v", None, "u", "v"], dtype)
    assert (column_kind(column), value_kind(column)) == ("discrete", "text")
    assert learned(column) == (("u", "v"), [1, -1, 0, 1])


@pytest.mark.parametrize("trained", TEXTS)
@pytest.mark.parametrize("asked", TEXTS)
def test_text_is_encoded_across_flavours(trained, asked):
    states = observed_states(series(["v", "u"], trained))
    assert codes(series(["u", "zz", None], asked), states) == [0, -1, -1]


@pytest.mark.parametrize("dtype", BOOLS)
def test_bools_of_every_flavour_are_the_same(dtype):
    column = series([True, False, True], dtype)
    assert (column_kind(column), value_kind(column)) == ("discrete", "bool")
    states, found = learned(column)
    assert found == [1, 0, 1]
    assert [type(s) for s in states] == [bool, bool]


@pytest.mark.parametrize("dtype", [object, "boolean", "bool[pyarrow]", "category"])
def test_bools_with_missing_cells(dtype):
    assert learned(series([True, None, False], dtype)) == ((False, True), [1, -1, 0])


@pytest.mark.parametrize("dtype", ["Int64", "Float64", "int64[pyarrow]", object])
def test_numbers_with_missing_cells(dtype):
    column = series([2, None, 1], dtype)
    assert np.isnan(numeric_values(column)).tolist() == [False, True, False]
    assert learned(column) == ((1, 2), [1, -1, 0])


def test_none_nan_and_na_are_one_thing():
    column = series(["u", None, "v", math.nan, pd.NA, pd.NaT], object)
    assert learned(column) == (("u", "v"), [0, -1, 1, -1, -1, -1])
    assert np.isnan(numeric_values(series([1.0, None, math.nan, pd.NA], object))).sum() == 3


def test_a_nullable_float_that_became_nan_is_missing():
    zero = series([0.0, 1.0], "Float64")
    assert learned(zero / zero) == ((1.0,), [-1, 0])


def test_strings_that_look_missing_are_not():
    column = series(["nan", "None", "?", "", "NA", "<NA>"])
    assert learned(column) == (("", "<NA>", "?", "NA", "None", "nan"), [5, 4, 2, 0, 3, 1])


@pytest.mark.parametrize(
    "column",
    [
        series(pd.to_datetime(["2020-01-01", None])),
        series(pd.to_timedelta([1])),
        series(pd.period_range("2020", periods=2)),
        series([1j, 2.0]),
        series(pd.interval_range(0, 2)),
        series([1], pd.ArrowDtype(pa.date32())),
    ],
    ids=lambda column: str(column.dtype),
)
def test_dates_and_complex_numbers_are_refused(column):
    for function in (column_kind, value_kind, observed_states):
        with pytest.raises(DataTypeError, match=r"column 'c' has dtype .*, expected numbers, bool"):
            function(column)
    for variable in (
        Variable("c", states=("u",)),
        Variable("c", states=("low", "high"), cuts=(1.0,)),
    ):
        with pytest.raises(DataTypeError, match="column 'c' has dtype"):
            encode_column(column, variable)


@pytest.mark.parametrize("value", [b"u", ("u",), [1], decimal.Decimal(1), 1j, pd.Timestamp("2020")])
def test_other_objects_are_refused_at_the_first_row_that_has_one(value):
    column = series(["u", None, value, value], object)
    with pytest.raises(DataTypeError, match=rf"column 'c', row 2: .* found {type(value).__name__}"):
        observed_states(column)


@pytest.mark.parametrize(
    ("values", "kinds"),
    [
        (["u", 1], "number and text"),
        ([True, 1], "bool and number"),
        ([False, 0.0], "bool and number"),
        ([True, "True"], "bool and text"),
        ([True, 1, "1"], "bool and number and text"),
    ],
)
def test_mixed_kinds_are_refused(values, kinds):
    with pytest.raises(DataError, match=f"column 'c' mixes {kinds}, expected values of one kind"):
        observed_states(series(values, object))


def test_category_levels_of_mixed_kinds_are_refused():
    with pytest.raises(DataError, match="column 'c' mixes number and text"):
        observed_states(series(["u", 1], "category"))


def test_numpy_scalars_become_plain():
    assert [type(plain(v)) for v in (np.int8(1), np.float32(1), np.bool_(1), np.str_("a"))] == [
        int,
        float,
        bool,
        str,
    ]
    column = series([np.str_("a"), np.str_("b")], object)
    assert [type(s) for s in observed_states(column)] == [str, str]


def test_an_integer_among_floats_is_the_same_state_in_any_order():
    for values in ([1, 2.5, 1.0], [1.0, 2.5, 1]):
        states = observed_states(series(values, object))
        assert states == (1.0, 2.5)
        assert [type(s) for s in states] == [float, float]


# ---------------------------------------------------------------- categories


def test_unused_levels_stay_in_the_domain():
    column = series(["b", "a", None], pd.CategoricalDtype(["a", "unused", "b"]))
    assert learned(column) == (("a", "unused", "b"), [2, 0, -1])


@pytest.mark.parametrize("ordered", [False, True])
def test_a_category_of_numbers_is_discrete_and_keeps_its_order(ordered):
    column = series([1, 2, 3], pd.CategoricalDtype([3, 1, 2], ordered=ordered))
    assert (column_kind(column), value_kind(column)) == ("discrete", "number")
    assert learned(column) == ((3, 1, 2), [1, 2, 0])


def test_a_category_with_other_levels_is_encoded_by_value():
    assert codes(series(["a", "z", None], "category"), ("b", "a")) == [1, -1, -1]


def test_intervals_as_category_levels_are_states():
    column = series(pd.cut([1, 2, 3], [0, 1.5, 3]))
    states, found = learned(column)
    assert found == [0, 1, 1]
    assert states == tuple(pd.IntervalIndex.from_breaks([0, 1.5, 3]))
    with pytest.raises(DataError, match="column 'c' holds text, expected Interval as in training"):
        codes(series(["(0.0, 1.5]"]), states)


# ---------------------------------------------------------------- infinities

INFINITE = [
    series([1.0, None, -math.inf]),
    series([1.0, None, math.inf], "Float64"),
    series([1.0, None, math.inf], object),
]


@pytest.mark.parametrize("column", INFINITE, ids=lambda column: str(column.dtype))
def test_infinite_cells_are_named(column):
    for function in (numeric_values, value_kind, observed_states):
        with pytest.raises(DataError, match=r"column 'c', row 2: found -?inf, expected a finite"):
            function(column)


@pytest.mark.parametrize("column", INFINITE, ids=lambda column: str(column.dtype))
@pytest.mark.parametrize(
    "variable", [Variable("c", states=(1.0, 2.0)), Variable("c", states=("l", "h"), cuts=(1.0,))]
)
def test_infinite_cells_are_refused_at_prediction(column, variable):
    with pytest.raises(DataError, match="column 'c', row 2: found"):
        encode_column(column, variable)


# ---------------------------------------------------------------- encoding


@pytest.mark.parametrize(
    ("column", "found", "states", "expected"),
    [
        (series([1]), "number", ("u",), "text"),
        (series(["1"]), "text", (1, 2), "number"),
        (series([1]), "number", (False, True), "bool"),
        (series([True]), "bool", (0, 1), "number"),
        (series([True]), "bool", ("True",), "text"),
        (series([1, 0], "category"), "number", (False, True), "bool"),
    ],
)
def test_another_kind_than_in_training_is_refused(column, found, states, expected):
    message = f"column 'c' holds {found}, expected {expected} as in training"
    with pytest.raises(DataError, match=message):
        codes(column, states)


MISSING_COLUMNS = [
    series([None, None], dtype)
    for dtype in ("float64", object, "str", "Int64", "boolean", "category", "datetime64[s]")
]


@pytest.mark.parametrize("column", MISSING_COLUMNS, ids=lambda column: str(column.dtype))
def test_a_wholly_missing_column_is_of_every_kind(column):
    """A frame of one row has its missing text as a float column."""
    assert value_kind(column) is None
    assert np.isnan(numeric_values(column)).all()
    require_kind(column, "text")
    for states in [("u",), (1,), (False, True)]:
        assert codes(column, states) == [-1, -1]
    assert codes(column, ("low", "high"), cuts=(1.0,)) == [-1, -1]
    assert codes(column, ("low", "high"), cuts=(1.0,), fill=1) == [1, 1]


@pytest.mark.parametrize("value", [10**400, -(10**400)], ids=["large", "negative"])
def test_whole_numbers_beyond_doubles_are_named(value):
    column = pd.Series([1, None, value], name="n", index=list("pqr"), dtype=object)
    for ask in (numeric_values, observed_states):
        with pytest.raises(DataError, match=r"column 'n', row r: found a whole number beyond"):
            ask(column)


def test_whole_floats_are_the_same_numbers():
    assert codes(series([1.0, 2.0, 1.5]), (1, 2)) == [0, 1, -1]
    assert codes(series([1, 2], object), (1.0, 2.0)) == [0, 1]


@pytest.mark.parametrize("states", [("u", "v", "missing"), (1, 2, "missing"), (False, True, "m")])
def test_missing_and_unknown_cells_take_the_fill(states):
    known = states[:2]
    unknown = {str: "zz", int: 9, bool: None}[type(known[0])]
    column = series([known[1], None, unknown, known[0]], object)
    assert codes(column, states, fill=2) == [1, 2, 2, 0]


def test_the_state_for_missing_cells_is_not_what_a_column_of_numbers_expects():
    with pytest.raises(DataError, match="column 'c' holds text, expected number as in training"):
        codes(series(["missing"]), (1, 2, "missing"), fill=2)


def test_a_fill_that_is_an_ordinary_state():
    assert codes(series(["v", None, "zz"]), ("u", "v"), fill=0) == [1, 0, 0]
    assert codes(series(["u", None, "zz"]), ("u",), fill=0) == [0, 0, 0]
    with pytest.raises(DataError, match="column 'c' holds number, expected text as in training"):
        codes(series([1]), ("u",), fill=0)


# ---------------------------------------------------------------- bins

BINS = ("(-inf, 1]", "(1, 2]", "(2, inf)")
BINNED = {"states": BINS, "cuts": (1.0, 2.0)}


def test_bins_are_open_below_and_closed_above():
    values = np.array([-5.0, 1.0, np.nextafter(1.0, 2.0), 2.0, 2.5, math.nan])
    assert bin_codes(values, (1.0, 2.0)).tolist() == [0, 0, 1, 1, 2, -1]
    assert bin_codes(values, ()).tolist() == [0, 0, 0, 0, 0, -1]


@pytest.mark.parametrize("dtype", ["float64", "Float64", object, "category"])
def test_numbers_fall_into_bins(dtype):
    assert codes(series([0.5, 2.0, None, 9.0], dtype), **BINNED) == [0, 1, -1, 2]


@pytest.mark.parametrize("dtype", [object, "str", "category"])
def test_names_of_bins_are_read_as_states(dtype):
    assert codes(series([BINS[2], None, BINS[0]], dtype), **BINNED) == [2, -1, 0]


def test_other_text_where_numbers_were_trained_is_refused():
    with pytest.raises(DataError, match="column 'c', row 1: found text '3', expected a number or"):
        codes(series([BINS[0], "3"]), **BINNED)


def test_bools_where_numbers_were_trained_are_refused():
    with pytest.raises(DataError, match="column 'c' holds bool, expected number as in training"):
        codes(series([True]), **BINNED)


# ---------------------------------------------------------------- properties

WORDS = st.lists(st.one_of(st.none(), st.sampled_from(["a", "b", "nan", "", "é", "日本", "10"])))


def learned_or_empty(column):
    states = observed_states(column)
    return (states, codes(column, states)) if states else ((), [-1] * len(column))


@settings(deadline=None)
@given(WORDS)
def test_codes_decode_to_the_cells(words):
    states, found = learned_or_empty(series(words, object))
    assert [None if code < 0 else states[code] for code in found] == words


@settings(deadline=None)
@given(WORDS, st.randoms(use_true_random=False))
def test_states_do_not_depend_on_the_row_order(words, random):
    shuffled = random.sample(words, len(words))
    assert observed_states(series(words, object)) == observed_states(series(shuffled, object))


@settings(deadline=None)
@given(st.lists(st.sampled_from([None, "a", "b", "c"]), min_size=1))
def test_renaming_in_order_changes_names_only(words):
    renamed = [None if w is None else "z" + w for w in words]
    states, found = learned_or_empty(series(words, object))
    new_states, new_found = learned_or_empty(series(renamed, object))
    assert new_states == tuple("z" + s for s in states)
    assert new_found == found


@settings(deadline=None)
@given(
    st.lists(st.floats(allow_infinity=False), max_size=20),
    st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=4, unique=True),
)
def test_every_number_lies_in_its_bin(values, cuts):
    cuts = tuple(sorted(cuts))
    for value, code in zip(values, bin_codes(np.array(values), cuts), strict=True):
        expected = -1 if math.isnan(value) else sum(cut < value for cut in cuts)
        assert code == expected
