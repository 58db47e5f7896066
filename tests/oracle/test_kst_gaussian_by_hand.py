"""The oracle of KST on numbers held to numbers worked by hand."""

import math
from decimal import Decimal
from fractions import Fraction

import pytest
from oracle.gaussian import Linear, floor
from oracle.gaussian_measures import gaussian_pair
from oracle.kst_gaussian import (
    global_log_joint,
    kst_gaussian_global,
    kst_gaussian_local,
    kst_gaussian_log_joint,
    kst_gaussian_posterior,
    local_log_joint,
    narrowest_gap,
)
from oracle.kst_gaussian_measures import (
    gaussian_information,
    global_gaussian_measures,
    local_gaussian_information,
    local_gaussian_measures,
    pair_left,
)
from oracle.kst_measures import Measures
from oracle.kst_structures import maximum_correlation, minimum_dependence
from oracle.measures import quantise
from oracle.mixed import CONTINUOUS, make_mixed_table
from oracle.mixed_posteriors import MixedNetwork
from oracle.smoothing import MEstimate
from oracle.tables import Y

SMOOTHING = MEstimate(1)
A, B = ((Y, "a"),), ((Y, "b"),)
P, X, Z = 0, 1, 2
ln = math.log


def numbers(rows, labels, weights=None):
    """A table of numbers only."""
    return make_mixed_table(rows, labels, weights, domains=[CONTINUOUS] * len(rows[0]))


DESIGN = [(-1, 0, 1), (-1, -2, -3), (1, 2, 1), (1, 0, 1), (-1, 0, -3), (1, 0, 1)]


def design():
    """Return P, X and Z in four rows of a and two of b.

    In a, with e = 1 -1 1 -1 and f = 1 -1 -1 1: P = -1 -1 1 1, X = P + e, Z = P + e + f. The three
    are of variance 1 and do not vary together: variances of P, X, Z are 1, 2, 3, the covariances
    PX 1, PZ 1, XZ 2. All means are 0.
    In b: P = -1 1, X = 0 0, Z = -3 1. Means 0, 0, -1, variances 1, 0, 4, covariance PZ 2.
    All rows: means 0, 0, -1/3, variances 1, 8/6 = 4/3, 22/6 - 1/9 = 32/9, covariances
    PX 4/6 = 2/3, PZ 8/6 = 4/3, XZ 8/6 = 4/3.
    P holds -1 and 1, X -2, 0, 2, Z -3, 1: resolutions 2, 2, 4, floors 1/9, 1/9, 4/9.
    """
    return numbers(DESIGN, "aaaabb")


def near(value):
    return pytest.approx(value, rel=1e-14, abs=1e-15)


# --- global measures ----------------------------------------------------------------------------


def test_floors_of_the_design():
    assert [floor(design(), i) for i in range(3)] == [
        Fraction(1, 9),
        Fraction(1, 9),
        Fraction(4, 9),
    ]


def test_global_pairs_by_hand():
    # -½ Σ P(y) ln(1 - ρ²), P(a) = 2/3
    # PX a: 1 - 1/2; b: X does not vary
    # PZ a: 1 - 1/3; b: ρ² = 2²/4 = 1, bounded by the floors 1/9 : 1 and 4/9 : 4, 1/9 both
    # XZ a: 1 - 4/6; b: X does not vary
    table = design()
    assert gaussian_information(table, P, X, (Y,)) == near(ln(2) / 3)
    assert gaussian_information(table, P, Z, (Y,)) == near(ln(3 / 2) / 3 + ln(9) / 6)
    assert gaussian_information(table, X, Z, (Y,)) == near(ln(3) / 3)
    for i, j in [(P, X), (P, Z), (X, Z)]:
        assert gaussian_information(table, i, j, (Y,)) == gaussian_pair(table, i, j)


