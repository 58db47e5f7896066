"""`plot_losses`: the losses of one method against those of another."""

from collections.abc import Hashable
from math import pi
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from bnclass.evaluate.figures.legends import draw_legend, legend_size
from bnclass.evaluate.figures.lettering import short
from bnclass.evaluate.figures.point_names import name_points
from bnclass.evaluate.losses import Floats, refuse_cells, two_of
from bnclass.evaluate.records import goal_difference_curve
from bnclass.plot.easel import axes_of_size, label_axes
from bnclass.plot.palette import COLOURS, GREY

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.lines import Line2D
    from matplotlib.text import Annotation

# In inches: of the axes with what is written about them, in a figure of their own.
WIDTH, HEIGHT = 5.1, 4.8
# How far below the other a loss wins: as for `goal_difference_curve`.
WIN_MARGIN = 0.05
MOST_NAMED = 5
# Of the axes over the greatest loss.
ROOM = 1.06
MARKER_SIZE = 6.0  # in points
# What the legend says, colour, marker, and in which direction a name is tried first.
OUTCOMES: dict[int, tuple[str, str, str, float]] = {
    1: ("wins", COLOURS[0], "o", 0.0),
    0: ("draws", GREY, "s", 0.0),
    -1: ("losses", COLOURS[1], "^", pi),
}


class LossesDisplay:
    """The losses of two methods against each other, a point a data set.

    Made by `plot_losses`.

    Parameters
    ----------
    losses : DataFrame of shape (n_datasets, n_methods)
    method, other : hashable
        Names of two columns.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
    figure_ : matplotlib.figure.Figure
    points_ : dict of int to matplotlib.lines.Line2D
        The data sets that `method` won (1), drew (0) and lost (-1).
    names_ : dict of data set to matplotlib.text.Annotation
        What is written beside some points.

    Examples
    --------
    >>> from bnclass import LossesDisplay, published_table
    >>> from matplotlib.figure import Figure
    >>> losses = published_table("kst_zero_one_loss").losses
    >>> display = LossesDisplay(losses, "KST", "TAN").plot(Figure().subplots())
    >>> [len(display.points_[outcome].get_xdata()) for outcome in (1, 0, -1)]
    [29, 9, 2]
    """

    ax_: "Axes"
    figure_: "Figure | SubFigure"
    points_: "dict[Hashable, Line2D]"
    names_: "dict[Hashable, Annotation]"

    def __init__(self, losses: pd.DataFrame, method: Hashable, other: Hashable) -> None:
        self.losses, self.method, self.other = losses, method, other

    def plot(self, ax: "Axes | None" = None) -> "LossesDisplay":
        """Draw the points, again or elsewhere.

        Parameters
        ----------
        ax
            As for `plot_losses`.

        Returns
        -------
        LossesDisplay
            Itself.

        Raises
        ------
        BnclassError
            As for `plot_losses`.
        """
        table = two_of(self.losses, self.method, self.other)
        refuse_cells(table, np.isinf(table.to_numpy()), "a finite one, to have a place")
        curve = goal_difference_curve(table, self.method, self.other, margin=WIN_MARGIN)
        outcomes = curve["outcome"].to_numpy()
        record = "/".join(str(int((outcomes == way).sum())) for way in OUTCOMES)
        names, title = [style[0] for style in OUTCOMES.values()], f"{short(self.method)} {record}"
        has_own_figure = ax is None
        self.ax_ = ax = axes_of_size(ax, (WIDTH + legend_size(names, title)[0], HEIGHT))
        self.figure_ = ax.figure
        _draw_band(ax, ROOM * float(table.to_numpy().max()) or 1.0)
        y, x = table.to_numpy().T
        self.points_ = {
            way: _draw_points(ax, x[outcomes == way], y[outcomes == way], way) for way in OUTCOMES
        }
        label_axes(ax, [f"loss of {short(self.other)}"], f"loss of {short(self.method)}")
        points = list(self.points_.values())
        draw_legend(ax, points, names, title, outside=has_own_figure, handlelength=1.0)
        self.names_ = _name_extremes(ax, table, outcomes)
        return self


def plot_losses(
    losses: pd.DataFrame, method: Hashable, other: Hashable, ax: "Axes | None" = None
) -> LossesDisplay:
    """Draw the losses of one method against those of another, a point a data set.

    Parameters
    ----------
    losses : DataFrame of shape (n_datasets, n_methods)
        Rows are data sets, columns methods; lower is better. Of columns other than the two,
        anything goes.
    method, other : hashable
        Names of two columns. Data sets that `method` wins are below the diagonal.
    ax : matplotlib.axes.Axes, optional
        Where to draw, names placed for its size as it is now. By default a new pyplot figure.

    Returns
    -------
    LossesDisplay
        With `ax_`, `figure_` and the artists.

    Raises
    ------
    DataError
        If a loss is missing, negative or infinite, there is no data set, or no such method.

    Notes
    -----
    In the band about the diagonal neither loss is 5 % below the other, as `win_draw_loss` has
    it. The up to five data sets that are won or lost by the greatest difference are named,
    where there is a place for their name.

    Examples
    --------
    >>> from bnclass import plot_losses, published_table
    >>> from matplotlib.figure import Figure
    >>> losses = published_table("kst_zero_one_loss").losses
    >>> display = plot_losses(losses, "KST", "TAN", Figure().subplots())
    >>> display.ax_.get_legend().get_title().get_text()
    'KST 29/9/2'
    """
    return LossesDisplay(losses, method, other).plot(ax)


def _draw_band(ax: "Axes", top: float) -> None:
    ends = np.array([0.0, top])
    ax.fill_between(
        ends, (1 - WIN_MARGIN) * ends, ends / (1 - WIN_MARGIN), color=GREY, alpha=0.18, lw=0
    )
    ax.plot(ends, ends, color=GREY, linewidth=0.8)
    ax.set_xlim(0, top)
    ax.set_ylim(0, top)
    ax.set_aspect("equal", adjustable="box")


def _draw_points(ax: "Axes", x: Floats, y: Floats, outcome: int) -> "Line2D":
    _, colour, marker, _ = OUTCOMES[outcome]
    style: dict[str, Any] = {"markeredgecolor": "white", "markeredgewidth": 0.5}
    # On the axes' edge points are drawn in full.
    (points,) = ax.plot(
        x, y, marker, color=colour, markersize=MARKER_SIZE, clip_on=False, zorder=3, **style
    )
    # matplotlib takes a line without points for one at the figure's corner.
    points.set_in_layout(False)
    return points


def _name_extremes(
    ax: "Axes", table: pd.DataFrame, outcomes: npt.NDArray[np.int64]
) -> "dict[Hashable, Annotation]":
    """Name the data sets of the greatest differences, where there is a place."""
    points, datasets = table.to_numpy()[:, ::-1], table.index.tolist()
    differences = np.where(outcomes == 0, 0.0, np.abs(points[:, 0] - points[:, 1]))
    order = np.argsort(-differences, kind="stable").tolist()
    chosen = [i for i in order if outcomes[i]][:MOST_NAMED]
    starts = [OUTCOMES[int(outcomes[i])][3] for i in chosen]
    names = name_points(ax, points, {i: short(datasets[i]) for i in chosen}, starts)
    return {datasets[i]: name for i, name in names.items()}
