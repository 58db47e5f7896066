"""Class-conditional densities as curves, with the quantiles of data as ticks under them."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bnclass.plot.artists import INK
from bnclass.plot.mixtures import Floats
from bnclass.plot.palette import GREY, line_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection
    from matplotlib.lines import Line2D

# More classes than this are drawn one above the other, each on a line of its own.
MOST_TOGETHER = 10
# Share of the distance between two lines that the highest peak and the ticks take.
PEAK, TICKS = 0.78, 0.16
# Height of one class's ticks over the highest peak, and of all together at most.
TICK_HEIGHT, ALL_TICKS = 0.05, 0.3
LINE_WIDTH, TICK_WIDTH, FILL = 1.8, 0.6, 0.08
_CURVES, _BASE = 3, 2


@dataclass(frozen=True)
class Band:
    """Where one class is drawn.

    Attributes
    ----------
    base : float
        Density 0.
    unit : float
        Height of a density of 1.
    ticks : (float, float)
        Lower and upper end of the ticks.
    """

    base: float
    unit: float
    ticks: tuple[float, float]


def shared_bands(
    states: Sequence[Hashable], ticked: Sequence[Hashable], peak: float
) -> dict[Hashable, Band]:
    """Return bands that share one axis of densities, ticks row by row below it.

    Parameters
    ----------
    states : sequence of hashable
        The classes.
    ticked : sequence of hashable
        Those that have ticks; may hold ``None`` for rows of no known class.
    peak : float
        The highest density.

    Returns
    -------
    dict of class state to Band
    """
    height = peak * min(TICK_HEIGHT, ALL_TICKS / max(1, len(ticked)))
    bands = {state: Band(0.0, 1.0, (0.0, 0.0)) for state in states}
    for i, state in enumerate(ticked):
        bands[state] = Band(0.0, 1.0, (-(i + 0.95) * height, -(i + 0.2) * height))
    return bands


def stacked_bands(states: Sequence[Hashable], peak: float) -> dict[Hashable, Band]:
    """Return bands one below the other, densities on one scale in all of them.

    Parameters
    ----------
    states : sequence of hashable
        The classes; may end with ``None`` for rows of no known class.
    peak : float
        The highest density.

    Returns
    -------
    dict of class state to Band
        Their bases are 0, -1, -2, ….
    """
    return {
        state: Band(-float(i), PEAK / peak, (-i - TICKS, -i - 0.03))
        for i, state in enumerate(states)
    }


def draw_curves(
    ax: "Axes",
    curves: Mapping[Hashable, tuple[Floats, Floats]],
    states: Sequence[Hashable],
    bands: Mapping[Hashable, Band],
) -> "dict[Hashable, Line2D]":
    """Draw the density of every class.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    curves : mapping of class state to (points, densities)
    states : sequence of hashable
        All classes, in the order of their colours.
    bands : mapping of class state to Band

    Returns
    -------
    dict of class state to matplotlib.lines.Line2D
        Colours and dashes differ from class to class.
    """
    lines = {}
    for state, (x, density) in curves.items():
        band, (colour, dashes) = bands[state], line_style(states.index(state))
        y = band.base + band.unit * density
        (lines[state],) = ax.plot(
            x, y, color=colour, linestyle=dashes, linewidth=LINE_WIDTH, zorder=_CURVES
        )
        ax.fill_between(x, band.base, y, color=colour, alpha=FILL, linewidth=0)
    for base in {band.base for band in bands.values()}:
        ax.axhline(base, color=GREY, linewidth=0.6, zorder=_BASE)
    return lines


def draw_ticks(
    ax: "Axes",
    quantiles: Mapping[Hashable, Floats],
    states: Sequence[Hashable],
    bands: Mapping[Hashable, Band],
) -> "dict[Hashable, LineCollection]":
    """Draw the quantiles of data as upright ticks.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    quantiles : mapping of class state to ndarray
        Under ``None``, in grey: rows of no known class.
    states : sequence of hashable
        The classes, in the order of their colours.
    bands : mapping of class state to Band

    Returns
    -------
    dict of class state to matplotlib.collections.LineCollection
    """
    ticks = {}
    for state, values in quantiles.items():
        low, high = bands[state].ticks
        colour = GREY if state is None else line_style(states.index(state))[0]
        ticks[state] = ax.vlines(values, low, high, colors=colour, linewidth=TICK_WIDTH)
    return ticks


def name_lines(ax: "Axes", names: Sequence[str]) -> None:
    """Write a name beside each of the stacked lines.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    names : sequence of str
    """
    ax.set_yticks(-np.arange(len(names)), names, parse_math=False, color=INK)
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(-len(names) + 1 - 1.5 * TICKS, 1)


def trim_density_axis(ax: "Axes", bands: Mapping[Hashable, Band], peak: float) -> None:
    """Let the axis of densities end just above the highest peak, without numbers below 0.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    bands : mapping of class state to Band
    peak : float
    """
    top, lowest = 1.06 * peak, min(band.ticks[0] for band in bands.values())
    ax.set_ylim(lowest - 0.01 * peak, top)
    ax.set_yticks([tick for tick in ax.get_yticks() if 0 <= tick <= top])


def draw_legend(
    ax: "Axes",
    curves: "Mapping[Hashable, Line2D]",
    names: Mapping[Hashable, str],
    title: str,
    *,
    outside: bool,
) -> None:
    """Name the curves, every character of a name as it is.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    curves : mapping of class state to matplotlib.lines.Line2D
    names : mapping of class state to str
        Also of classes without a curve, and under ``None`` of ticks of no known class.
    title : str
        The name of the class.
    outside : bool
        Put it right of the axes; else where it covers least.
    """
    from matplotlib.lines import Line2D

    nothing, ticks = Line2D([], [], linestyle="none"), Line2D([], [], color=GREY)
    handles = [curves.get(state, ticks if state is None else nothing) for state in names]
    where = {"loc": "upper left", "bbox_to_anchor": (1.01, 1)} if outside else {"loc": "best"}
    # Names that begin with "_" would be left out, so they come in afterwards.
    legend = ax.legend(
        handles, ["name"] * len(handles), title=title, fontsize=9, handlelength=2.6, **where
    )
    legend.get_title().set_parse_math(False)
    for text, name in zip(legend.get_texts(), names.values(), strict=True):
        text.set_parse_math(False)
        text.set_text(name)
