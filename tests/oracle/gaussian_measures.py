"""Information measures that numbers take part in, and the integers of a mixed table's measures."""

from decimal import Decimal
from fractions import Fraction

from oracle.densities import decimal, ln
from oracle.gaussian import (
    Rows,
    covariance_of,
    family_rows,
    floor,
    is_constant,
    matching,
    variance_of,
    weight_of,
)
from oracle.measures import conditional_mutual_information, mutual_information, quantise
from oracle.mixed import is_continuous
from oracle.tables import Table, Y, remembered

LEAST_UNEXPLAINED = Fraction(10) ** -12


def log_variance(table: Table, i: int, rows: Rows) -> Decimal:
    """Return ln of the variance of an attribute over some rows, after the floor."""
    return ln(max(variance_of(rows, i), floor(table, i)))


def share(part: Rows, rows: Rows) -> Decimal:
    """Return the weight of a part of the rows, as a share of theirs."""
    return decimal(Fraction(weight_of(part)) / weight_of(rows))


def classes_of(table: Table, rows: Rows) -> list[Rows]:
    """Split rows by class, classes without rows left out."""
    return [part for y in table.classes if (part := matching(rows, ((Y, y),)))]


@remembered
def gaussian_with_class(table: Table, i: int) -> float:
    """I(X;Y) = ½ ln σ² - ½ Σ_y P(y) ln σ²_y."""
    rows = family_rows(table, (i,))
    if is_constant(table, i):
        return 0.0
    within = sum(
        share(part, rows) * log_variance(table, i, part) for part in classes_of(table, rows)
    )
    return clipped((log_variance(table, i, rows) - within) / 2)


@remembered
def gaussian_pair(table: Table, i: int, j: int) -> float:
    """I(X;Z|Y) = -½ Σ_y P(y) ln(1 - ρ²_y) of two columns of numbers."""
    rows = family_rows(table, (i, j))
    if is_constant(table, i) or is_constant(table, j):
        return 0.0
    terms = [
        share(part, rows) * ln(unexplained(table, i, j, part)) for part in classes_of(table, rows)
    ]
    return clipped(-sum(terms, Decimal(0)) / 2)


def unexplained(table: Table, i: int, j: int, rows: Rows) -> Fraction:
    """Return 1 - ρ² within one class, held between its bounds."""
    a, b = variance_of(rows, i), variance_of(rows, j)
    if weight_of(rows) < 2 or a == 0 or b == 0:  # floor/0 is above 1
        return Fraction(1)
    rest = 1 - covariance_of(rows, i, j) ** 2 / (a * b)
    least = max(floor(table, i) / a, floor(table, j) / b, LEAST_UNEXPLAINED)
    return min(max(rest, least), Fraction(1))


@remembered
def number_and_state(table: Table, i: int, d: int) -> float:
    """I(X;D|Y) = ½ Σ_y P(y) ln σ²_y - ½ Σ_{y,d} P(y,d) ln σ²_{y,d}; X numbers, D states."""
    rows = family_rows(table, (i, d))
    if is_constant(table, i):
        return 0.0
    total = Decimal(0)
    for part in classes_of(table, rows):
        total += share(part, rows) * log_variance(table, i, part)
        for state in table.domains[d]:
            cell = matching(part, ((d, state),))
            if cell:
                used = cell if weight_of(cell) >= 2 else part
                total -= share(cell, rows) * log_variance(table, i, used)
    return clipped(total / 2)


def clipped(information: Decimal) -> float:
    """Return a measure as a float, 0 in the place of a negative one."""
    return max(float(information), 0.0)


# --- any two attributes -------------------------------------------------------------------------


def mixed_mutual_information(table: Table, i: int) -> float:
    """I(Xi;Y) of an attribute of either kind."""
    return (gaussian_with_class if is_continuous(table, i) else mutual_information)(table, i)


def mixed_conditional_mutual_information(table: Table, i: int, j: int) -> float:
    """I(Xi;Xj|Y) of two attributes of any kinds."""
    if is_continuous(table, i) and is_continuous(table, j):
        return gaussian_pair(table, i, j)
    if is_continuous(table, i):
        return number_and_state(table, i, j)
    if is_continuous(table, j):
        return number_and_state(table, j, i)
    return conditional_mutual_information(table, i, j)


def mixed_class_scores(table: Table) -> list[int]:
    """Quantised I(Xi;Y) of every attribute."""
    return [quantise(mixed_mutual_information(table, i)) for i in range(table.n)]


def mixed_pair_scores(table: Table) -> list[list[int]]:
    """Quantised I(Xi;Xj|Y) of every two attributes; the diagonal is never looked at."""
    scores = [[0] * table.n for _ in range(table.n)]
    for i in range(table.n):
        for j in range(i + 1, table.n):
            scores[i][j] = quantise(mixed_conditional_mutual_information(table, i, j))
            scores[j][i] = scores[i][j]
    return scores
