"""Compiled counting of triples of values; importing this module loads numba."""

import numba
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]


@numba.njit(nogil=True, cache=True)
def count_triples(
    values: Codes,
    labels: Codes,
    weights: Floats,
    a: int,
    b: int,
    first_a: int,
    first_b: int,
    counts: Floats,
) -> None:
    """Count the values of attributes a and b with those of every attribute before b, by class.

    Graph twin: `SufficientStatistics.counts` of three attributes and the class.

    Parameters
    ----------
    values : ndarray of shape (n_rows, n_attributes), int32
        Index of each cell's value among the values of all attributes; one past the last
        where missing.
    labels : ndarray of shape (n_rows,), int32
    weights : ndarray of shape (n_rows,), float64
    a, b : int
        Two attributes.
    first_a, first_b : int
        Their first values.
    counts : ndarray of shape (card_a, card_b, n_values + 1, n_classes), float64
        Overwritten. The last value collects cells that are missing.
    """
    missing = counts.shape[2] - 1
    counts[:] = 0.0
    for r in range(values.shape[0]):
        value_a, value_b = values[r, a], values[r, b]
        if value_a == missing or value_b == missing:
            continue
        line, y, w = counts[value_a - first_a, value_b - first_b], labels[r], weights[r]
        for c in range(b):
            line[values[r, c], y] += w
