"""MDL discretisation the slow, obvious way: exact fractions, 50-digit logarithms, loops.

Fayyad and Irani, "Multi-interval discretization of continuous-valued attributes for
classification learning", IJCAI 1993. It shares no code with the package.
"""

import math
from collections import Counter
from collections.abc import Iterable
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise

QUANTUM = 2**40

Row = tuple[Fraction, int, Fraction]
"""A value, its class and its weight."""


def mdl_cuts(
    values: Iterable[float], labels: Iterable[int], weights: Iterable[float] | None = None
) -> tuple[float, ...]:
    """Return the ascending cuts of one column."""
    values = list(values)
    weights = [1] * len(values) if weights is None else weights
    rows = [
        (Fraction(float(value)), label, Fraction(float(weight)))
        for value, label, weight in zip(values, labels, weights, strict=True)
        if not math.isnan(value) and weight > 0
    ]
    with localcontext() as context:
        context.prec = 50
        return tuple(sorted(cuts_of_part(rows)))


def cuts_of_part(rows: list[Row]) -> list[float]:
    """Return the cuts of one part, in any order."""
    distinct = sorted({value for value, _, _ in rows})
    total = sum(weight for _, _, weight in rows)
    if total <= 1:
        return []
    best = None
    for lower, upper in pairwise(distinct):
        left = [row for row in rows if row[0] <= lower]
        right = [row for row in rows if row[0] >= upper]
        entropy = quantised(mean_entropy(left, right))
        if best is None or entropy < best[0]:
            best = (entropy, lower, upper, left, right)
    if best is None:
        return []
    entropy, lower, upper, left, right = best
    gain = quantised(class_entropy(rows)) - entropy
    if gain <= 0 or gain <= quantised(threshold(rows, left, right)):
        return []
    return [cut_between(lower, upper), *cuts_of_part(left), *cuts_of_part(right)]


def quantised(number: Decimal) -> int:
    """Return a number in whole multiples of 2**-40."""
    return round(number * QUANTUM)


def log2(number: Fraction) -> Decimal:
    """Return the binary logarithm of a fraction."""
    return (decimal(number.numerator).ln() - decimal(number.denominator).ln()) / Decimal(2).ln()


def decimal(number: Fraction | int) -> Decimal:
    """Return a fraction or an integer as a decimal number."""
    return Decimal(number.numerator) / Decimal(number.denominator)


def class_weights(rows: list[Row]) -> dict[int, Fraction]:
    """Return the weight of each class that is present."""
    result: Counter[int] = Counter()
    for _, label, weight in rows:
        result[label] += weight
    return result


def class_entropy(rows: list[Row]) -> Decimal:
    """Return -sum p log2 p over the classes."""
    counts = class_weights(rows).values()
    shares = [n / sum(counts) for n in counts]
    return -sum(decimal(p) * log2(p) for p in shares)


def mean_entropy(left: list[Row], right: list[Row]) -> Decimal:
    """Return (N1 H1 + N2 H2) / N."""
    n_left = sum(weight for _, _, weight in left)
    n_right = sum(weight for _, _, weight in right)
    total = n_left + n_right
    return decimal(n_left / total) * class_entropy(left) + decimal(n_right / total) * class_entropy(
        right
    )


def threshold(rows: list[Row], left: list[Row], right: list[Row]) -> Decimal:
    """Return (log2(N-1) + log2(3^c - 2) - (c H - c1 H1 - c2 H2)) / N."""
    total = sum(weight for _, _, weight in rows)
    c, c1, c2 = (len(class_weights(part)) for part in (rows, left, right))
    delta = log2(Fraction(3**c - 2)) - (
        c * class_entropy(rows) - c1 * class_entropy(left) - c2 * class_entropy(right)
    )
    return (log2(total - 1) + delta) / decimal(total)


def cut_between(lower: Fraction, upper: Fraction) -> float:
    """Return the double nearest to the midpoint, or `lower` if that is `upper`."""
    middle = float((lower + upper) / 2)
    return float(lower) if middle == float(upper) else middle