def test_global_triples_with_the_class_by_hand():
    table = design()
    # XZ given P, a: slopes 1 and 1, residuals e and e + f: 1, 2, covariance 1, ρ² = 1/2
    # b: nothing is left of Z (4 - 2² * 1), nor of X
    left = pair_left(table, X, Z, (P, Y), A)
    assert (left.first.slope, left.second.slope) == (1, 1)
    assert (left.first.variance, left.second.variance, left.covariance) == (1, 2, 1)
    assert left.unexplained == Fraction(1, 2)
    assert pair_left(table, X, Z, (P, Y), B) is None
    assert gaussian_information(table, X, Z, (P, Y)) == near(ln(2) / 3)
    # XP given Z, a: slopes 2/3 and 1/3, residuals 2 - 4/9 * 3 = 2/3, 1 - 1/9 * 3 = 2/3,
    # covariance 1 - 2/9 * 3 = 1/3, ρ² = 1/4
    assert gaussian_information(table, X, P, (Z, Y)) == near(ln(4 / 3) / 3)
    # PZ given X, a: slopes 1/2 and 1, covariance 1 - 1/2 * 1 * 2 = 0
    # b: X does not vary, its floor is under s_pp, slopes 0: as without X
    assert pair_left(table, P, Z, (X, Y), A).unexplained == 1
    assert pair_left(table, P, Z, (X, Y), B).unexplained == Fraction(1, 9)
    assert gaussian_information(table, P, Z, (X, Y)) == near(ln(9) / 6)
    for i, j, p in [(X, Z, P), (X, P, Z), (P, Z, X)]:
        measure = quantise(gaussian_information(table, i, j, (p, Y)))
        assert global_gaussian_measures(table).triple(i, j, p) == measure
        assert global_gaussian_measures(table).triple(j, i, p) == measure


def test_global_triples_of_all_rows_by_hand():
    table = design()
    # XZ given P: slopes 2/3 and 4/3; 4/3 - 4/9 = 8/9, 32/9 - 16/9 = 16/9, 4/3 - 8/9 = 4/9
    # ρ² = 16/81 : 128/81 = 1/8
    assert pair_left(table, X, Z, (P,), ()).unexplained == Fraction(7, 8)
    # XP given Z: slopes 3/8 and 3/8; 4/3 - 1/2 = 5/6, 1 - 1/2 = 1/2, 2/3 - 1/2 = 1/6
    # ρ² = 1/36 : 5/12 = 1/15
    assert pair_left(table, X, P, (Z,), ()).unexplained == Fraction(14, 15)
    # PZ given X: slopes 1/2 and 1; 1 - 1/3 = 2/3, 32/9 - 4/3 = 20/9, 4/3 - 2/3 = 2/3
    # ρ² = 4/9 : 40/27 = 3/10
    assert pair_left(table, P, Z, (X,), ()).unexplained == Fraction(7, 10)
    measures = global_gaussian_measures(table, "pairwise")
    assert measures.triple(X, Z, P) == quantise(ln(8 / 7) / 2)
    assert measures.triple(X, P, Z) == quantise(ln(15 / 14) / 2)
    assert measures.triple(P, Z, X) == quantise(ln(10 / 7) / 2)


def test_what_both_hide_from_the_third_is_bounded_by_their_floors():
    # P = -1 -1 1 1, e = 1 -1 1 -1; P + e and 2P + e have the same residual e, of variance 1.
    # -2 0 2: floor 1/9. -3 -1 1 3: floor 1/9.
    table = numbers([(-1, 0, -1), (-1, -2, -3), (1, 2, 3), (1, 0, 1)], "aaaa")
    for given in [(P, Y), (P,)]:
        assert gaussian_information(table, X, Z, given) == near(ln(9) / 2)
    # 3P + e is -4 -2 2 4: resolution 8/3, floor 16/81, the larger share of the two
    table = numbers([(-1, 0, -2), (-1, -2, -4), (1, 2, 4), (1, 0, 2)], "aaaa")
    for given in [(P, Y), (P,)]:
        for i, j in [(X, Z), (Z, X)]:
            assert gaussian_information(table, i, j, given) == near(ln(9 / 4))


