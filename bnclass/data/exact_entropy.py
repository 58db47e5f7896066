"""Class entropies in bits, to 40 digits, of whole-number weights; what MDL compares.

Two correct double-precision formulas differ in the last bit, and rounding them to a grid
still separates a tie now and then. From 40 digits the nearest multiple of 2⁻⁴⁰ is always
the same.
"""

from decimal import Context, Decimal, localcontext
from functools import lru_cache
from typing import Any

import numpy.typing as npt

Integers = npt.NDArray[Any]
"""Whole numbers: int64, or Python integers (dtype object) where those would overflow."""

QUANTUM = 2**40
"""Entropies are compared in multiples of 1/QUANTUM bits."""

_CONTEXT = Context(prec=40)


def quantised(bits: Decimal) -> int:
    """Return the nearest whole number of quanta of 2⁻⁴⁰ bits.

    Parameters
    ----------
    bits : Decimal

    Returns
    -------
    int

    Examples
    --------
    >>> from decimal import Decimal
    >>> from bnclass.data.exact_entropy import quantised
    >>> quantised(Decimal("0.5")) == 2**39
    True
    """
    return int(_CONTEXT.to_integral_value(_CONTEXT.multiply(bits, Decimal(QUANTUM))))


def entropy(counts: Integers) -> Decimal:
    """Return the entropy log2 N - Σ n log2 n / N.

    Parameters
    ----------
    counts : ndarray of shape (n_classes,), int64 or Python int
        Weight of each class in any unit; at least one is positive.

    Returns
    -------
    Decimal
        In bits.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.data.exact_entropy import entropy
    >>> round(entropy(np.array([1, 2])), 6)
    Decimal('0.918296')
    """
    present = [int(n) for n in counts[counts > 0]]
    total = sum(present)
    with localcontext(_CONTEXT):
        return _log2(total) - sum((n * _log2(n) for n in present), Decimal(0)) / total


def mean_entropy(left: Integers, right: Integers) -> Decimal:
    """Return the mean entropy of two halves, (N₁ H₁ + N₂ H₂) / N.

    Parameters
    ----------
    left, right : ndarray of shape (n_classes,), int64 or Python int

    Returns
    -------
    Decimal
        In bits.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.data.exact_entropy import mean_entropy
    >>> round(mean_entropy(np.array([2, 2]), np.array([0, 4])), 6)
    Decimal('0.500000')
    """
    n_left, n_right = int(left.sum()), int(right.sum())
    with localcontext(_CONTEXT):
        weighted = n_left * entropy(left) + n_right * entropy(right)
        return weighted / (n_left + n_right)


def mdl_threshold(left: Integers, right: Integers, unit: int) -> Decimal:
    """Return the gain that a cut must exceed to pay for its own description.

    It is ``(log2(N - 1) + log2(3**c - 2) - (c*H - c1*H1 - c2*H2)) / N`` with c, c1 and c2
    the numbers of classes present in the part and its halves (Fayyad and Irani 1993,
    section 3.2). Whole-number powers of 3 do not overflow.

    Parameters
    ----------
    left, right : ndarray of shape (n_classes,), int64 or Python int
        Class weights of the halves; N is the weight of both, more than 1.
    unit : int
        How many of the units of the counts make a weight of 1.

    Returns
    -------
    Decimal
        In bits.

    Examples
    --------
    Three rows of one class, then three of another: (log2 5 + log2 7 - 2) / 6.

    >>> import numpy as np
    >>> from bnclass.data.exact_entropy import mdl_threshold
    >>> round(mdl_threshold(np.array([3, 0]), np.array([0, 3]), unit=1), 6)
    Decimal('0.521547')
    """
    parts = (left + right, left, right)
    c, c1, c2 = (int((counts > 0).sum()) for counts in parts)
    h, h1, h2 = map(entropy, parts)
    total = int(parts[0].sum())
    with localcontext(_CONTEXT):
        log_n_less_1 = _log2(total - unit) - _log2(unit)
        bits = log_n_less_1 + _log2(3**c - 2) - (c * h - c1 * h1 - c2 * h2)
        return bits * unit / total


@lru_cache(maxsize=2**14)
def _log2(number: int) -> Decimal:
    return _CONTEXT.divide(_CONTEXT.ln(Decimal(number)), _CONTEXT.ln(Decimal(2)))
