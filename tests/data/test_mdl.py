import os
from fractions import Fraction
from math import prod
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import mdl as oracle
from sklearn.datasets import load_iris

from bnclass.data.mdl import bin_labels, mdl_cuts, midpoint
from bnclass.data.readers import read_table


def cuts(values, labels, weights=None):
    weights = None if weights is None else np.asarray(weights, dtype=np.float64)
    return mdl_cuts(np.asarray(values, dtype=np.float64), np.asarray(labels, dtype=int), weights)


# --- by hand ---------------------------------------------------------------------------


def test_two_pure_halves_are_cut():
    # N = 6, H = 1, E = 0: gain 1 > (log2 5 + log2 7 - 2) / 6 = 0.5215
    assert cuts([1, 2, 3, 4, 5, 6], [0, 0, 0, 1, 1, 1]) == (3.5,)


def test_a_gain_below_the_threshold_is_no_cut():
    # N = 3, H = 0.9183, E = 2/3: gain 0.2516 < (1 + log2 7 - 2 * 0.9183 + 2) / 3 = 1.3236
    assert cuts([1, 2, 3], [0, 1, 0]) == ()


def test_two_rows_of_two_classes_are_cut():
    # gain 1 > (log2 1 + log2 7 - 2) / 2 = 0.4037
    assert cuts([1, 2], [0, 1]) == (1.5,)


def test_a_gain_of_zero_is_no_gain():
    assert cuts(np.repeat(np.arange(60), 2), np.tile([0, 1], 60)) == ()


def test_a_gain_of_zero_is_no_gain_even_below_a_negative_threshold():
    # N - 1 = 2**-28, so that the threshold is (-28 + log2 7 + 2) / N < 0
    assert cuts([1, 1, 2, 2], [0, 1, 0, 1], [0.25 + 2**-30] * 4) == ()


def test_the_first_of_two_mirrored_cuts_wins():
    # (20, 0) (1, 1) (0, 20): cuts at 1.5 and 2.5 leave the same entropy; what is left
    # of the second after the first, (1, 1) (0, 20), is not worth a cut.
    values = np.repeat([1, 2, 3], [20, 2, 20])
    labels = np.repeat([0, 0, 1, 1], [20, 1, 1, 20])
    assert cuts(values, labels) == (1.5,)


@pytest.mark.parametrize(
    "counts",
    [
        [[0, 0, 8], [0, 16, 8], [8, 8, 8]],
        [[0, 0, 12], [4, 2, 6], [0, 4, 0]],
        [[12, 0, 0], [3, 1, 2], [0, 4, 8]],
        [[12, 6, 0], [6, 6, 8], [2, 0, 16]],
    ],
)
def test_the_first_of_two_equal_cuts_wins_whatever_doubles_say(counts):
    # In double precision some sums of p log2 p make the second of the equal cuts the smaller.
    counts = np.array(counts)
    values = np.repeat([1.0, 2.0, 3.0], counts.sum(axis=1))
    labels = np.concatenate([np.repeat(range(3), row) for row in counts])
    assert power_of_two_to_the_entropy(counts, 1) == power_of_two_to_the_entropy(counts, 2)
    assert cuts(values, labels) == (1.5,)


def power_of_two_to_the_entropy(counts, stop):
    """Return 2 ** (N1*H1 + N2*H2) = N1**N1 * N2**N2 / prod(n**n) of a cut, exactly."""
    result = Fraction(1)
    for half in (counts[:stop].sum(axis=0).tolist(), counts[stop:].sum(axis=0).tolist()):
        result *= Fraction(sum(half) ** sum(half), prod(n**n for n in half))
    return result


def test_iris():
    X, y = load_iris(return_X_y=True)
    found = [cuts(column, y) for column in X.T]
    expected = [(5.55, 6.15), (2.95, 3.35), (2.45, 4.75), (0.8, 1.75)]
    assert [len(c) for c in found] == [2, 2, 2, 2]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "column", "expected"),
    [
        ("diabetes.arff", "plas", [99.5, 127.5, 154.5]),
        ("diabetes.arff", "insu", [14.5, 121]),
        ("diabetes.arff", "skin", []),
        ("glass.arff", "RI", [1.517335, 1.517985]),
        ("glass.arff", "K", [0.055, 0.615, 0.745]),
        ("heart-statlog.arff", "oldpeak", [1.7]),
    ],
)
def test_weka_prints_the_same_cuts(name, column, expected):
    if "BNCLASS_DATA" not in os.environ:
        pytest.skip("BNCLASS_DATA does not name the folder of data sets")
    frame = read_table(Path(os.environ["BNCLASS_DATA"]) / name)
    _, labels = np.unique(frame.iloc[:, -1].to_numpy(dtype=str), return_inverse=True)
    found = cuts(frame[column].to_numpy(), labels)
    assert found == pytest.approx(expected, rel=0, abs=1e-6)


