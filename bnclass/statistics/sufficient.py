"""The counts and moments that learners and factors are functions of."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bnclass.data.codes import MISSING, Codes
from bnclass.data.table import EncodedTable
from bnclass.data.variables import Schema
from bnclass.exceptions import DataError
from bnclass.statistics.counting import count_values, take_moments, weighted_bincount
from bnclass.statistics.counts import ValueCounts
from bnclass.statistics.families import count_rows, listed, moments_of_rows, require_countable
from bnclass.statistics.family import FamilyMoments
from bnclass.statistics.moments import Moments, Order
from bnclass.statistics.resolution import DistinctValues, distinct_values

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SufficientStatistics(ValueCounts):
    """Class-conditional counts of values and pairs of values, and moments of numbers.

    Every count is F of the methods page: the weight of the rows in which the variables
    named in it are observed and have the named values. Moments are means and centred sums
    of products over the rows in which the numbers are observed. Two statistics over the
    same variables add up (`merge`), so chunks and machines can count apart.

    Parameters
    ----------
    schema : Schema
    class_counts : ndarray of shape (n_classes,), float64
        F(y).
    value_counts : ndarray of shape (n_classes, n_values), float64
        F(y, x) for the values of all discrete attributes side by side.
    pair_counts : ndarray of shape (n_classes, n_values, n_values), float64, or None
        F(y, x, x') in the lower triangle (row attribute after column attribute), or
        ``None`` if only single values were counted.
    table : EncodedTable, optional
        The rows, for families larger than a pair.
    moments : Moments, optional
        Of the continuous attributes, by class, pair, and value of discrete attributes.
    distinct : tuple of DistinctValues
        The distinct numbers of each continuous attribute.

    Notes
    -----
    The arrays are read-only, and so are the views that the methods return.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import SufficientStatistics, TableEncoder
    >>> frame = pd.DataFrame({"a": ["u", "v", "u"], "b": ["p", "p", "q"]})
    >>> table = TableEncoder().fit_transform(frame, [0, 1, 1])
    >>> statistics = SufficientStatistics.from_table(table)
    >>> statistics.counts("a", ["class"])  # one row a class, one column a state of "a"
    array([[1., 0.],
           [1., 1.]])
    """

    table: EncodedTable | None = None
    moments: Moments | None = None
    distinct: tuple[DistinctValues, ...] = ()

    @classmethod
    def from_table(cls, table: EncodedTable, order: Order = 2) -> "SufficientStatistics":
        """Count the rows of a table in one pass.

        Parameters
        ----------
        table : EncodedTable
            With labels.
        order : {1, 2}, default=2
            1 counts single values only (enough for naive Bayes), 2 pairs as well.

        Returns
        -------
        SufficientStatistics

        Raises
        ------
        DataError
            If the table has no labels, or the class of a row is unknown.
        MemoryLimitError
            If the pair counts would not fit.
        """
        if table.target is None or table.labels is None:
            raise DataError("a table without labels, expected the class of every row")
        _require_known(table.labels)
        schema = Schema(table.variables, table.target)
        class_counts = weighted_bincount(table.labels, table.row_weights, table.target.card)
        values, pairs = count_values(table, order)
        distinct = distinct_values(table.numbers_of(_continuous(schema)))
        moments = take_moments(table, order) if distinct else None
        return cls(schema, class_counts, values, pairs, table, moments, distinct)

    @cached_property
    def _position(self) -> dict[Hashable, int]:
        return {name: i for i, name in enumerate(self.schema.names)}

    @cached_property
    def _number_position(self) -> dict[Hashable, int]:
        return {name: i for i, name in enumerate(_continuous(self.schema))}

    def counts(self, child: Hashable, parents: Sequence[Hashable] = ()) -> Floats:
        """Return the counts of a family, over the rows in which all of it is observed.

        Parameters
        ----------
        child : hashable
        parents : sequence of hashable
            Attributes or the class, in any order.

        Returns
        -------
        ndarray of shape (card(parent 1), …, card(parent m), card(child)), float64

        Raises
        ------
        DataError
            If a variable is unknown, continuous or named twice, or if the family needs the
            rows, and only merged counts are here.
        MemoryLimitError
            If the table would not fit.
        """
        require_countable(child, parents, self.schema)
        family, target = [*parents, child], self.schema.target.name
        attributes = [name for name in family if name != target]
        counts = self._with_class([self._position[n] for n in attributes])
        if target not in family:
            summed: Floats = counts.sum(axis=0)
            return summed
        axes = [target, *attributes]
        return counts.transpose([axes.index(name) for name in family])

    def family_moments(
        self, continuous: Sequence[Hashable], discrete: Sequence[Hashable] = ()
    ) -> FamilyMoments:
        """Return the moments of numbers by discrete configuration, over fully observed rows.

        Parameters
        ----------
        continuous : sequence of hashable
            Names of continuous attributes, one at least.
        discrete : sequence of hashable
            Names of discrete variables, the class first if it is among them.

        Returns
        -------
        FamilyMoments
            Axes (card(discrete 1), …); the numbers in the order asked for.

        Raises
        ------
        DataError
            If a variable is unknown, or if the family needs the rows, and only merged
            moments are here.

        Examples
        --------
        >>> import pandas as pd
        >>> from bnclass import SufficientStatistics, TableEncoder
        >>> frame = pd.DataFrame({"x": [1.0, 3.0, 5.0]})
        >>> table = TableEncoder(continuous="gaussian").fit_transform(frame, [0, 0, 1])
        >>> SufficientStatistics.from_table(table).family_moments(["x"], ["class"]).mean
        array([[2.],
               [5.]])
        """
        target = self.schema.target.name
        numbers = [self.number_place(name) for name in continuous]
        others = [self._position[name] for name in discrete if name != target]
        moments = self._moments_by_class(numbers, others)
        return moments if target in discrete else moments.collapse([0])

    def resolution(self, name: Hashable) -> float:
        """Return the mean gap between neighbouring distinct numbers of an attribute.

        Parameters
        ----------
        name : hashable
            A continuous attribute.

        Returns
        -------
        float
            In the attribute's unit; 0 if it is constant.
        """
        return self.distinct[self.number_place(name)].resolution

    def is_constant(self, name: Hashable) -> bool:
        """Return whether an attribute has no second number.

        Parameters
        ----------
        name : hashable
            A continuous attribute.

        Returns
        -------
        bool

        Examples
        --------
        >>> import pandas as pd
        >>> from bnclass import SufficientStatistics, TableEncoder
        >>> frame = pd.DataFrame({"x": [1.0, 3.0], "c": [2.0, 2.0]})
        >>> table = TableEncoder(continuous="gaussian").fit_transform(frame, [0, 1])
        >>> statistics = SufficientStatistics.from_table(table)
        >>> statistics.is_constant("x"), statistics.is_constant("c")
        (False, True)
        """
        return self.distinct[self.number_place(name)].constant

    def variance_floor(self, name: Hashable) -> float:
        """Return the least variance of an attribute, (resolution / 6)².

        Parameters
        ----------
        name : hashable
            A continuous attribute.

        Returns
        -------
        float
            In the attribute's unit, squared; 0 if it is constant.
        """
        return self.distinct[self.number_place(name)].floor

    def standard_deviation(self, name: Hashable) -> float:
        """Return the maximum-likelihood standard deviation over all rows, 1 for a constant.

        Parameters
        ----------
        name : hashable
            A continuous attribute.

        Returns
        -------
        float
            In the attribute's unit.
        """
        return float(self._standard_deviations[self.number_place(name)])

    @cached_property
    def _standard_deviations(self) -> Floats:
        assert self.moments is not None
        variances = self.moments.singles.collapse([0]).covariance[:, 0, 0]
        return np.sqrt(
            [v if d.floor else 1.0 for v, d in zip(variances, self.distinct, strict=True)]
        )

    def merge(self, other: "SufficientStatistics") -> "SufficientStatistics":
        """Return the statistics of both sets of rows, without the rows themselves.

        Pairs are counted if they are in both.

        Parameters
        ----------
        other : SufficientStatistics
            Over the same variables.

        Returns
        -------
        SufficientStatistics

        Raises
        ------
        DataError
            If the variables differ.

        Examples
        --------
        >>> from bnclass import EncodedTable, SufficientStatistics, Variable, load_dataset
        >>> import pandas as pd
        >>> frame = pd.DataFrame({"a": ["u", "v"], "class": ["n", "y"]})
        >>> a, y = Variable("a", states=("u", "v")), Variable("class", states=("n", "y"))
        >>> one = SufficientStatistics.from_table(EncodedTable.from_frame(frame, [a], y))
        >>> one.merge(one).class_counts
        array([2., 2.])
        """
        if self.schema != other.schema:
            raise DataError("statistics over different variables cannot be merged")
        pairs = None
        if self.pair_counts is not None and other.pair_counts is not None:
            pairs = self.pair_counts + other.pair_counts
        return SufficientStatistics(
            self.schema,
            self.class_counts + other.class_counts,
            self.value_counts + other.value_counts,
            pairs,
            moments=_merged(self.moments, other.moments),
            distinct=tuple(map(DistinctValues.merge, self.distinct, other.distinct)),
        )

    def number_place(self, name: Hashable) -> int:
        """Return the place of an attribute among the continuous ones.

        Parameters
        ----------
        name : hashable

        Returns
        -------
        int

        Raises
        ------
        DataError
            If there is no such continuous attribute.
        """
        if name not in self._number_position:
            raise DataError(
                f"no continuous attribute {name!r}, found {list(self._number_position)!r}"
            )
        return self._number_position[name]

    def _moments_by_class(self, numbers: list[int], others: list[int]) -> FamilyMoments:
        """Return the moments by class and some discrete attributes, class axis first."""
        assert self.moments is not None
        if not others and len(numbers) == 1:
            return self.moments.single(numbers[0])
        if self.moments.pairs is not None:
            if len(others) == 1 and len(numbers) == 1:
                return self.moments.cell(self.values_of(others[0]), numbers[0])
            if not others and len(numbers) == 2:
                return self.moments.pair(*numbers)
            if not others and self.moments.complete(numbers):
                return self.moments.family(numbers)
        names = [list(self._number_position)[i] for i in numbers]
        table = self._rows_for([*names, *(self.schema.names[i] for i in others)])
        return moments_of_rows(table, names, others)

    def _with_class(self, attributes: list[int]) -> Floats:
        """Return the counts of the class and some attributes, class axis first."""
        if not attributes:
            return self.class_counts
        if len(attributes) == 1:
            return self.attribute_counts(attributes[0])
        if len(attributes) == 2 and self.pair_counts is not None:
            return self.attribute_pair_counts(*attributes)
        return count_rows(self._rows_for([self.schema.names[i] for i in attributes]), attributes)

    def _rows_for(self, names: list[Hashable]) -> EncodedTable:
        if self.table is None:
            raise DataError(f"merged statistics hold pairs only, expected rows for {listed(names)}")
        return self.table


def _require_known(labels: Codes) -> None:
    unknown = np.flatnonzero(labels == MISSING)
    if unknown.size:
        raise DataError(
            f"the class of {unknown.size} rows is unknown, row {unknown[0]} the first, expected "
            f"the class of every row"
        )


def _continuous(schema: Schema) -> list[Hashable]:
    return [v.name for v in schema.attributes if v.is_continuous]


def _merged(one: Moments | None, other: Moments | None) -> Moments | None:
    return None if one is None or other is None else one.merge(other)
