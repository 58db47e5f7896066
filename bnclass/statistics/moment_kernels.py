"""Compiled loops over numbers; importing this module loads numba.

Rows are visited class by class, so that one class's sums stay in cache. The inner loops run
over columns, whose sums do not depend on each other: they become vector instructions without
any sum being reordered, so every machine gets the same bits. The definitions that these loops
are tested against, in exact fractions, stand in `tests/statistics/test_moments.py`.

Pairs of columns with holes are in `pair_kernels`, numbers by discrete value in `cell_kernels`.
"""

import numba
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]


@numba.njit(nogil=True, cache=True)
def rows_by_class(labels: Codes, starts: Ints, row_order: Ints) -> None:
    """Sort the rows by class, keeping their order within a class.

    Parameters
    ----------
    labels : ndarray of shape (n_rows,), int32
    starts : ndarray of shape (n_classes,), int64
        Place of each class's first row; changed in place.
    row_order : ndarray of shape (n_rows,), int64
        Overwritten.
    """
    for r in range(len(labels)):
        row_order[starts[labels[r]]] = r
        starts[labels[r]] += 1


# ---------------------------------------------------------------- all numbers by class


@numba.njit(nogil=True, cache=True, error_model="numpy")
def add_singles(
    columns: Floats,
    begin: int,
    end: int,
    row_order: Ints,
    ends: Ints,
    weights: Floats,
    n: Floats,
    center: Floats,
    rest: Floats,
    scatter: Floats,
) -> None:
    """Add up some columns by class: first about the first number met, then about the centre.

    Parameters
    ----------
    columns : ndarray of shape (n_columns, n_rows), float64
        NaN where missing.
    begin, end : int
        The columns to add up.
    row_order : ndarray of shape (n_rows,), int64
    ends : ndarray of shape (n_classes + 1,), int64
        Class y has the places from ends[y] to ends[y + 1] in `row_order`.
    weights : ndarray of shape (n_rows,), float64
    n, center, rest, scatter : ndarray of shape (n_classes, n_columns), float64
        Changed in place: weights, centres, sums of weighted deviations from the centre, and
        of their products with the deviations.
    """
    for c in range(begin, end):
        for y in range(len(ends) - 1):
            rows = row_order[ends[y] : ends[y + 1]]
            n[y, c], center[y, c] = _centre(columns[c], rows, weights)
            rest[y, c], scatter[y, c] = _squares(columns[c], rows, weights, center[y, c])


@numba.njit(nogil=True, cache=True)
def _centre(column: Floats, rows: Ints, weights: Floats) -> tuple[float, float]:
    """Return the weight of the numbers and nearly their mean, exactly it if they are equal."""
    n, first, total = 0.0, 0.0, 0.0
    for r in rows:
        x, w = column[r], weights[r]
        if x == x:
            if n == 0.0:
                first = x
            n += w
            total += w * (x - first)
    return n, first + total / n if n > 0.0 else 0.0


@numba.njit(nogil=True, cache=True)
def _squares(column: Floats, rows: Ints, weights: Floats, center: float) -> tuple[float, float]:
    """Return the sums of weighted deviations and squares, four rows at once."""
    rest, scatter = 0.0, 0.0
    d, a = np.empty(4), np.empty(4)
    for start in range(0, len(rows), 4):
        for k in range(4):
            d[k], a[k] = 0.0, 0.0
            if start + k < len(rows):
                r = rows[start + k]
                x = column[r] - center
                d[k] = x if x == x else 0.0
                a[k] = weights[r] * d[k]
        rest += (a[0] + a[1]) + (a[2] + a[3])
        scatter += (a[0] * d[0] + a[1] * d[1]) + (a[2] * d[2] + a[3] * d[3])
    return rest, scatter


# ---------------------------------------------------------------- all pairs by class


