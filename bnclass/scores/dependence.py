"""Dependences of pairs and triples of attributes: of all rows, or of one row's values [KST]."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import get_args

import numpy as np
import numpy.typing as npt

from bnclass.data.codes import MISSING
from bnclass.data.memory import require_memory
from bnclass.exceptions import DataError
from bnclass.scores.gaussian_triples import gaussian_triples
from bnclass.scores.information import cmi_matrix, quantise
from bnclass.scores.local_gaussian import LocalTerms, known_numbers
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.statistics.threads import in_spans
from bnclass.statistics.triples import (
    Dependence,
    are_numbers,
    require_discrete_rows,
    value_rows,
)

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Dependences:
    """How much attributes tell about each other given the class, and given one more attribute.

    Global ones are the information measures of all rows; local ones have their place for
    the values of one row, and can be negative.

    Parameters
    ----------
    attributes : tuple of int
        Places among the columns of the attributes measured, in column order.
    given_class : ndarray of shape (m, m), float64
        I(X_i; X_l | Y), in nats; the diagonal is 0.
    given_other : ndarray of shape (m, m, m), float64
        I(X_i; X_l | X_p, Y) or I(X_i; X_l | X_p) at [p, i, l], in nats; 0 where two of them
        are the same.

    Examples
    --------
    >>> from bnclass import SufficientStatistics, TableEncoder, load_dataset
    >>> from bnclass.scores.dependence import Dependences
    >>> table = TableEncoder().fit_transform(*load_dataset("monks-1"))
    >>> Dependences.from_statistics(SufficientStatistics.from_table(table)).given_other.shape
    (6, 6, 6)
    """

    attributes: tuple[int, ...]
    given_class: Floats
    given_other: Floats

    @classmethod
    def from_statistics(
        cls, statistics: SufficientStatistics, dependence: Dependence = "class-conditional"
    ) -> "Dependences":
        """Measure all attributes over all rows ([KST], eqs. 7 and 11).

        Each measure takes maximum-likelihood frequencies, or normal densities of numbers, from
        the rows in which its variables are observed.

        Parameters
        ----------
        statistics : SufficientStatistics
            With its rows, all attributes of one kind.
        dependence : {"class-conditional", "pairwise"}, default="class-conditional"
            I(X_i; X_l | X_p, Y), or I(X_i; X_l | X_p).

        Returns
        -------
        Dependences

        Raises
        ------
        DataError
            If some attributes are discrete and some continuous, or the statistics hold no rows
            where they are needed.
        MemoryLimitError
            If the measures of all triples would not fit.
        """
        by_class, everything = is_class_conditional(dependence), statistics.schema.attributes
        measure = gaussian_triples if are_numbers(statistics) else _discrete_triples
        triples = measure(statistics, by_class)
        return cls(tuple(range(len(everything))), cmi_matrix(statistics), triples)

    @classmethod
    def of_row(
        cls,
        statistics: SufficientStatistics,
        row: npt.ArrayLike,
        dependence: Dependence = "class-conditional",
    ) -> "Dependences":
        """Measure the values of one row ([KST], eqs. 17 and 18); missing ones take no part.

        I(x_i; x_j | Y) = Σ_y ln [ P(x_i,x_j|y) / (P(x_i|y) P(x_j|y)) ], each probability the
        Laplace estimate (a = 1) from the training rows in which its variables are observed.
        Given the value of a third attribute it is the same over the rows with that value;
        "pairwise" does not tell classes apart there, and takes its one term K times. Of
        numbers, the densities of the normal pairs that the global measures are of take the
        place of the probabilities; constant columns take no part.

        Parameters
        ----------
        statistics : SufficientStatistics
            With its rows, all attributes of one kind.
        row : array-like of shape (n_attributes,)
            In column order: codes, -1 where missing, or numbers, NaN where missing.
        dependence : {"class-conditional", "pairwise"}, default="class-conditional"

        Returns
        -------
        Dependences

        Raises
        ------
        DataError
            If some attributes are discrete and some continuous, the statistics hold no rows
            where they are needed, or a cell of the row is none of its attribute's.
        """
        by_class = is_class_conditional(dependence)
        measure = _numbers_of_row if are_numbers(statistics) else _states_of_row
        return cls(*measure(statistics, row, by_class))

    @cached_property
    def pairs(self) -> Ints:
        """`given_class` as integers round(I·2⁴⁰), for comparisons; int64."""
        return quantise(self.given_class)

    @cached_property
    def triples(self) -> Ints:
        """`given_other` as integers round(I·2⁴⁰), for comparisons; int64."""
        return quantise(self.given_other)


def _discrete_triples(statistics: SufficientStatistics, by_class: bool) -> Floats:
    """Return I(X_i; X_l | X_p, Y), or I(X_i; X_l | X_p), of all triples at [p, i, l]."""
    from bnclass.scores import dependence_kernels  # loads numba, so only where it is needed

    rows = value_rows(statistics, by_class=by_class)
    n, largest = len(statistics.schema.attributes), int(np.diff(rows.firsts).max(initial=0))
    require_memory(n**3, f"dependences of all triples of {n} attributes")
    require_memory(
        largest**2 * int(rows.firsts[-1] + 1) * rows.n_classes,
        f"counts of two attributes of up to {largest} states with the values of all others",
    )
    triples = np.zeros((n, n, n))

    def measure(begin: int, end: int) -> None:
        dependence_kernels.measure_triples(*rows, begin, end, triples)

    in_spans(n, 1, measure)
    return triples


def _states_of_row(
    statistics: SufficientStatistics, row: npt.ArrayLike, by_class: bool
) -> tuple[tuple[int, ...], Floats, Floats]:
    """Return the attributes that a row of states has, and their measures."""
    require_discrete_rows(statistics)
    table = statistics.table
    assert table is not None
    assert table.labels is not None
    codes = checked_row(statistics, row)
    present = np.flatnonzero(codes != MISSING)
    training, m = table.codes[:, present], len(present)
    agree, seen = training == codes[present], training != MISSING
    cards = np.array([table.variables[i].card for i in present.tolist()], dtype=np.float64)
    matches = _Matches(agree, seen, table.row_weights, cards)
    classes = [table.labels == y for y in range(len(statistics.class_counts))]
    groups = classes if by_class else [np.full(len(table), True)]
    triples = np.zeros((m, m, m))
    for p in range(m):
        triples[p] = matches.log_ratios([rows & agree[:, p] for rows in groups])
        triples[p, p, :] = triples[p, :, p] = 0.0
    pairs = matches.log_ratios(classes)
    return tuple(present.tolist()), pairs, triples * (1 if by_class else len(classes))


def _numbers_of_row(
    statistics: SufficientStatistics, row: npt.ArrayLike, by_class: bool
) -> tuple[tuple[int, ...], Floats, Floats]:
    """Return the attributes that a row of numbers has, and their measures."""
    numbers = known_numbers(statistics, np.asarray(row)[np.newaxis])[0]
    present = np.flatnonzero(~np.isnan(numbers))
    terms = LocalTerms.from_statistics(statistics, by_class).of(present)
    return tuple(present.tolist()), *terms.measure(numbers[present])


@dataclass(frozen=True)
class _Matches:
    """Where the training rows have one row's values, and where they have any."""

    agree: Bools
    seen: Bools
    weights: Floats
    cards: Floats

    def log_ratios(self, groups: list[Bools]) -> Floats:
        """Return Σ ln [ P(x_i,x_j) / (P(x_i) P(x_j)) ] over groups of rows.

        Each logarithm is that of one quotient of products, and their sum is correctly
        rounded, so that equal counts give equal measures.
        """
        quotients = np.array([self._quotient(rows) for rows in groups])
        by_pair = quotients.reshape(len(groups), -1).T.tolist()
        sums = [math.fsum(map(math.log, terms)) for terms in by_pair]
        ratios = np.array(sums).reshape(len(self.cards), len(self.cards))
        np.fill_diagonal(ratios, 0.0)
        return ratios

    def _quotient(self, rows: Bools) -> Floats:
        w, agree, seen = self.weights[rows], self.agree[rows] * 1.0, self.seen[rows] * 1.0
        both = (agree.T * w) @ agree + 1.0
        n_both = (seen.T * w) @ seen + np.outer(self.cards, self.cards)
        one, n_one = w @ agree + 1.0, w @ seen + self.cards
        quotient: Floats = (both * np.outer(n_one, n_one)) / (n_both * np.outer(one, one))
        return quotient