def test_a_third_that_hardly_varies_has_its_floor_for_a_variance():
    # P holds -1, 1, 23: resolution 12, floor 4; its variance in a is 1. Slopes 1/4 and 1/4.
    # 2 - 4/16 = 7/4, 3 - 4/16 = 11/4, 2 - 4/16 = 7/4, ρ² = 49/16 : 77/16 = 7/11
    # b: X does not vary
    rows = [*DESIGN[:4], (23, 0, 1), (23, 0, -3)]
    table = numbers(rows, "aaaabb")
    left = pair_left(table, X, Z, (P, Y), A)
    assert (left.first.slope, left.first.variance) == (Fraction(1, 4), Fraction(7, 4))
    assert (left.second.variance, left.covariance) == (Fraction(11, 4), Fraction(7, 4))
    assert gaussian_information(table, X, Z, (P, Y)) == near(ln(11 / 4) / 3)


def test_each_measure_has_the_rows_it_needs():
    # A fifth row of a knows X = 0 and Z = -3 only. In a then, over five rows:
    # X: 8/5; Z: mean -3/5, 21/5 - 9/25 = 96/25; XZ 8/5; ρ² = 64/25 : 768/125 = 5/12. P(a) = 5/7.
    table = numbers([*DESIGN, (None, 0, -3)], "aaaabba")
    assert gaussian_information(table, X, Z, (Y,)) == near(5 / 14 * ln(12 / 7))
    for i, j, given in [(X, Z, (P, Y)), (X, Z, (P,)), (P, Z, (X, Y)), (P, Z, (Y,))]:
        assert gaussian_information(table, i, j, given) == (
            gaussian_information(design(), i, j, given)
        )
    # ... and of weight 0 it is no row
    table = numbers([*DESIGN, (None, 0, -3)], "aaaabba", [1, 1, 1, 1, 1, 1, 0])
    assert gaussian_information(table, X, Z, (Y,)) == near(ln(3) / 3)


def test_a_weight_counts_as_rows():
    # The rows of a three times, those of b once: P(a) = 12/14. b has two rows still.
    table = numbers(DESIGN, "aaaabb", [3, 3, 3, 3, 1, 1])
    assert gaussian_information(table, P, Z, (Y,)) == near(3 / 7 * ln(3 / 2) + 1 / 14 * ln(9))
    # b below two rows has nothing to tell, and keeps its share
    table = numbers(DESIGN, "aaaabb", [1, 1, 1, 1, 0.5, 0.5])
    assert gaussian_information(table, P, Z, (Y,)) == near(2 / 5 * ln(3 / 2))
    # two rows of weight 1/2 in all
    few = numbers(DESIGN[:2], "ab", [0.5, 0.5])
    assert gaussian_information(few, X, Z, (P,)) == 0
    assert local_gaussian_measures(few, (1, 2, 1), "pairwise").triple(X, Z, P) == 0


def test_no_row_that_knows_all_three():
    table = numbers([(1, 2, None), (2, None, 1), (None, 1, 2), (4, 4, None)], "aaab")
    for given in [(P, Y), (P,)]:
        assert gaussian_information(table, X, Z, given) == 0
        assert local_gaussian_information(table, (1, 1, 1), X, Z, given) == 0


# --- local measures -----------------------------------------------------------------------------

ROW = (1, 2, 1)  # P, X, Z

# PZ in b: deviations 1 and 2 are z = 1 and 1; 1 - ρ² = 1/9, ρ = √8/3:
# ½ ln 9 - (8/9 * 2 - 2 √8/3) / (2/9)
PZ_IN_B = ln(3) - 8 + 6 * math.sqrt(2)


