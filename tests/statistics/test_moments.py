"""Moments: by hand, against exact fractions, and the laws that merging and weights obey."""

import functools
import itertools
import pickle
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnclass.exceptions import DataError, MemoryLimitError
from bnclass.statistics.family import FamilyMoments
from bnclass.statistics.moments import Moments

NAN = float("nan")


@dataclass(frozen=True)
class Rows:
    """What `Moments.from_arrays` reads; `values` has the values of all attributes side by side."""

    numbers: np.ndarray
    labels: np.ndarray
    weights: np.ndarray
    n_classes: int
    values: np.ndarray
    n_values: int

    def take(self, which):
        parts = (self.numbers, self.labels, self.weights, self.values)
        numbers, labels, weights, values = (part[which] for part in parts)
        return replace(self, numbers=numbers, labels=labels, weights=weights, values=values)

    def moments(self, order=2):
        return Moments.from_arrays(
            self.numbers,
            self.labels,
            self.weights,
            self.n_classes,
            self.values,
            self.n_values,
            order,
        )

    def scale(self):
        """Return an upper bound of every scatter, 1 for a table without any."""
        seen = self.numbers[~np.isnan(self.numbers)]
        spread = np.ptp(seen) if seen.size else 0.0
        return max(float(self.weights.sum()) * float(spread) ** 2, 1e-300)


def rows_of(numbers, labels=None, weights=None, values=None, n_classes=None, n_values=0):
    numbers = np.array(numbers, dtype=np.float64)
    t = len(numbers)
    labels = np.zeros(t, np.int32) if labels is None else np.array(labels, dtype=np.int32)
    weights = np.ones(t) if weights is None else np.array(weights, dtype=np.float64)
    values = np.empty((t, 0), np.int32) if values is None else np.array(values, dtype=np.int32)
    if n_classes is None:
        n_classes = int(labels.max(initial=0)) + 1
    return Rows(numbers, labels, weights, n_classes, values, n_values)


def small():
    """Return five rows of two numbers and one discrete attribute of two states."""
    return rows_of(
        [[1, 2], [3, 6], [5, NAN], [2, 8], [NAN, 4]],
        labels=[0, 0, 0, 1, 1],
        values=[[0], [1], [1], [-1], [0]],
        n_values=2,
    )


@st.composite
def tables(draw, holes=True, max_rows=12):
    """Draw rows; a number is one of few, or any of a narrow or a wide range."""
    t, c = draw(st.integers(0, max_rows)), draw(st.integers(1, 3))
    k, cards = draw(st.integers(1, 3)), draw(st.lists(st.integers(1, 3), max_size=2))
    offset = draw(st.sampled_from([0.0, 0.0, 1000.0]))
    number = st.one_of(st.integers(-2, 2).map(float), st.floats(-50, 50)).map(offset.__add__)
    cell = st.one_of(st.just(NAN), number, number) if holes else number
    numbers = draw(st.lists(st.lists(cell, min_size=c, max_size=c), min_size=t, max_size=t))
    labels = draw(st.lists(st.integers(0, k - 1), min_size=t, max_size=t))
    weights = draw(st.lists(st.sampled_from([1.0, 1.0, 0.3, 2.5]), min_size=t, max_size=t))
    starts = np.cumsum([0, *cards])
    codes = [draw(st.lists(st.integers(-1, card - 1), min_size=t, max_size=t)) for card in cards]
    values = [
        [-1 if code < 0 else int(start) + code for code in column]
        for start, column in zip(starts, codes, strict=False)
    ]
    return Rows(
        np.array(numbers, dtype=np.float64).reshape(t, c),
        np.array(labels, dtype=np.int32),
        np.array(weights, dtype=np.float64),
        k,
        np.array(values, dtype=np.int32).reshape(len(cards), t).T.copy(),
        int(starts[-1]),
    )


# ---------------------------------------------------------------- slow and exact


