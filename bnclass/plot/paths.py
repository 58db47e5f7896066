"""How arcs run from row to row, and where they meet the top of a box."""

from collections.abc import Hashable, Mapping
from typing import NamedTuple

from bnclass.plot.grid import Grid
from bnclass.structure.dag import Arc, Structure

# Distance of arcs that meet the same box, and what all may take, in widths of a box.
PORT_PITCH, PORT_SHARE = 0.16, 0.8


class Stop(NamedTuple):
    """A place in a row.

    Attributes
    ----------
    x : float
        In widths of a box, to the right.
    row : int
        From 0 downwards; the class is in row -1.
    """

    x: float
    row: int


Path = tuple[Stop, ...]


def attribute_paths(
    grid: Grid, x: Mapping[int, float], stops: Mapping[Hashable, Stop]
) -> dict[Arc, Path]:
    """Return where arcs between attributes pass, one stop a row from parent to child.

    Parameters
    ----------
    grid : Grid
    x : mapping of int to float
        Centres of the grid's items.
    stops : mapping of node to Stop
        Centres of the nodes.

    Returns
    -------
    dict of arc to tuple of Stop
    """
    paths = {}
    for (u, v), bends in grid.bends.items():
        between = (Stop(x[bend], stops[u].row + 1 + i) for i, bend in enumerate(bends))
        paths[u, v] = (stops[u], *between, stops[v])
    return paths


def class_paths(
    structure: Structure,
    lanes: Mapping[Hashable, list[float]],
    stops: Mapping[Hashable, Stop],
) -> dict[Arc, Path]:
    """Return where arcs from or to the class pass, always from the class downwards.

    Parameters
    ----------
    structure : Structure
    lanes : mapping of node to list of float
        Where the arc of a node passes the rows above it, top to bottom.
    stops : mapping of node to Stop
        Centres of the nodes.

    Returns
    -------
    dict of arc to tuple of Stop
    """
    top = structure.class_node
    paths = {}
    for u, v in structure.arcs:
        if top is not None and top in (u, v):
            node = v if u == top else u
            between = (Stop(x, row) for row, x in enumerate(lanes[node]))
            paths[u, v] = (stops[top], *between, stops[node])
    return paths


def apart(attribute: Mapping[Arc, Path], of_class: Mapping[Arc, Path]) -> dict[Arc, Path]:
    """Move the lower ends of paths apart, so that arcs meet a box side by side.

    Parameters
    ----------
    attribute, of_class : mapping of arc to tuple of Stop

    Returns
    -------
    dict of arc to tuple of Stop
        All paths. At each box, those of attributes lie about the middle in the order in
        which they come from left to right; that of the class lies outside, on its side.

    Examples
    --------
    >>> from bnclass.plot.paths import Stop, apart
    >>> top, a, b = Stop(0.5, -1), Stop(0.0, 0), Stop(0.0, 1)
    >>> moved = apart({("a", "b"): (a, b)}, {("y", "b"): (top, Stop(0.65, 0), b)})
    >>> moved["a", "b"][-1], moved["y", "b"][-1]
    (Stop(x=0.0, row=1), Stop(x=0.16, row=1))
    """
    meeting: dict[Stop, list[Arc]] = {}
    for arc in sorted(attribute, key=lambda arc: attribute[arc][-2].x):
        meeting.setdefault(attribute[arc][-1], []).append(arc)
    moved = {}
    for arc, path in of_class.items():
        n_beside = len(meeting.get(path[-1], ()))
        side = 1 if path[-2].x >= path[-1].x else -1
        moved[arc] = _shifted(path, side * _pitch(n_beside) * (n_beside + 1) / 2)
        if n_beside == 0:
            moved[arc] = path
    for arcs in meeting.values():
        for i, arc in enumerate(arcs):
            moved[arc] = _shifted(attribute[arc], _pitch(len(arcs)) * (i - (len(arcs) - 1) / 2))
    return moved


def _pitch(n: int) -> float:
    """Distance between n arcs of attributes and one of the class on either side."""
    return min(PORT_PITCH, PORT_SHARE / (n + 1))


def _shifted(path: Path, by: float) -> Path:
    end = path[-1]
    return (*path[:-1], Stop(end.x + by, end.row))
