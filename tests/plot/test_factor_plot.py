"""`plot_factor` and its display."""

import os
import subprocess
import sys
from itertools import pairwise, product

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from builders import CLASS, random_cpd, variable
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from odd_names import ODD_NAMES
from plot.mixed_networks import number, two_class_network
from scipy.stats import norm

from bnclass import (
    AODE,
    TAN,
    BayesianNetwork,
    BnclassError,
    CategoricalCPD,
    DataError,
    Structure,
    Variable,
    load_dataset,
)
from bnclass.factors.gaussian import GaussianCPD
from bnclass.factors.linear_gaussian import CLGCPD
from bnclass.plot.factors import FactorDisplay, plot_factor

X, Z = number("x"), number("z")


@pytest.fixture(autouse=True)
def _headless():
    plt.switch_backend("Agg")
    yield
    plt.close("all")


@pytest.fixture
def numeric():
    """Two classes, one number."""
    target = Variable(CLASS, states=("n", "p"))
    return two_class_network(GaussianCPD(X, (target,), [1.0, 4.0], [0.25, 4.0]))


@pytest.fixture
def tabular():
    """A node with three parents, the class among them, of 2, 3 and 2 states."""
    rng = np.random.default_rng(0)
    y, b, c, a = variable(CLASS, 2), variable("b", 3), variable("c", 2), variable("a", 4)
    factors = [random_cpd(rng, y, ()), random_cpd(rng, b, (y,)), random_cpd(rng, c, (y,))]
    factors.append(random_cpd(rng, a, (y, b, c)))
    arcs = [(p.name, f.variable.name) for f in factors for p in f.parents]
    return BayesianNetwork(Structure.from_arcs([CLASS, "b", "c", "a"], arcs, CLASS), factors)


def classes(n, name="digit", spread=1.0):
    """Return a network of n classes and a number."""
    target = Variable(name, states=tuple(f"class {i}" for i in range(n)))
    factor = GaussianCPD(X, (target,), np.arange(n), np.full(n, spread**2))
    prior = CategoricalCPD(target, (), np.full(n, 1 / n))
    return BayesianNetwork(Structure.from_arcs([name, "x"], [(name, "x")], name), [prior, factor])


def drawn(display):
    display.figure_.canvas.draw()
    return display


def positions(ticks):
    return np.array([segment[0, 0] for segment in ticks.get_segments()])


def texts(display):
    """All that is written in the figure."""
    return [t.get_text() for t in display.figure_.findobj(plt.Text) if t.get_text()]


def legend_names(display):
    return [text.get_text() for text in display.ax_.get_legend().get_texts()]


def cell_texts(display):
    return [t.get_text() for t in display.ax_.texts if t.get_text() and t.get_ha() == "center"]


def row_names(display):
    return [t.get_text() for t in display.ax_.get_yticklabels()]


# ---------------------------------------------------------------- densities


def test_one_curve_a_class_each_the_density_of_its_own(numeric):
    display = drawn(plot_factor(numeric, "x"))
    assert isinstance(display, FactorDisplay)
    assert list(display.curves_) == legend_names(display) == ["n", "p"]
    assert display.image_ is None
    for (mean, deviation), line in zip([(1, 0.5), (4, 2)], display.curves_.values(), strict=True):
        x, y = line.get_data()
        np.testing.assert_allclose(y, norm.pdf(x, mean, deviation), rtol=1e-12)
        assert np.trapezoid(y, x) == pytest.approx(1, abs=1e-3)
    assert display.ax_.get_ylabel() == "density p(x | class)"
    assert display.ax_.get_xlabel() == "x"


