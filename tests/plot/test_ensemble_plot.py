"""`plot_ensemble` and its display."""

from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from bnclass import (
    AODE,
    ATAN,
    GAODE,
    HAODE,
    KST,
    TAN,
    BayesianNetwork,
    BnclassError,
    CategoricalCPD,
    EnsembleDisplay,
    NetworkEnsemble,
    Structure,
    Variable,
    load_dataset,
    plot_ensemble,
)


@pytest.fixture(autouse=True)
def _headless():
    plt.switch_backend("Agg")
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def monks():
    return AODE().fit(*load_dataset("monks-1"))


@pytest.fixture(scope="module")
def watan():
    return ATAN("mutual-information").fit(*load_dataset("iris"))


def ensemble_of(n, names=("a", "b"), arcs=(), weights=None):
    """Equal networks over coins."""
    coins = [Variable(name, states=(0, 1)) for name in ("y", *names)]
    factors = [CategoricalCPD(coins[0], (), [0.5, 0.5])]
    both = {("y", name): None for name in names} | dict(arcs)
    structure = Structure.from_arcs(["y", *names], both, "y")
    for coin in coins[1:]:
        parents = tuple(c for c in coins if c.name in structure.parents(coin.name))
        factors.append(CategoricalCPD(coin, parents, np.full((2,) * (len(parents) + 1), 0.5)))
    return NetworkEnsemble([BayesianNetwork(structure, factors)] * n, weights)


def titles(display):
    return [ax.get_title() for ax in display.axes_]


def texts(display):
    return [text.get_text() for text in display.figure_.texts]


def keys(display):
    return [text.get_text() for key in display.figure_.legends for text in key.get_texts()]


def extent(artist):
    return artist.get_window_extent(artist.get_figure(root=True).canvas.get_renderer())


def inside(inner, outer):
    return (
        outer.x0 <= inner.x0 and inner.x1 <= outer.x1 and outer.y0 <= inner.y0
    ) and inner.y1 <= outer.y1


def test_every_member_has_axes_titled_by_its_superparent(monks):
    display = plot_ensemble(monks)
    assert isinstance(display, EnsembleDisplay)
    assert titles(display) == ["a1", "a2", "a3", "a4", "a5", "a6"]
    assert len(display.figure_.axes) == 6
    assert plt.get_fignums() == [display.figure_.number]
    assert texts(display) == []
    assert display.n_left_out_ == 0


def test_each_picture_is_that_of_its_member_without_class_arcs(monks):
    for m, drawn in plot_ensemble(monks).members_.items():
        structure = monks.ensemble_[m].structure
        assert set(drawn.arcs) == {arc for arc in structure.arcs if "class" not in arc}
        assert set(drawn.nodes) == set(drawn.labels) == set(structure.nodes)
    for m, drawn in plot_ensemble(monks, class_arcs=True).members_.items():
        assert set(drawn.arcs) == set(monks.ensemble_[m].structure.arcs)


def test_an_ensemble_and_its_classifier_give_one_picture(monks):
    displays = [plot_ensemble(m, figure=Figure()) for m in (monks, monks.ensemble_)]
    first, second = (
        [arc.get_path().vertices for drawn in d.members_.values() for arc in drawn.arcs.values()]
        for d in displays
    )
    np.testing.assert_equal(first, second)


def test_unequal_weights_stand_in_the_titles(watan):
    expected = [
        f"{root}\nweight {w:.3g}"
        for root, w in zip(load_dataset("iris")[0].columns, watan.ensemble_.weights, strict=True)
    ]
    assert titles(plot_ensemble(watan)) == expected
    equal = ATAN().fit(*load_dataset("iris"))
    assert titles(plot_ensemble(equal)) == list(load_dataset("iris")[0].columns)


