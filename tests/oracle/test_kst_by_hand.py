"""The oracle of KST, ATAN, WATAN and subsumption resolution held to numbers worked by hand."""

import math
import os
from fractions import Fraction
from pathlib import Path

import pytest
from oracle.averages import (
    atan_joint,
    atan_posterior,
    atan_weights,
    averaged,
    mean_joint,
    mean_posterior,
)
from oracle.kst_measures import (
    Measures,
    global_measures,
    information,
    local_information,
    local_measures,
    local_quotient,
)
from oracle.kst_posteriors import kst_joint, kst_posterior
from oracle.kst_structures import (
    correlation_order,
    kst_global,
    kst_local,
    maximum_correlation,
    minimum_dependence,
    spanning_tree,
)
from oracle.mdl import mdl_cuts
from oracle.measures import quantise
from oracle.posteriors import Network, aode_posterior
from oracle.smoothing import BDeu, Laplace, MEstimate
from oracle.subsumption import aode_sr_joint, aode_sr_posterior, resolved, subsumed
from oracle.tables import F, Y, make_table


def holed():
    """Six rows; A is missing in one yes-row, B in one no-row; state c of A is never seen."""
    rows = [("a", "p"), ("a", "p"), ("a", "q"), ("b", "q"), ("b", None), (None, "p")]
    labels = ["yes", "yes", "no", "no", "no", "yes"]
    return make_table(rows, labels, domains=[("a", "b", "c"), None])


def coins():
    """In K only the third coin falls both ways, in L only the first."""
    return make_table([(0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 1, 0)], ["K", "K", "L", "L"])


# --- global measures ----------------------------------------------------------------------------


def test_what_the_class_lets_two_coins_tell():
    # The class is whether two coins fall alike, the third column is constant
    rows = [(0, 0, 0), (1, 1, 0), (0, 1, 0), (1, 0, 0)]
    table = make_table(rows, ["same", "same", "differ", "differ"])
    assert information(table, 0, 1, (2,)) == 0
    assert information(table, 0, 1, (2, Y)) == pytest.approx(math.log(2), abs=1e-15)
    assert global_measures(table, "pairwise").triple(0, 1, 2) == 0
    assert global_measures(table).triple(0, 1, 2) == 762123384786  # ln 2 * 2^40


def test_what_a_third_coin_lets_two_tell():
    # The third column is the parity of the others, in one class; in the other all is constant
    rows = [(0, 0, 0), (1, 1, 0), (0, 1, 1), (1, 0, 1), (0, 0, 0)]
    table = make_table(rows, ["K", "K", "K", "K", "L"])
    # With Y: four of the five rows, ln 2 each
    assert information(table, 0, 1, (2, Y)) == pytest.approx(4 / 5 * math.log(2), abs=1e-15)
    # Without: parity 1 (2/5): ln 2. Parity 0 (3/5): (0,0) twice and (1,1) once:
    # 2/3 ln (2/3 : 4/9) + 1/3 ln (1/3 : 1/9)
    expected = 2 / 5 * math.log(2) + 3 / 5 * (2 / 3 * math.log(3 / 2) + 1 / 3 * math.log(3))
    assert information(table, 0, 1, (2,)) == pytest.approx(expected, abs=1e-15)


def test_rows_with_one_of_the_variables_missing_are_left_out():
    rows = [(0, 0, 0), (1, 1, 0), (0, 1, None), (1, None, 0), (None, 0, 0)]
    table = make_table(rows, ["K", "K", "K", "L", "L"], weights=[3, 3, 5, 7, 9])
    assert information(table, 0, 1, (2,)) == pytest.approx(math.log(2), abs=1e-15)
    assert information(table, 0, 1, (2, Y)) == pytest.approx(math.log(2), abs=1e-15)


# --- local measures -----------------------------------------------------------------------------


def test_local_measure_with_missing_training_cells():
    # yes: both observed in two rows, both (a, p): (2+1)/(2+6); a: (2+1)/(2+3); p: (3+1)/(3+2)
    # no: (a, q), (b, q): (0+1)/(2+6); a, of three rows with A: (1+1)/(3+3); p: (0+1)/(2+2)
    table = holed()
    a, p = (0, "a"), (1, "p")
    assert local_quotient(table, a, p, ((Y, "yes"),)) == Fraction(25, 32)  # 3/8 : 3/5 * 4/5
    assert local_quotient(table, a, p, ((Y, "no"),)) == Fraction(3, 2)  # 1/8 : 1/3 * 1/4
    expected = math.log(75 / 64)
    assert local_information(table, ("a", "p"), 0, 1, (Y,)) == pytest.approx(expected, abs=1e-15)
    assert local_measures(table, ("a", "p")).pair(1, 0) == quantise(expected)


