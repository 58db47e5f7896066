"""Probabilities from counts, as exact fractions."""

from dataclasses import dataclass
from fractions import Fraction

from oracle.tables import F, Number, Table, Value, Y, exact, remembered


@dataclass(frozen=True)
class MEstimate:
    """(count + m/states) / (total + m)."""

    m: float = 1

    def conditional(
        self, count: Number, total: Number, states: int, configurations: int
    ) -> Fraction:
        return ratio(count + Fraction(exact(self.m), states), total + exact(self.m), states)

    def prior(self, count: Number, total: Number, classes: int) -> Fraction:
        return ratio(count + Fraction(exact(self.m), classes), total + exact(self.m), classes)

    def pair(self, count: Number, total: Number, cells: int) -> Fraction:
        return ratio(count + Fraction(exact(self.m), cells), total + exact(self.m), cells)


@dataclass(frozen=True)
class Laplace:
    """(count + a) / (total + a * states)."""

    a: float = 1

    def conditional(
        self, count: Number, total: Number, states: int, configurations: int
    ) -> Fraction:
        return ratio(count + exact(self.a), total + exact(self.a) * states, states)

    def prior(self, count: Number, total: Number, classes: int) -> Fraction:
        return ratio(count + exact(self.a), total + exact(self.a) * classes, classes)

    def pair(self, count: Number, total: Number, cells: int) -> Fraction:
        return ratio(count + exact(self.a), total + exact(self.a) * cells, cells)


@dataclass(frozen=True)
class BDeu:
    """(count + s/(q * states)) / (total + s/q), q the number of parent configurations."""

    s: float = 1

    def conditional(
        self, count: Number, total: Number, states: int, configurations: int
    ) -> Fraction:
        share = Fraction(exact(self.s), configurations)
        return ratio(count + share / states, total + share, states)

    def prior(self, count: Number, total: Number, classes: int) -> Fraction:
        return ratio(count + Fraction(exact(self.s), classes), total + exact(self.s), classes)

    def pair(self, count: Number, total: Number, cells: int) -> Fraction:
        return ratio(count + Fraction(exact(self.s), cells), total + exact(self.s), cells)


Smoothing = MEstimate | Laplace | BDeu


def ratio(numerator: Number, denominator: Number, states: int) -> Fraction:
    """Return numerator/denominator, where 0/0 is uniform over the states."""
    return Fraction(numerator, denominator) if denominator else Fraction(1, states)


@remembered
def class_prior(table: Table, smoothing: Smoothing, y: Value) -> Fraction:
    """P(y) from all rows."""
    return smoothing.prior(F(table, (Y, y)), F(table), table.size(Y))


@remembered
def conditional(
    table: Table, smoothing: Smoothing, i: int, x: Value, given: tuple[tuple[Value, Value], ...]
) -> Fraction:
    """P(Xi = x | given), the class among the given; F(u) over rows where Xi is observed too."""
    total = sum(F(table, (i, state), *given) for state in table.domains[i])
    configurations = 1
    for parent, _ in given:
        configurations *= table.size(parent)
    return smoothing.conditional(
        F(table, (i, x), *given), total, len(table.domains[i]), configurations
    )


@remembered
def pair(table: Table, smoothing: Smoothing, y: Value, j: int, x: Value) -> Fraction:
    """P(y, Xj = x), estimated together from the t_j rows in which the superparent is observed."""
    t_j = sum(F(table, (j, state)) for state in table.domains[j])
    return smoothing.pair(F(table, (Y, y), (j, x)), t_j, table.size(Y) * table.size(j))


@remembered
def pair_prior(table: Table, smoothing: Smoothing, y: Value, j: int) -> Fraction:
    """P(y) of SPODE(j): the sum of P(y, xj) over the declared states of Xj."""
    return sum(pair(table, smoothing, y, j, x) for x in table.domains[j])


@remembered
def pair_conditional(table: Table, smoothing: Smoothing, j: int, x: Value, y: Value) -> Fraction:
    """P(xj | y) of SPODE(j): P(y, xj) / P(y)."""
    return ratio(pair(table, smoothing, y, j, x), pair_prior(table, smoothing, y, j), table.size(j))
