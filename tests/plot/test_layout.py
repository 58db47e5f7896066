"""The layout of networks: places and routes, without a drawing."""

from itertools import combinations, pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.isotonic import isotonic_regression

from bnclass import Structure
from bnclass.plot.coordinates import horizontal_places, isotonic
from bnclass.plot.grid import attribute_rows, build_grid
from bnclass.plot.labels import label_lines
from bnclass.plot.layout import Layout, layered_layout
from bnclass.plot.ordering import count_crossings, reduce_crossings
from bnclass.plot.paths import Stop, apart


def naive_bayes(n):
    names = [f"x{i}" for i in range(n)]
    return Structure.from_arcs(["y", *names], [("y", name) for name in names], "y")


def random_kdb(n, k, seed):
    """k attribute parents each, drawn at random among the earlier attributes."""
    rng = np.random.default_rng(seed)
    arcs = [(i, j) for j in range(n) for i in rng.choice(j, min(k, j), replace=False).tolist()]
    return Structure.from_arcs(["y", *range(n)], [*(("y", i) for i in range(n)), *arcs], "y")


@st.composite
def structures(draw):
    """Any structure of up to 15 attributes; the class may be absent, and may have parents."""
    n = draw(st.integers(0, 15))
    order = draw(st.permutations(range(n)))
    pairs = st.sampled_from(list(combinations(order, 2))) if n > 1 else st.nothing()
    arcs = draw(st.lists(pairs, unique=True, max_size=25)) if n > 1 else []
    if not draw(st.booleans()):
        return Structure.from_arcs(range(n), arcs)
    # What leads to the class comes first in the order, what it leads to last.
    cut = draw(st.integers(0, n))
    above = draw(st.lists(st.sampled_from(order[:cut]), unique=True)) if cut else []
    below = draw(st.lists(st.sampled_from(order[cut:]), unique=True)) if cut < n else []
    arcs = [*arcs, *((node, "y") for node in above), *(("y", node) for node in below)]
    return Structure.from_arcs(["y", *range(n)], arcs, "y")


def attribute_arcs(structure):
    return [arc for arc in structure.arcs if structure.class_node not in arc]


big = pytest.mark.parametrize(
    "structure",
    [
        naive_bayes(60),
        random_kdb(60, 1, seed=0),
        random_kdb(60, 2, seed=0),
        random_kdb(20, 20, seed=0),
    ],
    ids=["naive Bayes", "tree", "k = 2", "full"],
)


def check_boxes_apart(layout: Layout):
    for (x0, y0), (x1, y1) in combinations(layout.centres.values(), 2):
        assert abs(x0 - x1) > 1.05 or abs(y0 - y1) > 1.5


def check_arcs_clear(layout: Layout):
    """An arc touches the boxes of its ends, and stays outside all others on its way."""
    for (u, v), route in layout.routes.items():
        assert abs(route[0][0] - layout.centres[u][0]) <= 0.5
        assert abs(route[-1][0] - layout.centres[v][0]) <= 0.5
        assert abs(route[0][1] - layout.centres[u][1]) == pytest.approx(0.5)
        assert abs(route[-1][1] - layout.centres[v][1]) == pytest.approx(0.5)
        for x, y in route[1:-1]:
            beside = [cx for cx, cy in layout.centres.values() if cy == y]
            assert beside, "a route bends in the rows only"
            assert all(abs(x - cx) > 0.5 for cx in beside)


def check_every_row_passed(layout: Layout):
    """No row lies between two neighbouring points of a route."""
    rows = sorted({y for _, y in layout.centres.values()})
    place = {y + s: i for i, y in enumerate(rows) for s in (-0.5, 0.0, 0.5)}
    for route in layout.routes.values():
        steps = {place[y1] - place[y0] for (_, y0), (_, y1) in pairwise(route)}
        assert steps in ({1}, {-1})


@settings(max_examples=150, deadline=None)
@given(structures())
def test_boxes_do_not_touch_and_arcs_pass_beside_them(structure):
    layout = layered_layout(structure)
    assert list(layout.centres) == list(structure.nodes)
    assert list(layout.routes) == list(structure.arcs)
    check_boxes_apart(layout)
    check_arcs_clear(layout)
    check_every_row_passed(layout)


@big
def test_large_networks_keep_the_same_rules(structure):
    layout = layered_layout(structure)
    check_boxes_apart(layout)
    check_arcs_clear(layout)
    check_every_row_passed(layout)


