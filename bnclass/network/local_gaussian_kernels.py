"""Compiled loops over the rows of the local member of numbers; importing this module loads numba.

Structures come first, for all rows, and then the densities of the families that they have.
"""

import numba
import numpy as np
import numpy.typing as npt

from bnclass.network.local_arrays import Rules
from bnclass.network.local_rule_kernels import adjust, choose, take
from bnclass.network.local_table_kernels import quantised
from bnclass.scores.information import LARGEST_MEASURE
from bnclass.scores.local_gaussian import FARTHEST, LocalTerms

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Places = npt.NDArray[np.int32]

ABSENT = -1
_ROWS_A_BLOCK, _BLOCK = 16, 2**17  # rows, and their residuals, that stay in cache


@numba.njit(nogil=True, cache=True)
def find_parents(
    rows: Floats, begin: int, end: int, rules: Rules, terms: LocalTerms, parents: Places
) -> None:
    """Write the parents of every attribute of some rows, each row in its own structure.

    Graph twin: `bnclass.KSTLearner.learn_at`.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n), float64
        NaN where missing.
    begin, end : int
        The rows to work off.
    rules : Rules
    terms : LocalTerms
    parents : ndarray of shape (n_rows, n, most parents), int32
        Written: places of the parents in column order, `ABSENT` after the last.
    """
    n, k = rows.shape[1], parents.shape[2]
    n_masks, n_groups = terms.lines.shape[2], terms.lines.shape[3]
    chosen, is_closed = np.empty(n, np.int64), np.full(n, False)
    size = max(1, min(_ROWS_A_BLOCK, _BLOCK // (n * n * n_masks * n_groups)))
    z = np.empty((size, n, n, n_masks, n_groups))
    order, place = np.empty((size, n), np.int64), np.empty((size, n), np.int64)
    pairs, given = np.zeros((size, n, n), np.int64), np.zeros((n, n), np.int64)
    for start in range(begin, end, size):
        block = rows[start : min(start + size, end)]
        for b in range(len(block)):
            m = _present(block[b], order[b])
            _measure_pairs(block[b], order[b, :m], terms, pairs[b])
            _sort(order[b, :m], pairs[b])
            adjust(order[b, :m], order[b, :m].copy(), rules)
            place[b] = ABSENT
            for q in range(m):
                place[b, order[b, q]] = q
            if m - 1 > k > 0:
                _standardise(block[b], order[b, :m], terms, z[b])
        # Child by child, so that its part of the terms stays in cache.
        for i in range(n):
            for b in range(len(block)):
                q = place[b, i]
                n_taken, n_parents = take(order[b], max(q, 0), k, rules, chosen, is_closed)
                if n_taken < n_parents:
                    _measure_triples(order[b], q, terms, z[b], given)
                    found = chosen[:n_parents]
                    choose(pairs[b, i], order[b], q, given, is_closed, found, n_taken)
                _write(order[b], chosen[:n_parents], parents[start + b, i])


@numba.njit(nogil=True, cache=True)
def _write(order: Ints, chosen: Ints, parents: Places) -> None:
    """Write the attributes at some positions in column order, and `ABSENT` after them."""
    parents[:] = ABSENT
    for s in range(len(chosen)):
        parents[s] = order[chosen[s]]
    parents[: len(chosen)].sort()


@numba.njit(nogil=True, cache=True)
def _present(row: Floats, order: Ints) -> int:
    m = 0
    for i in range(len(row)):
        if row[i] == row[i]:
            order[m] = i
            m += 1
    return m


@numba.njit(nogil=True, cache=True)
def _held(z: float, largest: float) -> float:
    return min(max(z, -largest), largest)


@numba.njit(nogil=True, cache=True)
def _term(z: float, other: float, constant: float, distance: float, product: float) -> float:
    """Return one summand of `LocalTerms.measure`, by the same operations."""
    apart = z - (-other if product < 0.0 else other)
    return constant - distance * (apart * apart) + product * (z * other)


@numba.njit(nogil=True, cache=True)
def _as_integer(information: float) -> int:
    return quantised(_held(information, LARGEST_MEASURE))


@numba.njit(nogil=True, cache=True)
def _measure_pairs(row: Floats, order: Ints, terms: LocalTerms, pairs: Ints) -> None:
    """Write the local I(x_i; x_l | Y) of all pairs of the attributes present."""
    for a in range(len(order)):
        i = order[a]
        for b in range(a):
            j, total = order[b], 0.0
            own, other, c = terms.positions[i, j], terms.positions[j, i], terms.pairs[i, j]
            for y in range(len(own)):
                z = _held((row[i] - own[y, 0]) * own[y, 1], FARTHEST)
                w = _held((row[j] - other[y, 0]) * other[y, 1], FARTHEST)
                total += _term(z, w, c[y, 0], c[y, 1], c[y, 2])
            pairs[i, j] = pairs[j, i] = _as_integer(total)


@numba.njit(nogil=True, cache=True)
def _sort(order: Ints, pairs: Ints) -> None:
    """Sort the attributes present by decreasing correlation, on ties by column."""
    m = len(order)
    correlation = np.zeros(m, np.int64)
    for a in range(m):
        for b in range(m):
            if a != b:
                correlation[a] += pairs[order[a], order[b]]
    for a in range(1, m):
        own, attribute, b = correlation[a], order[a], a
        while b > 0 and correlation[b - 1] < own:
            correlation[b], order[b] = correlation[b - 1], order[b - 1]
            b -= 1
        correlation[b], order[b] = own, attribute


@numba.njit(nogil=True, cache=True)
def _standardise(row: Floats, order: Ints, terms: LocalTerms, z: Floats) -> None:
    """Write the residuals of all attributes given each other one, in standard deviations."""
    for p in order:
        for i in order:
            for mask in range(z.shape[2]):
                for y in range(z.shape[3]):
                    line = terms.lines[p, i, mask, y]
                    left = (row[i] - line[0]) - line[1] * (row[p] - line[2])
                    z[p, i, mask, y] = _held(left * line[3], FARTHEST)


@numba.njit(nogil=True, cache=True)
def _measure_triples(order: Ints, q: int, terms: LocalTerms, z: Floats, given: Ints) -> None:
    """Write the child's local I(x_q; x_l | x_p, Y) at [p, l] for all earlier p and l."""
    i, n_groups, masks = order[q], z.shape[3], terms.masks
    for a in range(q):
        p = order[a]
        child, others, c = z[p, i], z[p, :, masks[i]], terms.triples[p, i]
        for b in range(q):
            j, total = order[b], 0.0
            for y in range(n_groups):
                own, other = child[masks[j], y], others[j, y]
                total += _term(own, other, c[j, y, 0], c[j, y, 1], c[j, y, 2])
            given[a, b] = _as_integer(terms.factor * total)
        given[a, a] = 0


@numba.njit(nogil=True, cache=True)
def add_densities(
    rows: Floats,
    begin: int,
    end: int,
    parents: Places,
    places: Ints,
    densities: Floats,
    result: Floats,
) -> None:
    """Add the log densities of all cells of some rows to those of the classes.

    Graph twin: `bnclass.factors.linear_gaussian.CLGCPD.log_prob`.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n), float64
    begin, end : int
        The rows to work off.
    parents : ndarray of shape (n_rows, n, n_slots), int32
        As `find_parents` writes them.
    places : ndarray of shape (n_rows, n), int64
        Family of each cell; `ABSENT` where a cell has no say.
    densities : ndarray of shape (n_families, n_classes, 3 + n_slots), float64
        Log of the density at the mean, half of the precision, intercept, and coefficients.
    result : ndarray of shape (n_rows, n_classes), float64
        Changed in place.
    """
    for r in range(begin, end):
        for i in range(rows.shape[1]):
            if places[r, i] == ABSENT:
                continue
            for y in range(result.shape[1]):
                family = densities[places[r, i], y]
                mean = family[2]
                for s in range(parents.shape[2]):
                    if parents[r, i, s] == ABSENT:
                        break
                    mean += family[3 + s] * rows[r, parents[r, i, s]]
                deviation = rows[r, i] - mean
                result[r, y] += family[0] - deviation * deviation * family[1]
