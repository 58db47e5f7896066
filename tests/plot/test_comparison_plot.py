"""`plot_comparison` and its display."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from bnclass import (
    AODE,
    HAODE,
    KDB,
    KST,
    TAN,
    BnclassError,
    ComparisonDisplay,
    Structure,
    SufficientStatistics,
    TableEncoder,
    load_dataset,
    plot_comparison,
)
from bnclass.structure.kst import KSTLearner


@pytest.fixture(autouse=True)
def _headless():
    plt.switch_backend("Agg")
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def wine():
    X, y = load_dataset("wine")
    return TAN().fit(X, y), KDB(k=2).fit(X, y)


def network(arcs, nodes="abc", target="y"):
    of_class = [(target, node) for node in nodes]
    return Structure.from_arcs([target, *nodes], [*of_class, *arcs], target)


def looks(drawn):
    """Colour and dashes of each arc."""
    return {a: (to_hex(p.get_edgecolor()), p.get_linestyle()) for a, p in drawn.arcs.items()}


def keys(display):
    return [text.get_text() for key in display.figure_.legends for text in key.get_texts()]


def extent(artist):
    return artist.get_window_extent(artist.get_figure(root=True).canvas.get_renderer())


def inside(inner, outer):
    return (
        outer.x0 <= inner.x0 and inner.x1 <= outer.x1 and outer.y0 <= inner.y0
    ) and inner.y1 <= outer.y1


def is_outline(box):
    return box.get_linestyle() != "solid"


def test_two_axes_with_the_titles_and_a_figure_of_their_own(wine):
    display = plot_comparison(*wine, titles=("TAN", "KDB"))
    assert isinstance(display, ComparisonDisplay)
    assert [ax.get_title() for ax in display.figure_.axes] == ["TAN", "KDB"]
    assert display.figure_.axes == [display.left_.ax, display.right_.ax]
    assert plt.get_fignums() == [display.figure_.number]


def test_a_node_has_one_place_in_both(wine):
    display = plot_comparison(*wine)
    left, right = display.left_, display.right_
    assert set(left.nodes) == set(right.nodes) == set(wine[0].network_.graph.nodes)
    for node, box in left.nodes.items():
        np.testing.assert_equal(
            box.get_bbox().get_points(), right.nodes[node].get_bbox().get_points()
        )
    assert (left.ax.get_xlim(), left.ax.get_ylim()) == (right.ax.get_xlim(), right.ax.get_ylim())


def test_the_arcs_of_one_alone_differ_in_colour_and_dashes():
    display = plot_comparison(network(["ab", "ac"]), network(["ab", "bc"]))
    left, right = looks(display.left_), looks(display.right_)
    assert (set(left), set(right)) == ({("a", "b"), ("a", "c")}, {("a", "b"), ("b", "c")})
    assert left["a", "b"] == right["a", "b"]
    three = [left["a", "b"], left["a", "c"], right["b", "c"]]
    assert len({colour for colour, _ in three}) == len({dashes for _, dashes in three}) == 3
    assert (display.only_left_, display.only_right_) == ((("a", "c"),), (("b", "c"),))
    assert keys(display) == ["in both (1)", "only in global (1)", "only in local (1)"]


def test_the_marked_arcs_are_the_difference_of_the_graphs(wine):
    display = plot_comparison(*wine)
    left, right = ({a for a in m.network_.graph.edges if "class" not in a} for m in wine)
    assert (set(display.only_left_), set(display.only_right_)) == (left - right, right - left)
    for drawn, arcs in ((display.left_, left), (display.right_, right)):
        marked = looks(drawn)
        assert set(marked) == arcs
        assert len({marked[a] for a in left & right}) == 1
        assert len({marked[a] for a in arcs - (left & right)}) == 1


def test_the_key_has_the_looks_of_the_arcs(wine):
    display = plot_comparison(*wine)
    (key,) = display.figure_.legends
    found = [(line.get_color(), line.get_linestyle()) for line in key.get_lines()]
    left, right = looks(display.left_), looks(display.right_)
    common = next(a for a in left if a in right)
    expected = [left[common], left[display.only_left_[0]], right[display.only_right_[0]]]
    assert found == expected


def test_equal_networks_have_no_marks(wine):
    display = plot_comparison(wine[0], wine[0].network_.structure)
    assert display.only_left_ == display.only_right_ == ()
    assert keys(display) == ["in both (12)"]
    assert looks(display.left_) == looks(display.right_)


def test_an_arc_turned_round_is_marked_in_both_and_runs_upwards():
    display = plot_comparison(network(["ab"]), network(["ba"]))
    assert (display.only_left_, display.only_right_) == ((("a", "b"),), (("b", "a"),))
    tips = []
    for drawn in (display.left_, display.right_):
        (head,) = [patch for patch in drawn.ax.patches if isinstance(patch, Polygon)]
        (tip, *corners) = head.get_xy()[:3]
        tips.append(tip[1] - corners[0][1])
    assert tips[0] < 0 < tips[1]


def test_upward_arcs_run_with_no_other_and_end_at_their_box():
    left = network(["ab", "bc", "cd", "ad"], "abcd")
    display = plot_comparison(left, network(["dc", "cb", "ba", "da"], "abcd"))
    boxes, lines = display.right_.nodes, display.right_.arcs
    for (u, v), line in lines.items():
        start, end = line.get_path().vertices[[0, -1]]
        assert boxes[u].get_x() <= start[0] <= boxes[u].get_x() + boxes[u].get_width()
        assert boxes[v].get_x() <= end[0] <= boxes[v].get_x() + boxes[v].get_width()
        assert start[1] == pytest.approx(boxes[u].get_y() + boxes[u].get_height())
        assert start[1] < end[1] < boxes[v].get_y()
    ends = [tuple(line.get_path().vertices[-1]) for line in lines.values()]
    assert len(set(ends)) == len(ends) == 4


def test_class_arcs_are_drawn_on_request_and_where_they_differ():
    left = network(["ab"])
    display = plot_comparison(left, left.without_edge("y", "c"))
    assert ("y", "c") in display.left_.arcs
    assert display.only_left_ == (("y", "c"),)
    assert not any("y" in arc for arc in display.right_.arcs)
    with_all = plot_comparison(left, left.without_edge("y", "c"), class_arcs=True)
    assert set(with_all.left_.arcs) == set(left.arcs)
    assert looks(with_all.left_)["y", "c"] == looks(display.left_)["y", "c"]
    assert looks(with_all.left_)["y", "a"] != looks(with_all.left_)["y", "c"]


def test_nodes_that_are_missing_are_outlines_with_their_names():
    display = plot_comparison(network(["ab", "bc"]), network(["ab"], "ab"))
    assert is_outline(display.right_.nodes["c"])
    assert not any(is_outline(box) for box in display.left_.nodes.values())
    assert display.right_.labels["c"].get_text() == "c"
    assert display.right_.labels["c"].get_color() != display.right_.labels["b"].get_color()
    assert display.only_left_ == (("b", "c"),)  # y -> c is no news
    assert keys(display)[-1] == "not in this network"


def test_the_global_and_the_local_structure_of_a_row():
    table = TableEncoder().fit_transform(*load_dataset("monks-1"))
    statistics = SufficientStatistics.from_table(table)
    learner = KSTLearner(k=2)
    of_all, of_row = learner.learn(statistics), learner.learn_at(statistics, [0, 0, -1, 1, 0, -1])
    display = plot_comparison(of_all, of_row)
    missing = {node for node, box in display.right_.nodes.items() if is_outline(box)}
    assert missing == {"a3", "a6"}
    arcs = [{a for a in s.arcs if "class" not in a} for s in (of_all, of_row)]
    assert (set(display.left_.arcs), set(display.right_.arcs)) == tuple(arcs)
    assert set(display.only_left_) == arcs[0] - arcs[1]
    assert set(display.only_right_) == arcs[1] - arcs[0]


def test_a_fitted_kst_s_global_and_local_network():
    X, y = load_dataset("monks-1")
    model = KST(k=1).fit(X, y)
    row = X.iloc[[0]].astype(object)
    row.iloc[0, 2] = None
    local = model.network_at(row)
    display = plot_comparison(model.ensemble_[0], local)
    assert is_outline(display.right_.nodes["a3"])
    assert set(display.right_.arcs) == {a for a in local.graph.edges if "class" not in a}


def test_kinds_are_shown_as_each_network_has_them():
    members = HAODE().fit(*load_dataset("iris")).ensemble_
    display = plot_comparison(members[0], members[3])
    assert keys(display)[-3:] == ["not in this network", "discrete", "continuous"]
    outlines = {n for n, box in display.left_.nodes.items() if is_outline(box)}
    assert outlines == set(members[3].graph) - set(members[0].graph)
    radius = {n: box.get_boxstyle().rounding_size for n, box in display.left_.nodes.items()}
    assert radius["petal length (cm)"] > radius["sepal length (cm) (binned)"]


def test_odd_names_and_titles_are_shown_as_they_are():
    names = ("$x_1$", "two\nlines", "", 7, ("t", 1), "W" * 60)
    left, right = network([names[:2]], names), network([names[1::-1]], names[:4])
    titles = ("$a$ of $b$", r"50%_\frac")
    display = plot_comparison(left, right, titles=titles)
    display.figure_.canvas.draw()
    assert [ax.get_title() for ax in display.figure_.axes] == list(titles)
    assert keys(display)[:2] == ["only in $a$ of $b$ (1)", r"only in 50%_\frac (1)"]
    (key,) = display.figure_.legends
    assert not any(text.get_parse_math() for text in key.get_texts())
    for node, label in display.right_.labels.items():
        assert inside(extent(label), extent(display.right_.nodes[node]))


@pytest.mark.parametrize("size", [None, (5, 5), (14, 3)])
def test_everything_lies_inside_the_figure(wine, size):
    figure = None if size is None else plt.figure(figsize=size)
    long = "a title of some length", "another title, longer than the first"
    figure = plot_comparison(*wine, titles=long, figure=figure).figure_
    figure.canvas.draw()
    for ax in figure.axes:
        assert inside(extent(ax.title), figure.bbox)
        assert inside(ax.get_window_extent(), figure.bbox)
        assert not extent(figure.legends[0]).overlaps(ax.get_window_extent())
    assert inside(extent(figure.legends[0]), figure.bbox)


def test_small_networks_leave_room_for_the_key():
    display = plot_comparison(network([], "a"), network([], "b"), titles=("x" * 40, "y" * 40))
    display.figure_.canvas.draw()
    assert inside(extent(display.figure_.legends[0]), display.figure_.bbox)


def test_a_display_draws_again_elsewhere(wine):
    display = plot_comparison(*wine, figure=Figure())
    figure = Figure()
    assert display.plot(figure, titles=("a", "b")).figure_ is figure
    assert [ax.get_title() for ax in figure.axes] == ["a", "b"]
    assert plt.get_fignums() == []


def test_a_network_without_a_class_beside_one_with(wine):
    bare = Structure.from_arcs("yab", ["ya", "yb", "ab"])
    display = plot_comparison(network(["ab"], "ab"), bare)
    assert display.only_left_ == display.only_right_ == ()
    assert set(display.left_.arcs) == set(display.right_.arcs) == {("a", "b")}


def test_what_cannot_be_compared_is_refused(wine):
    aode = AODE().fit(*load_dataset("monks-1"))
    with pytest.raises(BnclassError, match="AODE holds several networks"):
        plot_comparison(aode, wine[0])
    with pytest.raises(BnclassError, match="an unfitted TAN"):
        plot_comparison(wine[0], TAN())
    with pytest.raises(BnclassError, match="no node in common"):
        plot_comparison(Structure.from_arcs("ab", []), Structure.from_arcs("cd", []))
    with pytest.raises(BnclassError, match="classes 'y' and 'a'"):
        plot_comparison(network([]), Structure.from_arcs("abc", [], "a"))
    for titles in ("ab", ("a",), ("a", "b", "c")):
        with pytest.raises(BnclassError, match=r"expected two$"):
            plot_comparison(*wine, titles=titles)
    assert plt.get_fignums() == []
