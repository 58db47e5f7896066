"""The mixed oracle held to numbers worked by hand."""

import math
from fractions import Fraction

import pytest
from oracle.densities import log_multivariate_normal, log_normal, log_sum
from oracle.gaussian import Linear, clg, floor, hugin, is_constant, pooled, resolution
from oracle.gaussian_measures import (
    gaussian_pair,
    gaussian_with_class,
    mixed_mutual_information,
    number_and_state,
)
from oracle.mixed import (
    CONTINUOUS,
    binned,
    make_mixed_table,
    mdl_cuts_of,
    mixed_imputed,
    mixed_with_missing_state,
    query,
)
from oracle.mixed_ensembles import (
    gaode_networks,
    gaode_posterior,
    haode_log_joint,
    haode_posterior,
    haode_views,
)
from oracle.mixed_posteriors import (
    MixedNetwork,
    log_joint,
    mixed_posterior,
    mixed_spode_network,
    naive_bayes_posterior,
)
from oracle.mixed_structures import (
    mixed_default_superparent,
    mixed_full,
    mixed_kdb,
    mixed_order,
    mixed_spode,
    mixed_tan,
    two_stage_prim,
)
from oracle.smoothing import MEstimate
from oracle.tables import F, Y

SMOOTHING = MEstimate(1)
A, B = ((Y, "a"),), ((Y, "b"),)


def numbers(columns, labels, weights=None):
    """A table of columns of numbers only."""
    rows = list(zip(*columns, strict=True))
    return make_mixed_table(rows, labels, weights, domains=[CONTINUOUS] * len(columns))


def one_column():
    """Distinct 0, 2, 4, 8: r = 8/3, floor = (4/9)² = 16/81; a: mean 1, σ² 1; b: mean 6, σ² 4."""
    return numbers([[0, 2, 4, 8]], "aabb")


def two_columns():
    """X = 0 2 4 6 | 1 5, Z = 0 0 1 3 | 0 4, the classes a a a a | b b.

    Class a: X mean 3, σ² (9+1+1+9)/4 = 5; Z mean 1, σ² (1+1+0+4)/4 = 3/2;
    covariance (3 + 1 + 0 + 6)/4 = 5/2. Class b: means 3 and 2, σ² 4 and 4, covariance 4.
    X has 0 1 2 4 5 6: r = 6/5, floor (1/5)² = 1/25. Z has 0 1 3 4: r = 4/3, floor (2/9)² = 4/81.
    """
    return numbers([[0, 2, 4, 6, 1, 5], [0, 0, 1, 3, 0, 4]], "aaaabb")


# --- cells --------------------------------------------------------------------------------------


def test_cells_are_exact_and_nan_is_missing():
    table = make_mixed_table(
        [(0.1, "p"), (math.nan, None), (-0.0, "q")], "aab", domains=[CONTINUOUS, None]
    )
    assert table.rows == [(Fraction(0.1), "p"), (None, None), (0, "q")]
    assert table.domains == [CONTINUOUS, ("p", "q")]
    assert query(table, (2.5, "unseen")) == (Fraction(5, 2), None)
    with pytest.raises(OverflowError):
        query(table, (math.inf, "p"))


def test_bins_are_open_on_the_left_and_missing_is_no_bin():
    table = numbers([[0, 1, 2, None]], "aabb")
    assert [row[0] for row in binned(table, 0, (1.0,)).rows] == [0, 0, 1, None]
    assert binned(table, 0, (1.0,)).domains == [(0, 1)]
    assert binned(table, 0, ()).domains == [(0,)]
    assert table.domains == [CONTINUOUS]


def test_filling_by_hand():
    # mean of 1 (weight 3) and 5: 2; the mode of the states is p
    rows = [(1, "p"), (5, None), (None, "q")]
    table = make_mixed_table(rows, "aab", [3, 1, 1], domains=[CONTINUOUS, None])
    imputed, encode = mixed_imputed(table)
    assert imputed.rows == [(1, "p"), (5, "p"), (2, "q")]
    assert encode((None, "unseen")) == (2, "p")
    extended, encode = mixed_with_missing_state(table)
    assert len(extended.domains[1]) == 3
    assert encode((None, None)) == (2, extended.domains[1][2])
    assert extended.rows[2] == (2, "q")
    assert resolution(extended, 0) == 2  # 1, 2 and 5


# --- densities ----------------------------------------------------------------------------------


