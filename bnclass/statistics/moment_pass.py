"""From rows to the moments of single numbers, of pairs, and of numbers by discrete value."""

from dataclasses import dataclass, replace
from functools import cached_property
from math import prod

import numpy as np
import numpy.typing as npt

from bnclass.data.memory import require_memory
from bnclass.statistics.family import FamilyMoments, outer, ratio, recentred
from bnclass.statistics.threads import in_spans, share_of

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows, and the order that visits them class by class.

    Parameters
    ----------
    numbers : ndarray of shape (n_rows, n_columns), float64
        NaN where missing.
    labels : ndarray of shape (n_rows,), int32
    weights : ndarray of shape (n_rows,), float64
    row_order : ndarray of shape (n_rows,), int64
    ends : ndarray of shape (n_classes + 1,), int64
        Class y has the places from ends[y] to ends[y + 1] in `row_order`.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.statistics.moment_pass import Rows
    >>> labels = np.array([1, 0, 1], np.int32)
    >>> Rows.of(np.zeros((3, 1)), labels, np.ones(3), 2).row_order
    array([1, 0, 2])
    """

    numbers: Floats
    labels: Codes
    weights: Floats
    row_order: Ints
    ends: Ints

    @classmethod
    def of(cls, numbers: Floats, labels: Codes, weights: Floats, n_classes: int) -> "Rows":
        """Sort rows by class, keeping their order within a class.

        Parameters
        ----------
        numbers, labels, weights
            As in `Rows`.
        n_classes : int

        Returns
        -------
        Rows
        """
        from bnclass.statistics import moment_kernels as kernels  # loads numba

        counts = np.bincount(labels, minlength=n_classes)
        ends = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        row_order = np.empty(len(labels), dtype=np.int64)
        kernels.rows_by_class(labels, ends[:-1].copy(), row_order)
        return cls(numbers, labels, weights, row_order, ends)

    @cached_property
    def by_row(self) -> Floats:
        """The numbers, row by row in memory."""
        return np.ascontiguousarray(self.numbers)

    @property
    def n_classes(self) -> int:
        """Number of classes, those without rows included."""
        return len(self.ends) - 1

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return int(self.numbers.shape[1])


def singles(rows: Rows) -> tuple[Floats, Floats, FamilyMoments]:
    """Return the moments of each column by class, and what they were summed about.

    Parameters
    ----------
    rows : Rows

    Returns
    -------
    center : ndarray of shape (n_classes, n_columns), float64
        The centres used, close to the means.
    rest : ndarray of shape (n_classes, n_columns), float64
        Weighted sums of the deviations from them.
    moments : FamilyMoments
        Configurations (n_classes, n_columns), p = 1.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.statistics import moment_pass
    >>> numbers, labels = np.array([[1.0, 2.0], [3.0, 6.0]]), np.zeros(2, np.int32)
    >>> rows = moment_pass.Rows.of(numbers, labels, np.ones(2), 1)
    >>> moment_pass.singles(rows)[2].mean.ravel()
    array([2., 4.])
    """
    from bnclass.statistics import moment_kernels as kernels

    shape = (rows.n_classes, rows.n_columns)
    n, center, rest, squares = np.zeros((4, *shape))
    columns = np.ascontiguousarray(rows.numbers.T)

    def add(begin: int, end: int) -> None:
        about = (rows.row_order, rows.ends, rows.weights)
        kernels.add_singles(columns, begin, end, *about, n, center, rest, squares)

    in_spans(rows.n_columns, share_of(rows.n_columns, len(columns.T)), add)
    one = (..., np.newaxis)
    moments = recentred(n, center[one], rest[one], squares[..., np.newaxis, np.newaxis])
    return center, rest, moments


def cells(rows: Rows, center: Floats, values: Codes, n_values: int) -> FamilyMoments:
    """Return the moments of each column by class and discrete value.

    Parameters
    ----------
    rows : Rows
    center : ndarray of shape (n_classes, n_columns), float64
    values : ndarray of shape (n_rows, n_attributes), int32
        Index of each discrete cell's value among all values, -1 where missing.
    n_values : int

    Returns
    -------
    FamilyMoments
        Configurations (n_classes, n_values, n_columns), p = 1.

    Raises
    ------
    MemoryLimitError
        If they would not fit.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.statistics import moment_pass
    >>> numbers, labels = np.array([[1.0, 2.0], [3.0, 6.0]]), np.zeros(2, np.int32)
    >>> rows = moment_pass.Rows.of(numbers, labels, np.ones(2), 1)
    >>> values = np.array([[0], [1]], np.int32)
    >>> moment_pass.cells(rows, np.zeros((1, 2)), values, 2).mean[0, :, :, 0]
    array([[1., 2.],
           [3., 6.]])
    """
    from bnclass.statistics import cell_kernels as kernels

    shape = (rows.n_classes, n_values, rows.n_columns)
    require_memory(
        3 * prod(shape), f"moments of {rows.n_columns} numbers by {n_values} values and class"
    )
    n, total, scatter = np.zeros((3, *shape))
    center = center[:, np.newaxis, :]
    if values.size:
        about = (rows.by_row, values, rows.row_order, rows.labels, rows.weights, center[:, 0])
        kernels.add_cells(*about, n, total)
        kernels.add_cell_squares(*about, ratio(total, n), scatter)
    shift = ratio(total, n)
    mean = np.where(n > 0, center + shift, 0.0)
    rounding = np.where(n > 0, (center - mean) + shift, 0.0)
    one = (..., np.newaxis)
    return FamilyMoments(n, mean[one], scatter[..., np.newaxis, np.newaxis], rounding[one])


def pairs(rows: Rows, center: Floats, rest: Floats, by_column: FamilyMoments) -> FamilyMoments:
    """Return the moments of all pairs; columns without missing numbers take the short way.

    Parameters
    ----------
    rows : Rows
    center, rest, by_column
        As `singles` returns them.

    Returns
    -------
    FamilyMoments
        Configurations (n_classes, n_columns, n_columns), p = 2.

    Raises
    ------
    MemoryLimitError
        If they would not fit.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.statistics import moment_pass
    >>> numbers, labels = np.array([[1.0, 2.0], [3.0, 6.0]]), np.zeros(2, np.int32)
    >>> rows = moment_pass.Rows.of(numbers, labels, np.ones(2), 1)
    >>> moment_pass.pairs(rows, *moment_pass.singles(rows)).scatter[0, 0, 1]
    array([[2., 4.],
           [4., 8.]])
    """
    k, c = rows.n_classes, rows.n_columns
    require_memory(7 * k * c * c, f"moments of all pairs of {c} numbers")
    holes: npt.NDArray[np.bool_] = np.isnan(rows.numbers.sum(axis=0))  # one NaN is enough
    if not holes.any():
        return _squared(_whole_pairs(rows, center, rest, by_column, c))
    place = np.argsort(holes, kind="stable")  # the kernels take whole columns first
    n_whole = c - int(holes.sum())
    rows = replace(rows, numbers=np.ascontiguousarray(rows.numbers[:, place]))
    center, rest, by_column = center[:, place], rest[:, place], by_column.at(slice(None), place)
    short = ~(holes[place] | holes[place, np.newaxis]) | np.eye(c, dtype=np.bool_)
    whole = _whole_pairs(rows, center, rest, by_column, n_whole)
    square = np.where(short, whole, _holed_pairs(rows, center, n_whole))
    back = np.argsort(place)
    return _squared(square[:, :, back[:, np.newaxis], back])


def _squared(square: Floats) -> FamilyMoments:
    """Return pairs from (n, mean of i, scatter of i, cross) by class, i and j."""
    n, mean, scatter, cross = square
    both = np.stack([scatter, cross, cross, scatter.swapaxes(1, 2)], axis=-1)
    return FamilyMoments(
        n, np.stack([mean, mean.swapaxes(1, 2)], axis=-1), both.reshape(*n.shape, 2, 2)
    )


def _whole_pairs(
    rows: Rows, center: Floats, rest: Floats, by_column: FamilyMoments, n_whole: int
) -> Floats:
    """Return (n, mean of i, scatter of i, cross), right for the first `n_whole` columns."""
    from bnclass.statistics import moment_kernels as kernels

    n, mean, scatter = by_column.n, by_column.mean[..., 0], by_column.scatter[..., 0, 0]
    square = np.zeros((4, rows.n_classes, rows.n_columns, rows.n_columns))
    square[:3] = np.stack([n, mean, scatter])[..., np.newaxis]
    low = square[3]
    kernels.add_products(rows.by_row, rows.row_order, rows.ends, rows.weights, center, n_whole, low)
    low += low.swapaxes(1, 2).copy()
    low -= outer(rest, ratio(rest, n))
    low[:, np.eye(rows.n_columns, dtype=np.bool_)] = scatter
    return square


def _holed_pairs(rows: Rows, center: Floats, n_whole: int) -> Floats:
    """Return (n, mean of i, scatter of i, cross) of pairs with a column after the whole ones."""
    from bnclass.statistics import pair_kernels as kernels

    shape = (rows.n_classes, rows.n_columns, rows.n_columns)
    about = (rows.by_row, rows.row_order, rows.ends, rows.weights, center, n_whole)
    n, totals, sums = np.zeros(shape), np.zeros((2, *shape)), np.zeros((3, *shape))
    kernels.add_pairs(*about, n, totals)
    means = ratio(totals, n)
    kernels.add_pair_products(*about, means, sums)
    n = n + n.swapaxes(1, 2)
    mean = center[..., np.newaxis] + means[0] + means[1].swapaxes(1, 2)
    scatter = sums[0] + sums[1].swapaxes(1, 2)
    return np.stack([n, np.where(n > 0, mean, 0.0), scatter, sums[2] + sums[2].swapaxes(1, 2)])
