"""Means and centred sums of products of one family's numbers, and their small algebra."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from bnclass.data.memory import require_memory
from bnclass.exceptions import DataError
from bnclass.statistics.arrays import locked, require_within

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

FEWEST_ROWS = 2.0
"""Weight of rows from which on a configuration has variances and covariances of its own."""


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
    rounding : ndarray of shape (*config, p), float64, optional
        What rounding took from the mean: far from 0, the differences of means would else lose
        the digits that variances have. 0 by default.

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
    >>> from bnclass.statistics.family import FamilyMoments
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
    rounding: Floats = None  # type: ignore[assignment]  # zeros, see below

    def __post_init__(self) -> None:
        if self.rounding is None:
            object.__setattr__(self, "rounding", np.zeros_like(self.mean))
        for name in ("n", "mean", "scatter", "rounding"):
            object.__setattr__(self, name, locked(getattr(self, name)))
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
        require_within("configuration", cells, 0, size)
        require_memory(size * p * p, f"moments of {p} numbers in {size} configurations")
        n, first, total, rest = np.zeros(size), *np.zeros((3, size, p))
        kernels.add_family(cells, numbers, weights, n, first, total)
        center = first + ratio(total, n[:, np.newaxis])
        low = np.zeros((size, p, p))
        kernels.add_family_products(cells, numbers, weights, center, rest, low)
        scatter = low + np.tril(low, -1).swapaxes(1, 2)
        return recentred(n, center, rest, scatter).reshape(shape)

    @property
    def covariance(self) -> Floats:
        """Maximum-likelihood covariances, 0 without rows; ndarray of shape (*config, p, p)."""
        return ratio(self.scatter, self.n[..., np.newaxis, np.newaxis])

    def at(self, *place: int | slice | npt.NDArray[np.intp]) -> "FamilyMoments":
        """Return the moments of some of the configurations.

        Parameters
        ----------
        *place : int, slice or ndarray of int
            Index into `n`.

        Returns
        -------
        FamilyMoments
            With the axes that numpy's indexing leaves.
        """
        return FamilyMoments(
            self.n[place], self.mean[place], self.scatter[place], self.rounding[place]
        )

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
        return FamilyMoments(self.n, self.mean[..., places], scatter, self.rounding[..., places])

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
            self.n.reshape(shape),
            self.mean.reshape(*shape, p),
            self.scatter.reshape(*shape, p, p),
            self.rounding.reshape(*shape, p),
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
        parts = (self.n, self.mean, self.scatter, self.rounding)
        n, mean, scatter, rounding = (_in_front(part, axes) for part in parts)
        total = n.sum(axis=0)
        one = (n > 0).argmax(axis=0)[np.newaxis, ..., np.newaxis]
        origin = np.take_along_axis(mean, one, 0)
        offset = (mean - origin) + rounding
        shift = (ratio(n, total)[..., np.newaxis] * offset).sum(axis=0)
        gap = offset - shift
        between = n[..., np.newaxis, np.newaxis] * outer(gap, gap)
        merged = origin[0] + shift
        lost = (origin[0] - merged) + shift
        return FamilyMoments(total, merged, (scatter + between).sum(axis=0), lost)

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
            np.stack([self.rounding, other.rounding]),
        )
        return both.collapse([0])


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Divide, 0 where there is no weight.

    Parameters
    ----------
    numerator, denominator : ndarray, float64
        Broadcast together; weights are not negative.

    Returns
    -------
    ndarray, float64

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.statistics.family import ratio
    >>> ratio(np.array([6.0, 0.0]), np.array([3.0, 0.0]))
    array([2., 0.])
    """
    seen = denominator > 0
    quotient: Floats = np.where(seen, numerator, 0.0) / np.where(seen, denominator, 1.0)
    return quotient


def outer(left: Floats, right: Floats) -> Floats:
    """Return the outer products of vectors on the last axis.

    Parameters
    ----------
    left : ndarray of shape (*config, p), float64
    right : ndarray of shape (*config, q), float64

    Returns
    -------
    ndarray of shape (*config, p, q), float64

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.statistics.family import outer
    >>> outer(np.array([1.0, 2.0]), np.array([3.0, 4.0]))
    array([[3., 4.],
           [6., 8.]])
    """
    return left[..., :, np.newaxis] * right[..., np.newaxis, :]


def recentred(n: Floats, center: Floats, rest: Floats, scatter: Floats) -> FamilyMoments:
    """Return means and scatter about them, from deviations about centres that only come close.

    Parameters
    ----------
    n : ndarray of shape (*config,), float64
    center : ndarray of shape (*config, p), float64
    rest : ndarray of shape (*config, p), float64
        Weighted sums of deviations.
    scatter : ndarray of shape (*config, p, p), float64
        About `center`.

    Returns
    -------
    FamilyMoments

    References
    ----------
    Chan, Golub, LeVeque, *Algorithms for computing the sample variance*, The American
    Statistician 37 (1983): the corrected two-pass algorithm.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.statistics.family import recentred
    >>> found = recentred(np.array(2.0), np.array([1.0]), np.array([2.0]), np.array([[4.0]]))
    >>> found.mean, found.scatter  # of 1 and 3
    (array([2.]), array([[2.]]))
    """
    shift = ratio(rest, n[..., np.newaxis])
    scatter = scatter - outer(rest, shift)
    diagonal = np.einsum("...aa->...a", scatter)
    np.maximum(diagonal, 0.0, out=diagonal)  # rounding may have taken it below
    mean = center + shift
    return FamilyMoments(n, mean, scatter, (center - mean) + shift)


def _in_front(array: Floats, axes: Sequence[int]) -> Floats:
    """Move some axes to the front and make one of them."""
    moved = np.moveaxis(array, axes, range(len(axes)))
    return moved.reshape(prod(moved.shape[: len(axes)]), *moved.shape[len(axes) :])