def exact(rows, columns, keep):
    """Return weight, means and scatter of columns over the kept rows with all of them observed."""
    chosen = [
        (Fraction(float(w)), [Fraction(float(x)) for x in line[columns]])
        for r, (line, w) in enumerate(zip(rows.numbers, rows.weights, strict=True))
        if keep(r) and not np.isnan(line[columns]).any()
    ]
    p, n = len(columns), sum((w for w, _ in chosen), Fraction(0))
    if n == 0:
        return 0, [0] * p, [[0] * p for _ in range(p)]
    mean = [sum(w * x[a] for w, x in chosen) / n for a in range(p)]
    scatter = [
        [sum(w * (x[a] - mean[a]) * (x[b] - mean[b]) for w, x in chosen) for b in range(p)]
        for a in range(p)
    ]
    return n, mean, scatter


def assert_exact(moments, place, expected, scale):
    n, mean, scatter = expected
    assert moments.n[place] == pytest.approx(float(n), rel=1e-13)
    assert moments.mean[place] == pytest.approx(np.array(mean, dtype=float), rel=1e-13, abs=1e-12)
    difference = moments.scatter[place] - np.array(scatter, dtype=float)
    assert np.abs(difference).max(initial=0.0) <= 1e-12 * scale


def assert_close(one, other, scale, tolerance=1e-9):
    """Compare moments part by part; `scale` bounds the scatters."""
    for name in ("singles", "pairs", "cells"):
        a, b = getattr(one, name), getattr(other, name)
        np.testing.assert_allclose(a.n, b.n, rtol=tolerance)
        np.testing.assert_allclose(a.mean, b.mean, rtol=tolerance, atol=tolerance)
        np.testing.assert_allclose(a.scatter, b.scatter, rtol=0, atol=tolerance * scale)


def bits(moments):
    """Return all moments as bytes, for comparison bit by bit."""
    parts = (moments.singles, moments.pairs, moments.cells)
    return [a.tobytes() for p in parts if p is not None for a in (p.n, p.mean, p.scatter)]


# ---------------------------------------------------------------- one family, by hand


def test_a_family_by_hand():
    numbers = np.array([[1.0, 2.0], [3.0, 6.0], [7.0, 7.0]])
    family = FamilyMoments.from_rows(np.array([2, 2, 0]), (2, 2), numbers, np.array([1.0, 3.0, 2]))
    assert family.n.tolist() == [[2, 0], [4, 0]]
    # Weights 1 and 3: means 10/4 and 20/4.
    assert family.mean.tolist() == [[[7, 7], [0, 0]], [[2.5, 5], [0, 0]]]
    # 1·1.5² + 3·0.5², 1·1.5·3 + 3·0.5·1, 1·3² + 3·1².
    assert family.scatter[1, 0].tolist() == [[3, 6], [6, 12]]
    assert family.covariance[1, 0].tolist() == [[0.75, 1.5], [1.5, 3]]
    assert family.scatter[0].tolist() == np.zeros((2, 2, 2)).tolist()
    assert family.covariance[0, 1].tolist() == [[0, 0], [0, 0]]
    assert family.select([1]).scatter[1, 0].tolist() == [[12]]
    assert family.select([1, 0]).mean[1, 0].tolist() == [5, 2.5]
    assert family.reshape([4]).mean.tolist() == [[7, 7], [0, 0], [2.5, 5], [0, 0]]


def test_collapsing_by_hand():
    numbers, cells = np.array([[0.0], [2.0], [4.0], [10.0]]), np.array([0, 0, 1, 3])
    family = FamilyMoments.from_rows(cells, (2, 2), numbers, np.ones(4))
    classes = family.collapse([1])
    assert classes.n.tolist() == [3, 1]
    assert classes.mean.tolist() == [[2], [10]]
    assert classes.scatter.tolist() == [[[8]], [[0]]]
    everything = family.collapse([0, 1])
    assert everything.n.shape == ()
    assert everything.mean.tolist() == [4]
    assert everything.scatter.tolist() == [[16 + 4 + 0 + 36]]
    assert family.collapse([1, 0]).scatter.tolist() == [[56]]
    assert family.collapse([]).scatter.tolist() == family.scatter.tolist()