def test_local_pairs_by_hand():
    # t = -½ ln(1-ρ²) - (ρ² (z² + z'²) - 2 ρ z z') / (2 (1-ρ²)); ρ z z' = covariance x x' : (σ² σ'²)
    table = design()
    # PX a: ρ² 1/2; z² 1, 2; ρzz' 2/2: (3/2 - 2) / 1 = -1/2. b: 0
    assert local_gaussian_information(table, ROW, P, X, (Y,)) == near(ln(2) / 2 + 1 / 2)
    # XZ a: ρ² 2/3; z² 2, 1/3; ρzz' 2 * 2/6: (14/9 - 4/3) / (2/3) = 1/3. b: 0
    assert local_gaussian_information(table, ROW, X, Z, (Y,)) == near(ln(3) / 2 - 1 / 3)
    # PZ a: ρ² 1/3; z² 1, 1/3; ρzz' 1/3: (4/9 - 2/3) / (4/3) = -1/6
    expected = ln(3 / 2) / 2 + 1 / 6 + PZ_IN_B
    assert local_gaussian_information(table, ROW, P, Z, (Y,)) == near(expected)
    measures = local_gaussian_measures(table, ROW)
    assert measures.pair(P, Z) == measures.pair(Z, P) == quantise(expected)


def test_the_sign_of_the_correlation_is_kept_at_its_bound():
    # b with P turned over: ρ = -√8/3; at P = -1 the same numbers come out
    mirrored = numbers([(-p, i, x) for p, i, x in DESIGN], "aaaabb")
    expected = ln(3 / 2) / 2 + 1 / 6 + PZ_IN_B
    assert local_gaussian_information(mirrored, (-1, 2, 1), P, Z, (Y,)) == near(expected)
    # At P = 1 in b: z = 1 and 1 against the correlation: ½ ln 9 - (16/9 + 2 √8/3) / (2/9)
    # In a: z² 1, 1/3; ρzz' = -1/3: (4/9 + 2/3) / (4/3) = 5/6
    expected = ln(3 / 2) / 2 - 5 / 6 + ln(3) - 8 - 6 * math.sqrt(2)
    assert local_gaussian_information(mirrored, ROW, P, Z, (Y,)) == near(expected)


def test_local_triples_with_the_class_by_hand():
    table = design()
    # XZ given P, a: residuals 2 - 1, 1 - 1; ρ² 1/2; z² 1, 0: (1/2) / 1. b: 0
    assert local_gaussian_information(table, ROW, X, Z, (P, Y)) == near(ln(2) / 2 - 1 / 2)
    # XP given Z, a: residuals 2 - 2/3 = 4/3, 1 - 1/3 = 2/3; of variance 2/3, 2/3, ρ 1/2;
    # z² 8/3, 2/3, zz' 4/3: (1/4 * 10/3 - 4/3) / (3/2) = -1/3. b: 0
    assert local_gaussian_information(table, ROW, X, P, (Z, Y)) == near(ln(4 / 3) / 2 + 1 / 3)
    # PZ given X, a: ρ = 0. b: slopes 0, as without X
    assert local_gaussian_information(table, ROW, P, Z, (X, Y)) == near(PZ_IN_B)


def test_local_triples_of_all_rows_by_hand():
    # Twice the term, once for each class
    table = design()
    # XZ given P: residuals 2 - 2/3 = 4/3, 1 + 1/3 - 4/3 = 0; z² 16/9 : 8/9 = 2, 0; ρ² 1/8:
    # (2/8) / (7/4) = 1/7
    assert local_gaussian_information(table, ROW, X, Z, (P,)) == near(ln(8 / 7) - 2 / 7)
    # XP given Z: Z deviates by 4/3: 2 - 3/8 * 4/3 = 3/2, 1 - 1/2 = 1/2; z² 9/4 : 5/6 = 27/10, 1/2;
    # ρzz' = 1/6 * 3/4 : 5/12 = 3/10: (1/15 * 32/10 - 6/10) / (28/15) = -29/140
    assert local_gaussian_information(table, ROW, X, P, (Z,)) == near(ln(15 / 14) + 29 / 70)
    # PZ given X: 1 - 1/2 * 2 = 0, 4/3 - 2 = -2/3; z² 0, 4/9 : 20/9 = 1/5:
    # (3/10 * 1/5) / (7/5) = 3/70
    expected = ln(10 / 7) - 3 / 35
    assert local_gaussian_information(table, ROW, P, Z, (X,)) == near(expected)
    assert local_gaussian_measures(table, ROW, "pairwise").triple(P, Z, X) == quantise(expected)


