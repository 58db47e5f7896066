"""The normal equations of a regression, solved exactly where they can be solved."""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

SMALLEST = 1e-10  # of the largest singular value; what is below counts as 0

Matrix = list[list[Fraction]]


def slopes(
    matrix: Matrix, covariances: Sequence[Fraction], spreads: Sequence[Fraction]
) -> tuple[Fraction, ...]:
    """Return b = S⁺ s of parents with covariance matrix S and covariances s with the child.

    `spreads` are the variances over all training rows the columns are scaled by. A parent whose
    diagonal element is 0 is a constant: its whole row is 0, and so is its coefficient.
    """
    b = [Fraction(0)] * len(matrix)
    live = [j for j in range(len(matrix)) if matrix[j][j]]
    part = [[matrix[j][k] for k in live] for j in live]
    sides = [covariances[j] for j in live]
    for j, slope in zip(live, solved(part, sides, [spreads[j] for j in live]), strict=True):
        b[j] = slope
    return tuple(b)


def solved(
    matrix: Matrix, sides: Sequence[Fraction], spreads: Sequence[Fraction]
) -> list[Fraction]:
    """Solve exactly, or by the pseudo-inverse if the scaled matrix is singular to 1e-10."""
    if len(matrix) <= 1:
        return eliminated(matrix, sides)
    sigmas = [Fraction(math.sqrt(spread)) for spread in spreads]
    scaled = np.array(
        [
            [float(x / (a * b)) for x, b in zip(row, sigmas, strict=True)]
            for row, a in zip(matrix, sigmas, strict=True)
        ]
    )
    left, singular, right = np.linalg.svd(scaled)
    if all(singular >= SMALLEST * singular[0]):
        return eliminated(matrix, sides)
    inverse = [1 / s if s >= SMALLEST * singular[0] else 0.0 for s in singular]
    scaled_sides = [float(s / a) for s, a in zip(sides, sigmas, strict=True)]
    solution = right.T @ (inverse * (left.T @ scaled_sides))
    return [Fraction(float(x)) / a for x, a in zip(solution, sigmas, strict=True)]


def eliminated(matrix: Matrix, sides: Sequence[Fraction]) -> list[Fraction]:
    """Solve a regular system by Gauss-Jordan elimination in fractions."""
    rows = [[*row, side] for row, side in zip(matrix, sides, strict=True)]
    for step in range(len(rows)):
        pivot = next(r for r in range(step, len(rows)) if rows[r][step])
        rows[step], rows[pivot] = rows[pivot], rows[step]
        rows[step] = [x / rows[step][step] for x in rows[step]]
        for other in range(len(rows)):
            if other != step:
                share = rows[other][step]
                rows[other] = [a - share * b for a, b in zip(rows[other], rows[step], strict=True)]
    return [row[-1] for row in rows]
