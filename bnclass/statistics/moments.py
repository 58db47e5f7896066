"""The moments of all numbers that Gaussian factors and measures are functions of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from bnclass.exceptions import DataError
from bnclass.statistics import moment_pass
from bnclass.statistics.arrays import require_within
from bnclass.statistics.family import FamilyMoments

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]
Places = npt.NDArray[np.integer[Any]]
Order = Literal[1, 2]
"""What is counted: single attributes (enough for naive Bayes), or pairs as well."""


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
        require_within("label", labels, 0, n_classes)
        require_within("value", values, -1, n_values)
        rows = moment_pass.Rows.of(numbers, labels, weights, n_classes)
        center, rest, singles = moment_pass.singles(rows)
        if order == 1:
            return cls(singles, None, None)
        pairs = moment_pass.pairs(rows, center, rest, singles)
        return cls(singles, pairs, moment_pass.cells(rows, center, values, n_values))

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
        return self.singles.at(slice(None), i)

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
        return _taken(self.pairs).at(slice(None), i, j)

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
        return _taken(self.cells).at(slice(None), values)

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
        return _taken(self.cells).at(slice(None), values, i)

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
        return bool(self.all_complete(np.array([indexes], dtype=np.intp))[0])

    def all_complete(self, families: Places) -> npt.NDArray[np.bool_]:
        """Return which families have all their attributes observed in the same rows.

        Parameters
        ----------
        families : ndarray of shape (n_families, p), int
            Places among the continuous attributes.

        Returns
        -------
        ndarray of shape (n_families,), bool

        Raises
        ------
        DataError
            If pairs were not taken.
        """
        together = _taken(self.pairs).n[:, families[:, :, np.newaxis], families[:, np.newaxis]]
        alone = self.singles.n[:, families, np.newaxis]
        return np.asarray((together == alone).all(axis=(0, 2, 3)))

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
        return self.families(np.array([indexes], dtype=np.intp)).at(slice(None), 0)

    def families(self, families: Places) -> FamilyMoments:
        """Return the moments of families by class.

        Parameters
        ----------
        families : ndarray of shape (n_families, p), int
            Places among the continuous attributes, those of a family observed in the same rows.

        Returns
        -------
        FamilyMoments
            With axes (n_classes, n_families).

        Raises
        ------
        DataError
            If pairs were not taken, or attributes are not observed in the same rows.
        """
        complete = self.all_complete(families)
        if not complete.all():
            apart = families[int(complete.argmin())].tolist()
            raise DataError(f"continuous attributes {apart} are not observed together")
        pairs = families[:, :, np.newaxis], families[:, np.newaxis]
        scatter = _taken(self.pairs).scatter[:, *pairs, 0, 1]
        mean, rounding = (a[:, families, 0] for a in (self.singles.mean, self.singles.rounding))
        return FamilyMoments(self.singles.n[:, families[:, 0]], mean, scatter, rounding)

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


def _taken(moments: FamilyMoments | None) -> FamilyMoments:
    if moments is None:
        raise DataError("moments of single attributes only, expected those of pairs (order=2)")
    return moments


def _merged(one: FamilyMoments | None, other: FamilyMoments | None) -> FamilyMoments | None:
    return None if one is None or other is None else one.merge(other)
