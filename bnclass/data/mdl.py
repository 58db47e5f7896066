"""MDL discretisation of one column: where to cut a number so that its bins tell about the class.

Everything is exact until the last comparison. Weights are whole multiples of a common
unit and are summed as integers; entropies in double precision only *screen* the
candidates, and those that could be the best are compared again with 50-digit logarithms,
quantised to multiples of 2⁻⁴⁰. So neither row order nor the rounding of a platform's
logarithm can move a cut.
"""

from collections.abc import Callable, Iterable
from decimal import Context, Decimal, localcontext
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bnclass.data.columns import Floats

Integers = npt.NDArray[Any]
"""Whole numbers: int64, or Python integers (dtype object) where those would overflow."""

QUANTUM = 2**40
_CONTEXT = Context(prec=50)


def mdl_cuts(
    values: Floats, labels: npt.NDArray[np.integer[Any]], weights: Floats | None = None
) -> tuple[float, ...]:
    r"""Return the cut points of a column by the minimum description length principle.

    Candidates are the midpoints between neighbouring distinct values. In a part of weight
    N with class entropy H (in bits), a candidate leaves halves of weights N₁ and N₂ with
    entropies H₁ and H₂; c, c₁ and c₂ classes are present. The best candidate minimises
    ``E = (N1*H1 + N2*H2) / N``, the first one on ties, and becomes a cut if::

        H - E > max(0, (log2(N - 1) + log2(3**c - 2) - (c*H - c1*H1 - c2*H2)) / N)

    Then both halves are cut likewise. A part with N ≤ 1 is not cut. What is compared are
    integers: H, E and the quotient on the right-hand side (computed from unrounded
    entropies) are each rounded to the nearest multiple of 2⁻⁴⁰; the gain is the
    difference of the rounded H and E.

    A cut is the midpoint (a + b)/2 of its two neighbours, or a where that rounds to b, so
    that ``value <= cut`` separates them.

    Parameters
    ----------
    values : ndarray of shape (n_rows,), float64
        Finite, or NaN where missing; such rows are left out.
    labels : ndarray of shape (n_rows,), int
        Class codes from 0 on.
    weights : ndarray of shape (n_rows,), float64, optional
        Non-negative row weights, which replace counts everywhere; ``None`` is one a row.
        Rows of weight 0 are left out.

    Returns
    -------
    tuple of float
        Ascending; empty if no cut is accepted. Bin ``i`` is ``(cuts[i-1], cuts[i]]``.

    References
    ----------
    U. M. Fayyad, K. B. Irani, "Multi-interval discretization of continuous-valued
    attributes for classification learning", IJCAI 1993, pp. 1022-1027.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.data.mdl import mdl_cuts
    >>> mdl_cuts(np.array([1.0, 6, 2, 5, 3, 4]), np.array([0, 1, 0, 1, 0, 1]))
    (3.5,)
    """
    column = _sorted_column(values, labels, weights)
    cuts, parts = [], [_whole(column)]
    while parts:
        part = parts.pop()
        split = _best_split(column, part)
        if split is not None and _is_accepted(split, column.unit):
            cuts.append(_between(*column.values[split.stop - 1 : split.stop + 1].tolist()))
            parts += _halves(part, split)
    return tuple(sorted(cuts))


def bin_labels(cuts: Iterable[float], values: Floats) -> tuple[str, ...]:
    """Return the names of a column's bins: "(-inf, a]", "(a, b]", "(b, inf)", or "all".

    Numbers have the fewest significant digits, at least 6, with which the printed cuts
    are distinct and separate the same data values as the real ones.

    Parameters
    ----------
    cuts : iterable of float
        Ascending.
    values : ndarray of shape (n_rows,), float64
        The column's training values; NaN is ignored.

    Returns
    -------
    tuple of str
        One more than there are cuts.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.data.mdl import bin_labels
    >>> bin_labels((2.45, 4.75), np.array([1.4, 3.5, 6.0]))
    ('(-inf, 2.45]', '(2.45, 4.75]', '(4.75, inf)')
    >>> bin_labels((0.12345678,), np.array([0.1234567, 0.1234568]))
    ('(-inf, 0.1234568]', '(0.1234568, inf)')
    >>> bin_labels((), np.array([1.0]))
    ('all',)
    """
    ends = ["-inf", *_shortest_texts(tuple(cuts), np.sort(values)), "inf"]
    if len(ends) == 2:
        return ("all",)
    bins = [f"({a}, {b}]" for a, b in zip(ends[:-1], ends[1:], strict=True)]
    return (*bins[:-1], bins[-1][:-1] + ")")


