"""KST where all attributes are numbers: structures, P(y, x) and P(y | x).

The global member integrates missing cells out; the local one knows the observed attributes only.
Both are densities of the same columns, so that their joints can be averaged as they are.
"""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

from oracle.averages import AVERAGES
from oracle.densities import ln, log_sum
from oracle.kst_gaussian_measures import (
    global_gaussian_measures,
    local_gaussian_measures,
)
from oracle.kst_measures import Measures
from oracle.kst_structures import (
    correlation_order,
    maximum_correlation,
    minimum_dependence,
    spanning_tree,
)
from oracle.mixed import discrete_columns
from oracle.mixed_ensembles import log_priors
from oracle.mixed_posteriors import LogJoint, MixedNetwork, log_joint, normalised_logs
from oracle.smoothing import Smoothing
from oracle.structures import Parents
from oracle.tables import Number, Table, Value, exact

WeightedLog = tuple[Number, LogJoint]  # a member's weight and its ln P(y, x)


# --- structures ---------------------------------------------------------------------------------


def kst_gaussian_global(table: Table, k: int = 2, dependence: str = "class-conditional") -> Parents:
    """Learn the structure of the training rows."""
    return spanning_tree(global_gaussian_measures(numbers_only(table), dependence), k)


def kst_gaussian_local(
    table: Table, row: Sequence[Value | None], k: int = 2, dependence: str = "class-conditional"
) -> Parents:
    """Learn the structure of one row, over the attributes it has a known number of."""
    return spanning_tree(local_gaussian_measures(numbers_only(table), row, dependence), k)


def numbers_only(table: Table) -> Table:
    """Refuse a table that has states."""
    if discrete_columns(table):
        raise ValueError(f"columns {discrete_columns(table)} are discrete")
    return table


def narrowest_gap(measures: Measures, k: int) -> int | None:
    """Return by how little the closest decision on the way to the spanning tree was taken.

    None if there was nothing to decide. An arithmetic that errs by less comes to the same tree;
    measures are integers of 2⁻⁴⁰ nats.
    """
    order = correlation_order(measures)
    heights = [maximum_correlation(measures, i) for i in order]
    gaps = [a - b for a, b in pairwise(heights)]
    for position, i in enumerate(order):
        chosen, remaining = [], order[:position]
        while position > k and len(chosen) < k:
            d = {j: minimum_dependence(measures, i, chosen, remaining, j) for j in remaining}
            best, second = sorted(d.values())[:2]
            gaps.append(second - best)
            chosen.append(min(remaining, key=lambda j, d=d: d[j]))
            remaining.remove(chosen[-1])
    return min(gaps, default=None)


# --- members ------------------------------------------------------------------------------------


def global_log_joint(
    table: Table,
    smoothing: Smoothing,
    row: Sequence[Value | None],
    k: int = 2,
    dependence: str = "class-conditional",
) -> LogJoint:
    """Return ln P(y, x) of the global member."""
    parents = kst_gaussian_global(table, k, dependence)
    return log_joint(MixedNetwork(table, parents, smoothing), row)


def local_log_joint(
    table: Table,
    smoothing: Smoothing,
    row: Sequence[Value | None],
    k: int = 2,
    dependence: str = "class-conditional",
) -> LogJoint:
    """Return ln P(y, x) of the local member, whose network has the row's attributes only."""
    parents = kst_gaussian_local(table, row, k, dependence)
    return log_joint(MixedNetwork(table, parents, smoothing), row)


def kst_gaussian_members(
    table: Table,
    smoothing: Smoothing,
    row: Sequence[Value | None],
    k: int = 2,
    dependence: str = "class-conditional",
    members: str = "both",
    weights: Sequence[float] = (0.5, 0.5),
) -> list[WeightedLog]:
    """Return the members asked for with weights that sum to 1: the global one, then the local."""
    if members not in ("global", "local", "both"):
        raise ValueError(f"members {members!r} are neither global, local nor both")
    w_global, w_local = {"global": (1, 0), "local": (0, 1)}.get(members, weights)
    if min(w_global, w_local) < 0 or w_global + w_local == 0:
        raise ValueError(f"weights {weights!r} are negative or all 0")
    total = exact(w_global) + exact(w_local)
    both = [(w_global, global_log_joint), (w_local, local_log_joint)]
    return [
        (Fraction(exact(weight)) / total, member(table, smoothing, row, k, dependence))
        for weight, member in both
        if weight
    ]


# --- averages -----------------------------------------------------------------------------------


def kst_gaussian_log_joint(
    table: Table,
    smoothing: Smoothing,
    row: Sequence[Value | None],
    k: int = 2,
    dependence: str = "class-conditional",
    members: str = "both",
    weights: Sequence[float] = (0.5, 0.5),
) -> LogJoint:
    """KST's ln P(y, x)."""
    chosen = kst_gaussian_members(table, smoothing, row, k, dependence, members, weights)
    return {y: log_sum(ln(w) + member[y] for w, member in chosen) for y in table.classes}


def kst_gaussian_posterior(
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
    if average not in AVERAGES:
        raise ValueError(f"average {average!r} is none of {AVERAGES}")
    chosen = kst_gaussian_members(table, smoothing, row, k, dependence, members, weights)
    if average == "posterior":
        chosen = [(w, log_posterior(member)) for w, member in chosen]
    mean = {y: log_sum(ln(w) + member[y] for w, member in chosen) for y in table.classes}
    return normalised_logs(table, mean, log_priors(table, smoothing))


def log_posterior(joint: LogJoint) -> LogJoint:
    """Return ln P(y | x)."""
    total: Decimal = log_sum(joint.values())
    return {y: log - total for y, log in joint.items()}