def test_means_come_from_the_rows_of_the_correlation():
    # As above: XZ of five rows in a. Deviations 2 and 1 + 3/5 = 8/5; z² 4 : 8/5 = 5/2,
    # 64/25 : 96/25 = 2/3; ρzz' = 8/5 * 16/5 : (8/5 * 96/25) = 5/6; ρ² 5/12:
    # (5/12 * 19/6 - 10/6) / (7/6) = -25/84
    table = numbers([*DESIGN, (None, 0, -3)], "aaaabba")
    assert local_gaussian_information(table, ROW, X, Z, (Y,)) == near(ln(12 / 7) / 2 + 25 / 84)
    expected = local_gaussian_information(design(), ROW, X, Z, (P, Y))
    assert local_gaussian_information(table, ROW, X, Z, (P, Y)) == expected


def test_a_row_far_from_all_others_tells_without_bound():
    # PX a at (10⁶, -10⁶): ρ² 1/2; z² 10¹², 10¹²/2; ρzz' -10¹²/2: (3/4 + 1) 10¹²
    measures = local_gaussian_measures(design(), (10**6, -(10**6), None))
    expected = ln(2) / 2 - 7 / 4 * 10**12
    assert measures.pair(P, X) == pytest.approx(expected * 2**40, rel=1e-15)
    assert measures.pair(P, X) < -(2**63)


def test_missing_cells_and_unheard_of_constants_take_no_part():
    table = numbers([(*row, 7) for row in DESIGN], "aaaabb")
    assert local_gaussian_measures(table, (1, None, math.nan, 7)).columns == (0, 3)
    assert local_gaussian_measures(table, (1, 2, 3, 8)).columns == (0, 1, 2)
    assert kst_gaussian_local(table, (None, None, None, 7)) == {3: ()}
    assert kst_gaussian_local(table, (None, None, None, 8)) == {}


def test_a_constant_column_tells_nothing_and_takes_nothing_away():
    table = numbers([(*row, 7) for row in DESIGN], "aaaabb")
    for given in [(Y,), (P, Y), (P,)]:
        assert gaussian_information(table, X, 3, given) == 0
        assert local_gaussian_information(table, (*ROW, 7), X, 3, given) == 0
    known = gaussian_information(table, X, Z, (Y,))
    assert gaussian_information(table, X, Z, (3, Y)) == known > 0
    known = local_gaussian_information(table, (*ROW, 7), X, Z, (Y,))
    assert local_gaussian_information(table, (*ROW, 7), X, Z, (3, Y)) == known > 0


def test_an_unheard_of_dependence_is_refused():
    with pytest.raises(ValueError, match="class-conditioned"):
        global_gaussian_measures(design(), "class-conditioned").triple(0, 1, 2)
    with pytest.raises(ValueError, match="class-conditioned"):
        local_gaussian_measures(design(), ROW, "class-conditioned").triple(0, 1, 2)


# --- structures ---------------------------------------------------------------------------------