# ---------------------------------------------------------------- all families, by hand


def test_moments_by_hand():
    moments = small().moments()
    assert moments.single(0).n.tolist() == [3, 1]
    assert moments.single(0).mean.tolist() == [[3], [2]]
    assert moments.single(0).scatter.tolist() == [[[8]], [[0]]]
    assert moments.single(1).mean.tolist() == [[4], [6]]
    # Class 0 has the rows (1, 2) and (3, 6) with both observed, class 1 has (2, 8).
    assert moments.pair(0, 1).n.tolist() == [2, 1]
    assert moments.pair(0, 1).mean.tolist() == [[2, 4], [2, 8]]
    assert moments.pair(0, 1).scatter.tolist() == [[[2, 4], [4, 8]], [[0, 0], [0, 0]]]
    assert moments.pair(1, 0).mean.tolist() == [[4, 2], [8, 2]]
    assert moments.pair(1, 0).scatter.tolist() == [[[8, 4], [4, 2]], [[0, 0], [0, 0]]]
    assert moments.pair(0, 0).scatter[0].tolist() == [[8, 8], [8, 8]]
    cell = moments.cell(slice(0, 2), 0)
    assert cell.n.tolist() == [[1, 2], [0, 0]]
    assert cell.mean.tolist() == [[[1], [4]], [[0], [0]]]
    assert cell.scatter.tolist() == [[[[0]], [[2]]], [[[0]], [[0]]]]
    assert moments.cell(slice(0, 1), 1).mean.tolist() == [[[2]], [[4]]]


# ---------------------------------------------------------------- against fractions


@settings(deadline=None)
@given(tables(holes=False), st.data())
def test_a_family_agrees_with_exact_fractions(rows, data):
    t, shape = len(rows.labels), (rows.n_classes, 2)
    states = np.array(data.draw(st.lists(st.integers(0, 1), min_size=t, max_size=t)), dtype=int)
    cells = rows.labels.astype(np.int64) * 2 + states
    family = FamilyMoments.from_rows(cells, shape, rows.numbers, rows.weights)
    columns = list(range(rows.numbers.shape[1]))
    for place in np.ndindex(shape):
        keep = lambda r, cell=place[0] * 2 + place[1]: cells[r] == cell  # noqa: E731
        assert_exact(family, place, exact(rows, columns, keep), rows.scale())
    for y in range(rows.n_classes):
        expected = exact(rows, columns, lambda r, y=y: rows.labels[r] == y)
        assert_exact(family.collapse([1]), y, expected, rows.scale())
    expected = exact(rows, columns, lambda r: True)
    assert_exact(family.collapse([0, 1]), (), expected, rows.scale())


@settings(deadline=None)
@given(tables())
def test_every_moment_agrees_with_exact_fractions(rows):
    moments, scale = rows.moments(), rows.scale()
    n_columns = rows.numbers.shape[1]
    for y, i in itertools.product(range(rows.n_classes), range(n_columns)):
        expected = exact(rows, [i], lambda r, y=y: rows.labels[r] == y)
        assert_exact(moments.single(i), y, expected, scale)
        for j in range(n_columns):
            expected = exact(rows, [i, j], lambda r, y=y: rows.labels[r] == y)
            assert_exact(moments.pair(i, j), y, expected, scale)
        cell = moments.cell(slice(0, rows.n_values), i)
        for v in range(rows.n_values):
            expected = exact(
                rows, [i], lambda r, y=y, v=v: rows.labels[r] == y and v in rows.values[r]
            )
            assert_exact(cell, (y, v), expected, scale)


