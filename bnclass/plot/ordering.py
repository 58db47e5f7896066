"""The order within rows: barycentre sweeps and swaps of neighbours (Sugiyama et al. 1981)."""

from bisect import bisect_left, bisect_right, insort

from bnclass.plot.grid import Grid

# Sweeps without a better drawing after which none is expected.
PATIENCE = 4
MOST_SWEEPS = 40


def reduce_crossings(grid: Grid) -> list[list[int]]:
    """Order every row so that few links cross.

    Parameters
    ----------
    grid : Grid

    Returns
    -------
    list of list of int
        The rows of the grid, each reordered. The same for the same grid, and unchanged
        where nothing is linked.

    Notes
    -----
    Each sweep sorts the rows one after the other, downwards and upwards in turn, by the
    mean place of the neighbours in the row before; then neighbours in a row are swapped
    while that removes a crossing. The best order seen is kept. Source: Sugiyama, Tagawa,
    Toda, Methods for visual understanding of hierarchical system structures (1981).

    Examples
    --------
    >>> from bnclass import Structure
    >>> from bnclass.plot.grid import build_grid
    >>> from bnclass.plot.ordering import reduce_crossings
    >>> reduce_crossings(build_grid(Structure.from_arcs("abcd", [("a", "d"), ("b", "c")])))
    [[0, 1], [3, 2]]
    """
    rows = [list(row) for row in grid.rows]
    best, fewest, waited = rows, count_crossings(grid, rows), 0
    for sweep in range(MOST_SWEEPS):
        if fewest == 0 or waited == PATIENCE:
            break
        rows = _swept(grid, rows, downwards=sweep % 2 == 0)
        _swap_neighbours(grid, rows)
        crossings = count_crossings(grid, rows)
        waited += 1
        if crossings < fewest:
            best, fewest, waited = [list(row) for row in rows], crossings, 0
    return best


def count_crossings(grid: Grid, rows: list[list[int]]) -> int:
    """Return the number of pairs of links that cross.

    Parameters
    ----------
    grid : Grid
    rows : list of list of int
        The items of the grid's rows in any order.

    Returns
    -------
    int
    """
    place = _places(rows)
    total = 0
    for row in rows[:-1]:
        seen: list[int] = []
        for item in row:
            ends = sorted(place[b] for b in grid.below[item])
            total += sum(len(seen) - bisect_right(seen, end) for end in ends)
            for end in ends:
                insort(seen, end)
    return total


def _swept(grid: Grid, rows: list[list[int]], *, downwards: bool) -> list[list[int]]:
    links = grid.above if downwards else grid.below
    place = _places(rows)
    swept = [list(row) for row in rows]
    for row in swept[1:] if downwards else swept[-2::-1]:
        linked = [item for item in row if links[item]]
        linked.sort(key=lambda i: sum(place[n] for n in links[i]) / len(links[i]))
        following = iter(linked)
        # What has no link on that side keeps its place.
        row[:] = [next(following) if links[item] else item for item in row]
        place.update((item, i) for i, item in enumerate(row))
    return swept


def _swap_neighbours(grid: Grid, rows: list[list[int]]) -> None:
    place = _places(rows)
    improved = True
    while improved:
        improved = False
        for row in rows:
            for i in range(len(row) - 1):
                if _gain(grid, place, row[i], row[i + 1]) > 0:
                    row[i], row[i + 1] = row[i + 1], row[i]
                    place[row[i]], place[row[i + 1]] = i, i + 1
                    improved = True


def _gain(grid: Grid, place: dict[int, int], left: int, right: int) -> int:
    """Crossings that swapping two neighbours removes."""
    gain = 0
    for links in (grid.above, grid.below):
        ends = sorted(place[n] for n in links[right])
        for n in links[left]:
            now = bisect_left(ends, place[n])
            swapped = len(ends) - bisect_right(ends, place[n])
            gain += now - swapped
    return gain


def _places(rows: list[list[int]]) -> dict[int, int]:
    return {item: i for row in rows for i, item in enumerate(row)}
