"""Mutual information and conditional mutual information, in nats, from statistics alone."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bnclass.exceptions import DataError
from bnclass.scores.gaussian import (
    gaussian_cmi_matrix,
    gaussian_information_with_class,
    mixed_cmi,
)
from bnclass.statistics.sufficient import SufficientStatistics

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_QUANTUM = 2.0**40
LARGEST_MEASURE = 2.0**12
"""In nats, either way: what comparisons can tell apart."""


def quantise(information: Floats) -> Ints:
    """Return measures as the integers round(I·2⁴⁰) on which every comparison is made.

    Measures beyond ±4096 nats, which only single rows of numbers have, count as that: sums of
    two thousand integers then stay within theirs.

    Two correct formulas for the same measure differ in the last bits. As integers they are
    equal, but for the rare value on the edge between two integers; and since the measures
    here are correctly rounded sums of their terms, tables that are equal up to the order of
    states, rows or columns always are.

    Parameters
    ----------
    information : ndarray of float64

    Returns
    -------
    ndarray of the same shape, int64

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.scores.information import quantise
    >>> quantise(np.array([0.5, 0.5 + 1e-16]))
    array([549755813888, 549755813888])
    """
    held = np.clip(information, -LARGEST_MEASURE, LARGEST_MEASURE)
    return np.rint(held * _QUANTUM).astype(np.int64)


def mutual_information(counts: npt.ArrayLike) -> float:
    """Return I(X; Z) = Σ P(x,z) ln [ P(x,z) / (P(x) P(z)) ], in nats.

    Parameters
    ----------
    counts : array-like of shape (card_x, card_z)
        Non-negative counts F(x, z).

    Returns
    -------
    float
        At least 0; 0 if there are no counts.

    Raises
    ------
    DataError
        If the counts are not a table of two axes, or one is negative or not finite.

    Examples
    --------
    >>> from bnclass import mutual_information
    >>> round(mutual_information([[2, 0], [0, 2]]), 12)  # ln 2
    0.69314718056
    """
    return _information(_checked(counts, 2)[np.newaxis])


def conditional_mutual_information(counts: npt.ArrayLike) -> float:
    """Return I(X; Z | Y) = Σ P(x,z,y) ln [ P(x,z|y) / (P(x|y) P(z|y)) ], in nats.

    Parameters
    ----------
    counts : array-like of shape (card_y, card_x, card_z)
        Non-negative counts F(y, x, z).

    Returns
    -------
    float
        At least 0; 0 if there are no counts.

    Raises
    ------
    DataError
        If the counts are not a table of three axes, or one is negative or not finite.

    Examples
    --------
    >>> from bnclass import conditional_mutual_information
    >>> conditional_mutual_information([[[1, 1], [1, 1]], [[3, 0], [0, 0]]])
    0.0
    """
    return _information(_checked(counts, 3))


def _checked(counts: Any, n_axes: int) -> Floats:
    f: Floats = np.asarray(counts, dtype=np.float64, order="C")  # sums in one order
    if f.ndim != n_axes:
        raise DataError(f"counts of {f.ndim} axes, expected {n_axes}")
    if not ((f >= 0) & (f < np.inf)).all():
        raise DataError("counts with a negative or infinite cell, expected none below 0")
    return f


def _information(f: Floats) -> float:
    f_x = f.sum(axis=2, keepdims=True)
    f_z = f.sum(axis=1, keepdims=True)
    terms = _terms(f, f_x.sum(axis=1, keepdims=True), f_x * f_z)
    total = f.sum()
    return max(math.fsum(terms.ravel().tolist()) / float(total), 0.0) if total > 0 else 0.0


def _terms(f: Floats, f_y: Floats, product: Floats) -> Floats:
    """Return F ln [ F F(y) / (F(x,y) F(z,y)) ] cell by cell, 0 where F is 0.

    The ratio of exact products is exactly 1 for independent counts, so their
    information is exactly 0.
    """
    ratio = np.divide(f * f_y, product, out=np.ones_like(f), where=f > 0)
    return f * np.log(ratio)


def cmi_matrix(statistics: SufficientStatistics) -> Floats:
    """Return I(X_i; X_j | Y) of every pair of attributes, of either kind, in nats.

    Parameters
    ----------
    statistics : SufficientStatistics
        With pair counts, and moments of pairs where attributes are continuous.

    Returns
    -------
    ndarray of shape (n_attributes, n_attributes), float64
        Symmetric, in column order; the diagonal is 0.

    Raises
    ------
    DataError
        If pairs were not counted.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import SufficientStatistics, TableEncoder, cmi_matrix
    >>> frame = pd.DataFrame({"a": ["u", "v"], "b": ["p", "q"]})
    >>> table = TableEncoder().fit_transform(frame, [0, 0])
    >>> cmi_matrix(SufficientStatistics.from_table(table)).round(6)
    array([[0.      , 0.693147],
           [0.693147, 0.      ]])
    """
    attributes = statistics.schema.attributes
    continuous = [i for i, v in enumerate(attributes) if v.is_continuous]
    discrete = [i for i, v in enumerate(attributes) if not v.is_continuous]
    matrix = np.zeros((len(attributes), len(attributes)))
    for position, i in enumerate(discrete):
        matrix[i, discrete[:position]] = _cmi_with_earlier(statistics, i, discrete[:position])
    matrix += matrix.T
    if continuous:
        matrix[np.ix_(continuous, continuous)] = gaussian_cmi_matrix(statistics)
        for i in discrete:
            both = mixed_cmi(statistics, statistics.values_of(i))
            matrix[i, continuous] = matrix[continuous, i] = both
    return matrix


@dataclass(frozen=True)
class Information:
    """Both measures that structure learners use, each computed once when first asked for.

    Parameters
    ----------
    statistics : SufficientStatistics

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import Information, SufficientStatistics, TableEncoder
    >>> table = TableEncoder().fit_transform(pd.DataFrame({"a": ["u", "v"]}), [0, 1])
    >>> Information(SufficientStatistics.from_table(table)).with_class.round(6)
    array([0.693147])
    """

    statistics: SufficientStatistics

    @cached_property
    def with_class(self) -> Floats:
        """I(X_i; Y) of every attribute, in nats; ndarray of shape (n_attributes,)."""
        attributes = self.statistics.schema.attributes
        continuous = np.array([v.is_continuous for v in attributes], dtype=np.bool_)
        measures = np.zeros(len(attributes))
        for i in np.flatnonzero(~continuous).tolist():
            measures[i] = mutual_information(self.statistics.attribute_counts(i))
        if continuous.any():
            measures[continuous] = gaussian_information_with_class(self.statistics)
        return measures

    @cached_property
    def given_class(self) -> Floats:
        """I(X_i; X_j | Y) of every pair, in nats; ndarray (n_attributes, n_attributes)."""
        return cmi_matrix(self.statistics)


def _cmi_with_earlier(statistics: SufficientStatistics, i: int, earlier: list[int]) -> Floats:
    """Return I(X_i; X_j | Y) for all discrete j < i at once, from one band of the pair counts."""
    if not earlier:
        return np.empty(0)
    starts = statistics.offsets[earlier]
    cards = statistics.offsets[np.array(earlier) + 1] - starts
    f = statistics.earlier_pair_counts(i)
    f_x = np.add.reduceat(f, starts, axis=2)
    f_y = f_x.sum(axis=1, keepdims=True)
    f_z = f.sum(axis=1, keepdims=True)
    product = np.repeat(f_x, cards, axis=2) * f_z
    terms = _terms(f, np.repeat(f_y, cards, axis=2), product)
    totals = f_y.sum(axis=(0, 1))
    flat = np.moveaxis(terms, 2, 0).ravel().tolist()  # pair by pair; fsum takes any order
    begins = (starts * (len(flat) // terms.shape[2])).tolist()
    spans = zip(begins, [*begins[1:], len(flat)], strict=True)
    sums = np.array([math.fsum(flat[begin:end]) for begin, end in spans])
    means: Floats = np.divide(sums, totals, out=np.zeros_like(sums), where=totals > 0)
    return means.clip(min=0.0)
