"""`LocalMember`: for every row the network of its own values [KST]."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bnclass.data.table import EncodedTable
from bnclass.exceptions import DataError
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.network.local_tables import LocalArrays, local_arrays
from bnclass.scores.dependence import is_class_conditional
from bnclass.statistics.smoothing import DEFAULT_SMOOTHING, Smoothing
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.statistics.threads import in_spans, share_of
from bnclass.statistics.triples import Dependence, require_discrete_rows
from bnclass.structure.arc_rules import arc_rules
from bnclass.structure.constraints import Constraints
from bnclass.structure.dag import Structure
from bnclass.structure.kst import KSTLearner

Floats = npt.NDArray[np.float64]

_LARGEST_CODE = np.iinfo(np.int32).max


@dataclass(frozen=True, eq=False)
class LocalMember:
    """Answers every row with a network over the attributes that the row has.

    The structure is the k-dependence spanning tree of the row's values; tables come from the
    training rows. `network_at` is the explicit network of one row, and `log_joint` the
    compiled twin for many.

    Parameters
    ----------
    statistics : SufficientStatistics
        Of the training rows and with them, all attributes discrete.
    smoothing : MEstimate, Laplace or BDeu, default=MEstimate(1.0)
        Of the tables.
    k : int, default=2
        Attribute parents at most.
    dependence : {"class-conditional", "pairwise"}, default="class-conditional"
        As of `KSTLearner`.
    constraints : Constraints, optional
        As of `KSTLearner`.

    Raises
    ------
    DataError
        If an attribute is continuous, or the statistics hold no rows.
    StructureError
        If the constraints do not fit the attributes, or require more parents than `k`.

    Notes
    -----
    Measures of all V³ triples of values, and families of up to two parents, are tabulated
    at the first prediction if V³(K+1) numbers fit the memory limit; a row is then a matter of
    look-ups and an O(k n³) choice. Beyond that, rows are counted in bit sets.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass import SufficientStatistics, TableEncoder, load_dataset
    >>> from bnclass.network.local import LocalMember
    >>> table = TableEncoder().fit_transform(*load_dataset("monks-1"))
    >>> member = LocalMember(SufficientStatistics.from_table(table), k=1)
    >>> row = [0, 0, -1, -1, 0, -1]
    >>> member.network_at(row)
    BayesianNetwork(class_node='class', nodes=4, arcs=5, parameters=39)
    >>> member.log_joint(np.array([row])).round(3)
    array([[-9.657, -3.586]])
    """

    statistics: SufficientStatistics
    smoothing: Smoothing = DEFAULT_SMOOTHING
    k: int = 2
    dependence: Dependence = "class-conditional"
    constraints: Constraints | None = None

    def __post_init__(self) -> None:
        KSTLearner(self.k, self.dependence)  # refuses what is none
        require_discrete_rows(self.statistics)
        arc_rules(self.constraints, self.statistics.schema, self.k)

    @property
    def learner(self) -> KSTLearner:
        """What finds the structure of a row."""
        return KSTLearner(self.k, self.dependence, self.constraints)

    def structure_at(self, row: npt.ArrayLike) -> Structure:
        """Return the structure of one row's values.

        Parameters
        ----------
        row : array-like of shape (n_attributes,), int
            Codes in column order, -1 where missing.

        Returns
        -------
        Structure
            Of the class and the attributes that the row has.

        Raises
        ------
        DataError
            If a code of the row is none of its attribute's.
        """
        return self.learner.learn_at(self.statistics, row)

    def network_at(self, row: npt.ArrayLike) -> BayesianNetwork:
        """Return the explicit network that answers one row.

        Parameters
        ----------
        row : array-like of shape (n_attributes,), int
            Codes in column order, -1 where missing.

        Returns
        -------
        BayesianNetwork
            Over the class and the attributes that the row has.

        Raises
        ------
        DataError
            If a code of the row is none of its attribute's.
        """
        return BayesianNetwork.fit(self.structure_at(row), self.statistics, self.smoothing)

    def log_joint(self, codes: npt.ArrayLike) -> Floats:
        """Return ln P(y, x) of every row under its own network, by the compiled loop.

        Parameters
        ----------
        codes : array-like of shape (n_rows, n_attributes), int
            In column order, -1 where missing.

        Returns
        -------
        ndarray of shape (n_rows, n_classes), float64
            In nats.

        Raises
        ------
        DataError
            If the codes have another number of columns, or one is none of its attribute's.
        MemoryLimitError
            If the training rows do not fit as bit sets.
        """
        from bnclass.network import local_kernels  # loads numba, so only where rows are served

        attributes = self.statistics.schema.attributes
        whole = np.asarray(codes)
        if whole.size and (whole.dtype.kind not in "iu" or np.abs(whole).max() > _LARGEST_CODE):
            raise DataError(f"codes of dtype {whole.dtype}, expected 32-bit integers")
        rows = EncodedTable(attributes, whole.astype(np.int32)).codes  # checks them
        ordered = np.ascontiguousarray(rows)
        result = np.empty((len(ordered), len(self.statistics.class_counts)))
        arrays = self._arrays

        def serve(begin: int, end: int) -> None:
            local_kernels.log_joint(ordered, begin, end, *arrays, result)

        in_spans(len(ordered), share_of(len(ordered), len(attributes) ** 3), serve)
        return result

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
        for r, codes in enumerate(table.codes):
            row = EncodedTable(table.variables, codes[np.newaxis])
            result[r] = self.network_at(codes).log_joint(row, engine="graph")
        return result

    @cached_property
    def _arrays(self) -> LocalArrays:
        by_class = is_class_conditional(self.dependence)
        return local_arrays(self.statistics, self.smoothing, self.k, by_class, self.constraints)

    @cached_property
    def distinct_rows(self) -> EncodedTable:
        """The distinct training rows, sorted, each with the weight of all like it."""
        table = self.statistics.table
        assert table is not None
        assert table.labels is not None
        rows = np.column_stack([table.labels, table.codes])
        order = np.lexsort(rows.T[::-1])
        ordered, weights = rows[order], table.row_weights[order]
        is_first = np.append(True, (ordered[1:] != ordered[:-1]).any(axis=1))[: len(order)]
        starts = np.flatnonzero(is_first)
        distinct = ordered[starts]
        return EncodedTable(
            table.variables,
            distinct[:, 1:],
            table.target,
            distinct[:, 0],
            np.add.reduceat(weights, starts) if len(starts) else weights,
        )

    def __eq__(self, other: object) -> bool:
        """Equal members have equal parameters, and the same training rows in any order."""
        if not isinstance(other, LocalMember):
            return NotImplemented
        mine, theirs = self.distinct_rows, other.distinct_rows
        return (
            (self.smoothing, self.k, self.dependence, self.constraints)
            == (other.smoothing, other.k, other.dependence, other.constraints)
            and self.statistics.schema == other.statistics.schema
            and np.array_equal(mine.codes, theirs.codes)
            and np.array_equal(mine.labels, theirs.labels)  # type: ignore[arg-type]
            and np.array_equal(mine.row_weights, theirs.row_weights)
        )

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        derived = ("_arrays", "distinct_rows")
        return {name: value for name, value in self.__dict__.items() if name not in derived}

    def __repr__(self) -> str:
        constraints = "" if self.constraints is None else f", constraints={self.constraints!r}"
        return f"LocalMember(k={self.k!r}, dependence={self.dependence!r}{constraints})"
