"""What the learners share: class arcs, scores, names of attributes."""

import math

import pytest
from builders import statistics_from

from bnclass import Information, NaiveBayesLearner, Structure, StructureError, StructureLearner
from bnclass.structure.base import augmented_naive_bayes, scored, superparent_place

LN2 = math.log(2)

# x0 is the class; given it, x2 copies x1, of which the class knows nothing.
STATISTICS = statistics_from(["kkll", "uvuv", "pqpq"], "KKLL")
INFORMATION = Information(STATISTICS)


def scores(structure):
    return {arc: structure.graph.edges[arc].get("score") for arc in structure.arcs}


def near(expected):
    return {arc: pytest.approx(score, abs=1e-15) for arc, score in expected.items()}


def test_augmented_naive_bayes_by_hand():
    structure = augmented_naive_bayes(INFORMATION, {2: [1], 1: [0]}, superparent=0)
    assert structure.nodes == ("class", "x0", "x1", "x2")
    assert structure.class_node == "class"
    assert structure.joint_family == ("class", "x0")
    assert scores(structure) == near(
        {
            ("class", "x0"): LN2,
            ("class", "x1"): 0.0,
            ("x0", "x1"): 0.0,
            ("class", "x2"): 0.0,
            ("x1", "x2"): LN2,
        }
    )


def test_scored_fills_in_what_is_not_there_and_leaves_the_rest():
    drawn = Structure.from_arcs(
        ["class", "x0", "x1", "x2"],
        {("class", "x1"): 7.0, ("x0", "class"): None, ("x1", "x2"): None, ("x0", "x2"): 0.0},
        "class",
    )
    assert scores(scored(drawn, INFORMATION)) == near(
        {("x0", "class"): LN2, ("class", "x1"): 7.0, ("x0", "x2"): 0.0, ("x1", "x2"): LN2}
    )
    assert scores(drawn)["x1", "x2"] is None


def test_scored_keeps_class_and_joint_family():
    tagged = Structure.from_arcs(
        ["class", "x0", "x1", "x2"], [("class", "x0")], "class", ("class", "x0")
    )
    assert scored(tagged, INFORMATION) == tagged
    free = Structure.from_arcs(["x0", "x1"], [("x0", "x1")])
    assert scored(free, INFORMATION) == free
    assert scores(scored(free, INFORMATION)) == {("x0", "x1"): 0.0}


def test_superparent_place():
    assert [superparent_place(STATISTICS.schema, f"x{i}", "root") for i in range(3)] == [0, 1, 2]
    with pytest.raises(StructureError, match="root is 'class', the class; expected an attribute"):
        superparent_place(STATISTICS.schema, "class", "root")
    with pytest.raises(StructureError, match=r"root is 'z', expected one of \['x0', 'x1', 'x2'\]"):
        superparent_place(STATISTICS.schema, "z", "root")


def test_learn_all_is_one_structure_unless_a_learner_says_otherwise():
    class Fixed(StructureLearner):
        def learn(self, statistics):
            return NaiveBayesLearner().learn(statistics)

    assert Fixed().learn_all(STATISTICS) == (NaiveBayesLearner().learn(STATISTICS),)
    assert Fixed.order == 2
    with pytest.raises(TypeError, match="abstract"):
        StructureLearner()
