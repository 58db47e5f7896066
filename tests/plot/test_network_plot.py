"""`plot_network` and its display."""

import os
import subprocess
import sys
from itertools import combinations, pairwise

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from bnclass import (
    AODE,
    KDB,
    TAN,
    BayesianNetwork,
    BnclassError,
    CategoricalCPD,
    NaiveBayes,
    Structure,
    Variable,
    load_dataset,
)
from bnclass.factors.gaussian import GaussianCPD
from bnclass.plot.network import NetworkDisplay, plot_network

ODD_NAMES = [
    "$x_1$",
    r"\alpha_{2}",
    "50%_&_#more^~",
    "two\nlines",
    "tab\tted",
    "größe [µm]",
    "",
    7,
    2.5,
    ("t", 1),
    "W" * 60,
    "i" * 20,
    "od280/od315_of_diluted_wines",
    "a column name that explains everything about itself at length",
]


@pytest.fixture(autouse=True)
def _headless():
    plt.switch_backend("Agg")
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def monks():
    return load_dataset("monks-1")


@pytest.fixture
def scored():
    arcs = {("y", n): 0.9 for n in "abcde"}
    arcs |= {("a", "b"): 0.4, ("a", "c"): 0.1, ("b", "c"): 0.2, ("c", "d"): 0.0, ("d", "e"): None}
    return Structure.from_arcs("yabcde", arcs, "y")


def heads(ax):
    return [patch for patch in ax.patches if isinstance(patch, Polygon)]


def extent(artist):
    return artist.get_window_extent(artist.get_figure().canvas.get_renderer())


def inside(inner, outer):
    return (
        outer.x0 <= inner.x0 and inner.x1 <= outer.x1 and outer.y0 <= inner.y0
    ) and inner.y1 <= outer.y1


def test_a_classifier_its_network_and_its_structure_give_one_picture(monks):
    model = TAN().fit(*monks)
    displays = [plot_network(m) for m in (model, model.network_, model.network_.structure)]
    for display in displays:
        assert isinstance(display, NetworkDisplay)
        assert set(display.nodes_) == set(display.labels_) == set(model.network_.graph.nodes)
        assert set(display.arcs_) == set(model.network_.graph.edges)
    paths = [[arc.get_path().vertices for arc in d.arcs_.values()] for d in displays]
    for other in paths[1:]:
        np.testing.assert_equal(other, paths[0])


def test_without_axes_a_pyplot_figure_is_made(scored):
    display = plot_network(scored)
    assert plt.get_fignums() == [display.figure_.number]
    assert display.ax_.figure is display.figure_


