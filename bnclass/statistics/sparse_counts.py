"""Counts of a large family: only of the configurations that rows have."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt

from bnclass.data.codes import MISSING
from bnclass.exceptions import DataError
from bnclass.statistics.configurations import Configurations
from bnclass.statistics.families import listed, require_discrete
from bnclass.statistics.sufficient import SufficientStatistics

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_CELLS_AT_ONCE = 2**20


@dataclass(frozen=True)
class SparseCounts:
    """F(x, u) of the pairs of value and parent configuration that occur; all others are 0.

    Parameters
    ----------
    parents : Configurations
        The parent configurations u that occur.
    cells : Configurations
        The pairs (place of u, code of x) that occur.
    counts : ndarray of shape (len(cells),), float64

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import SufficientStatistics, TableEncoder
    >>> from bnclass.statistics.sparse_counts import sparse_counts
    >>> frame = pd.DataFrame({"a": ["u", "v", "u"], "b": ["p", "p", "q"]})
    >>> table = TableEncoder().fit_transform(frame, [0, 1, 1])
    >>> found = sparse_counts(SufficientStatistics.from_table(table), "a", ["class", "b"])
    >>> found.parents.codes.tolist(), found.cells.codes.tolist(), found.counts
    ([[0, 0], [1, 0], [1, 1]], [[0, 0], [1, 1], [2, 0]], array([1., 1., 1.]))
    """

    parents: Configurations
    cells: Configurations
    counts: Floats

    @property
    def n_configurations(self) -> int:
        """Number of all parent configurations, seen or not."""
        return prod(self.parents.cards)

    def blocks(self) -> Iterator[tuple[slice, Floats]]:
        """Yield spans of configurations and their counts, a dense row for each.

        Yields
        ------
        span : slice
        counts : ndarray of shape (n_in_span, card(child)), float64
        """
        n, card = self.cells.cards
        step = max(1, _CELLS_AT_ONCE // card)
        rows, states = self.cells.codes.T
        for begin in range(0, n, step):
            end = min(begin + step, n)
            first, last = np.searchsorted(rows, [begin, end])
            block = np.zeros((end - begin, card))
            block[rows[first:last] - begin, states[first:last]] = self.counts[first:last]
            yield slice(begin, end), block


def sparse_counts(
    statistics: SufficientStatistics, child: Hashable, parents: Sequence[Hashable]
) -> SparseCounts:
    """Count the configurations of a family that occur, over rows with all of it observed.

    Parameters
    ----------
    statistics : SufficientStatistics
        With its rows.
    child : hashable
    parents : sequence of hashable
        One at least; attributes or the class, in any order.

    Returns
    -------
    SparseCounts
        The same numbers as `SufficientStatistics.counts`, to the bit.

    Raises
    ------
    DataError
        If a variable is unknown, continuous or named twice, or the rows are not there.
    """
    require_discrete(child, parents, statistics.schema)
    table, target = statistics.table, statistics.schema.target.name
    family = [*parents, child]
    if table is None:
        raise DataError(f"merged statistics hold pairs only, expected rows for {listed(family)}")
    assert table.labels is not None
    attributes = [name for name in family if name != target]
    codes = table.codes_of(attributes)
    seen = (codes != MISSING).all(axis=1)
    columns = dict(zip(attributes, codes[seen].T, strict=True))
    columns[target] = table.labels[seen]
    cards = [statistics.schema[name].card for name in family]
    found, which = Configurations.of_rows([columns[p] for p in parents], cards[:-1])
    cells, place = Configurations.of_rows([which, columns[child]], [len(found), cards[-1]])
    weights = table.row_weights[seen]
    if target in family:
        return SparseCounts(found, cells, _summed(place, weights, len(cells)))
    # Class by class and then together, as the counts of all cells are.
    by_class, cell = Configurations.of_rows(
        [columns[target], place], [statistics.schema.target.card, len(cells)]
    )
    parts = _summed(cell, weights, len(by_class))
    return SparseCounts(found, cells, _summed(by_class.codes[:, 1], parts, len(cells)))


def _summed(cells: npt.NDArray[np.integer], weights: Floats, n: int) -> Floats:
    return np.bincount(cells, weights, minlength=n).astype(np.float64, copy=False)
