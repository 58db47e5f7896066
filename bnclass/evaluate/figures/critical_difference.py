"""`plot_critical_difference`: which methods differ, on the axis of their average ranks [D]."""

from collections.abc import Hashable
from math import isinf
from typing import TYPE_CHECKING

import pandas as pd

from bnclass.evaluate.figures import rank_page
from bnclass.evaluate.figures.lettering import settled_size, short
from bnclass.evaluate.figures.rank_page import RankPage
from bnclass.evaluate.figures.rank_pen import RankPen
from bnclass.evaluate.ranks import NemenyiResult, nemenyi_test
from bnclass.exceptions import BnclassError
from bnclass.plot.captions import wrapped
from bnclass.plot.easel import LETTERS_AN_INCH, SHORTEST_LINE, axes_of_size
from bnclass.plot.sheet import text_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.lines import Line2D
    from matplotlib.text import Text

# Least distance of two bars at one height, over the length of the axis.
BETWEEN_BARS = 0.06
# Of a picture whose caption needs no breaks, in inches.
ROOMY = 100.0


class CriticalDifferenceDisplay:
    """A critical-difference diagram.

    Made by `plot_critical_difference`.

    Parameters
    ----------
    result : NemenyiResult

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        Its x axis has the ranks.
    figure_ : matplotlib.figure.Figure
    leaders_ : dict of method to matplotlib.lines.Line2D
        The line from each method's rank to its name.
    labels_ : dict of method to matplotlib.text.Text
        The names.
    groups_ : tuple of matplotlib.lines.Line2D
        The bars that join methods, in the order of `NemenyiResult.groups`.
    difference_ : matplotlib.lines.Line2D
        The bar that is as long as the critical difference.

    Examples
    --------
    >>> from bnclass import CriticalDifferenceDisplay, nemenyi_test, published_table
    >>> from matplotlib.figure import Figure
    >>> result = nemenyi_test(published_table("kst_bias").losses)
    >>> display = CriticalDifferenceDisplay(result).plot(Figure().subplots())
    >>> [[float(rank) for rank in bar.get_xdata()] for bar in display.groups_]
    [[2.9, 4.225], [3.8, 5.2625]]
    """

    ax_: "Axes"
    figure_: "Figure | SubFigure"
    leaders_: "dict[Hashable, Line2D]"
    labels_: "dict[Hashable, Text]"
    groups_: "tuple[Line2D, ...]"
    difference_: "Line2D"

    def __init__(self, result: NemenyiResult) -> None:
        self.result = result

    def plot(self, ax: "Axes | None" = None) -> "CriticalDifferenceDisplay":
        """Draw the diagram, again or elsewhere.

        Parameters
        ----------
        ax
            As for `plot_critical_difference`.

        Returns
        -------
        CriticalDifferenceDisplay
            Itself.

        Raises
        ------
        BnclassError
            As for `plot_critical_difference`.
        """
        _refuse_infinite(self.result)
        pen = self._pen(ax)
        self.ax_, self.figure_ = pen.ax, pen.ax.figure
        pen.axis()
        self.groups_ = tuple(map(pen.bar, self._spans(), self._levels()))
        ranks = self.result.average_ranks
        drawn = [
            pen.method(name, rank, place)
            for (name, rank), place in zip(ranks.items(), rank_page.sides(len(ranks)), strict=True)
        ]
        self.leaders_ = dict(zip(ranks.index, (line for line, _ in drawn), strict=True))
        self.labels_ = dict(zip(ranks.index, (text for _, text in drawn), strict=True))
        self.difference_ = pen.difference(self.result.critical_difference)
        pen.caption()
        return self

    def _pen(self, ax: "Axes | None") -> RankPen:
        roomy = self._page(ROOMY)
        if ax is not None:
            size = settled_size(ax)
            return RankPen(ax, self._page(size[0] / roomy.scale(*size)), size)
        page = self._page(roomy.width)
        return RankPen(
            axes_of_size(None, (page.width, page.height)), page, (page.width, page.height)
        )

    def _page(self, width: float) -> RankPage:
        """Return the page with its caption in lines of some inches."""
        names = [text_width(short(name)) for name in self.result.average_ranks.index]
        half = (len(names) + 1) // 2
        return RankPage(
            n_methods=len(names),
            last_rank=max(float(len(names)), 1 + self.result.critical_difference),
            n_levels=max(self._levels(), default=-1) + 1,
            caption=self._caption(width),
            names=(max(names[:half]), max(names[half:])),
        )

    def _spans(self) -> list[tuple[float, float]]:
        ranks = dict(self.result.average_ranks)
        return [(float(ranks[group[0]]), float(ranks[group[-1]])) for group in self.result.groups]

    def _levels(self) -> list[int]:
        return rank_page.levels(self._spans(), BETWEEN_BARS * len(self.result.average_ranks))

    def _caption(self, width: float) -> str:
        differ = "bars join methods that do not differ" if self.result.groups else "all differ"
        lines = (
            f"average ranks over {self.result.n_datasets} data sets, 1 is best",
            f"{differ} (Nemenyi, {self.result.alpha:g})",
        )
        length = max(SHORTEST_LINE, int(LETTERS_AN_INCH * width))
        return "\n".join(wrapped(line, length) for line in lines)


def plot_critical_difference(
    losses: pd.DataFrame | NemenyiResult, alpha: float = 0.05, ax: "Axes | None" = None
) -> CriticalDifferenceDisplay:
    """Draw average ranks on an axis, and bars over methods that do not differ [D].

    Parameters
    ----------
    losses : DataFrame of shape (n_datasets, n_methods), or NemenyiResult
        Rows are data sets, columns methods; lower is better.
    alpha : float, default=0.05
        Level of Nemenyi's test. A `NemenyiResult` has its own.
    ax : matplotlib.axes.Axes, optional
        Where to draw, all sizes fitted to it as it is now. By default a new pyplot figure, as
        large as needed.

    Returns
    -------
    CriticalDifferenceDisplay
        With `ax_`, `figure_` and the artists.

    Raises
    ------
    DataError
        If a loss is missing, or there are fewer than two methods or two data sets.
    BnclassError
        If `alpha` is not between 0 and 1, or so small that the critical difference is infinite.

    Notes
    -----
    The axis has all ranks that are possible, 1 to the number of methods. The bar over it is as
    long as the critical difference, and each bar below it joins one of `NemenyiResult.groups`,
    from the best member's rank to the worst one's.

    Examples
    --------
    >>> from bnclass import plot_critical_difference, published_table
    >>> from matplotlib.figure import Figure
    >>> losses = published_table("kst_zero_one_loss").losses
    >>> display = plot_critical_difference(losses, ax=Figure().subplots())
    >>> list(display.labels_)[:3], float(display.leaders_["KST"].get_xdata()[0])
    (['KST', 'AODE', 'TAN'], 2.625)
    """
    result = losses if isinstance(losses, NemenyiResult) else nemenyi_test(losses, alpha)
    return CriticalDifferenceDisplay(result).plot(ax)


def _refuse_infinite(result: NemenyiResult) -> None:
    if isinf(result.critical_difference):
        raise BnclassError(
            f"alpha is {result.alpha!r}, with an infinite critical difference: expected a greater "
            "one for a picture"
        )
