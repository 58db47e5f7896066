"""The key to the widths of arcs."""

from math import floor, log10
from typing import TYPE_CHECKING

from bnclass.plot.artists import ARC, INK
from bnclass.plot.widths import scaled_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.legend import Legend

FONT_SIZE = 8.5


def draw_key(ax: "Axes", largest: float, meaning: str, scale: float) -> "Legend":
    """Draw sample lines of round scores below the network.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    largest : float
        The largest score, above 0.
    meaning : str
        What the scores measure.
    scale : float
        Size on the page over natural size.

    Returns
    -------
    matplotlib.legend.Legend
    """
    from matplotlib.lines import Line2D

    top = round_below(largest)
    samples = [
        Line2D([], [], color=ARC, linewidth=scaled_width(score, largest) * scale)
        for score in (top / 2, top)
    ]
    handles = [Line2D([], [], linestyle="none"), *samples]
    texts = [meaning, f"{top / 2:.3g}", f"{top:.3g}"]
    return ax.legend(
        handles,
        texts,
        loc="lower center",
        ncols=3,
        frameon=False,
        fontsize=FONT_SIZE * scale,
        labelcolor=INK,
        borderaxespad=0.2,
        handlelength=1.6,
        columnspacing=1.0,
    )


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