@settings(deadline=None)
@given(tables(), st.data())
def test_complete_families_agree_with_exact_fractions(rows, data):
    c = rows.numbers.shape[1]
    indexes = data.draw(st.permutations(range(c)))[: data.draw(st.integers(1, c))]
    moments, missing = rows.moments(), np.isnan(rows.numbers[:, indexes])
    together = bool((missing == missing[:, :1]).all())
    assert moments.complete(indexes) == together
    if not together:
        with pytest.raises(DataError, match=r"continuous attributes \[.*\] are not observed"):
            moments.family(indexes)
        return
    family = moments.family(indexes)
    for y in range(rows.n_classes):
        expected = exact(rows, indexes, lambda r, y=y: rows.labels[r] == y)
        assert_exact(family, y, expected, rows.scale())


def many(holes, seed=0):
    """Return rows by the hundred: more than the loops take at once, and no multiple of it."""
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=(1003, 7)) @ rng.normal(size=(7, 7)) + rng.normal(size=7) * 100
    numbers[rng.random(numbers.shape) < holes * np.arange(7) / 7] = NAN
    labels = rng.integers(0, 3, 1003).astype(np.int32)
    values = (rng.integers(-1, 4, (1003, 2)) + np.array([0, 4])).astype(np.int32)
    values[values[:, 1] == 3, 1] = -1
    return Rows(numbers, labels, rng.uniform(0.1, 3, 1003), 3, values, 8)


@pytest.mark.parametrize("holes", [0.0, 0.3])
def test_many_rows_agree_with_numpy(holes):
    rows = many(holes)
    moments = rows.moments()
    for y, (i, j) in itertools.product(range(3), itertools.product(range(7), repeat=2)):
        kept = (rows.labels == y) & ~np.isnan(rows.numbers[:, [i, j]]).any(axis=1)
        numbers, w = rows.numbers[kept][:, [i, j]], rows.weights[kept]
        mean = np.average(numbers, axis=0, weights=w)
        pair = moments.pair(i, j)
        assert pair.n[y] == pytest.approx(w.sum(), rel=1e-12)
        assert pair.mean[y] == pytest.approx(mean, rel=1e-12)
        scatter = (numbers - mean).T @ ((numbers - mean) * w[:, np.newaxis])
        assert pair.scatter[y] == pytest.approx(scatter, rel=1e-9, abs=1e-9 * scatter.max())
        for v in range(8):
            kept = (rows.labels == y) & (rows.values == v).any(axis=1)
            kept &= ~np.isnan(rows.numbers[:, i])
            x, w = rows.numbers[kept, i], rows.weights[kept]
            scatter = (w * (x - np.average(x, weights=w)) ** 2).sum()
            assert moments.cells.scatter[y, v, i] == pytest.approx(scatter, rel=1e-9)


def test_a_column_with_holes_leaves_the_others_alone():
    """Pairs of whole columns are summed the short way, wherever the others stand."""
    rows = many(0.0)
    numbers = rows.numbers.copy()
    numbers[::5, 3] = NAN
    places = np.array([0, 1, 2, 4, 5, 6])
    one = replace(rows, numbers=numbers).moments()
    other = replace(rows, numbers=numbers[:, places]).moments()
    square = (slice(None), places[:, np.newaxis], places)
    assert one.pairs.n[square].tobytes() == other.pairs.n.tobytes()
    assert one.pairs.mean[square].tobytes() == other.pairs.mean.tobytes()
    assert one.pairs.scatter[square].tobytes() == other.pairs.scatter.tobytes()


# ---------------------------------------------------------------- laws


@settings(deadline=None)
@given(tables(), st.lists(st.integers(0, 12), max_size=3), st.randoms(use_true_random=False))
def test_chunks_merge_to_one_pass_in_any_order(rows, cuts, random):
    t = len(rows.labels)
    ends = [0, *sorted(min(cut, t) for cut in cuts), t]
    chunks = [rows.take(slice(a, b)).moments() for a, b in itertools.pairwise(ends)]
    merged = functools.reduce(Moments.merge, random.sample(chunks, len(chunks)))
    assert_close(merged, rows.moments(), rows.scale())


