"""MDL discretisation of one column: where to cut a number so that its bins tell about the class.

Every comparison is exact. Weights are whole multiples of a common unit and are summed as
integers; entropies in double precision only screen the candidates, and those that could
be the best are computed again with 40-digit logarithms and quantised to multiples of
2⁻⁴⁰. So neither row order nor the rounding of a platform's logarithm can move a cut.
"""

import math
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bnclass.data.columns import Floats
from bnclass.data.exact_entropy import (
    QUANTUM,
    Integers,
    entropy,
    mdl_threshold,
    mean_entropy,
    quantised,
)

Steps = npt.NDArray[np.int64]
"""Entropies in steps of 2⁻⁵⁶ bits, in which the screening counts: their sums fit int64."""

_FINE = 2**16
"""Steps to a quantum."""


def mdl_cuts(
    values: Floats, labels: npt.NDArray[np.integer[Any]], weights: Floats | None = None
) -> tuple[float, ...]:
    """Return the cut points of a column by the minimum description length principle.

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
            lower, upper = column.values[split.stop - 1 : split.stop + 1].tolist()
            middle = midpoint(lower, upper)
            cuts.append(lower if middle == upper else middle)
            parts += _halves(part, split)
    return tuple(sorted(cuts))


def midpoint(lower: float, upper: float) -> float:
    """Return (a + b)/2, or a/2 + b/2 where the sum overflows.

    Parameters
    ----------
    lower, upper : float

    Returns
    -------
    float
        At least `lower` and at most `upper`.

    Examples
    --------
    >>> from bnclass.data.mdl import midpoint
    >>> midpoint(1.0, 2.0), midpoint(1e308, 1.5e308)
    (1.5, 1.25e+308)
    """
    middle = (lower + upper) / 2
    return lower / 2 + upper / 2 if math.isinf(middle) else middle


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
    >>> bin_labels((0.1234566,), np.array([0.1234564, 0.1234568]))
    ('(-inf, 0.1234566]', '(0.1234566, inf)')
    >>> bin_labels((), np.array([1.0]))
    ('all',)
    """
    ends = ["-inf", *_shortest_texts(tuple(cuts), np.sort(values)), "inf"]
    if len(ends) == 2:
        return ("all",)
    bins = [f"({a}, {b}]" for a, b in pairwise(ends)]
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
    codes: npt.NDArray[np.intp]
    weights: Integers
    running: Integers | Floats  # weight up to and with the row, for screening
    class_running: Integers | Floats  # the same within the row's class
    previous: npt.NDArray[np.intp]  # the row before it in its class
    whole: Any  # weight of all rows
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
    units, unit = _whole_units(np.ones(kept.sum()) if weights is None else weights[kept])
    values = values[kept]
    order = np.argsort(values)
    units, codes = units[order], labels[kept][order].astype(np.intp)
    running, whole = np.cumsum(units), units.sum()
    within, previous = _within_classes(units, codes)
    rough = (_for_screening(running, whole), _for_screening(within, whole))
    return _Column(values[order], codes, units, *rough, previous, whole, unit)


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


def _within_classes(
    units: Integers, codes: npt.NDArray[np.intp]
) -> tuple[Integers, npt.NDArray[np.intp]]:
    """Return the running weight within each row's class, and the row before it there, or -1."""
    # A stable sort of the smallest integer type is a radix sort.
    by_class = np.argsort(codes.astype(np.min_scalar_type(codes.max(initial=0))), kind="stable")
    is_first = np.diff(codes[by_class], prepend=-1) > 0
    running = np.cumsum(units[by_class])
    before = (running - units[by_class])[is_first]
    within, previous = np.empty_like(running), np.empty_like(by_class)
    within[by_class] = running - np.repeat(
        before, np.diff(np.flatnonzero(np.append(is_first, True)))
    )
    previous[by_class] = np.where(is_first, -1, np.roll(by_class, 1))
    return within, previous


def _for_screening(sums: Integers, whole: Any) -> Integers | Floats:
    """Return integers as they are if they are int64, else as shares of the whole column."""
    return sums if sums.dtype == np.int64 else (sums / whole).astype(np.float64)


def _whole(column: _Column) -> _Part:
    n_rows = len(column.values)
    nothing = np.zeros(int(column.codes.max(initial=0)) + 1, dtype=column.weights.dtype)
    return _Part(0, n_rows, nothing, _counts(column, 0, n_rows, nothing))