def test_densities_by_hand():
    # N(3; 1, 4) = e^(-1/2) / (2 √2π)
    expected = -0.5 - math.log(2) - math.log(2 * math.pi) / 2
    assert float(log_normal(Fraction(3), Fraction(1), Fraction(4))) == pytest.approx(expected)
    # covariance (2 1; 1 2): determinant 3, inverse (2 -1; -1 2)/3; (1, 0): distance² 2/3
    covariance = [[Fraction(2), Fraction(1)], [Fraction(1), Fraction(2)]]
    density = log_multivariate_normal([Fraction(1), Fraction(0)], [Fraction(0)] * 2, covariance)
    expected = -1 / 3 - math.log(3) / 2 - math.log(2 * math.pi)
    assert float(density) == pytest.approx(expected, abs=1e-15)
    halves = [log_normal(Fraction(0), Fraction(0), Fraction(1))] * 2
    assert float(log_sum(halves) - halves[0]) == pytest.approx(math.log(2), abs=1e-15)


# --- resolution and floor -----------------------------------------------------------------------


def test_resolution_and_floor_by_hand():
    assert resolution(one_column(), 0) == Fraction(8, 3)
    assert floor(one_column(), 0) == Fraction(16, 81)
    assert not is_constant(one_column(), 0)


def test_resolution_counts_distinct_values_of_rows_with_weight():
    # 9 has weight 0; -0.0 is 0.0; 1 comes twice
    table = numbers([[0.0, -0.0, 1, 1, 3, 9, None]], "abababa", [1, 1, 1, 1, 0.5, 0, 1])
    assert resolution(table, 0) == Fraction(3, 2)


def test_resolution_of_a_constant_column_is_zero():
    table = numbers([[0.0, -0.0, None]], "aab")
    assert resolution(table, 0) == 0
    assert is_constant(table, 0)


def test_resolution_of_more_than_65536_values():
    table = numbers([range(2**16 + 2)], "a" * (2**16 + 2))
    assert resolution(table, 0) == Fraction(2**16 + 1, 2**16)


# --- Gaussian factors ---------------------------------------------------------------------------


def test_gaussian_by_hand():
    assert clg(one_column(), 0, (), A) == Linear(Fraction(1), (), Fraction(1))
    assert clg(one_column(), 0, (), B) == Linear(Fraction(6), (), Fraction(4))


def test_weights_are_rows():
    # (3·0 + 1·4)/4 = 1, (3·1 + 1·9)/4 = 3
    weighted = numbers([[0, 4, 7, 8]], "aabb", [3, 1, 1, 1])
    repeated = numbers([[0, 0, 0, 4, 7, 8]], "aaaabb")
    assert clg(weighted, 0, (), A) == Linear(Fraction(1), (), Fraction(3))
    assert clg(weighted, 0, (), A) == clg(repeated, 0, (), A)


def test_one_row_of_weight_two_is_two_rows_at_the_floor():
    # 0, 3, 5, 9: r = 3, floor 1/4
    table = numbers([[0, 3, 5, 9]], "abbb", [2, 1, 1, 1])
    assert clg(table, 0, (), A) == Linear(Fraction(0), (), Fraction(1, 4))


def test_a_class_of_one_row_takes_the_pooled_variance_and_its_own_mean():
    # class b: mean 2, σ² (4+0+4)/3 = 8/3; pooled (1·0 + 3·8/3)/4 = 2
    table = numbers([[10, 0, 2, 4]], "abbb")
    assert clg(table, 0, (), A) == Linear(Fraction(10), (), Fraction(2))
    assert clg(table, 0, (), B) == Linear(Fraction(2), (), Fraction(8, 3))


def test_a_class_without_rows_takes_the_grand_mean():
    # class a has no number; b: mean 1, σ² 1 (2 rows); c: one row, 4. Grand mean 2, pooled 2/3.
    table = numbers([[None, 0, 2, 4]], "abbc")
    assert clg(table, 0, (), A) == Linear(Fraction(2), (), Fraction(2, 3))
    assert clg(table, 0, (), ((Y, "c"),)) == Linear(Fraction(4), (), Fraction(2, 3))


def test_a_class_below_weight_two_is_pooled_with_what_it_has():
    # a: 0 and 2 of weight ½ each: mean 1, σ² 1, weight 1; b: 4 and 8: σ² 4, weight 2
    table = numbers([[0, 2, 4, 8]], "aabb", [0.5, 0.5, 1, 1])
    assert clg(table, 0, (), A) == Linear(Fraction(1), (), Fraction(3))  # (1·1 + 2·4)/3


def cells():
    """X under class and D: (a, p): 0 4; (a, q): 8; (b, p): 1; (b, q): nothing."""
    rows = [(0, "p"), (4, "p"), (8, "q"), (1, "p")]
    return make_mixed_table(rows, "aaab", domains=[CONTINUOUS, None])


