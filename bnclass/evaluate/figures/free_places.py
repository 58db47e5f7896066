"""Places for names beside points, where they cover nothing."""

from collections.abc import Iterable, Iterator, Sequence
from math import cos, pi, sin
from typing import NamedTuple

# From a point's middle to its name, and how far names keep from all else, in inches.
DISTANCES, CLEARANCE = (0.1, 0.18, 0.28, 0.4), 0.02
N_DIRECTIONS = 16


class Box(NamedTuple):
    """A rectangle.

    Attributes
    ----------
    left, bottom, right, top : float
    """

    left: float
    bottom: float
    right: float
    top: float

    def meets(self, other: "Box") -> bool:
        """Return whether two rectangles have a point inside both."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.bottom < other.top
            and other.bottom < self.top
        )

    def holds(self, other: "Box") -> bool:
        """Return whether another rectangle is nowhere outside."""
        return (
            self.left <= other.left
            and other.right <= self.right
            and self.bottom <= other.bottom
            and other.top <= self.top
        )


def free_places(
    points: Sequence[tuple[float, float]],
    sizes: Sequence[tuple[float, float]],
    starts: Sequence[float],
    taken: Iterable[Box],
    page: Box,
) -> list[Box | None]:
    """Return a place for a name beside each of some points.

    Parameters
    ----------
    points : sequence of (float, float)
        In inches.
    sizes : sequence of (float, float)
        Width and height of the names.
    starts : sequence of float
        The direction tried first for each, an angle in radians.
    taken : iterable of Box
        What no name may cover.
    page : Box
        What no name may leave.

    Returns
    -------
    list of Box or None
        As near to the points as possible, the first points first; ``None`` where there is no
        place.

    Examples
    --------
    >>> from bnclass.evaluate.figures.free_places import Box, free_places
    >>> page = Box(0, 0, 2, 1)
    >>> (place,) = free_places([(1, 0.5)], [(0.5, 0.2)], [0.0], [], page)
    >>> place.left > 1, place.bottom < 0.5 < place.top
    (True, True)
    """
    occupied, places = list(taken), []
    for point, size, start in zip(points, sizes, starts, strict=True):
        places.append(_first_free(_candidates(point, size, start), occupied, page))
        if places[-1]:
            occupied.append(places[-1])
    return places


def _first_free(candidates: Iterable[Box], taken: list[Box], page: Box) -> Box | None:
    for box in candidates:
        wide = Box(*(edge + way * CLEARANCE for edge, way in zip(box, (-1, -1, 1, 1), strict=True)))
        if page.holds(wide) and not any(wide.meets(other) for other in taken):
            return box
    return None


def _candidates(
    point: tuple[float, float], size: tuple[float, float], start: float
) -> Iterator[Box]:
    """Yield places round a point, from one direction on to both sides, near ones first."""
    turns = sorted(range(N_DIRECTIONS), key=lambda i: min(i, N_DIRECTIONS - i))
    for distance in DISTANCES:
        for turn in turns:
            yield _beside(point, size, distance, start + turn * 2 * pi / N_DIRECTIONS)


def _beside(
    point: tuple[float, float], size: tuple[float, float], distance: float, angle: float
) -> Box:
    """Return the rectangle in some direction whose nearest edge or corner is at a distance."""
    (x, y), (width, height) = point, size
    way = cos(angle), sin(angle)
    x, y = x + distance * way[0], y + distance * way[1]
    # The corner or the middle of the edge that looks at the point.
    left = x - width * (1 - way[0]) / 2
    bottom = y - height * (1 - way[1]) / 2
    return Box(left, bottom, left + width, bottom + height)
