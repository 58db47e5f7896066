"""Conditional probability tables."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from bnclass.data.variables import Variable
from bnclass.exceptions import FactorError
from bnclass.factors.axes import (
    as_numbers,
    cells,
    configuration_labels,
    require_distinct,
    require_kind,
    signature,
    state_labels,
)
from bnclass.factors.base import Floats, Values
from bnclass.statistics.smoothing import DEFAULT_SMOOTHING, MEstimate, Smoothing
from bnclass.statistics.sufficient import SufficientStatistics

_TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class CategoricalCPD:
    """A conditional probability table P(variable | parents).

    Parameters
    ----------
    variable : Variable
        The child.
    parents : tuple of Variable
        The class first, then in column order.
    table : array-like of shape (card(parent 1), …, card(parent m), card(child)), float64
        Probabilities; the last axis sums to 1. Copied and locked.

    Raises
    ------
    FactorError
        If a variable is continuous or named twice, the shape does not fit, an entry is
        negative or not a finite number, or a row does not sum to 1 (to 1e-9).

    Examples
    --------
    >>> from bnclass import CategoricalCPD, Variable
    >>> rain = Variable("rain", states=("no", "yes"))
    >>> wet = Variable("wet", states=("no", "yes"))
    >>> cpd = CategoricalCPD(wet, (rain,), [[0.9, 0.1], [0.2, 0.8]])
    >>> cpd.describe()
    wet    no  yes
    rain
    no    0.9  0.1
    yes   0.2  0.8
    """

    variable: Variable
    parents: tuple[Variable, ...]
    table: Floats

    def __post_init__(self) -> None:
        object.__setattr__(self, "parents", tuple(self.parents))
        require_distinct(self)
        for v in self._axes:
            require_kind(self, v, "discrete")
        table = as_numbers(self, "table", self.table)
        shape = tuple(v.card for v in self._axes)
        if table.shape != shape:
            raise FactorError(
                f"{self}: table of shape {table.shape}, expected {shape} (parents, then child)"
            )
        if not (table.min() >= 0 and np.isfinite(table.max())):
            raise FactorError(f"{self}: found an entry that is negative or not a number")
        worst = np.abs(table.sum(axis=-1) - 1).max()
        if worst > _TOLERANCE:
            raise FactorError(f"{self}: a row of the table misses the sum 1 by {worst:.3g}")
        table.setflags(write=False)
        object.__setattr__(self, "table", table)

    @classmethod
    def from_statistics(
        cls,
        variable: Variable,
        parents: Iterable[Variable],
        statistics: SufficientStatistics,
        smoothing: Smoothing = DEFAULT_SMOOTHING,
    ) -> "CategoricalCPD":
        """Estimate the table from counts.

        Parameters
        ----------
        variable : Variable
        parents : iterable of Variable
        statistics : SufficientStatistics
        smoothing : Smoothing, default=MEstimate(1.0)

        Returns
        -------
        CategoricalCPD

        Raises
        ------
        MemoryLimitError
            If the table would not fit.
        """
        parents = tuple(parents)
        counts = statistics.counts(variable.name, [p.name for p in parents])
        counts = np.ascontiguousarray(counts)  # sums are taken in memory's order
        return cls(variable, parents, smoothing.probabilities(counts))

    @property
    def _axes(self) -> tuple[Variable, ...]:
        return (*self.parents, self.variable)

    @property
    def n_parameters(self) -> int:
        """Number of free parameters: (card - 1) for each parent configuration."""
        return self.table.size // self.variable.card * (self.variable.card - 1)

    @cached_property
    def log_table(self) -> Floats:
        """Natural logarithms of the table, -inf for 0; same shape, read-only."""
        with np.errstate(divide="ignore"):
            logs = np.log(self.table)
        logs.setflags(write=False)
        return logs

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
        >>> from bnclass import CategoricalCPD, Variable
        >>> coin = CategoricalCPD(Variable("coin", states=("h", "t")), (), [0.25, 0.75])
        >>> np.exp(coin.log_prob({"coin": np.array([0, 1, 1])}))
        array([0.25, 0.75, 0.75])
        """
        log_prob: Floats = self.log_table[cells(self, values, self._axes)]
        return log_prob

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
        prob: Floats = self.table[cells(self, values, self._axes)]
        return prob

    def sample(self, values: Values, rng: np.random.Generator) -> npt.NDArray[np.int32]:
        """Draw the child for each row, given the parents' codes.

        Parameters
        ----------
        values : mapping of name to ndarray of shape (n_rows,), int
            The parents' codes; for a root any array of that length under its own name.
        rng : numpy.random.Generator

        Returns
        -------
        ndarray of shape (n_rows,), int32

        Raises
        ------
        FactorError
            If a parent's code stands for no state.

        Examples
        --------
        >>> import numpy as np
        >>> from bnclass import CategoricalCPD, Variable
        >>> coin = CategoricalCPD(Variable("coin", states=("h", "t")), (), [0.0, 1.0])
        >>> coin.sample({"coin": np.zeros(3, int)}, np.random.default_rng(0))
        array([1, 1, 1], dtype=int32)
        """
        size = len(next(iter(values.values())))
        return drawn_states(self.table[cells(self, values, self.parents)], size, rng)

    def describe(self) -> pd.DataFrame:
        """Return the table with its states as labels.

        Returns
        -------
        pandas.DataFrame
            One row a parent configuration, one column a state of the child.
        """
        rows, columns = configuration_labels(self.parents), state_labels(self.variable)
        return pd.DataFrame(self.table.reshape(-1, self.variable.card), rows, columns)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, CategoricalCPD)
            and (self.variable, self.parents) == (other.variable, other.parents)
            and np.array_equal(self.table, other.table)
        )

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        return {"variable": self.variable, "parents": self.parents, "table": self.table}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.table.setflags(write=False)

    def __repr__(self) -> str:
        return signature(self)


