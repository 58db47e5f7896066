"""Which attributes of a row say nothing that another one does not: subsumption resolution."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bnclass.data.codes import MISSING, Codes
from bnclass.data.table import EncodedTable
from bnclass.data.weights import reaches, same_counts
from bnclass.exceptions import BnclassError
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.statistics.threads import in_spans

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

_ROWS_AT_ONCE = 4096


@dataclass(frozen=True, eq=False)
class Subsumption:
    """Leave out of a row what another of its values implies [SR].

    x_i implies x_j if every training row with x_i has x_j: F(x_i) = F(x_i, x_j). Attribute
    j is dropped from a row if some i ≠ j has such a value with F(x_i) ≥ `min_frequency`; of
    two values that imply each other, F(x_i) = F(x_j), the first stays. A dropped cell is a
    missing cell.

    Parameters
    ----------
    min_frequency : float
        Weight of training rows with x_i, at least; positive.
    attributes : tuple of hashable
        Names of discrete attributes, in column order.
    counts : tuple of ndarray of shape (card,), float64
        F(x_i) of each attribute's states. Copied and locked.
    pair_counts : ndarray of shape (n_values, n_values), float64
        F(x_i, x_j) over the states of all attributes side by side: where the row's attribute
        comes after the column's; the rest is set to 0. Copied and locked.

    Raises
    ------
    BnclassError
        If `min_frequency` is no positive number, or shapes do not fit together.

    References
    ----------
    Zheng, Webb, Suraweera, Zhu, Subsumption Resolution, Machine Learning 87 (2012).

    Examples
    --------
    Whoever is pregnant (3 rows) is a woman (5 rows of 9):

    >>> import numpy as np
    >>> from bnclass import EncodedTable, Subsumption, Variable
    >>> sex, pregnant = Variable("sex", states=("f", "m")), Variable("pregnant", states=("n", "y"))
    >>> pairs = np.array([[0, 0, 0, 0], [0, 0, 0, 0], [2, 4, 0, 0], [3, 0, 0, 0]])
    >>> rule = Subsumption(3, ("sex", "pregnant"), ([5, 4], [6, 3]), pairs)
    >>> rows = EncodedTable((sex, pregnant), np.array([[0, 1], [0, 0]], dtype=np.int32))
    >>> rule.drops(rows)
    array([[ True, False],
           [False, False]])
    """

    min_frequency: float
    attributes: tuple[Hashable, ...]
    counts: tuple[Floats, ...]
    pair_counts: Floats

    def __post_init__(self) -> None:
        number = isinstance(self.min_frequency, (int, float, np.integer, np.floating))
        if not number or isinstance(self.min_frequency, bool) or not self.min_frequency > 0:
            raise BnclassError(
                f"min_frequency is {self.min_frequency!r}, expected a positive number"
            )
        if len(self.attributes) != len(self.counts):
            raise BnclassError(f"{len(self.counts)} counts for {len(self.attributes)} attributes")
        counts = tuple(np.array(f, dtype=np.float64) for f in self.counts)
        pairs = np.array(self.pair_counts, dtype=np.float64)
        n_values = sum(f.size for f in counts)
        if pairs.shape != (n_values, n_values):
            raise BnclassError(
                f"pair counts of shape {pairs.shape}, expected {(n_values, n_values)}: a row and "
                f"a column for each state"
            )
        attribute = np.repeat(np.arange(len(counts)), [f.size for f in counts])
        pairs[attribute[:, np.newaxis] <= attribute] = 0.0
        object.__setattr__(self, "attributes", tuple(self.attributes))
        object.__setattr__(self, "counts", counts)
        object.__setattr__(self, "pair_counts", pairs)
        self._lock()

    def _lock(self) -> None:
        for array in (*self.counts, self.pair_counts):
            array.setflags(write=False)

    @classmethod
    def from_statistics(
        cls, statistics: SufficientStatistics, min_frequency: float
    ) -> "Subsumption":
        """Return the rule over all discrete attributes.

        Parameters
        ----------
        statistics : SufficientStatistics
            With pair counts.
        min_frequency : float

        Returns
        -------
        Subsumption

        Raises
        ------
        DataError
            If pairs were not counted.
        """
        attributes = statistics.schema.attributes
        discrete = [i for i, v in enumerate(attributes) if not v.is_continuous]
        counts = tuple(statistics.attribute_counts(i).sum(axis=0) for i in discrete)
        pairs = np.zeros((int(statistics.offsets[-1]),) * 2)
        for i in discrete:
            earlier = statistics.earlier_pair_counts(i).sum(axis=0)
            pairs[statistics.values_of(i), : earlier.shape[1]] = earlier
        return cls(min_frequency, tuple(attributes[i].name for i in discrete), counts, pairs)

    @property
    def starts(self) -> npt.NDArray[np.int64]:
        """Place of each attribute's first state among all; int64 (n_attributes,)."""
        cards = [f.size for f in self.counts]
        return np.cumsum([0, *cards], dtype=np.int64)[:-1]

    @cached_property
    def _dropped_by(self) -> npt.NDArray[np.uint8]:
        """For every state of every attribute the set of states that it drops, as bits.

        After the states comes a missing cell, which neither drops nor is dropped.
        """
        cards = [f.size for f in self.counts]
        attribute = np.repeat(np.arange(len(cards)), cards)
        f = np.concatenate([np.empty(0), *self.counts])
        column = f[:, np.newaxis]
        implied = same_counts(self.pair_counts + self.pair_counts.T, column)
        implied &= reaches(column, self.min_frequency)
        first = attribute[:, np.newaxis] < attribute
        dropped = implied & (~same_counts(column, f) | first)
        return np.packbits(np.pad(dropped, (0, 1)), axis=1, bitorder="little")

    def drops(self, table: EncodedTable) -> Bools:
        """Return which of the rule's attributes are dropped from which rows.

        Parameters
        ----------
        table : EncodedTable

        Returns
        -------
        ndarray of shape (n_rows, len(attributes)), bool
            False where the cell is missing.
        """
        codes = table.codes_of(self.attributes)
        result = np.zeros(codes.shape, dtype=np.bool_, order="F")

        def run(begin: int, end: int) -> None:
            result[begin:end] = self._dropped(codes[begin:end])

        if self._dropped_by.any():
            in_spans(len(codes), _ROWS_AT_ONCE, run)
        return result

    def _dropped(self, codes: Codes) -> Bools:
        """Join the sets that a row's values drop, and look the values up in the union."""
        sets, missing = self._dropped_by, len(self._dropped_by) - 1
        values = [
            np.where(code == MISSING, missing, start + code)
            for start, code in zip(self.starts, codes.T, strict=True)
        ]
        union = np.zeros((len(codes), sets.shape[1]), dtype=np.uint8)
        for value in values:
            union |= sets[value]
        rows = np.arange(len(codes))
        bits = [(union[rows, value >> 3] >> (value & 7).astype(np.uint8)) & 1 for value in values]
        return np.array(bits, dtype=np.bool_).reshape(len(values), len(codes)).T

    def resolve(self, table: EncodedTable) -> EncodedTable:
        """Return the table with the dropped cells missing.

        Parameters
        ----------
        table : EncodedTable

        Returns
        -------
        EncodedTable
        """
        dropped = self.drops(table)
        if not dropped.any():
            return table
        places = {v.name: i for i, v in enumerate(table.variables)}
        codes = table.codes.copy(order="K")
        for name, drop in zip(self.attributes, dropped.T, strict=True):
            codes[drop, places[name]] = MISSING
        return replace(table, codes=codes)

    def __eq__(self, other: Any) -> bool:
        return (
            isinstance(other, Subsumption)
            and (self.min_frequency, self.attributes) == (other.min_frequency, other.attributes)
            and all(map(np.array_equal, self.counts, other.counts))
            and np.array_equal(self.pair_counts, other.pair_counts)
        )

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if k != "_dropped_by"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock()

    def __repr__(self) -> str:
        return (
            f"Subsumption(min_frequency={self.min_frequency!r}, attributes={len(self.attributes)})"
        )
