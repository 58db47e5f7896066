"""`plot_bias_variance`."""

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

from bnclass import DataError, DataTypeError, published_table
from bnclass.evaluate.figures.loss_parts import BiasVarianceDisplay, plot_bias_variance

BIAS, VARIANCE = (published_table(f"kst_{part}").losses for part in ("bias", "variance"))
BY_HAND = pd.DataFrame({"A": [0.1, 0.3], "B": [0.0, 0.0]}, index=["d1", "d2"])


def parts(display):
    """(bottom, height) of both parts of every bar."""
    return {
        name: [
            (bar[name].get_y(), bar[name].get_height())
            for bar in (display.bias_, display.variance_)
        ]
        for name in display.bias_
    }


def test_by_hand():
    display = plot_bias_variance(BY_HAND, 2 * BY_HAND)
    assert isinstance(display, BiasVarianceDisplay)
    assert parts(display)["A"] == [
        (0, pytest.approx(0.2)),
        (pytest.approx(0.2), pytest.approx(0.4)),
    ]
    assert parts(display)["B"] == [(0, 0), (0, 0)]
    assert [text.get_text() for text in display.sums_.values()] == ["0.600", "0.00"]
    assert display.ax_.get_xlabel() == "means over 2 data sets"
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert legend == ["bias", "variance"]
    require_legible(display)


def test_the_published_tables():
    display = plot_bias_variance(BIAS, VARIANCE)
    assert list(display.bias_) == list(BIAS)
    for i, (name, ((_, bias), (bottom, variance))) in enumerate(parts(display).items()):
        assert bias == bottom == pytest.approx(BIAS[name].mean())
        assert variance == pytest.approx(VARIANCE[name].mean())
        bar = display.bias_[name]
        assert bar.get_x() + bar.get_width() / 2 == pytest.approx(i)
        assert display.sums_[name].get_text() == f"{BIAS[name].mean() + VARIANCE[name].mean():.3f}"
    require_legible(display)


@pytest.mark.parametrize("n", [2, 8, 20])
def test_sums_are_over_their_bars_and_under_the_legend(n):
    losses = random_losses(TWENTY_NAMES[:n])
    display = plot_bias_variance(losses, losses / 3)
    require_legible(display)
    legend = extent(display.ax_.get_legend())
    for name, text in display.sums_.items():
        bar, box = extent(display.variance_[name]), extent(text)
        assert bar.y1 < box.y0 < bar.y1 + 8
        assert bar.x0 < (box.x0 + box.x1) / 2 < bar.x1
        assert not box.overlaps(legend)
        assert not bar.overlaps(legend)
    names = [text.get_text() for text in display.ax_.get_xticklabels()]
    assert names[0] == "$x_1$"
    assert display.ax_.get_window_extent().height > 200


def test_given_axes_are_drawn_into():
    figure = Figure(figsize=(3, 2.5), layout="constrained")
    ax = figure.subplots()
    display = plot_bias_variance(BIAS, VARIANCE, ax)
    assert display.ax_ is ax
    assert display.figure_ is figure
    require_legible(display)
    assert inside(extent(ax.get_legend()), ax.get_window_extent())
    assert plt.get_fignums() == []


def test_columns_and_rows_are_matched_by_name():
    shuffled = VARIANCE.sample(frac=1, random_state=0)[list(VARIANCE)[::-1]]
    assert parts(plot_bias_variance(BIAS, shuffled)) == parts(plot_bias_variance(BIAS, VARIANCE))


def test_nothing_but_zeros():
    display = plot_bias_variance(0 * BIAS, 0 * BIAS)
    assert display.ax_.get_ylim() == (0, 1)
    require_legible(display)


@pytest.mark.parametrize(
    ("bias", "variance", "message"),
    [
        (BIAS, VARIANCE.drop(columns="KST"), "bias has the method 'KST', but variance has not"),
        (BIAS.drop(columns="KST"), VARIANCE, "variance has the method 'KST', but bias has not"),
        (BIAS.head(2), VARIANCE.head(3), f"variance has the data set {BIAS.index[2]!r}, but bias"),
        (BY_HAND, -BY_HAND, "the variance of 'A' on 'd1' is -0.1, expected a finite number of at"),
        (BY_HAND + np.inf, BY_HAND, "the bias of 'A' on 'd1' is inf, expected a finite number"),
        (BY_HAND, BY_HAND.mask(BY_HAND > 0.2), "variance: losses of 'A' on 'd2' are missing"),
        (BY_HAND[["A"]], BY_HAND, "bias: losses has 1 methods"),
    ],
)
def test_refusals(bias, variance, message):
    with pytest.raises(DataError, match=message):
        plot_bias_variance(bias, variance)
    assert plt.get_fignums() == []


def test_a_list_is_no_frame():
    with pytest.raises(DataTypeError, match="bias: losses is a list, expected a pandas DataFrame"):
        plot_bias_variance([[1]], BIAS)
