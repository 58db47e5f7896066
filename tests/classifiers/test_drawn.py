"""StructureClassifier: the user's drawing, and what it refuses."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import bnclass as bc

FRAME = pd.DataFrame({"a": list("uvuvuvuu"), "b": list("ppqqppqp"), "c": list("rsrsssrr")})
LABELS = pd.Series(list("nnyynyyn"), name="class")


def drawing(*extra):
    """Return naive Bayes over the columns, and some more arcs."""
    return nx.DiGraph([("class", "a"), ("class", "b"), ("class", "c"), *extra])


def test_nothing_drawn_is_naive_bayes():
    drawn = bc.StructureClassifier().fit(FRAME, LABELS)
    assert drawn.network_ == bc.NaiveBayes().fit(FRAME, LABELS).network_


@pytest.mark.parametrize("model", [bc.TAN(), bc.KDB(), bc.SPODE()], ids=repr)
def test_a_learned_structure_gives_its_own_network_back(model):
    model.fit(FRAME, LABELS)
    drawn = bc.StructureClassifier(model.network_.structure).fit(FRAME, LABELS)
    assert drawn.network_ == model.network_
    assert (drawn.predict_proba(FRAME) == model.predict_proba(FRAME)).all()


def test_a_graph_is_brought_into_column_order_and_scored():
    drawn = bc.StructureClassifier(drawing(("c", "a"), ("b", "a"))).fit(FRAME, LABELS)
    assert drawn.network_.structure.parents("a") == ("class", "b", "c")
    table = bc.TableEncoder().fit_transform(FRAME, LABELS)
    cmi = bc.cmi_matrix(bc.SufficientStatistics.from_table(table))
    scores = drawn.network_.arcs().set_index(["from", "to"])["score"]
    assert scores["c", "a"] == cmi[2, 0]
    assert scores["b", "a"] == cmi[1, 0]


def test_the_class_may_have_parents_and_any_name():
    graph = nx.DiGraph([("a", "outcome"), ("outcome", "b"), ("a", "b")])
    graph.add_node("c")
    drawn = bc.StructureClassifier(graph).fit(FRAME, LABELS)
    assert drawn.network_.structure.class_node == "outcome"
    by_hand = drawn.network_.factors["outcome"].table  # a = u: n 3, y 2; a = v: n 1, y 2
    assert by_hand == pytest.approx(np.array([[3.5, 2.5], [1.5, 2.5]]) / [[6], [4]])
    assert drawn.predict_proba(FRAME).sum(axis=1) == pytest.approx(1)


def test_a_column_wholly_missing_leaves_the_drawing():
    spode = bc.SPODE("a").fit(FRAME, LABELS).network_.structure
    with pytest.warns(bc.BnclassWarning, match="'a'"):
        drawn = bc.StructureClassifier(spode).fit(FRAME.assign(a=None), LABELS)
    assert drawn.network_.structure.nodes == ("class", "b", "c")
    assert drawn.network_.structure.joint_family is None


def test_clones_refit():
    drawn = bc.StructureClassifier(drawing(("a", "b"))).fit(FRAME, LABELS)
    assert clone(drawn).fit(FRAME, LABELS).network_ == drawn.network_


def multigraph():
    return nx.MultiDiGraph(drawing())


@pytest.mark.parametrize(
    ("structure", "message"),
    [
        (drawing(("a", "b"), ("b", "a")), "cycle 'a' -> 'b' -> 'a'"),
        (nx.Graph(drawing()), "found a Graph, expected a networkx.DiGraph"),
        (multigraph(), "found a MultiDiGraph, expected a networkx.DiGraph"),
        ("tan", "structure is a str, expected a Structure"),
        (bc.TAN().fit(FRAME, LABELS).network_, "structure is a BayesianNetwork, expected a Str"),
        (nx.DiGraph([("class", "a"), ("class", "b")]), r"columns \['c'\] are no nodes"),
        (drawing(("z", "a")), r"nodes \['class', 'z'\] are no columns of X, expected exactly one"),
        (nx.DiGraph([("a", "b"), ("a", "c")]), r"nodes \[\] are no columns of X"),
        (
            bc.Structure(nx.DiGraph([("a", "b"), ("a", "c")]), "a"),
            r"nodes \[\] are no columns of X, expected exactly one such node, the class 'a'",
        ),
    ],
)
def test_what_is_refused(structure, message):
    with pytest.raises(bc.StructureError, match=message):
        bc.StructureClassifier(structure).fit(FRAME, LABELS)


def test_labels_among_the_columns_are_warned_of():
    frame = FRAME.assign(**{"class": LABELS})
    with pytest.warns(bc.BnclassWarning, match="column 'class' of X holds the labels themselves"):
        bc.NaiveBayes().fit(frame, frame["class"])


def test_bic_needs_the_class():
    network = bc.TAN().fit(FRAME, LABELS).network_
    with pytest.raises(bc.DataError, match="no class column 'class' in the table"):
        network.bic(FRAME)
    assert network.bic(FRAME.assign(**{"class": LABELS})) < 0


def test_the_name_of_the_class_column_is_no_label_column():
    with pytest.raises(bc.DataError, match=r"y is the text 'class', expected the labels"):
        bc.TAN().fit(FRAME, "class")
