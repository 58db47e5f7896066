"""The oracle held to numbers worked by hand, and to Weka's."""

import math
import os
from fractions import Fraction
from pathlib import Path

import pytest
from oracle.measures import conditional_mutual_information, mutual_information, quantise
from oracle.missing import MISSING, imputed, with_missing_state
from oracle.posteriors import (
    Network,
    aode_joint,
    aode_posterior,
    joint,
    posterior,
    spode_network,
)
from oracle.smoothing import (
    BDeu,
    Laplace,
    MEstimate,
    class_prior,
    conditional,
    pair,
    pair_conditional,
    pair_prior,
)
from oracle.structures import default_superparent, k_dependence, naive_bayes, prim, spode, tan
from oracle.tables import F, Y, make_table, without_wholly_missing


def small():
    """Six rows, two attributes; state c of the first is declared and never seen.

    t = 6, F(yes) = F(no) = 3. A is missing in one yes-row, B in one no-row.
    """
    rows = [("a", "p"), ("a", "p"), ("a", "q"), ("b", "q"), ("b", None), (None, "p")]
    labels = ["yes", "yes", "no", "no", "no", "yes"]
    return make_table(rows, labels, domains=[("a", "b", "c"), None])


# --- counts -------------------------------------------------------------------------------------


def test_f_counts_rows_in_which_the_named_are_observed():
    table = small()
    assert F(table) == 6
    assert F(table, (Y, "yes")) == 3
    assert F(table, (0, "a")) == 3
    assert F(table, (0, "a"), (Y, "yes")) == 2
    assert F(table, (0, "b"), (1, "q")) == 1  # the other b has no B
    assert F(table, (0, "c")) == 0
    assert table.domains == [("a", "b", "c"), ("p", "q")]


def test_rows_of_weight_zero_add_neither_state_nor_class():
    table = make_table([("a",), ("z",), ("b",)], ["yes", "maybe", "no"], weights=[1, 0, 0.5])
    assert table.domains == [("a", "b")]
    assert table.classes == ("no", "yes")
    assert F(table) == Fraction(3, 2)


def test_an_undeclared_state_in_training_is_refused():
    with pytest.raises(ValueError, match="undeclared"):
        make_table([("z",)], ["yes"], domains=[("a", "b")])


def test_wholly_missing_attributes_are_left_out():
    table = make_table([("a", None, 1), ("b", None, 2)], [0, 1], domains=[None, ("u",), None])
    smaller, kept = without_wholly_missing(table)
    assert kept == (0, 2)
    assert smaller.rows == [("a", 1), ("b", 2)]


# --- smoothing ----------------------------------------------------------------------------------


def test_conditional_by_hand():
    # F(a,yes) = 2; A is observed in two yes-rows; |A| = 3; BDeu: q = K = 2
    given = ((Y, "yes"),)
    table = small()
    assert conditional(table, MEstimate(1), 0, "a", given) == Fraction(7, 9)  # (2+1/3)/(2+1)
    assert conditional(table, Laplace(1), 0, "a", given) == Fraction(3, 5)  # (2+1)/(2+3)
    assert conditional(table, BDeu(1), 0, "a", given) == Fraction(13, 15)  # (2+1/6)/(2+1/2)


def test_conditional_with_an_attribute_parent_by_hand():
    # F(B=q, A=b, no) = 1, and the second row with A=b has no B: F(u) = 1; BDeu: q = 2*3
    given = ((Y, "no"), (0, "b"))
    table = small()
    assert conditional(table, MEstimate(1), 1, "q", given) == Fraction(3, 4)  # (1+1/2)/(1+1)
    assert conditional(table, Laplace(1), 1, "q", given) == Fraction(2, 3)  # (1+1)/(1+2)
    assert conditional(table, BDeu(1), 1, "q", given) == Fraction(13, 14)  # (1+1/12)/(1+1/6)
    assert conditional(table, MEstimate(0), 1, "q", ((Y, "yes"), (0, "b"))) == Fraction(1, 2)  # 0/0


