"""Constraints: what is refused, and what every learner makes of the rest, by hand."""

import copy
import itertools
import pickle

import numpy as np
import pytest
from builders import attribute_parents, statistics_from
from mixed_frames import random_frame

from bnclass import (
    BnclassWarning,
    Constraints,
    EncodedTable,
    KDBLearner,
    NaiveBayesLearner,
    SPODELearner,
    StructureError,
    SufficientStatistics,
    TableEncoder,
    TANLearner,
)
from bnclass.structure.arc_rules import arc_rules

# The table of docs/methods.md: I(x0;x2|Y) = 0.174, I(x0;x1|Y) = 0.087, I(x1;x2|Y) = 0.318, and
# by I(X;Y) the order is x1, x0, x2, the last two tied.
ROWS = statistics_from(["001101", "010111", "010110"], "nnnppp")
NAMES = ("x0", "x1", "x2")
LEARNERS = [NaiveBayesLearner, SPODELearner, TANLearner, KDBLearner]


def numbers_and_states(kinds, seed=0):
    encoder = TableEncoder(continuous="gaussian")
    return SufficientStatistics.from_table(encoder.fit_transform(*random_frame(seed, kinds)))


def learned(learner, statistics=ROWS):
    return attribute_parents(learner.learn(statistics))


# ---------------------------------------------------------------- what is refused by itself


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"required": [("a", "b"), ("c", "d")], "forbidden": [("a", "b")]},
            "arcs 'a' -> 'b' are both required and forbidden",
        ),
        (
            {"required": [("a", "b"), ("b", "c"), ("c", "a"), ("d", "a")]},
            "required arcs 'a' -> 'b', 'b' -> 'c', 'c' -> 'a' form a cycle, expected none",
        ),
        (
            {"required": [("b", "a"), ("a", "c")], "order": ["a", "b"]},
            "required arcs 'b' -> 'a' lead backwards in the order ['a', 'b']",
        ),
        (
            {"required": [("b", "x"), ("x", "a")], "order": ["a", "b"]},
            "required arcs 'b' -> 'x', 'x' -> 'a' lead backwards in the order ['a', 'b']",
        ),
        (
            {"required": [("a", "b"), ("c", "b")], "root": "b"},
            "root is 'b', and the required arcs 'a' -> 'b', 'c' -> 'b' give it a parent; "
            "expected none",
        ),
        (
            {"required": [("a", "c"), ("b", "c")], "max_parents": 1},
            "required arcs 'a' -> 'c', 'b' -> 'c' give 'c' 2 attribute parents, expected at most 1",
        ),
        (
            {"required": [("a", "c")], "max_parents": 0},
            "required arcs 'a' -> 'c' give 'c' 1 attribute parent, expected at most 0",
        ),
        (
            {"required": [("a", "a")]},
            "required holds 'a' -> 'a', expected two different attributes",
        ),
        ({"forbidden": [("a", "a")]}, "forbidden holds 'a' -> 'a', expected two different"),
        ({"required": ("a", "b")}, "required holds 'a', expected pairs (from, to)"),
        ({"required": "ab"}, "required is 'ab', expected a sequence of pairs (from, to)"),
        ({"forbidden": ["ab"]}, "forbidden holds 'ab', expected pairs (from, to)"),
        ({"forbidden": [("a", "b", "c")]}, "forbidden holds ('a', 'b', 'c'), expected pairs"),
        ({"forbidden": 1}, "forbidden is 1, expected a sequence of pairs (from, to)"),
        ({"required": [(["a"], "b")]}, "required holds ['a'], expected the name of an attribute"),
        ({"order": "ab"}, "order is 'ab', expected a sequence of names of attributes"),
        ({"order": ["a", "b", "a"]}, "order lists 'a' twice, expected each attribute once"),
        ({"order": [["a"]]}, "order holds ['a'], expected the name of an attribute"),
        ({"root": ["a"]}, "root holds ['a'], expected the name of an attribute"),
        ({"max_parents": -1}, "max_parents is -1, expected None or an integer of at least 0"),
        ({"max_parents": 1.0}, "max_parents is 1.0, expected None or an integer of at least 0"),
        ({"max_parents": True}, "max_parents is True, expected None or an integer of at least 0"),
    ],
)
def test_contradictions_are_refused_at_once(given, message):
    with pytest.raises(StructureError) as caught:
        Constraints(**given)
    assert str(caught.value).startswith(message)


