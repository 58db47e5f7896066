"""What all figures of experiments have in common."""

import matplotlib.pyplot as plt
import pytest
from evaluate.figures.figure_checks import ODD_NAMES, random_losses
from matplotlib.figure import Figure
from matplotlib.text import Text

from bnclass.evaluate.figures.against import plot_losses
from bnclass.evaluate.figures.critical_difference import plot_critical_difference
from bnclass.evaluate.figures.goal_curves import plot_goal_difference
from bnclass.evaluate.figures.loss_parts import plot_bias_variance
from bnclass.evaluate.figures.rank_bars import plot_ranks

LOSSES = random_losses(ODD_NAMES)
FIGURES = {
    "critical difference": lambda ax: plot_critical_difference(LOSSES, ax=ax),
    "ranks": lambda ax: plot_ranks(LOSSES, ax=ax),
    "goal difference": lambda ax: plot_goal_difference(LOSSES, "_hidden", ["$x_1$", 7], ax=ax),
    "losses": lambda ax: plot_losses(LOSSES, "_hidden", "$x_1$", ax=ax),
    "bias and variance": lambda ax: plot_bias_variance(LOSSES, LOSSES, ax=ax),
}


@pytest.mark.parametrize("draw", FIGURES.values(), ids=FIGURES)
def test_without_axes_there_is_one_new_pyplot_figure(draw):
    display = draw(None)
    assert plt.get_fignums() == [display.figure_.number]
    assert display.ax_.figure is display.figure_


@pytest.mark.parametrize("draw", FIGURES.values(), ids=FIGURES)
@pytest.mark.parametrize("layout", ["none", "constrained", "tight"])
def test_parts_of_figures_are_drawn_into(draw, layout):
    figure = Figure(figsize=(9, 7), layout=layout)
    ax = figure.subplots(2, 2)[1, 1]
    display = draw(ax)
    assert display.ax_ is ax
    assert display.figure_ is figure
    assert plt.get_fignums() == []
    part = Figure(figsize=(9, 4)).subfigures(1, 2)[0]
    assert draw(part.subplots()).figure_ is part


@pytest.mark.parametrize("draw", FIGURES.values(), ids=FIGURES)
def test_no_name_is_taken_for_mathematics(draw):
    display = draw(None)
    display.figure_.canvas.draw()
    texts = [text for text in display.figure_.findobj(Text) if "$" in text.get_text()]
    assert texts
    assert not any(text.get_parse_math() for text in texts)
