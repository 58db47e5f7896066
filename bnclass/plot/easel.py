"""Axes for a picture of a factor, and what is written around them."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bnclass.plot.artists import INK
from bnclass.plot.captions import wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection
    from matplotlib.image import AxesImage
    from matplotlib.lines import Line2D

# In letters.
SHORTEST_LINE, HEIGHT_IN_LETTERS = 24, 48
LETTERS_AN_INCH = 12  # of width, about
FONT_SIZE = 10.0


@dataclass(frozen=True)
class Drawing:
    """Axes and what has been drawn in them.

    Attributes
    ----------
    ax : matplotlib.axes.Axes
    curves, ticks : dict of class state to artist
    image : matplotlib.image.AxesImage or None
    """

    ax: "Axes"
    curves: "dict[Hashable, Line2D]" = field(default_factory=dict)
    ticks: "dict[Hashable, LineCollection]" = field(default_factory=dict)
    image: "AxesImage | None" = None


def axes_of_size(ax: "Axes | None", size: tuple[float, float]) -> "Axes":
    """Return the user's axes, or those of a new pyplot figure.

    Parameters
    ----------
    ax : matplotlib.axes.Axes or None
    size : (float, float)
        Of a new figure, in inches.

    Returns
    -------
    matplotlib.axes.Axes
    """
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=size, layout="constrained")[1]


def label_axes(ax: "Axes", below: Iterable[str], left: str) -> None:
    """Write what the axes show, every character as it is.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    below : iterable of str
        Stand one below the other under the axes, no wider than these; empty ones are left
        out.
    left : str
        Stands beside.
    """
    width = ax.get_window_extent().width / ax.figure.dpi
    length = max(SHORTEST_LINE, int(LETTERS_AN_INCH * width))
    lines = [wrapped(text, length) for text in below if text]
    style: dict[str, Any] = {"parse_math": False, "color": INK, "fontsize": FONT_SIZE}
    ax.set_xlabel("\n".join(lines), **style)
    ax.set_ylabel(wrapped(left, HEIGHT_IN_LETTERS), **style)
