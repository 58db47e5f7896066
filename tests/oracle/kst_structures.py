"""The k-dependence spanning tree: global, and local for one row.

Structures are {attribute: its attribute parents} over the attributes measured; the local one
leaves out those the row has no known value of.
"""

from collections.abc import Sequence

from oracle.kst_measures import Measures, global_measures, local_measures
from oracle.structures import Parents
from oracle.tables import Table, Value


def kst_global(table: Table, k: int = 2, dependence: str = "class-conditional") -> Parents:
    """Learn the structure of the training rows."""
    return spanning_tree(global_measures(table, dependence), k)


def kst_local(
    table: Table, row: Sequence[Value | None], k: int = 2, dependence: str = "class-conditional"
) -> Parents:
    """Learn the structure of one row from its local measures."""
    return spanning_tree(local_measures(table, row, dependence), k)


def maximum_correlation(measures: Measures, i: int) -> int:
    """C(i): the sum of I(Xi;Xj|Y) over all j != i."""
    return sum(measures.pair(i, j) for j in measures.columns if j != i)


def minimum_dependence(
    measures: Measures, i: int, chosen: Sequence[int], remaining: Sequence[int], j: int
) -> int:
    """D: what Xi still shares with the rest of `remaining` when j joins the chosen parents."""
    total = 0
    for other in remaining:
        if other == j:
            continue
        total += measures.pair(i, other)
        for p in (*chosen, j):
            total += measures.triple(i, other, p)
    return total


def correlation_order(measures: Measures) -> list[int]:
    """Return the attributes by decreasing C(i), of equals the lower column first."""
    return sorted(measures.columns, key=lambda i: (-maximum_correlation(measures, i), i))


def spanning_tree(measures: Measures, k: int) -> Parents:
    """Give each attribute up to k parents among those earlier in the order."""
    order = correlation_order(measures)
    parents: Parents = {}
    for position, i in enumerate(order):
        earlier = order[:position]
        taken = earlier if position <= k else least_dependent(measures, i, earlier, k)
        parents[i] = tuple(sorted(taken))
    return parents


def least_dependent(measures: Measures, i: int, earlier: Sequence[int], k: int) -> list[int]:
    """Move k attributes, one by one, each with the smallest D; of equals the earlier."""
    chosen: list[int] = []
    remaining = list(earlier)
    for _ in range(k):
        best = None
        for j in remaining:
            d = minimum_dependence(measures, i, chosen, remaining, j)
            if best is None or d < best[0]:
                best = (d, j)
        chosen.append(best[1])
        remaining.remove(best[1])
    return chosen
