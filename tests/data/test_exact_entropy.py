from decimal import Decimal
from math import log2

import numpy as np
import pytest

from bnclass.data.exact_entropy import entropy, mdl_threshold, mean_entropy, quantised


def test_entropy_of_a_pure_part_is_zero():
    assert entropy(np.array([0, 7, 0])) == 0


def test_entropy_by_hand():
    # 1/4 and 3/4: 2 - (3/4) log2 3
    assert float(entropy(np.array([1, 3]))) == pytest.approx(2 - 0.75 * log2(3), abs=1e-15)


def test_entropy_knows_no_unit():
    small, huge = np.array([1, 3]), np.array([10**300, 3 * 10**300], dtype=object)
    assert quantised(entropy(small)) == quantised(entropy(huge))


def test_mean_entropy_by_hand():
    # halves of 4 and 8 rows with entropies 1 and 0
    assert quantised(mean_entropy(np.array([2, 2]), np.array([8, 0]))) == round(2**40 / 3)


def test_quantised_rounds_to_the_nearest_quantum():
    assert quantised(Decimal("1.4") / 2**40) == 1
    assert quantised(Decimal("1.6") / 2**40) == 2
    assert quantised(Decimal("-1.6") / 2**40) == -2


def test_threshold_by_hand():
    # 1 and 1 | 0 and 2: N = 4, c = 2, c1 = 2, c2 = 1, H = 2 - (3/4) log2 3, H1 = 1, H2 = 0
    expected = (log2(3) + log2(7) - (2 * (2 - 0.75 * log2(3)) - 2 * 1 - 1 * 0)) / 4
    found = mdl_threshold(np.array([1, 1]), np.array([0, 2]), unit=1)
    assert float(found) == pytest.approx(expected, abs=1e-15)


def test_threshold_counts_rows_not_units():
    rows = mdl_threshold(np.array([3, 1]), np.array([0, 2]), unit=1)
    eighths = mdl_threshold(np.array([24, 8]), np.array([0, 16]), unit=8)
    assert quantised(rows) == quantised(eighths)


def test_threshold_of_2000_classes_does_not_overflow():
    # 3**2000 has 955 digits. One row a class: H = log2 2000, H1 = H2 = log2 1000.
    left, right = np.repeat([1, 0], 1000), np.repeat([0, 1], 1000)
    expected = (log2(1999) + 2000 * log2(3) - 2000) / 2000
    assert float(mdl_threshold(left, right, unit=1)) == pytest.approx(expected, abs=1e-12)