def is_class_conditional(dependence: str) -> bool:
    """Return whether classes are told apart given a third attribute.

    Parameters
    ----------
    dependence : {"class-conditional", "pairwise"}

    Returns
    -------
    bool

    Raises
    ------
    DataError
        If it is neither.

    Examples
    --------
    >>> from bnclass.scores.dependence import is_class_conditional
    >>> is_class_conditional("pairwise")
    False
    """
    if not (isinstance(dependence, str) and dependence in get_args(Dependence)):
        raise DataError(f"dependence is {dependence!r}, expected 'class-conditional' or 'pairwise'")
    return dependence == "class-conditional"


def checked_row(statistics: SufficientStatistics, row: npt.ArrayLike) -> Ints:
    """Return a row's codes, all of them known to be within the attributes' states.

    Parameters
    ----------
    statistics : SufficientStatistics
    row : array-like of shape (n_attributes,), int
        Codes in column order, -1 where missing.

    Returns
    -------
    ndarray of shape (n_attributes,), int64

    Raises
    ------
    DataError
        If it is no row of integers, or a code is none of its attribute's.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import SufficientStatistics, TableEncoder
    >>> from bnclass.scores.dependence import checked_row
    >>> table = TableEncoder().fit_transform(pd.DataFrame({"a": ["u", "v"]}), [0, 1])
    >>> checked_row(SufficientStatistics.from_table(table), [1])
    array([1])
    """
    codes, attributes = np.asarray(row), statistics.schema.attributes
    if codes.shape != (len(attributes),) or (codes.size and codes.dtype.kind not in "iu"):
        raise DataError(f"row {row!r}, expected {len(attributes)} integer codes")
    for variable, code in zip(attributes, codes.tolist(), strict=True):
        if not MISSING <= code < variable.card:
            raise DataError(
                f"variable {variable.name!r}: found code {code}, expected {MISSING} to "
                f"{variable.card - 1}"
            )
    return codes.astype(np.int64)
