"""Names beside points of a picture, where they cover nothing."""

from collections.abc import Mapping, Sequence
from math import hypot
from typing import TYPE_CHECKING, Any

from bnclass.evaluate.figures.free_places import Box, free_places
from bnclass.evaluate.figures.lettering import AS_IS, settled_size
from bnclass.evaluate.losses import Floats
from bnclass.plot.palette import GREY
from bnclass.plot.sheet import FONT_SIZE, text_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Annotation
    from matplotlib.transforms import BboxBase

# In points.
NAME_SIZE = 8.5
# In inches: half a marker, the height of a name, and how far off a name needs a line.
MARKER, NAME_HEIGHT, NEAR = 0.05, 0.14, 0.17


def name_points(
    ax: "Axes", points: Floats, names: Mapping[int, str], starts: Sequence[float]
) -> "dict[int, Annotation]":
    """Name some points of a picture in the size it has now.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Its legend is not covered, and stays where it is now.
    points : ndarray of shape (n_points, 2), float64
        All points, in the axes' own units: no name covers one.
    names : mapping of int to str
        By number of the point, the most important first.
    starts : sequence of float
        The direction tried first for each name, an angle in radians.

    Returns
    -------
    dict of int to matplotlib.text.Annotation
        Of the names that have found a place.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.evaluate.figures.point_names import name_points
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> list(name_points(ax, np.array([[0.5, 0.5], [0.1, 0.5]]), {1: "iris"}, [0.0]))
    [1]
    """
    settled_size(ax)
    dpi = ax.figure.dpi
    at = ax.transData.transform(points) / dpi
    markers = [Box(x - MARKER, y - MARKER, x + MARKER, y + MARKER) for x, y in at.tolist()]
    places = free_places(
        [(float(at[i, 0]), float(at[i, 1])) for i in names],
        [(text_width(name) * NAME_SIZE / FONT_SIZE, NAME_HEIGHT) for name in names.values()],
        starts,
        [*markers, *_pinned_legend(ax)],
        _in_inches(ax, ax.get_window_extent()),
    )
    return {
        i: _write(ax, name, points[i], at[i], place)
        for (i, name), place in zip(names.items(), places, strict=True)
        if place
    }


def _pinned_legend(ax: "Axes") -> list[Box]:
    """Return where the legend is, and keep it there: the best place would change with names."""
    legend = ax.get_legend()
    if legend is None:
        return []
    extent = legend.get_window_extent()
    if not extent.overlaps(ax.get_window_extent()):
        return []
    legend.set_loc(tuple(ax.transAxes.inverted().transform(extent.min)))
    return [_in_inches(ax, extent)]


def _in_inches(ax: "Axes", extent: "BboxBase") -> Box:
    dpi = ax.figure.dpi
    return Box(extent.x0 / dpi, extent.y0 / dpi, extent.x1 / dpi, extent.y1 / dpi)


def _write(ax: "Axes", name: str, point: Floats, at: Floats, place: Box) -> "Annotation":
    """Write a name in its place, with a line to its point if that is far."""
    x, y = (float(coordinate) for coordinate in at)
    middle = (place.left + place.right) / 2 - x, (place.bottom + place.top) / 2 - y
    gap = hypot(
        max(place.left - x, 0.0, x - place.right), max(place.bottom - y, 0.0, y - place.top)
    )
    line: dict[str, Any] = {"arrowstyle": "-", "color": GREY, "linewidth": 0.7}
    line |= {"shrinkA": 0, "shrinkB": 72 * MARKER}
    return ax.annotate(
        name,
        (float(point[0]), float(point[1])),
        (72 * middle[0], 72 * middle[1]),
        textcoords="offset points",
        arrowprops=line if gap > NEAR else None,
        fontsize=NAME_SIZE,
        ha="center",
        va="center",
        **AS_IS,
    )