def test_a_curve_shows_what_it_averages_over_and_what_is_given():
    y, a = Variable(CLASS, states=("n", "p")), Variable("a", states=("u", "v"))
    network = two_class_network(
        CategoricalCPD(a, (y,), [[0.5, 0.5], [1.0, 0.0]]),
        GaussianCPD(Z, (y,), [0, 1], [1, 1]),
        CLGCPD(X, (y, a, Z), [[0, 8], [1, 9]], np.ones((2, 2, 1)), np.full((2, 2), 0.5)),
    )
    free = plot_factor(network, "x")
    assert free.ax_.get_ylabel() == "density p(x | class)"
    assert free.ax_.get_xlabel() == "x\naveraged over a, z"
    x, density = free.curves_["n"].get_data()
    assert np.trapezoid(density, x) == pytest.approx(1, abs=1e-3)
    some = plot_factor(network, "x", given={"a": "v"})
    assert some.ax_.get_ylabel() == "density p(x | class, a)"
    assert some.ax_.get_xlabel() == "x\ngiven a = v\naveraged over z"
    assert list(some.curves_) == ["n"]
    assert legend_names(some) == ["n", "p (impossible)"]
    all_given = plot_factor(network, "x", given={"z": 2.5, "a": "u"})
    assert all_given.ax_.get_xlabel() == "x\ngiven z = 2.5, a = u"
    assert list(all_given.curves_) == ["n", "p"]


def test_what_no_class_allows_is_refused():
    y, a = Variable(CLASS, states=("n", "p")), Variable("a", states=("u", "v"))
    network = two_class_network(
        CategoricalCPD(a, (y,), [[1.0, 0.0], [1.0, 0.0]]),
        GaussianCPD(Z, (y,), [0, 1], [1, 1]),
        CLGCPD(X, (y, a, Z), np.zeros((2, 2)), np.ones((2, 2, 1)), np.ones((2, 2))),
    )
    with pytest.raises(BnclassError, match="given: a = v has probability 0 in every class"):
        plot_factor(network, "x", given={"a": "v"})
    assert plt.get_fignums() == []


def test_without_a_class_there_is_one_curve_and_no_legend():
    network = BayesianNetwork(Structure.from_arcs(["x"], []), [GaussianCPD(X, (), 2.0, 9.0)])
    display = plot_factor(network, "x", {"x": [1.0, 2.0]})
    assert list(display.curves_) == [None]
    assert list(display.ticks_) == [None]
    assert display.ax_.get_legend() is None
    assert display.ax_.get_ylabel() == "density p(x)"


@pytest.mark.parametrize("n", [1, 2, 10, 11, 28])
def test_classes_differ_in_colour_and_dashes(n):
    display = drawn(plot_factor(classes(n), "x"))
    styles = [(line.get_color(), line.get_linestyle()) for line in display.curves_.values()]
    assert len(set(styles)) == n
    assert all(a[0] != b[0] and a[1] != b[1] for a, b in pairwise(styles))


def test_up_to_ten_classes_share_an_axis_and_have_a_legend_outside_it():
    display = drawn(plot_factor(classes(10), "x"))
    assert legend_names(display) == [f"class {i}" for i in range(10)]
    legend = display.ax_.get_legend().get_window_extent()
    assert legend.x0 >= display.ax_.get_window_extent().x1
    assert legend.x1 <= display.figure_.bbox.x1
    assert min(display.ax_.get_yticks()) == 0


def test_in_given_axes_the_legend_stays_inside(numeric):
    figure = Figure(figsize=(4, 3))
    display = plot_factor(numeric, "x", ax=figure.subplots())
    figure.canvas.draw()
    legend = display.ax_.get_legend().get_window_extent()
    assert legend.x1 <= display.ax_.get_window_extent().x1


@pytest.mark.parametrize("n", [11, 40])
def test_more_classes_stand_on_lines_of_their_own_on_one_scale(n):
    display = drawn(plot_factor(classes(n, spread=0.5), "x"))
    assert row_names(display) == [f"class {i}" for i in range(n)]
    assert display.ax_.get_legend() is None
    assert "all on one scale" in display.ax_.get_ylabel().replace("\n", " ")
    scales = set()
    for i, line in enumerate(display.curves_.values()):
        x, y = line.get_data()
        assert -i <= y.min() <= y.max() < -i + 1  # below the next line
        scales.add(round(np.trapezoid(y + i, x), 3))
    assert len(scales) == 1
    labels = [t.get_window_extent() for t in display.ax_.get_yticklabels()]
    assert not any(a.overlaps(b) for a, b in pairwise(labels))


