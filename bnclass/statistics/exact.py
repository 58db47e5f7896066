"""Counts that rounding does not touch, for rules that compare them."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from bnclass.data.table import EncodedTable
from bnclass.data.variables import Schema, Variable
from bnclass.statistics.counting import count_values
from bnclass.statistics.counts import Floats, ValueCounts
from bnclass.statistics.moments import Order
from bnclass.statistics.sufficient import SufficientStatistics

# Integers up to here, and their sums, are exact in double precision.
_LARGEST = 2.0**53
# Binary digits of a total; one less than there are, for what rounding adds to the rows.
_DIGITS = 52
# What a threshold of decimals may be missed by, over itself: 0.1 + 0.7 reaches 0.8.
_SLACK = 2.0**-40


def exact_counts(statistics: SufficientStatistics, order: Order) -> ValueCounts:
    """Return counts over all classes that the order of the rows changes in no bit.

    Weights that are no integers are cut in two, multiples of 2⁻⁵² of the power of two above
    their total and what is left, likewise a multiple of a power of two. Sums of either are
    exact, and a count is the sum of both, rounded once.

    Parameters
    ----------
    statistics : SufficientStatistics
        Merged ones hold no rows, and stay as they are.
    order : {1, 2}
        1 counts single values only; statistics without pairs have none here either.

    Returns
    -------
    ValueCounts
        Classes are not told apart; to be summed over them all the same, for it is the
        statistics themselves if the weights are integers.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import SufficientStatistics, TableEncoder
    >>> from bnclass.statistics.exact import exact_counts
    >>> frame = pd.DataFrame({"a": ["u"] * 3})
    >>> for weights in ([0.1, 0.7, 0.3], [0.3, 0.7, 0.1]):
    ...     table = TableEncoder().fit_transform(frame, [0, 0, 0], weights)
    ...     statistics = SufficientStatistics.from_table(table)
    ...     print(statistics.value_counts[0, 0], exact_counts(statistics, 1).value_counts[0, 0])
    1.0999999999999999 1.0999999999999999
    1.1 1.0999999999999999
    """
    table = statistics.table
    if table is None or table.weights is None or _are_integers(table.weights):
        return statistics
    everyone = Variable(statistics.schema.target.name, states=("any",))
    labels = np.zeros(len(table), np.int32)
    rows = replace(table, target=everyone, labels=labels)
    order = 1 if statistics.pair_counts is None else order
    schema = Schema(table.variables, everyone)
    high, low = (_counted(rows, part, schema, order) for part in _parts(table.weights))
    return ValueCounts(
        schema,
        high.class_counts + low.class_counts,
        high.value_counts + low.value_counts,
        _sum(high.pair_counts, low.pair_counts),
    )


def _sum(one: Floats | None, other: Floats | None) -> Floats | None:
    return None if one is None or other is None else one + other


def _are_integers(weights: Floats) -> bool:
    return bool((weights == np.rint(weights)).all()) and math.fsum(weights) <= _LARGEST


def _parts(weights: Floats) -> tuple[Floats, Floats]:
    """Return weights as sums of two, each of which add up without rounding."""
    unit = _unit(weights)
    high = np.floor(weights / unit) * unit
    low = weights - high
    unit = _unit(low)
    return high, np.rint(low / unit) * unit


def _unit(weights: Floats) -> float:
    return math.ldexp(1.0, math.frexp(math.fsum(weights))[1] - _DIGITS)


def _counted(table: EncodedTable, weights: Floats, schema: Schema, order: Order) -> ValueCounts:
    kept = np.flatnonzero(weights > 0)
    rows = replace(table.rows(kept), weights=weights[kept])
    return ValueCounts(schema, np.array([math.fsum(weights)]), *count_values(rows, order))


def reaches(counts: Any, least: float) -> npt.NDArray[np.bool_]:
    """Return which counts are at least some number, up to one part in 2⁴⁰ of it.

    Parameters
    ----------
    counts : array-like of float
    least : float
        At least 0.

    Returns
    -------
    ndarray of bool
        Exact for integers below 2⁴⁰.

    Examples
    --------
    >>> from bnclass.statistics.exact import reaches
    >>> 0.1 + 0.7 >= 0.8, reaches([0.1 + 0.7, 0.7], 0.8)
    (False, array([ True, False]))
    """
    return np.asarray(counts) >= least * (1.0 - _SLACK)