def test_those_left_out_are_the_lightest_and_the_picture_says_so(watan):
    display = plot_ensemble(watan, max_members=2)
    assert list(display.members_) == sorted(np.argsort(watan.ensemble_.weights)[-2:].tolist())
    assert texts(display) == ["2 of 4 networks are left out; these are the 2 of largest weight"]
    assert display.n_left_out_ == 2
    assert texts(plot_ensemble(watan, max_members=4)) == []


def test_of_equals_the_last_are_left_out(monks):
    display = plot_ensemble(monks, max_members=1)
    assert list(display.members_) == [0]
    assert texts(display) == ["5 of 6 networks are left out; these are the first 1"]


def test_more_members_than_can_be_read_are_left_out_and_counted_unless_asked_for():
    many = ensemble_of(70)
    display = plot_ensemble(many)
    assert len(display.axes_) == 64
    assert texts(display) == ["6 of 70 networks are left out; these are the first 64"]
    assert len(plot_ensemble(many, max_members=70).axes_) == 70


@pytest.mark.parametrize("n", [20, 60])
def test_many_columns_are_laid_out_in_a_grid(n):
    rng = np.random.default_rng(n)
    X = pd.DataFrame(rng.integers(0, 2, (30, n)).astype(str), columns=[f"x{i}" for i in range(n)])
    display = plot_ensemble(AODE().fit(X, rng.integers(0, 2, 30)), max_members=n)
    assert titles(display) == [f"x{i}" for i in range(n)]
    places = [ax.get_position() for ax in display.axes_]
    columns, rows = {round(p.x0, 6) for p in places}, {round(p.y0, 6) for p in places}
    assert len(columns) > 2
    assert len(rows) > 2
    assert len(columns) * (len(rows) - 1) < n <= len(columns) * len(rows)


def test_all_members_have_one_scale(watan):
    display = plot_ensemble(watan)
    boxes = [box for drawn in display.members_.values() for box in drawn.nodes.values()]
    assert len({(box.get_width(), box.get_height()) for box in boxes}) == 1
    assert len({(ax.get_xlim(), ax.get_ylim()) for ax in display.axes_}) == 1
    widths = [
        (network.graph.edges[arc]["score"], line.get_linewidth())
        for network, drawn in zip(watan.ensemble_, display.members_.values(), strict=True)
        for arc, line in drawn.arcs.items()
    ]
    largest = max(widths)
    for score, width in widths:
        assert width == pytest.approx(max(largest[1] * score / largest[0], 0.7 * largest[1] / 6))


def test_one_key_serves_all(watan):
    display = plot_ensemble(watan)
    assert len(display.figure_.legends) == 1
    assert keys(display)[0] == r"$I(X_i; X_j \mid Y)$ in nats"
    assert all(ax.get_legend() is None for ax in display.axes_)
    assert keys(plot_ensemble(ensemble_of(2))) == []


def test_superparents_are_states_and_children_numbers():
    model = HAODE().fit(*load_dataset("iris"))
    display = plot_ensemble(model)
    assert keys(display)[-2:] == ["discrete", "continuous"]
    for m, drawn in display.members_.items():
        superparent = drawn.ax.get_title()
        assert superparent == model.ensemble_[m].structure.joint_family[1]
        radii = {n: box.get_boxstyle().rounding_size for n, box in drawn.nodes.items()}
        children = set(radii) - {"class", superparent}
        assert radii[superparent] == radii["class"] < min(radii[child] for child in children)


def test_superparents_that_are_numbers_title_their_network():
    X, y = load_dataset("iris")
    assert titles(plot_ensemble(GAODE().fit(X, y))) == list(X.columns)


def test_a_member_of_several_roots_is_called_by_its_place():
    assert titles(plot_ensemble(ensemble_of(2))) == ["member 0", "member 1"]
    forest = ensemble_of(1, "abc", {("a", "b"): None})
    assert titles(plot_ensemble(forest)) == ["a"]
    assert titles(plot_ensemble(ensemble_of(1, "a"))) == ["a"]


