"""`plot_ranks`."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from evaluate.figures.figure_checks import (
    TWENTY_NAMES,
    extent,
    inside,
    random_losses,
    require_legible,
)
from matplotlib.figure import Figure

from bnclass import DataError, average_ranks, published_table
from bnclass.evaluate.figures.rank_bars import RankDisplay, plot_ranks

KST = published_table("kst_bias").losses


def test_the_published_table():
    display = plot_ranks(KST)
    assert isinstance(display, RankDisplay)
    widths = {name: bar.get_width() for name, bar in display.bars_.items()}
    assert widths == {
        "KST": 2.9,
        "KDB": 3.8,
        "AODE": 3.8625,
        "TAN": 4.225,
        "ATAN": 4.225,
        "KNN": 4.625,
        "NB": 5.2625,
        "SVM": 7.1,
    }
    heights = [bar.get_y() + bar.get_height() / 2 for bar in display.bars_.values()]
    assert heights == pytest.approx(range(8))
    assert display.ax_.get_ylim() == (7.5, -0.5)  # best on top
    assert [t.get_text() for t in display.ax_.get_yticklabels()] == list(widths)
    assert display.numbers_["KST"].get_text() == "2.900"
    assert display.ax_.get_xlabel() == "average rank over 40 data sets, 1 is best"
    require_legible(display)


@pytest.mark.parametrize("n", [2, 8, 20])
def test_numbers_stand_at_their_bars_inside_the_axes(n):
    losses = random_losses(TWENTY_NAMES[:n])
    display = plot_ranks(losses)
    require_legible(display)
    for name, bar in display.bars_.items():
        assert bar.get_width() == average_ranks(losses)[name]
        number, box = extent(display.numbers_[name]), extent(bar)
        assert box.x1 < number.x0 < box.x1 + 12
        assert box.y0 < (number.y0 + number.y1) / 2 < box.y1
        assert inside(number, display.ax_.get_window_extent())


@pytest.mark.parametrize("size", [(2.5, 2), (6, 1.2)])
def test_small_axes_have_small_letters(size):
    figure = Figure(figsize=size, layout="constrained")
    display = plot_ranks(random_losses([f"m{i}" for i in range(20)]), figure.subplots())
    assert display.figure_ is figure
    require_legible(display)
    assert plt.get_fignums() == []


def test_equal_methods_keep_their_order():
    display = plot_ranks(pd.DataFrame(np.ones((2, 3)), columns=list("CAB")))
    assert list(display.bars_) == list("CAB")
    assert {bar.get_width() for bar in display.bars_.values()} == {2}


def test_what_the_ranks_refuse_is_refused():
    with pytest.raises(DataError, match="losses has 1 methods"):
        plot_ranks(KST[["NB"]])
    assert plt.get_fignums() == []
