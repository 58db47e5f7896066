"""GAODE and HAODE."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from oracle.densities import ln, log_normal, log_sum
from oracle.gaussian import clg, hugin, is_constant, pooled, resolution
from oracle.mixed import (
    Cuts,
    bin_of,
    binned,
    continuous_columns,
    discrete_columns,
    is_continuous,
    mdl_cuts_of,
    query,
)
from oracle.mixed_posteriors import (
    LogJoint,
    MixedNetwork,
    log_joint,
    naive_bayes_network,
    normalised_logs,
)
from oracle.smoothing import Smoothing, class_prior, conditional, pair
from oracle.structures import spode
from oracle.tables import F, Row, Table, Value, Y

VARIANCES = {"conditional": clg, "hugin": hugin, "pooled": pooled}


def mean_of_members(table: Table, members: Sequence[LogJoint]) -> LogJoint:
    """Return the logarithm of the members' mean joint."""
    count = ln(len(members))
    return {y: log_sum(member[y] for member in members) - count for y in table.classes}


def log_priors(table: Table, smoothing: Smoothing) -> LogJoint:
    """Return ln P(y) from all rows."""
    return {y: ln(class_prior(table, smoothing, y)) for y in table.classes}


# --- GAODE --------------------------------------------------------------------------------------


def gaode_networks(
    table: Table, smoothing: Smoothing, variance: str = "conditional"
) -> dict[int, MixedNetwork]:
    """Return {superparent: its network}; a constant column is no superparent."""
    if discrete_columns(table):
        raise ValueError(f"columns {discrete_columns(table)} are discrete")
    return {
        j: MixedNetwork(table, spode(table, j), smoothing, parameters=VARIANCES[variance])
        for j in range(table.n)
        if not is_constant(table, j)
    }


def gaode_log_joint(
    table: Table,
    smoothing: Smoothing,
    row: Sequence[Value | None],
    variance: str = "conditional",
) -> LogJoint:
    """Return ln P(y, x): the mean over all superparents; P(y) if all columns are constant."""
    networks = gaode_networks(table, smoothing, variance).values()
    if not networks:
        return log_priors(table, smoothing)
    return mean_of_members(table, [log_joint(network, row) for network in networks])


def gaode_posterior(
    table: Table,
    smoothing: Smoothing,
    row: Sequence[Value | None],
    variance: str = "conditional",
) -> list[float]:
    """GAODE's P(y | x) in class order."""
    joint = gaode_log_joint(table, smoothing, row, variance)
    return normalised_logs(table, joint, log_priors(table, smoothing))


# --- HAODE --------------------------------------------------------------------------------------


class View(NamedTuple):
    """A superparent, the table in which it is discrete, and its cuts (None: it was discrete)."""

    superparent: int
    table: Table
    cuts: Cuts | None

    def state(self, row: Row) -> Value | None:
        """Return the superparent's state in a row of the original table."""
        x = row[self.superparent]
        return x if x is None or self.cuts is None else bin_of(x, self.cuts)


def haode_views(table: Table, cuts: Mapping[int, Cuts] | None = None) -> list[View]:
    """Return the superparents; `cuts` of every continuous column that is not constant, or MDL's."""
    views = []
    for j in range(table.n):
        if not is_continuous(table, j):
            views.append(View(j, table, None))
        elif not is_constant(table, j):
            own = mdl_cuts_of(table, j) if cuts is None else tuple(cuts[j])
            views.append(View(j, binned(table, j, own), own))
    return views


def haode_member(view: View, smoothing: Smoothing, row: Row, y: Value) -> Decimal:
    """Return ln of P(y, aj) times the say of every other attribute observed; xj is observed."""
    table, j, state = view.table, view.superparent, view.state(row)
    given = ((Y, y), (j, state))
    total = ln(pair(table, smoothing, y, j, state))
    for i, x in enumerate(row):
        if i == j or x is None:
            continue
        if not is_continuous(table, i):
            total += ln(conditional(table, smoothing, i, x, given))
        elif not is_constant(table, i):
            child = clg(table, i, (), given)
            total += ln(resolution(table, i)) + log_normal(x, child.intercept, child.variance)
    return total


def haode_log_joint(
    table: Table,
    smoothing: Smoothing,
    row: Sequence[Value | None],
    cuts: Mapping[int, Cuts] | None = None,
    min_count: float = 1,
) -> LogJoint:
    """Return ln of the mean over the usable superparents, naive Bayes if there is none.

    Numbers count by the probability of a cell one resolution wide, naive Bayes' too.
    """
    cells = query(table, row)
    usable = [
        view
        for view in haode_views(table, cuts)
        if view.state(cells) is not None
        and F(view.table, (view.superparent, view.state(cells))) >= min_count
    ]
    if not usable:
        width = sum(
            ln(resolution(table, i))
            for i in continuous_columns(table)
            if cells[i] is not None and not is_constant(table, i)
        )
        fallback = log_joint(naive_bayes_network(table, smoothing), cells)
        return {y: log + width for y, log in fallback.items()}
    return mean_of_members(
        table,
        [{y: haode_member(view, smoothing, cells, y) for y in table.classes} for view in usable],
    )


def haode_posterior(
    table: Table,
    smoothing: Smoothing,
    row: Sequence[Value | None],
    cuts: Mapping[int, Cuts] | None = None,
    min_count: float = 1,
) -> list[float]:
    """HAODE's P(y | x) in class order; P(y) from all rows if every class is at 0."""
    joint = haode_log_joint(table, smoothing, row, cuts, min_count)
    return normalised_logs(table, joint, log_priors(table, smoothing))