# --- the oracle ------------------------------------------------------------------------

WEIGHTS = {
    "none": None,
    "counts": st.integers(0, 3).map(float),
    "eighths": st.integers(0, 20).map(lambda n: n / 8),
    "tenths": st.integers(0, 20).map(lambda n: n / 10),
    "any": st.floats(0, 10),
    "wide": st.sampled_from([0.0, 1e-300, 1e-17, 0.1, 1.0, 3e17, 1e300]),
}


@st.composite
def columns(draw):
    """Draw values with many ties, labels that depend on them or not, and weights."""
    number = st.one_of(st.integers(0, 6).map(float), st.floats(-1e3, 1e3), st.just(np.nan))
    values = draw(st.lists(number, max_size=30))
    n_classes = draw(st.integers(1, 6))
    classes = st.integers(0, n_classes - 1)
    if draw(st.booleans()):
        drawn = draw(st.lists(classes, min_size=8, max_size=8))
        labels = [0 if np.isnan(value) else drawn[int(value) % 8] for value in values]
    else:
        labels = draw(st.lists(classes, min_size=len(values), max_size=len(values)))
    weight = WEIGHTS[draw(st.sampled_from(sorted(WEIGHTS)))]
    size = {"min_size": len(values), "max_size": len(values)}
    weights = None if weight is None else draw(st.lists(weight, **size))
    return values, labels, weights


@settings(max_examples=300, deadline=None)
@given(columns())
def test_equals_the_oracle(column):
    assert cuts(*column) == oracle.mdl_cuts(*column)


@pytest.mark.parametrize("n_classes", [2, 3, 6])
@pytest.mark.parametrize("n_values", [8, 40, 200])
def test_equals_the_oracle_on_columns_with_several_cuts(n_classes, n_values):
    rng = np.random.default_rng(n_classes * n_values)
    values = rng.integers(0, n_values, 240).astype(np.float64)
    blocks = values * max(n_classes, 3) / n_values + rng.random(240) / 3
    labels = blocks.astype(int) % n_classes
    found = cuts(values, labels)
    assert len(found) > 1
    assert found == oracle.mdl_cuts(values, labels)
    weights = rng.choice([0.0, 0.5, 1.0, 0.3], 240)
    assert cuts(values, labels, weights) == oracle.mdl_cuts(values, labels, weights)


@pytest.mark.parametrize("heavy", [1.1 * 2**k for k in range(24, 44, 2)])
@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([[12, 6, 0], [6, 6, 8], [2, 0, 16]], (0.5, 1.5)),  # two equal cuts
        ([[6, 0, 0], [6, 0, 0], [0, 12, 0]], (0.5, 2.5)),  # the second is better by far
    ],
)
def test_cuts_beside_a_row_that_outweighs_all_others(counts, expected, heavy):
    # Of a running sum in double precision the light rows would have but 10 to 30 bits.
    counts = np.array(counts)
    values = np.append(np.repeat([1.0, 2.0, 3.0], counts.sum(axis=1)), 0.0)
    labels = np.append(np.concatenate([np.repeat(range(3), row) for row in counts]), 3)
    weights = np.append(np.full(len(values) - 1, 1.1), heavy)
    assert cuts(values, labels, weights) == expected
    assert oracle.mdl_cuts(values, labels, weights) == expected


# --- laws ------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(columns(), st.randoms(use_true_random=False))
def test_row_order_changes_no_bit(column, random):
    values, labels, weights = column
    order = list(range(len(values)))
    random.shuffle(order)
    shuffled = None if weights is None else [weights[i] for i in order]
    again = cuts([values[i] for i in order], [labels[i] for i in order], shuffled)
    assert repr(again) == repr(cuts(*column))


@settings(max_examples=100, deadline=None)
@given(columns())
def test_integer_weights_are_repeated_rows(column):
    values, labels, _ = column
    weights = np.arange(len(values)) % 4
    repeated = cuts(np.repeat(values, weights), np.repeat(labels, weights))
    assert cuts(values, labels, weights) == repeated


