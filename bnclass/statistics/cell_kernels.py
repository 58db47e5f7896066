"""Compiled loops over numbers by discrete value; importing this module loads numba.

They are laid out as those of `moment_kernels`, and tested in the same place.
"""

import numba
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]


@numba.njit(nogil=True, cache=True)
def _load_row(
    numbers: Floats, r: int, w: float, center: Floats, y: int, seen: Floats, deviation: Floats
) -> None:
    """Split a row into what is observed (its weight, else 0) and deviations (0 if missing)."""
    for c in range(numbers.shape[1]):
        x = numbers[r, c] - center[y, c]
        seen[c] = w if x == x else 0.0
        deviation[c] = x if x == x else 0.0


@numba.njit(nogil=True, cache=True)
def add_cells(
    numbers: Floats,
    values: Codes,
    row_order: Ints,
    labels: Codes,
    weights: Floats,
    center: Floats,
    n: Floats,
    total: Floats,
) -> None:
    """Add each row's weight and deviations to the cells of all its discrete values.

    Parameters
    ----------
    numbers : ndarray of shape (n_rows, n_columns), float64
        NaN where missing.
    values : ndarray of shape (n_rows, n_attributes), int32
        Index of each discrete cell's value among all values, -1 where missing.
    row_order : ndarray of shape (n_rows,), int64
    labels : ndarray of shape (n_rows,), int32
    weights : ndarray of shape (n_rows,), float64
    center : ndarray of shape (n_classes, n_columns), float64
    n, total : ndarray of shape (n_classes, n_values, n_columns), float64
        Changed in place.
    """
    n_columns = numbers.shape[1]
    seen, d = np.empty(n_columns), np.empty(n_columns)
    for r in row_order:
        y = labels[r]
        _load_row(numbers, r, weights[r], center, y, seen, d)
        for v in values[r]:
            if v >= 0:
                count, line = n[y, v], total[y, v]
                for c in range(n_columns):
                    count[c] += seen[c]
                    line[c] += seen[c] * d[c]


@numba.njit(nogil=True, cache=True)
def add_cell_squares(
    numbers: Floats,
    values: Codes,
    row_order: Ints,
    labels: Codes,
    weights: Floats,
    center: Floats,
    means: Floats,
    scatter: Floats,
) -> None:
    """Add squares of deviations from the cells' own means.

    Parameters
    ----------
    numbers, values, row_order, labels, weights, center
        As for `add_cells`.
    means : ndarray of shape (n_classes, n_values, n_columns), float64
        Relative to `center`.
    scatter : ndarray of shape (n_classes, n_values, n_columns), float64
        Changed in place.
    """
    n_columns = numbers.shape[1]
    seen, d = np.empty(n_columns), np.empty(n_columns)
    for r in row_order:
        y = labels[r]
        _load_row(numbers, r, weights[r], center, y, seen, d)
        for v in values[r]:
            if v >= 0:
                mean, line = means[y, v], scatter[y, v]
                for c in range(n_columns):
                    u = d[c] - mean[c]
                    line[c] += seen[c] * (u * u)