def test_local_measures_of_two_coins_given_the_class():
    # (0, 0, 0): K 1/2 : 3/4 * 3/4 = 8/9, L 1/6 : 1/2 * 1/4 = 4/3 for the first two
    # K 1/3 : 3/4 * 1/2 = 8/9, L 1/3 : 1/2 * 3/4 = 8/9 for the first and the third
    # K 1/3 : 3/4 * 1/2 = 8/9, L 1/6 : 1/4 * 3/4 = 8/9 for the second and the third
    measures = local_measures(coins(), (0, 0, 0))
    assert measures.pair(0, 1) == quantise(math.log(32 / 27))
    assert measures.pair(0, 2) == measures.pair(2, 1) == quantise(math.log(64 / 81))


def test_local_measures_of_two_coins_given_a_third():
    table = coins()
    # Third = 0 in three rows, (0,0), (0,1), (1,1): (1+1)/(3+4) : (2+1)/(3+2) * (1+1)/(3+2)
    # The same once for each class
    pairwise = local_measures(table, (0, 0, 0), "pairwise")
    assert pairwise.triple(0, 1, 2) == quantise(2 * math.log(25 / 21))
    # K: (0,0) alone: 2/5 : 2/3 * 2/3 = 9/10; L: (0,1), (1,1): 1/6 : 1/2 * 1/4 = 4/3
    with_class = local_measures(table, (0, 0, 0))
    assert with_class.triple(0, 1, 2) == quantise(math.log(6 / 5))
    # No row of L has second = 0: 1/4 : 1/2 * 1/2 = 1; K: 1/3 : 1/2 * 3/4 = 8/9
    assert with_class.triple(0, 2, 1) == quantise(math.log(8 / 9))


def test_a_weight_counts_as_rows_and_the_added_one_does_not_grow():
    table = make_table([("a", "p"), ("b", "q")], ["K", "K"], weights=[2, 1])
    # (a, p) 3/7; a 3/5; p 3/5
    assert local_quotient(table, (0, "a"), (1, "p"), ((Y, "K"),)) == Fraction(25, 21)


def test_missing_and_unknown_values_take_no_part():
    assert local_measures(coins(), (0, None, 1)).columns == (0, 2)
    assert local_measures(coins(), (0, 7, 1)).columns == (0, 2)
    assert kst_local(coins(), (None, 7, 1)) == {2: ()}
    assert kst_local(coins(), (None, None, None)) == {}


def test_an_unheard_of_dependence_is_refused():
    with pytest.raises(ValueError, match="class-conditioned"):
        global_measures(coins(), "class-conditioned").triple(0, 1, 2)


# --- the two criteria ---------------------------------------------------------------------------


def invented():
    """Measures of five attributes out of thin air."""
    pairs = {(0, 1): 9, (0, 2): 7, (0, 3): 1, (0, 4): 2, (1, 2): 6, (1, 3): 3, (1, 4): 2}
    pairs |= {(2, 3): 3, (2, 4): 1, (3, 4): 0}
    triples = {(3, 0, 1): 5, (3, 1, 0): 1, (3, 2, 0): 1, (3, 1, 2): 4}  # the others: 0
    return Measures(
        columns=(0, 1, 2, 3, 4),
        pair=lambda i, j: pairs[min(i, j), max(i, j)],
        triple=lambda i, other, p: triples.get((i, other, p), 0),
    )


def test_maximum_correlation_by_hand():
    measures = invented()
    # 0: 9+7+1+2; 1: 9+6+3+2; 2: 7+6+3+1; 3: 1+3+3+0; 4: 2+2+1+0
    assert [maximum_correlation(measures, i) for i in range(5)] == [19, 20, 17, 7, 5]
    assert correlation_order(measures) == [1, 0, 2, 3, 4]


