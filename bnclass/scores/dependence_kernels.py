"""Compiled three-variable measures; importing this module loads numba."""

import math

import numba
import numpy as np
import numpy.typing as npt

from bnclass.statistics.triple_kernels import count_triples

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]


@numba.njit(nogil=True, cache=True)
def add_exactly(high: float, low: float, term: float) -> tuple[float, float]:
    """Add a term to a sum kept in two numbers, so that the order of terms does not show [Knuth].

    Graph twin: `math.fsum`.

    Parameters
    ----------
    high, low : float
        The sum is high + low.
    term : float

    Returns
    -------
    high, low : float
    """
    total = high + term
    shadow = total - high
    return total, low + ((high - (total - shadow)) + (term - shadow))


@numba.njit(nogil=True, cache=True)
def _information(f: Floats) -> float:
    """Return I(X_i; X_j | X_p, Y) in nats from F(x_i, x_j, x_p, y).

    Graph twin: `bnclass.conditional_mutual_information`, the configurations of (x_p, y) as
    the classes.
    """
    card_i, card_j, card_p, n_classes = f.shape
    f_i, f_j = np.empty(card_i), np.empty(card_j)
    high, low, total = 0.0, 0.0, 0.0
    for p in range(card_p):
        for y in range(n_classes):
            f_i[:], f_j[:], n = 0.0, 0.0, 0.0
            for i in range(card_i):
                for j in range(card_j):
                    f_i[i] += f[i, j, p, y]
                    f_j[j] += f[i, j, p, y]
                    n += f[i, j, p, y]
            total += n
            for i in range(card_i):
                for j in range(card_j):
                    cell = f[i, j, p, y]
                    if cell > 0.0:
                        term = cell * math.log((cell * n) / (f_i[i] * f_j[j]))
                        high, low = add_exactly(high, low, term)
    return max((high + low) / total, 0.0) if total > 0.0 else 0.0


@numba.njit(nogil=True, cache=True)
def measure_triples(
    values: Codes,
    labels: Codes,
    weights: Floats,
    firsts: Ints,
    n_classes: int,
    begin: int,
    end: int,
    result: Floats,
) -> None:
    """Write I(X_i; X_j | X_p, Y) of all triples whose last attribute is one of a span.

    Parameters
    ----------
    values, labels, weights, firsts, n_classes
        As of `bnclass.statistics.triples.ValueRows`.
    begin, end : int
        The span.
    result : ndarray of shape (n_attributes, n_attributes, n_attributes), float64
        Written at [p, i, j] and [p, j, i].
    """
    for a in range(begin, end):
        for b in range(a):
            card_a, card_b = firsts[a + 1] - firsts[a], firsts[b + 1] - firsts[b]
            counts = np.empty((card_a, card_b, firsts[-1] + 1, n_classes))
            count_triples(values, labels, weights, a, b, firsts[a], firsts[b], counts)
            for c in range(b):
                f = counts[:, :, firsts[c] : firsts[c + 1]]
                result[c, a, b] = result[c, b, a] = _information(f)
                result[b, a, c] = result[b, c, a] = _information(f.transpose(0, 2, 1, 3))
                result[a, b, c] = result[a, c, b] = _information(f.transpose(1, 2, 0, 3))
