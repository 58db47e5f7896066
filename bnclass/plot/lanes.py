"""Ways between the boxes for the arcs of the class, which reach every row."""

from collections.abc import Hashable
from itertools import pairwise

from bnclass.plot.grid import Grid

# Beyond the outermost box of a row, by this much, the way is free.
CLEARANCE = 0.12


def class_lanes(
    grid: Grid, rows: list[list[int]], x: dict[int, float], class_x: float
) -> dict[Hashable, list[float]]:
    """Lead an arc from the class to every attribute, through the openings of the rows above.

    Parameters
    ----------
    grid : Grid
    rows : list of list of int
        In their final order.
    x : dict of int to float
        Centres of the items.
    class_x : float
        Centre of the class, which stands over the first row.

    Returns
    -------
    dict of node to list of float
        For every attribute, where its arc passes each row above it, top to bottom.

    Notes
    -----
    Every opening is reached through one opening of the row above, whatever the arc, so
    that arcs run together and part only where they must.

    Examples
    --------
    >>> from bnclass import Structure
    >>> from bnclass.plot.grid import build_grid
    >>> from bnclass.plot.lanes import class_lanes
    >>> grid = build_grid(Structure.from_arcs("abc", [("a", "c"), ("b", "c")]))
    >>> class_lanes(grid, grid.rows, {0: -0.65, 1: 0.65, 2: 0.0}, 0.0)
    {'a': [], 'b': [], 'c': [0.0]}
    """
    row_of = {item: r for r, row in enumerate(rows) for item in row}
    edges = [_edges(grid, row, x) for row in rows]
    lanes: dict[Hashable, list[float]] = {}
    for item, node in enumerate(grid.nodes):
        here, lane = x[item], []
        for r in range(row_of[item] - 1, -1, -1):
            # On the straight line to the class, whose row is -1.
            towards = here + (class_x - here) / (r + 2)
            here = _opening(edges[r], towards)
            lane.append(here)
        lanes[node] = lane[::-1]
    return lanes


def _edges(grid: Grid, row: list[int], x: dict[int, float]) -> list[tuple[float, float]]:
    """Left and right edges of a row's items."""
    return [(x[i] - half, x[i] + half) for i in row for half in [0.0 if grid.is_bend(i) else 0.5]]


def _opening(edges: list[tuple[float, float]], towards: float) -> float:
    """Find the free place of a row nearest to where an arc wants to pass."""
    left, right = edges[0][0] - CLEARANCE, edges[-1][1] + CLEARANCE
    if left < towards < right:
        between = [(a + b) / 2 for (_, a), (b, _) in pairwise(edges)]
        return min([left, *between, right], key=lambda place: (abs(place - towards), place))
    edge = left if towards <= left else right
    # In steps, so that two arcs run either together or well apart.
    return edge + CLEARANCE * round((towards - edge) / CLEARANCE)