def test_class_prior_by_hand():
    table = make_table([("a",)] * 4, ["yes", "yes", "yes", "no"])
    assert class_prior(table, MEstimate(1), "yes") == Fraction(7, 10)  # (3+1/2)/(4+1)
    assert class_prior(table, Laplace(1), "yes") == Fraction(2, 3)  # (3+1)/(4+2)
    assert class_prior(table, BDeu(2), "yes") == Fraction(2, 3)  # (3+2/2)/(4+2)


def test_class_and_superparent_together_by_hand():
    # A is observed in five rows, two of them yes, both a; K|A| = 6
    table = small()
    assert pair(table, MEstimate(1), "yes", 0, "a") == Fraction(13, 36)  # (2+1/6)/(5+1)
    assert pair(table, BDeu(1), "yes", 0, "a") == Fraction(13, 36)
    assert pair(table, Laplace(1), "yes", 0, "a") == Fraction(3, 11)  # (2+1)/(5+6)
    assert pair_prior(table, MEstimate(1), "yes", 0) == Fraction(5, 12)  # (2+1/2)/(5+1)
    assert pair_prior(table, Laplace(1), "yes", 0) == Fraction(5, 11)  # (2+3)/(5+6)
    assert pair_conditional(table, MEstimate(1), 0, "a", "yes") == Fraction(13, 15)  # 13/36 : 5/12


# --- measures -----------------------------------------------------------------------------------


def test_mutual_information_by_hand():
    # Five rows with A: P(a,yes) = 2/5, P(a,no) = 1/5, P(b,no) = 2/5
    # P(a)P(yes) = 6/25, P(a)P(no) = 9/25, P(b)P(no) = 6/25
    expected = 4 / 5 * math.log(5 / 3) + 1 / 5 * math.log(5 / 9)
    assert mutual_information(small(), 0) == pytest.approx(expected, abs=1e-15)


def test_conditional_mutual_information_by_hand():
    # Given its class, each of two coins settles the other: one bit, while neither tells the class
    rows = [(0, 0), (1, 1), (0, 1), (1, 0)]
    table = make_table(rows, ["same", "same", "differ", "differ"])
    assert conditional_mutual_information(table, 0, 1) == pytest.approx(math.log(2), abs=1e-15)
    assert mutual_information(table, 0) == 0
    assert quantise(conditional_mutual_information(table, 0, 1)) == 762123384786  # ln 2 * 2^40


def test_conditional_mutual_information_weighs_the_classes():
    # yes (weight 4 of 6): a coin and its copy, ln 2; no (weight 2): constant, 0
    rows = [(0, 0), (1, 1), (0, 0), (None, 1)]
    table = make_table(rows, ["yes", "yes", "no", "yes"], weights=[2, 2, 2, 9])
    assert conditional_mutual_information(table, 0, 1) == pytest.approx(2 / 3 * math.log(2))


# --- structures ---------------------------------------------------------------------------------


def test_spode_takes_the_most_informative_superparent_lower_column_on_ties():
    rows = [(0, 0, 1), (0, 0, 1), (0, 1, 0), (0, 1, 0)]
    table = make_table(rows, ["x", "x", "y", "y"])
    assert default_superparent(table) == 1  # column 2 is its mirror image
    assert spode(table, 1) == {0: (1,), 1: (), 2: (1,)}


def test_tan_from_data_by_hand():
    # Column 2 copies column 0; column 1 is independent of both in each class. The edge of weight
    # ln 2 makes 2 a child of 0; column 1 hangs on 0 by an edge of weight 0.
    rows = [(0, 0, 0), (0, 1, 0), (1, 0, 1), (1, 1, 1)] * 2
    table = make_table(rows, [0] * 4 + [1] * 4)
    assert tan(table) == {0: (), 1: (0,), 2: (0,)}
    assert tan(table, root=1) == {1: (), 0: (1,), 2: (0,)}