def test_minimum_dependence_by_hand():
    measures = invented()
    # Parents of 3 among 1, 0, 2; for each that stays behind: I(3;l) and I(3;l|j)
    assert minimum_dependence(measures, 3, [], [1, 0, 2], 1) == (1 + 5) + (3 + 0)
    assert minimum_dependence(measures, 3, [], [1, 0, 2], 0) == (3 + 1) + (3 + 1)
    assert minimum_dependence(measures, 3, [], [1, 0, 2], 2) == (3 + 4) + (1 + 0)
    # 0 is chosen: I(3;l), I(3;l|0) and I(3;l|j) of the one that stays behind
    assert minimum_dependence(measures, 3, [0], [1, 2], 1) == 3 + 1 + 0
    assert minimum_dependence(measures, 3, [0], [1, 2], 2) == 3 + 1 + 4
    assert minimum_dependence(measures, 3, [0, 1], [2], 2) == 0  # nothing stays behind


def test_the_greedy_choice_by_hand():
    # The order is 1, 0, 2, 3, 4. For 3 first 0, the earlier of the equals 0 and 2, then 1.
    # For 4 first 1, the earlier of the equals 1 and 0 (2+1+0 each), then 0.
    assert spanning_tree(invented(), 2) == {1: (), 0: (1,), 2: (0, 1), 3: (0, 1), 4: (0, 1)}
    # k = 1: 2 leaves 6 behind if it takes 0, and 7 if it takes 1
    assert spanning_tree(invented(), 1) == {1: (), 0: (1,), 2: (0,), 3: (0,), 4: (1,)}
    # k = 3: only 4 has a choice: 1, then 0 and 2, which leave 1 and 2 behind, so 0; then 2
    assert spanning_tree(invented(), 3)[3] == (0, 1, 2)
    assert spanning_tree(invented(), 3)[4] == (0, 1, 2)
    assert spanning_tree(invented(), 0) == dict.fromkeys(range(5), ())
    assert spanning_tree(invented(), 9)[4] == (0, 1, 2, 3)


def test_with_all_measures_equal_the_lower_columns_are_the_parents():
    zero = Measures((0, 1, 2, 3), lambda i, j: 0, lambda i, other, p: 0)
    assert spanning_tree(zero, 1) == {0: (), 1: (0,), 2: (0,), 3: (0,)}
    assert spanning_tree(zero, 2) == {0: (), 1: (0,), 2: (0, 1), 3: (0, 1)}


def test_the_two_dependences_differ_on_three_coins():
    # All I(Xi;Xj|Y) and I(Xi;Xj|Xp,Y) are 0: of the equals 0 and 1 the third takes 0.
    # Without the class the second and the third tell of one another where the first is 0, and
    # first and third do not, given the second: the third takes 1.
    assert kst_global(coins(), 1) == {0: (), 1: (0,), 2: (0,)}
    assert kst_global(coins(), 1, "pairwise") == {0: (), 1: (0,), 2: (1,)}


@pytest.mark.parametrize("dependence", ["class-conditional", "pairwise"])
def test_local_structure_of_a_row_by_hand(dependence):
    # C: ln 2048/2187 for the first two, equal; 2 ln 64/81 for the third.
    # The third: with the class ln 4/5 against ln 8/9, without 2 ln 50/63 against 2 ln 8/9, on top
    # of equal I(x2;xl|Y): in both cases it takes 0.
    table, row = coins(), (0, 0, 0)
    measures = local_measures(table, row, dependence)
    equal = maximum_correlation(measures, 0)
    assert equal == quantise(math.log(32 / 27)) + quantise(math.log(64 / 81))
    assert maximum_correlation(measures, 1) == equal > maximum_correlation(measures, 2)
    left_1, left_0 = {
        "class-conditional": (math.log(4 / 5), math.log(8 / 9)),
        "pairwise": (2 * math.log(50 / 63), 2 * math.log(8 / 9)),
    }[dependence]
    pair = quantise(math.log(64 / 81))
    assert minimum_dependence(measures, 2, [], [0, 1], 0) == pair + quantise(left_1)
    assert minimum_dependence(measures, 2, [], [0, 1], 1) == pair + quantise(left_0)
    assert kst_local(table, row, 1, dependence) == {0: (), 1: (0,), 2: (0,)}


# --- KST ----------------------------------------------------------------------------------------