@settings(max_examples=100, deadline=None)
@given(structures())
def test_children_stand_below_their_parents_and_all_below_the_class(structure):
    layout = layered_layout(structure)
    for u, v in attribute_arcs(structure):
        assert layout.centres[v][1] < layout.centres[u][1] - 1
    if structure.class_node is not None:
        top = layout.centres["y"][1]
        assert all(layout.centres[node][1] < top - 1 for node in structure.attributes)


@settings(max_examples=60, deadline=None)
@given(structures(), st.randoms(use_true_random=False))
def test_neither_names_nor_the_order_of_arcs_move_anything(structure, random):
    arcs = list(structure.arcs)
    random.shuffle(arcs)
    shuffled = Structure.from_arcs(structure.nodes, arcs, structure.class_node)
    assert layered_layout(shuffled) == layered_layout(structure)

    names = {node: f"name of {node}" for node in structure.nodes}
    renamed = Structure.from_arcs(
        names.values(),
        [(names[u], names[v]) for u, v in structure.arcs],
        names.get(structure.class_node),
    )
    places = list(layered_layout(renamed).centres.values())
    assert places == list(layered_layout(structure).centres.values())


def test_scores_move_nothing():
    plain = random_kdb(12, 2, seed=1)
    scored = Structure.from_arcs(plain.nodes, dict.fromkeys(plain.arcs, 0.5), "y")
    assert layered_layout(scored) == layered_layout(plain)


def test_a_larger_gap_between_rows_moves_rows_only():
    structure = random_kdb(12, 2, seed=1)
    near, far = layered_layout(structure, row_gap=0.5), layered_layout(structure, row_gap=1.0)
    assert [x for x, _ in near.centres.values()] == [x for x, _ in far.centres.values()]
    height_near, height_far = (lay.extent[3] - lay.extent[2] for lay in (near, far))
    n_rows = len({y for _, y in near.centres.values()})
    assert height_far - n_rows == pytest.approx(2 * (height_near - n_rows))


@pytest.mark.parametrize(("n", "lengths"), [(4, [4]), (7, [7]), (13, [7, 6]), (60, [10] * 6)])
def test_naive_bayes_reads_like_a_page(n, lengths):
    structure = naive_bayes(n)
    assert [len(row) for row in attribute_rows(structure)] == lengths
    centres = layered_layout(structure).centres
    reading = sorted(structure.attributes, key=lambda node: (-centres[node][1], centres[node][0]))
    assert reading == list(structure.attributes)


def test_depth_is_the_longest_path():
    arcs = [("a", "b"), ("b", "c"), ("a", "c"), ("c", "d"), ("a", "d")]
    assert attribute_rows(Structure.from_arcs("dcbae", arcs)) == [["a", "e"], ["b"], ["c"], ["d"]]


def test_the_largest_subtree_stands_in_the_middle():
    arcs = [("r", "a"), ("r", "b"), ("r", "c"), ("a", "d"), ("d", "e")]
    assert attribute_rows(Structure.from_arcs("rabcde", arcs))[1] == ["b", "a", "c"]


def test_arcs_of_one_parent_share_their_bends():
    arcs = [("a", "b"), ("b", "c"), ("c", "d"), ("a", "c"), ("a", "d")]
    grid = build_grid(Structure.from_arcs("abcd", arcs))
    assert grid.bends["a", "b"] == ()
    assert grid.bends["a", "d"][:1] == grid.bends["a", "c"]
    assert len(grid.bends["a", "d"]) == 2


def brute_force_crossings(grid, rows):
    place = {item: (r, i) for r, row in enumerate(rows) for i, item in enumerate(row)}
    links = [(place[u], place[v]) for u in place for v in grid.below[u]]
    return sum(
        (u[1] - w[1]) * (v[1] - x[1]) < 0
        for (u, v), (w, x) in combinations(links, 2)
        if u[0] == w[0]
    )


@settings(max_examples=100, deadline=None)
@given(structures())
def test_crossings_are_counted_right_and_never_added(structure):
    grid = build_grid(structure)
    rows = reduce_crossings(grid)
    assert [sorted(row) for row in rows] == [sorted(row) for row in grid.rows]
    assert count_crossings(grid, rows) == brute_force_crossings(grid, rows)
    assert count_crossings(grid, rows) <= count_crossings(grid, grid.rows)


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 30), st.randoms(use_true_random=False))
def test_trees_are_drawn_without_crossings(n, random):
    arcs = [(random.randrange(child), child) for child in range(1, n)]
    grid = build_grid(Structure.from_arcs(range(n), arcs))
    assert count_crossings(grid, reduce_crossings(grid)) == 0