def test_tan_tied_parents_lower_column_wins():
    # From root 1: 0 joins (9); 2 is tied between 1, which came first, and 0
    scores = [[0, 9, 4], [9, 0, 4], [4, 4, 0]]
    assert prim(scores, root=1) == {1: (), 0: (1,), 2: (0,)}


def test_tan_tied_children_lower_column_joins_first():
    # From root 0: 5 joins (9), 1 and 3 come last (1). In between 2 (by 5) and 4 (by 0) are tied;
    # 2 joins first. Had 4 joined first, 2 would have hung on 4.
    scores = [[1] * 6 for _ in range(6)]
    for i, j, weight in [(0, 5, 9), (2, 5, 7), (0, 4, 7), (2, 4, 7)]:
        scores[i][j] = scores[j][i] = weight
    assert prim(scores, root=0) == {0: (), 5: (0,), 2: (5,), 4: (0,), 1: (0,), 3: (0,)}


def test_tan_keeps_edges_of_weight_zero():
    assert prim([[0] * 3 for _ in range(3)], root=2) == {2: (), 0: (2,), 1: (0,)}


def test_kdb_by_hand():
    # Order 1, 2 (tie: lower column), 3, 0
    relevance = [1, 3, 3, 2]
    scores = [[0, 1, 5, 6], [1, 0, 2, 4], [5, 2, 0, 4], [6, 4, 4, 0]]
    assert k_dependence(relevance, scores, 1) == {1: (), 2: (1,), 3: (1,), 0: (3,)}
    assert k_dependence(relevance, scores, 2) == {1: (), 2: (1,), 3: (1, 2), 0: (2, 3)}
    assert k_dependence(relevance, scores, 0) == {0: (), 1: (), 2: (), 3: ()}


def test_kdb_tied_parents_the_earlier_in_the_order_wins():
    # Order 2, 1, 0: of the equals 1 and 2, 2 comes earlier although its column is higher
    scores = [[0, 7, 7], [7, 0, 7], [7, 7, 0]]
    assert k_dependence([1, 2, 3], scores, 1) == {2: (), 1: (2,), 0: (2,)}


# --- posteriors ---------------------------------------------------------------------------------


def test_naive_bayes_by_hand():
    # P(yes) = P(no) = 1/2. yes: P(a) = 7/9, P(p) = (3+1/2)/(3+1) = 7/8
    #                        no: P(a) = (1+1/3)/(3+1) = 1/3, P(p) = (0+1/2)/(2+1) = 1/6
    network = Network(small(), naive_bayes(small()), MEstimate(1))
    assert joint(network, ("a", "p")) == {"yes": Fraction(49, 144), "no": Fraction(1, 36)}
    assert posterior(network, ("a", "p")) == [4 / 53, 49 / 53]
    assert joint(network, (None, "p"))["yes"] == Fraction(7, 16)  # a missing leaf drops out
    assert joint(network, (None, None))["yes"] == Fraction(1, 2)


def test_a_missing_parent_is_summed_out_by_hand():
    # SPODE(A), B = p, A missing: the sum over a, b, c of P(y,A) P(p|y,A)
    # yes: 13/36 * (2+1/2)/(2+1) + 1/36 * 1/2 + 1/36 * 1/2                = 71/216
    # no:   7/36 * (0+1/2)/(1+1) + 13/36 * (0+1/2)/(1+1) + 1/36 * 1/2     = 33/216
    network = spode_network(small(), MEstimate(1), 0)
    expected = {"yes": Fraction(71, 216), "no": Fraction(33, 216)}
    assert joint(network, (None, "p")) == expected
    assert joint(network, ("unheard of", "p")) == expected
    assert posterior(network, (None, "p")) == [33 / 104, 71 / 104]


