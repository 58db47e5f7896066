"""`Structure`: order, edits, refusals, equality, immutability."""

import copy
import itertools
import pickle

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnclass import DataError, Schema, Structure, StructureError, Variable

A, B, C, Y = (Variable(name, states=(0, 1)) for name in ("a", "b", "c", "class"))
SCHEMA = Schema((A, B, C), Y)


def naive_bayes(*names):
    return Structure.from_arcs(["class", *names], [("class", n) for n in names], "class")


def spode():
    arcs = [("class", "a"), ("class", "b"), ("class", "c"), ("a", "b"), ("a", "c")]
    return Structure.from_arcs(["class", "a", "b", "c"], arcs, "class", ("class", "a"))


@st.composite
def graphs(draw, max_nodes=6):
    """Draw an acyclic graph whose nodes come in an order of their own."""
    n = draw(st.integers(1, max_nodes))
    direction = draw(st.permutations(range(n)))
    pairs = list(itertools.combinations(direction, 2))
    chosen = draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
    graph = nx.DiGraph()
    graph.add_nodes_from(draw(st.permutations(range(n))))
    graph.add_edges_from(pair for pair, taken in zip(pairs, chosen, strict=True) if taken)
    return graph


@st.composite
def structures(draw):
    graph = draw(graphs())
    return Structure(graph, draw(st.sampled_from([None, *graph])))


def copies(structure):
    return {
        "pickle": pickle.loads(pickle.dumps(structure)),
        "deepcopy": copy.deepcopy(structure),
        "copy": copy.copy(structure),
        "edited": structure.with_edge("b", "c"),
    }


# ---------------------------------------------------------------- what a structure says


def test_a_small_graph_by_hand():
    # The class stands last among the nodes, and arcs come in any order.
    arcs = [("c", "b"), ("a", "b"), ("class", "c"), ("class", "b"), ("b", "d")]
    structure = Structure.from_arcs(["a", "b", "c", "d", "class"], arcs, "class")
    assert structure.nodes == ("a", "b", "c", "d", "class")
    assert structure.attributes == ("a", "b", "c", "d")
    assert structure.parents("b") == ("class", "a", "c")
    assert structure.family("b") == ("b", "class", "a", "c")
    assert structure.parents("a") == ()
    assert structure.topological_order == ("a", "class", "c", "b", "d")
    assert structure.arcs == (
        ("class", "b"),
        ("a", "b"),
        ("c", "b"),
        ("class", "c"),
        ("b", "d"),
    )
    assert structure.markov_blanket("a") == {"b", "class", "c"}
    assert structure.markov_blanket("d") == {"b"}
    assert structure.markov_blanket("b") == {"class", "a", "c", "d"}
    assert repr(structure) == "Structure(class_node='class', nodes=5, arcs=5)"


def test_parents_without_a_class_are_in_node_order():
    structure = Structure.from_arcs(["b", "a", "c"], [("a", "c"), ("b", "c")])
    assert structure.parents("c") == ("b", "a")
    assert structure.attributes == ("b", "a", "c")
    assert repr(structure) == "Structure(class_node=None, nodes=3, arcs=2)"


@settings(deadline=None)
@given(structures())
def test_parents_are_the_class_first_then_in_node_order(structure):
    place = {node: i for i, node in enumerate(structure.nodes)}
    for node in structure.nodes:
        parents = structure.parents(node)
        assert set(parents) == set(structure.graph.predecessors(node))
        rest = [p for p in parents if p != structure.class_node]
        assert rest == sorted(rest, key=place.get)
        assert structure.class_node not in parents[1:]


@settings(deadline=None)
@given(structures())
def test_topological_order_takes_the_first_node_whose_parents_are_there(structure):
    order = []
    while len(order) < len(structure.nodes):
        ready = [
            node
            for node in structure.nodes
            if node not in order and set(structure.parents(node)) <= set(order)
        ]
        order.append(ready[0])
    assert structure.topological_order == tuple(order)


@settings(deadline=None)
@given(structures())
def test_markov_blanket_is_the_smallest_set_that_separates(structure):
    for node in structure.nodes:
        blanket = structure.markov_blanket(node)
        others = set(structure.nodes) - blanket - {node}
        assert nx.is_d_separator(structure.graph, {node}, others, blanket)
        for member in blanket:
            assert not nx.is_d_separator(structure.graph, {node}, {member}, blanket - {member})


