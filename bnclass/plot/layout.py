"""Where a network's boxes stand and how its arcs run; numbers only, no drawing."""

from collections.abc import Collection, Hashable, Iterable
from dataclasses import dataclass
from itertools import pairwise

from bnclass.plot.coordinates import horizontal_places
from bnclass.plot.grid import Grid, build_grid
from bnclass.plot.lanes import class_lanes
from bnclass.plot.ordering import reduce_crossings
from bnclass.plot.paths import Path, Stop, apart, attribute_paths, class_paths
from bnclass.structure.dag import Arc, Structure

Point = tuple[float, float]

# Rows stand further apart where arcs run far sideways: so much for a width, so much at most.
STRETCH_PER_WIDTH, LARGEST_STRETCH = 0.28, 2.7


@dataclass(frozen=True)
class Layout:
    """A drawing in numbers: x in widths of a box, y in heights of a box, upwards.

    Attributes
    ----------
    centres : dict of node to (float, float)
        In node order. Boxes are 1 wide and 1 high about their centres, and none touch.
    routes : dict of arc to tuple of (float, float)
        From the edge of the parent's box to the edge of the child's. Points between lie
        in the rows that the arc passes, clear of all boxes.
    """

    centres: dict[Hashable, Point]
    routes: dict[Arc, tuple[Point, ...]]

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top of all that is drawn."""
        points = [point for route in self.routes.values() for point in route]
        points += [(x + s, y + s) for x, y in self.centres.values() for s in (-0.5, 0.5)]
        xs, ys = zip(*points, strict=True) if points else ((0.0,), (0.0,))
        return min(xs), max(xs), min(ys), max(ys)


def layered_layout(
    structure: Structure, *, row_gap: float = 0.9, turned: Collection[Arc] = ()
) -> Layout:
    """Lay out a network in layers: the class on top, attributes below their parents.

    Parameters
    ----------
    structure : Structure
    row_gap : float, default=0.9
        Least free space between two rows, in heights of a box.
    turned : collection of arc, default=()
        Arcs that will be drawn from child to parent: they run together with no other.

    Returns
    -------
    Layout
        The same for the same structure, whatever its scores.

    Notes
    -----
    The layered drawing of Sugiyama, Tagawa and Toda (1981). Layers follow the longest
    path of attribute arcs; a layer too wide for the page takes several rows.

    Examples
    --------
    >>> from bnclass import Structure
    >>> from bnclass.plot.layout import layered_layout
    >>> arcs = [("class", "a"), ("class", "b"), ("a", "b")]
    >>> layout = layered_layout(Structure.from_arcs(["class", "a", "b"], arcs, "class"))
    >>> [round(layout.centres[node][1], 1) for node in ("class", "a", "b")]
    [0.0, -2.1, -4.1]
    """
    grid = build_grid(structure, turned)
    rows = reduce_crossings(grid)
    x = horizontal_places(grid, rows)
    stops = _stops(structure, grid, rows, x)
    of_class: dict[Arc, Path] = {}
    if structure.class_node is not None:
        lanes = class_lanes(grid, rows, x, stops[structure.class_node].x)
        of_class = class_paths(structure, lanes, stops)
    paths = apart(attribute_paths(grid, x, stops), of_class)
    heights = _heights([stop.row for stop in stops.values()], paths.values(), row_gap)
    centres = {node: (stops[node].x, heights[stops[node].row]) for node in structure.nodes}
    up = {arc for arc in of_class if arc[1] == structure.class_node}
    routes = {arc: _route(paths[arc], heights, upwards=arc in up) for arc in structure.arcs}
    return Layout(centres, routes)


def _stops(
    structure: Structure, grid: Grid, rows: list[list[int]], x: dict[int, float]
) -> dict[Hashable, Stop]:
    """Where the nodes stand, the class over the middle of all others."""
    row_of = {item: r for r, row in enumerate(rows) for item in row}
    stops = {node: Stop(x[i], row_of[i]) for i, node in enumerate(grid.nodes)}
    if structure.class_node is not None:
        xs = [stop.x for stop in stops.values()] or [0.0]
        stops[structure.class_node] = Stop((min(xs) + max(xs)) / 2, -1)
    return stops


def _heights(rows: Iterable[int], paths: Iterable[Path], row_gap: float) -> dict[int, float]:
    """Height of each row's centre, 0 for the top row."""
    first, *others = sorted(set(rows)) or [0]
    sideways = dict.fromkeys(others, 0.0)
    for path in paths:
        for above, below in pairwise(path):
            sideways[below.row] = max(sideways[below.row], abs(above.x - below.x))
    heights = {first: 0.0}
    for row in others:
        stretch = min(LARGEST_STRETCH, 1 + STRETCH_PER_WIDTH * sideways[row])
        heights[row] = heights[row - 1] - 1 - row_gap * stretch
    return heights


def _route(path: Path, heights: dict[int, float], *, upwards: bool) -> tuple[Point, ...]:
    """Turn stops into points, the first at the lower edge of its box, the last at the upper."""
    start, *between, end = path
    points = (
        (start.x, heights[start.row] - 0.5),
        *((stop.x, heights[stop.row]) for stop in between),
        (end.x, heights[end.row] + 0.5),
    )
    return points[::-1] if upwards else points
