"""Names of methods and data sets on axes, every character as it is."""

from collections.abc import Hashable, Sequence
from math import radians, sin
from typing import TYPE_CHECKING, Any

from bnclass.plot.artists import INK
from bnclass.plot.captions import one_line
from bnclass.plot.heatmap import LABEL_HEIGHT, LABEL_SIZE, SLANT
from bnclass.plot.sheet import text_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# In letters.
LONGEST_NAME = 24
# In points.
NUMBER_SIZE = 9.0
# For matplotlib's texts.
AS_IS: dict[str, Any] = {"parse_math": False, "usetex": False, "color": INK}


def short(name: Hashable) -> str:
    """Return a name in one line of at most 24 letters, shortened in the middle.

    Parameters
    ----------
    name : hashable

    Returns
    -------
    str

    Examples
    --------
    >>> from bnclass.evaluate.figures.lettering import short
    >>> short("a_hidden_one_dependence_estimator")
    'a_hidden_one_…_estimator'
    """
    return one_line(name, LONGEST_NAME)


def settled_size(ax: "Axes") -> tuple[float, float]:
    """Return width and height of axes in inches, after their figure's layout is done.

    Parameters
    ----------
    ax : matplotlib.axes.Axes

    Returns
    -------
    width, height : float

    Examples
    --------
    >>> from bnclass.evaluate.figures.lettering import settled_size
    >>> from matplotlib.figure import Figure
    >>> settled_size(Figure(figsize=(4, 2)).add_axes((0, 0, 0.5, 1)))
    (2.0, 2.0)
    """
    figure: Any = ax.figure
    # The whole figure, where the axes are in a part of one.
    figure.canvas.figure.draw_without_rendering()
    box = ax.get_window_extent()
    return float(box.width / figure.dpi), float(box.height / figure.dpi)


def names_below(ax: "Axes", names: Sequence[str]) -> None:
    """Name what stands at 0, 1, … of the x axis, aslant where that needs less room.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    names : sequence of str

    Examples
    --------
    >>> from bnclass.evaluate.figures.lettering import names_below
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> names_below(ax, ["$A_1$", "B"])
    >>> [text.get_text() for text in ax.get_xticklabels()]
    ['$A_1$', 'B']
    """
    width = 72 * settled_size(ax)[0] / len(names)
    style = AS_IS | {"fontsize": LABEL_SIZE}
    if 72 * max(map(text_width, names)) + LABEL_SIZE / 2 > width:
        size = min(LABEL_SIZE, width * sin(radians(SLANT)) / LABEL_HEIGHT)
        style |= {"fontsize": size, "rotation": SLANT, "ha": "right", "rotation_mode": "anchor"}
    ax.set_xticks(range(len(names)), names, **style)
    ax.tick_params(axis="x", length=0)


def names_beside(ax: "Axes", names: Sequence[str]) -> None:
    """Name what stands at 0, 1, … of the y axis, smaller where there is little room.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    names : sequence of str

    Examples
    --------
    >>> from bnclass.evaluate.figures.lettering import names_beside
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> names_beside(ax, ["$A_1$", "B"])
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['$A_1$', 'B']
    """
    height = 72 * settled_size(ax)[1] / len(names)
    size = min(LABEL_SIZE, height / LABEL_HEIGHT)
    ax.set_yticks(range(len(names)), names, **AS_IS, fontsize=size)
    ax.tick_params(axis="y", length=0)
