"""From counts to probabilities: by hand, against exact fractions, and at the edges."""

import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from builders import CLASS, statistics_of, training_tables
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from oracle import smoothing as oracle
from oracle.tables import Y, make_table

from bnclass.exceptions import BnclassError
from bnclass.statistics.smoothing import (
    DEFAULT_SMOOTHING,
    BDeu,
    Laplace,
    MEstimate,
    Smoothing,
    as_smoothing,
)

POLICIES = [MEstimate, Laplace, BDeu]
TWINS = [
    (MEstimate(1.0), oracle.MEstimate(1)),
    (MEstimate(0.5), oracle.MEstimate(0.5)),
    (MEstimate(0.0), oracle.MEstimate(0)),
    (Laplace(1.0), oracle.Laplace(1)),
    (Laplace(0.0), oracle.Laplace(0)),
    (BDeu(2.0), oracle.BDeu(2)),
    (BDeu(0.0), oracle.BDeu(0)),
]

# F(x, u) for |X| = 3 and two parents of 1 and 2 states, so that q = 2.
COUNTS = np.array([[[3.0, 1.0, 0.0], [0.0, 0.0, 0.0]]])

BY_HAND = [
    (MEstimate(1.5), [[3.5 / 5.5, 1.5 / 5.5, 0.5 / 5.5], [1 / 3] * 3]),
    (Laplace(2.0), [[5 / 10, 3 / 10, 2 / 10], [1 / 3] * 3]),
    (BDeu(6.0), [[4 / 7, 2 / 7, 1 / 7], [1 / 3] * 3]),
    (MEstimate(0.0), [[3 / 4, 1 / 4, 0], [1 / 3] * 3]),
    (Laplace(0.0), [[3 / 4, 1 / 4, 0], [1 / 3] * 3]),
    (BDeu(0.0), [[3 / 4, 1 / 4, 0], [1 / 3] * 3]),
]


@pytest.mark.parametrize(("policy", "expected"), BY_HAND, ids=lambda value: repr(value)[:20])
def test_by_hand(policy, expected):
    assert policy.probabilities(COUNTS) == pytest.approx(np.array([expected]), rel=1e-15)


@pytest.mark.parametrize(("policy", "twin"), TWINS, ids=lambda twin: repr(twin)[:20])
def test_the_class_prior_agrees_with_the_oracle(policy, twin):
    table = make_table([("u",)] * 5, ["K", "L", "L", "M", "L"])
    expected = [float(oracle.class_prior(table, twin, y)) for y in table.classes]
    ours = policy.probabilities(statistics_of(table).counts(CLASS))
    assert ours == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(("policy", "twin"), TWINS, ids=lambda twin: repr(twin)[:20])
@settings(deadline=None)
@given(table=training_tables(min_attributes=3, max_attributes=3))
def test_conditionals_agree_with_the_oracle(policy, twin, table):
    ours = policy.probabilities(statistics_of(table).counts("x2", [CLASS, "x0", "x1"]))
    for y, u, v, x in np.ndindex(ours.shape):
        given_ = ((Y, table.classes[y]), (0, table.domains[0][u]), (1, table.domains[1][v]))
        exact = oracle.conditional(table, twin, 2, table.domains[2][x], given_)
        assert ours[y, u, v, x] == pytest.approx(float(exact), rel=1e-14, abs=0)


@pytest.mark.parametrize(
    "policy", [p(m) for p in POLICIES for m in (0.0, 0.3, 1.0, 50.0)], ids=repr
)
@settings(deadline=None)
@given(
    counts=npst.arrays(
        float,
        npst.array_shapes(min_dims=1, max_dims=3, max_side=4),
        elements=st.floats(0, 1e6).filter(lambda x: x == 0 or x > 1e-6),
    )
)
def test_rows_are_distributions(policy, counts):
    probabilities = policy.probabilities(counts)
    assert probabilities.shape == counts.shape
    assert (probabilities >= 0).all()
    assert probabilities.sum(axis=-1) == pytest.approx(1.0, abs=1e-14)


