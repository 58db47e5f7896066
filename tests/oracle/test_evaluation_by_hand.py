"""The oracle of metrics and tests of significance against numbers worked by hand."""

import math
from fractions import Fraction

import pytest
from oracle.evaluation import (
    average_ranks,
    bias_variance,
    brier,
    five_by_two,
    friedman,
    iman_davenport,
    log_loss,
    outcome,
    ranks,
    record,
    sign_test,
    wilcoxon,
    zero_one,
)

HALF = Fraction(1, 2)


def test_metrics_by_hand():
    posteriors = [[HALF, HALF], [Fraction(1), Fraction(0)]]
    assert zero_one("ab", "aa") == HALF
    assert brier("ab", posteriors, "ab") == Fraction(5, 4)  # (1/2 + 2) / 2
    assert log_loss("ab", posteriors, "ab") == (math.inf, 1)
    assert log_loss("aa", posteriors, "ab") == (pytest.approx(math.log(2) / 2), 0)


def test_bias_and_variance_by_hand():
    # Two of three rounds are right: ½ (1/9 + 1/9), ½ (1 - 5/9), 1/3
    assert bias_variance("a", ["aab"]) == (Fraction(1, 9), Fraction(2, 9), Fraction(1, 3))


def test_records_by_hand():
    assert outcome(Fraction(19), Fraction(20)) == 0
    assert outcome(Fraction(18), Fraction(20)) == 1
    assert outcome(Fraction(20), Fraction(18)) == -1
    assert outcome(Fraction(0), Fraction(0)) == 0
    rows = [[Fraction(a), Fraction(b)] for a, b in [(1, 2), (2, 2), (3, 2), (0, 1)]]
    assert record(rows, 0, 1) == (2, 1, 1)
    assert sign_test(3, 1) == Fraction(5, 16)  # (4 + 1) / 16
    assert sign_test(0, 0) == 1


def test_ranks_by_hand():
    assert ranks([Fraction(3), Fraction(1), Fraction(3)]) == [2.5, 1, 2.5]
    assert average_ranks([[Fraction(1), Fraction(2)], [Fraction(1), Fraction(1)]]) == [1.25, 1.75]


def test_friedman_by_hand():
    rows = [[Fraction(x) for x in row] for row in ((1, 2, 3), (1, 2, 3), (2, 1, 3))]
    assert friedman(rows) == Fraction(14, 3)  # 12/36 · (16 + 25 + 81) - 36
    assert iman_davenport(Fraction(14, 3), 3, 3) == 7
    assert friedman([[HALF, HALF]] * 2) is None
    # One row of two is tied: 2 · 12/6 · (1.25² + 1.75² - 4.5) is ½, over 1 - 6/12
    assert friedman([[Fraction(1), Fraction(2)], [HALF, HALF]]) == 1
    assert iman_davenport(Fraction(2), 2, 2) is None


def test_wilcoxon_by_hand():
    # Ranks 1, 2, 3, and of 8 signs two have a sum as far from 3 as 0 is
    assert wilcoxon([Fraction(1), Fraction(2), Fraction(3)]) == (6, 0, Fraction(1, 4))
    # Of three zeros two count: ranks 1.5 and 1.5, one to each side
    found = wilcoxon([Fraction(0)] * 3 + [Fraction(-1)])
    assert found == (1.5, 4.5, 1)


def test_five_by_two_by_hand():
    # One round (1, 0), four (1, 1): 9 / (2 · ½)
    assert five_by_two([[Fraction(1), Fraction(0)], *[[Fraction(1), Fraction(1)]] * 4]) == 9
    assert five_by_two([[Fraction(1), Fraction(1)]] * 5) is None