def test_a_required_arc_given_twice_is_one():
    twice = Constraints(required=[("x0", "x1"), ("x0", "x1")], max_parents=1)
    assert learned(TANLearner(constraints=twice))[1] == (0,)


def test_constraints_are_values():
    constraints = Constraints([["a", "b"]], [("b", "a")], "c", ["a", "b"], np.int64(2))
    assert constraints == Constraints((("a", "b"),), (("b", "a"),), "c", ("a", "b"), 2)
    assert hash(constraints) == hash(pickle.loads(pickle.dumps(constraints)))
    assert copy.deepcopy(constraints) == constraints
    assert eval(repr(constraints)) == constraints
    assert constraints.required == (("a", "b"),)


# ---------------------------------------------------------------- what the columns do not bear


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"forbidden": [("x0", "z")]}, "constraints, arc 'x0' -> 'z': no attribute 'z', expected"),
        ({"required": [("z", "x0")]}, "constraints, arc 'z' -> 'x0': no attribute 'z', expected"),
        ({"order": ["x0", 1]}, "constraints, order: no attribute 1, expected one of ['x0', 'x1'"),
        (
            {"forbidden": [("class", "x0")]},
            "constraints, arc 'class' -> 'x0': 'class' is the class",
        ),
        ({"required": [("x0", "class")]}, "constraints, arc 'x0' -> 'class': 'class' is the class"),
        ({"order": ["class"]}, "constraints, order: 'class' is the class; expected attributes"),
    ],
)
def test_names_that_are_no_attributes(learner, given, message):
    with pytest.raises(StructureError) as caught:
        learner(constraints=Constraints(**given)).learn(ROWS)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("root", ["z", "class"])
def test_a_root_that_is_no_attribute(learner, root):
    with pytest.raises(StructureError, match=f"root.*{root!r}"):
        learner(constraints=Constraints(root=root)).learn(ROWS)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("given", [{"required": []}, [], "none", 0])
def test_what_is_no_constraints(learner, given):
    with pytest.raises(StructureError, match=r"constraints is a \w+, expected Constraints or None"):
        learner(constraints=given).learn(ROWS)


def test_what_is_no_constraints_beside_a_root():
    with pytest.raises(StructureError, match="constraints is a dict, expected Constraints"):
        TANLearner("x0", {}).learn(ROWS)


@pytest.mark.parametrize("learner", [SPODELearner, TANLearner, KDBLearner])
def test_a_required_arc_from_a_number_to_a_state(learner):
    constraints = Constraints(required=[("x0", "x1")])
    with pytest.raises(
        StructureError, match="arcs 'x0' -> 'x1': a discrete node with a continuous"
    ):
        learner(constraints=constraints).learn(numbers_and_states("ns"))


# ---------------------------------------------------------------- no constraint


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("statistics", [ROWS, numbers_and_states("nsnns")], ids=["states", "both"])
def test_empty_constraints_are_none(learner, statistics):
    expected = learner().learn(statistics)
    for empty in (Constraints(), Constraints([], [], None, [], None)):
        found = learner(constraints=empty).learn(statistics)
        assert found == expected
        assert list(found.graph.edges(data=True)) == list(expected.graph.edges(data=True))
        assert found.nodes == expected.nodes


@pytest.mark.parametrize("learner", LEARNERS)
def test_constraints_that_do_not_bite_change_nothing(learner):
    expected = learner().learn(ROWS)
    absent = itertools.permutations(NAMES, 2)
    forbidden = [arc for arc in absent if arc not in expected.arcs]
    assert learner(constraints=Constraints(forbidden=forbidden)).learn(ROWS) == expected


@pytest.mark.parametrize("learner", LEARNERS)
def test_no_attribute_parents_is_naive_bayes(learner):
    structure = learner(constraints=Constraints(max_parents=0)).learn(ROWS)
    assert structure.arcs == NaiveBayesLearner().learn(ROWS).arcs


@pytest.mark.parametrize("learner", LEARNERS)
def test_no_columns(learner):
    labels = ROWS.table.labels
    bare = EncodedTable((), np.empty((len(labels), 0), np.int32), ROWS.table.target, labels)
    statistics = SufficientStatistics.from_table(bare)
    assert learner(constraints=Constraints(max_parents=1)).learn(statistics).arcs == ()
    with pytest.raises(StructureError, match=r"no attribute 'x0', expected one of \[\]"):
        learner(constraints=Constraints(order=["x0"])).learn(statistics)


# ---------------------------------------------------------------- naive Bayes and SPODE