@settings(deadline=None)
@given(structures(), st.data())
def test_ancestors_are_those_that_networkx_finds(structure, data):
    nodes = data.draw(st.sets(st.sampled_from(structure.nodes)))
    above = [nx.ancestors(structure.graph, node) for node in nodes]
    assert structure.with_ancestors(nodes) == nodes.union(*above)


@settings(deadline=None)
@given(structures())
def test_arcs_are_the_arcs_of_the_graph(structure):
    assert sorted(structure.arcs) == sorted(structure.graph.edges)
    children = [structure.nodes.index(v) for _, v in structure.arcs]
    assert children == sorted(children)


@pytest.mark.parametrize("method", ["parents", "family", "markov_blanket", "with_ancestors"])
def test_an_unknown_node_is_refused(method):
    with pytest.raises(StructureError, match=r"no node 'z', expected one of \('class', 'a'\)"):
        getattr(naive_bayes("a"), method)("z")


# ---------------------------------------------------------------- what is refused


def test_a_cycle_is_refused_by_name():
    with pytest.raises(StructureError, match="cycle 'a' -> 'b' -> 'c'"):
        Structure(nx.DiGraph([("a", "b"), ("b", "c"), ("c", "a")]))


@pytest.mark.parametrize(
    "graph", [nx.Graph([("a", "b")]), nx.MultiDiGraph([("a", "b")]), [("a", "b")], None]
)
def test_only_a_plain_directed_graph_is_taken(graph):
    expected = f"found a {type(graph).__name__}, expected a networkx.DiGraph"
    with pytest.raises(StructureError, match=expected):
        Structure(graph)
    with pytest.raises(StructureError, match=expected):
        Structure.from_graph(graph, SCHEMA)


def test_a_structure_is_no_graph():
    with pytest.raises(StructureError, match=r"found a Structure, expected a networkx\.DiGraph"):
        Structure.from_graph(naive_bayes("a"), SCHEMA)


def test_a_class_that_is_no_node_is_refused():
    with pytest.raises(StructureError, match=r"class node 'y' is not in the graph, found \['a'"):
        Structure(nx.DiGraph([("a", "b")]), "y")


@pytest.mark.parametrize("name", [None, float("nan"), ("a", None)], ids=repr)
def test_a_node_without_a_name_is_refused(name):
    with pytest.raises(StructureError, match=r"found a node .*, expected no missing value"):
        Structure.from_arcs(["a", name], [])
    if name is not None:  # networkx itself has no such node
        with pytest.raises(StructureError, match=r"found a node .*, expected no missing value"):
            Structure(nx.DiGraph([("a", name)]))


def test_from_arcs_names_the_unknown_end_of_an_arc():
    with pytest.raises(StructureError, match="arc 'a' -> 'z': no node 'z'"):
        Structure.from_arcs(["a"], [("a", "z")])
    with pytest.raises(StructureError, match="arc 'z' -> 'a': no node 'z'"):
        Structure.from_arcs(["a"], [("z", "a")])


@pytest.mark.parametrize("score", ["much", None, [0.5]])
def test_a_score_that_is_no_number_is_refused(score):
    graph = nx.DiGraph()
    graph.add_edge("a", "b", score=score)
    with pytest.raises(StructureError, match=r"arc 'a' -> 'b': score .*, expected a number"):
        Structure(graph)


# ---------------------------------------------------------------- scores and annotations


def test_scores_are_kept_and_other_annotations_are_not():
    graph = nx.DiGraph(title="drawn by hand")
    graph.add_node("a", colour="red")
    graph.add_edge("a", "b", score=1, weight=7)
    graph.add_edge("a", "c", weight=7)
    structure = Structure(graph)
    assert dict(structure.graph.edges["a", "b"]) == {"score": 1.0}
    assert isinstance(structure.graph.edges["a", "b"]["score"], float)
    assert dict(structure.graph.edges["a", "c"]) == {}
    assert dict(structure.graph.nodes["a"]) == {}
    assert structure.graph.graph == {}


def test_from_arcs_takes_scores_from_a_mapping():
    structure = Structure.from_arcs(["a", "b", "c"], {("a", "b"): 0.0, ("a", "c"): None})
    assert structure.graph.edges["a", "b"]["score"] == 0.0
    assert "score" not in structure.graph.edges["a", "c"]


# ---------------------------------------------------------------- edits


def test_with_edge_returns_a_new_structure():
    before = Structure.from_arcs(["class", "a", "b"], {("class", "a"): 0.25}, "class")
    after = before.with_edge("a", "b")
    assert before.arcs == (("class", "a"),)
    assert after.arcs == (("class", "a"), ("a", "b"))
    assert after.class_node == "class"
    assert after.nodes == before.nodes
    assert after.graph.edges["class", "a"]["score"] == 0.25
    assert "score" not in after.graph.edges["a", "b"]
    assert after.without_edge("a", "b") == before
    assert nx.is_frozen(after.graph)