def test_cells_back_off_to_the_class_and_to_the_pool():
    # class a: mean 4, σ² (16+0+16)/3 = 32/3; pooled (3·32/3 + 1·0)/4 = 8
    given = {(y, d): ((Y, y), (1, d)) for y in "ab" for d in "pq"}
    table = cells()
    assert clg(table, 0, (), given["a", "p"]) == Linear(Fraction(2), (), Fraction(4))
    assert clg(table, 0, (), given["a", "q"]) == Linear(Fraction(4), (), Fraction(32, 3))
    assert clg(table, 0, (), given["b", "p"]) == Linear(Fraction(1), (), Fraction(8))
    assert clg(table, 0, (), given["b", "q"]) == Linear(Fraction(1), (), Fraction(8))


def test_without_an_arc_from_the_class_all_rows_are_one_class():
    # p: 0 4 1: mean 5/3, σ² (25+49+4)/27 = 26/9; q: one row, so all four: mean 13/4,
    # σ² (0+16+64+1)/4 - 169/16 = 155/16
    table = cells()
    assert clg(table, 0, (), ((1, "p"),)) == Linear(Fraction(5, 3), (), Fraction(26, 9))
    assert clg(table, 0, (), ((1, "q"),)) == Linear(Fraction(13, 4), (), Fraction(155, 16))


def test_a_family_without_rows_falls_back_on_the_class_alone():
    # D is never seen with X
    rows = [(0, None), (2, None), (None, "p"), (4, None), (8, None)]
    table = make_mixed_table(rows, "aaabb", domains=[CONTINUOUS, None])
    assert clg(table, 0, (), ((Y, "a"), (1, "p"))) == Linear(Fraction(1), (), Fraction(1))
    table = numbers([[0, 2, None, None, 4, 8], [None, None, 1, 5, None, None]], "aaaabb")
    assert clg(table, 0, (1,), A) == Linear(Fraction(1), (Fraction(0),), Fraction(1))
    assert pooled(table, 0, (1,), A).variance == Fraction(5, 2)  # (2·1 + 2·4)/4
    assert hugin(table, 0, (1,), A) == clg(table, 0, (1,), A)


def test_a_wholly_missing_column_is_refused():
    table = make_mixed_table([("p", None), ("q", None)], "ab", domains=[None, CONTINUOUS])
    with pytest.raises(ValueError, match="empty"):
        clg(table, 1, (), A)


# --- regression ---------------------------------------------------------------------------------


def test_clg_by_hand():
    # a: b = (5/2)/(3/2) = 5/3, intercept 3 - 5/3 = 4/3, residual 5 - 25/9·3/2 = 5/6
    # b: b = 4/4 = 1, intercept 3 - 2 = 1, residual 4 - 4 = 0, so the floor 1/25
    table = two_columns()
    assert clg(table, 0, (1,), A) == Linear(Fraction(4, 3), (Fraction(5, 3),), Fraction(5, 6))
    assert clg(table, 0, (1,), B) == Linear(Fraction(1), (Fraction(1),), Fraction(1, 25))


def test_hugin_by_hand():
    # neither the intercept centred nor the variance reduced
    table = two_columns()
    assert hugin(table, 0, (1,), A) == Linear(Fraction(3), (Fraction(5, 3),), Fraction(5))
    assert hugin(table, 0, (1,), B) == Linear(Fraction(3), (Fraction(1),), Fraction(4))


def test_pooled_by_hand():
    # (4·5/6 + 2·0)/6 = 5/9 for both classes; superparents: X (4·5 + 2·4)/6 = 14/3
    table = two_columns()
    assert pooled(table, 0, (1,), A) == Linear(Fraction(4, 3), (Fraction(5, 3),), Fraction(5, 9))
    assert pooled(table, 0, (1,), B) == Linear(Fraction(1), (Fraction(1),), Fraction(5, 9))
    assert pooled(table, 0, (), A) == Linear(Fraction(3), (), Fraction(14, 3))


def test_pooled_takes_the_raw_variance_of_a_class_below_weight_two():
    # b of weight 1: mean 3, σ² 4, no slope: (4·5/6 + 1·4)/5 = 22/15
    columns = [[0, 2, 4, 6, 1, 5], [0, 0, 1, 3, 0, 4]]
    table = numbers(columns, "aaaabb", [1, 1, 1, 1, 0.5, 0.5])
    assert pooled(table, 0, (1,), B) == Linear(Fraction(3), (Fraction(0),), Fraction(22, 15))


def test_a_parent_below_its_floor_counts_with_its_floor():
    # Z in class a: 0 1 0 1, σ² 1/4; Z has 0 1 7: r = 7/2, floor (7/12)² = 49/144 > 1/4
    # covariance with X = 0 2 0 2: 1/2; b = (1/2)/(49/144) = 72/49
    # residual 1 - (72/49)²·49/144 = 1 - 36/49 = 13/49; X has 0 2 3: floor (1/4)² = 1/16
    table = numbers([[0, 2, 0, 2, 3, 3], [0, 1, 0, 1, 7, 7]], "aaaabb")
    factor = clg(table, 0, (1,), A)
    assert factor.coefficients == (Fraction(72, 49),)
    assert factor.variance == Fraction(13, 49)


