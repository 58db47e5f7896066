"""From statistics to the arrays of the local member."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bnclass.data import memory
from bnclass.exceptions import BnclassError
from bnclass.network.local_arrays import Floats, Model, PairCounts, RowSets, Rules, TripleTable
from bnclass.network.local_rules import local_rules
from bnclass.statistics.smoothing import BDeu, Laplace, MEstimate, Smoothing
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.statistics.threads import in_spans
from bnclass.statistics.triples import ValueRows, value_rows
from bnclass.structure.constraints import Constraints

_WORD = 64
_MOST_IN_TABLE = 2


class LocalArrays(NamedTuple):
    """All that the compiled loop over rows reads."""

    model: Model
    rules: Rules
    table: TripleTable
    pairs: PairCounts
    sets: RowSets


def local_arrays(
    statistics: SufficientStatistics,
    smoothing: Smoothing,
    k: int,
    by_class: bool,
    constraints: Constraints | None = None,
) -> LocalArrays:
    """Lay out the training rows for the local member.

    Measures of all triples of values are tabulated if they fit the memory limit, and so are
    the families of at most two parents. Otherwise bit sets of the rows are there to count.

    Parameters
    ----------
    statistics : SufficientStatistics
        With its rows, all attributes discrete.
    smoothing : Smoothing
    k : int
    by_class : bool
        Whether classes are told apart given a third attribute.
    constraints : Constraints, optional

    Returns
    -------
    LocalArrays

    Raises
    ------
    DataError
        If an attribute is continuous, or the statistics hold no rows or no pairs.
    StructureError
        If the constraints do not fit the columns.
    MemoryLimitError
        If not even the bit sets fit.

    Examples
    --------
    >>> from bnclass import MEstimate, SufficientStatistics, TableEncoder, load_dataset
    >>> from bnclass.network.local_tables import local_arrays
    >>> table = TableEncoder().fit_transform(*load_dataset("monks-1"))
    >>> statistics = SufficientStatistics.from_table(table)
    >>> local_arrays(statistics, MEstimate(1.0), 2, True).table.families.shape
    (17, 17, 17, 2)
    """
    from bnclass.network import local_table_kernels  # loads numba, so only where it is needed

    k, rules = local_rules(constraints, statistics.schema, k)
    strengths = _pseudo_counts(smoothing)
    rows, n_values = value_rows(statistics), int(statistics.offsets[-1])
    by_class_counts = _pair_counts(statistics)
    with np.errstate(divide="ignore"):
        log_prior = np.log(smoothing.probabilities(statistics.class_counts))
    measures = np.zeros((n_values, n_values), np.int64)
    local_table_kernels.measure_pairs(by_class_counts, rows.firsts, measures)
    factor = 1.0 if by_class else float(rows.n_classes)
    model = Model(k, rows.firsts, log_prior, measures, strengths, factor)
    counts = by_class_counts if by_class else by_class_counts.sum(axis=2, keepdims=True)
    pairs = PairCounts(counts, _totals(counts, rows.firsts))
    fits = k > 0 and _fits(n_values, rows.n_classes)
    table = TripleTable(
        _measures(value_rows(statistics, by_class), pairs, factor, fits),
        _families(rows, statistics, smoothing, strengths, fits and k <= _MOST_IN_TABLE),
    )
    return LocalArrays(model, rules, table, pairs, row_sets(rows, empty=table.families.size > 0))


def _fits(n_values: int, n_classes: int) -> bool:
    """Return whether measures and families of all triples of values fit the memory limit."""
    return 8 * n_values**3 * (n_classes + 1) <= memory.memory_limit()


def _pair_counts(statistics: SufficientStatistics) -> Floats:
    """Return F(v, w, y) of all pairs of values, single values on the diagonal."""
    n = len(statistics.schema.attributes)
    if n:
        statistics.earlier_pair_counts(0)  # raises if pairs were not counted
    lower = np.zeros((len(statistics.class_counts), 0, 0))
    if statistics.pair_counts is not None:
        lower = np.tril(statistics.pair_counts)
    both = lower + np.tril(lower, -1).swapaxes(1, 2)
    return np.ascontiguousarray(np.moveaxis(both, 0, -1))


def _totals(counts: Floats, firsts: npt.NDArray[np.int64]) -> Floats:
    """Return F(v, y) over the rows in which each attribute is observed."""
    totals = np.zeros((counts.shape[0], len(firsts) - 1, counts.shape[2]))
    for i in range(len(firsts) - 1):
        totals[:, i] = counts[:, firsts[i] : firsts[i + 1]].sum(axis=1)
    return totals


def _pseudo_counts(smoothing: Smoothing) -> Floats:
    """Return a policy as the (s, a, m) of s/q + a|X| + m."""
    if isinstance(smoothing, BDeu):
        return np.array([smoothing.ess, 0.0, 0.0])
    if isinstance(smoothing, Laplace):
        return np.array([0.0, smoothing.a, 0.0])
    if isinstance(smoothing, MEstimate):
        return np.array([0.0, 0.0, smoothing.m])
    raise BnclassError(f"smoothing is {smoothing!r}, expected MEstimate, Laplace or BDeu")


def _measures(
    rows: ValueRows, pairs: PairCounts, factor: float, fits: bool
) -> npt.NDArray[np.int64]:
    from bnclass.network import local_table_kernels

    n_values = int(rows.firsts[-1]) if fits else 0
    measures = np.zeros((n_values, n_values, n_values), np.int64)

    def measure(begin: int, end: int) -> None:
        local_table_kernels.measure_triples(*rows, *pairs, factor, begin, end, measures)

    in_spans(len(rows.firsts) - 1 if fits else 0, 1, measure)
    return measures


def _families(
    rows: ValueRows,
    statistics: SufficientStatistics,
    smoothing: Smoothing,
    strengths: Floats,
    fits: bool,
) -> Floats:
    from bnclass.network import local_table_kernels

    n, n_values = len(rows.firsts) - 1, int(rows.firsts[-1]) if fits else 0
    families = np.empty((n_values, n_values, n_values, rows.n_classes))
    if not fits:
        return families

    def estimate(begin: int, end: int) -> None:
        local_table_kernels.estimate_families(*rows, strengths, begin, end, families)

    in_spans(n, 1, estimate)
    _add_small_families(families, statistics, smoothing)
    return families


def _add_small_families(
    families: Floats, statistics: SufficientStatistics, smoothing: Smoothing
) -> None:
    """Write the families of one parent and of none onto the diagonals."""
    values = np.arange(families.shape[0])
    places = [values[statistics.values_of(i)] for i in range(len(statistics.schema.attributes))]
    with np.errstate(divide="ignore"):
        for i, own in enumerate(places):
            alone = smoothing.probabilities(statistics.attribute_counts(i))
            families[own, own, own] = np.log(alone.T)
            for p in [p for p in range(len(places)) if p != i]:
                table = smoothing.probabilities(statistics.attribute_pair_counts(p, i))
                parent = places[p][:, np.newaxis]
                families[parent, parent, own] = np.log(np.moveaxis(table, 0, -1))


def row_sets(rows: ValueRows, empty: bool = False) -> RowSets:
    """Return the sets of rows that have each value, as bits.

    Rows of whole weight stand as often as they weigh, if that fits the memory limit: counting
    bits is much faster than adding weights.

    Parameters
    ----------
    rows : ValueRows
        By class.
    empty : bool, default=False
        Whether to leave all of it out.

    Returns
    -------
    RowSets

    Raises
    ------
    MemoryLimitError
        If the bits would not fit.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import SufficientStatistics, TableEncoder
    >>> from bnclass.network.local_tables import row_sets
    >>> from bnclass.statistics.triples import value_rows
    >>> table = TableEncoder().fit_transform(pd.DataFrame({"a": ["u", "v", "v"]}), [0, 0, 1])
    >>> row_sets(value_rows(SufficientStatistics.from_table(table))).masks  # a word a class
    array([[1, 0],
           [2, 1]], dtype=uint64)
    """
    n, n_values = len(rows.firsts) - 1, int(rows.firsts[-1])
    holes = (rows.values == n_values).any(axis=0)
    if empty:
        none = np.zeros((0, 0), np.uint64)
        return RowSets(none, none, np.zeros(1, np.int64), np.zeros(0), holes)
    rows = _repeated(rows)
    sizes = np.bincount(rows.labels, minlength=rows.n_classes)
    starts = np.concatenate([[0], np.cumsum(-(-sizes // _WORD))]).astype(np.int64)
    n_words = int(starts[-1])
    memory.require_memory((n_values + n) * n_words, f"bit sets of the rows of {n_values} values")
    order = np.argsort(rows.labels, kind="stable")
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order)) + np.repeat(
        _WORD * starts[:-1] - (np.cumsum(sizes) - sizes), sizes
    )
    masks, seen = np.zeros((n_values, n_words), np.uint64), np.zeros((n, n_words), np.uint64)
    for i in range(n):
        for v in range(int(rows.firsts[i]), int(rows.firsts[i + 1])):
            masks[v] = _bits(places[rows.values[:, i] == v], n_words)
            seen[i] |= masks[v]
    weights = np.zeros(0)
    if not (rows.weights == 1).all():
        weights = np.zeros(_WORD * n_words)
        weights[places] = rows.weights
    return RowSets(masks, seen, starts, weights, holes)


def _bits(places: npt.NDArray[np.int64], n_words: int) -> npt.NDArray[np.uint64]:
    flags = np.zeros(_WORD * n_words, np.bool_)
    flags[places] = True
    return np.packbits(flags, bitorder="little").view(np.uint64)


def _repeated(rows: ValueRows) -> ValueRows:
    """Return rows of weight 1, each as often as it weighs, or the same rows if that is no good."""
    total, width = float(rows.weights.sum()), rows.values.shape[1] + int(rows.firsts[-1])
    whole = (rows.weights == np.rint(rows.weights)).all()
    if not whole or total * (width / 8 + 4 * rows.values.shape[1]) > memory.memory_limit():
        return rows
    times = rows.weights.astype(np.int64)
    return rows._replace(
        values=np.repeat(rows.values, times, axis=0),
        labels=np.repeat(rows.labels, times),
        weights=np.ones(int(times.sum())),
    )
