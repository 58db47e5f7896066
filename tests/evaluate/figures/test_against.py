"""`plot_losses`, and places for names."""

from itertools import combinations
from math import pi

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from evaluate.figures.figure_checks import (
    ODD_NAMES,
    TWENTY_NAMES,
    extent,
    inside,
    lay_out,
    random_losses,
    require_legible,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

from bnclass import DataError, published_table, win_draw_loss
from bnclass.evaluate.figures.against import LossesDisplay, plot_losses
from bnclass.evaluate.figures.free_places import Box, free_places

KST = published_table("kst_zero_one_loss").losses
BY_HAND = pd.DataFrame(
    {"A": [0.10, 0.20, 0.19, 0.30], "B": [0.20, 0.20, 0.20, 0.10], "C": [None] * 4},
    index=["d1", "d2", "d3", "d4"],
)


def points(display):
    return {way: line.get_xydata().tolist() for way, line in display.points_.items()}


def record(display):
    return display.ax_.get_legend().get_title().get_text()


def markers(display, half=3.0):
    """The box of every marker, in pixels."""
    at = [line.get_transform().transform(line.get_xydata()) for line in display.points_.values()]
    return [(x - half, y - half, x + half, y + half) for x, y in np.concatenate(at)]


def require_free_names(display):
    require_legible(display)
    boxes = [extent(name) for name in display.names_.values()]
    assert not any(one.overlaps(two) for one, two in combinations(boxes, 2))
    legend, frame = extent(display.ax_.get_legend()), display.ax_.get_window_extent()
    for box in boxes:
        assert inside(box, frame)
        assert not box.overlaps(legend)
        for left, bottom, right, top in markers(display):
            assert not (box.x0 < right and left < box.x1 and box.y0 < top and bottom < box.y1)


def test_by_hand():
    display = plot_losses(BY_HAND, "A", "B")
    assert isinstance(display, LossesDisplay)
    # 0.19 against 0.20 is 5 % below, not more.
    assert points(display) == {1: [[0.2, 0.1]], 0: [[0.2, 0.2], [0.2, 0.19]], -1: [[0.1, 0.3]]}
    assert record(display) == "A 1/2/1"
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert legend == ["wins", "draws", "losses"]
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("loss of B", "loss of A")
    assert list(display.names_) == ["d4", "d1"]
    require_free_names(display)


def test_outcomes_differ_in_colour_and_shape():
    display = plot_losses(KST, "KST", "TAN")
    styles = [(line.get_color(), line.get_marker()) for line in display.points_.values()]
    assert len({colour for colour, _ in styles}) == len({marker for _, marker in styles}) == 3


@pytest.mark.parametrize("other", [name for name in KST if name != "KST"])
def test_the_published_table(other):
    display = plot_losses(KST, "KST", other)
    wins, draws, losses = win_draw_loss(KST).record("KST", other)
    assert [len(xy) for xy in points(display).values()] == [wins, draws, losses]
    assert record(display) == f"KST {wins}/{draws}/{losses}"
    for way, xy in points(display).items():
        for x, y in xy:
            assert (y < 0.95 * x, x < 0.95 * y) == (way == 1, way == -1)
    assert len(display.names_) == 5
    require_free_names(display)


def test_the_record_of_the_paper():
    assert record(plot_losses(KST, "KST", "TAN")) == "KST 29/9/2"


def test_both_axes_and_the_diagonal_have_one_scale():
    display = plot_losses(KST, "NB", "SVM")
    ax = display.ax_
    assert ax.get_xlim() == ax.get_ylim()
    assert ax.get_xlim()[0] == 0
    assert ax.get_xlim()[1] > KST[["NB", "SVM"]].to_numpy().max()
    lay_out(display)
    box = ax.get_window_extent()
    assert box.width == pytest.approx(box.height)


def test_awkward_names_of_methods_and_data_sets():
    losses = random_losses(TWENTY_NAMES, n_datasets=len(ODD_NAMES), spread=0.5)
    display = plot_losses(losses, ODD_NAMES[0], ODD_NAMES[4])
    assert record(display).startswith("$x_1$ ")
    assert len(display.names_) >= 3
    assert set(display.names_) <= set(ODD_NAMES)
    require_free_names(display)
    wide = plot_losses(losses, ODD_NAMES[9], ODD_NAMES[10])
    require_free_names(wide)


@pytest.mark.parametrize("size", [(2.2, 2.2), (3, 3), (6, 3)])
def test_in_given_axes_names_keep_from_the_legend(size):
    figure = Figure(figsize=size, layout="constrained")
    display = plot_losses(KST, "SVM", "KNN", ax=figure.subplots())
    require_free_names(display)
    assert plt.get_fignums() == []
    first = extent(display.ax_.get_legend()).extents
    lay_out(display)
    np.testing.assert_allclose(extent(display.ax_.get_legend()).extents, first, atol=2)


def test_all_equal_and_all_zero():
    for losses in (KST * 0, KST * 0 + 0.2):
        display = plot_losses(losses, "NB", "TAN")
        assert record(display) == "NB 0/40/0"
        assert display.names_ == {}
        assert display.ax_.get_xlim()[1] > 0
        require_free_names(display)


def test_points_that_are_not_there_leave_the_layout_alone():
    display = plot_losses(KST * 0, "NB", "TAN", Figure(layout="constrained").subplots())
    figure = display.figure_
    box = figure.get_tightbbox()
    assert box.x0 >= 0
    assert box.x1 <= figure.get_figwidth()


def test_refusals():
    with pytest.raises(DataError, match="losses has no method 'XX'"):
        plot_losses(KST, "XX", "NB")
    infinite = BY_HAND.replace({"A": {0.1: np.inf}})
    with pytest.raises(DataError, match="the loss of 'A' on 'd1' is inf, expected a finite one"):
        plot_losses(infinite, "A", "B")
    with pytest.raises(DataError, match=r"the loss of 'B' on 'd1' is -0\.2, expected at least 0"):
        plot_losses(BY_HAND.assign(B=-BY_HAND["B"]), "A", "B")
    assert plt.get_fignums() == []


PAGE = Box(0, 0, 4, 3)
COORDINATES = st.tuples(st.floats(0, 4), st.floats(0, 3))


@settings(deadline=None)
@given(st.lists(COORDINATES, max_size=8), st.lists(COORDINATES, max_size=5))
def test_places_are_free_and_on_the_page(named, others):
    taken = [Box(x - 0.05, y - 0.05, x + 0.05, y + 0.05) for x, y in named + others]
    places = free_places(named, [(0.7, 0.14)] * len(named), [0.0] * len(named), taken, PAGE)
    boxes = [place for place in places if place]
    assert len(places) == len(named)
    for place in boxes:
        assert PAGE.holds(place)
        assert not any(place.meets(other) for other in taken)
        assert (place.right - place.left, place.top - place.bottom) == pytest.approx((0.7, 0.14))
    assert not any(one.meets(two) for one, two in combinations(boxes, 2))


def test_places_by_hand():
    (right,) = free_places([(2, 1)], [(0.5, 0.2)], [0.0], [], PAGE)
    assert right == pytest.approx((2.1, 0.9, 2.6, 1.1))
    (left,) = free_places([(2, 1)], [(0.5, 0.2)], [pi], [], PAGE)
    assert left == pytest.approx((1.4, 0.9, 1.9, 1.1))
    wall = Box(2.05, 0, 4, 3)
    (other,) = free_places([(2, 1)], [(0.5, 0.2)], [0.0], [wall], PAGE)
    assert other.right <= 2.05
    assert free_places([(2, 1)], [(5, 0.2)], [0.0], [], PAGE) == [None]