@pytest.mark.parametrize("name", ["$x_1$", "50%_&_#^~", "two\nlines", "", 7, ("t", 1), "W" * 60])
def test_odd_names_are_shown_as_they_are_and_fit(name):
    display = plot_ensemble(ensemble_of(3, (name, "b"), {(name, "b"): 0.1}))
    display.figure_.canvas.draw()
    captions = [ax.title for ax in display.axes_]
    for caption in captions:
        assert not caption.get_parse_math()
        assert "\n" not in caption.get_text()
        assert inside(extent(caption), display.figure_.bbox)
    assert not any(extent(a).overlaps(extent(b)) for a, b in combinations(captions, 2))
    for drawn in display.members_.values():
        assert inside(extent(drawn.labels[name]), extent(drawn.nodes[name]))


def test_everything_lies_inside_the_figure_and_apart(watan):
    display = plot_ensemble(watan, max_members=3, class_arcs=True, title="WATAN")
    figure = display.figure_
    figure.canvas.draw()
    title, note = figure.texts[::-1]
    assert title.get_text() == "WATAN"
    captions = [ax.title for ax in display.axes_]
    pictures = [drawn.nodes["class"] for drawn in display.members_.values()]
    pieces = [*map(extent, [title, note, *figure.legends, *captions, *pictures])]
    for i, piece in enumerate(pieces):
        assert inside(piece, figure.bbox)
        assert not any(piece.overlaps(other) for other in pieces[i + 1 :])


@pytest.mark.parametrize("size", [(3, 9), (12, 2)])
def test_a_given_figure_is_drawn_into_and_kept_within(monks, size):
    figure = plt.figure(figsize=size)
    display = plot_ensemble(monks, figure=figure, title="AODE")
    assert display.figure_ is figure
    assert plt.get_fignums() == [figure.number]
    figure.canvas.draw()
    for drawn in display.members_.values():
        assert inside(extent(drawn.ax.title), figure.bbox)
        for node, box in drawn.nodes.items():
            assert inside(extent(box), drawn.ax.get_window_extent())
            assert inside(extent(drawn.labels[node]), extent(box))


def test_a_subfigure_is_drawn_into(monks):
    left, right = Figure(figsize=(12, 4)).subfigures(1, 2)
    display = plot_ensemble(monks, figure=right)
    assert len(right.axes) == 6
    assert left.axes == []
    right.figure.canvas.draw()
    assert all(inside(ax.get_window_extent(), right.bbox) for ax in display.axes_)


def test_a_display_draws_again_elsewhere(monks):
    display = EnsembleDisplay(monks.ensemble_, max_members=2)
    first = display.plot(Figure()).figure_
    second = display.plot(Figure(), class_arcs=True).figure_
    assert display.figure_ is second
    assert first is not second
    assert len(first.axes) == len(second.axes) == 2


def test_single_networks_are_sent_to_plot_network():
    model = TAN().fit(*load_dataset("monks-1"))
    for one in (model, model.network_, model.network_.structure):
        with pytest.raises(BnclassError, match=r"holds one network.*plot_network"):
            plot_ensemble(one)
    assert plt.get_fignums() == []


def test_what_holds_no_networks_is_refused(monks):
    with pytest.raises(BnclassError, match="an unfitted AODE"):
        plot_ensemble(AODE())
    with pytest.raises(BnclassError, match="an unfitted TAN"):
        plot_ensemble(TAN())
    with pytest.raises(BnclassError, match="found a str"):
        plot_ensemble("wine")
    empty = NetworkEnsemble([], fallback=monks.ensemble_.fallback)
    with pytest.raises(BnclassError, match=r"no networks.*plot_network"):
        plot_ensemble(empty)


