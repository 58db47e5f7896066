"""Naive Bayes and the superparent one-dependence family."""

import math

import pytest
from builders import attribute_parents, statistics_from, statistics_of, training_tables
from hypothesis import given, settings
from oracle import structures
from oracle.measures import conditional_mutual_information, mutual_information

from bnclass import (
    EncodedTable,
    NaiveBayesLearner,
    SPODELearner,
    StructureError,
    SufficientStatistics,
)

LN2 = math.log(2)

# "b" and "d" are the class itself, "a" is independent of it, "c" is a copy of "a".
COPIES = statistics_from(["uuvv", "pqpq", "uuvv", "pqpq"], "KLKL")


def scores(structure):
    return {arc: structure.graph.edges[arc]["score"] for arc in structure.arcs}


# ---------------------------------------------------------------- naive Bayes


def test_naive_bayes_by_hand():
    structure = NaiveBayesLearner().learn(COPIES)
    assert structure.class_node == "class"
    assert structure.nodes == ("class", "x0", "x1", "x2", "x3")
    assert structure.joint_family is None
    assert scores(structure) == {
        ("class", "x0"): 0.0,
        ("class", "x1"): pytest.approx(LN2, abs=1e-15),
        ("class", "x2"): 0.0,
        ("class", "x3"): pytest.approx(LN2, abs=1e-15),
    }


def test_naive_bayes_needs_no_pair_counts():
    statistics = SufficientStatistics.from_table(COPIES.table, order=NaiveBayesLearner.order)
    assert statistics.pair_counts is None
    assert NaiveBayesLearner().learn(statistics) == NaiveBayesLearner().learn(COPIES)


@settings(deadline=None)
@given(training_tables())
def test_naive_bayes_is_the_oracles(table):
    structure = NaiveBayesLearner().learn(statistics_of(table))
    assert attribute_parents(structure) == structures.naive_bayes(table)
    for i in range(table.n):
        found = structure.graph.edges["class", f"x{i}"]["score"]
        assert found == pytest.approx(mutual_information(table, i), abs=1e-12)


def test_naive_bayes_without_attributes_is_the_class():
    structure = NaiveBayesLearner().learn(statistics_of_nothing(order=1))
    assert structure.nodes == ("class",)
    assert structure.arcs == ()


def statistics_of_nothing(order=2):
    rows = COPIES.table
    nothing = EncodedTable((), rows.codes[:, :0], rows.target, rows.labels)
    return SufficientStatistics.from_table(nothing, order)


# ---------------------------------------------------------------- SPODE


def test_spode_by_hand():
    structure = SPODELearner("x0").learn(COPIES)
    assert structure.joint_family == ("class", "x0")
    assert structure.parents("x0") == ("class",)
    assert structure.parents("x1") == ("class", "x0")
    assert structure.parents("x2") == ("class", "x0")
    assert scores(structure)["x0", "x1"] == 0.0  # constant within each class
    assert scores(structure)["x0", "x2"] == pytest.approx(LN2, abs=1e-15)  # a copy


def test_the_default_superparent_is_the_lower_column_on_ties():
    assert SPODELearner().learn(COPIES).joint_family == ("class", "x1")


def test_the_default_superparent_is_the_first_column_if_none_knows_the_class():
    assert SPODELearner().learn(statistics_from(["uv", "uv"], "KK")).joint_family[1] == "x0"


@settings(deadline=None)
@given(training_tables())
def test_the_default_superparent_is_the_oracles(table):
    structure = SPODELearner().learn(statistics_of(table))
    j = structures.default_superparent(table)
    assert structure.joint_family == ("class", f"x{j}")
    assert attribute_parents(structure) == structures.spode(table, j)


@settings(deadline=None)
@given(training_tables())
def test_learn_all_is_every_attribute_in_turn(table):
    statistics = statistics_of(table)
    found = SPODELearner().learn_all(statistics)
    assert len(found) == table.n
    for j, structure in enumerate(found):
        assert structure == SPODELearner(f"x{j}").learn(statistics)
        assert attribute_parents(structure) == structures.spode(table, j)
        for i in set(range(table.n)) - {j}:
            expected = conditional_mutual_information(table, min(i, j), max(i, j))
            score = structure.graph.edges[f"x{j}", f"x{i}"]["score"]
            assert score == pytest.approx(expected, abs=1e-12)


def test_learn_all_of_another_learner_is_its_one_structure():
    assert NaiveBayesLearner().learn_all(COPIES) == (NaiveBayesLearner().learn(COPIES),)


def test_one_attribute_is_a_superparent_without_children():
    structure = SPODELearner().learn(statistics_from(["uv"], "KL"))
    assert structure.arcs == (("class", "x0"),)
    assert structure.joint_family == ("class", "x0")


def test_the_class_is_no_superparent():
    with pytest.raises(StructureError, match="superparent is 'class', the class; expected an attr"):
        SPODELearner("class").learn(COPIES)


@pytest.mark.parametrize("name", ["z", 0, ["x0"]])
def test_a_superparent_that_is_no_column_is_refused(name):
    with pytest.raises(StructureError, match=r"superparent is .*, expected one of \['x0', 'x1'"):
        SPODELearner(name).learn(COPIES)


def test_without_attributes_the_class_stands_alone():
    nothing = statistics_of_nothing()
    assert SPODELearner().learn(nothing).nodes == ("class",)
    assert SPODELearner().learn_all(nothing) == ()
