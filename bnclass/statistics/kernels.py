"""Compiled counting loops; importing this module loads numba."""

import numba
import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@numba.njit(nogil=True, cache=True)
def add_pairs(
    values: npt.NDArray[np.int32],
    row_order: Ints,
    labels: npt.NDArray[np.int32],
    weights: Floats,
    counts: Floats,
) -> None:
    """Add every row's weight to the cells of all its pairs of values, in its class.

    Graph twin: the definition of F(x_i, x_j, y) in `tests/oracle`. Rows are visited class
    by class, so that one class's table stays in cache; the sum of integer weights does not
    depend on the order.

    Parameters
    ----------
    values : ndarray of shape (n_rows, n_attributes), int32
        Index of each cell's value among the values of all attributes.
    row_order : ndarray of shape (n_rows,), int64
        Rows sorted by class.
    labels : ndarray of shape (n_rows,), int32
    weights : ndarray of shape (n_rows,), float64
    counts : ndarray of shape (n_classes, n_values, n_values), float64
        Changed in place: the lower triangle, diagonal included.
    """
    n_attributes = values.shape[1]
    for r in row_order:
        block, w = counts[labels[r]], weights[r]
        for i in range(n_attributes):
            line = block[values[r, i]]
            for j in range(i + 1):
                line[values[r, j]] += w


@numba.njit(nogil=True, cache=True)
def add_values(
    values: npt.NDArray[np.int32],
    labels: npt.NDArray[np.int32],
    weights: Floats,
    counts: Floats,
) -> None:
    """Add every row's weight to the cells of all its values, in its class.

    Parameters
    ----------
    values : ndarray of shape (n_rows, n_attributes), int32
    labels : ndarray of shape (n_rows,), int32
    weights : ndarray of shape (n_rows,), float64
    counts : ndarray of shape (n_classes, n_values), float64
        Changed in place.
    """
    for r in range(values.shape[0]):
        line, w = counts[labels[r]], weights[r]
        for i in range(values.shape[1]):
            line[values[r, i]] += w