def test_large_networks_fill_one_page_and_no_more(monkeypatch):
    monkeypatch.setattr("bnclass.plot.ensemble.LARGEST", (6.0, 4.0))
    wide = ensemble_of(15, names=[f"column {i}" for i in range(6)])
    display = plot_ensemble(wide)
    n = len(display.axes_)
    assert 1 < n < 15
    assert (display.figure_.get_size_inches() <= (6.0, 4.0)).all()
    assert texts(display) == [f"{15 - n} of 15 networks are left out; these are the first {n}"]
    more = plot_ensemble(wide, max_members=n + 1)
    assert len(more.axes_) == n + 1
    assert (more.figure_.get_size_inches() > (6.0, 4.0)).any()
    titled = plot_ensemble(wide, title="title")
    assert (titled.figure_.get_size_inches() <= (6.0, 4.0)).all()
    # As many are drawn on a figure that is given.
    assert len(plot_ensemble(wide, figure=Figure(figsize=(5, 4))).axes_) == n


def test_the_page_is_as_large_as_documented():
    wide = ensemble_of(30, names=[f"column {i}" for i in range(30)])
    display = plot_ensemble(wide)
    assert 1 < len(display.axes_) < 30
    assert (display.figure_.get_size_inches() > (12.0, 8.0)).any()
    assert (display.figure_.get_size_inches() <= (24.0, 16.0)).all()


def test_a_network_larger_than_the_page_is_drawn_all_the_same(monkeypatch):
    monkeypatch.setattr("bnclass.plot.ensemble.LARGEST", (1.0, 1.0))
    display = plot_ensemble(ensemble_of(3))
    assert len(display.axes_) == 1
    assert texts(display) == ["2 of 3 networks are left out; these are the first 1"]


def test_members_are_chosen_by_their_places(monks, watan):
    display = plot_ensemble(monks, members=[4, 1])
    assert list(display.members_) == [4, 1]
    assert titles(display) == ["a5", "a2"]
    assert texts(display) == ["4 of 6 networks are left out"]
    assert texts(plot_ensemble(watan, members=range(4))) == []
    many = ensemble_of(70)
    assert list(plot_ensemble(many, members=range(3, 70)).members_) == list(range(3, 70))
    again = EnsembleDisplay(monks.ensemble_, members=np.array([2])).plot()
    assert titles(again) == ["a3"]


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ([], "members is [], expected places of networks"),
        (3, "members is 3, expected places of networks"),
        ([0, 6], "members holds 6, expected places from 0 to 5, each once"),
        ([-1], "members holds -1, expected places from 0 to 5, each once"),
        ([2, 1, 2], "members holds 2, expected places from 0 to 5, each once"),
        (["a1"], "members holds 'a1', expected places from 0 to 5, each once"),
        ([True], "members holds True, expected places from 0 to 5, each once"),
    ],
)
def test_members_that_are_none(monks, members, message):
    with pytest.raises(BnclassError) as caught:
        plot_ensemble(monks, members=members)
    assert str(caught.value) == message
    assert plt.get_fignums() == []


def test_members_and_their_number_are_not_both_given(monks):
    with pytest.raises(BnclassError, match="found members and max_members=2, expected one of them"):
        plot_ensemble(monks, max_members=2, members=[0, 1])


def test_networks_made_row_by_row_are_sent_to_plot_comparison():
    model = KST(k=1).fit(*load_dataset("monks-1"))
    for rowwise in (model, model.ensemble_):
        with pytest.raises(BnclassError, match=r"network for every row.*plot_comparison"):
            plot_ensemble(rowwise)
    local = KST(k=1, members="local").fit(*load_dataset("monks-1"))
    with pytest.raises(BnclassError, match=r"; plot_network draws network_at\(row\)$"):
        plot_ensemble(local)
    of_all = KST(k=1, members="global").fit(*load_dataset("monks-1"))
    assert len(plot_ensemble(of_all).axes_) == 1


@pytest.mark.parametrize("number", [0, -1, 2.0, True, "3"])
def test_max_members_is_a_positive_integer(monks, number):
    with pytest.raises(BnclassError, match="max_members is"):
        plot_ensemble(monks, max_members=number)
    assert plt.get_fignums() == []