@settings(deadline=None)
@given(tables(), st.data())
def test_whole_weights_are_repeated_rows(rows, data):
    t = len(rows.labels)
    weights = np.array(data.draw(st.lists(st.integers(1, 4), min_size=t, max_size=t)), dtype=int)
    weighted = replace(rows, weights=weights.astype(float))
    repeated = replace(rows, weights=np.ones(t)).take(np.repeat(np.arange(t), weights))
    assert_close(weighted.moments(), repeated.moments(), weighted.scale())


@settings(deadline=None)
@given(tables(), st.randoms(use_true_random=False))
def test_row_order_changes_rounding_only(rows, random):
    t = len(rows.labels)
    shuffled = rows.take(np.array(random.sample(range(t), t), dtype=int))
    assert_close(shuffled.moments(), rows.moments(), rows.scale())


@settings(deadline=None)
@given(tables(), st.randoms(use_true_random=False))
def test_column_order_permutes_the_moments(rows, random):
    c = rows.numbers.shape[1]
    order = np.array(random.sample(range(c), c))
    moved, moments = replace(rows, numbers=rows.numbers[:, order]).moments(), rows.moments()
    permuted = Moments(
        moments.singles.at(slice(None), order),
        moments.pairs.at(slice(None), order[:, np.newaxis], order),
        moments.cells.at(slice(None), slice(None), order),
    )
    assert_close(moved, permuted, rows.scale(), 1e-12)


@settings(deadline=None)
@given(tables(), st.sampled_from([1e6, -1e6]))
def test_shifts_move_only_the_means(rows, shift):
    moments = rows.moments()
    moved = replace(rows, numbers=rows.numbers + shift).moments()
    for name in ("singles", "pairs", "cells"):
        one, other = getattr(moments, name), getattr(moved, name)
        seen = (one.n > 0)[..., np.newaxis]
        assert one.n.tobytes() == other.n.tobytes()
        np.testing.assert_allclose(other.mean, np.where(seen, one.mean + shift, 0), rtol=1e-14)
        # Each number is rounded to a multiple of 2⁻³⁴ when it is moved.
        room = 1e-9 * (rows.weights.sum() + rows.scale())
        np.testing.assert_allclose(one.scatter, other.scatter, rtol=0, atol=room)


@pytest.mark.parametrize("holes", [0.0, 0.3])
def test_a_large_offset_changes_no_variance(holes):
    """Of numbers that 1e9 does not round: sums of raw squares would lose all digits."""
    rows = many(holes)
    rows = replace(rows, numbers=np.round(rows.numbers * 64) / 64)
    moved = replace(rows, numbers=rows.numbers + 1e9).moments()
    for name in ("singles", "pairs", "cells"):
        one, other = getattr(rows.moments(), name), getattr(moved, name)
        scale = one.scatter.max()
        np.testing.assert_allclose(other.scatter, one.scatter, rtol=1e-9, atol=1e-9 * scale)


@settings(deadline=None)
@given(tables())
def test_single_attributes_are_the_same_without_pairs(rows):
    singles = rows.moments(order=1)
    assert bits(singles) == bits(rows.moments())[:3]
    assert singles.pairs is None
    assert singles.cells is None


@settings(deadline=None)
@given(tables())
def test_variances_are_not_negative(rows):
    moments = rows.moments()
    for part in (moments.singles, moments.pairs, moments.cells):
        assert (np.diagonal(part.scatter, axis1=-2, axis2=-1) >= 0).all()


def test_a_copy_of_a_column_has_the_same_products():
    rows = many(0.0)
    twice = replace(rows, numbers=np.hstack([rows.numbers, rows.numbers])).moments()
    for i in range(7):
        variance, copied = twice.single(i).scatter, twice.pair(i, i + 7).scatter
        assert np.broadcast_to(variance, copied.shape).tobytes() == copied.tobytes()


