"""The key below a network: to the widths of arcs and the shapes of nodes."""

from collections.abc import Sequence
from math import floor, log10
from typing import TYPE_CHECKING, Any, NamedTuple

from bnclass.plot.artists import ARC, BOX, CONTINUOUS_BOX, INK, OUTLINE
from bnclass.plot.widths import scaled_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.legend import Legend
    from matplotlib.patches import FancyBboxPatch

FONT_SIZE = 8.5
# In inches.
SCORES_WIDTH, KINDS_WIDTH = 3.0, 2.1
# Radius of corners over the height of a sample box.
_SQUARE, _ROUND = 0.2, 0.5


class Entry(NamedTuple):
    """A sample and what it means.

    Attributes
    ----------
    sample : matplotlib.artist.Artist
    text : str
    """

    sample: Any
    text: str


def score_entries(largest: float, meaning: str, scale: float) -> list[Entry]:
    """Return sample lines of round scores.

    Parameters
    ----------
    largest : float
        The largest score, above 0.
    meaning : str
        What the scores measure.
    scale : float
        Size on the page over natural size.

    Returns
    -------
    list of Entry
    """
    from matplotlib.lines import Line2D

    top = round_below(largest)
    lines = [
        Entry(
            Line2D([], [], color=ARC, linewidth=scaled_width(score, largest) * scale),
            f"{score:.3g}",
        )
        for score in (top / 2, top)
    ]
    return [Entry(Line2D([], [], linestyle="none"), meaning), *lines]


def kind_entries(scale: float) -> list[Entry]:
    """Return sample boxes of both kinds of nodes.

    Parameters
    ----------
    scale : float
        Size on the page over natural size.

    Returns
    -------
    list of Entry
    """
    style = {"edgecolor": ARC, "linewidth": OUTLINE * scale}
    return [
        Entry(_box((0, 0), 1, 1, _SQUARE, facecolor=BOX, **style), "discrete"),
        Entry(_box((0, 0), 1, 1, _ROUND, facecolor=CONTINUOUS_BOX, **style), "continuous"),
    ]


def draw_key(ax: "Axes", entries: Sequence[Entry], scale: float) -> "Legend":
    """Draw samples side by side below the network.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    entries : sequence of Entry
    scale : float
        Size on the page over natural size.

    Returns
    -------
    matplotlib.legend.Legend
    """
    from matplotlib.legend_handler import HandlerPatch
    from matplotlib.patches import FancyBboxPatch

    return ax.legend(
        [entry.sample for entry in entries],
        [entry.text for entry in entries],
        loc="lower center",
        ncols=len(entries),
        frameon=False,
        fontsize=FONT_SIZE * scale,
        labelcolor=INK,
        borderaxespad=0.2,
        handlelength=1.6,
        columnspacing=1.0,
        handler_map={FancyBboxPatch: HandlerPatch(_fitted_box)},
    )


def _fitted_box(
    *, orig_handle: Any, xdescent: float, ydescent: float, width: float, height: float, **_: Any
) -> "FancyBboxPatch":
    """Give a sample box the place that the legend has for it; its colours follow."""
    rounding = orig_handle.get_boxstyle().rounding_size * height
    return _box((-xdescent, -ydescent), width, height, rounding)


def _box(
    corner: tuple[float, float], width: float, height: float, rounding: float, **style: Any
) -> "FancyBboxPatch":
    from matplotlib.patches import FancyBboxPatch

    shape = f"round,pad=0,rounding_size={rounding}"
    return FancyBboxPatch(corner, width, height, boxstyle=shape, **style)


def round_below(value: float) -> float:
    """Return the largest 1, 2 or 5 times a power of ten that is not above a value.

    Parameters
    ----------
    value : float
        Above 0.

    Returns
    -------
    float

    Examples
    --------
    >>> from bnclass.plot.key import round_below
    >>> round_below(0.137), round_below(7.0)
    (0.1, 5.0)
    """
    power = 10.0 ** floor(log10(value))
    return max(step * power for step in (1, 2, 5) if step * power <= value)