def test_naive_bayes_has_no_arc_to_require():
    constraints = Constraints(required=[("x0", "x1")])
    message = "required arcs 'x0' -> 'x1' give 'x1' 1 attribute parent, expected at most 0"
    with pytest.raises(StructureError, match=message):
        NaiveBayesLearner(constraints).learn(ROWS)


def test_spode_leaves_out_what_may_not_be():
    assert learned(SPODELearner()) == {0: (1,), 1: (), 2: (1,)}
    for given in (
        {"forbidden": [("x1", "x2"), ("x2", "x1")]},
        {"order": ["x2", "x1"]},
        {"root": "x2"},
    ):
        structure = SPODELearner(constraints=Constraints(**given)).learn(ROWS)
        assert attribute_parents(structure) == {0: (1,), 1: (), 2: ()}
        assert structure.joint_family == ("class", "x1")


def test_required_arcs_choose_the_superparent():
    constraints = Constraints(required=[("x2", "x0")])
    assert learned(SPODELearner(constraints=constraints)) == {0: (2,), 1: (2,), 2: ()}
    assert learned(SPODELearner("x2", constraints)) == {0: (2,), 1: (2,), 2: ()}


@pytest.mark.parametrize(
    ("superparent", "required"),
    [
        ("x1", [("x2", "x0")]),
        (None, [("x2", "x0"), ("x0", "x1")]),
        ("x2", [("x2", "x0"), ("x0", "x1")]),
    ],
)
def test_required_arcs_from_elsewhere(superparent, required):
    learner = SPODELearner(superparent, Constraints(required=required))
    with pytest.raises(StructureError, match=r"required arcs 'x2' -> 'x0'.* do not all start at a"):
        learner.learn(ROWS)


def test_a_superparent_of_states_does_not_start_at_a_number():
    learner = SPODELearner(constraints=Constraints(required=[("x0", "x2")]))
    with pytest.raises(StructureError, match=r"'x0' -> 'x2' do not all .* one of \['x1'\]"):
        learner.learn(numbers_and_states("nsn"))


def test_every_spode_leaves_out_its_own_arcs():
    constraints = Constraints(forbidden=[("x0", "x1"), ("x2", "x0")])
    found = [attribute_parents(s) for s in SPODELearner(constraints=constraints).learn_all(ROWS)]
    assert found == [{0: (), 1: (), 2: (0,)}, {0: (1,), 1: (), 2: (1,)}, {0: (), 1: (2,), 2: ()}]


def test_not_every_spode_can_have_a_required_arc():
    learner = SPODELearner(constraints=Constraints(required=[("x0", "x1")]))
    with pytest.raises(StructureError, match="required arcs 'x0' -> 'x1': only one of the super"):
        learner.learn_all(ROWS)


def test_a_view_stands_for_its_column():
    encoder = TableEncoder(continuous="gaussian", views="mdl")
    table = encoder.fit_transform(*random_frame(1, "nns"))
    statistics = SufficientStatistics.from_table(table)
    constraints = Constraints(forbidden=[("x0", "x1")])
    by_superparent = {
        s.joint_family[1]: set(s.arcs)
        for s in SPODELearner(constraints=constraints).learn_all(statistics)
    }
    assert ("x0 (binned)", "x1") not in by_superparent["x0 (binned)"]
    assert ("x0 (binned)", "x2") in by_superparent["x0 (binned)"]
    assert ("x1 (binned)", "x0") in by_superparent["x1 (binned)"]
    wrong = SPODELearner(constraints=Constraints(forbidden=[("x0 (binned)", "x1")]))
    with pytest.raises(StructureError, match=r"no attribute 'x0 \(binned\)', expected one of"):
        wrong.learn_all(statistics)