@pytest.mark.parametrize("policy", POLICIES)
def test_more_smoothing_is_nearer_to_uniform(policy):
    counts = np.array([5.0, 1.0])
    strengths = [0.0, 0.1, 1.0, 10.0, 1e9]
    first = [policy(s).probabilities(counts)[0] for s in strengths]
    assert first == sorted(first, reverse=True)
    assert first[0] == 5 / 6
    assert first[-1] == pytest.approx(0.5, abs=1e-8)


@pytest.mark.parametrize("policy", POLICIES)
def test_the_counts_stay_as_they_are(policy):
    counts = np.array([[2.0, 0.0], [0.0, 0.0]])
    counts.setflags(write=False)
    policy(1).probabilities(counts)
    policy(0).probabilities(counts)
    assert counts.tolist() == [[2.0, 0.0], [0.0, 0.0]]


@pytest.mark.parametrize("policy", POLICIES)
def test_one_state_is_certain(policy):
    for strength in (0, 1):
        assert policy(strength).probabilities(np.array([[4.0], [0.0]])).tolist() == [[1.0], [1.0]]


# ---------------------------------------------------------------- policies as values


@pytest.mark.parametrize("strength", [2, 2.0, np.int64(2), np.float32(2), np.uint8(2), Fraction(2)])
@pytest.mark.parametrize("policy", POLICIES)
def test_any_real_number_is_a_strength(policy, strength):
    made = policy(strength)
    assert made == policy(2.0)
    assert repr(made) == repr(policy(2.0))
    assert made.probabilities(np.array([2.0, 0.0])).dtype == np.float64


@pytest.mark.parametrize(
    "strength",
    [-1, -1e-300, np.inf, np.nan, "1", None, True, np.True_, 1j, Decimal(1), [1]],
    ids=repr,
)
@pytest.mark.parametrize(("policy", "name"), [*zip(POLICIES, ["m", "a", "ess"], strict=True)])
def test_other_strengths_are_refused(policy, name, strength):
    with pytest.raises(
        BnclassError, match=rf"{name} is .*, expected a finite number of at least 0"
    ):
        policy(strength)


@pytest.mark.parametrize("policy", POLICIES)
def test_policies_are_values(policy):
    assert policy() == policy(1.0) != policy(2.0)
    assert hash(policy()) == hash(policy(1))
    assert pickle.loads(pickle.dumps(policy(0.3))) == policy(0.3)
    assert eval(repr(policy(0.3)), {policy.__name__: policy}) == policy(0.3)
    assert isinstance(policy(), Smoothing)


def test_policies_of_one_strength_are_not_the_same():
    assert MEstimate(1) != Laplace(1) != BDeu(1) != MEstimate(1)


# ---------------------------------------------------------------- the parameter


@pytest.mark.parametrize("value", [3, 3.0, np.int8(3), np.float64(3)])
def test_a_number_is_the_m_of_the_m_estimate(value):
    assert as_smoothing(value) == MEstimate(3.0)


@pytest.mark.parametrize("policy", [MEstimate(2), Laplace(0), BDeu(5)])
def test_a_policy_stays_itself(policy):
    assert as_smoothing(policy) is policy


@pytest.mark.parametrize("value", ["laplace", None, True, np.True_, Laplace, [1.0]], ids=repr)
def test_anything_else_is_refused(value):
    with pytest.raises(BnclassError, match=r"smoothing is .*, expected a number \(the m of the"):
        as_smoothing(value)


@pytest.mark.parametrize("value", [-1.0, np.inf, np.nan])
def test_a_number_out_of_range_is_refused(value):
    with pytest.raises(BnclassError, match=r"m is .*, expected a finite number"):
        as_smoothing(value)


def test_the_default_is_the_m_estimate_of_1():
    assert MEstimate(1.0) == DEFAULT_SMOOTHING
