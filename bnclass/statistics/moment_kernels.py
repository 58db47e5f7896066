"""Compiled loops over numbers; importing this module loads numba.

Rows are visited class by class, so that one class's sums stay in cache. The inner loops run
over columns, whose sums do not depend on each other: they become vector instructions without
any sum being reordered, so every machine gets the same bits. The definitions that these loops
are tested against, in exact fractions, stand in `tests/statistics/test_moments.py`.
"""

import numba
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
Bits = npt.NDArray[np.uint64]

_NOTHING = np.uint64(2**64 - 1)  # the bits of a NaN, which is never put into the set
_LAST_NUMBER = np.uint64(0xFFE0000000000000)  # infinity without its sign bit, shifted left
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2⁶⁴ / golden ratio, odd
_BLOCK = 128  # rows whose columns stay in the fastest cache
_ZERO, _ONE, _HALF = np.uint64(0), np.uint64(1), np.uint64(32)


@numba.njit(nogil=True, cache=True)
def distinct(bits: Bits, slots: Bits, log2_slots: int, found: Bits) -> int:
    """Collect the distinct numbers of a column in an open-addressing hash set.

    Parameters
    ----------
    bits : ndarray of shape (n_rows,), uint64
        The float64 numbers bit by bit; NaN is skipped, -0.0 is 0.0.
    slots : ndarray of shape (2**log2_slots,), uint64
        Room for the set, overwritten.
    log2_slots : int
    found : ndarray of shape (most,), uint64
        Overwritten: the distinct numbers as they come; fewer than there are slots.

    Returns
    -------
    int
        How many there are, or -1 if there are more than `found` holds.
    """
    shift, mask = np.uint64(64 - log2_slots), np.uint64(len(slots) - 1)
    slots[:] = _NOTHING
    n = 0
    for number in bits:
        magnitude = number << _ONE
        if magnitude > _LAST_NUMBER:
            continue
        if magnitude == _ZERO:
            number = _ZERO
        # Whole numbers differ in their upper bits only: fold them down before multiplying.
        slot = ((number ^ (number >> _HALF)) * _GOLDEN) >> shift
        while slots[slot] != number:
            if slots[slot] == _NOTHING:
                if n == len(found):
                    return -1
                slots[slot] = number
                found[n] = number
                n += 1
                break
            slot = (slot + _ONE) & mask
    return n


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


# ---------------------------------------------------------------- one number at a time


@numba.njit(nogil=True, cache=True)
def add_singles(
    numbers: Floats,
    row_order: Ints,
    labels: Codes,
    weights: Floats,
    n: Floats,
    first: Floats,
    total: Floats,
) -> None:
    """Add up each column by class, relative to the first number met in that class.

    Parameters
    ----------
    numbers : ndarray of shape (n_rows, n_columns), float64
        NaN where missing.
    row_order : ndarray of shape (n_rows,), int64
    labels : ndarray of shape (n_rows,), int32
    weights : ndarray of shape (n_rows,), float64
    n, first, total : ndarray of shape (n_classes, n_columns), float64
        Changed in place: weights, first numbers, weighted sums of number - first.
    """
    for r in row_order:
        y, w = labels[r], weights[r]
        for c in range(numbers.shape[1]):
            x = numbers[r, c]
            if x == x:
                if n[y, c] == 0.0:
                    first[y, c] = x
                n[y, c] += w
                total[y, c] += w * (x - first[y, c])


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
def add_squares(
    numbers: Floats,
    row_order: Ints,
    ends: Ints,
    weights: Floats,
    center: Floats,
    rest: Floats,
    scatter: Floats,
) -> None:
    """Add each column's weighted deviations from its class's centre, and their squares.

    Parameters
    ----------
    numbers : ndarray of shape (n_rows, n_columns), float64
        NaN where missing.
    row_order : ndarray of shape (n_rows,), int64
    ends : ndarray of shape (n_classes + 1,), int64
        Class y has the places from ends[y] to ends[y + 1] in `row_order`.
    weights : ndarray of shape (n_rows,), float64
    center : ndarray of shape (n_classes, n_columns), float64
    rest, scatter : ndarray of shape (n_classes, n_columns), float64
        Changed in place.
    """
    d, a = np.empty((4, numbers.shape[1])), np.empty((4, numbers.shape[1]))
    for y in range(len(ends) - 1):
        for start in range(ends[y], ends[y + 1], 4):
            _load_four(numbers, row_order, start, ends[y + 1], weights, center, y, d, a)
            for c in range(numbers.shape[1]):
                rest[y, c] += (a[0, c] + a[1, c]) + (a[2, c] + a[3, c])
                scatter[y, c] += (a[0, c] * d[0, c] + a[1, c] * d[1, c]) + (
                    a[2, c] * d[2, c] + a[3, c] * d[3, c]
                )


# ---------------------------------------------------------------- pairs


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

    Four rows go in at once, and in the order of `add_squares`: a column and its copy have
    the products that the column has squares, to the bit.

    Parameters
    ----------
    numbers, row_order, ends, weights, center
        As for `add_squares`.
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

    Weights add up row by row, as in `add_singles`: two columns observed in the same rows
    have the weight together that each has alone, to the bit.

    Parameters
    ----------
    numbers, row_order, ends, weights, center
        As for `add_squares`.
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


# ---------------------------------------------------------------- numbers by value


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