@given(
    st.lists(st.tuples(st.floats(-9, 9), st.floats(0.1, 9)), min_size=1, max_size=20),
)
def test_isotonic_regression_equals_that_of_scikit_learn(pairs):
    values, weights = zip(*pairs, strict=True)
    expected = isotonic_regression(np.array(values), sample_weight=np.array(weights))
    np.testing.assert_allclose(isotonic(values, weights), expected, atol=1e-9)


def test_a_parent_stands_over_the_middle_of_its_children():
    grid = build_grid(Structure.from_arcs("abcd", [("a", "b"), ("a", "c"), ("a", "d")]))
    x = horizontal_places(grid, grid.rows)
    assert [x[i] for i in range(4)] == pytest.approx([0.0, -1.3, 0.0, 1.3])


def test_a_chain_is_upright():
    arcs = [("a", "b"), ("b", "c"), ("c", "d"), ("a", "e"), ("e", "f"), ("d", "g"), ("d", "h")]
    centres = layered_layout(Structure.from_arcs("abcdefgh", arcs)).centres
    assert centres["b"][0] == centres["c"][0] == centres["d"][0]
    assert centres["e"][0] == centres["f"][0]


def test_arrows_of_attributes_meet_a_box_about_its_middle():
    end = Stop(0.0, 2)
    attribute = {("a", "x"): (Stop(2.0, 0), Stop(1.0, 1), end), ("b", "x"): (Stop(0.5, 1), end)}
    moved = apart(attribute, {("y", "x"): (Stop(0.0, -1), Stop(-1.0, 1), end)})
    assert moved["b", "x"][-1].x == pytest.approx(-0.08)
    assert moved["a", "x"][-1].x == pytest.approx(0.08)
    assert moved["y", "x"][-1].x == pytest.approx(-0.24)


def test_many_arrows_stay_on_their_box():
    arcs = [(i, 30) for i in range(30)] + [("y", 30)]
    layout = layered_layout(Structure.from_arcs(["y", *range(31)], arcs, "y"))
    ends = sorted(route[-1][0] - layout.centres[30][0] for route in layout.routes.values())
    assert -0.5 < ends[0] < ends[-1] < 0.5
    assert min(b - a for a, b in pairwise(ends)) > 0.01


def test_an_arc_into_the_class_leads_upwards():
    structure = Structure.from_arcs(["y", "a", "b"], [("a", "b"), ("b", "y")], "y")
    route = layered_layout(structure).routes["b", "y"]
    assert [y for _, y in route] == sorted(y for _, y in route)
    assert len(route) == 3


@pytest.mark.parametrize(
    ("structure", "centres"),
    [
        (Structure(nx.DiGraph()), {}),
        (Structure.from_arcs(["y"], [], "y"), {"y": (0.0, 0.0)}),
        (Structure.from_arcs(["a"], []), {"a": (0.0, 0.0)}),
    ],
    ids=["no node", "class alone", "attribute alone"],
)
def test_the_smallest_networks(structure, centres):
    assert layered_layout(structure).centres == centres


def test_isolated_attributes_stand_in_one_row():
    centres = layered_layout(Structure.from_arcs(["y", "a", "b"], [], "y")).centres
    assert centres["a"][1] == centres["b"][1]
    assert centres["y"][0] == pytest.approx((centres["a"][0] + centres["b"][0]) / 2)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("petal width (cm)", ["petal width", "(cm)"]),
        ("od280/od315_of_diluted_wines", ["od280/od315_", "of_diluted_", "wines"]),
        ("proanthocyanins", ["proanthocyanins"]),
        ("middle-left-square", ["middle-left-", "square"]),
        ("a\nb", ["a b"]),
        (7, ["7"]),
        (("t", 1), ["('t', 1)"]),
        ("$x_1$", ["$x_1$"]),
        ("", ["''"]),
        (" ", ["' '"]),
        ("w" * 50, ["w" * 20, "w" * 20, "w" * 10]),
    ],
)
def test_names_are_broken_between_words(name, lines):
    assert label_lines(name) == lines


@given(st.text(min_size=1))
def test_a_label_shows_every_character_but_white_space(name):
    if name.split():
        assert "".join("".join(label_lines(name)).split()) == "".join(name.split())