def test_copies_with_holes_are_complete():
    """With weights whose sum depends on the order, it must be the same order."""
    rows = many(0.3)
    moments = replace(rows, numbers=np.hstack([rows.numbers, rows.numbers])).moments()
    assert moments.complete([6, 13])
    assert not moments.complete([5, 13])


# ---------------------------------------------------------------- edges


def test_no_continuous_attribute():
    rows = replace(small(), numbers=np.empty((5, 0)))
    for order in (1, 2):
        assert rows.moments(order).singles.n.shape == (2, 0)
    moments = rows.moments()
    assert moments.pairs.scatter.shape == (2, 0, 0, 2, 2)
    assert moments.cells.n.shape == (2, 2, 0)
    assert moments.merge(moments).singles.n.shape == (2, 0)


def test_no_discrete_attribute():
    moments = rows_of([[1.0], [2.0]]).moments()
    assert moments.cells.n.shape == (1, 0, 1)
    assert moments.merge(moments).cells.n.shape == (1, 0, 1)


def test_no_rows():
    moments = small().take(slice(0)).moments()
    for part in (moments.singles, moments.pairs, moments.cells):
        assert not part.n.any()
        assert not part.mean.any()
        assert not part.scatter.any()
    assert moments.merge(small().moments()).pair(0, 1).mean.tolist() == [[2, 4], [2, 8]]
    family = FamilyMoments.from_rows(np.empty(0, int), (2,), np.empty((0, 3)), np.empty(0))
    assert family.n.tolist() == [0, 0]
    assert family.collapse([0]).mean.tolist() == [0, 0, 0]


def test_no_rows_for_a_class():
    moments = rows_of([[4.0, 1.0], [4.5, 3.0]], labels=[2, 2], n_classes=4).moments()
    assert moments.single(0).n.tolist() == [0, 0, 2, 0]
    assert moments.single(0).mean.tolist() == [[0], [0], [4.25], [0]]
    assert moments.pair(0, 1).collapse([0]).scatter.tolist() == [[0.125, 0.5], [0.5, 2]]


@pytest.mark.parametrize("constant", [0.1, 1e9 + 0.1, -1e100, 5e-324])
@pytest.mark.parametrize("hole", [False, True])
def test_a_constant_column_has_no_scatter_at_all(constant, hole):
    rows = many(0.3 * hole)
    numbers = rows.numbers.copy()
    numbers[:, 1] = constant
    numbers[::3, 1] = NAN if hole else constant
    moments = replace(rows, numbers=numbers).moments()
    assert moments.single(1).mean.tolist() == [[constant]] * 3
    assert moments.single(1).scatter.tolist() == [[[0.0]]] * 3
    assert moments.single(1).collapse([0]).mean.tolist() == [constant]
    assert moments.single(1).collapse([0]).scatter.tolist() == [[0.0]]
    for j in (0, 6):
        pair = moments.pair(1, j)
        assert pair.mean[:, 0].tolist() == [constant] * 3
        assert not pair.scatter[:, 0].any()
    assert moments.cell(slice(0, 8), 1).mean.tolist() == [[[constant]] * 8] * 3
    assert not moments.cell(slice(0, 8), 1).scatter.any()
    merged = moments.merge(moments)
    assert merged.single(1).mean.tolist() == [[constant]] * 3
    assert not merged.single(1).scatter.any()


def test_a_configuration_of_equal_numbers_has_no_scatter_at_all():
    values = np.random.default_rng(4).normal(size=50)
    cells = np.repeat(np.arange(50), 7)
    numbers = np.stack([values[cells], np.full(350, 0.7)], axis=1)
    family = FamilyMoments.from_rows(cells + 1, (51,), numbers, np.linspace(0.1, 0.9, 350))
    assert family.mean[1:, 0].tolist() == values.tolist()
    assert not family.scatter.any()
    # The first configuration is empty: its mean is no place to start from.
    assert family.collapse([0]).mean[1] == 0.7
    assert not family.collapse([0]).scatter[1].any()