# ---------------------------------------------------------------- TAN


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, {0: (), 1: (2,), 2: (0,)}),
        # The heaviest tree stays, turned round; then its heaviest edge is replaced.
        ({"forbidden": [("x2", "x1")]}, {0: (2,), 1: (), 2: (1,)}),
        ({"forbidden": [("x2", "x1"), ("x1", "x2")]}, {0: (), 1: (0,), 2: (0,)}),
        ({"forbidden": [("x0", "x2"), ("x2", "x0")]}, {0: (), 1: (0,), 2: (1,)}),
        # Neither is an arc of the heaviest tree: 0.318 and 0.087 remain.
        ({"required": [("x1", "x0")]}, {0: (1,), 1: (), 2: (1,)}),
        ({"required": [("x0", "x1")]}, {0: (), 1: (0,), 2: (1,)}),
        # Of one parent each, 0 -> 1 and 0 -> 2 weigh 0.087 + 0.174.
        ({"required": [("x0", "x1"), ("x0", "x2")]}, {0: (), 1: (0,), 2: (0,)}),
        ({"root": "x1"}, {0: (2,), 1: (), 2: (1,)}),
        ({"root": "x2"}, {0: (2,), 1: (2,), 2: ()}),
        ({"order": ["x1", "x2", "x0"]}, {0: (2,), 1: (), 2: (1,)}),
        ({"order": ["x1", "x0", "x2"]}, {0: (1,), 1: (), 2: (1,)}),
        ({"order": ["x2", "x0"], "root": "x2"}, {0: (2,), 1: (2,), 2: ()}),
        ({"max_parents": 5}, {0: (), 1: (2,), 2: (0,)}),
    ],
    ids=str,
)
def test_tan_by_hand(given, expected):
    assert learned(TANLearner(constraints=Constraints(**given))) == expected


def test_the_default_root_is_the_first_column_without_a_required_parent():
    # The unconstrained tree x0 - x2 - x1, from x1; from x2 it would be as heavy.
    constraints = Constraints(required=[("x2", "x0")])
    assert learned(TANLearner(constraints=constraints)) == {0: (2,), 1: (), 2: (1,)}


def test_a_forest_is_reported_by_its_roots():
    apart = [("x0", "x1"), ("x1", "x0"), ("x0", "x2"), ("x2", "x0")]
    learner = TANLearner(constraints=Constraints(forbidden=apart))
    message = r"leave no single tree: \['x0', 'x1'\] are roots of trees of their own"
    with pytest.warns(BnclassWarning, match=message):
        assert learned(learner) == {0: (), 1: (), 2: (1,)}
    with pytest.warns(BnclassWarning, match=r"\['x0', 'x2'\] are roots"):
        assert learned(TANLearner("x2", learner.constraints)) == {0: (), 1: (2,), 2: ()}
    every = TANLearner(constraints=Constraints(forbidden=[*itertools.permutations(NAMES, 2)]))
    with pytest.warns(BnclassWarning, match=r"\['x0', 'x1', 'x2'\] are roots"):
        assert learned(every) == {0: (), 1: (), 2: ()}


def test_the_root_of_a_further_tree_is_not_one_that_must_have_a_parent():
    apart = [("x0", "x1"), ("x1", "x0"), ("x0", "x2"), ("x2", "x0")]
    learner = TANLearner(constraints=Constraints([("x2", "x1")], apart))
    with pytest.warns(BnclassWarning, match=r"\['x0', 'x2'\] are roots"):
        assert learned(learner) == {0: (), 1: (2,), 2: ()}


def test_no_tree_of_all_roots_starts_where_a_parent_is_required():
    learner = TANLearner(constraints=Constraints(required=[("x2", "x0")]))
    found = [attribute_parents(structure) for structure in learner.learn_all(ROWS)]
    assert found == [{0: (2,), 1: (), 2: (1,)}, {0: (2,), 1: (2,), 2: ()}]


def test_a_root_without_children_leaves_a_forest():
    learner = TANLearner("x0", Constraints(forbidden=[("x0", "x1"), ("x0", "x2")]))
    with pytest.warns(BnclassWarning, match=r"\['x0', 'x1'\] are roots"):
        assert learned(learner) == {0: (), 1: (), 2: (1,)}


def test_two_required_parents_are_no_tree():
    constraints = Constraints(required=[("x0", "x2"), ("x1", "x2")])
    with pytest.raises(StructureError, match="give 'x2' 2 attribute parents, expected at most 1"):
        TANLearner(constraints=constraints).learn(ROWS)


def test_the_roots_of_learner_and_constraints():
    assert learned(TANLearner("x1", Constraints(root="x1"))) == learned(TANLearner("x1"))
    with pytest.raises(StructureError, match="root is 'x1', and 'x2' in the constraints"):
        TANLearner("x1", Constraints(root="x2")).learn(ROWS)
    with pytest.raises(StructureError, match="root is 'x1', and the required arcs 'x0' -> 'x1'"):
        TANLearner("x1", Constraints(required=[("x0", "x1")])).learn(ROWS)


