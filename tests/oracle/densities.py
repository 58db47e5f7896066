"""Logarithms and normal densities in 28-digit decimals, of exact means and variances.

A probability of 0 has the logarithm -Infinity, and no log joint is ever too far from 0 to be told
from its neighbour.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction

IMPOSSIBLE = Decimal("-Infinity")
HALF_LN_2PI = Decimal("0.9189385332046727417803297364056176398613974736")

Matrix = Sequence[Sequence[Fraction]]


def decimal(number: Fraction | int) -> Decimal:
    """Return a fraction as a decimal number."""
    return Decimal(number.numerator) / Decimal(number.denominator)


def ln(number: Fraction | int) -> Decimal:
    """Return the natural logarithm of a fraction; -Infinity of 0."""
    return decimal(number).ln()


def log_sum(logs: Iterable[Decimal]) -> Decimal:
    """Return the logarithm of the sum of the numbers whose logarithms are given."""
    possible = [log for log in logs if log != IMPOSSIBLE]
    if not possible:
        return IMPOSSIBLE
    top = max(possible)
    return top + sum((log - top).exp() for log in possible).ln()


def log_normal(x: Fraction, mean: Fraction, variance: Fraction) -> Decimal:
    """Return ln N(x; mean, variance)."""
    return -HALF_LN_2PI - ln(variance) / 2 - decimal((x - mean) ** 2 / variance) / 2


def log_multivariate_normal(
    x: Sequence[Fraction], mean: Sequence[Fraction], covariance: Matrix
) -> Decimal:
    """Return the log density of a multivariate normal, one variable after the other eliminated.

    What is left of the distances and of the matrix after a step is distributed as the remaining
    variables given the eliminated ones, so every step adds one univariate log density.
    """
    rest = [[*row] for row in covariance]
    distance = [a - b for a, b in zip(x, mean, strict=True)]
    total = Decimal(0)
    for step, pivots in enumerate(rest):
        total += log_normal(distance[step], Fraction(0), pivots[step])
        for lower in range(step + 1, len(rest)):
            share = rest[lower][step] / pivots[step]
            distance[lower] -= share * distance[step]
            rest[lower] = [a - share * b for a, b in zip(rest[lower], pivots, strict=True)]
    return total
