"""Means and centred sums of products: what Gaussian factors and measures are functions of."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from bnclass.exceptions import DataError
from bnclass.statistics.memory import require_memory

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
Order = Literal[1, 2]


@dataclass(frozen=True, eq=False)
class FamilyMoments:
    """Weights, means and centred sums of products of p numbers, by discrete configuration.

    Parameters
    ----------
    n : ndarray of shape (*config,), float64
        Weight of the rows of each configuration.
    mean : ndarray of shape (*config, p), float64
        In the columns' units; 0 where `n` is 0.
    scatter : ndarray of shape (*config, p, p), float64
        Sums of w (x_a - mean_a)(x_b - mean_b); 0 where `n` is 0.

    Raises
    ------
    DataError
        If the shapes do not fit together.

    Notes
    -----
    The arrays are read-only.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.statistics.moments import FamilyMoments
    >>> numbers, cells = np.array([[1.0], [3.0], [5.0]]), np.array([0, 0, 1])
    >>> moments = FamilyMoments.from_rows(cells, (2,), numbers, np.ones(3))
    >>> moments.mean.ravel(), moments.covariance.ravel()
    (array([2., 5.]), array([1., 0.]))
    >>> moments.collapse([0]).mean
    array([3.])
    """

    n: Floats
    mean: Floats
    scatter: Floats

    def __post_init__(self) -> None:
        for name in ("n", "mean", "scatter"):
            object.__setattr__(self, name, _locked(getattr(self, name)))
        p = self.mean.shape[self.n.ndim :]
        shapes = (self.n.shape + p, self.n.shape + p + p)
        if len(p) != 1 or (self.mean.shape, self.scatter.shape) != shapes:
            raise DataError(
                f"weights, means and scatters of shapes {self.n.shape}, {self.mean.shape} and "
                f"{self.scatter.shape}, expected (*config,), (*config, p) and (*config, p, p)"
            )

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()  # unpickled arrays can be written to

    @classmethod
    def from_rows(
        cls, cells: Ints, shape: Sequence[int], numbers: Floats, weights: Floats
    ) -> "FamilyMoments":
        """Take the moments of rows, in two passes.

        A column that is constant in a configuration has exactly that mean there, and scatter 0.

        Parameters
        ----------
        cells : ndarray of shape (n_rows,), int64
            Place of each row's configuration among all, the last discrete variable fastest.
        shape : sequence of int
            Numbers of states of the discrete variables.
        numbers : ndarray of shape (n_rows, p), float64
            Without missing numbers.
        weights : ndarray of shape (n_rows,), float64
            Positive.

        Returns
        -------
        FamilyMoments

        Raises
        ------
        DataError
            If a cell is none of the configurations.
        MemoryLimitError
            If the sums of products would not fit.
        """
        from bnclass.statistics import moment_kernels as kernels  # loads numba

        size, p = prod(shape), numbers.shape[1]
        _require_within("configuration", cells, 0, size)
        require_memory(size * p * p, f"moments of {p} numbers in {size} configurations")
        n, first, total, rest = np.zeros(size), *np.zeros((3, size, p))
        kernels.add_family(cells, numbers, weights, n, first, total)
        center = first + _ratio(total, n[:, np.newaxis])
        low = np.zeros((size, p, p))
        kernels.add_family_products(cells, numbers, weights, center, rest, low)
        scatter = low + np.tril(low, -1).swapaxes(1, 2)
        mean, scatter = _recentred(n, center, rest, scatter)
        return cls(n, mean, scatter).reshape(shape)

    @property
    def covariance(self) -> Floats:
        """Maximum-likelihood covariances, 0 without rows; ndarray of shape (*config, p, p)."""
        return _ratio(self.scatter, self.n[..., np.newaxis, np.newaxis])

    def select(self, indexes: Sequence[int]) -> "FamilyMoments":
        """Return the moments of some of the numbers.

        Parameters
        ----------
        indexes : sequence of int
            Places among the p numbers, in the order wanted.

        Returns
        -------
        FamilyMoments
        """
        places = np.array(indexes, dtype=np.intp)
        scatter = self.scatter[..., places[:, np.newaxis], places]
        return FamilyMoments(self.n, self.mean[..., places], scatter)

    def reshape(self, shape: Sequence[int]) -> "FamilyMoments":
        """Return the same configurations under other axes.

        Parameters
        ----------
        shape : sequence of int
            Of `n`.

        Returns
        -------
        FamilyMoments
        """
        p = self.mean.shape[-1]
        return FamilyMoments(
            self.n.reshape(shape), self.mean.reshape(*shape, p), self.scatter.reshape(*shape, p, p)
        )

    def collapse(self, axes: Sequence[int]) -> "FamilyMoments":
        """Merge the configurations along some axes.

        Where all but one are empty, the outcome is that one to the bit.

        Parameters
        ----------
        axes : sequence of int
            Of `n`, from 0 on.

        Returns
        -------
        FamilyMoments
            With the axes that are left, in their order.

        References
        ----------
        Chan, Golub, LeVeque, *Updating formulae and a pairwise algorithm for computing sample
        variances*, COMPSTAT 1982, for any number of parts.
        """
        n, mean, scatter = (_in_front(a, axes) for a in (self.n, self.mean, self.scatter))
        total = n.sum(axis=0)
        origin = np.take_along_axis(mean, (n > 0).argmax(axis=0)[np.newaxis, ..., np.newaxis], 0)
        share = _ratio(n, total)[..., np.newaxis]
        merged = origin[0] + (share * (mean - origin)).sum(axis=0)
        gap = mean - merged
        between = n[..., np.newaxis, np.newaxis] * _outer(gap, gap)
        return FamilyMoments(total, merged, (scatter + between).sum(axis=0))

    def merge(self, other: "FamilyMoments") -> "FamilyMoments":
        """Return the moments of both sets of rows.

        Parameters
        ----------
        other : FamilyMoments
            Of the same shape.

        Returns
        -------
        FamilyMoments

        Raises
        ------
        DataError
            If the shapes differ.
        """
        if self.mean.shape != other.mean.shape:
            raise DataError(
                f"moments of shapes {self.mean.shape} and {other.mean.shape} cannot be merged"
            )
        both = FamilyMoments(
            np.stack([self.n, other.n]),
            np.stack([self.mean, other.mean]),
            np.stack([self.scatter, other.scatter]),
        )
        return both.collapse([0])

    def _at(self, *place: int | slice | npt.NDArray[np.intp]) -> "FamilyMoments":
        return FamilyMoments(self.n[place], self.mean[place], self.scatter[place])


@dataclass(frozen=True, eq=False)
class Moments:
    """The moments of all continuous attributes that one pass over the rows yields.

    Parameters
    ----------
    singles : FamilyMoments
        Configurations (n_classes, n_columns), p = 1: each attribute by class.
    pairs : FamilyMoments or None
        Configurations (n_classes, n_columns, n_columns), p = 2: attributes i and j by class,
        over the rows in which both are observed. ``None`` if pairs were not taken.
    cells : FamilyMoments or None
        Configurations (n_classes, n_values, n_columns), p = 1: each attribute by class and
        value of each discrete attribute, all values side by side. ``None`` likewise.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.statistics.moments import Moments
    >>> numbers = np.array([[1.0, 2.0], [3.0, 6.0], [5.0, np.nan]])
    >>> labels, values = np.zeros(3, np.int32), np.empty((3, 0), np.int32)
    >>> moments = Moments.from_arrays(numbers, labels, np.ones(3), 1, values, 0)
    >>> moments.single(0).mean, moments.pair(0, 1).mean
    (array([[3.]]), array([[2., 4.]]))
    >>> moments.complete([0, 1])
    False
    """

    singles: FamilyMoments
    pairs: FamilyMoments | None
    cells: FamilyMoments | None

    @classmethod
    def from_arrays(
        cls,
        numbers: Floats,
        labels: Codes,
        weights: Floats,
        n_classes: int,
        values: Codes,
        n_values: int,
        order: Order = 2,
    ) -> "Moments":
        """Take the moments of rows.

        Parameters
        ----------
        numbers : ndarray of shape (n_rows, n_columns), float64
            The continuous attributes, NaN where missing; at most 1e100 in magnitude.
        labels : ndarray of shape (n_rows,), int32
            Class of each row.
        weights : ndarray of shape (n_rows,), float64
            Positive.
        n_classes : int
        values : ndarray of shape (n_rows, n_attributes), int32
            Index of each discrete cell's value among the values of all discrete attributes,
            -1 where missing.
        n_values : int
        order : {1, 2}, default=2
            1 takes single attributes only (enough for naive Bayes), 2 pairs and cells as well.

        Returns
        -------
        Moments

        Raises
        ------
        DataError
            If a label or a value is out of range.
        MemoryLimitError
            If the moments of pairs or of cells would not fit.
        """
        _require_within("label", labels, 0, n_classes)
        _require_within("value", values, -1, n_values)
        rows = _Rows.of(numbers, labels, weights, n_classes)
        center, rest, singles = _singles(rows)
        if order == 1:
            return cls(singles, None, None)
        pairs = _pairs(rows, center, rest, singles)
        return cls(singles, pairs, _cells(rows, center, values, n_values))

    def single(self, i: int) -> FamilyMoments:
        """Return the moments of attribute i by class.

        Parameters
        ----------
        i : int
            Place among the continuous attributes.

        Returns
        -------
        FamilyMoments
            With axes (n_classes,), p = 1.
        """
        return self.singles._at(slice(None), i)

    def pair(self, i: int, j: int) -> FamilyMoments:
        """Return the moments of attributes i and j by class, over rows with both observed.

        Parameters
        ----------
        i, j : int
            Places among the continuous attributes.

        Returns
        -------
        FamilyMoments
            With axes (n_classes,), p = 2.

        Raises
        ------
        DataError
            If pairs were not taken.
        """
        return _taken(self.pairs)._at(slice(None), i, j)

    @property
    def all_pairs(self) -> FamilyMoments:
        """The moments of all pairs; axes (n_classes, n_columns, n_columns), p = 2."""
        return _taken(self.pairs)

    def all_cells(self, values: slice) -> FamilyMoments:
        """Return the moments of all attributes by class and value of a discrete attribute.

        Parameters
        ----------
        values : slice
            The discrete attribute's values among all values.

        Returns
        -------
        FamilyMoments
            With axes (n_classes, card, n_columns), p = 1.

        Raises
        ------
        DataError
            If cells were not taken.
        """
        return _taken(self.cells)._at(slice(None), values)

    def cell(self, values: slice, i: int) -> FamilyMoments:
        """Return the moments of attribute i by class and by value of a discrete attribute.

        Parameters
        ----------
        values : slice
            The discrete attribute's values among all values.
        i : int
            Place among the continuous attributes.

        Returns
        -------
        FamilyMoments
            With axes (n_classes, card), p = 1, over the rows in which both are observed.

        Raises
        ------
        DataError
            If cells were not taken.
        """
        return _taken(self.cells)._at(slice(None), values, i)

    def complete(self, indexes: Sequence[int]) -> bool:
        """Whether some attributes are all observed in the same rows.

        Parameters
        ----------
        indexes : sequence of int
            Places among the continuous attributes.

        Returns
        -------
        bool

        Raises
        ------
        DataError
            If pairs were not taken.
        """
        places = np.array(indexes, dtype=np.intp)
        together = _taken(self.pairs).n[:, places[:, np.newaxis], places]
        return bool((together == self.singles.n[:, places, np.newaxis]).all())

    def family(self, indexes: Sequence[int]) -> FamilyMoments:
        """Return the moments of some attributes by class.

        Parameters
        ----------
        indexes : sequence of int
            Places among the continuous attributes, all observed in the same rows.

        Returns
        -------
        FamilyMoments
            With axes (n_classes,), p = len(indexes).

        Raises
        ------
        DataError
            If pairs were not taken, or the attributes are not observed in the same rows.
        """
        if not self.complete(indexes):
            raise DataError(f"continuous attributes {list(indexes)} are not observed together")
        places = np.array(indexes, dtype=np.intp)
        scatter = _taken(self.pairs).scatter[:, places[:, np.newaxis], places, 0, 1]
        n = self.singles.n[:, places[0]]
        return FamilyMoments(n, self.singles.mean[:, places, 0], scatter)

    def merge(self, other: "Moments") -> "Moments":
        """Return the moments of both sets of rows; pairs and cells if they are in both.

        Parameters
        ----------
        other : Moments
            Of the same attributes.

        Returns
        -------
        Moments

        Raises
        ------
        DataError
            If the numbers of classes, attributes or values differ.
        """
        return Moments(
            self.singles.merge(other.singles),
            _merged(self.pairs, other.pairs),
            _merged(self.cells, other.cells),
        )


# ---------------------------------------------------------------- small algebra


def _locked(array: Floats) -> Floats:
    """Return a read-only view in C order: numpy adds in memory's order, so layout shows in bits."""
    view = np.asarray(array, dtype=np.float64, order="C").view()
    view.setflags(write=False)  # the caller's own array stays as it is
    return view


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Divide, 0 where there is no weight."""
    seen = denominator > 0
    quotient: Floats = np.where(seen, numerator, 0.0) / np.where(seen, denominator, 1.0)
    return quotient


def _outer(left: Floats, right: Floats) -> Floats:
    return left[..., :, np.newaxis] * right[..., np.newaxis, :]


def _recentred(n: Floats, center: Floats, rest: Floats, scatter: Floats) -> tuple[Floats, Floats]:
    """Return means and scatter about them, from deviations about centres that only come close.

    Axes as in `FamilyMoments`; `rest` is the weighted sum of deviations. This is the corrected
    two-pass algorithm of Chan, Golub, LeVeque, *Algorithms for computing the sample variance*,
    The American Statistician 37 (1983).
    """
    shift = _ratio(rest, n[..., np.newaxis])
    scatter = scatter - _ratio(_outer(rest, rest), n[..., np.newaxis, np.newaxis])
    diagonal = np.einsum("...aa->...a", scatter)
    np.maximum(diagonal, 0.0, out=diagonal)  # rounding may have taken it below
    return center + shift, scatter


def _in_front(array: Floats, axes: Sequence[int]) -> Floats:
    """Move some axes to the front and make one of them."""
    moved = np.moveaxis(array, axes, range(len(axes)))
    return moved.reshape(prod(moved.shape[: len(axes)]), *moved.shape[len(axes) :])


def _taken(moments: FamilyMoments | None) -> FamilyMoments:
    if moments is None:
        raise DataError("moments of single attributes only, expected those of pairs (order=2)")
    return moments


def _merged(one: FamilyMoments | None, other: FamilyMoments | None) -> FamilyMoments | None:
    return None if one is None or other is None else one.merge(other)


def _require_within(what: str, codes: npt.NDArray[Any], least: int, end: int) -> None:
    # The loops over rows index with these numbers unchecked.
    if codes.size and not (least <= codes.min() and codes.max() < end):
        raise DataError(
            f"found {what}s from {codes.min()} to {codes.max()}, expected {least} to {end - 1}"
        )


# ---------------------------------------------------------------- one pass over the rows


@dataclass(frozen=True, eq=False)
class _Rows:
    """Rows, and the order that visits them class by class."""

    numbers: Floats
    labels: Codes
    weights: Floats
    row_order: Ints
    ends: Ints

    @classmethod
    def of(cls, numbers: Floats, labels: Codes, weights: Floats, n_classes: int) -> "_Rows":
        from bnclass.statistics import moment_kernels as kernels  # loads numba

        counts = np.bincount(labels, minlength=n_classes)
        ends = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        row_order = np.empty(len(labels), dtype=np.int64)
        kernels.rows_by_class(labels, ends[:-1].copy(), row_order)
        return cls(np.ascontiguousarray(numbers), labels, weights, row_order, ends)

    @property
    def n_classes(self) -> int:
        return len(self.ends) - 1

    @property
    def n_columns(self) -> int:
        return int(self.numbers.shape[1])


def _singles(rows: _Rows) -> tuple[Floats, Floats, FamilyMoments]:
    """Return the centres used, the sums of deviations from them, and the moments."""
    from bnclass.statistics import moment_kernels as kernels

    shape = (rows.n_classes, rows.n_columns)
    n, first, total, rest, squares = np.zeros((5, *shape))
    kernels.add_singles(rows.numbers, rows.row_order, rows.labels, rows.weights, n, first, total)
    center = first + _ratio(total, n)
    kernels.add_squares(
        rows.numbers, rows.row_order, rows.ends, rows.weights, center, rest, squares
    )
    one = (..., np.newaxis)
    mean, scatter = _recentred(n, center[one], rest[one], squares[..., np.newaxis, np.newaxis])
    return center, rest, FamilyMoments(n, mean, scatter)


def _cells(rows: _Rows, center: Floats, values: Codes, n_values: int) -> FamilyMoments:
    from bnclass.statistics import moment_kernels as kernels

    shape = (rows.n_classes, n_values, rows.n_columns)
    require_memory(
        3 * prod(shape), f"moments of {rows.n_columns} numbers by {n_values} values and class"
    )
    n, total, scatter = np.zeros((3, *shape))
    if not values.size:
        return _numbers_apart(n, total, scatter)
    about = (rows.numbers, values, rows.row_order, rows.labels, rows.weights, center)
    kernels.add_cells(*about, n, total)
    means = _ratio(total, n)
    kernels.add_cell_squares(*about, means, scatter)
    mean = np.where(n > 0, center[:, np.newaxis, :] + means, 0.0)
    return _numbers_apart(n, mean, scatter)


def _numbers_apart(n: Floats, mean: Floats, scatter: Floats) -> FamilyMoments:
    """Return moments with p = 1."""
    return FamilyMoments(n, mean[..., np.newaxis], scatter[..., np.newaxis, np.newaxis])


def _pairs(rows: _Rows, center: Floats, rest: Floats, singles: FamilyMoments) -> FamilyMoments:
    """Return the moments of all pairs; columns without missing numbers take the short way."""
    k, c = rows.n_classes, rows.n_columns
    require_memory(7 * k * c * c, f"moments of all pairs of {c} numbers")
    holes: npt.NDArray[np.bool_] = np.isnan(rows.numbers.sum(axis=0))  # one NaN is enough
    if not holes.any():
        return _squared(_whole_pairs(rows, center, rest, singles, c))
    place = np.argsort(holes, kind="stable")  # the kernels take whole columns first
    n_whole = c - int(holes.sum())
    rows = replace(rows, numbers=np.ascontiguousarray(rows.numbers[:, place]))
    center, rest, singles = center[:, place], rest[:, place], singles._at(slice(None), place)
    short = ~(holes[place] | holes[place, np.newaxis]) | np.eye(c, dtype=np.bool_)
    whole = _whole_pairs(rows, center, rest, singles, n_whole)
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
    rows: _Rows, center: Floats, rest: Floats, singles: FamilyMoments, n_whole: int
) -> Floats:
    """Return (n, mean of i, scatter of i, cross), right for the first `n_whole` columns."""
    from bnclass.statistics import moment_kernels as kernels

    n, mean, scatter = singles.n, singles.mean[..., 0], singles.scatter[..., 0, 0]
    square = np.zeros((4, rows.n_classes, rows.n_columns, rows.n_columns))
    square[:3] = np.stack([n, mean, scatter])[..., np.newaxis]
    low = square[3]
    kernels.add_products(
        rows.numbers, rows.row_order, rows.ends, rows.weights, center, n_whole, low
    )
    low += low.swapaxes(1, 2).copy()
    low -= _ratio(_outer(rest, rest), n[..., np.newaxis])
    low[:, np.eye(rows.n_columns, dtype=np.bool_)] = scatter
    return square


def _holed_pairs(rows: _Rows, center: Floats, n_whole: int) -> Floats:
    """Return (n, mean of i, scatter of i, cross) of pairs with a column after the whole ones."""
    from bnclass.statistics import moment_kernels as kernels

    shape = (rows.n_classes, rows.n_columns, rows.n_columns)
    about = (rows.numbers, rows.row_order, rows.ends, rows.weights, center, n_whole)
    n, totals, sums = np.zeros(shape), np.zeros((2, *shape)), np.zeros((3, *shape))
    kernels.add_pairs(*about, n, totals)
    means = _ratio(totals, n)
    kernels.add_pair_products(*about, means, sums)
    n = n + n.swapaxes(1, 2)
    mean = center[..., np.newaxis] + means[0] + means[1].swapaxes(1, 2)
    scatter = sums[0] + sums[1].swapaxes(1, 2)
    return np.stack([n, np.where(n > 0, mean, 0.0), scatter, sums[2] + sums[2].swapaxes(1, 2)])
