"""`LocalMember`: for every row of states the network of its own values [KST]."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from bnclass.data.codes import Codes
from bnclass.data.table import EncodedTable
from bnclass.exceptions import DataError
from bnclass.network.local_tables import LocalArrays, local_arrays
from bnclass.network.row_member import RowMember
from bnclass.scores.dependence import is_class_conditional
from bnclass.statistics.threads import in_spans, share_of
from bnclass.statistics.triples import require_discrete_rows

Floats = npt.NDArray[np.float64]

_LARGEST_CODE = np.iinfo(np.int32).max


@dataclass(frozen=True, eq=False, repr=False)
class LocalMember(RowMember):
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

    _derived: ClassVar[tuple[str, ...]] = ("_arrays",)

    def __post_init__(self) -> None:
        super().__post_init__()
        require_discrete_rows(self.statistics)

    def cells(self, table: EncodedTable) -> Codes:
        """Return the codes of a table's rows.

        Parameters
        ----------
        table : EncodedTable
            With the attributes of the training rows.

        Returns
        -------
        ndarray of shape (n_rows, n_attributes), int32
            -1 where missing.
        """
        return table.codes

    def log_joint(self, rows: npt.ArrayLike) -> Floats:
        """Return ln P(y, x) of every row under its own network, by the compiled loop.

        Parameters
        ----------
        rows : array-like of shape (n_rows, n_attributes), int
            Codes in column order, -1 where missing.

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
        whole = np.asarray(rows)
        if whole.size and (whole.dtype.kind not in "iu" or np.abs(whole).max() > _LARGEST_CODE):
            raise DataError(f"codes of dtype {whole.dtype}, expected 32-bit integers")
        codes = EncodedTable(attributes, whole.astype(np.int32)).codes  # checks them
        ordered = np.ascontiguousarray(codes)
        result = np.empty((len(ordered), len(self.statistics.class_counts)))
        arrays = self._arrays

        def serve(begin: int, end: int) -> None:
            local_kernels.log_joint(ordered, begin, end, *arrays, result)

        in_spans(len(ordered), share_of(len(ordered), len(attributes) ** 3), serve)
        return result

    @cached_property
    def _arrays(self) -> LocalArrays:
        by_class = is_class_conditional(self.dependence)
        return local_arrays(self.statistics, self.smoothing, self.k, by_class, self.constraints)