def _shortest_texts(cuts: tuple[float, ...], ascending: Floats) -> list[str]:
    below = np.searchsorted(ascending, cuts, side="right")
    for digits in range(6, 18):  # 17 digits give every double back
        texts = [f"{cut:.{digits}g}" for cut in cuts]
        printed = np.array(texts, dtype=np.float64)
        distinct = bool((np.diff(printed) > 0).all())
        if distinct and np.array_equal(np.searchsorted(ascending, printed, side="right"), below):
            break
    return texts


class _Column(NamedTuple):
    """The rows that count, by ascending value; weights in units of 1/`unit`."""

    values: Floats
    labels: npt.NDArray[np.intp]
    weights: Integers
    running: Integers  # weight up to and with the row
    class_running: Integers  # the same within the row's class
    unit: int


class _Part(NamedTuple):
    """Rows `start` to `stop` of a column; class weights before them and in them."""

    start: int
    stop: int
    before: Integers
    counts: Integers


class _Split(NamedTuple):
    """The first row of the upper half, the class weights of both, and the quantised E."""

    stop: int
    left: Integers
    right: Integers
    entropy: int


def _sorted_column(
    values: Floats, labels: npt.NDArray[np.integer[Any]], weights: Floats | None
) -> _Column:
    kept = ~np.isnan(values)
    if weights is not None:
        kept &= weights > 0
    units, unit = _whole_units(np.ones(int(kept.sum())) if weights is None else weights[kept])
    values = values[kept] + 0.0  # turns -0.0 into 0.0, which it equals
    order = np.argsort(values)
    codes = labels[kept][order].astype(np.intp)
    units = units[order]
    return _Column(
        values[order], codes, units, np.cumsum(units), _class_running(codes, units), unit
    )