def test_global_structure_by_hand():
    # C in thirds: P ln 2 + ln 9/2 = ln 9, X ln 2 + ln 3 = ln 6, Z ln 9/2 + ln 3 = ln 27/2
    measures = global_gaussian_measures(design())
    for i, inside in [(P, 9), (X, 6), (Z, 27 / 2)]:
        assert maximum_correlation(measures, i) == pytest.approx(quantise(ln(inside) / 3), abs=2)
    # For X: Z leaves ln 2 + ln 4/3 behind, P ln 3 + ln 2
    left = minimum_dependence(measures, X, [], [Z, P], Z)
    assert left == pytest.approx(quantise(ln(8 / 3) / 3), abs=2)
    left = minimum_dependence(measures, X, [], [Z, P], P)
    assert left == pytest.approx(quantise(ln(6) / 3), abs=2)
    assert kst_gaussian_global(design(), 1) == {Z: (), P: (Z,), X: (Z,)}
    assert kst_gaussian_global(design(), 2) == {Z: (), P: (Z,), X: (P, Z)}
    assert kst_gaussian_global(design(), 0) == {Z: (), P: (), X: ()}
    # The closest decision is the order of P and X: ln 9 against ln 6
    assert narrowest_gap(measures, 1) == pytest.approx(quantise(ln(3 / 2) / 3), abs=4)


def test_global_structure_without_the_class_by_hand():
    # The order is the same. For X: Z leaves ln 2 / 3 + ½ ln 15/14 behind, P ln 3 / 3 + ½ ln 8/7
    measures = global_gaussian_measures(design(), "pairwise")
    left = minimum_dependence(measures, X, [], [Z, P], Z)
    assert left == quantise(ln(2) / 3) + quantise(ln(15 / 14) / 2)
    left = minimum_dependence(measures, X, [], [Z, P], P)
    assert left == quantise(ln(3) / 3) + quantise(ln(8 / 7) / 2)
    assert kst_gaussian_global(design(), 1, "pairwise") == {Z: (), P: (Z,), X: (Z,)}


def test_local_structure_by_hand():
    # Pairs PX 0.85, PZ 1.95, XZ 0.22: order P, Z, X
    # For X: P leaves XZ + XZ|P = 0.22 - 0.15 behind, Z leaves PX + XP|Z = 0.85 + 0.48
    table = design()
    measures = local_gaussian_measures(table, ROW)
    left = minimum_dependence(measures, X, [], [P, Z], P)
    assert left == quantise(ln(3) / 2 - 1 / 3) + quantise(ln(2) / 2 - 1 / 2)
    left = minimum_dependence(measures, X, [], [P, Z], Z)
    assert left == quantise(ln(2) / 2 + 1 / 2) + quantise(ln(4 / 3) / 2 + 1 / 3)
    assert kst_gaussian_local(table, ROW, 1) == {P: (), Z: (P,), X: (P,)}
    assert kst_gaussian_local(table, ROW, 2) == {P: (), Z: (P,), X: (P, Z)}
    # Without the class: 0.22 - 0.15 against 0.85 + 0.48 once more
    assert kst_gaussian_local(table, ROW, 1, "pairwise") == {P: (), Z: (P,), X: (P,)}


def test_of_equals_the_lower_columns_come_first():
    # All four columns are the same: all pairs are equal, nothing is left given one of them
    rows = [(x,) * 4 for x in (0, 1, 3, 4, 6)]
    table = numbers(rows, "aaabb")
    for structure in [kst_gaussian_global(table, 1), kst_gaussian_local(table, rows[0], 1)]:
        assert structure == {0: (), 1: (0,), 2: (0,), 3: (0,)}
    assert kst_gaussian_global(table, 2)[3] == (0, 1)
    assert narrowest_gap(global_gaussian_measures(table), 1) == 0
    # Nothing tells of anything: the same
    square = numbers([(-1, -1, 3), (-1, 1, 3), (1, -1, 3), (1, 1, 3)], "aaaa")
    assert kst_gaussian_global(square, 1) == {0: (), 1: (0,), 2: (0,)}


