"""Losses of predictions and tests of significance, in plain Python and exact fractions.

Losses are fractions here, so that equal ones are equal; the package gets the floats nearest to
them. Every formula is the textbook's, not the one the package computes by.
"""

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

Losses = Sequence[Sequence[Fraction]]  # a row a data set, a column a method

# --- metrics ------------------------------------------------------------------------------------


def zero_one(y: Sequence[object], predicted: Sequence[object]) -> Fraction:
    return Fraction(sum(a != b for a, b in zip(y, predicted, strict=True)), len(y))


def brier(y: Sequence[object], posteriors: Losses, classes: Sequence[object]) -> Fraction:
    total = Fraction(0)
    for label, row in zip(y, posteriors, strict=True):
        for name, p in zip(classes, row, strict=True):
            total += (p - (name == label)) ** 2
    return total / len(y)


def log_loss(
    y: Sequence[object], posteriors: Losses, classes: Sequence[object]
) -> tuple[float, int]:
    """Return the mean of -ln P(true label), and in how many rows that is infinite."""
    of_truth = [row[list(classes).index(label)] for label, row in zip(y, posteriors, strict=True)]
    n_infinite = sum(p == 0 for p in of_truth)
    if n_infinite:
        return math.inf, n_infinite
    return -math.fsum(math.log(p) for p in of_truth) / len(y), 0


def bias_variance(
    y: Sequence[object], predictions: Sequence[Sequence[object]]
) -> tuple[Fraction, Fraction, Fraction]:
    """Return the means over rows of bias², variance and loss, each by its own definition."""
    classes = set(y).union(*predictions)
    bias = variance = loss = Fraction(0)
    for label, said in zip(y, predictions, strict=True):
        share = {name: Fraction(list(said).count(name), len(said)) for name in classes}
        bias += sum(((name == label) - share[name]) ** 2 for name in classes) / 2
        variance += (1 - sum(p**2 for p in share.values())) / 2
        loss += Fraction(sum(one != label for one in said), len(said))
    return bias / len(y), variance / len(y), loss / len(y)


# --- wins, draws and losses ---------------------------------------------------------------------


def outcome(one: Fraction, other: Fraction) -> int:
    """Return 1 where one is more than 5 % below the other, -1 the other way round, or 0."""
    if one < Fraction(95, 100) * other:
        return 1
    return -1 if other < Fraction(95, 100) * one else 0


def record(losses: Losses, a: int, b: int) -> tuple[int, int, int]:
    outcomes = [outcome(row[a], row[b]) for row in losses]
    return outcomes.count(1), outcomes.count(0), outcomes.count(-1)


def sign_test(wins: int, losses: int) -> Fraction:
    n = wins + losses
    return Fraction(sum(math.comb(n, i) for i in range(wins, n + 1)), 2**n)


# --- ranks --------------------------------------------------------------------------------------


def ranks(values: Sequence[Fraction]) -> list[Fraction]:
    """Return 1 + how many are smaller, + half of how many others are equal."""
    return [
        1 + sum(v < value for v in values) + Fraction(list(values).count(value) - 1, 2)
        for value in values
    ]


def average_ranks(losses: Losses) -> list[Fraction]:
    columns = zip(*(ranks(row) for row in losses), strict=True)
    return [sum(column, Fraction(0)) / len(losses) for column in columns]


def friedman(losses: Losses) -> Fraction | None:
    """Return the rank statistic over its correction for ties; None where all is tied."""
    n, k = len(losses), len(losses[0])
    spread = sum(r**2 for r in average_ranks(losses)) - Fraction(k * (k + 1) ** 2, 4)
    statistic = Fraction(12 * n, k * (k + 1)) * spread
    ties = sum(row.count(v) ** 3 - row.count(v) for row in map(list, losses) for v in set(row))
    correction = 1 - Fraction(ties, n * k * (k**2 - 1))
    return statistic / correction if correction else None


def iman_davenport(chi_squared: Fraction, n: int, k: int) -> Fraction | None:
    """Return F; None where it is infinite."""
    rest = n * (k - 1) - chi_squared
    return (n - 1) * chi_squared / rest if rest else None


# --- pairs --------------------------------------------------------------------------------------


def wilcoxon(differences: Sequence[Fraction]) -> tuple[Fraction, Fraction, Fraction]:
    """Return the rank sums of both signs and the p-value, over all signs there might be."""
    zeros = [d for d in differences if d == 0]
    used = [d for d in differences if d != 0] + zeros[: len(zeros) - len(zeros) % 2]
    placed = list(zip(used, ranks([abs(d) for d in used]), strict=True))
    half = sum((r for d, r in placed if d == 0), Fraction(0)) / 2
    plus = half + sum(r for d, r in placed if d > 0)
    minus = half + sum(r for d, r in placed if d < 0)
    others = [r for d, r in placed if d != 0]
    middle = sum(others, Fraction(0)) / 2
    as_far = [
        abs(sum(r for r, sign in zip(others, signs, strict=True) if sign) - middle)
        >= abs(plus - half - middle)
        for signs in itertools.product([False, True], repeat=len(others))
    ]
    return plus, minus, Fraction(sum(as_far), len(as_far))


def five_by_two(differences: Losses) -> Fraction | None:
    """Return f; None where the variances are all 0."""
    squares = sum(p**2 for row in differences for p in row)
    variances = Fraction(0)
    for first, second in differences:
        mean = (first + second) / 2
        variances += (first - mean) ** 2 + (second - mean) ** 2
    return squares / (2 * variances) if variances else None
