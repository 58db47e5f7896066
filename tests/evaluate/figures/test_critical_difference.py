"""`plot_critical_difference` and where it puts things."""

from itertools import combinations, pairwise

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from evaluate.figures.figure_checks import (
    ODD_NAMES,
    TWENTY_NAMES,
    extent,
    random_losses,
    require_legible,
    written,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

from bnclass import BnclassError, DataError, nemenyi_test, published_table
from bnclass.evaluate.figures.critical_difference import (
    CriticalDifferenceDisplay,
    plot_critical_difference,
)
from bnclass.evaluate.figures.rank_page import levels, sides, ticks

KST = published_table("kst_zero_one_loss").losses


def spans(display):
    return [tuple(map(float, bar.get_xdata())) for bar in display.groups_]


def corners(line):
    return list(zip(*map(np.ndarray.tolist, map(np.asarray, line.get_data())), strict=True))


def texts(display):
    return [text.get_text() for text in written(display)]


def caption(display):
    (text,) = [text for text in texts(display) if text.startswith("average ranks over")]
    return text


def test_the_published_table():
    display = plot_critical_difference(KST)
    assert isinstance(display, CriticalDifferenceDisplay)
    starts = {name: corners(line)[0] for name, line in display.leaders_.items()}
    assert starts["KST"] == (2.625, 0)
    assert starts["SVM"] == (6.1125, 0)
    assert list(display.labels_) == list(nemenyi_test(KST).average_ranks.index)
    assert spans(display) == [(2.625, 3.8875), (3.8875, 5.25), (4.5125, 6.1125)]
    assert corners(display.difference_)[0][0] == 1
    assert corners(display.difference_)[1][0] == pytest.approx(2.6601, abs=5e-5)
    assert {"CD = 1.6601", "2.625", "1", "8"} < set(texts(display))
    assert caption(display) == (
        "average ranks over 40 data sets, 1 is best\n"
        "bars join methods that do not differ (Nemenyi, 0.05)"
    )
    require_legible(display)


@pytest.mark.parametrize("spread", [0, 0.05, 3])
@pytest.mark.parametrize("n", [2, 3, 8, 20])
def test_bars_span_the_groups_and_nothing_covers_another(n, spread):
    losses = random_losses(TWENTY_NAMES[:n], spread=spread)
    result = nemenyi_test(losses)
    display = plot_critical_difference(result)
    ranks = dict(result.average_ranks)
    assert spans(display) == [(ranks[g[0]], ranks[g[-1]]) for g in result.groups]
    require_legible(display)
    bars = [extent(bar) for bar in display.groups_]
    assert not any(a.overlaps(b) for a, b in combinations(bars, 2))
    for name, line in display.leaders_.items():
        (top, turn, end), label = corners(line), display.labels_[name]
        assert top == (ranks[name], 0)
        assert turn[0] == ranks[name]
        assert turn[1] == end[1] == label.get_position()[1]
        edge = extent(label).x1 if end[0] < ranks[name] else extent(label).x0
        assert edge == pytest.approx(
            extent(line).x0 if end[0] < turn[0] else extent(line).x1, abs=9
        )
    assert all(
        extent(bar).y0 > max(extent(t).y0 for t in display.labels_.values())
        for bar in display.groups_
    )


@pytest.mark.parametrize("n", [2, 5, 20])
def test_no_leader_crosses_another(n):
    display = plot_critical_difference(random_losses(TWENTY_NAMES[:n]))
    for one, two in combinations(display.leaders_.values(), 2):
        (_, turn, end), (x, y) = corners(one), corners(two)[1]
        for (a, b), (foot, depth) in (((turn, end), (x, y)), (corners(two)[1:], turn)):
            low, high = sorted((a[0], b[0]))
            assert not (low < foot < high and depth < a[1] < 0)


def test_equal_methods_are_joined_by_a_dot():
    display = plot_critical_difference(pd.DataFrame(np.ones((5, 5)), columns=list("ABCDE")))
    assert spans(display) == [(3, 3)]
    assert display.groups_[0].get_marker() == "o"
    assert display.groups_[0].get_markersize() > 3
    assert list(display.labels_) == list("ABCDE")
    require_legible(display)


def test_without_groups_there_are_no_bars():
    display = plot_critical_difference(pd.DataFrame({"A": [1.0] * 9, "B": [2.0] * 9}))
    assert display.groups_ == ()
    assert caption(display).endswith("\nall differ (Nemenyi, 0.05)")
    require_legible(display)


def test_a_difference_longer_than_the_axis_is_drawn_in_full():
    display = plot_critical_difference(pd.DataFrame({"A": [1.0, 1.0], "B": [2.0, 2.0]}), 0.001)
    end = corners(display.difference_)[1][0]
    assert end > 2.5
    assert end <= display.ax_.get_xlim()[1]
    require_legible(display)


def test_a_result_has_its_own_level():
    display = plot_critical_difference(nemenyi_test(KST, 0.1))
    assert caption(display).endswith("(Nemenyi, 0.1)")
    assert f"CD = {nemenyi_test(KST, 0.1).critical_difference:.4f}" in texts(display)
    loose, strict = (plot_critical_difference(KST, alpha) for alpha in (0.5, 0.001))
    assert corners(loose.difference_)[1] < corners(strict.difference_)[1]


def test_names_are_written_as_they_are():
    display = plot_critical_difference(random_losses(ODD_NAMES))
    shown = {text.get_text() for text in display.labels_.values()}
    assert {"$x_1$", "_hidden", "two lines", "''", "7", "('t', 1)", "50%_&_#more^~"} < shown
    assert list(display.labels_) != ODD_NAMES  # best first, yet all of them
    assert set(display.labels_) == set(ODD_NAMES)
    assert not any(text.get_parse_math() for text in display.labels_.values())


@pytest.mark.parametrize("size", [(3, 2), (4, 1.5), (12, 8)])
def test_given_axes_are_filled_and_nothing_leaves_them(size):
    figure = Figure(figsize=size)
    ax = figure.add_axes((0, 0, 1, 1))
    display = plot_critical_difference(random_losses(TWENTY_NAMES), ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is figure
    assert plt.get_fignums() == []
    require_legible(display)
    ends = [extent(text) for text in display.labels_.values()]
    used = max(box.x1 for box in ends) - min(box.x0 for box in ends)
    assert used > 0.9 * figure.bbox.width


def test_in_a_part_of_a_figure():
    part = Figure(figsize=(8, 3), layout="constrained").subfigures(1, 2)[1]
    display = plot_critical_difference(KST, ax=part.subplots())
    assert display.figure_ is part
    require_legible(display)


def test_a_display_draws_again_elsewhere():
    display = CriticalDifferenceDisplay(nemenyi_test(KST))
    first = display.plot(Figure().subplots()).ax_
    second = display.plot(Figure().subplots()).ax_
    assert first is not second
    assert display.ax_ is second
    assert len(first.lines) == len(second.lines)


def test_refusals():
    with pytest.raises(DataError, match="losses has 1 methods"):
        plot_critical_difference(KST[["NB"]])
    with pytest.raises(DataError, match="losses has 1 data sets"):
        plot_critical_difference(KST.head(1))
    with pytest.raises(DataError, match="losses of 'NB' on 'Lung cancer' are missing"):
        plot_critical_difference(
            KST.assign(NB=None).astype(float).rename({KST.index[0]: "Lung cancer"})
        )
    with pytest.raises(BnclassError, match="alpha is 2, expected"):
        plot_critical_difference(KST, 2)
    with pytest.raises(BnclassError, match="alpha is 1e-20, with an infinite critical difference"):
        plot_critical_difference(KST, 1e-20)
    assert plt.get_fignums() == []


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 9)), max_size=12))
@settings(deadline=None)
def test_bars_of_a_level_do_not_touch(drawn):
    bars = sorted((start, start + length) for start, length in drawn)
    found = levels(bars, 0.5)
    for level in set(found):
        of_level = [bar for bar, at in zip(bars, found, strict=True) if at == level]
        assert all(one[1] + 0.5 < two[0] for one, two in pairwise(of_level))
    most = max((sum(a <= at <= b + 0.5 for a, b in bars) for at, _ in bars), default=0)
    assert max(found, default=-1) + 1 == most


def test_sides_by_hand():
    assert sides(2) == [(True, 0), (False, 0)]
    assert sides(5) == [(True, 0), (True, 1), (True, 2), (False, 1), (False, 0)]


def test_ticks_by_hand():
    assert list(ticks(20, 0.25)) == list(range(1, 21))
    assert ticks(20, 0.1) == [1, 5, 10, 15, 20]
    assert ticks(50, 0.03) == [1, 10, 20, 30, 40, 50]