@numba.njit(nogil=True, cache=True)
def _load_four(
    numbers: Floats,
    row_order: Ints,
    start: int,
    end: int,
    weights: Floats,
    center: Floats,
    y: int,
    deviation: Floats,
    weighted: Floats,
) -> None:
    """Load the next four rows of a class; what is missing, and rows after the end, are 0."""
    for k in range(4):
        if start + k >= end:
            deviation[k], weighted[k] = 0.0, 0.0
            continue
        r = row_order[start + k]
        w = weights[r]
        for c in range(numbers.shape[1]):
            x = numbers[r, c] - center[y, c]
            deviation[k, c] = x if x == x else 0.0
            weighted[k, c] = w * deviation[k, c]


@numba.njit(nogil=True, cache=True)
def add_products(
    numbers: Floats,
    row_order: Ints,
    ends: Ints,
    weights: Floats,
    center: Floats,
    n_whole: int,
    cross: Floats,
) -> None:
    """Add the products of deviations of all pairs of the first columns, the whole ones.

    Four rows go in at once, and in the order of `add_singles`: a column and its copy have
    the products that the column has squares, to the bit.

    Parameters
    ----------
    numbers : ndarray of shape (n_rows, n_columns), float64
    row_order, ends, weights
        As for `add_singles`.
    center : ndarray of shape (n_classes, n_columns), float64
    n_whole : int
        How many columns there are, at the front, in which no number is missing.
    cross : ndarray of shape (n_classes, n_columns, n_columns), float64
        Changed in place: the lower triangle, without the diagonal.
    """
    n_columns = numbers.shape[1]
    d, a = np.empty((4, n_columns)), np.empty((4, n_columns))
    d0, d1, d2, d3 = d[0], d[1], d[2], d[3]
    for y in range(len(ends) - 1):
        for start in range(ends[y], ends[y + 1], 4):
            _load_four(numbers, row_order, start, ends[y + 1], weights, center, y, d, a)
            for i in range(n_whole):
                a0, a1, a2, a3 = a[0, i], a[1, i], a[2, i], a[3, i]
                line = cross[y, i]
                for j in range(i):
                    line[j] += (a0 * d0[j] + a1 * d1[j]) + (a2 * d2[j] + a3 * d3[j])


# ---------------------------------------------------------------- one family


@numba.njit(nogil=True, cache=True)
def add_family(
    cells: Ints, numbers: Floats, weights: Floats, n: Floats, first: Floats, total: Floats
) -> None:
    """Add up a family's numbers by configuration, relative to the first ones met there.

    Parameters
    ----------
    cells : ndarray of shape (n_rows,), int64
        Configuration of each row.
    numbers : ndarray of shape (n_rows, p), float64
    weights : ndarray of shape (n_rows,), float64
    n : ndarray of shape (n_cells,), float64
        Changed in place.
    first, total : ndarray of shape (n_cells, p), float64
        Likewise.
    """
    for r in range(len(cells)):
        k, w = cells[r], weights[r]
        if n[k] == 0.0:
            first[k] = numbers[r]
        n[k] += w
        for a in range(numbers.shape[1]):
            total[k, a] += w * (numbers[r, a] - first[k, a])


@numba.njit(nogil=True, cache=True)
def add_family_products(
    cells: Ints, numbers: Floats, weights: Floats, center: Floats, rest: Floats, scatter: Floats
) -> None:
    """Add a family's deviations from the configurations' centres, and their products.

    Parameters
    ----------
    cells : ndarray of shape (n_rows,), int64
    numbers : ndarray of shape (n_rows, p), float64
    weights : ndarray of shape (n_rows,), float64
    center : ndarray of shape (n_cells, p), float64
    rest : ndarray of shape (n_cells, p), float64
        Changed in place: weighted sums of deviations.
    scatter : ndarray of shape (n_cells, p, p), float64
        Changed in place: the lower triangle.
    """
    d = np.empty(numbers.shape[1])
    for r in range(len(cells)):
        k = cells[r]
        d[:] = numbers[r] - center[k]
        for a in range(len(d)):
            wd, line = weights[r] * d[a], scatter[k, a]
            rest[k, a] += wd
            for b in range(a + 1):
                line[b] += wd * d[b]