def test_with_edge_refuses_what_is_there_or_unknown():
    structure = naive_bayes("a", "b")
    with pytest.raises(StructureError, match="arc 'class' -> 'a' is in the structure already"):
        structure.with_edge("class", "a")
    with pytest.raises(StructureError, match="no node 'z'"):
        structure.with_edge("z", "a")
    with pytest.raises(StructureError, match="no node 'z'"):
        structure.with_edge("a", "z")
    with pytest.raises(StructureError, match="the graph has the cycle 'a'"):
        structure.with_edge("a", "a")


@pytest.mark.parametrize("arc", [("a", "b"), ("a", "class"), ("z", "a")])
def test_without_edge_refuses_an_arc_that_is_not_there(arc):
    with pytest.raises(StructureError, match=r"no arc .* in the structure, found"):
        naive_bayes("a", "b").without_edge(*arc)


@settings(deadline=None)
@given(structures())
def test_an_arc_can_be_added_where_it_is_new_and_closes_no_cycle(structure):
    for u, v in itertools.product(structure.nodes, repeat=2):
        above = {*nx.ancestors(structure.graph, u), u}
        if structure.graph.has_edge(u, v) or v in above:
            with pytest.raises(StructureError):
                structure.with_edge(u, v)
        else:
            edited = structure.with_edge(u, v)
            assert set(edited.arcs) == {*structure.arcs, (u, v)}
            assert edited.without_edge(u, v) == structure


# ---------------------------------------------------------------- the joint family


def test_the_joint_family_lasts_while_it_applies():
    structure = spode()
    assert structure.with_edge("b", "c").joint_family == ("class", "a")
    assert structure.without_edge("a", "c").joint_family == ("class", "a")
    assert structure.without_edge("class", "c").joint_family == ("class", "a")


def test_an_arc_into_the_superparent_ends_the_joint_family():
    free = spode().without_edge("a", "b")
    assert free.joint_family == ("class", "a")
    assert free.with_edge("b", "a").joint_family is None


def test_an_arc_into_the_class_ends_the_joint_family():
    structure = Structure.from_arcs(["class", "a", "b"], [("class", "a")], "class", ("class", "a"))
    assert structure.with_edge("b", "class").joint_family is None


def test_cutting_the_superparent_off_ends_the_joint_family():
    assert spode().without_edge("class", "a").joint_family is None


@pytest.mark.parametrize(
    "family",
    [("a", "class"), ("class", "z"), ("class", "class"), ("class", "b"), ("class",), ("a", "b", 1)],
)
def test_a_joint_family_that_does_not_fit_is_refused(family):
    arcs = [("class", "a"), ("class", "b"), ("a", "b")]
    with pytest.raises(StructureError, match="joint family"):
        Structure.from_arcs(["class", "a", "b"], arcs, "class", family)


@pytest.mark.parametrize("above", [0, "", "top"])
def test_a_joint_family_needs_a_class_without_parents(above):
    arcs = [(above, "class"), ("class", "a")]
    with pytest.raises(StructureError, match="and the class none"):
        Structure.from_arcs(["class", "a", above], arcs, "class", ("class", "a"))


def test_a_joint_family_without_a_class_is_refused():
    with pytest.raises(StructureError, match="joint family"):
        Structure.from_arcs(["a", "b"], [("a", "b")], None, ("a", "b"))


# ---------------------------------------------------------------- from a user's graph


def test_from_graph_brings_nodes_into_the_order_of_the_columns():
    graph = nx.DiGraph([("c", "a"), ("b", "a"), ("class", "a"), ("class", "c")])
    structure = Structure.from_graph(graph, SCHEMA)
    assert structure.nodes == ("class", "a", "b", "c")
    assert structure.class_node == "class"
    assert structure.parents("a") == ("class", "b", "c")


@settings(deadline=None)
@given(st.permutations(["class", "a", "b", "c"]), st.permutations(range(4)))
def test_from_graph_does_not_depend_on_the_order_of_drawing(nodes, order):
    arcs = [("class", "a"), ("class", "b"), ("a", "c"), ("b", "c")]
    graph = nx.DiGraph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(arcs[i] for i in order)
    structure = Structure.from_graph(graph, SCHEMA)
    assert structure.nodes == ("class", "a", "b", "c")
    assert structure.arcs == tuple(arcs)


