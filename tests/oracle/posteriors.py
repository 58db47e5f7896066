"""P(y, x) and P(y | x) of a query row with missing cells.

A cell is missing when it is None or no declared state. All of it is plain enumeration: the
missing cells of a row are summed out by walking through every completion of the row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from oracle.smoothing import (
    Smoothing,
    class_prior,
    conditional,
    pair,
    pair_conditional,
    pair_prior,
)
from oracle.structures import Parents, naive_bayes, spode
from oracle.tables import F, Row, Table, Value, Y, known

Joint = dict[Value, Fraction]  # class -> P(y, x)


@dataclass(frozen=True)
class Network:
    """A structure and how its tables are estimated.

    `superparent` is the attribute estimated together with the class (SPODE), or None.
    """

    table: Table
    parents: Parents
    smoothing: Smoothing
    superparent: int | None = None

    def prior(self, y: Value) -> Fraction:
        """Return the network's P(y)."""
        if self.superparent is None:
            return class_prior(self.table, self.smoothing, y)
        return pair_prior(self.table, self.smoothing, y, self.superparent)

    def factor(self, i: int, row: Row, y: Value) -> Fraction:
        """P(xi | y, parents) of a row whose cells i and parents of i are filled."""
        if i == self.superparent:
            return pair_conditional(self.table, self.smoothing, i, row[i], y)
        given = ((Y, y), *((parent, row[parent]) for parent in self.parents[i]))
        return conditional(self.table, self.smoothing, i, row[i], given)


def spode_network(table: Table, smoothing: Smoothing, superparent: int) -> Network:
    """SPODE(j), its class and superparent estimated together."""
    return Network(table, spode(table, superparent), smoothing, superparent)


def joint(network: Network, row: Sequence[Value | None]) -> Joint:
    """P(y, x) of every class, the missing cells summed out over all their states."""
    cells = known(network.table, row)
    order = parents_first(network.parents)
    return {
        y: network.prior(y) * sum_of_completions(network, order, cells, y)
        for y in network.table.classes
    }


def sum_of_completions(network: Network, order: Sequence[int], row: Row, y: Value) -> Fraction:
    """Sum, over the states of the missing cells, of the product of the factors of `order`."""
    if not order:
        return Fraction(1)
    i, rest = order[0], order[1:]
    states = network.table.domains[i] if row[i] is None else (row[i],)
    total = Fraction(0)
    for state in states:
        completed = (*row[:i], state, *row[i + 1 :])
        factor = network.factor(i, completed, y)
        if factor:
            total += factor * sum_of_completions(network, rest, completed, y)
    return total


def parents_first(parents: Parents) -> list[int]:
    """Return the attributes so ordered that all parents come before their children."""
    order: list[int] = []
    while len(order) < len(parents):
        order += [i for i in parents if i not in order and set(parents[i]) <= set(order)]
    return order


def usable_superparents(table: Table, row: Row, min_count: float) -> list[int]:
    """Observed, known, and of a value seen with at least `min_count` weight in training."""
    return [j for j, x in enumerate(row) if x is not None and F(table, (j, x)) >= min_count]


def aode_joint(
    table: Table, smoothing: Smoothing, row: Sequence[Value | None], min_count: float = 1
) -> Joint:
    """AODE's P(y, x): the mean over the usable superparents, naive Bayes if there is none.

    A member that gives a class 0 adds nothing to that class; the divisor stays the number of
    usable superparents.
    """
    cells = known(table, row)
    usable = usable_superparents(table, cells, min_count)
    if not usable:
        return joint(Network(table, naive_bayes(table), smoothing), cells)
    return {
        y: sum(member(table, smoothing, cells, y, j) for j in usable) / len(usable)
        for y in table.classes
    }


def member(table: Table, smoothing: Smoothing, row: Row, y: Value, j: int) -> Fraction:
    """P(y, xj) times P(xi | y, xj) of all other attributes observed; xj is observed."""
    product = pair(table, smoothing, y, j, row[j])
    for i, x in enumerate(row):
        if i != j and x is not None:
            product *= conditional(table, smoothing, i, x, ((Y, y), (j, row[j])))
    return product


def posterior(network: Network, row: Sequence[Value | None]) -> list[float]:
    """P(y | x) in class order; the network's own P(y) if it gives every class 0."""
    table = network.table
    return normalised(table, joint(network, row), {y: network.prior(y) for y in table.classes})


def aode_posterior(
    table: Table, smoothing: Smoothing, row: Sequence[Value | None], min_count: float = 1
) -> list[float]:
    """AODE's P(y | x) in class order; P(y) from all rows if every class is at 0."""
    prior = {y: class_prior(table, smoothing, y) for y in table.classes}
    return normalised(table, aode_joint(table, smoothing, row, min_count), prior)


def normalised(table: Table, joint: Joint, prior: Joint) -> list[float]:
    """Divide by the sum; the prior if the sum is 0."""
    weights = joint if any(joint.values()) else prior
    total = sum(weights.values())
    return [float(weights[y] / total) for y in table.classes]
