"""Which members of an ensemble serve which row."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bnclass.data.codes import MISSING
from bnclass.data.table import EncodedTable
from bnclass.data.weights import reaches
from bnclass.exceptions import BnclassError
from bnclass.statistics.sufficient import SufficientStatistics

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SuperparentSeen:
    """Member j serves a row if the row's value of its superparent was seen often enough.

    The usual rule of AODE: x_j is observed, known, and F(x_j) ≥ `min_count` [AODE].

    Parameters
    ----------
    min_count : float
        Weight of training rows with that value, at least.
    superparents : tuple of hashable
        Name of each member's superparent.
    counts : tuple of ndarray of shape (card,), float64
        F(x_j) of each superparent's states. Copied and locked.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass import EncodedTable, SuperparentSeen, Variable
    >>> a = Variable("a", states=("u", "v"))
    >>> rule = SuperparentSeen(2, ("a",), (np.array([5.0, 1.0]),))
    >>> rows = EncodedTable((a,), np.array([[0], [1], [-1]], dtype=np.int32))
    >>> rule.serves(rows).ravel()
    array([ True, False, False])
    """

    min_count: float
    superparents: tuple[Hashable, ...]
    counts: tuple[Floats, ...]

    def __post_init__(self) -> None:
        number = isinstance(self.min_count, (int, float, np.integer, np.floating))
        if not number or isinstance(self.min_count, bool) or not self.min_count >= 0:
            raise BnclassError(f"min_count is {self.min_count!r}, expected a number of at least 0")
        if len(self.superparents) != len(self.counts):
            raise BnclassError(
                f"{len(self.counts)} counts for {len(self.superparents)} superparents"
            )
        counts = tuple(np.array(f, dtype=np.float64) for f in self.counts)
        for f in counts:
            f.setflags(write=False)
        object.__setattr__(self, "superparents", tuple(self.superparents))
        object.__setattr__(self, "counts", counts)

    @classmethod
    def from_statistics(
        cls, statistics: SufficientStatistics, min_count: float
    ) -> "SuperparentSeen":
        """Return the rule for one member a discrete attribute, in column order.

        Parameters
        ----------
        statistics : SufficientStatistics
        min_count : float

        Returns
        -------
        SuperparentSeen
        """
        attributes = statistics.schema.attributes
        discrete = [i for i, v in enumerate(attributes) if not v.is_continuous]
        counts = tuple(statistics.attribute_counts(i).sum(axis=0) for i in discrete)
        return cls(min_count, tuple(attributes[i].name for i in discrete), counts)

    @property
    def gates(self) -> tuple[npt.NDArray[np.bool_], ...]:
        """For each member, whether each state of its superparent lets it serve."""
        return tuple(reaches(f, self.min_count) for f in self.counts)

    def serves(self, table: EncodedTable) -> npt.NDArray[np.bool_]:
        """Return which members serve which rows.

        Parameters
        ----------
        table : EncodedTable

        Returns
        -------
        ndarray of shape (n_rows, n_members), bool
        """
        places = {v.name: i for i, v in enumerate(table.variables)}
        served = np.empty((len(table), len(self.superparents)), dtype=np.bool_)
        for m, (name, gate) in enumerate(zip(self.superparents, self.gates, strict=True)):
            codes = table.codes[:, places[name]]
            served[:, m] = (codes != MISSING) & gate[codes]
        return served

    def __eq__(self, other: Any) -> bool:
        return (
            isinstance(other, SuperparentSeen)
            and (self.min_count, self.superparents) == (other.min_count, other.superparents)
            and all(map(np.array_equal, self.counts, other.counts))
        )

    __hash__ = None  # type: ignore[assignment]

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for f in self.counts:
            f.setflags(write=False)

    def __repr__(self) -> str:
        return f"SuperparentSeen(min_count={self.min_count!r}, members={len(self.superparents)})"
