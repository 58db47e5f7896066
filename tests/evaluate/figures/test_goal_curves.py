"""`plot_goal_difference`."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from evaluate.figures.figure_checks import (
    TWENTY_NAMES,
    extent,
    inside,
    lay_out,
    random_losses,
    require_legible,
)
from matplotlib.figure import Figure

from bnclass import BnclassError, DataError, goal_difference_curve, published_table
from bnclass.evaluate.figures.goal_curves import GoalDifferenceDisplay, plot_goal_difference

KST = published_table("kst_zero_one_loss").losses
BY_HAND = pd.DataFrame(
    {"A": [0.10, 0.20, 0.30, 0.10], "B": [0.20, 0.20, 0.10, 0.20], "C": [0.1, 0.1, 0.1, 0.1]},
    index=["d1", "d2", "d3", "d4"],
)


def legend_names(display):
    return [text.get_text() for text in display.ax_.get_legend().get_texts()]


def tick_texts(display):
    lay_out(display)
    return [(t.get_position()[0], t.get_text()) for t in display.ax_.get_xticklabels()]


def test_by_hand():
    display = plot_goal_difference(BY_HAND, "A", ["B", "C"])
    assert isinstance(display, GoalDifferenceDisplay)
    points = {other: line.get_xydata().tolist() for other, line in display.curves_.items()}
    assert points["B"] == [[0, 0], [1, 1], [2, 1], [3, 0], [4, 1]]
    assert points["C"] == [[0, 0], [1, 0], [2, -1], [3, -2], [4, -2]]
    assert legend_names(display) == ["B  +1", "C  \N{MINUS SIGN}2"]
    assert display.ax_.get_legend().get_title().get_text() == "A against"
    assert display.ax_.get_ylabel() == "wins less losses of A"
    assert display.ax_.get_xlabel() == "4 data sets, in their order"
    require_legible(display)


def test_sizes_order_the_data_sets_and_are_written_at_the_axis():
    sizes = {"d1": 2_000_000, "d2": 24, "d3": 150, "d4": 150}
    display = plot_goal_difference(BY_HAND, "A", "B", sizes)
    assert display.curves_["B"].get_ydata().tolist() == [0, 0, -1, 0, 1]
    assert tick_texts(display) == [(1, "24"), (2, "150"), (3, "150"), (4, "2,000,000")]
    assert display.ax_.get_xlabel() == "4 data sets, by number of rows"
    require_legible(display)


@pytest.mark.parametrize("width", [2.5, 4, 9])
def test_first_and_last_size_are_written_and_no_two_overlap(width):
    sizes = dict(zip(KST.index, range(1_000_000, 41_000_000, 1_000_000), strict=True))
    ax = Figure(figsize=(width, 3), layout="constrained").subplots()
    display = plot_goal_difference(KST, "KST", "NB", pd.Series(sizes), ax=ax)
    places = tick_texts(display)
    assert places[0] == (1, "1,000,000")
    assert places[-1] == (40, "40,000,000")
    for place, text in places:
        assert text == f"{int(place):d},000,000"
    require_legible(display)


def test_the_published_table():
    others = [name for name in KST if name != "KST"]
    display = plot_goal_difference(KST, "KST", others)
    for other in others:
        curve = goal_difference_curve(KST, "KST", other)
        assert display.curves_[other].get_ydata().tolist() == [0, *curve["goal_difference"]]
    assert legend_names(display)[:2] == ["NB  +21", "TAN  +27"]
    styles = {(line.get_color(), line.get_linestyle()) for line in display.curves_.values()}
    assert len(styles) == 7
    require_legible(display)


def test_twenty_methods_with_awkward_names():
    losses = random_losses(TWENTY_NAMES)
    display = plot_goal_difference(losses, TWENTY_NAMES[0], TWENTY_NAMES[1:], margin=0.1)
    lay_out(display)
    legend = extent(display.ax_.get_legend())
    assert inside(legend, display.figure_.bbox)
    assert legend.x0 >= display.ax_.get_window_extent().x1
    assert legend_names(display)[2].startswith("_hidden  ")
    assert legend_names(display)[3].startswith("two lines  ")
    expected = goal_difference_curve(losses, TWENTY_NAMES[0], 7, margin=0.1)["goal_difference"]
    assert display.curves_[7].get_ydata()[1:].tolist() == expected.tolist()
    require_legible(display)


def test_no_goals_at_all():
    display = plot_goal_difference(pd.DataFrame({"A": [0.1], "B": [0.1]}), "A", "B")
    assert legend_names(display) == ["B  0"]
    assert np.ptp(display.curves_["B"].get_ydata()) == 0
    require_legible(display)


def test_in_given_axes_the_legend_is_inside():
    figure = Figure(figsize=(4, 3), layout="constrained")
    display = plot_goal_difference(KST, "KST", ["NB", "SVM"], ax=figure.subplots())
    lay_out(display)
    assert inside(extent(display.ax_.get_legend()), display.ax_.get_window_extent())
    assert plt.get_fignums() == []


def test_refusals():
    with pytest.raises(BnclassError, match="others has 0 methods, expected 1 to 28"):
        plot_goal_difference(KST, "KST", [])
    with pytest.raises(BnclassError, match="others has 29 methods"):
        plot_goal_difference(KST, "KST", range(29))
    with pytest.raises(BnclassError, match="others has the method 'NB' more than once"):
        plot_goal_difference(KST, "KST", ["NB", "TAN", "NB"])
    with pytest.raises(DataError, match="losses has no method 'XX', expected one of"):
        plot_goal_difference(KST, "KST", "XX")
    with pytest.raises(DataError, match="'KST' is compared with itself"):
        plot_goal_difference(KST, "KST", ["NB", "KST"])
    with pytest.raises(DataError, match=f"the size of the data set {KST.index[0]!r} is None"):
        plot_goal_difference(KST, "KST", "NB", {})
    assert plt.get_fignums() == []