def test_a_very_narrow_class_beside_a_wide_one_is_drawn_whole():
    target = Variable(CLASS, states=("n", "p"))
    network = two_class_network(GaussianCPD(X, (target,), [0.0, 0.0], [1e-8, 1e8]))
    for line in plot_factor(network, "x").curves_.values():
        x, y = line.get_data()
        assert np.trapezoid(y, x) == pytest.approx(1, abs=1e-3)


# ---------------------------------------------------------------- ticks


def test_ticks_are_the_quantiles_of_each_class(numeric):
    rng = np.random.default_rng(0)
    data = pd.DataFrame({"x": rng.normal(size=60), CLASS: list("nnp") * 20})
    data.loc[[0, 5], "x"] = np.nan
    display = drawn(plot_factor(numeric, "x", data))
    assert list(display.ticks_) == ["n", "p"]
    for state, ticks in display.ticks_.items():
        values = data.loc[data[CLASS] == state, "x"].dropna()
        expected = np.quantile(values, np.arange(101) / 100)
        np.testing.assert_allclose(positions(ticks), expected, rtol=1e-12)
        (colour,) = ticks.get_color()
        assert tuple(colour) == to_rgba(display.curves_[state].get_color())
        assert all(segment[:, 1].max() < 0 for segment in ticks.get_segments())  # under the curves
    note = "ticks: 101 quantiles of each class, 58 rows, 2 more without a value"
    assert display.ax_.get_xlabel().split() == ["x", *note.split()]  # in lines as they fit
    lowest = min(s[:, 1].min() for t in display.ticks_.values() for s in t.get_segments())
    assert display.ax_.get_ylim()[0] < lowest


def test_without_labels_the_ticks_are_of_all_rows(numeric):
    display = plot_factor(numeric, "x", {"x": np.arange(201.0)})
    assert list(display.ticks_) == [None]
    np.testing.assert_allclose(positions(display.ticks_[None]), np.arange(0, 201, 2.0))
    assert "ticks: 101 quantiles, 201 rows" in display.ax_.get_xlabel()
    assert legend_names(display) == ["n", "p"]


@pytest.mark.parametrize("n", [2, 12])
def test_rows_of_no_known_class_are_shown_and_named(n):
    labels = ["class 0", "class 1", None, "unheard of"]
    data = pd.DataFrame({"x": [0.0, 1.0, 5.0, 7.0], "digit": labels})
    display = drawn(plot_factor(classes(n), "x", data))
    assert list(display.ticks_) == ["class 0", "class 1", None]
    assert positions(display.ticks_[None])[[0, 50, 100]].tolist() == [5.0, 6.0, 7.0]
    names = legend_names(display) if n == 2 else row_names(display)
    assert names == [*(f"class {i}" for i in range(n)), "no known class"]


def test_what_a_model_fills_in_is_no_data():
    filled = Variable("x", kind="continuous", fill=3.0)
    network = BayesianNetwork(Structure.from_arcs(["x"], []), [GaussianCPD(filled, (), 2.0, 9.0)])
    display = plot_factor(network, "x", {"x": [np.nan, 1.0, 2.0]})
    assert positions(display.ticks_[None]).max() == 2.0


def test_data_without_any_number_have_no_ticks(numeric):
    display = drawn(plot_factor(numeric, "x", {"x": [None, None]}))
    assert display.ticks_ == {}
    assert "0 rows, 2 more without a value" in display.ax_.get_xlabel()


@pytest.mark.parametrize(
    ("data", "message"),
    [({"z": [1.0]}, "no column 'x'"), ({"x": ["a"]}, "'x' holds text, expected number")],
    ids=["no such column", "text"],
)
def test_data_that_do_not_fit_are_refused(numeric, data, message):
    with pytest.raises(DataError, match=message):
        plot_factor(numeric, "x", data)
    assert plt.get_fignums() == []


