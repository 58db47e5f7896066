"""Conditional probability tables that hold the parent configurations seen in training."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from bnclass.data.variables import Variable
from bnclass.exceptions import FactorError
from bnclass.factors.axes import (
    cells,
    require_distinct,
    require_kind,
    signature,
    state_labels,
)
from bnclass.factors.base import Floats, Values
from bnclass.factors.categorical import CategoricalCPD, drawn_states
from bnclass.factors.sparse_checks import (
    checked_codes,
    checked_numbers,
    distinct_places,
    require_sums,
)
from bnclass.statistics.configurations import Configurations
from bnclass.statistics.families import listed, require_room
from bnclass.statistics.smoothing import DEFAULT_SMOOTHING, Smoothing
from bnclass.statistics.sparse_counts import sparse_counts
from bnclass.statistics.sufficient import SufficientStatistics

_FIELDS = ("variable", "parents", "configurations", "others", "cells", "probabilities", "unseen")


@dataclass(frozen=True, eq=False)
class SparseCategoricalCPD:
    """A conditional probability table P(variable | parents) of the configurations seen.

    It means the same as a `CategoricalCPD`, and takes memory that grows with the rows it was
    learned from and not with the number of configurations.

    Parameters
    ----------
    variable : Variable
        The child.
    parents : tuple of Variable
        The class first, then in column order; one at least.
    configurations : array-like of shape (n_seen, n_parents), int
        Codes of the parents, in any order, each configuration once.
    others : array-like of shape (n_seen,), float64
        For each of these configurations the probability of a state that has no cell.
    cells : array-like of shape (n_cells, 2), int
        Place of a configuration and code of a state, in any order, each pair once.
    probabilities : array-like of shape (n_cells,), float64
        P(state | configuration) of these pairs.
    unseen : float
        The probability of every state in all other configurations: 1 / card(child).

    Notes
    -----
    Configurations and cells are put into lexicographic order; arrays are copied and locked.

    Raises
    ------
    FactorError
        If a variable is continuous or named twice, arrays do not fit, a code stands for no
        state, a configuration or cell occurs twice, an entry is negative or not a finite
        number, or a row does not sum to 1 (to 1e-9).

    Examples
    --------
    >>> from bnclass import SparseCategoricalCPD, Variable
    >>> rain = Variable("rain", states=("no", "yes"))
    >>> wet = Variable("wet", states=("no", "yes"))
    >>> cpd = SparseCategoricalCPD(wet, (rain,), [[1]], [0.2], [[0, 1]], [0.8], 0.5)
    >>> cpd.describe()
    wet        no  yes
    rain
    yes       0.2  0.8
    (unseen)  0.5  0.5
    """

    variable: Variable
    parents: tuple[Variable, ...]
    configurations: npt.NDArray[np.int32]
    others: Floats
    cells: npt.NDArray[np.int32]
    probabilities: Floats
    unseen: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "parents", tuple(self.parents))
        if not self.parents:
            raise FactorError(f"{self}: a sparse table without parents, expected one at least")
        require_distinct(self)
        for v in self._axes:
            require_kind(self, v, "discrete")
        object.__setattr__(self, "unseen", float(self.unseen))
        self._sort()
        require_sums(self, self._sums())
        self._lock()

    def _sort(self) -> None:
        """Bring configurations and cells into lexicographic order."""
        codes = checked_codes(self, "configurations", self.configurations, self._cards)
        others = checked_numbers(self, "others", self.others, len(codes))
        place = distinct_places(self, "configuration", codes, self._cards)
        shape = (len(codes), self.variable.card)
        pairs = checked_codes(self, "cells", self.cells, shape)
        probabilities = checked_numbers(self, "probabilities", self.probabilities, len(pairs))
        pairs = np.stack([place[pairs[:, 0]], pairs[:, 1]], axis=1).astype(np.int32)
        order, cell_order = (
            np.argsort(place),
            np.argsort(distinct_places(self, "cell", pairs, shape)),
        )
        object.__setattr__(self, "configurations", codes[order])
        object.__setattr__(self, "others", others[order])
        object.__setattr__(self, "cells", pairs[cell_order])
        object.__setattr__(self, "probabilities", probabilities[cell_order])

    def _sums(self) -> Floats:
        """Return the sum of each row, and of one that was not seen."""
        rows, n, card = self.cells[:, 0], len(self.others), self.variable.card
        n_others = card - np.bincount(rows, minlength=n)
        listed_ones = np.bincount(rows, self.probabilities, minlength=n)
        return np.append(listed_ones + n_others * self.others, card * self.unseen)

    def _lock(self) -> None:
        for array in (self.configurations, self.others, self.cells, self.probabilities):
            array.setflags(write=False)

    @classmethod
    def from_statistics(
        cls,
        variable: Variable,
        parents: Iterable[Variable],
        statistics: SufficientStatistics,
        smoothing: Smoothing = DEFAULT_SMOOTHING,
    ) -> "SparseCategoricalCPD":
        """Estimate the table from the rows that the statistics keep.

        Parameters
        ----------
        variable : Variable
        parents : iterable of Variable
            One at least.
        statistics : SufficientStatistics
        smoothing : Smoothing, default=MEstimate(1.0)

        Returns
        -------
        SparseCategoricalCPD
            The same probabilities as `CategoricalCPD.from_statistics`, to the bit.

        Raises
        ------
        DataError
            If the statistics have been merged, and hold no rows.

        Examples
        --------
        >>> import pandas as pd
        >>> from bnclass import SparseCategoricalCPD, SufficientStatistics, TableEncoder
        >>> frame = pd.DataFrame({"a": ["u", "v"], "b": ["p", "q"]})
        >>> table = TableEncoder().fit_transform(frame, [0, 1])
        >>> statistics = SufficientStatistics.from_table(table)
        >>> y, a, b = statistics.schema.target, *statistics.schema.attributes
        >>> SparseCategoricalCPD.from_statistics(b, (y, a), statistics).configurations
        array([[0, 0],
               [1, 1]], dtype=int32)
        """
        parents = tuple(parents)
        found = sparse_counts(statistics, variable.name, [p.name for p in parents])
        q, rows, states = found.n_configurations, *found.cells.codes.T
        others, probabilities = np.zeros(len(found.parents)), np.empty(len(found.counts))
        for span, counts in found.blocks():
            block = smoothing.probabilities(counts, q)
            absent = np.arange(len(block)), (counts == 0).argmax(axis=1)
            others[span] = np.where(counts[absent] == 0, block[absent], 0.0)
            inside = slice(*np.searchsorted(rows, [span.start, span.stop]))
            probabilities[inside] = block[rows[inside] - span.start, states[inside]]
        unseen = float(smoothing.probabilities(np.zeros((1, variable.card)), q)[0, 0])
        codes = found.parents.codes
        return cls(variable, parents, codes, others, found.cells.codes, probabilities, unseen)

    @property
    def _axes(self) -> tuple[Variable, ...]:
        return (*self.parents, self.variable)

    @property
    def _cards(self) -> tuple[int, ...]:
        return tuple(p.card for p in self.parents)

    @cached_property
    def _seen(self) -> Configurations:
        return Configurations(self.configurations, self._cards)

    @cached_property
    def _listed(self) -> Configurations:
        return Configurations(self.cells, (len(self.others), self.variable.card))

    @property
    def n_parameters(self) -> int:
        """Number of free parameters: (card - 1) for each parent configuration, seen or not."""
        return prod(self._cards) * (self.variable.card - 1)

    @property
    def table(self) -> Floats:
        """The dense table, made anew: axes (parent 1, …, child), as `CategoricalCPD.table`.

        Raises
        ------
        MemoryLimitError
            If it would not fit.
        """
        shape = (*self._cards, self.variable.card)
        names = [p.name for p in self.parents]
        require_room(
            f"the dense table of {self.variable.name!r} with the parents {listed(names)}", shape
        )
        table = np.full((prod(self._cards), self.variable.card), self.unseen)
        rows = np.ravel_multi_index(tuple(self.configurations.T), self._cards)
        table[rows] = self.others[:, np.newaxis]
        table[rows[self.cells[:, 0]], self.cells[:, 1]] = self.probabilities
        return table.reshape(shape)

    def dense(self) -> CategoricalCPD:
        """Return the same distribution as a dense table.

        Returns
        -------
        CategoricalCPD

        Raises
        ------
        MemoryLimitError
            If it would not fit.
        """
        return CategoricalCPD(self.variable, self.parents, self.table)

    @cached_property
    def log_others(self) -> Floats:
        """Natural logarithms of `others`, and of `unseen` as the last; read-only."""
        return _logs(np.append(self.others, self.unseen))

    @cached_property
    def log_probabilities(self) -> Floats:
        """Natural logarithms of `probabilities`; read-only."""
        return _logs(self.probabilities)

    def prob(self, values: Values) -> Floats:
        """Return P(x | u) for codes of the whole family.

        Parameters
        ----------
        values : mapping of name to ndarray of int
            One array for each member of the family; they are broadcast together.

        Returns
        -------
        ndarray of the broadcast shape, float64

        Raises
        ------
        FactorError
            If a code stands for no state.
        """
        return self._picked(values, np.append(self.others, self.unseen), self.probabilities)

    def log_prob(self, values: Values) -> Floats:
        """Return ln P(x | u) for codes of the whole family.

        Parameters
        ----------
        values : mapping of name to ndarray of int
            One array for each member of the family; they are broadcast together.

        Returns
        -------
        ndarray of the broadcast shape, float64

        Raises
        ------
        FactorError
            If a code stands for no state; a missing cell has no probability of its own.

        Examples
        --------
        >>> import numpy as np
        >>> from bnclass import SparseCategoricalCPD, Variable
        >>> a, b = (Variable(name, states=("u", "v")) for name in "ab")
        >>> cpd = SparseCategoricalCPD(a, (b,), [[0]], [0.2], [[0, 1]], [0.8], 0.5)
        >>> np.exp(cpd.log_prob({"a": np.array([0, 1, 1]), "b": np.array([0, 0, 1])}))
        array([0.2, 0.8, 0.5])
        """
        return self._picked(values, self.log_others, self.log_probabilities)

    def _picked(self, values: Values, others: Floats, listed_ones: Floats) -> Floats:
        """Return the numbers of some codes; those of unseen configurations end `others`."""
        *parents, child = cells(self, values, self._axes)
        row = self._seen.find(parents)
        cell = self._listed.find([row, child])
        if not len(listed_ones):
            return np.broadcast_to(others[row], cell.shape).copy()
        return np.where(cell < 0, others[row], listed_ones[cell])

    def sample(self, values: Values, rng: np.random.Generator) -> npt.NDArray[np.int32]:
        """Draw the child for each row, given the parents' codes.

        Parameters
        ----------
        values : mapping of name to ndarray of shape (n_rows,), int
            The parents' codes.
        rng : numpy.random.Generator

        Returns
        -------
        ndarray of shape (n_rows,), int32

        Raises
        ------
        FactorError
            If a parent's code stands for no state.
        """
        size = len(next(iter(values.values())))
        family: dict[object, npt.NDArray[Any]] = {
            p.name: np.asarray(values[p.name])[:, np.newaxis] for p in self.parents
        }
        family[self.variable.name] = np.arange(self.variable.card)
        return drawn_states(self.prob(family), size, rng)

    def describe(self) -> pd.DataFrame:
        """Return the seen part of the table with its states as labels.

        Returns
        -------
        pandas.DataFrame
            One row a configuration seen in training, and "(unseen)" for all others if there
            are such; one column a state of the child.

        Raises
        ------
        MemoryLimitError
            If it would not fit.
        """
        n_seen, card = len(self.others), self.variable.card
        require_room(f"the seen rows of the table of {self.variable.name!r}", (n_seen + 1, card))
        rows = np.repeat(np.append(self.others, self.unseen)[:, np.newaxis], card, axis=1)
        rows[tuple(self.cells.T)] = self.probabilities
        if n_seen == prod(self._cards):
            rows = rows[:-1]
        return pd.DataFrame(rows, self._row_labels(len(rows)), state_labels(self.variable))

    def _row_labels(self, n: int) -> Any:
        columns = []
        for parent, codes in zip(self.parents, self.configurations.T, strict=True):
            states = [*parent.states, *[_free(parent.states)] * (n - len(codes))]
            labels = pd.Index(states, dtype=object, tupleize_cols=False)
            columns.append(labels.take(np.append(codes, [-1] * (n - len(codes))).astype(int)))
        names = [p.name for p in self.parents]
        if len(names) == 1:
            return columns[0].rename(names[0])
        return pd.MultiIndex.from_arrays(columns, names=names)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SparseCategoricalCPD) and all(
            np.array_equal(getattr(self, name), getattr(other, name))
            if isinstance(getattr(self, name), np.ndarray)
            else getattr(self, name) == getattr(other, name)
            for name in _FIELDS
        )

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _FIELDS}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock()

    def __repr__(self) -> str:
        return signature(self)


def _free(states: tuple[Hashable, ...]) -> str:
    """Return a label for what was not seen that is no state."""
    label = "(unseen)"
    while label in states:
        label += "_"
    return label


def _logs(probabilities: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        logs = np.log(probabilities)
    logs.setflags(write=False)
    return logs
