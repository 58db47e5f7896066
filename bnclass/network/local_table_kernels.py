"""Compiled tables of local measures and of families; importing this module loads numba."""

import math

import numba
import numpy as np
import numpy.typing as npt

from bnclass.scores.dependence_kernels import add_exactly
from bnclass.statistics.triple_kernels import count_triples

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]

_QUANTUM = 2.0**40


@numba.njit(nogil=True, cache=True)
def quantised(information: float) -> int:
    """Return round(I·2⁴⁰), as `bnclass.scores.information.quantise`."""
    return int(np.rint(information * _QUANTUM))


@numba.njit(nogil=True, cache=True)
def log_ratio(both: float, n_both: float, f_i: float, f_j: float, n_i: float, n_j: float) -> float:
    """Return ln [ P(x_i,x_j) / (P(x_i) P(x_j)) ] from numerators and denominators.

    Graph twin: `bnclass.scores.dependence.Dependences.of_row`, product by product.
    """
    return math.log((both * (n_i * n_j)) / (n_both * (f_i * f_j)))


@numba.njit(nogil=True, cache=True)
def log_probability(f: float, total: float, card: int, pseudo_count: float) -> float:
    """Return ln [ (F(x,u) + α/|X|) / (F(u) + α) ], that of 1/|X| if there is nothing to go by."""
    if total + pseudo_count == 0.0:
        return -math.log(card)
    p = (f + pseudo_count / card) / (total + pseudo_count)
    return math.log(p) if p > 0.0 else -math.inf


@numba.njit(nogil=True, cache=True)
def pseudo_count(strengths: Floats, card: int, n_configurations: float) -> float:
    """Return α, which smoothing adds to F(u): s/q + a|X| + m, only one of which is not 0."""
    return float(strengths[0] / n_configurations + strengths[1] * card + strengths[2])


@numba.njit(nogil=True, cache=True)
def measure_pairs(counts: Floats, firsts: Ints, result: Ints) -> None:
    """Write the local I(x_i; x_j | Y) of all pairs of values.

    Parameters
    ----------
    counts : ndarray of shape (n_values, n_values, n_classes), float64
        As `PairCounts.counts`.
    firsts : ndarray of shape (n_attributes + 1,), int64
    result : ndarray of shape (n_values, n_values), int64
        Written, but for pairs within an attribute.
    """
    n, n_classes = len(firsts) - 1, counts.shape[2]
    singles = np.zeros((n, n_classes))
    for i in range(n):
        for v in range(firsts[i], firsts[i + 1]):
            singles[i] += counts[v, v]
    for i in range(n):
        for j in range(i):
            card_i, card_j = firsts[i + 1] - firsts[i], firsts[j + 1] - firsts[j]
            n_both = np.zeros(n_classes)
            for v in range(firsts[i], firsts[i + 1]):
                for w in range(firsts[j], firsts[j + 1]):
                    n_both += counts[v, w]
            for v in range(firsts[i], firsts[i + 1]):
                for w in range(firsts[j], firsts[j + 1]):
                    high, low = 0.0, 0.0
                    for y in range(n_classes):
                        term = log_ratio(
                            counts[v, w, y] + 1.0,
                            n_both[y] + card_i * card_j,
                            counts[v, v, y] + 1.0,
                            counts[w, w, y] + 1.0,
                            singles[i, y] + card_i,
                            singles[j, y] + card_j,
                        )
                        high, low = add_exactly(high, low, term)
                    result[v, w] = result[w, v] = quantised(high + low)


@numba.njit(nogil=True, cache=True)
def _measure_block(
    f: Floats,
    i: int,
    j: int,
    p: int,
    firsts: Ints,
    counts: Floats,
    totals: Floats,
    factor: float,
    measures: Ints,
) -> None:
    """Write the local I(x_i; x_j | x_p, Y) of all values of three attributes, from F(i,j,p,y)."""
    card_i, card_j, card_p, n_groups = f.shape
    n_both = np.empty(n_groups)
    for x_p in range(card_p):
        v_p = firsts[p] + x_p
        n_both[:] = 0.0
        for x_i in range(card_i):
            for x_j in range(card_j):
                for y in range(n_groups):
                    n_both[y] += f[x_i, x_j, x_p, y]
        for x_i in range(card_i):
            for x_j in range(card_j):
                v_i, v_j = firsts[i] + x_i, firsts[j] + x_j
                high, low = 0.0, 0.0
                for y in range(n_groups):
                    term = log_ratio(
                        f[x_i, x_j, x_p, y] + 1.0,
                        n_both[y] + card_i * card_j,
                        counts[v_p, v_i, y] + 1.0,
                        counts[v_p, v_j, y] + 1.0,
                        totals[v_p, i, y] + card_i,
                        totals[v_p, j, y] + card_j,
                    )
                    high, low = add_exactly(high, low, term)
                found = quantised(factor * (high + low))
                measures[v_i, v_p, v_j] = measures[v_j, v_p, v_i] = found