def test_kst_by_hand():
    # m = 1. K: 1/2 * P(0) 5/6 * P(0|0) 5/6 * P(0|either) 1/2 = 25/144
    # L: 1/2 * 1/2 * (0+1/2)/(2) = 1/16, the third given the second 1/2, given the first 3/4
    table, row, smoothing = coins(), (0, 0, 0), MEstimate(1)
    options = {"k": 1, "dependence": "pairwise"}
    of_all = kst_joint(table, smoothing, row, members="global", **options)
    of_row = kst_joint(table, smoothing, row, members="local", **options)
    assert of_all == {"K": Fraction(25, 144), "L": Fraction(1, 32)}
    assert of_row == {"K": Fraction(25, 144), "L": Fraction(3, 64)}
    both = kst_joint(table, smoothing, row, **options)
    assert both == {"K": Fraction(25, 144), "L": Fraction(5, 128)}
    assert kst_posterior(table, smoothing, row, **options) == [40 / 49, 9 / 49]
    # Weights 3 and 1 are 3/4 and 1/4: L (3*2 + 3)/256
    uneven = kst_joint(table, smoothing, row, weights=(3, 1), **options)
    assert uneven == {"K": Fraction(25, 144), "L": Fraction(9, 256)}
    # Posteriors: global 50/59 and 9/59, local 100/127 and 27/127
    result = kst_posterior(table, smoothing, row, average="posterior", **options)
    k, other = Fraction(50, 59) + Fraction(100, 127), Fraction(9, 59) + Fraction(27, 127)
    assert result == [float(k / 2), float(other / 2)]


def test_local_factors_are_smoothed_as_the_models():
    # P(x2 = 0 | x0 = 0, L): both are observed in one row of L with x0 = 0, where x2 = 0
    table = coins()
    parents = kst_local(table, (0, 0, 0), 1)
    for smoothing, expected in [
        (MEstimate(1), Fraction(3, 4)),
        (Laplace(1), Fraction(2, 3)),
        (BDeu(1), Fraction(9, 10)),  # q = 2 classes * 2 states: (1 + 1/8) / (1 + 1/4)
        (MEstimate(0), Fraction(1)),
    ]:
        assert Network(table, parents, smoothing).factor(2, (0, 0, 0), "L") == expected


def test_kst_of_a_row_with_a_missing_cell_by_hand():
    # Globally A is parent of B (a tie: the lower column is first), and is summed out:
    # yes 1/2 * (7/9 * 5/6 + 1/9 * 1/2 + 1/9 * 1/2) = 41/108
    # no  1/2 * (1/3 * 1/4 + 7/12 * 1/4 + 1/12 * 1/2) = 13/96
    # Locally B is alone: yes 1/2 * (3+1/2)/(3+1), no 1/2 * (0+1/2)/(2+1)
    table, smoothing = holed(), MEstimate(1)
    assert kst_global(table, 1) == {0: (), 1: (0,)}
    for row in [(None, "p"), ("unheard of", "p")]:
        assert kst_joint(table, smoothing, row, 1) == {
            "yes": (Fraction(41, 108) + Fraction(7, 16)) / 2,
            "no": (Fraction(13, 96) + Fraction(1, 12)) / 2,
        }
        result = kst_posterior(table, smoothing, row, 1, average="posterior")
        no, yes = Fraction(117, 445) + Fraction(4, 25), Fraction(328, 445) + Fraction(21, 25)
        assert result == [float(no / 2), float(yes / 2)]


def test_kst_of_a_row_without_any_value_is_the_class_prior():
    table = make_table([(0, 0), (1, 1), (1, 0)], ["K", "K", "L"])
    for members in ("global", "local", "both"):
        result = kst_posterior(table, MEstimate(1), (None, None), members=members)
        assert result == [5 / 8, 3 / 8]  # (2+1/2)/(3+1)


def test_weights_that_are_no_weights_are_refused():
    for weights in [(0, 0), (2, -1)]:
        with pytest.raises(ValueError, match="weights"):
            kst_joint(coins(), MEstimate(1), (0, 0, 0), weights=weights)


# --- averages -----------------------------------------------------------------------------------


def test_joint_and_posterior_averages_of_members_at_zero():
    table = make_table([(0,), (0,), (0,), (0,)], ["K", "K", "K", "L"])
    half, prior = Fraction(1, 2), {"K": Fraction(3, 4), "L": Fraction(1, 4)}
    silent, sure, unsure = {"K": 0, "L": 0}, {"K": half, "L": 0}, {"K": half, "L": 3 * half}
    # Joint: the members at 0 keep their weights; posterior: those wholly at 0 have none
    assert mean_joint(table, [(1, silent), (1, sure)]) == {"K": half / 2, "L": 0}
    assert mean_posterior(table, [(1, silent), (1, sure)], prior) == {"K": 1, "L": 0}
    assert mean_posterior(table, [(2, silent), (3, sure), (1, unsure)], prior) == {
        "K": Fraction(13, 16),  # 3/4 * 1 + 1/4 * 1/4
        "L": Fraction(3, 16),
    }
    for average in ("joint", "posterior"):
        members = [(1, silent), (1, silent)]
        assert averaged(table, MEstimate(0), members, average) == [3 / 4, 1 / 4]
        # A member of weight 0 is none
        members = [(1, silent), (0, unsure)]
        assert averaged(table, MEstimate(0), members, average) == [3 / 4, 1 / 4]