# ---------------------------------------------------------------- constants


@pytest.mark.parametrize("value", [420.0, 0.0, -1e90, 1e-90])
def test_a_constant_says_so(value):
    target = Variable(CLASS, states=("n", "p"))
    network = two_class_network(GaussianCPD(X, (target,), [value, value], [0, 0]))
    display = drawn(plot_factor(network, "x", {"x": [value, value, np.nan]}))
    assert display.curves_ == {}
    assert f"constant: {value:.10g} in training" in display.ax_.get_xlabel()
    assert set(positions(display.ticks_[None])) == {value}


# ---------------------------------------------------------------- tables


def test_a_heat_map_shows_the_table_row_by_row_the_class_first(tabular):
    display = drawn(plot_factor(tabular, "a"))
    table = tabular.factors["a"].table
    np.testing.assert_array_equal(display.image_.get_array(), table.reshape(12, 4))
    order = product(("s0", "s1"), ("s0", "s1", "s2"), ("s0", "s1"))
    assert row_names(display) == ["  ·  ".join(states) for states in order]
    assert "class  ·  b  ·  c" in texts(display)
    columns = [t.get_text() for t in display.ax_.get_xticklabels()]
    assert columns == ["s0", "s1", "s2", "s3"]
    assert display.ax_.get_xlabel() == "P(a | class, b, c)"
    assert cell_texts(display) == [f"{p:.2f}" for p in table.ravel()]
    assert (display.curves_, display.ticks_) == ({}, {})


def test_parents_that_are_given_leave_the_other_rows(tabular):
    display = plot_factor(tabular, "a", given={"b": "s2", CLASS: "s1"})
    expected = tabular.factors["a"].table[1, 2]
    np.testing.assert_array_equal(display.image_.get_array(), expected)
    assert row_names(display) == ["s0", "s1"]
    assert display.ax_.get_xlabel() == "P(a | class, b, c)\ngiven b = s2, class = s1"
    everything = plot_factor(tabular, "a", given={"b": "s2", "c": "s0", CLASS: "s1"})
    assert everything.image_.get_array().shape == (1, 4)
    assert plot_factor(tabular, CLASS).image_.get_array().shape == (1, 2)


def test_numbers_never_pretend_to_be_0_or_1():
    a = variable("a", 3)
    for row, expected in [
        ([0.0, 0.0, 1.0], ["0", "0", "1"]),
        ([1e-9, 1e-3, 1 - 1e-3 - 1e-9], ["<.01", "<.01", ">.99"]),
        ([0.005, 0.004, 0.991], ["0.01", "<.01", "0.99"]),
    ]:
        network = BayesianNetwork(Structure.from_arcs("a", []), [CategoricalCPD(a, (), row)])
        assert cell_texts(plot_factor(network, "a")) == expected


def test_the_labels_of_a_table_cover_neither_each_other_nor_the_edge():
    y = Variable(CLASS, states=tuple(f"a class of a rather long name, {i}" for i in range(3)))
    a = Variable("a", states=tuple(f"a state of a rather long name, {i}" for i in range(12)))
    network = BayesianNetwork(
        Structure.from_arcs([CLASS, "a"], [(CLASS, "a")], CLASS),
        [CategoricalCPD(y, (), [1 / 3] * 3), CategoricalCPD(a, (y,), np.full((3, 12), 1 / 12))],
    )
    display = drawn(plot_factor(network, "a"))
    page = display.figure_.bbox.padded(1)
    for label in [*display.ax_.get_yticklabels(), *display.ax_.get_xticklabels()]:
        box = label.get_window_extent()
        assert page.x0 <= box.x0 <= box.x1 <= page.x1
        assert page.y0 <= box.y0 <= box.y1 <= page.y1
    rows = [t.get_window_extent() for t in display.ax_.get_yticklabels()]
    assert not any(a.overlaps(b) for a, b in pairwise(rows))
    assert cell_texts(display) == ["0.08"] * 36