def test_two_parents_by_hand():
    # Z and W are uncorrelated in class a (σ² 1 each), X = 2 Z - W + noise of variance 1/4 that is
    # correlated with neither: noise + - - + over (Z, W) = (-,-) (+,-) (-,+) (+,+)
    z, w, noise = [-1, 1, -1, 1], [-1, -1, 1, 1], [0.5, -0.5, -0.5, 0.5]
    x = [5 + 2 * a - b + e for a, b, e in zip(z, w, noise, strict=True)]
    table = numbers([x, z, w], "aaaa")
    factor = clg(table, 0, (1, 2), A)
    assert factor == Linear(Fraction(5), (Fraction(2), Fraction(-1)), Fraction(1, 4))


def test_a_class_below_weight_two_has_no_slope():
    # Z is constant in no class; b has one row: its own mean, the pooled variance (4·5 + 0)/5
    table = numbers([[0, 2, 4, 6, 1], [0, 0, 1, 3, 0]], "aaaab")
    assert clg(table, 0, (1,), B) == Linear(Fraction(1), (Fraction(0),), Fraction(4))


def test_a_cell_of_one_row_takes_the_regression_of_its_class():
    columns = zip([0, 2, 4, 6, 1, 5], [0, 0, 1, 3, 0, 4], "pppqpp", strict=True)
    table = make_mixed_table(list(columns), "aaaabb", domains=[CONTINUOUS, CONTINUOUS, None])
    cell = clg(table, 0, (1,), ((Y, "a"), (2, "q")))
    assert cell == Linear(Fraction(4, 3), (Fraction(5, 3),), Fraction(5, 6))


def test_collinear_parents_share_the_slope():
    # W = Z: the smallest of all solutions gives each half of 5/3
    z = [0, 0, 1, 3, 0, 4]
    table = numbers([[0, 2, 4, 6, 1, 5], z, z], "aaaabb")
    factor = clg(table, 0, (1, 2), A)
    assert [float(b) for b in factor.coefficients] == pytest.approx([5 / 6, 5 / 6], rel=1e-14)
    assert float(factor.variance) == pytest.approx(5 / 6, rel=1e-13)


def test_collinear_parents_share_the_slope_in_units_of_their_spread():
    # W = 4 Z: on columns divided by their σ both have 5/6, which is 5/6 and 5/24 in their own units
    z = [0, 0, 1, 3, 0, 4]
    table = numbers([[0, 2, 4, 6, 1, 5], z, [4 * v for v in z]], "aaaabb")
    factor = clg(table, 0, (1, 2), A)
    assert [float(b) for b in factor.coefficients] == pytest.approx([5 / 6, 5 / 24], rel=1e-14)


def test_a_constant_parent_has_no_slope_and_a_constant_child_no_variance():
    table = numbers([[0, 2, 4, 6, 1, 5], [0, 0, 1, 3, 0, 4], [7] * 6], "aaaabb")
    factor = clg(table, 0, (1, 2), A)
    assert factor == Linear(Fraction(4, 3), (Fraction(5, 3), Fraction(0)), Fraction(5, 6))
    assert clg(table, 2, (0, 1), A) == Linear(Fraction(7), (Fraction(0),) * 2, Fraction(0))


def test_family_rows_are_those_in_which_parents_are_observed_too():
    # the row X = 100 has no Z
    table = numbers([[0, 2, 4, 6, 100], [0, 0, 1, 3, None]], "aaaaa")
    assert clg(table, 0, (1,), A).coefficients == (Fraction(5, 3),)
    assert clg(table, 0, (), A).intercept == Fraction(112, 5)


# --- measures -----------------------------------------------------------------------------------


def test_gaussian_information_on_the_class_by_hand():
    # 0 2 | 4 8: mean 7/2, σ² (49+9+1+81)/16 = 35/4; within: 1 and 4
    # ½ ln 35/4 - ½ (½ ln 1 + ½ ln 4) = ½ ln(35/8)
    assert gaussian_with_class(one_column(), 0) == pytest.approx(math.log(35 / 8) / 2, abs=1e-15)


def test_information_on_the_class_floors_a_class_of_one_row():
    # 0 | 2 4 with 0 2 4: r = 2, floor 1/9; σ² 8/3, class b 1
    # ½ ln 8/3 - ½ (1/3 ln 1/9 + 2/3 ln 1) = ½ ln(8/3) + 1/3 ln 3
    table = numbers([[0, 2, 4, None]], "abbc")  # c has no number: no share
    expected = math.log(8 / 3) / 2 + math.log(3) / 3
    assert gaussian_with_class(table, 0) == pytest.approx(expected, abs=1e-15)


