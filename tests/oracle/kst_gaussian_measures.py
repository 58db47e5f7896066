"""The measures KST is learned from where all attributes are numbers: of all rows, and of one row.

Both ask what a third attribute, or nothing, leaves of two: the residuals of their regressions on
it, which are a pair of normals.
"""

from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import NamedTuple

from oracle.densities import decimal, ln
from oracle.gaussian import (
    Given,
    Rows,
    covariance_of,
    family_rows,
    floor,
    is_constant,
    matching,
    mean_of,
    variance_of,
    weight_of,
)
from oracle.gaussian_measures import LEAST_UNEXPLAINED, clipped, share
from oracle.kst_measures import Measures, conditions
from oracle.measures import quantise
from oracle.mixed import query
from oracle.tables import Row, Table, Value, Y, remembered

DIGITS = 60  # enough for 1 - ρ² of 1e-12 and numbers far from all others


# --- what is left of two attributes -------------------------------------------------------------


class Residual(NamedTuple):
    """What p leaves of an attribute: x - mean - slope (xp - mean of p). No p: x - mean."""

    mean: Fraction
    slope: Fraction
    parent_mean: Fraction
    variance: Fraction

    def of(self, x: Fraction, parent: Fraction) -> Fraction:
        """Return the residual of a number."""
        return x - self.mean - self.slope * (parent - self.parent_mean)


class Pair(NamedTuple):
    """Two residuals and their correlation ρ, 1 - ρ² held between its bounds."""

    first: Residual
    second: Residual
    covariance: Fraction
    unexplained: Fraction


@remembered
def pair_left(table: Table, i: int, j: int, given: tuple[Value, ...], at: Given) -> Pair | None:
    """Return what the attribute given, if there is one, leaves of two over the rows `at` a class.

    None if they cannot tell of one another: fewer than two rows, or nothing left of one of them.
    """
    p = attribute_of(given)
    rows = matching(rows_of(table, i, j, given), at)
    if weight_of(rows) < 2:
        return None
    first, second = residual(table, i, p, rows), residual(table, j, p, rows)
    if first.variance <= floor(table, i) or second.variance <= floor(table, j):
        return None
    covariance = covariance_left(table, i, j, p, rows)
    rest = 1 - covariance**2 / (first.variance * second.variance)
    least = max(
        floor(table, i) / first.variance, floor(table, j) / second.variance, LEAST_UNEXPLAINED
    )
    return Pair(first, second, covariance, min(max(rest, least), Fraction(1)))


def attribute_of(given: tuple[Value, ...]) -> int | None:
    """Return the attribute among what stands right of the bar, if there is one."""
    return next((variable for variable in given if variable != Y), None)


def rows_of(table: Table, i: int, j: int, given: tuple[Value, ...]) -> Rows:
    """Return the rows in which all variables of a measure are observed."""
    return family_rows(table, (i, j, *given))


def residual(table: Table, i: int, p: int | None, rows: Rows) -> Residual:
    """Return the moments of what p leaves of an attribute over some rows."""
    return Residual(
        mean_of(rows, i),
        slope(table, i, p, rows),
        Fraction(0) if p is None else mean_of(rows, p),
        covariance_left(table, i, i, p, rows),
    )


def covariance_left(table: Table, i: int, j: int, p: int | None, rows: Rows) -> Fraction:
    """Return s_ij - b_i b_j s_pp, with the floor under s_pp; with i = j the residual variance."""
    b_i, b_j = slope(table, i, p, rows), slope(table, j, p, rows)
    explained = b_i * b_j * floored_variance(table, p, rows) if b_i and b_j else 0
    return covariance_of(rows, i, j) - explained


def slope(table: Table, i: int, p: int | None, rows: Rows) -> Fraction:
    """Return b = s_ip / s_pp, with the floor under s_pp; 0 for a constant p."""
    if p is None or is_constant(table, p):
        return Fraction(0)
    return covariance_of(rows, i, p) / floored_variance(table, p, rows)


def floored_variance(table: Table, p: int, rows: Rows) -> Fraction:
    """Return the variance of an attribute over some rows, no less than its floor."""
    return max(variance_of(rows, p), floor(table, p))


# --- global -------------------------------------------------------------------------------------


