"""P(y, x) and P(y | x) of one network over states and numbers, for rows with missing cells.

Missing states are summed out by walking through every completion of the row; given all states the
numbers are jointly normal, and the missing ones are left out of that normal.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from oracle.densities import IMPOSSIBLE, ln, log_multivariate_normal, log_normal, log_sum
from oracle.gaussian import Given, Linear, clg, is_constant
from oracle.mixed import continuous_columns, discrete_columns, is_continuous, query
from oracle.posteriors import parents_first
from oracle.smoothing import (
    Smoothing,
    class_prior,
    conditional,
    pair_conditional,
    pair_prior,
)
from oracle.structures import Parents, naive_bayes, spode
from oracle.tables import Row, Table, Value, Y

LogJoint = dict[Value, Decimal]  # class -> ln P(y, x)
Parameters = Callable[[Table, int, tuple[int, ...], Given], Linear]


@dataclass(frozen=True)
class MixedNetwork:
    """A structure and how its factors are estimated.

    `superparent` is the discrete attribute estimated together with the class, or None;
    `without_class` are the attributes with no arc from the class; `parameters` gives the factor of
    a continuous attribute.
    """

    table: Table
    parents: Parents
    smoothing: Smoothing
    superparent: int | None = None
    without_class: frozenset[int] = frozenset()
    parameters: Parameters = clg

    def log_prior(self, y: Value) -> Decimal:
        """Return the network's ln P(y)."""
        if self.superparent is None:
            return ln(class_prior(self.table, self.smoothing, y))
        return ln(pair_prior(self.table, self.smoothing, y, self.superparent))

    def given(self, i: int, row: Row, y: Value) -> Given:
        """Return the class and the discrete parents of an attribute with their values."""
        discrete = [j for j in self.parents[i] if not is_continuous(self.table, j)]
        of_class = () if i in self.without_class else ((Y, y),)
        return (*of_class, *((j, row[j]) for j in discrete))

    def numbers(self, i: int) -> tuple[int, ...]:
        """Return the continuous parents of an attribute."""
        return tuple(j for j in self.parents[i] if is_continuous(self.table, j))

    def log_table(self, i: int, row: Row, y: Value) -> Decimal:
        """Return ln P(xi | y, parents) of a discrete attribute; all the states are filled in."""
        if i == self.superparent:
            return ln(pair_conditional(self.table, self.smoothing, i, row[i], y))
        return ln(conditional(self.table, self.smoothing, i, row[i], self.given(i, row, y)))

    def linear(self, i: int, row: Row, y: Value) -> Linear:
        """Return the normal of a continuous attribute; all the states are filled in."""
        return self.parameters(self.table, i, self.numbers(i), self.given(i, row, y))


def naive_bayes_network(table: Table, smoothing: Smoothing) -> MixedNetwork:
    """Naive Bayes, tables for states and Gaussians for numbers."""
    return MixedNetwork(table, naive_bayes(table), smoothing)


def mixed_spode_network(table: Table, smoothing: Smoothing, superparent: int) -> MixedNetwork:
    """SPODE(j); a discrete superparent is estimated together with the class."""
    tag = None if is_continuous(table, superparent) else superparent
    return MixedNetwork(table, spode(table, superparent), smoothing, tag)


# --- the joint ----------------------------------------------------------------------------------


def log_joint(network: MixedNetwork, row: Sequence[Value | None]) -> LogJoint:
    """Return ln P(y, x) of every class, the missing cells summed and integrated out."""
    cells = query(network.table, row)
    return {
        y: network.log_prior(y)
        + log_sum(log_completed(network, full, y) for full in completions(network.table, cells))
        for y in network.table.classes
    }


def completions(table: Table, row: Row) -> Iterator[Row]:
    """Walk through the row's completions, every missing state filled in and no number."""
    choices = [
        (x,) if x is not None or is_continuous(table, i) else table.domains[i]
        for i, x in enumerate(row)
    ]
    return itertools.product(*choices)


def log_completed(network: MixedNetwork, row: Row, y: Value) -> Decimal:
    """Return ln P(x | y) of a row in which only numbers may be missing."""
    total = Decimal(0)
    for i in discrete_columns(network.table):
        total += network.log_table(i, row, y)
    if total == IMPOSSIBLE:
        return total
    missing = [i for i in numbers_with_a_say(network.table) if row[i] is None]
    return total + (log_of_joint_normal if missing else log_of_factors)(network, row, y)


def numbers_with_a_say(table: Table) -> list[int]:
    """Return the continuous attributes that are not constant."""
    return [i for i in continuous_columns(table) if not is_constant(table, i)]


def log_of_factors(network: MixedNetwork, row: Row, y: Value) -> Decimal:
    """Return the sum of the log densities of the numbers given their parents; none is missing."""
    total = Decimal(0)
    for i in numbers_with_a_say(network.table):
        factor = network.linear(i, row, y)
        mean = factor.mean([row[j] for j in network.numbers(i)])
        total += log_normal(row[i], mean, factor.variance)
    return total


def log_of_joint_normal(network: MixedNetwork, row: Row, y: Value) -> Decimal:
    """Return the log density of the observed numbers under the joint normal of all numbers."""
    mean, covariance = joint_normal(network, row, y)
    seen = [i for i in mean if row[i] is not None]
    return log_multivariate_normal(
        [row[i] for i in seen],
        [mean[i] for i in seen],
        [[covariance[i, j] for j in seen] for i in seen],
    )


def joint_normal(
    network: MixedNetwork, row: Row, y: Value
) -> tuple[dict[int, Fraction], dict[tuple[int, int], Fraction]]:
    """Return the means and covariances of all numbers given all states, parents first."""
    mean: dict[int, Fraction] = {}
    covariance: dict[tuple[int, int], Fraction] = {}
    for i in parents_first(network.parents):
        if i not in numbers_with_a_say(network.table):
            continue
        factor = network.linear(i, row, y)
        # A constant parent has coefficient 0 and no place in the normal.
        slopes = zip(network.numbers(i), factor.coefficients, strict=True)
        b = {j: slope for j, slope in slopes if slope}
        for k in mean:
            covariance[i, k] = sum((b[j] * covariance[j, k] for j in b), Fraction(0))
            covariance[k, i] = covariance[i, k]
        covariance[i, i] = factor.variance + sum(b[j] * covariance[i, j] for j in b)
        mean[i] = factor.intercept + sum(b[j] * mean[j] for j in b)
    return mean, covariance


# --- the answer ---------------------------------------------------------------------------------


def mixed_posterior(network: MixedNetwork, row: Sequence[Value | None]) -> list[float]:
    """P(y | x) in class order; the network's own P(y) if it gives every class 0."""
    prior = {y: network.log_prior(y) for y in network.table.classes}
    return normalised_logs(network.table, log_joint(network, row), prior)


def naive_bayes_posterior(
    table: Table, smoothing: Smoothing, row: Sequence[Value | None]
) -> list[float]:
    """P(y | x) of mixed naive Bayes in class order."""
    return mixed_posterior(naive_bayes_network(table, smoothing), row)


def normalised_logs(table: Table, joint: LogJoint, prior: LogJoint) -> list[float]:
    """Divide by the sum; the prior if every class is at 0."""
    logs = joint if any(log != IMPOSSIBLE for log in joint.values()) else prior
    total = log_sum(logs.values())
    return [float((logs[y] - total).exp()) for y in table.classes]