def test_atan_and_watan_by_hand():
    # (a, p). Root A: yes 1/2 * 7/9 * 5/6 = 70/216, no 1/2 * 1/3 * 1/4 = 9/216
    # Root B: yes 1/2 * 7/8 * 7/9 = 49/144, no 1/2 * 1/6 * (0+1/3)/(0+1) = 4/144
    table, row, smoothing = holed(), ("a", "p"), MEstimate(1)
    yes = Fraction(70, 79), Fraction(49, 53)
    assert atan_posterior(table, smoothing, row) == [float(1 - sum(yes) / 2), float(sum(yes) / 2)]
    assert atan_joint(table, smoothing, row) == {
        "yes": (Fraction(70, 216) + Fraction(49, 144)) / 2,
        "no": (Fraction(9, 216) + Fraction(4, 144)) / 2,
    }
    # I(A;Y): 4/5 ln 5/3 + 1/5 ln 5/9; I(B;Y): 3/5 ln 5/3 + 2/5 ln 5/2, each from five rows
    of_a = 4 / 5 * math.log(5 / 3) + 1 / 5 * math.log(5 / 9)
    of_b = 3 / 5 * math.log(5 / 3) + 2 / 5 * math.log(5 / 2)
    assert atan_weights(table, "mutual-information") == [quantise(of_a), quantise(of_b)]
    expected = (of_a * yes[0] + of_b * yes[1]) / (of_a + of_b)
    result = atan_posterior(table, smoothing, row, "mutual-information")
    assert result == pytest.approx([1 - expected, expected], abs=1e-11)


def test_atan_of_a_row_with_a_missing_cell_by_hand():
    # B = p, A missing. Root A: 41/108 against 13/96 = 328/864 and 117/864 (as in KST above)
    # Root B: A is a leaf: 7/16 against 1/12
    result = atan_posterior(holed(), MEstimate(1), (None, "p"))
    assert result[1] == float((Fraction(328, 445) + Fraction(21, 25)) / 2)


def test_watan_with_all_weights_zero_is_uniform():
    rows = [(0, 0), (1, 1), (0, 0), (1, 1)]
    table = make_table(rows, ["K", "K", "L", "L"])
    assert atan_weights(table, "mutual-information") == [1, 1]
    # One root of no weight has no say
    table = make_table([(0, 0), (1, 0), (0, 1), (1, 1)], ["K", "K", "L", "L"])
    assert atan_weights(table, "mutual-information") == [0, 762123384786]


# --- subsumption resolution ---------------------------------------------------------------------


def patients():
    """Sex and pregnancy: all who are pregnant are female; the third column copies the first."""
    rows = [("f", "yes")] * 3 + [("f", "no")] * 2 + [("m", "no")] * 3
    rows = [(*row, row[0]) for row in rows]
    return make_table(rows, ["ill", "ill", "well", "ill", "well", "ill", "well", "well"])


def test_the_implied_value_is_dropped():
    table = patients()
    # pregnant (3 rows) implies female (5), in the first column and in its copy
    assert subsumed(table, ("f", "yes", None), 3) == {0}
    assert subsumed(table, ("f", "yes", "f"), 3) == {0, 2}
    # not pregnant (5) implies nothing; male (3) implies not pregnant
    assert subsumed(table, ("f", "no", None), 1) == set()
    assert subsumed(table, ("m", "no", None), 3) == {1}


def test_of_two_values_that_imply_one_another_the_lower_column_stays():
    assert subsumed(patients(), ("f", "no", "f"), 1) == {2}
    assert subsumed(patients(), (None, "no", "f"), 1) == set()
    assert resolved(patients(), ("m", "no", "m"), 1) == ("m", None, None)


def test_a_value_below_the_frequency_subsumes_nothing():
    table = patients()
    assert subsumed(table, ("f", "yes", None), 4) == set()
    assert subsumed(table, ("f", "yes", "f"), 4) == {2}  # female: five rows
    assert subsumed(table, ("f", "yes", "f"), 6) == set()
    assert subsumed(table, ("f", "yes", "f")) == set()  # the default is 100


