"""The counts that learners and factors are functions of."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from bnclass.data.columns import MISSING, Codes
from bnclass.data.table import EncodedTable
from bnclass.data.variables import Schema
from bnclass.exceptions import DataError, MemoryLimitError
from bnclass.statistics.memory import require_memory

Floats = npt.NDArray[np.float64]
Order = Literal[1, 2]

_MOST_AXES = 64  # of a numpy array

_ARRAYS = ("class_counts", "value_counts", "pair_counts")


@dataclass(frozen=True, eq=False)
class SufficientStatistics:
    """Class-conditional counts of all values and of all pairs of values.

    Every count is F of the methods page: the weight of the rows in which the variables
    named in it are observed and have the named values. Two statistics over the same
    variables add up (`merge`), so chunks and machines can count apart.

    Parameters
    ----------
    schema : Schema
    class_counts : ndarray of shape (n_classes,), float64
        F(y).
    value_counts : ndarray of shape (n_classes, n_values), float64
        F(y, x) for the values of all attributes side by side.
    pair_counts : ndarray of shape (n_classes, n_values, n_values), float64, or None
        F(y, x, x') in the lower triangle (row attribute after column attribute), or
        ``None`` if only single values were counted.
    table : EncodedTable, optional
        The rows, for families larger than a pair.

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

    schema: Schema
    class_counts: Floats
    value_counts: Floats
    pair_counts: Floats | None
    table: EncodedTable | None = None

    def __post_init__(self) -> None:
        for name in _ARRAYS:
            array = getattr(self, name)
            if array is not None:
                object.__setattr__(self, name, _locked(array))

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()  # unpickled arrays can be written to

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
        weights = table.row_weights
        class_counts = _weighted_bincount(table.labels, weights, table.target.card)
        values, pairs = _count(table, weights, order)
        return cls(schema, class_counts, values, pairs, table)

    @cached_property
    def offsets(self) -> npt.NDArray[np.int64]:
        """First value of each attribute, and the number of values; int64 (n_attributes + 1,)."""
        cards = [v.card for v in self.schema.attributes]
        return np.concatenate([[0], np.cumsum(cards, dtype=np.int64)])

    @cached_property
    def _position(self) -> dict[Hashable, int]:
        return {name: i for i, name in enumerate(self.schema.names)}

    @property
    def n_rows(self) -> float:
        """Total weight of the rows, t."""
        return float(self.class_counts.sum())

    def attribute_counts(self, i: int) -> Floats:
        """Return F(y, x_i); ndarray of shape (n_classes, card_i).

        Parameters
        ----------
        i : int
            Place of the attribute among the columns.

        Returns
        -------
        ndarray
        """
        return self.value_counts[:, self._values(i)]

    def attribute_pair_counts(self, i: int, j: int) -> Floats:
        """Return F(y, x_i, x_j) over rows with both observed; shape (n_classes, card_i, card_j).

        Parameters
        ----------
        i, j : int
            Places of two different attributes among the columns.

        Returns
        -------
        ndarray

        Raises
        ------
        DataError
            If pairs were not counted.
        """
        if i < j:
            return self.attribute_pair_counts(j, i).swapaxes(1, 2)
        return self.earlier_pair_counts(i)[:, :, self._values(j)]

    def earlier_pair_counts(self, i: int) -> Floats:
        """Return F(y, x_i, x) for the values x of all attributes before i, side by side.

        Parameters
        ----------
        i : int
            Place of the attribute among the columns.

        Returns
        -------
        ndarray of shape (n_classes, card_i, offsets[i])

        Raises
        ------
        DataError
            If pairs were not counted.
        """
        if self.pair_counts is None:
            raise DataError("statistics of single values only, expected pair counts (order=2)")
        return self.pair_counts[:, self._values(i), : int(self.offsets[i])]

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
            If a variable is unknown or named twice, or if the family needs the rows, and
            only merged counts are here.
        MemoryLimitError
            If the table would not fit.
        """
        family = [*parents, child]
        if len(set(family)) < len(family):
            raise DataError(f"a family of {family!r}, expected each variable once")
        target = self.schema.target.name
        attributes = [name for name in family if name != target]
        self._require_room(child, parents)
        counts = self._with_class([self._position[n] for n in attributes])
        if target not in family:
            summed: Floats = counts.sum(axis=0)
            return summed
        axes = [target, *attributes]
        return counts.transpose([axes.index(name) for name in family])

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
        )

    def _values(self, i: int) -> slice:
        return slice(int(self.offsets[i]), int(self.offsets[i + 1]))

    def _with_class(self, attributes: list[int]) -> Floats:
        """Return the counts of the class and some attributes, class axis first."""
        if not attributes:
            return self.class_counts
        if len(attributes) == 1:
            return self.attribute_counts(attributes[0])
        if len(attributes) == 2 and self.pair_counts is not None:
            return self.attribute_pair_counts(*attributes)
        return self._count_rows(attributes)

    def _require_room(self, child: Hashable, parents: Sequence[Hashable]) -> None:
        """Refuse a table that numpy or the memory cannot hold, before anything is counted."""
        family = dict.fromkeys([self.schema.target.name, *parents, child])
        cards = [self.schema[name].card for name in family]
        what = f"the table of {child!r} with the parents {_listed(parents)}"
        if len(cards) > _MOST_AXES:
            raise MemoryLimitError(f"{what} has {len(cards)} axes, expected at most {_MOST_AXES}")
        require_memory(prod(cards), what)

    def _count_rows(self, attributes: list[int]) -> Floats:
        variables = [self.schema.attributes[i] for i in attributes]
        shape = (self.schema.target.card, *(v.card for v in variables))
        if self.table is None or self.table.labels is None:
            raise DataError(
                f"merged statistics hold pairs only, expected rows to count "
                f"{_listed([v.name for v in variables])}"
            )
        codes = self.table.codes[:, attributes]
        seen = (codes != MISSING).all(axis=1)
        cells = self.table.labels[seen].astype(np.int64)
        for variable, column in zip(variables, codes[seen].T, strict=True):
            cells = cells * variable.card + column
        weights = self.table.row_weights[seen]
        return _weighted_bincount(cells, weights, prod(shape)).reshape(shape)


def _locked(array: Floats) -> Floats:
    """Return a read-only view in C order: numpy adds in memory's order, so layout shows in bits."""
    view = np.ascontiguousarray(array).view()  # leaves the caller's own array as it is
    view.setflags(write=False)
    return view


def _require_known(labels: Codes) -> None:
    unknown = np.flatnonzero(labels == MISSING)
    if unknown.size:
        raise DataError(
            f"the class of {unknown.size} rows is unknown, row {unknown[0]} the first, expected "
            f"the class of every row"
        )


def _weighted_bincount(cells: npt.NDArray[Any], weights: Floats, size: int) -> Floats:
    return np.bincount(cells, weights, minlength=size).astype(np.float64, copy=False)


def _listed(names: Sequence[Hashable], most: int = 6) -> str:
    shown = ", ".join(map(repr, names[:most]))
    return shown if len(names) <= most else f"{shown}, … ({len(names)} in all)"


def _count(table: EncodedTable, weights: Floats, order: Order) -> tuple[Floats, Floats | None]:
    """Return value and pair counts; a missing cell counts in a slot that is then left out."""
    from bnclass.statistics import kernels  # loads numba, so only where rows are counted

    assert table.target is not None
    assert table.labels is not None
    values, kept = _slots(table)
    n_classes, n_slots = table.target.card, len(kept)
    all_kept = bool(kept.all())
    if order == 1:
        singles = np.zeros((n_classes, n_slots))
        kernels.add_values(values, table.labels, weights, singles)
        return singles[:, kept], None
    require_memory(n_classes * n_slots**2, f"counts of all pairs of {n_slots} values")
    pairs = np.zeros((n_classes, n_slots, n_slots))
    row_order = np.argsort(table.labels, kind="stable")
    kernels.add_pairs(values, row_order, table.labels, weights, pairs)
    pairs = pairs if all_kept else pairs.compress(kept, axis=1).compress(kept, axis=2)
    return np.ascontiguousarray(np.diagonal(pairs, axis1=1, axis2=2)), pairs


def _slots(table: EncodedTable) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.bool_]]:
    """Return each cell's index among all values, and which indices are values, not slots.

    An attribute with missing cells gets one slot for them after its values.
    """
    cards = np.array([v.card for v in table.variables], dtype=np.int64)
    holes = (table.codes == MISSING).any(axis=0)
    ends = np.cumsum(cards + holes)
    starts = ends - cards - holes
    kept = np.full(int(ends[-1]) if len(ends) else 0, True)
    kept[(ends - 1)[holes]] = False
    codes = np.where(table.codes == MISSING, cards.astype(np.int32), table.codes)
    return (codes + starts.astype(np.int32)).astype(np.int32), kept