@pytest.mark.parametrize("place", [0, 1, 2])
def test_merging_with_empty_configurations_changes_no_bit(place):
    rng = np.random.default_rng(5)
    numbers, weights = rng.normal(size=(9, 2)), rng.uniform(0.1, 2, 9)
    family = FamilyMoments.from_rows(np.full(9, place), (3,), numbers, weights)
    whole = family.collapse([0])
    assert whole.n == family.n[place]
    assert whole.mean.tobytes() == family.mean[place].tobytes()
    assert whole.scatter.tobytes() == family.scatter[place].tobytes()


def test_an_attribute_that_is_always_missing():
    rows = small()
    rows = replace(rows, numbers=np.hstack([rows.numbers, np.full((5, 1), NAN)]))
    moments = rows.moments()
    assert moments.single(2).n.tolist() == [0, 0]
    assert moments.single(2).mean.tolist() == [[0], [0]]
    assert moments.pair(0, 2).n.tolist() == [0, 0]
    assert moments.pair(2, 0).mean.tolist() == [[0, 0], [0, 0]]
    assert not moments.cell(slice(0, 2), 2).n.any()
    assert moments.pair(0, 1).mean.tolist() == [[2, 4], [2, 8]]
    assert not moments.complete([0, 2])


def test_attributes_that_are_never_observed_together():
    moments = rows_of([[1.0, NAN], [3.0, NAN], [NAN, 5.0]]).moments()
    assert moments.pair(0, 1).n.tolist() == [0]
    assert moments.pair(0, 1).mean.tolist() == [[0, 0]]
    assert moments.pair(0, 1).covariance.tolist() == [[[0, 0], [0, 0]]]
    assert not moments.complete([0, 1])


def test_numbers_as_large_as_they_may_be():
    moments = rows_of([[1e100, -1e100], [-1e100, 1e100]]).moments()
    assert moments.pair(0, 1).scatter.tolist() == [[[2e200, -2e200], [-2e200, 2e200]]]
    assert np.isfinite(moments.merge(moments).pairs.scatter).all()


def with_light_outlier(others, weight):
    """Return rows whose first, and so the first guess of the mean, is far off and of no weight."""
    numbers = np.vstack([np.full((1, others.shape[1]), 1e16), others])
    return rows_of(numbers, weights=np.append(weight, np.ones(len(others))))


def test_an_outlier_that_comes_first_costs_the_others_no_digits():
    rows = with_light_outlier(np.random.default_rng(3).normal(size=(999, 2)), 1e-30)
    n, mean, scatter = exact(rows, [0, 1], lambda r: True)
    family = FamilyMoments.from_rows(np.zeros(1000, int), (1,), rows.numbers, rows.weights)
    for moments in (rows.moments().pair(0, 1), rows.moments().family([0, 1]), family):
        assert moments.n[0] == pytest.approx(float(n))
        assert moments.mean[0] == pytest.approx(np.array(mean, dtype=float), rel=1e-9)
        assert moments.scatter[0] == pytest.approx(np.array(scatter, dtype=float), rel=1e-9)


@pytest.mark.parametrize("value", [0.1, 0.3, 0.7, 1.1, 1.3, 1.7])
def test_rounding_takes_no_variance_below_zero(value):
    rows = with_light_outlier(np.full((13, 1), value), 1e-70)
    family = FamilyMoments.from_rows(np.zeros(14, int), (1,), rows.numbers, rows.weights)
    for moments in (rows.moments().single(0), family):
        assert 0 <= moments.scatter[0, 0, 0] < 1e-12


# ---------------------------------------------------------------- refusals