def global_gaussian_measures(table: Table, dependence: str = "class-conditional") -> Measures:
    """Return the measures of the training rows, over all attributes."""

    def pair(i: int, j: int) -> int:
        return quantise(gaussian_information(table, i, j, (Y,)))

    def triple(i: int, other: int, p: int) -> int:
        return quantise(gaussian_information(table, i, other, conditions(dependence, p)))

    return Measures(tuple(range(table.n)), pair, triple)


@remembered
def gaussian_information(table: Table, i: int, j: int, given: tuple[Value, ...]) -> float:
    """I(Xi;Xj|given) in nats: -½ Σ_y P(y) ln(1 - ρ²_y); one normal of all rows without the class.

    `given` is (Y,), (p, Y) or (p,).
    """
    rows = rows_of(table, i, j, given)
    total = Decimal(0)
    for at in classes_given(table, given):
        left = pair_left(table, i, j, given, at)
        if left is not None:
            total += share(matching(rows, at), rows) * ln(left.unexplained)
    return clipped(-total / 2)


def classes_given(table: Table, given: tuple[Value, ...]) -> list[Given]:
    """Return what tells the rows of each class; of all classes together if Y is not given."""
    return [((Y, y),) for y in table.classes] if Y in given else [()]


# --- local --------------------------------------------------------------------------------------


def local_gaussian_measures(
    table: Table, row: Sequence[Value | None], dependence: str = "class-conditional"
) -> Measures:
    """Return the measures of one row, over the attributes it has a known number of."""
    cells = known_numbers(table, row)

    def pair(i: int, j: int) -> int:
        return quantise(local_gaussian_information(table, cells, i, j, (Y,)))

    def triple(i: int, other: int, p: int) -> int:
        given = conditions(dependence, p)
        return quantise(local_gaussian_information(table, cells, i, other, given))

    return Measures(tuple(i for i in range(table.n) if cells[i] is not None), pair, triple)


def known_numbers(table: Table, row: Sequence[Value | None]) -> Row:
    """Return a query row in exact cells; what a constant column never held counts as missing."""
    return tuple(
        None if is_constant(table, i) and x != only_number(table, i) else x
        for i, x in enumerate(query(table, row))
    )


def only_number(table: Table, i: int) -> Fraction:
    """Return the number of a constant column."""
    return family_rows(table, (i,))[0][0][i]


def local_gaussian_information(
    table: Table, row: Sequence[Value | None], i: int, j: int, given: tuple[Value, ...]
) -> float:
    """I(xi;xj|given) in nats: one logarithm per class, without weights; it can be negative.

    Without the class the K logarithms are equal.
    """
    cells = query(table, row)
    terms = [local_term(table, cells, i, j, given, at) for at in classes_given(table, given)]
    return float(sum(terms) * len(table.classes) / len(terms))


def local_term(
    table: Table,
    row: Sequence[Fraction | None],
    i: int,
    j: int,
    given: tuple[Value, ...],
    at: Given,
) -> Decimal:
    """Return ln of p(xi, xj) over p(xi) p(xj), given the number of the third, for exact cells."""
    left = pair_left(table, i, j, given, at)
    if left is None:
        return Decimal(0)
    p = attribute_of(given)
    parent = Fraction(0) if p is None else row[p]
    return log_quotient(left, left.first.of(row[i], parent), left.second.of(row[j], parent))


def log_quotient(left: Pair, e_i: Fraction, e_j: Fraction) -> Decimal:
    """Return -½ ln(1-ρ²) - (ρ² (z_i² + z_j²) - 2 ρ z_i z_j) / (2 (1-ρ²)) at two residuals.

    No floor is under the variances: what is at it or below has nothing left to tell.
    """
    square_i, square_j = e_i**2 / left.first.variance, e_j**2 / left.second.variance
    rho_square = 1 - left.unexplained
    with localcontext(prec=DIGITS):
        crossed = decimal(rho_square * square_i * square_j).sqrt()  # |ρ z_i z_j|
        if left.covariance * e_i * e_j < 0:
            crossed = -crossed
        distance = decimal(rho_square * (square_i + square_j)) - 2 * crossed
        return -ln(left.unexplained) / 2 - distance / decimal(2 * left.unexplained)