def test_information_on_the_class_is_clipped_at_zero():
    table = numbers([[0, 2, 0, 2]], "aabb")
    assert gaussian_with_class(table, 0) == 0.0
    assert mixed_mutual_information(table, 0) == 0.0


def test_gaussian_pair_by_hand():
    # a (2/3 of the weight): 1 - ρ² = 1 - (25/4)/(15/2) = 1/6
    # b (1/3): ρ = 1, so the larger of floor_X/σ² = (1/25)/4 and floor_Z/σ² = (4/81)/4 = 1/81
    expected = -(2 / 3 * math.log(1 / 6) + 1 / 3 * math.log(1 / 81)) / 2
    assert gaussian_pair(two_columns(), 0, 1) == pytest.approx(expected, abs=1e-15)
    assert gaussian_pair(two_columns(), 1, 0) == gaussian_pair(two_columns(), 0, 1)


def test_gaussian_pair_of_a_class_of_one_row_or_without_spread_is_zero():
    table = numbers([[0, 5, 5, 2, 3], [1, 7, 8, 2, 2]], "abbcc")
    assert gaussian_pair(table, 0, 1) == 0.0  # one row; X still in b; Z still in c


def test_number_and_state_by_hand():
    # one class; p: 0 2 (σ² 1), q: 4 8 (σ² 4): ½ ln(35/4) - ½(½ ln 1 + ½ ln 4), as with the class
    rows = list(zip([0, 2, 4, 8], "ppqq", strict=True))
    table = make_mixed_table(rows, "aaaa", domains=[CONTINUOUS, None])
    assert number_and_state(table, 0, 1) == pytest.approx(math.log(35 / 8) / 2, abs=1e-15)


def test_number_and_state_takes_the_class_for_a_cell_of_one_row():
    # p: 0 2 4 (σ² 8/3); q: 8, so σ²_y = 35/4: ½ ln(35/4) - ½(¾ ln(8/3) + ¼ ln(35/4))
    rows = list(zip([0, 2, 4, 8], "pppq", strict=True))
    table = make_mixed_table(rows, "aaaa", domains=[CONTINUOUS, None])
    expected = 3 / 4 * (math.log(35 / 4) - math.log(8 / 3)) / 2
    assert number_and_state(table, 0, 1) == pytest.approx(expected, abs=1e-15)


def test_measures_with_a_constant_column_are_zero():
    rows = list(zip([7] * 4, [0, 1, 5, 2], "ppqq", strict=True))
    table = make_mixed_table(rows, "aabb", domains=[CONTINUOUS, CONTINUOUS, None])
    assert gaussian_with_class(table, 0) == 0.0
    assert gaussian_pair(table, 0, 1) == 0.0
    assert number_and_state(table, 0, 2) == 0.0


# --- structures ---------------------------------------------------------------------------------


def mixed():
    """D (two states), X tells the class best, E (two states) a little, Z nothing."""
    rows = [
        (0, "p", "u", 1),
        (1, "p", "u", 2),
        (2, "q", "v", 3),
        (10, "q", "v", 1),
        (11, "p", "v", 2),
        (13, "q", "v", 3),
    ]
    return make_mixed_table(rows, "aaabbb", domains=[CONTINUOUS, None, None, CONTINUOUS])


def test_discrete_attributes_come_first_in_the_order():
    # I(E;Y) > I(D;Y) > 0; among the numbers X before Z
    assert mixed_order(mixed()) == [2, 1, 0, 3]
    assert mixed_default_superparent(mixed()) == 2
    assert mixed_spode(mixed()) == {0: (2,), 1: (2,), 2: (), 3: (2,)}
    assert mixed_full(mixed()) == {2: (), 1: (2,), 0: (1, 2), 3: (0, 1, 2)}
    assert mixed_kdb(mixed(), 0) == dict.fromkeys(range(4), ())


def test_a_continuous_root_or_superparent_of_mixed_data_is_refused():
    with pytest.raises(ValueError, match="attribute 0 is continuous"):
        mixed_tan(mixed(), root=0)
    with pytest.raises(ValueError, match="attribute 3 is continuous"):
        mixed_spode(mixed(), 3)
    assert mixed_tan(mixed())[1] == ()  # the first discrete column


def test_prim_joins_the_discrete_attributes_first():
    # the heaviest edge 0-2 must wait until 1 and 3 are in; then 2 joins under 0, a number under a
    # state, and 4 under 2, a number under a number
    scores = [
        [0, 1, 9, 2, 1],
        [1, 0, 3, 1, 1],
        [9, 3, 0, 8, 5],
        [2, 1, 8, 0, 2],
        [1, 1, 5, 2, 0],
    ]
    parents = two_stage_prim(scores, 1, [0, 1, 3])
    assert parents == {1: (), 0: (1,), 3: (0,), 2: (0,), 4: (2,)}
    assert list(parents) == [1, 0, 3, 2, 4]