def test_missing_and_unknown_values_neither_subsume_nor_are_subsumed():
    assert subsumed(patients(), ("f", None, None), 1) == set()
    assert subsumed(patients(), ("f", "maybe", None), 1) == set()
    assert resolved(patients(), ("f", "maybe", None), 1) == ("f", None, None)


def test_a_missing_training_cell_breaks_the_implication():
    rows = [("f", "yes"), (None, "yes"), ("f", "no"), ("m", "no")]
    table = make_table(rows, ["K", "K", "L", "L"])
    # pregnant weighs 2, pregnant and female 1
    assert subsumed(table, ("f", "yes"), 1) == set()
    # female weighs 2; with weight 0 for the row with the hole pregnant implies it again
    table = make_table(rows, ["K", "K", "L", "L"], weights=[1, 0, 1, 1])
    assert subsumed(table, ("f", "yes"), 1) == {0}


def test_dropped_values_drop_others_too():
    # a implies b, b implies c; one row more for each: F = 1, 2, 3
    rows = [(1, 1, 1), (0, 1, 1), (0, 0, 1), (0, 0, 0)]
    table = make_table(rows, ["K", "K", "L", "L"])
    assert subsumed(table, (1, 1, 1), 1) == {1, 2}
    # a is too rare to say so, b drops c
    assert subsumed(table, (1, 1, 1), 2) == {2}


def test_aode_on_what_remains_by_hand():
    # pregnant alone: P(ill, yes) = (2+1/4)/(8+1), P(well, yes) = (1+1/4)/(8+1)
    table, smoothing = patients(), MEstimate(1)
    expected = {"ill": Fraction(1, 4), "well": Fraction(5, 36)}
    assert aode_sr_joint(table, smoothing, ("f", "yes", "f"), 3) == expected
    assert aode_sr_posterior(table, smoothing, ("f", "yes", "f"), 3) == [9 / 14, 5 / 14]
    with_all = aode_posterior(table, smoothing, ("f", "yes", "f"))
    assert aode_sr_posterior(table, smoothing, ("f", "yes", "f")) == with_all != [9 / 14, 5 / 14]


def test_the_fall_back_asks_the_remaining_attributes_only():
    # F(pregnant) = 3 is below min_count: naive Bayes on pregnant alone, the prior is 1/2
    # ill (2+1/2)/(4+1), well (1+1/2)/(4+1)
    result = aode_sr_posterior(patients(), MEstimate(1), ("f", "yes", "f"), 3, min_count=4)
    assert result == [5 / 8, 3 / 8]


# --- other people's numbers ---------------------------------------------------------------------


def iris():
    """Return iris.arff with its numbers in the bins of the MDL cuts."""
    if "BNCLASS_DATA" not in os.environ:
        pytest.skip("BNCLASS_DATA does not name the folder of the data files")
    lines = (Path(os.environ["BNCLASS_DATA"]) / "iris.arff").read_text().splitlines()
    cells = [line.split(",") for line in lines if line and line[0] not in "%@"]
    numbers = [[float(x) for x in row[:-1]] for row in cells]
    labels = [row[-1] for row in cells]
    cuts = [mdl_cuts(column, labels) for column in zip(*numbers, strict=True)]
    rows = [
        [sum(x > cut for cut in own) for x, own in zip(row, cuts, strict=True)] for row in numbers
    ]
    return make_table(rows, labels, domains=[range(len(own) + 1) for own in cuts])


def test_aode_with_and_without_subsumption_on_iris():
    """Weka's AODEsr -C 5 -M 1, which asks for more than five rows, and AODE -M 1."""
    table = iris()
    row = table.rows[0]
    assert len(table.rows) == 150
    # Petal length and width tell the first class apart alike: the latter of the two goes
    assert F(table, (2, row[2])) == F(table, (3, row[3])) == F(table, (2, row[2]), (3, row[3]))
    assert 3 in subsumed(table, row, 6)
    with_sr = [0.9986189502497786, 0.000645630068988926, 0.0007354196812324192]
    result = aode_sr_posterior(table, MEstimate(1), row, min_frequency=6)
    assert result == pytest.approx(with_sr, rel=0, abs=1e-12)
    without = [0.9997374720692247, 0.00012825723524029968, 0.00013427069553498134]
    result = aode_posterior(table, MEstimate(1), row)
    assert result == pytest.approx(without, rel=0, abs=1e-12)
