"""`RowMember`: what answers every row with a network of its own, and the walk that defines it."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from bnclass.data.table import EncodedTable
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.statistics.smoothing import DEFAULT_SMOOTHING, Smoothing
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.statistics.triples import Dependence
from bnclass.structure.arc_rules import arc_rules
from bnclass.structure.constraints import Constraints
from bnclass.structure.dag import Structure
from bnclass.structure.kst import KSTLearner

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RowMember(ABC):
    """Base of the members that make a network for every row; all that `RowwiseEnsemble` asks.

    A subclass says what the cells of a row are, and repeats the walk faster.

    Parameters
    ----------
    statistics : SufficientStatistics
        Of the training rows and with them, all attributes of one kind.
    smoothing : MEstimate, Laplace or BDeu, default=MEstimate(1.0)
        Of the tables.
    k : int, default=2
        Attribute parents at most.
    dependence : {"class-conditional", "pairwise"}, default="class-conditional"
        As of `KSTLearner`.
    constraints : Constraints, optional
        As of `KSTLearner`.
    """

    statistics: SufficientStatistics
    smoothing: Smoothing = DEFAULT_SMOOTHING
    k: int = 2
    dependence: Dependence = "class-conditional"
    constraints: Constraints | None = None

    _derived: ClassVar[tuple[str, ...]]
    """What is computed from the parameters, and not pickled."""

    def __post_init__(self) -> None:
        KSTLearner(self.k, self.dependence)  # refuses what is none
        arc_rules(self.constraints, self.statistics.schema, self.k)

    @abstractmethod
    def cells(self, table: EncodedTable) -> npt.NDArray[Any]:
        """Return the rows of a table as this member takes them.

        Parameters
        ----------
        table : EncodedTable
            With the attributes of the training rows.

        Returns
        -------
        ndarray of shape (n_rows, n_attributes)
            Codes or numbers in column order.
        """

    @abstractmethod
    def log_joint(self, rows: npt.ArrayLike) -> Floats:
        """Return ln P(y, x) of every row under its own network, by the compiled loop.

        Parameters
        ----------
        rows : array-like of shape (n_rows, n_attributes)
            As `cells` returns them.

        Returns
        -------
        ndarray of shape (n_rows, n_classes), float64
            In nats.

        Raises
        ------
        DataError
            If the rows have another number of columns, or a cell is none of its attribute's.
        MemoryLimitError
            If what the loop needs does not fit.
        """

    @property
    def learner(self) -> KSTLearner:
        """What finds the structure of a row."""
        return KSTLearner(self.k, self.dependence, self.constraints)

    def structure_at(self, row: npt.ArrayLike) -> Structure:
        """Return the structure of one row's values.

        Parameters
        ----------
        row : array-like of shape (n_attributes,)
            In column order: codes, -1 where missing, or numbers, NaN where missing.

        Returns
        -------
        Structure
            Of the class and the attributes that the row has.

        Raises
        ------
        DataError
            If a cell of the row is none of its attribute's.
        """
        return self.learner.learn_at(self.statistics, row)

    def network_at(self, row: npt.ArrayLike) -> BayesianNetwork:
        """Return the explicit network that answers one row.

        Parameters
        ----------
        row : array-like of shape (n_attributes,)
            In column order: codes, -1 where missing, or numbers, NaN where missing.

        Returns
        -------
        BayesianNetwork
            Over the class and the attributes that the row has.

        Raises
        ------
        DataError
            If a cell of the row is none of its attribute's.
        """
        return BayesianNetwork.fit(self.structure_at(row), self.statistics, self.smoothing)

    def walk(self, table: EncodedTable) -> Floats:
        """Return ln P(y, x) of every row from its explicit network, as `log_joint` does faster.

        Parameters
        ----------
        table : EncodedTable
            With the attributes of the training rows.

        Returns
        -------
        ndarray of shape (n_rows, n_classes), float64
            In nats.
        """
        result = np.empty((len(table), len(self.statistics.class_counts)))
        for r, cells in enumerate(self.cells(table)):
            row = table.rows(slice(r, r + 1))
            result[r] = self.network_at(cells).log_joint(row, engine="graph")
        return result

    @cached_property
    def distinct_rows(self) -> EncodedTable:
        """The distinct training rows, sorted, each with the weight of all like it."""
        table = self.statistics.table
        assert table is not None
        assert table.labels is not None
        rows = np.column_stack([table.labels, self.cells(table)])
        order = np.lexsort(rows.T[::-1])
        ordered, weights = rows[order], table.row_weights[order]
        is_first = np.append(True, ~_same(ordered[1:], ordered[:-1]).all(axis=1))[: len(order)]
        starts = np.flatnonzero(is_first)
        summed = np.add.reduceat(weights, starts) if len(starts) else weights
        return replace(table.rows(order[starts]), weights=summed)

    def __eq__(self, other: object) -> bool:
        """Equal members have equal parameters, and the same training rows in any order."""
        if not isinstance(other, type(self)):
            return NotImplemented
        mine, theirs = self.distinct_rows, other.distinct_rows
        return (
            (self.smoothing, self.k, self.dependence, self.constraints)
            == (other.smoothing, other.k, other.dependence, other.constraints)
            and self.statistics.schema == other.statistics.schema
            and np.array_equal(mine.codes, theirs.codes)
            and np.array_equal(mine.numbers, theirs.numbers, equal_nan=True)  # type: ignore[arg-type]
            and np.array_equal(mine.labels, theirs.labels)  # type: ignore[arg-type]
            and np.array_equal(mine.row_weights, theirs.row_weights)
        )

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        derived = ("distinct_rows", *self._derived)
        return {name: value for name, value in self.__dict__.items() if name not in derived}

    def __repr__(self) -> str:
        constraints = "" if self.constraints is None else f", constraints={self.constraints!r}"
        return f"{type(self).__name__}(k={self.k!r}, dependence={self.dependence!r}{constraints})"


def _same(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return where cells are equal, or both missing."""
    same: npt.NDArray[np.bool_] = (one == other) | ((one != one) & (other != other))
    return same