def test_prim_keeps_the_lower_column_on_ties():
    parents = two_stage_prim([[0] * 4 for _ in range(4)], 2, [2, 3])
    assert parents == {2: (), 3: (2,), 0: (2,), 1: (0,)}


# --- posteriors ---------------------------------------------------------------------------------


def test_naive_bayes_on_numbers_by_hand():
    # P(y) = 1/2; N(3; 1, 1) : N(3; 6, 4) = e^(-2) : e^(-9/8)/2
    a, b = math.exp(-2), math.exp(-9 / 8) / 2
    expected = [a / (a + b), b / (a + b)]
    assert naive_bayes_posterior(one_column(), SMOOTHING, [3]) == pytest.approx(expected)


def test_naive_bayes_on_numbers_and_states_by_hand():
    # P(y) = 1/2, P(p|a) = (2 + 1/2)/(2 + 1) = 5/6, P(p|b) = (1 + 1/2)/3 = 1/2
    rows = list(zip([0, 2, 4, 8], "pppq", strict=True))
    table = make_mixed_table(rows, "aabb", domains=[CONTINUOUS, None])
    a, b = 5 / 6 * math.exp(-2), 1 / 2 * math.exp(-9 / 8) / 2
    assert naive_bayes_posterior(table, SMOOTHING, [3, "p"])[0] == pytest.approx(a / (a + b))
    a, b = 5 / 6, 1 / 2
    assert naive_bayes_posterior(table, SMOOTHING, [None, "p"])[0] == pytest.approx(a / (a + b))
    a, b = math.exp(-2), math.exp(-9 / 8) / 2
    assert naive_bayes_posterior(table, SMOOTHING, [3, "unseen"])[0] == pytest.approx(a / (a + b))


def test_a_missing_parent_is_integrated_out_by_hand():
    # class a: X | z ~ N(4/3 + 5/3 z, 5/6), Z ~ N(1, 3/2): X ~ N(3, 5/6 + 25/9·3/2) = N(3, 5)
    # class b: X | z ~ N(1 + z, 1/25), Z ~ N(2, 4): X ~ N(3, 101/25). P(a) = (4 + 1/2)/7 = 9/14.
    network = MixedNetwork(two_columns(), {0: (1,), 1: ()}, SMOOTHING)
    joint = log_joint(network, [4, None])
    a = math.log(9 / 14) - 1 / 10 - math.log(2 * math.pi * 5) / 2
    b = math.log(5 / 14) - 25 / 202 - math.log(2 * math.pi * 101 / 25) / 2
    assert [float(log) for log in joint.values()] == pytest.approx([a, b], abs=1e-15)


def test_a_missing_discrete_parent_is_summed_out_by_hand():
    # class a of cells(): P(p|a) = (2 + 1/2)/4 = 5/8; N(6; 2, 4) and N(6; 4, 32/3)
    # class b: P(p|b) = 3/4; both N(6; 1, 8). P(a) = (3 + 1/2)/5 = 7/10. Not SPODE's: no tag.
    network = MixedNetwork(cells(), {0: (1,), 1: ()}, SMOOTHING)
    a = 5 / 8 * math.exp(-2) / 2 + 3 / 8 * math.exp(-3 / 16) / math.sqrt(32 / 3)
    b = math.exp(-25 / 16) / math.sqrt(8)
    posterior = mixed_posterior(network, [6, None])
    assert posterior[0] == pytest.approx(7 * a / (7 * a + 3 * b), abs=1e-15)


def test_a_discrete_superparent_is_estimated_with_the_class_and_a_continuous_one_is_not():
    # D observed in 4 rows: P(a, p) = (2 + 1/4)/5 = 9/20, P(b, p) = 5/20
    table = cells()
    network = mixed_spode_network(table, SMOOTHING, 1)
    assert network.superparent == 1
    assert mixed_posterior(network, [None, "p"])[0] == pytest.approx(9 / 14)
    assert mixed_spode_network(two_columns(), SMOOTHING, 0).superparent is None


def test_an_attribute_without_an_arc_from_the_class_says_nothing_on_it():
    network = MixedNetwork(cells(), {0: (1,), 1: ()}, SMOOTHING, without_class=frozenset({0}))
    assert mixed_posterior(network, [6, "p"])[0] == pytest.approx(
        mixed_posterior(network, [None, "p"])[0], abs=1e-15
    )
    assert mixed_posterior(network, [8, None])[0] != mixed_posterior(network, [0, None])[0]


