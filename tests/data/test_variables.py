import math
import pickle

import pytest

from bnclass.data.variables import Schema, Variable
from bnclass.exceptions import DataError


def schema(*names, target="class"):
    return Schema(
        tuple(Variable(n, states=(0, 1)) for n in names), Variable(target, states=("n", "y"))
    )


# ---------------------------------------------------------------- one variable


def test_card_counts_the_declared_states():
    assert Variable("a", states=("u", "v", "w")).card == 3
    assert Variable("a", kind="continuous").card == 0


def test_column_is_the_source_where_there_is_one():
    assert Variable("a", states=(0,)).column == "a"
    assert Variable("a (binned)", states=(0,), source="a").column == "a"


@pytest.mark.parametrize("falsy", [0, "", False])
def test_a_falsy_source_is_a_name_like_any_other(falsy):
    assert Variable("a", states=(0,), source=falsy).column == falsy


@pytest.mark.parametrize("name", [None, math.nan, ("a", math.nan)], ids=repr)
def test_a_missing_name_is_refused(name):
    with pytest.raises(DataError, match=r"a variable has the name .*, expected no missing value"):
        Variable(name, states=("u",))


def test_an_unknown_kind_is_refused():
    with pytest.raises(DataError, match="variable 'a' is of kind 'ordinal', expected 'discrete'"):
        Variable("a", kind="ordinal")


def test_no_states_are_refused():
    with pytest.raises(DataError, match="variable 'a' has no states"):
        Variable("a")


@pytest.mark.parametrize("states", [("u", "u"), (1, True), (0.0, -0.0)])
def test_equal_states_are_refused(states):
    with pytest.raises(DataError, match="variable 'a' has repeated states"):
        Variable("a", states=states)


@pytest.mark.parametrize("fill", [-1, 2])
def test_a_fill_that_is_no_code_is_refused(fill):
    with pytest.raises(DataError, match=rf"variable 'a': fill is {fill}, expected a code below 2"):
        Variable("a", states=("u", "v"), fill=fill)


def test_more_bins_than_states_are_refused():
    with pytest.raises(DataError, match="variable 'a': 3 bins by its cuts, but 2 states"):
        Variable("a", states=("low", "high"), cuts=(1.0, 2.0))


def test_one_more_state_than_bins_is_the_one_for_missing_cells():
    assert Variable("a", states=("low", "high", "missing"), cuts=(1.0,), fill=2).card == 3


def test_variables_are_values():
    a, b = Variable("a", states=("u", "v")), Variable("a", states=("u", "v"))
    assert a == b
    assert len({a, b}) == 1
    assert a != Variable("a", states=("v", "u"))
    with pytest.raises(AttributeError):
        a.name = "b"


# ---------------------------------------------------------------- the schema


def test_a_schema_iterates_over_the_class_first():
    s = schema("b", "a")
    assert [v.name for v in s] == ["class", "b", "a"]
    assert len(s) == 3
    assert s.names == ("b", "a")


def test_a_schema_is_looked_up_by_name():
    s = schema(2, ("a", "p"), 0.5)
    assert s[2].name == 2
    assert s["a", "p"].name == ("a", "p")
    assert s[0.5].name == 0.5
    assert s["class"].states == ("n", "y")
    assert "class" in s
    assert "zz" not in s


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(DataError, match=r"unknown variable 'z', expected one of \['class', 'a'\]"):
        schema("a")["z"]


@pytest.mark.parametrize(("names", "target"), [(("a", "a"), "class"), (("a",), "a")])
def test_a_name_for_two_nodes_is_refused(names, target):
    with pytest.raises(DataError, match=r"repeated variable names \['a'\]"):
        schema(*names, target=target)


def test_a_schema_without_attributes_is_one():
    assert schema().names == ()


def test_a_schema_survives_pickling_after_use():
    s = schema("a", "b")
    assert s["a"].card == 2  # fills the cache
    assert pickle.loads(pickle.dumps(s)) == s