def test_given_axes_are_drawn_into_and_no_figure_is_made(scored):
    figure = Figure(figsize=(4, 3))
    ax = figure.subplots()
    display = plot_network(scored, ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is figure
    assert plt.get_fignums() == []
    assert len(heads(ax)) == len(display.arcs_) == 10


def test_a_display_draws_again_elsewhere(scored):
    display = NetworkDisplay(scored)
    first = display.plot(Figure().subplots()).ax_
    second = display.plot(Figure().subplots(), class_arcs=False).ax_
    assert first is not second
    assert (len(heads(first)), len(heads(second))) == (10, 5)
    assert display.ax_ is second


def test_class_arcs_can_be_left_out(scored):
    display = plot_network(scored, class_arcs=False)
    assert set(display.arcs_) == {arc for arc in scored.arcs if "y" not in arc}
    assert len(heads(display.ax_)) == 5
    assert set(display.nodes_) == set("yabcde")


def test_widths_are_in_proportion_to_scores(scored):
    widths = {arc: line.get_linewidth() for arc, line in plot_network(scored).arcs_.items()}
    scale = widths["a", "b"] / 0.4
    assert widths["a", "c"] == pytest.approx(0.1 * scale)
    assert widths["b", "c"] == pytest.approx(0.2 * scale)
    # Without dependence there is still an arc to be seen.
    assert 0 < widths["c", "d"] < widths["a", "c"]
    assert len({widths["y", n] for n in "abcde"}) == 1
    assert widths["y", "a"] < widths["a", "c"]


@pytest.mark.parametrize("score", [None, float("nan"), float("inf")])
def test_arcs_without_a_finite_score_have_one_width(score):
    arcs = {("a", "b"): score, ("b", "c"): None}
    display = plot_network(Structure.from_arcs("abc", arcs))
    assert len({line.get_linewidth() for line in display.arcs_.values()}) == 1
    assert display.ax_.get_legend() is None


def test_equal_scores_of_zero_are_drawn():
    display = plot_network(Structure.from_arcs("ab", {("a", "b"): 0.0}), scores=True)
    assert display.arcs_["a", "b"].get_linewidth() > 0
    assert display.ax_.get_legend() is None


def test_the_key_shows_round_scores_at_their_widths(scored):
    display = plot_network(scored)
    key = display.ax_.get_legend()
    texts = [text.get_text() for text in key.get_texts()]
    assert texts == [r"$I(X_i; X_j \mid Y)$ in nats", "0.1", "0.2"]
    lines = [line.get_linewidth() for line in key.get_lines()[1:]]
    arcs = display.arcs_
    assert lines == [arcs["a", "c"].get_linewidth(), arcs["b", "c"].get_linewidth()]
    without_class = plot_network(Structure.from_arcs("ab", {("a", "b"): 1.0}))
    assert without_class.ax_.get_legend().get_texts()[0].get_text() == "$I(X_i; X_j)$ in nats"


def test_scores_are_written_on_request(scored):
    def written(display):
        labels = list(display.labels_.values())
        return sorted(t.get_text() for t in display.ax_.texts if t not in labels)

    assert written(plot_network(scored)) == []
    assert written(plot_network(scored, scores=True)) == ["0", "0.1", "0.2", "0.4"]


def test_written_scores_cover_neither_each_other_nor_a_box():
    display = plot_network(KDB(k=2).fit(*load_dataset("wine")), scores=True)
    display.figure_.canvas.draw()
    labels = list(display.labels_.values())
    texts = [extent(text) for text in display.ax_.texts if text not in labels]
    boxes = [extent(box) for box in display.nodes_.values()]
    assert len(texts) == 12 + 11
    assert not any(a.overlaps(b) for a, b in combinations(texts, 2))
    assert not any(text.overlaps(box) for text in texts for box in boxes)


def test_the_class_looks_different(scored):
    display = plot_network(scored)
    faces = {node: box.get_facecolor() for node, box in display.nodes_.items()}
    assert faces["y"] not in [faces[n] for n in "abcde"]
    assert len(set(faces.values())) == 2
    assert display.labels_["y"].get_fontweight() != display.labels_["a"].get_fontweight()


def test_names_are_shown_as_they_are_and_fit_their_boxes():
    arcs = [("$y$", name) for name in ODD_NAMES]
    structure = Structure.from_arcs(["$y$", *ODD_NAMES], arcs, "$y$")
    display = plot_network(structure)
    display.figure_.canvas.draw()
    assert display.labels_["$y$"].get_text() == "$y$"
    assert display.labels_["$x_1$"].get_text() == "$x_1$"
    assert display.labels_[7].get_text() == "7"
    for node, label in display.labels_.items():
        assert not label.get_parse_math()
        assert inside(extent(label), extent(display.nodes_[node])), node


def test_literal_dollars_are_drawn_not_set_as_mathematics():
    names = ["$x_1$", r"$\frac{1}{2}$"]
    display = plot_network(Structure.from_arcs(names, []))
    display.figure_.canvas.draw()
    x1, fraction = (extent(display.labels_[name]).width for name in names)
    # The mathematics would be narrower than the five letters, and the fraction than those.
    assert fraction > 2 * x1


@pytest.mark.parametrize("figsize", [(2, 2), (8, 3), (20, 20)])
def test_in_any_axes_names_fit_their_boxes_and_boxes_the_axes(monks, figsize):
    figure, ax = plt.subplots(figsize=figsize)
    display = plot_network(TAN().fit(*monks), ax=ax, title="TAN")
    figure.canvas.draw()
    for node, box in display.nodes_.items():
        assert inside(extent(display.labels_[node]), extent(box))
        assert inside(extent(box), ax.get_window_extent())


def test_the_figure_grows_with_the_network_and_letters_stay():
    def drawn(n):
        arcs = [("y", i) for i in range(n)]
        return plot_network(Structure.from_arcs(["y", *range(n)], arcs, "y"))

    small, large = drawn(4), drawn(60)
    assert all(large.figure_.get_size_inches() > 1.5 * small.figure_.get_size_inches())
    assert large.labels_[0].get_fontsize() == pytest.approx(10)
    assert small.labels_[0].get_fontsize() == pytest.approx(10)


@pytest.mark.parametrize("model", [NaiveBayes(), TAN(), KDB(k=2)], ids=repr)
def test_no_arc_runs_through_a_box(model):
    display = plot_network(model.fit(*load_dataset("wine")))
    figure = display.figure_
    figure.canvas.draw()
    boxes = {node: extent(box).padded(-1) for node, box in display.nodes_.items()}
    for line in display.arcs_.values():
        (points,) = line.get_path().to_polygons(line.get_transform(), closed_only=False)
        steps = np.linspace(0, 1, 50)[:, None]
        for a, b in pairwise(points):
            for x, y in a + steps * (b - a):
                assert not any(box.contains(x, y) for box in boxes.values())


def test_the_picture_lies_inside_the_figure(scored):
    display = plot_network(scored, title="A title")
    display.figure_.canvas.draw()
    page = display.figure_.bbox
    artists = [*display.nodes_.values(), *display.arcs_.values(), *heads(display.ax_)]
    artists += [display.ax_.get_legend(), display.ax_.title]
    assert all(inside(extent(artist), page) for artist in artists)
    assert display.ax_.get_title() == "A title"


@pytest.mark.parametrize(
    "structure",
    [
        Structure.from_arcs([], []),
        Structure.from_arcs(["y"], [], "y"),
        Structure.from_arcs("ab", []),
        Structure.from_arcs("yab", [("a", "b"), ("b", "y")], "y"),
    ],
    ids=["empty", "class alone", "no class, no arc", "arc into the class"],
)
def test_unusual_networks_are_drawn(structure):
    display = plot_network(structure)
    display.figure_.canvas.draw()
    assert set(display.arcs_) == set(structure.arcs)
    assert set(display.nodes_) == set(structure.nodes)


def test_the_user_s_layout_engine_does_not_move_our_figure(scored):
    with plt.rc_context({"figure.constrained_layout.use": True}):
        display = plot_network(scored)
        display.figure_.canvas.draw()
    assert display.labels_["a"].get_fontsize() == pytest.approx(10)
    assert display.ax_.get_position().width == 1


def test_what_holds_no_single_network_is_refused(monks):
    with pytest.raises(BnclassError, match="an unfitted TAN"):
        plot_network(TAN())
    with pytest.raises(BnclassError, match="AODE holds several networks"):
        plot_network(AODE().fit(*monks))
    with pytest.raises(BnclassError, match="found a str"):
        plot_network("wine")
    assert plt.get_fignums() == []


def test_matplotlib_is_loaded_only_to_draw():
    code = "import sys, bnclass.plot.network; sys.exit('matplotlib' in sys.modules)"
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    assert subprocess.run([sys.executable, "-c", code], env=env, check=False).returncode == 0


def corner_radius(box):
    return box.get_boxstyle().rounding_size


@pytest.fixture
def mixed():
    """A class, a state, a discretised view of a number, and a number."""
    y, a = Variable("y", states=("n", "p")), Variable("a", states=("u", "v"))
    view = Variable("x (binned)", states=("low", "high"), source="x", cuts=(2.5,))
    factors = [
        CategoricalCPD(y, (), [0.5, 0.5]),
        CategoricalCPD(a, (y,), [[0.5, 0.5]] * 2),
        CategoricalCPD(view, (y,), [[0.5, 0.5]] * 2),
        GaussianCPD(Variable("z", kind="continuous"), (y, a), [[0, 1], [2, 3]], np.ones((2, 2))),
    ]
    arcs = {("y", "a"): None, ("y", "x (binned)"): None, ("y", "z"): None, ("a", "z"): 0.3}
    return BayesianNetwork(Structure.from_arcs(["y", "a", "x (binned)", "z"], arcs, "y"), factors)


def test_a_number_s_box_has_another_shape(mixed):
    boxes = plot_network(mixed).nodes_
    radii = {node: corner_radius(box) for node, box in boxes.items()}
    assert radii["y"] == radii["a"] == radii["x (binned)"]
    assert radii["z"] > 1.5 * radii["a"]
    bare = plot_network(mixed.structure).nodes_
    assert {corner_radius(box) for box in bare.values()} == {radii["a"]}


def test_the_key_explains_shapes_only_where_there_are_two(mixed, scored):
    def written(display):
        key = display.ax_.get_legend()
        return [] if key is None else [text.get_text() for text in key.get_texts()]

    assert written(plot_network(mixed))[-2:] == ["discrete", "continuous"]
    assert written(plot_network(mixed))[1:3] == ["0.1", "0.2"]
    without_scores = NetworkDisplay(Structure.from_arcs("ab", [("a", "b")]), {"b"}).plot()
    assert written(without_scores) == ["discrete", "continuous"]
    only_numbers = NetworkDisplay(Structure.from_arcs("ab", [("a", "b")]), {"a", "b"}).plot()
    assert written(only_numbers) == []
    assert "continuous" not in written(plot_network(scored))


def test_the_key_of_both_lies_inside_the_figure(mixed):
    for display in (plot_network(mixed), plot_network(mixed, title="T", scores=True)):
        display.figure_.canvas.draw()
        assert inside(extent(display.ax_.get_legend()), display.figure_.bbox)


def test_names_of_three_lines_fit_round_boxes():
    name = "od280/od315_of_diluted_wines"
    display = NetworkDisplay(Structure.from_arcs([name, "a"], [(name, "a")]), {name}).plot()
    display.figure_.canvas.draw()
    box, label = extent(display.nodes_[name]), extent(display.labels_[name])
    radius = corner_radius(display.nodes_[name]) * display.figure_.dpi
    # The corner of the text against the circle that rounds the corner of the box.
    across = max(0.0, box.x0 + radius - label.x0)
    up = max(0.0, box.y0 + radius - label.y0)
    assert np.hypot(across, up) < radius