def drawn_states(rows: Floats, size: int, rng: np.random.Generator) -> npt.NDArray[np.int32]:
    """Draw one state from each of some distributions.

    Parameters
    ----------
    rows : ndarray of shape (size, card) or (card,), float64
    size : int
    rng : numpy.random.Generator

    Returns
    -------
    ndarray of shape (size,), int32

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.factors.categorical import drawn_states
    >>> drawn_states(np.array([[0.0, 1.0], [1.0, 0.0]]), 2, np.random.default_rng(0))
    array([1, 0], dtype=int32)
    """
    cumulative = np.cumsum(np.broadcast_to(rows, (size, rows.shape[-1])), axis=1)
    threshold = rng.random(size) * cumulative[:, -1]
    # A state of probability 0 spans no interval, so "<=" never picks it.
    drawn: npt.NDArray[np.int32] = (
        (cumulative <= threshold[:, np.newaxis]).sum(axis=1).astype(np.int32)
    )
    return drawn


def joint_cpds(
    target: Variable,
    superparent: Variable,
    statistics: SufficientStatistics,
    smoothing: Smoothing = DEFAULT_SMOOTHING,
) -> tuple[CategoricalCPD, CategoricalCPD]:
    """Estimate P(y) and P(x_j | y) together, as one smoothed table P(y, x_j) [AODE].

    Parameters
    ----------
    target, superparent : Variable
    statistics : SufficientStatistics
    smoothing : Smoothing, default=MEstimate(1.0)

    Returns
    -------
    tuple of two CategoricalCPD
        P(y) and P(x_j | y); their product is the table.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import SufficientStatistics, TableEncoder
    >>> from bnclass.factors.categorical import joint_cpds
    >>> table = TableEncoder().fit_transform(pd.DataFrame({"a": ["u", "v", "v"]}), [0, 0, 1])
    >>> statistics = SufficientStatistics.from_table(table)
    >>> joint_cpds(statistics.schema.target, statistics.schema["a"], statistics)[0].table
    array([0.625, 0.375])
    """
    counts = statistics.counts(superparent.name, [target.name])
    joint = smoothing.probabilities(counts.ravel()).reshape(counts.shape)
    prior = joint.sum(axis=1)
    return (
        CategoricalCPD(target, (), prior / prior.sum()),
        CategoricalCPD(superparent, (target,), MEstimate(0.0).probabilities(joint)),
    )