def test_where_numbers_do_not_fit_a_bar_gives_the_scale(tabular):
    figure = Figure(figsize=(1.2, 1.2))
    display = plot_factor(tabular, "a", ax=figure.subplots())
    assert cell_texts(display) == []
    assert len(figure.axes) == 2
    assert display.image_.get_clim() == (0, 1)


def test_where_names_do_not_fit_their_number_is_written():
    rng = np.random.default_rng(0)
    y, b, a = variable(CLASS, 2), variable("b", 30), variable("a", 40)
    factors = [random_cpd(rng, y, ()), random_cpd(rng, b, (y,)), random_cpd(rng, a, (y, b))]
    arcs = [(CLASS, "b"), (CLASS, "a"), ("b", "a")]
    network = BayesianNetwork(Structure.from_arcs([CLASS, "b", "a"], arcs, CLASS), factors)
    display = plot_factor(network, "a", ax=Figure(figsize=(2, 2)).subplots())
    assert set(row_names(display)) == {""}
    assert "60 rows, too close to name" in texts(display)
    assert "40 states, too close to\nname" in display.ax_.get_xlabel()


def test_the_caption_of_a_small_table_stays_in_the_figure():
    rng = np.random.default_rng(0)
    y, a, sex = variable("diagnosis", 2), variable("smoker", 2), variable("sex", 2)
    factors = [random_cpd(rng, y, ()), random_cpd(rng, sex, (y,)), random_cpd(rng, a, (y, sex))]
    arcs = [("diagnosis", "sex"), ("diagnosis", "smoker"), ("sex", "smoker")]
    nodes = ["diagnosis", "sex", "smoker"]
    network = BayesianNetwork(Structure.from_arcs(nodes, arcs, "diagnosis"), factors)
    display = plot_factor(network, "smoker")
    display.figure_.canvas.draw()
    box = display.ax_.xaxis.label.get_window_extent()
    assert box.x0 >= 0
    assert box.x1 <= display.figure_.bbox.width


def test_a_table_of_too_many_rows_or_columns_is_refused_by_name():
    rng = np.random.default_rng(0)
    y, b, a = variable(CLASS, 2), variable("b", 33), variable("a", 2)
    factors = [random_cpd(rng, y, ()), random_cpd(rng, b, (y,)), random_cpd(rng, a, (y, b))]
    arcs = [(CLASS, "b"), (CLASS, "a"), ("b", "a")]
    network = BayesianNetwork(Structure.from_arcs([CLASS, "b", "a"], arcs, CLASS), factors)
    expected = r"'a': 66 configurations of \['class', 'b'\], .* 64 .* given=\{'b': 's0'\}"
    with pytest.raises(BnclassError, match=expected):
        plot_factor(network, "a")
    assert plot_factor(network, "a", given={"b": "s0"}).image_.get_array().shape == (2, 2)
    wide = BayesianNetwork(
        Structure.from_arcs("a", []), [CategoricalCPD(variable("a", 41), (), [1 / 41] * 41)]
    )
    with pytest.raises(BnclassError, match="'a' has 41 states, expected at most 40"):
        plot_factor(wide, "a")


def test_the_discretised_view_of_a_number_is_a_table():
    y = Variable(CLASS, states=("n", "p"))
    view = Variable("x (binned)", states=("low", "high"), source="x", cuts=(2.5,))
    network = two_class_network(CategoricalCPD(view, (y,), [[0.2, 0.8], [0.5, 0.5]]))
    assert plot_factor(network, "x (binned)").image_ is not None


# ---------------------------------------------------------------- models, names, axes


def test_a_classifier_and_its_network_give_one_picture():
    model = TAN().fit(*load_dataset("monks-1"))
    arrays = [plot_factor(m, "a2").image_.get_array() for m in (model, model.network_)]
    np.testing.assert_array_equal(*arrays)