@settings(max_examples=100, deadline=None)
@given(columns())
def test_cuts_are_ascending_and_between_the_values(column):
    found, values = cuts(*column), np.array([v for v in column[0] if v == v])
    assert (np.diff(found) > 0).all()
    assert all((values <= c).any() and (values > c).any() for c in found)


def test_classes_may_be_renumbered():
    rng = np.random.default_rng(5)
    values = rng.integers(0, 30, 300)
    labels = (values // 8 + rng.integers(0, 2, 300)) % 3
    assert cuts(values, labels) == cuts(values, np.array([7, 2, 0])[labels])


# --- edge cases by name ----------------------------------------------------------------


def test_no_rows():
    assert cuts([], []) == ()


def test_one_class():
    assert cuts([1, 2, 3], [0, 0, 0]) == ()


def test_constant_column():
    assert cuts([4, 4, 4, 4], [0, 1, 0, 1]) == ()


def test_mixed_classes_at_equal_values_are_not_cut_apart():
    values, labels = [1, 1, 1, 2, 2, 3], [0, 0, 1, 1, 1, 0]
    assert cuts(values * 20, labels * 20) == (1.5, 2.5)
    assert cuts(values, labels) == oracle.mdl_cuts(values, labels)


def test_one_row_a_class():
    # All 16 rows differ in class: gains of 1 bit against log2 15 + 16 (log2 3 - 1), all / 16.
    values, labels = np.arange(16.0), np.arange(16)
    found = cuts(values, labels)
    assert found[len(found) // 2] == 7.5
    assert found == oracle.mdl_cuts(values, labels)


def test_a_class_code_without_a_row():
    assert cuts([1, 2, 3, 4, 5, 6], [1, 1, 1, 9, 9, 9]) == (3.5,)


def test_nan_is_left_out():
    values = [np.nan, 1, 2, 3, np.nan, 4, 5, 6]
    assert cuts(values, [1, 0, 0, 0, 0, 1, 1, 1]) == (3.5,)
    assert cuts([np.nan] * 4, [0, 1, 0, 1]) == ()


def test_rows_of_weight_zero_are_left_out():
    values, labels = [1, 2, 3, 3.2, 4, 5, 6], [0, 0, 0, 2, 1, 1, 1]
    assert cuts(values, labels, [1, 1, 1, 0, 1, 1, 1]) == (3.5,)


def test_a_part_that_weighs_one_row_is_not_cut():
    values, labels = [1, 2, 3, 4], [0, 0, 1, 1]
    assert cuts(values, labels, [0.25] * 4) == ()
    assert cuts(values, labels, [0.5] * 4) == (2.5,)


def test_weights_that_no_int64_holds():
    # Three heavy rows, one 2**40 times lighter, and rows as much lighter again: double
    # precision could not add them. The quotients make rounded shares of the whole exceed 1.
    values = [-1, -0.5, 0, 1, 2, 2.5, 3, 3.5, 4, 4.5]
    labels = [4, 5, 0, 1, 2, 2, 3, 3, 2, 2]
    weights = [1.3 * 2**84, 1.7 * 2**84, 1.3 * 2**84, 1.1 * 2**44, *[16.1] * 6]
    found = cuts(values, labels, weights)
    assert found == (-0.75, -0.25, 0.5, 1.5, 2.75, 3.75)
    assert found == oracle.mdl_cuts(values, labels, weights)


def test_weights_of_600_orders_of_magnitude():
    values, labels, weights = [1, 1, 2, 2], [0, 0, 1, 1], [1e300, 1e300, 1e-300, 1e-300]
    assert cuts(values, labels, weights) == oracle.mdl_cuts(values, labels, weights) == ()


def test_seven_hundred_classes():
    # H = log2 700 and two halves of log2 350: gain 1 > (log2 699 + 700 log2 3 - 700) / 700 = 0.598
    assert cuts(np.repeat([0, 1], 350), np.arange(700)) == (0.5,)


def test_neighbouring_floats_are_cut_at_the_lower():
    lower = np.nextafter(1.0, 2.0)
    upper = np.nextafter(lower, 2.0)
    assert (lower + upper) / 2 == upper
    assert cuts([lower] * 5 + [upper] * 5, [0] * 5 + [1] * 5) == (lower,)


def test_smallest_numbers():
    tiny = 5e-324
    assert cuts([0.0] * 5 + [tiny] * 5, [0] * 5 + [1] * 5) == (0.0,)
    assert cuts([-tiny] * 5 + [0.0] * 5, [0] * 5 + [1] * 5) == (-tiny,)


def test_zero_has_no_sign():
    assert repr(cuts([-0.0] * 5 + [5e-324] * 5, [0] * 5 + [1] * 5)) == "(0.0,)"


def test_midpoint_whose_sum_overflows():
    assert cuts([1e308] * 5 + [1.5e308] * 5, [0] * 5 + [1] * 5) == (1.25e308,)
    assert midpoint(-1.5e308, -1e308) == -1.25e308


def test_arguments_are_left_as_they_are():
    values, labels, weights = np.array([3.0, 1.0]), np.array([1, 0]), np.array([2.0, 2.0])
    mdl_cuts(values, labels, weights)
    assert (values.tolist(), labels.tolist(), weights.tolist()) == ([3, 1], [1, 0], [2, 2])


# --- names of bins ---------------------------------------------------------------------


def test_names():
    values = np.array([1.4, 3.5, 6.0, np.nan])
    assert bin_labels((2.45, 4.75), values) == ("(-inf, 2.45]", "(2.45, 4.75]", "(4.75, inf)")
    assert bin_labels((2.45,), values) == ("(-inf, 2.45]", "(2.45, inf)")
    assert bin_labels((), values) == ("all",)
    assert bin_labels((), np.array([np.nan])) == ("all",)


def test_six_digits_hide_what_is_rounding_noise():
    cut = (3.3 + 3.4) / 2
    assert repr(cut) == "3.3499999999999996"
    assert bin_labels((cut,), np.array([3.3, 3.4])) == ("(-inf, 3.35]", "(3.35, inf)")


def test_more_digits_where_six_would_change_sides():
    # 0.123457 is above both values
    values = np.array([0.1234564, 0.1234568])
    assert bin_labels((0.1234566,), values)[0] == "(-inf, 0.1234566]"


def test_more_digits_where_a_cut_on_a_value_would_lose_it():
    # the value 1234567 lies in the first bin; 1.23457e+06 keeps it there, 1.23456e+06 would not
    assert bin_labels((1234567.0,), np.array([1234567.0, 2e6]))[0] == "(-inf, 1.23457e+06]"
    assert bin_labels((1234564.0,), np.array([1234564.0, 2e6]))[0] == "(-inf, 1234564]"


def test_more_digits_where_six_would_make_cuts_equal():
    values = np.array([1.0, 2.0])
    assert bin_labels((1.50000001, 1.50000002), values)[1] == "(1.50000001, 1.50000002]"


def test_a_cut_on_a_value_is_printed_as_that_value():
    values = np.array([0.1, np.nextafter(0.1, 1.0)])
    assert bin_labels((0.1,), values) == ("(-inf, 0.1]", "(0.1, inf)")


def test_neighbouring_floats_have_seventeen_digits():
    lower = np.nextafter(1.0, 2.0)
    upper = np.nextafter(lower, 2.0)
    label = bin_labels((lower,), np.array([lower, upper]))[0]
    assert float(label.removeprefix("(-inf, ").removesuffix("]")) == lower


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.floats(1.0, 1.0001), min_size=2, max_size=12, unique=True),
    st.lists(st.booleans(), min_size=11, max_size=11),
)
def test_labels_separate_as_the_cuts_do_with_the_fewest_digits(values, chosen):
    values = sorted(values)
    between = [oracle.cut_between(*map(Fraction, pair)) for pair in oracle.pairwise(values)]
    real = [c for c, wanted in zip(between, chosen, strict=False) if wanted]
    labels = bin_labels(real, np.array(values))
    if not real:
        assert labels == ("all",)
        return

    def good(texts):
        printed = [float(t) for t in texts]
        sides = [[v <= c for v in values] for c in printed]
        return sides == [[v <= c for v in values] for c in real]

    fewest = next(d for d in range(6, 18) if good([f"{c:.{d}g}" for c in real]))
    texts = [f"{c:.{fewest}g}" for c in real]
    assert [label.split(", ")[1].rstrip("])") for label in labels] == [*texts, "inf"]
    assert [label.split(", ")[0].lstrip("(") for label in labels] == ["-inf", *texts]
