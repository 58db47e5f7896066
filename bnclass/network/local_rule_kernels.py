"""Order and parents within one row, as the compiled loops of local members choose them.

Position q stands for the q-th attribute of a row. Importing this module loads numba.
"""

import numba
import numpy as np
import numpy.typing as npt

from bnclass.network.local_arrays import Rules

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

# A call copies all arrays of a tuple, which these would do for every attribute of every row.
_inlined = numba.njit(nogil=True, inline="always")


@_inlined
def adjust(attributes: Ints, values: Ints, rules: Rules) -> None:
    """Let the first attribute that waits for no other be next, again and again.

    Parameters
    ----------
    attributes, values : ndarray of shape (m,), int64
        Of a row, by decreasing correlation; put in the order that the rules allow.
    rules : Rules
    """
    for position in range(len(attributes) if rules.before.size > 0 else 0):
        at = position
        while _waits(attributes[position:], at - position, rules.before):
            at += 1
        attribute, value = attributes[at], values[at]
        for later in range(at, position, -1):
            attributes[later], values[later] = attributes[later - 1], values[later - 1]
        attributes[position], values[position] = attribute, value


@numba.njit(nogil=True, cache=True)
def _waits(attributes: Ints, at: int, before: Bools) -> bool:
    waits = False
    for other in attributes:
        waits |= before[other, attributes[at]]
    return waits


@_inlined
def take(
    attributes: Ints, q: int, k: int, rules: Rules, parents: Ints, is_closed: Bools
) -> tuple[int, int]:
    """Write the parents that need no choice, and which other earlier positions may be none.

    Those are the required ones, and all others that there may be if there is room for them.

    Parameters
    ----------
    attributes : ndarray of int64
        Of a row, in order.
    q : int
        The child's position.
    k : int
        Parents at most.
    rules : Rules
    parents : ndarray of int64
        Positions, written.
    is_closed : ndarray of bool
        By position; written where there are rules.

    Returns
    -------
    n_taken, n_parents : int
        How many are written, and how many there will be.
    """
    if rules.allowed.size == 0:
        for p in range(q if q <= k else 0):
            parents[p] = p
        return (q, q) if q <= k else (0, k)
    child, n_taken, n_open = attributes[q], 0, 0
    for p in range(q):
        required = rules.required[attributes[p], child]
        is_closed[p] = required or not rules.allowed[attributes[p], child]
        n_open += not is_closed[p]
        if required:
            parents[n_taken] = p
            n_taken += 1
    if n_taken + n_open > k:
        return n_taken, k
    for p in range(q):
        if not is_closed[p]:
            parents[n_taken] = p
            n_taken += 1
    return n_taken, n_taken


@numba.njit(nogil=True, cache=True)
def choose(
    pairs: Ints,
    values: Ints,
    q: int,
    given: Ints,
    is_closed: Bools,
    parents: Ints,
    n_taken: int,
) -> None:
    """Write, after the parents taken, those that the criterion of minimum dependence takes.

    D(j) = Σ_{l∈R∖{j}} shared[l] + with_rest[j], where shared[l] is I(x_q; x_l | Y) and the sum
    over the parents so far, and with_rest[j] = Σ_{l∈R∖{j}} given[j, l]; both follow each
    parent. R holds closed positions too.

    Parameters
    ----------
    pairs : ndarray of int64
        The child's I(x_q; x_l | Y), by value.
    values : ndarray of int64
        By position.
    q : int
        The child's position.
    given : ndarray of shape (≥ q, ≥ q), int64
        I(x_q; x_l | x_j, Y) at [j, l].
    is_closed : ndarray of bool
        Which positions may be no parents, but for those taken.
    parents : ndarray of shape (n_parents,), int64
        Positions; written from `n_taken` on.
    n_taken : int
    """
    shared, with_rest = np.empty(q, np.int64), np.zeros(q, np.int64)
    in_rest = np.full(q, True)
    for j in range(q):
        shared[j] = pairs[values[j]]
        for other in range(q):
            with_rest[j] += given[j, other]
    total = shared.sum()
    for step in range(len(parents)):
        if step >= n_taken:
            best, least = -1, 0
            for j in range(q):
                if in_rest[j] and not is_closed[j]:
                    dependence = total - shared[j] + with_rest[j]
                    if best < 0 or dependence < least:
                        best, least = j, dependence
            parents[step] = best
        parent = parents[step]
        in_rest[parent] = False
        total = 0
        for other in range(q):
            if in_rest[other]:
                shared[other] += given[parent, other]
                with_rest[other] -= given[other, parent]
                total += shared[other]
