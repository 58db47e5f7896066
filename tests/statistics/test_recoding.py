"""Statistics under wider domains: as if the same rows had been counted there."""

import numpy as np
import pandas as pd
import pytest

from bnclass.data.encoder import TableEncoder
from bnclass.data.table import EncodedTable
from bnclass.data.variables import Schema, Variable
from bnclass.exceptions import DataError
from bnclass.statistics.recoding import recoded, without
from bnclass.statistics.sufficient import SufficientStatistics

FRAME = pd.DataFrame({"a": ["u", "w", "u"], "x": [1.0, 2.0, 4.0], "b": ["p", None, "q"]})
TARGET = Variable("class", states=("n", "y"))
A, B = Variable("a", states=("u", "w")), Variable("b", states=("p", "q"))
NUMBER = Variable("x", "continuous")
LABELS = np.array([0, 1, 1], np.int32)


def counted(frame, variables, target=TARGET, labels=LABELS):
    columns = [(v, frame[v.column]) for v in variables]
    table = EncodedTable.from_columns(columns, len(frame), target, labels)
    return SufficientStatistics.from_table(table)


def blank_row(variables):
    frame = pd.DataFrame([[None] * len(variables)], columns=[v.name for v in variables])
    return EncodedTable.from_frame(frame, variables)


def assert_equal(found, expected):
    assert found.schema == expected.schema
    for key in ("class_counts", "value_counts", "pair_counts"):
        assert getattr(found, key).tolist() == getattr(expected, key).tolist(), key
    for part in ("singles", "pairs", "cells"):
        ours, theirs = getattr(found.moments, part), getattr(expected.moments, part)
        for key in ("n", "mean", "scatter"):
            assert getattr(ours, key) == pytest.approx(getattr(theirs, key)), (part, key)
    assert [d.values.tolist() for d in found.distinct] == [
        d.values.tolist() for d in expected.distinct
    ]


WIDER = {
    "a state before": [Variable("a", states=("t", "u", "w")), NUMBER, B],
    "states in another order": [Variable("a", states=("w", "v", "u")), NUMBER, B],
    "a state for missing cells": [A, NUMBER, Variable("b", states=("o", "p", "q"))],
}


@pytest.mark.parametrize("case", WIDER)
def test_more_states(case):
    variables = WIDER[case]
    old = counted(FRAME, [A, NUMBER, B])
    new = counted(FRAME, variables)
    assert_equal(recoded(old, new.schema), new)
    assert recoded(old, new.schema).table is None


def test_more_classes():
    three = Variable("class", states=("a", "n", "y"))
    new = counted(FRAME, [A, NUMBER, B], three, LABELS + np.int32(1))
    assert_equal(recoded(counted(FRAME, [A, NUMBER, B]), new.schema), new)


@pytest.mark.parametrize("fill", [None, 1], ids=["missing", "filled"])
def test_new_attributes_among_the_old(fill):
    late = [
        Variable("s", states=("k", "l"), fill=fill),
        A,
        Variable("z", "continuous", fill=fill and 3.5),
        NUMBER,
        Variable("r", states=("k", "l", "m"), fill=fill),
        B,
        Variable("c", "continuous", fill=fill and -1.0),
    ]
    frame = FRAME.assign(s=None, z=np.nan, r=None, c=np.nan)
    new = counted(frame, late)
    assert_equal(recoded(counted(FRAME, [A, NUMBER, B]), new.schema, blank_row(late)), new)


def test_the_first_number_among_states():
    frame = FRAME.assign(x=np.nan)
    states = counted(FRAME, [A, B])
    assert states.moments is None
    new = counted(frame, [A, NUMBER, B])
    found = recoded(states, new.schema, blank_row([A, NUMBER, B]))
    assert_equal(found, new)
    assert_equal(
        found.merge(counted(FRAME, [A, NUMBER, B])), new.merge(counted(FRAME, [A, NUMBER, B]))
    )


def test_the_state_for_missing_cells_may_change_its_name():
    old = Variable("a", states=("u", "missing"), fill=1)
    new = Variable("a", states=("missing", "u", "missing_"), fill=2)
    statistics = counted(FRAME.assign(a=["u", None, "u"]), [old])
    found = recoded(statistics, Schema((new,), TARGET))
    assert found.counts("a", ["class"]).tolist() == [[0, 1, 0], [0, 1, 1]]


def test_statistics_without_an_attribute():
    old = counted(FRAME, [A, NUMBER, B])
    assert_equal(without(old, ["b"]), counted(FRAME, [A, NUMBER]))
    assert without(old, []) is old
    assert without(old, ["a"]).counts("b", ["class"]).tolist() == [[1, 0], [0, 1]]


def test_domains_that_are_not_wider():
    old = counted(FRAME, [A, NUMBER, B])
    narrow = Schema((Variable("a", states=("u",)), NUMBER, B), TARGET)
    with pytest.raises(DataError, match="does not fit into"):
        recoded(old, narrow)
    with pytest.raises(DataError, match="unknown variable 'b'"):
        recoded(old, Schema((A, NUMBER), TARGET))


def test_single_counts_stay_single():
    table = TableEncoder(continuous="gaussian").fit_transform(FRAME, ["n", "y", "y"])
    old = SufficientStatistics.from_table(table, order=1)
    more = Schema(
        (Variable("a", states=("u", "v", "w")), *old.schema.attributes[1:]), old.schema.target
    )
    found = recoded(old, more)
    assert found.pair_counts is None
    assert found.moments.pairs is None
    assert found.counts("a", ["class"]).tolist() == [[1, 0, 0], [1, 0, 1]]
