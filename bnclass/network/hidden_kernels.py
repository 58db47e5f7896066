"""Missing states summed out of one row; importing this module loads numba.

The prediction loop leaves out every factor with a missing cell. Here come those that matter
nevertheless: their child is known, or has known descendants. They are worked off children
first. A missing node hands its parent one message for each of the parent's states: the sum,
over its own states, of its factor times the messages it was handed. That is exact as long as
no factor has two missing parents; where one has, all but one of them are *clamped*, to each
of their states in turn, and the results added up.
"""

import numba
import numpy as np
import numpy.typing as npt

from bnclass.network.compiled_arrays import CLASS, N_DENSITY, Factors

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]

_NOBODY = -1
# A call copies all arrays of a tuple: inlined, a row takes half the time.
_inlined = numba.njit(nogil=True, inline="always")
_MOST_CONFIGURATIONS = 4096


@numba.njit(nogil=True, cache=True)
def add_hidden(values: Codes, numbers: Floats, order: Ints, factors: Factors, sums: Floats) -> bool:
    """Add what the factors with a missing cell say of one row, missing states summed out.

    Parameters
    ----------
    values : ndarray of shape (n_attributes,), int32
        -1 where missing; scribbled on.
    numbers : ndarray of shape (n_continuous,), float64
    order : ndarray of int64
        The factors of one member, children before their parents.
    factors : Factors
    sums : ndarray of shape (n_classes,), float64
        Added to.

    Returns
    -------
    bool
        Whether that could be done. If not, nothing is added: a missing number must be
        integrated out, a sparse table gone through, or clamped nodes would have too many
        configurations.
    """
    n = len(factors.cards)
    hidden, involved = np.zeros(n, np.bool_), np.empty(len(order), np.int64)
    n_involved = _hide(values, order, factors, hidden, involved)
    if n_involved == 0:
        return True
    involved, clamped = involved[:n_involved], np.empty(n, np.int64)
    n_clamped = _clamp(involved, factors, hidden, clamped)
    if n_clamped == _NOBODY:
        return False
    _sum_out(values, numbers, involved, factors, hidden, clamped[:n_clamped], sums)
    return True


@_inlined
def _hide(values: Codes, order: Ints, factors: Factors, hidden: Bools, involved: Ints) -> int:
    """Mark missing nodes with a known descendant, and write down the factors they are in.

    Other missing nodes are barren. Returns the number of factors written.
    """
    n_involved = 0
    for f in order:
        child = factors.children[f]
        if child != CLASS and values[child] < 0 and not hidden[child]:
            continue
        matters = False
        for p in factors.columns[factors.starts[f] : factors.starts[f + 1]]:
            if values[p] < 0:
                hidden[p] = matters = True
        if matters:
            involved[n_involved] = f
            n_involved += 1
    return n_involved


@_inlined
def _clamp(involved: Ints, factors: Factors, hidden: Bools, clamped: Ints) -> int:
    """Choose which hidden parents to clamp, and unhide them; return how many, or `_NOBODY`.

    A factor may have one hidden parent only; its child may be hidden too.
    """
    n_clamped, n_configurations = 0, 1
    for f in involved:
        if factors.sparse[f] >= 0:
            return _NOBODY
        child, free = factors.children[f], _NOBODY
        for p in factors.columns[factors.starts[f] : factors.starts[f + 1]]:
            if not hidden[p]:
                continue
            if factors.cards[p] == 0:
                return _NOBODY
            if p == child:
                continue
            if free == _NOBODY:
                free = p
                continue
            n_configurations *= factors.cards[p]
            if n_configurations > _MOST_CONFIGURATIONS:
                return _NOBODY
            clamped[n_clamped], hidden[p] = p, False
            n_clamped += 1
    return n_clamped


@_inlined
def _sum_out(
    values: Codes,
    numbers: Floats,
    involved: Ints,
    factors: Factors,
    hidden: Bools,
    clamped: Ints,
    sums: Floats,
) -> None:
    """Add the logarithm of the sum over all clamped configurations, class by class."""
    messages = np.empty((len(hidden), factors.cards.max()))
    for c in range(len(sums)):
        peak, total, going = -np.inf, 0.0, True
        values[clamped] = 0
        while going:
            log = _log_product(values, numbers, involved, factors, hidden, c, messages)
            if log > peak:
                total = total * np.exp(peak - log) + 1.0
                peak = log
            elif log > -np.inf:
                total += np.exp(log - peak)
            going = _next_configuration(values, factors.cards, clamped)
        sums[c] += peak + np.log(total)


@_inlined
def _next_configuration(values: Codes, cards: Ints, clamped: Ints) -> bool:
    """Move the clamped nodes on to their next states; return whether there were any left."""
    for p in clamped:
        values[p] += 1
        if values[p] < cards[p]:
            return True
        values[p] = 0
    return False


@_inlined
def _log_product(
    values: Codes,
    numbers: Floats,
    involved: Ints,
    factors: Factors,
    hidden: Bools,
    c: int,
    messages: Floats,
) -> float:
    """Return ln of the product of factors under one class, hidden nodes summed out."""
    log_product = 0.0
    for i in range(len(hidden)):
        if hidden[i]:
            messages[i] = 0.0
    for f in involved:
        child = factors.children[f]
        cell, parent, stride, own = _place(values, f, factors, hidden)
        for s in range(1 if parent == _NOBODY else factors.cards[parent]):
            if child != CLASS and hidden[child]:
                handed = messages[child, : factors.cards[child]]
                log = _message(factors.parameters[c], cell + s * stride, own, handed)
            else:
                log = _log_prob(factors, f, cell + s * stride, numbers, c)
            if parent == _NOBODY:
                log_product += log
            else:
                messages[parent, s] += log
    return log_product


@_inlined
def _place(values: Codes, f: int, factors: Factors, hidden: Bools) -> tuple[int, int, int, int]:
    """Return where a factor's parameters begin, its hidden parent, and the strides to walk.

    The strides are those of the hidden parent and of the child itself.
    """
    cell, parent, stride, own = factors.offsets[f], _NOBODY, 0, 0
    for q in range(factors.starts[f], factors.starts[f + 1]):
        p = factors.columns[q]
        if p == factors.children[f] and hidden[p]:
            own = factors.strides[q]
        elif hidden[p]:
            parent, stride = p, factors.strides[q]
        else:
            cell += values[p] * factors.strides[q]
    return cell, parent, stride, own


@_inlined
def _message(table: Floats, cell: int, stride: int, handed: Floats) -> float:
    """Return ln Σ_s P(s | …) · exp(handed[s]) over a hidden node's own states."""
    peak = -np.inf
    for s in range(len(handed)):
        peak = max(peak, table[cell + s * stride] + handed[s])
    if peak == -np.inf:
        return peak
    total = 0.0
    for s in range(len(handed)):
        total += np.exp(table[cell + s * stride] + handed[s] - peak)
    log: float = peak + np.log(total)
    return log


@_inlined
def _log_prob(factors: Factors, f: int, cell: int, numbers: Floats, c: int) -> float:
    """Return what a factor says of a known child."""
    table = factors.parameters[c]
    log: float = table[cell]
    family = factors.density_columns[factors.density_starts[f] : factors.density_starts[f + 1]]
    if len(family) > 0:
        deviation = numbers[family[0]] - table[cell + 2]
        for p in range(1, len(family)):
            deviation -= table[cell + N_DENSITY + p - 1] * numbers[family[p]]
        log += table[cell + 1] * deviation * deviation
    return log