def test_aode_by_hand():
    # A = a: yes 13/36 * 5/6 = 65/216, no 7/36 * 1/4 = 7/144
    # B = p: yes (3+1/4)/6 * (2+1/3)/3 = 13/24 * 7/9 = 91/216, no (0+1/4)/6 * 1/3 = 1/72
    expected = {"yes": Fraction(156, 216) / 2, "no": Fraction(1, 16) / 2}
    assert aode_joint(small(), MEstimate(1), ("a", "p")) == expected


def test_aode_leaves_out_superparents_that_are_missing_or_never_seen():
    table, smoothing = small(), MEstimate(1)
    # B missing: only A serves, and has no child to ask: 13/36 against 7/36
    assert aode_posterior(table, smoothing, ("a", None)) == [7 / 20, 13 / 20]
    # c has no row: only B = p serves: 13/24 * (0+1/3)/(2+1) = 13/216 against 1/24 * 1/3 = 3/216
    assert aode_posterior(table, smoothing, ("c", "p")) == [3 / 16, 13 / 16]


def test_aode_without_a_usable_superparent_is_naive_bayes():
    table, smoothing = small(), MEstimate(1)
    # c alone: 1/2 * (0+1/3)/(2+1) = 1/18 against 1/2 * (0+1/3)/(3+1) = 1/24
    assert aode_posterior(table, smoothing, ("c", None)) == [3 / 7, 4 / 7]
    # F(a) = F(p) = 3 are below 4
    assert aode_posterior(table, smoothing, ("a", "p"), min_count=4) == [4 / 53, 49 / 53]
    assert aode_posterior(table, smoothing, ("a", "p"), min_count=3) != [4 / 53, 49 / 53]


def test_every_class_at_zero_gives_the_class_prior():
    # b never comes with yes and p never with no; the first row counts twice: P(yes) = 4/7
    source = small()
    table = make_table(source.rows, source.labels, [2, 1, 1, 1, 1, 1], source.domains)
    network = Network(table, naive_bayes(table), MEstimate(0))
    assert joint(network, ("b", "p")) == {"yes": 0, "no": 0}
    assert posterior(network, ("b", "p")) == [3 / 7, 4 / 7]
    assert aode_posterior(table, MEstimate(0), ("b", "p")) == [3 / 7, 4 / 7]
    # In SPODE(A) P(y) comes from the six rows with A observed, three of them yes
    assert posterior(spode_network(table, MEstimate(0), 0), ("b", "p")) == [1 / 2, 1 / 2]


def test_members_at_zero_add_nothing_and_keep_the_divisor():
    # The columns: A = u in two rows (K, L), B = s in three (K, K, L); m = 0
    rows = [("u", "s"), ("v", "s"), ("u", "t"), ("v", "s")]
    table = make_table(rows, ["K", "K", "L", "L"])
    # A = u: K 1/4 * P(s|K,u) = 1/4 * 1, L 1/4 * P(s|L,u) = 0
    # B = s: K 2/4 * P(u|K,s) = 1/2 * 1/2, L 1/4 * P(u|L,s) = 0
    assert aode_joint(table, MEstimate(0), ("u", "s")) == {"K": Fraction(1, 4), "L": 0}
    # A = v: K 1/4 * P(t|K,v) = 0, L 1/4 * P(t|L,v) = 0
    # B = t: K 0 * P(v|K,t) = 0 (0/0 = 1/2), L 1/4 * P(v|L,t) = 0
    assert aode_posterior(table, MEstimate(0), ("v", "t")) == [1 / 2, 1 / 2]


# --- missing cells in training ------------------------------------------------------------------


def test_one_more_state_for_attributes_with_missing_training_cells():
    table = make_table([("a", "p"), (None, "q")], ["yes", "no"])
    changed, encode = with_missing_state(table)
    assert changed.domains == [("a", MISSING), ("p", "q")]
    assert F(changed, (0, MISSING), (Y, "no")) == 1
    assert encode((None, None)) == (MISSING, None)
    assert encode(("unheard of", "unheard of")) == (MISSING, None)