def _halves(part: _Part, split: _Split) -> list[_Part]:
    return [
        _Part(part.start, split.stop, part.before, split.left),
        _Part(split.stop, part.stop, part.before + split.left, split.right),
    ]


def _counts(column: _Column, start: int, stop: int, more: Integers) -> Integers:
    """Return the class weights of some rows, added to those in `more`."""
    result = more.copy()
    np.add.at(result, column.codes[start:stop], column.weights[start:stop])
    return result


def _best_split(column: _Column, part: _Part) -> _Split | None:
    """Return the first split of the smallest quantised E, if the part can be cut at all."""
    if part.counts.sum() <= column.unit or (part.counts > 0).sum() < 2:
        return None
    contenders, at_best = _contenders(column, part)
    best, left, start = None, np.zeros_like(part.counts), part.start
    for stop in contenders:
        left, start = _counts(column, start, stop, left), stop
        right = part.counts - left
        quanta = quantised(mean_entropy(left, right))
        if best is None or quanta < best.entropy:
            best = _Split(stop, left, right, quanta)
        if quanta == at_best:
            break
    return best


def _contenders(column: _Column, part: _Part) -> tuple[list[int], int]:
    """Return the splits that may have the smallest quantised E, and a lower bound of it."""
    values = column.values[part.start : part.stop]
    stops = np.flatnonzero(values[:-1] < values[1:]) + 1
    error = _screening_error(column, part)
    if not stops.size or error > 2**60:  # 16 bits: screening would tell nothing
        return (stops + part.start).tolist(), 0
    entropies = _screen(column, part)[stops - 1]
    least = int(entropies.min())
    # Numbers less than a quantum apart may be equal after quantising.
    near = stops[entropies <= least + 2 * error + _FINE]
    return (near + part.start).tolist(), (least - error + _FINE // 2) // _FINE


def _screening_error(column: _Column, part: _Part) -> int:
    """Return a bound of the error of `_screen`.

    A share p is right to a few units in the last place, the logarithm likewise, and
    Σ|p log2 p| ≤ log2(2K): far below 2⁻⁵²(K + 32) bits. As shares of the whole column,
    weights and their differences lose a factor of W/N in p, and of 2·53 in p log2 p.
    """
    n_classes = len(part.counts)
    if column.weights.dtype == np.int64:
        return (n_classes + 32) * 2**4
    return (n_classes + 32) * 2**13 * int(column.whole // part.counts.sum() + 1)


def _screen(column: _Column, part: _Part) -> Steps:
    """Return E after each row of the part in steps of 2⁻⁵⁶ bits, from one pass over the rows.

    With p a share of N, E = Σ p log2 p over the two halves less the same sum over their
    class cells. A row that changes sides changes two cells only, so the second sum is a
    running one, whatever the number of classes; in integers it gathers no error.
    """
    rows = slice(part.start, part.stop)
    codes, previous = column.codes[rows], column.previous[rows] - part.start
    before, counts = (_for_screening(n, column.whole) for n in (part.before, part.counts))
    term = _p_log2_p(counts.sum(), len(codes))
    left = column.class_running[rows] - before[codes]
    n_left = column.running[rows] - before.sum()
    left_terms, right_terms = term(left), term(counts[codes] - left)
    all_right = term(counts)
    change = left_terms + right_terms
    change -= np.where(previous < 0, all_right[codes], change[previous.clip(0)])
    halves = term(n_left) + term(counts.sum() - n_left)
    entropies: Steps = halves - all_right.sum() - np.cumsum(change)
    return entropies


def _p_log2_p(total: Any, n_rows: int) -> Callable[[Any], Steps]:
    """Return the function n -> p log2 p with p = n/total; a table of it where that is small."""

    def direct(counts: Any) -> Steps:
        p = np.maximum(counts / total, np.finfo(np.float64).tiny)
        steps: Steps = np.rint(p * np.log2(p) * (QUANTUM * _FINE)).astype(np.int64)
        return steps

    if isinstance(total, np.integer) and total <= 4 * n_rows:
        return direct(np.arange(total + 1)).take
    return direct


def _is_accepted(split: _Split, unit: int) -> bool:
    gain = quantised(entropy(split.left + split.right)) - split.entropy
    return gain > 0 and gain > quantised(mdl_threshold(split.left, split.right, unit))
