"""The compiled loop over the rows of the local member; importing this module loads numba.

A row is worked off in the order of its attributes: position q stands for the q-th of them.
"""

import numba
import numpy as np
import numpy.typing as npt

from bnclass.network.local_arrays import Model, PairCounts, RowSets, Rules, TripleTable
from bnclass.network.local_rule_kernels import adjust, choose, take
from bnclass.network.local_table_kernels import (
    log_probability,
    log_ratio,
    pseudo_count,
    quantised,
)
from bnclass.scores.dependence_kernels import add_exactly

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint64]
Bools = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.int32]
_ONE, _TWO, _FOUR, _TOP = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)
_BY_1, _BY_2 = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_BY_4, _BYTES = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)


@numba.njit(nogil=True, cache=True)
def log_joint(
    codes: Codes,
    begin: int,
    end: int,
    model: Model,
    rules: Rules,
    table: TripleTable,
    pairs: PairCounts,
    sets: RowSets,
    result: Floats,
) -> None:
    """Write ln P(y, x) of some rows, each under the structure of its own values.

    Graph twin: `bnclass.KSTLearner.learn_at` and `bnclass.BayesianNetwork.fit`.

    Parameters
    ----------
    codes : ndarray of shape (n_rows, n_attributes), int32
        -1 where missing.
    begin, end : int
        The rows to work off.
    model : Model
    rules : Rules
    table : TripleTable
        Without measures or families, these are counted in `pairs` and `sets`.
    pairs : PairCounts
    sets : RowSets
    result : ndarray of shape (n_rows, n_classes), float64
        Written.
    """
    n = codes.shape[1]
    attributes, values = np.empty(n, np.int64), np.empty(n, np.int64)
    given, parents, is_closed = np.zeros((n, n), np.int64), np.empty(n, np.int64), np.full(n, False)
    for r in range(begin, end):
        m = _order(codes[r], model, attributes, values)
        adjust(attributes[:m], values[:m], rules)
        result[r] = model.log_prior
        for q in range(m):
            n_taken, n_parents = take(attributes, q, model.k, rules, parents, is_closed)
            if n_taken < n_parents:
                if table.measures.size > 0:
                    _look_up(values, q, table.measures, given)
                else:
                    _count_measures(attributes, values, q, model, pairs, sets, given)
                line = model.pairs[values[q]]
                choose(line, values, q, given, is_closed, parents[:n_parents], n_taken)
            if table.families.size > 0:
                _add_from_table(values, q, parents[:n_parents], table.families, result[r])
            else:
                _add_counted(attributes, values, q, parents[:n_parents], model, sets, result[r])


@numba.njit(nogil=True, cache=True)
def _order(row: Codes, model: Model, attributes: Ints, values: Ints) -> int:
    """Write the attributes that a row has, and their values, by decreasing correlation."""
    m = 0
    for i in range(len(row)):
        if row[i] >= 0:
            attributes[m], values[m] = i, model.firsts[i] + row[i]
            m += 1
    correlation = np.zeros(m, np.int64)
    for a in range(m):
        line = model.pairs[values[a]]
        for b in range(m):
            correlation[a] += line[values[b]]
    for a in range(1, m):  # insertion keeps the order of columns on ties
        own, attribute, value = correlation[a], attributes[a], values[a]
        b = a
        while b > 0 and correlation[b - 1] < own:
            correlation[b] = correlation[b - 1]
            attributes[b], values[b] = attributes[b - 1], values[b - 1]
            b -= 1
        correlation[b], attributes[b], values[b] = own, attribute, value
    return m


@numba.njit(nogil=True, cache=True)
def _look_up(values: Ints, q: int, measures: Ints, given: Ints) -> None:
    """Write the child's I(x_q; x_l | x_j, Y) at [j, l] for all earlier j and l."""
    of_child = measures[values[q]]
    for j in range(q):
        line = of_child[values[j]]
        for other in range(q):
            given[j, other] = line[values[other]]


@numba.njit(nogil=True, cache=True)
def _add_from_table(values: Ints, q: int, parents: Ints, families: Floats, total: Floats) -> None:
    """Add the child's log probabilities, of at most two parents, to those of the classes."""
    child = values[q]
    p = values[parents[0]] if len(parents) > 0 else child
    other = values[parents[-1]] if len(parents) > 0 else child
    line = families[max(p, other), min(p, other), child]
    for y in range(len(total)):
        total[y] += line[y]


@numba.njit(nogil=True, cache=True)
def _bits_set(word: np.uint64) -> np.uint64:
    word = word - ((word >> _ONE) & _BY_1)
    word = (word & _BY_2) + ((word >> _TWO) & _BY_2)
    return (((word + (word >> _FOUR)) & _BY_4) * _BYTES) >> _TOP