def test_imputed_mode_is_the_first_state_on_ties():
    # B: q weighs 1.5 against p's 1; A: the declared order b, a decides between equals
    rows = [("a", "p"), ("b", "q"), (None, "q"), (None, None)]
    table = make_table(rows, [0, 1, 0, 1], [1, 1, 0.5, 1], [("b", "a"), None])
    changed, encode = imputed(table)
    assert changed.rows == [("a", "p"), ("b", "q"), ("b", "q"), ("b", "q")]
    assert encode((None, "unheard of")) == ("b", "q")
    assert encode(("a", "p")) == ("a", "p")


# --- other people's numbers ---------------------------------------------------------------------


def read_arff(name):
    """Return rows, labels and domains of a plain file: nominal, no quotes, the class last."""
    if "BNCLASS_DATA" not in os.environ:
        pytest.skip("BNCLASS_DATA does not name the folder of the data files")
    lines = (Path(os.environ["BNCLASS_DATA"]) / name).read_text().splitlines()
    lines = [line for line in lines if line and not line.startswith("%")]
    declared = [line for line in lines if line.startswith("@attribute")]
    domains = [line[line.index("{") + 1 : line.index("}")].split(",") for line in declared]
    cells = [line.split(",") for line in lines if not line.startswith("@")]
    rows = [[None if x == "?" else x for x in row[:-1]] for row in cells]
    return rows, [row[-1] for row in cells], domains[:-1]


def test_aode_on_contact_lenses():
    rows, labels, domains = read_arff("contact-lenses.arff")
    table = make_table(rows, labels, domains=domains)
    assert len(rows) == 24
    assert table.classes == ("hard", "none", "soft")
    hard, none, soft = 0.05971530063485877, 0.8029889023898165, 0.13729579697532465
    result = aode_posterior(table, Laplace(1), ("young", "myope", "no", "reduced"))
    assert result == pytest.approx([hard, none, soft], abs=1e-15)
    hard, none, soft = 0.01716575499371892, 0.897927876269328, 0.08490636873695309  # Weka -M
    result = aode_posterior(table, MEstimate(1), ("young", "myope", "no", "reduced"))
    assert result == pytest.approx([hard, none, soft], abs=1e-15)


@pytest.mark.parametrize(
    ("smoothing", "democrat"),
    [
        (Laplace(1), [9.676918127031731e-4, 0.9978754362334639, 0.9999859202994656]),
        (MEstimate(1), [9.308410109313086e-4, 0.9988988169049029, 0.9999964907045049]),
    ],
    ids=repr,
)
def test_aode_with_missing_cells_on_vote(smoothing, democrat):
    """Weka 3.6.14's AODE, trained without every third row, on three of those rows.

    Each of the three has missing cells, and so have many of the training rows.
    """
    rows, labels, domains = read_arff("vote.arff")
    training = [i for i in range(len(rows)) if i % 3]
    table = make_table([rows[i] for i in training], [labels[i] for i in training], None, domains)
    for i, expected in zip((0, 3, 9), democrat, strict=True):
        assert None in rows[i]
        result = aode_posterior(table, smoothing, rows[i])
        assert result == pytest.approx([expected, 1 - expected], abs=1e-14)


def test_naive_bayes_with_missing_cells_on_vote():
    """Weka 3.6.14's NaiveBayes on the same rows."""
    rows, labels, domains = read_arff("vote.arff")
    training = [i for i in range(len(rows)) if i % 3]
    table = make_table([rows[i] for i in training], [labels[i] for i in training], None, domains)
    network = Network(table, naive_bayes(table), Laplace(1))
    for i, expected in [(0, 1.3728735825218056e-7), (3, 0.9974532621597351)]:
        assert posterior(network, rows[i])[0] == pytest.approx(expected, abs=1e-14)
