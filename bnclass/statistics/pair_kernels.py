"""Compiled loops over pairs of columns with holes; importing this module loads numba.

They are laid out as those of `moment_kernels`, and tested in the same place. Here the inner
loops run over the rows of a block, so that a pair's sums stay in registers.
"""

import numba
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_BLOCK = 128  # rows whose columns stay in the fastest cache


@numba.njit(nogil=True, cache=True)
def _block_buffers(n_columns: int) -> tuple[Floats, Floats, Floats]:
    """Return room for the weights, observed marks and deviations of a block of rows."""
    width = _BLOCK + 8  # no power of two, or all columns would fall into one set of the cache
    return np.empty(width), np.empty((n_columns, width)), np.empty((n_columns, width))


@numba.njit(nogil=True, cache=True)
def _load_block(
    numbers: Floats,
    rows: Ints,
    weights: Floats,
    center: Floats,
    y: int,
    weight: Floats,
    seen: Floats,
    deviation: Floats,
) -> None:
    """Turn some rows of a class on their side; what is missing is 0 in `seen`, else 1."""
    for q in range(len(rows)):
        r = rows[q]
        weight[q] = weights[r]
        for c in range(numbers.shape[1]):
            x = numbers[r, c] - center[y, c]
            seen[c, q] = 1.0 if x == x else 0.0
            deviation[c, q] = x if x == x else 0.0


@numba.njit(nogil=True, cache=True)
def add_pairs(
    numbers: Floats,
    row_order: Ints,
    ends: Ints,
    weights: Floats,
    center: Floats,
    n_whole: int,
    n: Floats,
    totals: Floats,
) -> None:
    """Add weights and deviations over the rows in which both of a pair are observed.

    Weights add up row by row, as in `moment_kernels.add_singles`: two columns observed in the
    same rows have the weight together that each has alone, to the bit.

    Parameters
    ----------
    numbers, row_order, ends, weights, center
        As for `moment_kernels.add_products`.
    n_whole : int
        Pairs of the first so many columns are left out.
    n : ndarray of shape (n_classes, n_columns, n_columns), float64
        Changed in place: the lower triangle, without the diagonal.
    totals : ndarray of shape (2, n_classes, n_columns, n_columns), float64
        Likewise: sums of the row column, of the column column.
    """
    w, seen, d = _block_buffers(numbers.shape[1])
    for y in range(len(ends) - 1):
        for start in range(ends[y], ends[y + 1], _BLOCK):
            rows = row_order[start : min(start + _BLOCK, ends[y + 1])]
            _load_block(numbers, rows, weights, center, y, w, seen, d)
            for i in range(n_whole, numbers.shape[1]):
                seen_i, di = seen[i], d[i]
                for j in range(i):
                    seen_j, dj = seen[j], d[j]
                    s0, s1, s2 = n[y, i, j], totals[0, y, i, j], totals[1, y, i, j]
                    for q in range(len(rows)):
                        both = w[q] * (seen_i[q] * seen_j[q])
                        s0 += both
                        s1 += both * di[q]
                        s2 += both * dj[q]
                    n[y, i, j], totals[0, y, i, j], totals[1, y, i, j] = s0, s1, s2


@numba.njit(nogil=True, cache=True)
def add_pair_products(
    numbers: Floats,
    row_order: Ints,
    ends: Ints,
    weights: Floats,
    center: Floats,
    n_whole: int,
    means: Floats,
    sums: Floats,
) -> None:
    """Add squares and products of the deviations of pairs from the means of their own rows.

    Parameters
    ----------
    numbers, row_order, ends, weights, center, n_whole
        As for `add_pairs`.
    means : ndarray of shape (2, n_classes, n_columns, n_columns), float64
        Of the row column and of the column column, relative to `center`.
    sums : ndarray of shape (3, n_classes, n_columns, n_columns), float64
        Changed in place, the lower triangles: squares of the row column, of the column
        column, products.
    """
    w, seen, d = _block_buffers(numbers.shape[1])
    for y in range(len(ends) - 1):
        for start in range(ends[y], ends[y + 1], _BLOCK):
            rows = row_order[start : min(start + _BLOCK, ends[y + 1])]
            _load_block(numbers, rows, weights, center, y, w, seen, d)
            for i in range(n_whole, numbers.shape[1]):
                seen_i, di = seen[i], d[i]
                for j in range(i):
                    seen_j, dj = seen[j], d[j]
                    mean_i, mean_j = means[0, y, i, j], means[1, y, i, j]
                    s0, s1, s2 = sums[0, y, i, j], sums[1, y, i, j], sums[2, y, i, j]
                    for q in range(len(rows)):
                        both = w[q] * (seen_i[q] * seen_j[q])
                        u, v = di[q] - mean_i, dj[q] - mean_j
                        s0 += both * (u * u)
                        s1 += both * (v * v)
                        s2 += both * (u * v)
                    sums[0, y, i, j], sums[1, y, i, j], sums[2, y, i, j] = s0, s1, s2
