"""P(y, x) and P(y | x) of KST: a global member and one made for the row."""

from collections.abc import Sequence

from oracle.averages import Weighted, averaged, mean_joint
from oracle.kst_structures import kst_global, kst_local
from oracle.posteriors import Joint, Network, joint
from oracle.smoothing import Smoothing
from oracle.tables import Table, Value, exact, known


def kst_members(
    table: Table,
    smoothing: Smoothing,
    row: Sequence[Value | None],
    k: int = 2,
    dependence: str = "class-conditional",
    members: str = "both",
    weights: Sequence[float] = (0.5, 0.5),
) -> list[Weighted]:
    """Return the weights and P(y, x) of the members asked for: the global one, then the local.

    The global member sums missing cells out; the local one knows the observed attributes only.
    """
    if members not in ("global", "local", "both"):
        raise ValueError(f"members {members!r} are neither global, local nor both")
    cells = known(table, row)
    of_all = Network(table, kst_global(table, k, dependence), smoothing)
    if members == "global":
        return [(1, joint(of_all, cells))]
    of_row = Network(table, kst_local(table, cells, k, dependence), smoothing)
    if members == "local":
        return [(1, joint(of_row, cells))]
    w_global, w_local = (exact(weight) for weight in weights)
    if min(w_global, w_local) < 0 or w_global + w_local == 0:
        raise ValueError(f"weights {weights!r} are negative or all 0")
    return [(w_global, joint(of_all, cells)), (w_local, joint(of_row, cells))]


def kst_joint(
    table: Table,
    smoothing: Smoothing,
    row: Sequence[Value | None],
    k: int = 2,
    dependence: str = "class-conditional",
    members: str = "both",
    weights: Sequence[float] = (0.5, 0.5),
) -> Joint:
    """KST's P(y, x)."""
    chosen = kst_members(table, smoothing, row, k, dependence, members, weights)
    return mean_joint(table, chosen)


def kst_posterior(
    table: Table,
    smoothing: Smoothing,
    row: Sequence[Value | None],
    k: int = 2,
    dependence: str = "class-conditional",
    members: str = "both",
    weights: Sequence[float] = (0.5, 0.5),
    average: str = "joint",
) -> list[float]:
    """KST's P(y | x) in class order."""
    chosen = kst_members(table, smoothing, row, k, dependence, members, weights)
    return averaged(table, smoothing, chosen, average)