def test_a_constant_column_has_no_say():
    with_constant = numbers([[0, 2, 4, 8], [7] * 4], "aabb")
    plain = naive_bayes_posterior(one_column(), SMOOTHING, [3])
    for value in (7, 8, None):
        row = [3, value]
        assert naive_bayes_posterior(with_constant, SMOOTHING, row) == plain
        for parents in ({0: (1,), 1: ()}, {0: (), 1: (0,)}):
            network = MixedNetwork(with_constant, parents, SMOOTHING)
            assert mixed_posterior(network, row) == plain
        assert gaode_posterior(with_constant, SMOOTHING, row) == plain


def test_without_any_column_that_varies_the_answer_is_the_class_prior():
    table = numbers([[7] * 4, [1] * 4], "abbb")
    prior = [3 / 10, 7 / 10]  # (1 + 1/2)/5
    assert naive_bayes_posterior(table, SMOOTHING, [7, 2]) == pytest.approx(prior)
    assert gaode_posterior(table, SMOOTHING, [7, 1]) == pytest.approx(prior)
    assert haode_posterior(table, SMOOTHING, [7, 1]) == pytest.approx(prior)
    assert mixed_posterior(MixedNetwork(table, mixed_tan(table), SMOOTHING), [7, None]) == (
        pytest.approx(prior)
    )


# --- GAODE --------------------------------------------------------------------------------------


def normal(x, mean, variance):
    return math.exp(-((x - mean) ** 2) / (2 * variance)) / math.sqrt(2 * math.pi * variance)


def test_gaode_by_hand():
    # at (4, 2). Superparent Z: the factors of X from above. Superparent X: b = (5/2)/5 = 1/2 in a,
    # 4/4 = 1 in b; residuals 3/2 - 1/4·5 = 1/4, and 0, so the floor 4/81.
    under_z = [
        9 / 14 * normal(2, 1, 3 / 2) * normal(4, 4 / 3 + 10 / 3, 5 / 6),
        5 / 14 * normal(2, 2, 4) * normal(4, 1 + 2, 1 / 25),
    ]
    under_x = [
        9 / 14 * normal(4, 3, 5) * normal(2, 1 + (4 - 3) / 2, 1 / 4),
        5 / 14 * normal(4, 3, 4) * normal(2, 2 + (4 - 3), 4 / 81),
    ]
    a, b = (x + z for x, z in zip(under_x, under_z, strict=True))
    assert gaode_posterior(two_columns(), SMOOTHING, [4, 2])[0] == pytest.approx(a / (a + b))


def test_gaode_with_pooled_variances_by_hand():
    # X | Z: 5/9, Z | X: (4·1/4 + 0)/6 = 1/6; superparents X 14/3, Z (4·3/2 + 2·4)/6 = 7/3
    under_z = [
        9 / 14 * normal(2, 1, 7 / 3) * normal(4, 4 / 3 + 10 / 3, 5 / 9),
        5 / 14 * normal(2, 2, 7 / 3) * normal(4, 1 + 2, 5 / 9),
    ]
    under_x = [
        9 / 14 * normal(4, 3, 14 / 3) * normal(2, 3 / 2, 1 / 6),
        5 / 14 * normal(4, 3, 14 / 3) * normal(2, 3, 1 / 6),
    ]
    a, b = (x + z for x, z in zip(under_x, under_z, strict=True))
    posterior = gaode_posterior(two_columns(), SMOOTHING, [4, 2], "pooled")
    assert posterior[0] == pytest.approx(a / (a + b))


def test_gaode_as_hugin_does_it_by_hand():
    # X | z: 3 + 5/3 z with σ² 5, and 3 + z with 4; Z | x: 1 + x/2 with 3/2, and 2 + x with 4
    under_z = [
        9 / 14 * normal(2, 1, 3 / 2) * normal(4, 3 + 10 / 3, 5),
        5 / 14 * normal(2, 2, 4) * normal(4, 3 + 2, 4),
    ]
    under_x = [
        9 / 14 * normal(4, 3, 5) * normal(2, 1 + 2, 3 / 2),
        5 / 14 * normal(4, 3, 4) * normal(2, 2 + 4, 4),
    ]
    a, b = (x + z for x, z in zip(under_x, under_z, strict=True))
    posterior = gaode_posterior(two_columns(), SMOOTHING, [4, 2], "hugin")
    assert posterior[0] == pytest.approx(a / (a + b))


def test_gaode_keeps_a_member_whose_superparent_is_missing():
    # under X nothing but N(4; 3, 5 | 4); under Z the integrals of the test above
    variances_under_z = [5, 101 / 25]
    a, b = (
        prior * (normal(4, 3, own) + normal(4, 3, integrated))
        for prior, own, integrated in zip([9, 5], [5, 4], variances_under_z, strict=True)
    )
    assert gaode_posterior(two_columns(), SMOOTHING, [4, None])[0] == pytest.approx(a / (a + b))


