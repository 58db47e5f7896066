"""Local measures of numbers: ln p(x_i, x_l) / (p(x_i) p(x_l)) of the normals of all rows [KST]."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bnclass.data.memory import require_memory
from bnclass.data.variables import LARGEST_NUMBER
from bnclass.exceptions import DataError
from bnclass.scores.gaussian import floors_of, independence
from bnclass.scores.gaussian_triples import regressions_on, residuals_given
from bnclass.statistics.family import Floats, ratio
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.statistics.triple_moments import TripleMoments

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

FARTHEST = 1e100
"""Standard deviations from the mean, beyond which none is told from another: squares overflow."""


class LocalTerms(NamedTuple):
    """All that a row's measures take from the training rows, as the compiled loop reads it.

    A pair of deviations z_i, z_l in units of standard deviations, correlated by ρ, has the term

        -½ ln(1 - ρ²) - ρ²/(2(1 - ρ²)) (z_i ∓ z_l)² ± |ρ|/(1 + |ρ|) z_i z_l,

    with the signs of ρ. That is -½ ln(1 - ρ²) - (ρ²(z_i² + z_l²) - 2ρ z_i z_l)/(2(1 - ρ²)) in
    the form that rounding harms least.
    """

    masks: Ints
    """As of `TripleMoments`, (n,)."""
    positions: Floats
    """Mean, and reciprocal of the standard deviation, of i where l is observed too: at
    [i, l, y], (n, n, K, 2)."""
    pairs: Floats
    """-½ ln(1 - ρ²), ρ²/(2(1 - ρ²)) and ±|ρ|/(1 + |ρ|) at [i, l, y], (n, n, K, 3)."""
    lines: Floats
    """Mean of i, slope, mean of p, and reciprocal of the standard deviation of the residual at
    [p, i, mask, group], (n, n, n_masks, n_groups, 4)."""
    triples: Floats
    """As `pairs`, of the residuals given p, at [p, i, l, group], (n, n, n, n_groups, 3)."""
    factor: float
    """What a measure given a third attribute is multiplied by: 1, or K if "pairwise"."""

    @classmethod
    def from_statistics(
        cls, statistics: SufficientStatistics, by_class: bool = True
    ) -> "LocalTerms":
        """Take the terms of all pairs and triples.

        Parameters
        ----------
        statistics : SufficientStatistics
            All attributes continuous.
        by_class : bool, default=True
            Whether classes are told apart given a third attribute.

        Returns
        -------
        LocalTerms

        Raises
        ------
        DataError
            If moments of pairs were not taken, or rows are needed and not here.
        MemoryLimitError
            If the terms would not fit.

        Examples
        --------
        >>> from bnclass import SufficientStatistics, TableEncoder, load_dataset
        >>> from bnclass.scores.local_gaussian import LocalTerms
        >>> table = TableEncoder(continuous="gaussian").fit_transform(*load_dataset("iris"))
        >>> terms = LocalTerms.from_statistics(SufficientStatistics.from_table(table))
        >>> terms.triples.shape
        (4, 4, 4, 3, 3)
        """
        triples, floors = TripleMoments.from_statistics(statistics, by_class), floors_of(statistics)
        n, n_classes = len(floors), len(statistics.class_counts)
        n_masks, n_groups = triples.pairs.n.shape[:2]
        require_memory(
            n * n * n_groups * (3 * n + 4 * n_masks), f"local terms of all triples of {n} numbers"
        )
        given = np.empty((n, n, n, n_groups, 3))
        lines = np.empty((n, n, n_masks, n_groups, 4))
        for p in range(n):
            residuals = residuals_given(triples, floors, p)
            given[p] = _terms(residuals.independence, residuals.cross)
            lines[p] = _lines(triples, floors, p)
        positions, pairs = _of_pairs(statistics, floors)
        return cls(triples.masks, positions, pairs, lines, given, 1.0 if by_class else n_classes)

    def of(self, attributes: Ints) -> "LocalTerms":
        """Return the terms among some of the attributes.

        Parameters
        ----------
        attributes : ndarray of int

        Returns
        -------
        LocalTerms
        """
        two = np.ix_(attributes, attributes)
        return LocalTerms(
            self.masks[attributes],
            self.positions[two],
            self.pairs[two],
            self.lines[two],
            self.triples[np.ix_(attributes, attributes, attributes)],
            self.factor,
        )

    def measure(self, row: Floats) -> tuple[Floats, Floats]:
        """Return the local measures of one row.

        Parameters
        ----------
        row : ndarray of shape (n,), float64
            Without missing numbers.

        Returns
        -------
        given_class : ndarray of shape (n, n), float64
            I(x_i; x_l | Y), in nats.
        given_other : ndarray of shape (n, n, n), float64
            I(x_i; x_l | x_p, Y) or I(x_i; x_l | x_p) at [p, i, l], in nats.
        """
        mean, scale = np.moveaxis(self.positions, -1, 0)
        z = _held((row[:, np.newaxis, np.newaxis] - mean) * scale)
        given_class = _summed(z, z.swapaxes(0, 1), self.pairs)
        mean, slope, parent_mean, scale = np.moveaxis(self.lines, -1, 0)
        offset = row[:, np.newaxis, np.newaxis] - mean
        parent = row[:, np.newaxis, np.newaxis, np.newaxis] - parent_mean
        z = _held((offset - slope * parent) * scale)[:, :, self.masks]
        return given_class, _summed(z, z.swapaxes(1, 2), self.triples) * self.factor


def _held(deviations: Floats) -> Floats:
    held: Floats = np.clip(deviations, -FARTHEST, FARTHEST)
    return held


def _summed(z: Floats, other: Floats, terms: Floats) -> Floats:
    """Return the sums of terms over groups, in the order in which the compiled loop adds."""
    constant, distance, product = np.moveaxis(terms, -1, 0)
    apart = z - np.where(product < 0.0, -other, other)
    each = constant - distance * (apart * apart) + product * (z * other)
    total: Floats = each[..., 0]
    for group in range(1, each.shape[-1]):
        total = total + each[..., group]
    return total


def _of_pairs(statistics: SufficientStatistics, floors: Floats) -> tuple[Floats, Floats]:
    """Return positions and terms of all pairs by class."""
    assert statistics.moments is not None
    moments = statistics.moments.all_pairs
    own, other, cross = (moments.scatter[..., a, b] for a, b in ((0, 0), (1, 1), (0, 1)))
    scale = _scales(moments.n, own, floors[:, np.newaxis])
    positions = np.moveaxis(np.stack([moments.mean[..., 0], scale], axis=-1), 0, -2)
    found = independence(moments.n, own, other, cross, floors)
    found[:, np.eye(len(floors), dtype=np.bool_)] = 1.0
    return np.ascontiguousarray(positions), _terms(found, cross)


def _lines(triples: TripleMoments, floors: Floats, p: int) -> Floats:
    """Return the lines of all attributes on one of them, at [i, mask, group, ...]."""
    slope, left = regressions_on(triples, floors, p)
    n, mean = triples.pairs.n[..., p], triples.pairs.mean[..., p, :]
    lines = np.stack([mean[..., 0], slope, mean[..., 1], _scales(n, left, floors)], axis=-1)
    return np.moveaxis(lines, 2, 0)


def _scales(n: Floats, squares: Floats, floors: Floats) -> Floats:
    """Return the reciprocals of the standard deviations, 0 where there is no variance."""
    variances = np.maximum(ratio(squares, n), floors)
    return ratio(np.ones_like(variances), np.sqrt(variances))


def _terms(left: Floats, cross: Floats) -> Floats:
    """Return what the terms of all pairs are made of, groups before the last axis, from 1 - ρ²."""
    square = 1.0 - left
    size = np.sqrt(square)
    parts = [-0.5 * np.log(left), square / (2 * left), np.copysign(size / (1 + size), cross)]
    parts[0] = np.where(left < 1.0, parts[0], 0.0)  # not -0.0
    return np.ascontiguousarray(np.moveaxis(np.stack(parts, axis=-1), 0, -2))


def known_numbers(statistics: SufficientStatistics, rows: npt.ArrayLike) -> Floats:
    """Return rows of numbers with NaN in constant columns, which have no say.

    Parameters
    ----------
    statistics : SufficientStatistics
        All attributes continuous.
    rows : array-like of shape (n_rows, n_attributes)
        Numbers in column order, NaN where missing.

    Returns
    -------
    ndarray of shape (n_rows, n_attributes), float64

    Raises
    ------
    DataError
        If they are no such rows, or a number is beyond 1e100 in magnitude.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import SufficientStatistics, TableEncoder
    >>> from bnclass.scores.local_gaussian import known_numbers
    >>> frame = pd.DataFrame({"x": [1.0, 3.0], "c": [2.0, 2.0]})
    >>> table = TableEncoder(continuous="gaussian").fit_transform(frame, [0, 1])
    >>> known_numbers(SufficientStatistics.from_table(table), [[7, 2], [1, 1]])
    array([[ 7., nan],
           [ 1., nan]])
    """
    numbers, attributes = np.asarray(rows), statistics.schema.attributes
    if numbers.ndim != 2 or numbers.shape[1] != len(attributes) or numbers.dtype.kind not in "iuf":
        raise DataError(
            f"rows of shape {numbers.shape} and dtype {numbers.dtype}, expected "
            f"{len(attributes)} numbers in each"
        )
    numbers = numbers.astype(np.float64)
    beyond = (np.abs(numbers) > LARGEST_NUMBER).any(axis=0)
    if beyond.any():
        raise DataError(
            f"variable {attributes[int(beyond.argmax())].name!r}: found a number beyond "
            f"{LARGEST_NUMBER:g} in magnitude"
        )
    numbers[:, [distinct.constant for distinct in statistics.distinct]] = np.nan
    return numbers
