"""Moments of pairs of numbers over the rows in which a third one is observed."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bnclass.data.memory import require_memory
from bnclass.data.table import EncodedTable
from bnclass.exceptions import DataError
from bnclass.statistics.family import FamilyMoments
from bnclass.statistics.moments import Moments, Places
from bnclass.statistics.sufficient import SufficientStatistics

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class TripleMoments:
    """What regressions and partial correlations of three numbers are functions of.

    Columns that are observed in the same rows have the same mask; the moments of a triple
    (i, j, l) are those of (i, j) within the mask of l, so there is no array over triples.

    Parameters
    ----------
    masks : ndarray of shape (n,), int64
        Mask of each column.
    pairs : FamilyMoments
        Configurations (n_masks, n_groups, n, n), p = 2: attributes i and j by group, over the
        rows of each mask in which both are observed. A group is a class, or all rows.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import SufficientStatistics, TableEncoder
    >>> from bnclass.statistics.triple_moments import TripleMoments
    >>> frame = pd.DataFrame({"x": [1.0, 3, 8], "z": [2.0, 6, 7], "v": [4.0, 5, None]})
    >>> table = TableEncoder(continuous="gaussian").fit_transform(frame, [0, 0, 0])
    >>> triples = TripleMoments.from_statistics(SufficientStatistics.from_table(table))
    >>> triples.masks
    array([1, 1, 0])
    >>> triples.pairs.mean[0, 0, 0, 1]  # of x and z, where v is observed
    array([2., 4.])
    """

    masks: Ints
    pairs: FamilyMoments

    @classmethod
    def from_statistics(
        cls, statistics: SufficientStatistics, by_class: bool = True
    ) -> "TripleMoments":
        """Take the moments of all triples.

        Parameters
        ----------
        statistics : SufficientStatistics
            All attributes continuous; with its rows, unless all numbers are observed in the
            same ones.
        by_class : bool, default=True
            Whether classes are told apart.

        Returns
        -------
        TripleMoments

        Raises
        ------
        DataError
            If moments of pairs were not taken, or rows are needed and not here.
        MemoryLimitError
            If the moments would not fit.
        """
        assert statistics.moments is not None
        whole, n = statistics.moments.all_pairs, len(statistics.schema.attributes)
        if statistics.moments.complete(range(n)):
            return cls(np.zeros(n, np.int64), _stacked([whole], by_class))
        table = statistics.table
        if table is None:
            raise DataError("merged statistics hold pairs only, expected rows for triples")
        assert table.numbers is not None
        seen, masks = np.unique(~np.isnan(table.numbers), axis=1, return_inverse=True)
        n_groups = len(statistics.class_counts)
        require_memory(
            9 * seen.shape[1] * n_groups * n * n, f"moments of all triples of {n} numbers"
        )
        parts = [whole if rows.all() else _within(table, rows) for rows in seen.T]
        return cls(masks.reshape(-1).astype(np.int64), _stacked(parts, by_class))

    def families(self, families: Places) -> FamilyMoments:
        """Return the moments of families of up to three numbers, each over its own rows.

        Parameters
        ----------
        families : ndarray of shape (n_families, p), int
            Places of the attributes.

        Returns
        -------
        FamilyMoments
            With axes (n_groups, n_families).
        """
        p = families.shape[1]
        places = [families[:, min(a, p - 1)] for a in range(3)]  # the last one as often as needed
        shape = (self.pairs.n.shape[1], len(families), p)
        mean, rounding, scatter = np.empty(shape), np.empty(shape), np.empty((*shape, p))
        for a in range(p):
            b, c = (a + 1) % 3, (a + 2) % 3
            own = self.masks[places[c]], slice(None), places[a], places[b]
            mean[..., a] = self.pairs.mean[*own, 0].T
            rounding[..., a] = self.pairs.rounding[*own, 0].T
            scatter[..., a, a] = self.pairs.scatter[*own, 0, 0].T
            for b in range(a):
                both = self.masks[places[3 - a - b]], slice(None), places[a], places[b]
                scatter[..., a, b] = scatter[..., b, a] = self.pairs.scatter[*both, 0, 1].T
        n = self.pairs.n[self.masks[places[2]], :, places[0], places[1]].T
        return FamilyMoments(n, mean, scatter, rounding)


def _within(table: EncodedTable, rows: Bools) -> FamilyMoments:
    """Return the moments of all pairs over some of the rows."""
    part = table.rows(rows)
    assert part.numbers is not None
    assert part.labels is not None
    assert part.target is not None
    nothing = np.empty((len(part), 0), np.int32)
    weights, n_classes = part.row_weights, part.target.card
    return Moments.from_arrays(part.numbers, part.labels, weights, n_classes, nothing, 0).all_pairs


def _stacked(parts: list[FamilyMoments], by_class: bool) -> FamilyMoments:
    if not by_class:
        parts = [part.collapse([0]).reshape((1, *part.n.shape[1:])) for part in parts]
    fields = ("n", "mean", "scatter", "rounding")
    return FamilyMoments(*(np.stack([getattr(part, f) for part in parts]) for f in fields))