def test_gaode_refuses_states_and_constant_superparents():
    with pytest.raises(ValueError, match="discrete"):
        gaode_networks(mixed(), SMOOTHING)
    assert list(gaode_networks(numbers([[1, 1], [1, 2]], "ab"), SMOOTHING)) == [1]


# --- HAODE --------------------------------------------------------------------------------------


def test_haode_by_hand():
    # X = 0 4 8 1 with bins (-inf, 2] (2, inf): 0 1 1 0; D = p p q p; classes a a a b.
    # Member X at (3, p), bin 1: P(a, 1) = (2 + 1/4)/5 = 9/20, P(b, 1) = 1/20;
    #   P(p | a, 1) = (1 + 1/2)/(2 + 1) = 1/2, P(p | b, 1) = (0 + 1/2)/(0 + 1) = 1/2.
    # Member D: P(a, p) = 9/20, P(b, p) = 5/20, X | a, p ~ N(2, 4), X | b, p ~ N(1, 8);
    #   X has 0 1 4 8: r = 8/3.
    width = 8 / 3
    a = 9 / 20 * 1 / 2 + 9 / 20 * width * normal(3, 2, 4)
    b = 1 / 20 * 1 / 2 + 5 / 20 * width * normal(3, 1, 8)
    cuts = {0: (2.0,)}
    joint = haode_log_joint(cells(), SMOOTHING, [3, "p"], cuts)
    assert [math.exp(log) for log in joint.values()] == pytest.approx([a / 2, b / 2])
    posterior = haode_posterior(cells(), SMOOTHING, [3, "p"], cuts)
    assert posterior == pytest.approx([a / (a + b), b / (a + b)])


def test_haode_members_are_gated():
    cuts = {0: (2.0,)}
    # X missing: member D alone, whose numbers are missing: P(y, p)
    posterior = haode_posterior(cells(), SMOOTHING, [None, "p"], cuts)
    assert posterior[0] == pytest.approx(9 / 14)
    # F(q) = 1 < 2 and F(bin 1) = 2: member X alone, P(q | y, 1) = 1/2
    posterior = haode_posterior(cells(), SMOOTHING, [3, "q"], cuts, min_count=2)
    assert posterior[0] == pytest.approx(9 / 10)


def test_haode_falls_back_on_mixed_naive_bayes():
    row, cuts = [3, "q"], {0: (2.0,)}
    plain = naive_bayes_posterior(cells(), SMOOTHING, row)
    assert haode_posterior(cells(), SMOOTHING, row, cuts, min_count=9) == pytest.approx(plain)
    joint = haode_log_joint(cells(), SMOOTHING, row, cuts, min_count=9)
    # class a: P(a) P(q|a) r N(3; 4, 32/3) = 7/10 · (1 + 1/2)/4 · 8/3 · ...
    expected = 7 / 10 * 3 / 8 * 8 / 3 * normal(3, 4, 32 / 3)
    assert math.exp(joint["a"]) == pytest.approx(expected)


def test_haode_takes_the_mdl_cuts_and_no_constant_superparent():
    columns = [[*range(10), *range(20, 30)], [5] * 20]
    table = numbers(columns, "a" * 10 + "b" * 10)
    assert mdl_cuts_of(table, 0) == (14.5,)
    [view] = haode_views(table)
    assert view.superparent == 0
    assert F(view.table, (0, 1)) == 10
    # P(a, bin 0) = (10 + 1/4)/21 against 1/4
    assert haode_posterior(table, SMOOTHING, [14.5, 5])[0] == pytest.approx(41 / 42)


def test_haode_with_a_zero_count_and_no_smoothing():
    # member X at bin 1 gives b a zero and drops out for b; the divisor stays 2
    joint = haode_log_joint(cells(), MEstimate(0), [3, "p"], {0: (2.0,)})
    expected = 1 / 4 * 8 / 3 * normal(3, 1, 8) / 2
    assert math.exp(joint["b"]) == pytest.approx(expected)
    # q is not seen in bin 0, so member X gives both classes 0 and member D decides: its cells have
    # one row each, so N(0; 4, 16) of a against N(0; 5, 16) of b
    table = make_mixed_table(
        [(0, "p"), (1, "p"), (8, "q"), (9, "q")], "abab", domains=[CONTINUOUS, None]
    )
    a, b = normal(0, 4, 16), normal(0, 5, 16)
    posterior = haode_posterior(table, MEstimate(0), [0, "q"], {0: (2.0,)})
    assert posterior[0] == pytest.approx(a / (a + b))
    # every class at 0: the class prior
    nothing = make_mixed_table([("p", "u"), ("q", "v")], "ab", domains=[None, None])
    assert haode_posterior(nothing, MEstimate(0), ["p", "v"]) == [0.5, 0.5]