def _whole_units(weights: Floats) -> tuple[Integers, int]:
    """Return weights as integers, and how many of their units make a weight of 1.

    Floats are fractions with powers of two below the line, so nothing is lost.
    """
    largest = float(weights.max(initial=0.0))
    if largest * len(weights) < 2**62 and (weights == np.floor(weights)).all():
        return weights.astype(np.int64), 1
    ratios = [weight.as_integer_ratio() for weight in weights.tolist()]
    unit = max(below for _, below in ratios)
    units = [above * (unit // below) for above, below in ratios]
    return np.array(units, dtype=np.int64 if sum(units) < 2**62 else object), unit


def _class_running(codes: npt.NDArray[np.intp], units: Integers) -> Integers:
    # The smallest integer type makes the stable sort a radix sort.
    by_class = np.argsort(codes.astype(np.min_scalar_type(codes.max(initial=0))), kind="stable")
    running = np.cumsum(units[by_class])
    starts = np.searchsorted(codes[by_class], np.arange(codes.max(initial=0) + 1))
    before = np.concatenate([running[:0], [0], running])[starts]
    result = np.empty_like(running)
    result[by_class] = running - before[codes[by_class]]
    return result


def _whole(column: _Column) -> _Part:
    n_rows = len(column.values)
    nothing = np.zeros(int(column.labels.max(initial=0)) + 1, dtype=column.weights.dtype)
    return _Part(0, n_rows, nothing, _counts(column, 0, n_rows, nothing))


def _counts(column: _Column, start: int, stop: int, more: Integers) -> Integers:
    """Return the class weights of some rows, added to those in `more`."""
    result = more.copy()
    np.add.at(result, column.labels[start:stop], column.weights[start:stop])
    return result


def _best_split(column: _Column, part: _Part) -> _Split | None:
    """Return the first split of the smallest quantised E, if the part can be cut at all."""
    if part.counts.sum() <= column.unit or (part.counts > 0).sum() < 2:
        return None
    best, left, start = None, np.zeros_like(part.counts), part.start
    for stop in _contenders(column, part):
        left = _counts(column, start, stop, left)
        right, start = part.counts - left, stop
        entropy = _quantised(_mean_entropy(left, right))
        if best is None or entropy < best.entropy:
            best = _Split(stop, left, right, entropy)
    return best


def _contenders(column: _Column, part: _Part) -> list[int]:
    """Return the candidates that may have the smallest quantised E, in ascending order."""
    values = column.values[part.start : part.stop]
    candidates = np.flatnonzero(values[:-1] < values[1:])
    if not candidates.size:
        return []
    entropies = _rough_entropies(column, part)[candidates]
    # Each row adds a rounding error below 2⁻⁴⁸ to either side of the comparison, and
    # quantising makes equal what is less than a quantum apart.
    slack = len(values) * 2.0**-47 + 1 / QUANTUM
    near = candidates[entropies <= entropies.min() + slack]
    return (near + (part.start + 1)).tolist()  # type: ignore[no-any-return]


def _rough_entropies(column: _Column, part: _Part) -> Floats:
    """Return E after each row of the part, in double precision and in one pass.

    With p a share of N, E = Σ p log2 p over the two halves less the same sum over their
    class cells. A row that changes sides changes two cells only, so the second sum is a
    running one, whatever the number of classes.
    """
    rows = slice(part.start, part.stop)
    codes, weights, total = column.labels[rows], column.weights[rows], part.counts.sum()
    term = _p_log2_p(total, len(codes))
    left = column.class_running[rows] - part.before[codes]
    right = part.counts[codes] - left
    change = term(left) - term(left - weights) + term(right) - term(right + weights)
    n_left = column.running[rows] - part.before.sum()
    halves = term(n_left) + term(total - n_left)
    entropies: Floats = halves - term(part.counts).sum() - np.cumsum(change)
    return entropies


def _p_log2_p(total: Any, n_rows: int) -> Callable[[Integers], Floats]:
    """Return the function n -> p log2 p with p = n/total; a table of it where that is small."""

    def direct(counts: Integers) -> Floats:
        p = (counts / total).astype(np.float64)
        result: Floats = p * np.log2(np.maximum(p, np.finfo(np.float64).tiny))
        return result

    return direct(np.arange(total + 1)).take if total <= 4 * n_rows else direct


def _halves(part: _Part, split: _Split) -> list[_Part]:
    return [
        _Part(part.start, split.stop, part.before, split.left),
        _Part(split.stop, part.stop, part.before + split.left, split.right),
    ]


def _is_accepted(split: _Split, unit: int) -> bool:
    gain = _quantised(_entropy(split.left + split.right)) - split.entropy
    return gain > 0 and gain > _quantised(_threshold(split, unit))


def _quantised(number: Decimal) -> int:
    return int(_CONTEXT.to_integral_value(_CONTEXT.multiply(number, Decimal(QUANTUM))))


def _threshold(split: _Split, unit: int) -> Decimal:
    """Return the least gain that pays for the description of a cut."""
    parts = (split.left + split.right, split.left, split.right)
    c, c1, c2 = (int((counts > 0).sum()) for counts in parts)
    h, h1, h2 = map(_entropy, parts)
    total = int(parts[0].sum())
    with localcontext(_CONTEXT):
        log_n_less_1 = _log2(total - unit) - _log2(unit)
        description = log_n_less_1 + _log2(3**c - 2) - (c * h - c1 * h1 - c2 * h2)
        return description * unit / total


def _mean_entropy(left: Integers, right: Integers) -> Decimal:
    n_left, n_right = int(left.sum()), int(right.sum())
    with localcontext(_CONTEXT):
        weighted = n_left * _entropy(left) + n_right * _entropy(right)
        return weighted / (n_left + n_right)


def _entropy(counts: Integers) -> Decimal:
    """Return the entropy of a distribution in bits: log2 N - Σ n log2 n / N."""
    present = [int(n) for n in counts[counts > 0]]
    total = sum(present)
    with localcontext(_CONTEXT):
        return _log2(total) - sum((n * _log2(n) for n in present), Decimal(0)) / total


@lru_cache(maxsize=2**14)
def _log2(number: int) -> Decimal:
    return _CONTEXT.divide(_CONTEXT.ln(Decimal(number)), _CONTEXT.ln(Decimal(2)))


def _between(lower: float, upper: float) -> float:
    """Return the midpoint, or `lower` where rounding makes it `upper`."""
    middle = (lower + upper) / 2
    if middle in (float("inf"), float("-inf")):
        middle = lower / 2 + upper / 2
    return lower if middle == upper else middle