@numba.njit(nogil=True, cache=True)
def measure_triples(
    values: Codes,
    labels: Codes,
    weights: Floats,
    firsts: Ints,
    n_groups: int,
    counts: Floats,
    totals: Floats,
    factor: float,
    begin: int,
    end: int,
    measures: Ints,
) -> None:
    """Write the local measures of all triples of values whose last attribute is one of a span.

    Graph twin: `bnclass.scores.dependence.Dependences.of_row`.

    Parameters
    ----------
    values, labels, weights, firsts, n_groups
        As of `bnclass.statistics.triples.ValueRows`.
    counts, totals
        As of `PairCounts`.
    factor : float
        As of `Model`.
    begin, end : int
        The span.
    measures : ndarray of shape (n_values, n_values, n_values), int64
        As of `TripleTable`; written but for cells of values of one attribute.
    """
    for a in range(begin, end):
        for b in range(a):
            card_a, card_b = firsts[a + 1] - firsts[a], firsts[b + 1] - firsts[b]
            cells = np.empty((card_a, card_b, firsts[-1] + 1, n_groups))
            count_triples(values, labels, weights, a, b, firsts[a], firsts[b], cells)
            for c in range(b):
                f = cells[:, :, firsts[c] : firsts[c + 1]]
                _measure_block(f, a, b, c, firsts, counts, totals, factor, measures)
                f = f.transpose(0, 2, 1, 3)
                _measure_block(f, a, c, b, firsts, counts, totals, factor, measures)
                f = f.transpose(2, 1, 0, 3)
                _measure_block(f, b, c, a, firsts, counts, totals, factor, measures)


@numba.njit(nogil=True, cache=True)
def _estimate_block(f: Floats, first_p: int, first_q: int, strengths: Floats, rows: Floats) -> None:
    """Write ln P(x_i | x_p, x_q, y) of all values of three attributes, from F(p,q,i,y)."""
    card_p, card_q, card, n_classes = f.shape
    alpha = pseudo_count(strengths, card, 1.0 * n_classes * card_p * card_q)
    for x_p in range(card_p):
        for x_q in range(card_q):
            for y in range(n_classes):
                total = 0.0
                for x in range(card):
                    total += f[x_p, x_q, x, y]
                for x in range(card):
                    rows[first_p + x_p, first_q + x_q, x, y] = log_probability(
                        f[x_p, x_q, x, y], total, card, alpha
                    )


@numba.njit(nogil=True, cache=True)
def estimate_families(
    values: Codes,
    labels: Codes,
    weights: Floats,
    firsts: Ints,
    n_classes: int,
    strengths: Floats,
    begin: int,
    end: int,
    families: Floats,
) -> None:
    """Write the log probabilities of all families of three whose last attribute is of a span.

    Graph twin: `bnclass.CategoricalCPD.from_statistics`.

    Parameters
    ----------
    values, labels, weights, firsts, n_classes
        As of `bnclass.statistics.triples.ValueRows`.
    strengths
        As `Model.pseudo_counts`.
    begin, end : int
        The span.
    families : ndarray of shape (n_values, n_values, n_values, n_classes), float64
        As of `TripleTable`; the cells of two parents are written.
    """
    for a in range(begin, end):
        for b in range(a):
            card_a, card_b = firsts[a + 1] - firsts[a], firsts[b + 1] - firsts[b]
            cells = np.empty((card_a, card_b, firsts[-1] + 1, n_classes))
            count_triples(values, labels, weights, a, b, firsts[a], firsts[b], cells)
            of_a = families[:, :, firsts[a] : firsts[a + 1]]
            of_b = families[:, :, firsts[b] : firsts[b + 1]]
            for c in range(b):
                f = cells[:, :, firsts[c] : firsts[c + 1]]
                of_c = families[:, :, firsts[c] : firsts[c + 1]]
                _estimate_block(f, firsts[a], firsts[b], strengths, of_c)
                _estimate_block(f.transpose(0, 2, 1, 3), firsts[a], firsts[c], strengths, of_b)
                _estimate_block(f.transpose(1, 2, 0, 3), firsts[b], firsts[c], strengths, of_a)