def test_the_narrowest_gap_by_hand():
    # Pairs 9, 4, 2 of 01, 02, 12: C 13, 11, 6; for 2: 0 leaves 2 + 5 behind, 1 leaves 4 + 0
    pairs = {(0, 1): 9, (0, 2): 4, (1, 2): 2}
    measures = Measures(
        (0, 1, 2),
        lambda i, j: pairs[min(i, j), max(i, j)],
        lambda i, other, p: {(2, 1, 0): 5, (2, 0, 1): 0}[i, other, p],
    )
    assert narrowest_gap(measures, 2) == 2  # 13 - 11
    assert narrowest_gap(measures, 1) == 2
    pairs[0, 1] = 9.5
    pairs[1, 2] = 1  # 13.5, 10.5, 5; 1 + 5 against 4 + 0
    assert narrowest_gap(measures, 1) == 2
    assert narrowest_gap(measures, 0) == narrowest_gap(measures, 2) == 3
    assert narrowest_gap(Measures((0,), None, None), 1) is None


def test_states_are_refused():
    table = make_mixed_table([(1, "p"), (2, "q")], "ab", domains=[CONTINUOUS, None])
    with pytest.raises(ValueError, match=r"columns \[1\] are discrete"):
        kst_gaussian_global(table)
    with pytest.raises(ValueError, match=r"columns \[1\] are discrete"):
        kst_gaussian_local(table, (1, "p"))


# --- KST ----------------------------------------------------------------------------------------


def shares(*masses):
    return near([mass / sum(masses) for mass in masses])


def densities(log_joint, n):
    """Return P(y, x) (2π)^(n/2) in class order."""
    values = [math.exp(log) * (2 * math.pi) ** (n / 2) for log in log_joint.values()]
    return pytest.approx(values, rel=1e-13)


# P(y): (4 + ½)/7 and (2 + ½)/7
P_A, P_B = 9 / 14, 5 / 14

# Global, k = 1: Z, P under Z, X under Z.
# a: Z ~ N(0, 3): 1/6. P ~ N(1/3, 2/3): 4/9 : 4/3 = 1/3. X ~ N(2/3, 2/3): 16/9 : 4/3 = 4/3.
# Product of variances 4/3.
# b: Z ~ N(-1, 4): 1/2. P ~ N(½ (1 + 1), floor 1/9): 0. X ~ N(0, floor 1/9): 18. 4/81.
GLOBAL = (P_A * math.sqrt(3) / 2 * math.exp(-11 / 6), P_B * 9 / 2 * math.exp(-37 / 2))

# Local, k = 1: P, Z under P, X under P.
# a: P ~ N(0, 1): 1/2. Z ~ N(1, 2): 0. X ~ N(1, 1): 1/2. Product of variances 2.
# b: P ~ N(0, 1): 1/2. Z ~ N(-1 + 2, floor 4/9): 0. X ~ N(0, floor 1/9): 18. 4/81.
LOCAL = (P_A / math.sqrt(2) * math.exp(-1), P_B * 9 / 2 * math.exp(-37 / 2))


def test_factors_of_the_row_s_structure_by_hand():
    table = design()
    network = MixedNetwork(table, kst_gaussian_local(table, ROW, 1), SMOOTHING)
    third = Fraction(1, 3)
    assert network.linear(Z, ROW, "a") == Linear(Fraction(0), (Fraction(1),), Fraction(2))
    assert network.linear(Z, ROW, "b") == Linear(Fraction(-1), (Fraction(2),), Fraction(4, 9))
    network = MixedNetwork(table, kst_gaussian_global(table, 1), SMOOTHING)
    assert network.linear(P, ROW, "a") == Linear(Fraction(0), (third,), 2 * third)


def test_kst_by_hand():
    table = design()
    assert densities(global_log_joint(table, SMOOTHING, ROW, 1), 3) == GLOBAL
    assert densities(local_log_joint(table, SMOOTHING, ROW, 1), 3) == LOCAL
    both = [(g + x) / 2 for g, x in zip(GLOBAL, LOCAL, strict=True)]
    assert both == densities(kst_gaussian_log_joint(table, SMOOTHING, ROW, 1), 3)
    assert kst_gaussian_posterior(table, SMOOTHING, ROW, 1) == shares(*both)
    for members, masses in [("global", GLOBAL), ("local", LOCAL)]:
        result = kst_gaussian_posterior(table, SMOOTHING, ROW, 1, members=members)
        assert result == shares(*masses)
    # Weights 3 and 1 are 3/4 and 1/4
    uneven = [(3 * g + x) / 4 for g, x in zip(GLOBAL, LOCAL, strict=True)]
    log = kst_gaussian_log_joint(table, SMOOTHING, ROW, 1, weights=(3, 1))
    assert uneven == densities(log, 3)
    # Posteriors
    means = [(3 * g / sum(GLOBAL) + x / sum(LOCAL)) / 4 for g, x in zip(GLOBAL, LOCAL, strict=True)]
    result = kst_gaussian_posterior(table, SMOOTHING, ROW, 1, weights=(3, 1), average="posterior")
    assert result == near(means)