def test_what_cannot_be_drawn_is_refused_by_name(numeric):
    monks = load_dataset("monks-1")
    with pytest.raises(BnclassError, match=r"no node 'z', expected one of \['class', 'x'\]"):
        plot_factor(numeric, "z")
    with pytest.raises(BnclassError, match=r"AODE holds several networks.*choose a member"):
        plot_factor(AODE().fit(*monks), "a1")
    with pytest.raises(BnclassError, match="an unfitted TAN"):
        plot_factor(TAN(), "a1")
    with pytest.raises(BnclassError, match="given: 'q' is no parent of 'x'"):
        plot_factor(numeric, "x", given={"q": 1})
    with pytest.raises(BnclassError, match="given: 'class' is the class"):
        plot_factor(numeric, "x", given={CLASS: "n"})
    assert plt.get_fignums() == []


@pytest.mark.parametrize("name", ODD_NAMES, ids=ascii)
def test_odd_names_of_nodes_and_states_are_drawn_as_they_are(name):
    target = Variable(name, states=(*dict.fromkeys([name, "other"]),))
    parent = Variable(("parent", name), states=(name, "other"))
    child, value = Variable(("child", name), states=(name, "other")), number(("x", name))
    even, nodes = np.full((2, 2), 0.5), [name, parent.name, child.name, value.name]
    factors = [
        CategoricalCPD(target, (), [0.5, 0.5]),
        CategoricalCPD(parent, (target,), even),
        CategoricalCPD(child, (target, parent), np.full((2, 2, 2), 0.5)),
        GaussianCPD(value, (target, parent), even, even),
    ]
    arcs = [(p.name, f.variable.name) for f in factors for p in f.parents]
    network = BayesianNetwork(Structure.from_arcs(nodes, arcs, name), factors)
    for node in nodes:
        display = drawn(plot_factor(network, node))
        for text in display.figure_.findobj(plt.Text):
            assert not (text.get_parse_math() and "$" in text.get_text())
    given = drawn(plot_factor(network, value.name, given={parent.name: name}))
    shown = " ".join(str(name).split()) or repr(name)
    wanted = shown if len(shown) <= 24 else shown[:13] + "…" + shown[-10:]
    assert legend_names(given)[0] == given.ax_.get_legend().get_title().get_text() == wanted


def test_given_axes_are_drawn_into_and_no_figure_is_made(numeric, tabular):
    for network, node in ((numeric, "x"), (tabular, "a")):
        figure = Figure(figsize=(5, 4))
        ax = figure.subplots()
        display = plot_factor(network, node, ax=ax, title="A title")
        assert display.ax_ is ax
        assert display.figure_ is figure
        assert ax.get_title() == "A title"
    assert plt.get_fignums() == []


def test_without_axes_a_pyplot_figure_is_made(numeric):
    display = plot_factor(numeric, "x")
    assert plt.get_fignums() == [display.figure_.number]


def test_a_display_draws_again_elsewhere(numeric):
    display = FactorDisplay(numeric, "x", {"x": [1.0, 2.0]})
    first = display.plot(Figure().subplots()).ax_
    second = display.plot(Figure().subplots()).ax_
    assert first is not second
    assert display.ax_ is second
    assert len(first.lines) == len(second.lines)


def test_all_that_is_written_lies_inside_the_figure(numeric, tabular):
    data = {"x": [0.0, 9.0, None], CLASS: ["n", "p", "p"]}
    for display in (
        plot_factor(numeric, "x", data, title="A title"),
        plot_factor(classes(12), "x", {"x": [0.0, 9.0], "digit": ["class 3", None]}, title="T"),
        plot_factor(tabular, "a", title="A title"),
    ):
        box, (width, height) = (
            drawn(display).figure_.get_tightbbox(),
            display.figure_.bbox_inches.size,
        )
        assert 0 <= box.x0 < box.x1 <= width
        assert 0 <= box.y0 < box.y1 <= height


def test_matplotlib_is_loaded_only_to_draw():
    code = "import sys, bnclass.plot.factors; sys.exit('matplotlib' in sys.modules)"
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    assert subprocess.run([sys.executable, "-c", code], env=env, check=False).returncode == 0