@numba.njit(nogil=True, cache=True)
def _n_rows(one: Bits, two: Bits, three: Bits) -> float:
    """Return how many rows are in all three sets."""
    n = np.uint64(0)
    for w in range(len(one)):
        n += _bits_set(one[w] & two[w] & three[w])
    return float(n)


@numba.njit(nogil=True, cache=True)
def _weight(one: Bits, two: Bits, three: Bits, weights: Floats) -> float:
    """Return the weight of the rows in all three sets."""
    total = 0.0
    for w in range(len(one)):
        word = one[w] & two[w] & three[w]
        while word:
            below = (word - _ONE) & ~word
            total += weights[64 * w + np.int64(_bits_set(below))]
            word &= word - _ONE
    return total


@numba.njit(nogil=True, cache=True)
def _count_groups(one: Bits, two: Bits, three: Bits, sets: RowSets, found: Floats) -> None:
    """Write the weight of the rows in all three sets, by class or, in one group, of all."""
    found[:] = 0.0
    for y in range(len(sets.starts) - 1):
        begin, end = sets.starts[y], sets.starts[y + 1]
        group = min(y, len(found) - 1)
        words = one[begin:end], two[begin:end], three[begin:end]
        if len(sets.weights) == 0:
            found[group] += _n_rows(*words)
        else:
            found[group] += _weight(*words, sets.weights[64 * begin : 64 * end])


@numba.njit(nogil=True, cache=True)
def _count_measures(
    attributes: Ints,
    values: Ints,
    q: int,
    model: Model,
    pairs: PairCounts,
    sets: RowSets,
    given: Ints,
) -> None:
    """Do as `_look_up`, counting the rows that match."""
    n_groups, child = pairs.counts.shape[2], attributes[q]
    f, n_both = np.empty(n_groups), np.empty(n_groups)
    for j in range(q):
        mask_q, mask_j = sets.masks[values[q]], sets.masks[values[j]]
        given[j, j] = 0
        for other in range(j):
            _count_groups(mask_q, mask_j, sets.masks[values[other]], sets, f)
            for i, p in ((other, j), (j, other)):
                _count_observed(child, attributes[i], values[p], pairs, sets, n_both)
                information = _measure(
                    f,
                    n_both,
                    child,
                    attributes[i],
                    values[q],
                    values[i],
                    values[p],
                    model.firsts,
                    pairs.counts,
                    pairs.totals,
                )
                given[p, i] = quantised(model.factor * information)


@numba.njit(nogil=True, cache=True)
def _count_observed(
    i: int, j: int, v_p: int, pairs: PairCounts, sets: RowSets, found: Floats
) -> None:
    """Write F(x_p, y) over the rows with both attributes i and j observed."""
    if sets.holes[i] and sets.holes[j]:
        _count_groups(sets.seen[i], sets.seen[j], sets.masks[v_p], sets, found)
        return
    partly = i if sets.holes[i] else j
    for y in range(len(found)):
        found[y] = pairs.totals[v_p, partly, y]


@numba.njit(nogil=True, cache=True)
def _measure(
    f: Floats,
    n_both: Floats,
    i: int,
    j: int,
    v_i: int,
    v_j: int,
    v_p: int,
    firsts: Ints,
    counts: Floats,
    totals: Floats,
) -> float:
    """Return the local I(x_i; x_j | x_p, Y) from F(x_i, x_j, x_p, y) and F(x_p, y)."""
    card_i, card_j = firsts[i + 1] - firsts[i], firsts[j + 1] - firsts[j]
    high, low = 0.0, 0.0
    for y in range(len(f)):
        term = log_ratio(
            f[y] + 1.0,
            n_both[y] + card_i * card_j,
            counts[v_p, v_i, y] + 1.0,
            counts[v_p, v_j, y] + 1.0,
            totals[v_p, i, y] + card_i,
            totals[v_p, j, y] + card_j,
        )
        high, low = add_exactly(high, low, term)
    return high + low


@numba.njit(nogil=True, cache=True)
def _add_counted(
    attributes: Ints,
    values: Ints,
    q: int,
    parents: Ints,
    model: Model,
    sets: RowSets,
    total: Floats,
) -> None:
    """Do as `_add_from_table` for any number of parents, counting the rows that match."""
    n_classes, child = len(total), attributes[q]
    matching, configurations = sets.seen[child].copy(), 1.0 * n_classes
    for p in parents:
        mask = sets.masks[values[p]]
        for w in range(len(matching)):
            matching[w] &= mask[w]
        configurations *= model.firsts[attributes[p] + 1] - model.firsts[attributes[p]]
    f, f_u = np.empty(n_classes), np.empty(n_classes)
    _count_groups(matching, matching, sets.masks[values[q]], sets, f)
    _count_groups(matching, matching, matching, sets, f_u)
    card = model.firsts[child + 1] - model.firsts[child]
    alpha = pseudo_count(model.pseudo_counts, card, configurations)
    for y in range(n_classes):
        total[y] += log_probability(f[y], f_u[y], card, alpha)