def test_tan_of_numbers_and_states_keeps_both_rules():
    statistics = numbers_and_states("nsns")
    with pytest.raises(StructureError, match="root is 'x0', a continuous attribute"):
        TANLearner(constraints=Constraints(root="x0")).learn(statistics)
    with pytest.raises(StructureError, match="root is 'x0', a continuous attribute"):
        TANLearner(constraints=Constraints(root="x0")).learn_all(statistics)
    found = learned(TANLearner(constraints=Constraints(required=[("x2", "x0")])), statistics)
    assert found[0] == (2,)
    assert found[1] in ((), (3,))
    assert found[2] in ((1,), (3,))
    apart = Constraints(forbidden=[("x1", "x3"), ("x3", "x1")])
    with pytest.warns(BnclassWarning, match=r"\['x1', 'x3'\] are roots"):
        found = learned(TANLearner(constraints=apart), statistics)
    assert found[1] == found[3] == ()
    assert len(found[0]) == len(found[2]) == 1


# ---------------------------------------------------------------- KDB


@pytest.mark.parametrize(
    ("k", "given", "expected"),
    [
        (1, {}, {0: (1,), 1: (), 2: (1,)}),
        # x1 waits for x2: the order is x0, x2, x1.
        (1, {"required": [("x2", "x1")]}, {0: (), 1: (2,), 2: (0,)}),
        (2, {"required": [("x2", "x1")]}, {0: (), 1: (0, 2), 2: (0,)}),
        # x1, x2, x0; x0 takes the required parent before the nearer x2.
        (1, {"required": [("x1", "x0")], "order": ["x2", "x0"]}, {0: (1,), 1: (), 2: (1,)}),
        (1, {"order": ["x2", "x0", "x1"]}, {0: (2,), 1: (2,), 2: ()}),
        (2, {"root": "x2"}, {0: (1,), 1: (), 2: ()}),
        (2, {"max_parents": 1}, {0: (1,), 1: (), 2: (1,)}),
        (1, {"max_parents": 2}, {0: (1,), 1: (), 2: (1,)}),
        (1, {"forbidden": [("x1", "x2")]}, {0: (1,), 1: (), 2: (0,)}),
        (None, {"forbidden": [("x1", "x2")]}, {0: (1,), 1: (), 2: (0,)}),
        (None, {"required": [("x2", "x0")]}, {0: (1, 2), 1: (), 2: (1,)}),
        (0, {"forbidden": [("x1", "x2")]}, {0: (), 1: (), 2: ()}),
    ],
    ids=str,
)
def test_kdb_by_hand(k, given, expected):
    assert learned(KDBLearner(k, Constraints(**given))) == expected


@pytest.mark.parametrize("k", [0, 1])
def test_more_required_parents_than_k(k):
    constraints = Constraints(required=[("x0", "x2"), ("x1", "x2")])
    with pytest.raises(
        StructureError, match=f"give 'x2' 2 attribute parents, expected at most {k}"
    ):
        KDBLearner(k, constraints).learn(ROWS)
    assert learned(KDBLearner(2, constraints))[2] == (0, 1)


def test_states_come_before_numbers_whatever_the_order_says():
    # No arc can join x0 and x1, in whatever order they are listed.
    statistics = numbers_and_states("nsns")
    listed = KDBLearner(3, Constraints(order=["x0", "x1"]))
    apart = KDBLearner(3, Constraints(forbidden=[("x1", "x0")]))
    assert learned(listed, statistics) == learned(apart, statistics)


# ---------------------------------------------------------------- what other learners may ask


def test_the_rules_by_place():
    constraints = Constraints([("x2", "x0")], [("x0", "x1")], None, ["x2", "x1"], 2)
    rules = arc_rules(constraints, ROWS.schema, 3)
    assert rules.allowed.tolist() == [
        [False, False, True],
        [True, False, False],
        [True, True, False],
    ]
    assert rules.required == {0: (2,)}
    assert rules.max_parents == 2
    assert (rules.room(0), rules.room(1)) == (1, 2)
    assert rules.open_parents(0, [2, 1]).tolist() == [1]
    assert rules.open_parents(1, np.array([0, 2])).tolist() == [2]
    assert rules.open_parents(1, []).tolist() == []
    assert rules.adjusted_order([1, 0, 2]).tolist() == [2, 1, 0]
    assert rules.adjusted_order([2, 1, 0]).tolist() == [2, 1, 0]


def test_a_child_with_all_its_parents_takes_no_more():
    rules = arc_rules(Constraints(required=[("x2", "x0")]), ROWS.schema, 1)
    assert rules.allowed[:, 0].tolist() == [False, False, True]
    assert rules.room(0) == 0
    assert arc_rules(None, ROWS.schema).room(0) is None