def test_from_graph_without_the_class_or_some_columns():
    structure = Structure.from_graph(nx.DiGraph([("c", "a")]), SCHEMA)
    assert structure.nodes == ("a", "c")
    assert structure.class_node is None


def test_from_graph_keeps_scores_and_joint_family():
    graph = nx.DiGraph()
    graph.add_edge("class", "b", score=0.5)
    structure = Structure.from_graph(graph, SCHEMA, ("class", "b"))
    assert structure.joint_family == ("class", "b")
    assert structure.graph.edges["class", "b"]["score"] == 0.5


def test_from_graph_refuses_nodes_that_are_no_columns():
    with pytest.raises(StructureError, match=r"nodes \['z'\] are no columns, expected some of"):
        Structure.from_graph(nx.DiGraph([("class", "z")]), SCHEMA)


def test_from_graph_refuses_a_cycle():
    with pytest.raises(StructureError, match="cycle"):
        Structure.from_graph(nx.DiGraph([("a", "b"), ("b", "a")]), SCHEMA)


def test_integer_column_names_stay_integers():
    schema = Schema(tuple(Variable(i, states=(0, 1)) for i in range(3)), Y)
    structure = Structure.from_graph(nx.DiGraph([(2, 0), ("class", 2), ("class", 0)]), schema)
    assert structure.nodes == ("class", 0, 2)
    assert structure.parents(0) == ("class", 2)
    with pytest.raises(StructureError, match="no node 1"):
        structure.parents(1)


def test_a_class_named_zero_is_a_class():
    structure = Structure.from_arcs([0, 1], [(0, 1)], 0)
    assert structure.class_node == 0
    assert structure.attributes == (1,)


def test_an_unknown_schema_name_is_a_data_error():
    with pytest.raises(DataError, match="unknown variable 'z'"):
        SCHEMA["z"]


# ---------------------------------------------------------------- equality


def test_equality_is_of_nodes_arcs_class_and_joint_family():
    structure = spode()
    assert structure == spode()
    assert hash(structure) == hash(spode())
    arcs = structure.arcs
    nodes = structure.nodes
    assert structure != Structure.from_arcs(nodes, arcs, "class")
    assert structure != Structure.from_arcs(nodes, arcs[1:], "class", None)
    assert Structure.from_arcs(nodes, arcs, "class") != Structure.from_arcs(nodes, arcs)
    assert Structure.from_arcs(nodes, arcs) != Structure.from_arcs([*nodes, "d"], arcs)
    assert structure != structure.graph


def test_equality_ignores_scores_and_the_order_of_nodes():
    one = Structure.from_arcs(["a", "b"], {("a", "b"): 0.5})
    other = Structure.from_arcs(["b", "a"], [("a", "b")])
    assert one == other
    assert hash(one) == hash(other)
    assert len({one, other}) == 1


@settings(deadline=None)
@given(structures(), structures())
def test_equal_structures_have_equal_hashes(one, other):
    same = (
        set(one.nodes) == set(other.nodes)
        and set(one.arcs) == set(other.arcs)
        and one.class_node == other.class_node
    )
    assert (one == other) == same
    if same:
        assert hash(one) == hash(other)


# ---------------------------------------------------------------- immutability


@pytest.mark.parametrize("how", ["pickle", "deepcopy", "copy", "edited"])
def test_copies_are_frozen_too(how):
    structure = spode()
    assert structure.topological_order == ("class", "a", "b", "c")  # cached before the copy
    other = copies(structure)[how]
    assert nx.is_frozen(other.graph)
    with pytest.raises(nx.NetworkXError, match=r"[Ff]rozen"):
        other.graph.add_edge("b", "z")
    with pytest.raises(nx.NetworkXError, match=r"[Ff]rozen"):
        other.graph.remove_node("a")
    with pytest.raises(AttributeError, match="a Structure never changes; cannot set 'class_node'"):
        other.class_node = "a"
    if how != "edited":
        assert other == structure
        assert other.arcs == structure.arcs
        assert other.topological_order == structure.topological_order


def test_a_structure_does_not_follow_the_graph_it_was_made_from():
    graph = nx.DiGraph([("class", "a")])
    structure = Structure(graph, "class")
    graph.add_edge("a", "b")
    assert structure.nodes == ("class", "a")
    assert not nx.is_frozen(graph)


def test_to_networkx_returns_an_editable_copy():
    structure = spode()
    graph = structure.to_networkx()
    graph.add_edge("c", "d")
    assert structure == spode()
    assert list(structure.graph) == ["class", "a", "b", "c"]
