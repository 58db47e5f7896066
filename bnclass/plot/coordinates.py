"""Horizontal places: as near to the linked items as the order and the boxes allow."""

from collections.abc import Sequence
from itertools import pairwise

from bnclass.plot.grid import Grid

Links = list[list[int]]

# Free space beside an item, in widths of a box.
NODE_MARGIN = 0.15
BEND_MARGIN = 0.06
# Pull along a link: long lines should be straight before short ones are.
STRAIGHT = {0: 1.0, 1: 2.0, 2: 8.0}
# Pull to the middle of the page, for what no link holds.
CENTRING = 0.02
ROUNDS = 60
# A chain that leans by no more than this is made upright where there is room.
LEAN = 0.25
# ... and may take so much of the free space for it.
SQUEEZE = 0.05


def horizontal_places(grid: Grid, rows: list[list[int]]) -> dict[int, float]:
    """Return the centre of every item.

    Parameters
    ----------
    grid : Grid
    rows : list of list of int
        The grid's rows in their final order.

    Returns
    -------
    dict of int to float
        In widths of a box, 0 in the middle.

    Notes
    -----
    The sum of squared horizontal lengths of the links, each times its pull, is made small
    row by row: given the rows beside it, a row's best places in a fixed order with least
    distances are an isotonic regression.

    Examples
    --------
    >>> from bnclass import Structure
    >>> from bnclass.plot.coordinates import horizontal_places
    >>> from bnclass.plot.grid import build_grid
    >>> grid = build_grid(Structure.from_arcs("abc", [("a", "b"), ("a", "c")]))
    >>> {i: round(x, 6) for i, x in horizontal_places(grid, grid.rows).items()}
    {0: 0.0, 1: -0.65, 2: 0.65}
    """
    offsets = [_offsets(grid, row) for row in rows]
    x = {
        item: at - (offset[-1] / 2)
        for row, offset in zip(rows, offsets, strict=True)
        for item, at in zip(row, offset, strict=True)
    }
    down = list(zip(rows, offsets, strict=True))
    for i in range(ROUNDS):
        for row, offset in down if i % 2 == 0 else reversed(down):
            x.update(_placed(grid, row, offset, x))
    for row in reversed(rows):
        _set_upright(grid, row, x, grid.below, grid.above)
    for row in rows:
        _set_upright(grid, row, x, grid.above, grid.below)
    return x


def half_width(grid: Grid, item: int) -> float:
    """Return what an item takes to either side, its free space included.

    Parameters
    ----------
    grid : Grid
    item : int

    Returns
    -------
    float
        In widths of a box.
    """
    return BEND_MARGIN if grid.is_bend(item) else 0.5 + NODE_MARGIN


def isotonic(values: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Return the non-decreasing sequence nearest to the values in weighted squares.

    Parameters
    ----------
    values, weights : sequence of float

    Returns
    -------
    list of float

    Examples
    --------
    >>> from bnclass.plot.coordinates import isotonic
    >>> isotonic([1.0, 4.0, 2.0], [1.0, 1.0, 1.0])
    [1.0, 3.0, 3.0]
    """
    blocks: list[tuple[float, float, int]] = []
    for value, weight in zip(values, weights, strict=True):
        size = 1
        while blocks and blocks[-1][0] > value:
            mean, mass, length = blocks.pop()
            value = (value * weight + mean * mass) / (weight + mass)
            weight, size = weight + mass, size + length
        blocks.append((value, weight, size))
    return [mean for mean, _, size in blocks for _ in range(size)]


def _placed(
    grid: Grid, row: list[int], offsets: list[float], x: dict[int, float]
) -> dict[int, float]:
    pulls = [_pull(grid, item, x) for item in row]
    wanted = [place - offset for (place, _), offset in zip(pulls, offsets, strict=True)]
    level = isotonic(wanted, [weight for _, weight in pulls])
    return {item: at + offset for item, at, offset in zip(row, level, offsets, strict=True)}


def _set_upright(
    grid: Grid, row: list[int], x: dict[int, float], links: Links, back: Links
) -> None:
    """Move what is one link of a chain right over, or under, the next."""
    for i, item in enumerate(row):
        if len(links[item]) == 1 and len(back[links[item][0]]) == 1:
            wanted = x[links[item][0]]
            least = x[item] - _room(grid, row, i - 1, i, x) if i > 0 else wanted
            most = x[item] + _room(grid, row, i, i + 1, x) if i + 1 < len(row) else wanted
            if abs(wanted - x[item]) <= LEAN and least <= wanted <= most:
                x[item] = wanted


def _room(grid: Grid, row: list[int], left: int, right: int, x: dict[int, float]) -> float:
    """Space between two neighbours of a row that one of them may take."""
    a, b = row[left], row[right]
    return x[b] - x[a] - half_width(grid, a) - half_width(grid, b) + SQUEEZE


def _pull(grid: Grid, item: int, x: dict[int, float]) -> tuple[float, float]:
    """Where the links pull an item, and how strongly."""
    total, moment = CENTRING, 0.0
    for other in grid.above[item] + grid.below[item]:
        weight = STRAIGHT[grid.is_bend(item) + grid.is_bend(other)]
        total += weight
        moment += weight * x[other]
    return moment / total, total


def _offsets(grid: Grid, row: list[int]) -> list[float]:
    """Least distance of each item from the first of its row."""
    offsets = [0.0]
    for left, right in pairwise(row):
        offsets.append(offsets[-1] + half_width(grid, left) + half_width(grid, right))
    return offsets
