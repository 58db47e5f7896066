"""`LocalGaussianMember`: for every row of numbers the network of its own values [KST]."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from bnclass.data.table import EncodedTable
from bnclass.exceptions import DataError
from bnclass.network.local_arrays import Rules
from bnclass.network.local_families import FamilyDensities
from bnclass.network.local_rules import local_rules
from bnclass.network.row_member import RowMember
from bnclass.scores.dependence import is_class_conditional
from bnclass.scores.local_gaussian import LocalTerms, known_numbers
from bnclass.statistics.threads import in_spans, share_of
from bnclass.statistics.triples import are_numbers

Floats = npt.NDArray[np.float64]

_ROWS_A_STEP = 4096


@dataclass(frozen=True, eq=False, repr=False)
class LocalGaussianMember(RowMember):
    """Answers every row of numbers with a network over the attributes that the row has.

    The structure is the k-dependence spanning tree of the row's numbers; densities come from
    the training rows. `network_at` is the explicit network of one row, and `log_joint` the
    compiled twin for many.

    Parameters
    ----------
    statistics : SufficientStatistics
        Of the training rows and with them, all attributes continuous.
    smoothing : MEstimate, Laplace or BDeu, default=MEstimate(1.0)
        Of the class's table.
    k : int, default=2
        Attribute parents at most.
    dependence : {"class-conditional", "pairwise"}, default="class-conditional"
        As of `KSTLearner`.
    constraints : Constraints, optional
        As of `KSTLearner`.

    Raises
    ------
    DataError
        If an attribute is discrete, or the statistics hold no rows.

    Notes
    -----
    What measures take from the training rows, about 3 n³ K numbers, is laid out at the first
    prediction; a row is then O(n³ K). Each family's density is estimated when a row first has
    it, and kept. Constant columns have no say, and no place in a row's network.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass import SufficientStatistics, TableEncoder, load_dataset
    >>> from bnclass.network.local_gaussian import LocalGaussianMember
    >>> table = TableEncoder(continuous="gaussian").fit_transform(*load_dataset("iris"))
    >>> member = LocalGaussianMember(SufficientStatistics.from_table(table), k=1)
    >>> row = [5.0, np.nan, 1.5, 0.2]
    >>> member.network_at(row)
    BayesianNetwork(class_node='class', nodes=4, arcs=5, parameters=26)
    >>> member.log_joint([row]).round(3)
    array([[  1.138, -20.498, -39.556]])
    """

    _derived: ClassVar[tuple[str, ...]] = ("_rules", "_terms", "_families")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not are_numbers(self.statistics):
            raise DataError("a local member of numbers, expected continuous attributes")
        if self.statistics.table is None:
            raise DataError("merged statistics hold pairs only, expected rows")

    def cells(self, table: EncodedTable) -> Floats:
        """Return the numbers of a table's rows.

        Parameters
        ----------
        table : EncodedTable
            With the attributes of the training rows.

        Returns
        -------
        ndarray of shape (n_rows, n_attributes), float64
            NaN where missing.
        """
        assert table.numbers is not None
        return table.numbers

    def log_joint(self, rows: npt.ArrayLike) -> Floats:
        """Return ln p(y, x) of every row under its own network, by the compiled loops.

        Parameters
        ----------
        rows : array-like of shape (n_rows, n_attributes)
            Numbers in column order, NaN where missing.

        Returns
        -------
        ndarray of shape (n_rows, n_classes), float64
            In nats.

        Raises
        ------
        DataError
            If they are no such rows.
        MemoryLimitError
            If the terms of all triples would not fit.
        """
        known = np.ascontiguousarray(known_numbers(self.statistics, rows))
        with np.errstate(divide="ignore"):
            log_prior = np.log(self.smoothing.probabilities(self.statistics.class_counts))
        result = np.tile(log_prior, (len(known), 1))
        for begin in range(0, len(known), _ROWS_A_STEP):
            step = slice(begin, begin + _ROWS_A_STEP)
            self._add_joint(known[step], result[step])
        return result

    def _add_joint(self, rows: Floats, result: Floats) -> None:
        """Add what the attributes say of some rows to the classes' prior."""
        from bnclass.network import local_gaussian_kernels as kernels  # loads numba

        n_rows, n = rows.shape
        (k, rules), terms = self._rules, self._terms
        parents = np.empty((n_rows, n, min(k, n - 1)), np.int32)

        def find(begin: int, end: int) -> None:
            kernels.find_parents(rows, begin, end, rules, terms, parents)

        in_spans(n_rows, share_of(n_rows, n**3), find)
        has_say = ~np.isnan(rows)
        families = np.column_stack([np.nonzero(has_say)[1], parents[has_say]]).astype(np.int64)
        places = np.full((n_rows, n), kernels.ABSENT, np.int64)
        places[has_say], densities = self._families.of(families)

        def add(begin: int, end: int) -> None:
            kernels.add_densities(rows, begin, end, parents, places, densities, result)

        in_spans(n_rows, share_of(n_rows, n * n), add)

    @cached_property
    def _rules(self) -> tuple[int, Rules]:
        return local_rules(self.constraints, self.statistics.schema, self.k)

    @cached_property
    def _terms(self) -> LocalTerms:
        by_class = is_class_conditional(self.dependence)
        return LocalTerms.from_statistics(self.statistics, by_class)

    @cached_property
    def _families(self) -> FamilyDensities:
        return FamilyDensities(self.statistics)