def test_kst_of_a_row_with_a_missing_cell_by_hand():
    # P = 1, X = 2. Globally Z is integrated out of Z, P under Z, X under Z:
    # a: P ~ N(0, 2/3 + 1/9 * 3 = 1), X ~ N(0, 2/3 + 4/9 * 3 = 2), covariance 1/3 * 2/3 * 3 = 2/3;
    #    determinant 2 - 4/9 = 14/9; (2 * 1 - 2 * 2/3 * 2 + 1 * 4) : 14/9 = 15/7
    # b: P ~ N(0, 1/9 + ¼ * 4 = 10/9): 9/20; X ~ N(0, 1/9): 18
    # Locally (C is equal) P, X under P: a: 1/2; N(1, 1): 1/2. b: 1/2, 18; variances 1, 1/9
    table, row = design(), (1, 2, None)
    assert kst_gaussian_local(table, row, 1) == {P: (), X: (P,)}
    of_all = (
        P_A * math.sqrt(9 / 14) * math.exp(-15 / 14),
        P_B * math.sqrt(81 / 10) * math.exp(-369 / 20),
    )
    of_row = (P_A * math.exp(-1), P_B * 3 * math.exp(-37 / 2))
    assert of_all == densities(global_log_joint(table, SMOOTHING, row, 1), 2)
    assert of_row == densities(local_log_joint(table, SMOOTHING, row, 1), 2)
    both = [(g + x) / 2 for g, x in zip(of_all, of_row, strict=True)]
    assert kst_gaussian_posterior(table, SMOOTHING, row, 1) == shares(*both)


def test_kst_of_a_row_without_any_number_is_the_class_prior():
    for members in ("global", "local", "both"):
        result = kst_gaussian_posterior(design(), SMOOTHING, (None,) * 3, members=members)
        assert result == near([P_A, P_B])


def test_one_constant_column_leaves_the_class_prior():
    table = numbers([(7,)] * 6, "aaaabb")
    for x in (7, 8, None):
        assert kst_gaussian_posterior(table, SMOOTHING, (x,)) == near([P_A, P_B])


def test_what_is_no_option_is_refused():
    table = design()
    for weights in [(0, 0), (2, -1)]:
        with pytest.raises(ValueError, match="weights"):
            kst_gaussian_posterior(table, SMOOTHING, ROW, weights=weights)
    with pytest.raises(ValueError, match="members 'all'"):
        kst_gaussian_posterior(table, SMOOTHING, ROW, members="all")
    with pytest.raises(ValueError, match="average 'median'"):
        kst_gaussian_posterior(table, SMOOTHING, ROW, average="median")


def test_a_member_of_weight_0_is_none():
    table = design()
    alone = kst_gaussian_posterior(table, SMOOTHING, ROW, 1, members="local")
    for average in ("joint", "posterior"):
        options = {"weights": (0, 5), "average": average}
        assert kst_gaussian_posterior(table, SMOOTHING, ROW, 1, **options) == near(alone)


def test_the_logarithms_are_decimals_and_do_not_underflow():
    log = kst_gaussian_log_joint(design(), SMOOTHING, (10**9, -(10**9), 10**9))
    assert all(isinstance(x, Decimal) and -(10**21) < x < -(10**17) for x in log.values())
