"""`plot_ranks`: average ranks as bars."""

from collections.abc import Hashable
from typing import TYPE_CHECKING

import pandas as pd

from bnclass.evaluate.figures.lettering import NUMBER_SIZE, names_beside, settled_size, short
from bnclass.evaluate.ranks import average_ranks
from bnclass.plot.artists import ARC, INK
from bnclass.plot.easel import axes_of_size, label_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.container import BarContainer
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.patches import Rectangle
    from matplotlib.text import Annotation

# In inches: of a figure of its own, of a bar with the space about it, and of a rank's digits.
WIDTH, MARGIN, BAR_HEIGHT, NUMBER_WIDTH = 6.4, 0.75, 0.3, 0.6
THICKNESS = 0.68


class RankDisplay:
    """Average ranks as bars, best on top.

    Made by `plot_ranks`.

    Parameters
    ----------
    ranks : Series of shape (n_methods,)
        Average ranks.
    n_datasets : int

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
    figure_ : matplotlib.figure.Figure
    bars_ : dict of method to matplotlib.patches.Rectangle
        Best first.
    numbers_ : dict of method to matplotlib.text.Annotation
        The ranks, written at the bars.

    Examples
    --------
    >>> from bnclass import average_ranks, published_table, RankDisplay
    >>> from matplotlib.figure import Figure
    >>> ranks = average_ranks(published_table("kst_bias").losses)
    >>> display = RankDisplay(ranks, 40).plot(Figure().subplots())
    >>> display.numbers_["KST"].get_text()
    '2.900'
    """

    ax_: "Axes"
    figure_: "Figure | SubFigure"
    bars_: "dict[Hashable, Rectangle]"
    numbers_: "dict[Hashable, Annotation]"

    def __init__(self, ranks: "pd.Series[float]", n_datasets: int) -> None:
        self.ranks = ranks.sort_values(kind="stable")
        self.n_datasets = n_datasets

    def plot(self, ax: "Axes | None" = None) -> "RankDisplay":
        """Draw the bars, again or elsewhere.

        Parameters
        ----------
        ax
            As for `plot_ranks`.

        Returns
        -------
        RankDisplay
            Itself.
        """
        names, ranks = self.ranks.index, self.ranks.to_numpy()
        ax = axes_of_size(ax, (WIDTH, MARGIN + BAR_HEIGHT * len(names)))
        bars = ax.barh(range(len(names)), ranks, height=THICKNESS, color=ARC)
        ax.set_ylim(len(names) - 0.5, -0.5)
        label_axes(ax, [f"average rank over {self.n_datasets} data sets, 1 is best"], "")
        names_beside(ax, [short(name) for name in names])
        numbers = self._write(ax, bars)
        self.ax_, self.figure_ = ax, ax.figure
        self.bars_ = dict(zip(names, bars, strict=True))
        self.numbers_ = dict(zip(names, numbers, strict=True))
        return self

    def _write(self, ax: "Axes", bars: "BarContainer") -> "list[Annotation]":
        """Write the ranks, and let the axis be long enough for the longest bar's."""
        width, height = settled_size(ax)
        size = min(NUMBER_SIZE, 72 * height / len(self.ranks))
        share = min(0.5, NUMBER_WIDTH * size / NUMBER_SIZE / width)
        ax.set_xlim(0, float(self.ranks.max()) / (1 - share))
        return ax.bar_label(bars, fmt="%.3f", padding=4, fontsize=size, color=INK)


def plot_ranks(losses: pd.DataFrame, ax: "Axes | None" = None) -> RankDisplay:
    """Draw the average ranks of methods over data sets as bars, best on top.

    Parameters
    ----------
    losses : DataFrame of shape (n_datasets, n_methods)
        Rows are data sets, columns methods; lower is better.
    ax : matplotlib.axes.Axes, optional
        Where to draw. By default a new pyplot figure, as large as needed.

    Returns
    -------
    RankDisplay
        With `ax_`, `figure_` and the artists.

    Raises
    ------
    DataError
        As `average_ranks`.

    Examples
    --------
    >>> from bnclass import plot_ranks, published_table
    >>> from matplotlib.figure import Figure
    >>> display = plot_ranks(published_table("kst_zero_one_loss").losses, Figure().subplots())
    >>> [(name, float(bar.get_width())) for name, bar in display.bars_.items()][:2]
    [('KST', 2.625), ('AODE', 3.8875)]
    """
    return RankDisplay(average_ranks(losses), len(losses)).plot(ax)
