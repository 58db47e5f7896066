"""Small inputs that broke other libraries: trees, and what users know of them."""

import pandas as pd
import pytest

import bnclass as bc

ROWS = pd.DataFrame({"a": list("ppqqpq"), "b": list("uvuvuu"), "c": list("rrsrss")})
LABELS = list("ppqqpq")  # a itself

pytestmark = pytest.mark.filterwarnings("ignore::bnclass.BnclassWarning")


def attribute_arcs(model):
    structure = model.network_.structure
    return {arc for arc in structure.arcs if arc[0] != structure.class_node}


def test_the_class_is_never_in_the_tree():
    model = bc.TAN().fit(ROWS, pd.Series(LABELS, name="y"))
    assert model.network_.structure.attributes == ("a", "b", "c")
    assert len(attribute_arcs(model)) == 2
    assert model.network_.structure.parents("y") == ()
    for network in bc.ATAN().fit(ROWS, LABELS).ensemble_:
        assert network.structure.parents("class") == ()


@pytest.mark.parametrize("root", ["y", "z", 0, None])
def test_the_root_is_an_attribute(root):
    model, y = bc.TAN(root), pd.Series(LABELS, name="y")
    if root is None:
        assert model.fit(ROWS, y).network_.structure.parents("a") == ("y",)
        return
    with pytest.raises(ValueError, match=f"{root!r}"):
        model.fit(ROWS, y)
    with pytest.raises(ValueError, match=f"{root!r}"):
        bc.TAN(constraints=bc.Constraints(root=root)).fit(ROWS, y)


def test_edges_that_tell_nothing_are_there_with_weight_0():
    arcs = bc.TAN().fit(pd.DataFrame({"a": list("uuvv"), "b": list("pqpq")}), list("KKKK"))
    table = arcs.network_.arcs().set_index(["from", "to"])["score"]
    assert table["a", "b"] == 0.0


def test_a_forbidden_pair_is_absent_even_if_a_weaker_edge_must_do():
    free = attribute_arcs(bc.TAN("a").fit(ROWS, LABELS))
    assert ("b", "c") in free or ("c", "b") in free
    barred = bc.Constraints(forbidden=[("b", "c"), ("c", "b")])
    model = bc.TAN("a", constraints=barred).fit(ROWS, LABELS)
    assert attribute_arcs(model) == {("a", "b"), ("a", "c")}


def test_both_directions_cannot_be_required():
    with pytest.raises(ValueError, match=r"required arcs .* form a cycle"):
        bc.Constraints(required=[("c", "b"), ("b", "c")])


def test_two_required_parents_are_no_tree_before_anything_is_learned():
    constraints = bc.Constraints(required=[("a", "c"), ("b", "c")])
    with pytest.raises(ValueError, match="'c'"):
        bc.TAN(constraints=constraints).fit(ROWS, LABELS)


@pytest.mark.parametrize("arc", [("b", "c"), ("c", "b")])
def test_a_required_arc_of_two_attributes(arc):
    rows = ROWS[["b", "c"]]
    model = bc.TAN(constraints=bc.Constraints(required=[arc])).fit(rows, LABELS)
    assert attribute_arcs(model) == {arc}


@pytest.mark.parametrize(
    "model", [bc.TAN, bc.KDB, bc.SPODE, bc.NaiveBayes], ids=lambda m: m.__name__
)
def test_empty_constraints_are_no_constraints(model):
    free = model().fit(ROWS, LABELS).network_
    for empty in (bc.Constraints(), bc.Constraints(required=[], forbidden=[], order=[])):
        assert model(constraints=empty).fit(ROWS, LABELS).network_ == free