def test_moments_that_were_not_taken_are_refused():
    singles = small().moments(order=1)
    for ask in (
        lambda: singles.pair(0, 1),
        lambda: singles.cell(slice(0, 2), 0),
        lambda: singles.complete([0, 1]),
        lambda: singles.family([0, 1]),
    ):
        with pytest.raises(DataError, match="moments of single attributes only"):
            ask()


def test_merging_with_single_attributes_leaves_single_attributes():
    pairs, singles = small().moments(), small().moments(order=1)
    for merged in (pairs.merge(singles), singles.merge(pairs)):
        assert merged.pairs is None
        assert merged.cells is None
        assert merged.singles.n.tolist() == (2 * pairs.singles.n).tolist()


def test_moments_of_other_shapes_do_not_merge():
    one, other = small().moments(), rows_of([[1.0, 2.0]], n_classes=3).moments()
    with pytest.raises(DataError, match=r"\(2, 2, 1\) and \(3, 2, 1\) cannot be merged"):
        one.merge(other)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"n_classes": 1}, "found labels from 0 to 1, expected 0 to 0"),
        ({"labels": np.array([0, 0, -1, 1, 1], np.int32)}, "found labels from -1 to 1"),
        ({"n_values": 1}, "found values from -1 to 1, expected -1 to 0"),
        ({"values": np.full((5, 1), -2, np.int32)}, "found values from -2 to -2"),
    ],
)
def test_codes_out_of_range_are_refused(changes, message):
    with pytest.raises(DataError, match=message):
        replace(small(), **changes).moments()


@pytest.mark.parametrize("cell", [-1, 4])
def test_a_configuration_out_of_range_is_refused(cell):
    with pytest.raises(DataError, match="found configurations from"):
        FamilyMoments.from_rows(np.array([0, cell]), (2, 2), np.ones((2, 1)), np.ones(2))


@pytest.mark.parametrize(
    "shapes", [((2,), (3, 1), (2, 1, 1)), ((2,), (2, 1), (2, 2, 2)), ((), (), ())]
)
def test_arrays_that_do_not_fit_together_are_refused(shapes):
    with pytest.raises(DataError, match="weights, means and scatters of shapes"):
        FamilyMoments(*map(np.zeros, shapes))


# ---------------------------------------------------------------- read-only


@pytest.mark.parametrize(
    "moments", [small().moments(), pickle.loads(pickle.dumps(small().moments()))]
)
def test_moments_cannot_be_changed_from_outside(moments):
    views = (moments.single(0), moments.pair(0, 1), moments.cell(slice(0, 2), 0))
    for part in (moments.singles, moments.pairs, moments.cells, *views):
        for array in (part.n, part.mean, part.scatter):
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 7


def test_an_array_that_was_handed_in_stays_writable():
    mine = np.array([3.0, 3.0])
    FamilyMoments(mine, np.zeros((2, 1)), np.zeros((2, 1, 1)))
    mine[0] = 4.0
    assert mine.tolist() == [4.0, 3.0]


def test_pickling_keeps_every_bit():
    assert bits(pickle.loads(pickle.dumps(small().moments()))) == bits(small().moments())


# ---------------------------------------------------------------- memory


def test_moments_beyond_the_limit_are_refused_before_allocation():
    rows = rows_of(np.zeros((2, 100_000)))
    with pytest.raises(MemoryLimitError, match="moments of all pairs of 100000 numbers"):
        rows.moments()
    assert rows.moments(order=1).singles.n.shape == (1, 100_000)
    rows = rows_of(np.zeros((2, 10)), values=np.zeros((2, 1)), n_values=2**31)
    with pytest.raises(MemoryLimitError, match="moments of 10 numbers by 2147483648 values"):
        rows.moments()
    with pytest.raises(MemoryLimitError, match="moments of 2 numbers in 1000000000000000000 con"):
        FamilyMoments.from_rows(np.zeros(1, int), (10**9, 10**9), np.zeros((1, 2)), np.ones(1))
