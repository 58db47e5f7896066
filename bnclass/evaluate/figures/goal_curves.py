"""`plot_goal_difference`: wins less losses of one method against others, over data-set size."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from bnclass.evaluate.figures.legends import draw_legend, legend_size
from bnclass.evaluate.figures.lettering import settled_size, short
from bnclass.evaluate.records import goal_difference_curve
from bnclass.exceptions import BnclassError
from bnclass.plot.densities import LINE_WIDTH
from bnclass.plot.easel import axes_of_size, label_axes
from bnclass.plot.palette import COLOURS, DASHES, GREY, line_style
from bnclass.plot.sheet import text_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.lines import Line2D

# In inches: of the axes with what is written about them, in a figure of their own.
WIDTH, HEIGHT = 5.9, 4.2
BETWEEN_TICKS = 0.3  # from one label to the next, at least
MOST_CURVES = len(COLOURS) * len(DASHES)


class GoalDifferenceDisplay:
    """Goal differences of one method against others, as curves over data sets by size.

    Made by `plot_goal_difference`.

    Parameters
    ----------
    method : hashable
    curves : mapping of other method to DataFrame
        From `goal_difference_curve`, all of the same data sets in the same order.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        Its x axis has the number of data sets so far.
    figure_ : matplotlib.figure.Figure
    curves_ : dict of other method to matplotlib.lines.Line2D

    Examples
    --------
    >>> from bnclass import goal_difference_curve, GoalDifferenceDisplay, published_table
    >>> from matplotlib.figure import Figure
    >>> curve = goal_difference_curve(published_table("kst_bias").losses, "KST", "NB")
    >>> display = GoalDifferenceDisplay("KST", {"NB": curve}).plot(Figure().subplots())
    >>> len(display.curves_["NB"].get_xdata())  # one a data set, and the start
    41
    """

    ax_: "Axes"
    figure_: "Figure | SubFigure"
    curves_: "dict[Hashable, Line2D]"

    def __init__(self, method: Hashable, curves: Mapping[Hashable, pd.DataFrame]) -> None:
        self.method, self.curves = method, dict(curves)

    def plot(self, ax: "Axes | None" = None) -> "GoalDifferenceDisplay":
        """Draw the curves, again or elsewhere.

        Parameters
        ----------
        ax
            As for `plot_goal_difference`.

        Returns
        -------
        GoalDifferenceDisplay
            Itself.
        """
        ends = {other: curve["goal_difference"].iloc[-1] for other, curve in self.curves.items()}
        names = [f"{short(other)}  {_signed(end)}" for other, end in ends.items()]
        title = f"{short(self.method)} against"
        width, height = legend_size(names, title)
        has_own_figure = ax is None
        self.ax_ = ax = axes_of_size(ax, (WIDTH + width, max(HEIGHT, height)))
        self.figure_ = ax.figure
        ax.axhline(0, color=GREY, linewidth=0.8)
        self.curves_ = {other: self._curve(i, other) for i, other in enumerate(self.curves)}
        lines = list(self.curves_.values())
        draw_legend(ax, lines, names, title, outside=has_own_figure, handlelength=2.6)
        self._label(ax)
        return self

    def _curve(self, i: int, other: Hashable) -> "Line2D":
        colour, dashes = line_style(i)
        goals = [0, *self.curves[other]["goal_difference"]]
        style: dict[str, Any] = {"linewidth": LINE_WIDTH, "solid_joinstyle": "round"}
        (line,) = self.ax_.plot(range(len(goals)), goals, color=colour, linestyle=dashes, **style)
        return line

    def _label(self, ax: "Axes") -> None:
        from matplotlib.ticker import MaxNLocator

        curve = next(iter(self.curves.values()))
        order = "by number of rows" if "size" in curve else "in their order"
        below = f"{len(curve)} data sets, {order}"
        label_axes(ax, [below], f"wins less losses of {short(self.method)}")
        ax.set_xlim(0, len(curve))
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_locator(MaxNLocator(integer=True))
        if "size" in curve:
            sizes = [f"{size:,.10g}" for size in curve["size"]]
            places = _places(sizes, settled_size(ax)[0])
            ax.set_xticks(places, [sizes[place - 1] for place in places])


def plot_goal_difference(
    losses: pd.DataFrame,
    method: Hashable,
    others: Hashable | Iterable[Hashable],
    sizes: "Mapping[Any, Any] | pd.Series[Any] | None" = None,
    margin: float = 0.05,
    ax: "Axes | None" = None,
) -> GoalDifferenceDisplay:
    """Draw wins less losses of a method against others, over data sets by their size.

    Parameters
    ----------
    losses : DataFrame of shape (n_datasets, n_methods)
        As for `goal_difference_curve`.
    method : hashable
        Name of a column.
    others : hashable or list of hashable
        One other column, or up to 28.
    sizes : Series or dict, optional
        The number of rows of every data set, by name. By default data sets keep their order.
    margin : float, default=0.05
        As for `goal_difference_curve`.
    ax : matplotlib.axes.Axes, optional
        Where to draw. By default a new pyplot figure.

    Returns
    -------
    GoalDifferenceDisplay
        With `ax_`, `figure_` and the artists.

    Raises
    ------
    DataError
        As `goal_difference_curve`.
    BnclassError
        If `others` is empty, has a name twice, or more than can be told apart; or the margin is
        out of range.

    Notes
    -----
    All data sets are equally far from each other, smallest first: sizes are marked at some of
    them. A curve starts from 0, rises by 1 where `method` wins and falls by 1 where it loses.
    The legend says where it ends.

    Examples
    --------
    >>> from bnclass import plot_goal_difference, published_table
    >>> from matplotlib.figure import Figure
    >>> losses = published_table("kst_zero_one_loss").losses
    >>> display = plot_goal_difference(losses, "KST", ["NB", "TAN"], ax=Figure().subplots())
    >>> [text.get_text() for text in display.ax_.get_legend().get_texts()]
    ['NB  +21', 'TAN  +27']
    """
    curves = {
        other: goal_difference_curve(losses, method, other, sizes, margin)
        for other in _opponents(others)
    }
    return GoalDifferenceDisplay(method, curves).plot(ax)


def _opponents(others: Any) -> list[Hashable]:
    names = (
        list(others) if isinstance(others, Iterable) and not isinstance(others, str) else [others]
    )
    if not 1 <= len(names) <= MOST_CURVES:
        raise BnclassError(f"others has {len(names)} methods, expected 1 to {MOST_CURVES}")
    twice = [name for i, name in enumerate(names) if name in names[:i]]
    if twice:
        raise BnclassError(f"others has the method {twice[0]!r} more than once")
    return names


def _signed(goals: int) -> str:
    return f"{goals:+d}".replace("-", "\N{MINUS SIGN}") if goals else "0"


def _places(labels: Sequence[str], width: float) -> list[int]:
    """Return which data sets have a tick on an axis of some inches: the first and the last too."""
    room = max(map(text_width, labels)) + BETWEEN_TICKS
    wanted = min(len(labels), max(2, 1 + int(width / room)))
    return [int(place) for place in np.rint(np.linspace(1, len(labels), wanted))]
