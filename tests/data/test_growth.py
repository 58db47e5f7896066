"""Domains that take in more values, one column at a time."""

import pandas as pd
import pytest

from bnclass.data.growth import united, with_hole, with_values
from bnclass.data.variables import Variable
from bnclass.exceptions import DataError


def grown(states, values, *, declared=False, missing="marginalize", fill=None, dtype=object):
    variable = Variable("v", states=states, fill=fill)
    column = pd.Series(values, dtype=dtype, name="v")
    return with_values(variable, column, declared=declared, missing=missing)


@pytest.mark.parametrize(
    ("states", "values", "expected"),
    [
        (("b",), ["a", None, "c"], ("a", "b", "c")),
        ((True,), [False, True], (False, True)),
        ((1, 3), [2, 1], (1, 2, 3)),
        ((1, 3), [2.5], (1.0, 2.5, 3.0)),
        (("b",), [None, None], ("b",)),
    ],
)
def test_new_values_come_in_ascending_order(states, values, expected):
    assert repr(grown(states, values).states) == repr(expected)


def test_known_values_change_nothing():
    variable = Variable("v", states=("c", "a"))
    column = pd.Series(["a", "c"])
    for declared in (True, False):
        assert with_values(variable, column, declared=declared, missing="state") == variable


def test_values_of_another_kind_are_refused():
    with pytest.raises(DataError, match="column 'v' holds number, expected text as in training"):
        grown(("a",), [1.0])
    with pytest.raises(DataError, match="column 'v' holds number, expected bool as in training"):
        grown((True, False), [1])


def test_the_mode_stays_the_mode():
    assert grown(("b", "c"), ["a"], missing="impute", fill=1).fill == 2
    assert grown(("b", "c"), ["d"], declared=True, missing="impute", fill=1).fill == 1


def test_the_state_for_missing_cells_stays_the_last():
    variable = grown(("b", "missing"), ["a", "z"], missing="state", fill=1)
    assert (variable.states, variable.fill) == (("a", "b", "z", "missing"), 3)
    assert grown(("b",), ["a"], missing="state").fill is None
    assert grown(("b",), ["a", None], missing="state").states == ("a", "b", "missing")


def test_bins_and_numbers_stay_as_they_are():
    bins, number = Variable("v", states=("low", "high"), cuts=(1.5,)), Variable("v", "continuous")
    for variable in (bins, number):
        column = pd.Series([9.0, None])
        assert with_values(variable, column, declared=False, missing="state") is variable
        assert with_hole(variable, "state") is variable


@pytest.mark.parametrize(
    ("one", "other", "missing", "message"),
    [
        (Variable("v", states=("a",)), Variable("v", "continuous"), "marginalize", "has kind 'dis"),
        (Variable("v", states=("a",)), Variable("v", states=(1,)), "marginalize", "states of kind"),
        (
            Variable("v", states=("l", "h"), cuts=(1.0,)),
            Variable("v", states=("l", "h"), cuts=(2.0,)),
            "marginalize",
            r"has cuts \(1.0,\) in one and \(2.0,\)",
        ),
        (
            Variable("v", states=("a", "b"), fill=0),
            Variable("v", states=("a", "b"), fill=1),
            "impute",
            "missing cells that become 'a' in one and 'b'",
        ),
    ],
)
def test_what_cannot_be_united(one, other, missing, message):
    with pytest.raises(DataError, match=message):
        united(one, other, declared=False, missing=missing)


def test_united_states():
    one = Variable("v", states=("b", "missing"), fill=1)
    other = Variable("v", states=("a", "missing", "missing_"), fill=2)
    for pair in ((one, other), (other, one)):
        both = united(*pair, declared=False, missing="state")
        assert (both.states, both.fill) == (("a", "b", "missing", "missing_"), 3)
    declared = united(
        Variable("v", states=("z",)),
        Variable("v", states=("b", "a")),
        declared=True,
        missing="marginalize",
    )
    assert declared.states == ("z", "b", "a")
