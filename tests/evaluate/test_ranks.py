"""Average ranks, Friedman's test and Nemenyi's."""

import math

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from loss_frames import as_frame, exact_losses
from oracle import evaluation as oracle

import bnclass as bc

FEW = settings(deadline=None, max_examples=40)

# Table 6 of [D]: AUC of C4.5 with neither, either or both of two parameters tuned.
DEMSAR = 1 - pd.DataFrame(
    [
        (0.763, 0.768, 0.771, 0.798),
        (0.599, 0.591, 0.590, 0.569),
        (0.954, 0.971, 0.968, 0.967),
        (0.628, 0.661, 0.654, 0.657),
        (0.882, 0.888, 0.886, 0.898),
        (0.936, 0.931, 0.916, 0.931),
        (0.661, 0.668, 0.609, 0.685),
        (0.583, 0.583, 0.563, 0.625),
        (0.775, 0.838, 0.866, 0.875),
        (1.000, 1.000, 1.000, 1.000),
        (0.940, 0.962, 0.965, 0.962),
        (0.619, 0.666, 0.614, 0.669),
        (0.972, 0.981, 0.975, 0.975),
        (0.957, 0.978, 0.946, 0.970),
    ],
    columns=["C4.5", "+m", "+cf", "+m+cf"],
)


@FEW
@given(exact_losses())
def test_average_ranks_are_the_oracles(losses):
    found = bc.average_ranks(as_frame(losses))
    np.testing.assert_allclose(found, list(map(float, oracle.average_ranks(losses))), rtol=1e-14)
    k = len(losses[0])
    assert found.sum() == pytest.approx(k * (k + 1) / 2)


@FEW
@given(exact_losses(min_datasets=2))
def test_friedman_is_the_oracles(losses):
    n, k = len(losses), len(losses[0])
    found = bc.friedman_test(as_frame(losses))
    assert (found.n_datasets, found.n_methods) == (n, k)
    expected = oracle.friedman(losses)
    if expected is None:
        assert (found.statistic, found.p_value, found.iman_davenport_p_value) == (0, 1, 1)
        assert found.note == "all methods are equal on every data set"
        return
    assert found.statistic == pytest.approx(float(expected), abs=1e-12)
    assert found.p_value == pytest.approx(scipy.stats.chi2.sf(float(expected), k - 1))
    quotient = oracle.iman_davenport(expected, n, k)
    if quotient is None:
        assert (found.iman_davenport, found.iman_davenport_p_value) == (math.inf, 0)
        assert found.note == "all data sets rank the methods alike"
    else:
        assert found.iman_davenport == pytest.approx(float(quotient), abs=1e-12)
        p_value = scipy.stats.f.sf(float(quotient), k - 1, (k - 1) * (n - 1))
        assert found.iman_davenport_p_value == pytest.approx(p_value)
        assert found.note == ""


@FEW
@given(exact_losses(min_datasets=2), st.randoms())
def test_order_has_no_say(losses, random):
    frame = as_frame(losses)
    rows, columns = list(frame.index), list(frame.columns)
    random.shuffle(rows)
    random.shuffle(columns)
    other = frame.loc[rows, columns]
    assert bc.friedman_test(other).to_frame().equals(bc.friedman_test(frame).to_frame())
    assert bc.average_ranks(other).to_dict() == bc.average_ranks(frame).to_dict()


@pytest.mark.parametrize(("n", "k"), [(2, 3), (3, 5), (8, 4), (20, 10)])
def test_friedman_without_ties_is_scipys(n, k):
    frame = pd.DataFrame(np.random.default_rng(n).random((n, k)))
    expected = scipy.stats.friedmanchisquare(*frame.to_numpy().T)
    found = bc.friedman_test(frame)
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.p_value == pytest.approx(expected.pvalue)


def test_friedman_by_hand():
    # Ranks (1 2 3), (1 2 3), (2 1 3): sums 4, 5, 9; 12/(3·3·4)·(16 + 25 + 81) - 3·3·4.
    frame = pd.DataFrame({"A": [0.1, 0.1, 0.3], "B": [0.2, 0.2, 0.2], "C": [0.3, 0.4, 0.4]})
    found = bc.friedman_test(frame)
    assert found.statistic == pytest.approx(122 / 3 - 36)
    assert found.iman_davenport == pytest.approx(2 * (14 / 3) / (6 - 14 / 3))
    assert (found.df, found.iman_davenport_df) == (2, (2, 4))


def test_the_example_of_demsar():
    ranks = bc.average_ranks(DEMSAR)
    # Its table has 0.975 twice, ranked 2 and 3 by digits that it does not print.
    assert ranks["C4.5"] == pytest.approx(44 / 14)
    assert ranks["+m"] == 2
    assert ranks["+cf"] == pytest.approx((40.5 + 0.5) / 14)
    assert ranks["+m+cf"] == pytest.approx((27.5 - 0.5) / 14)
    exact = DEMSAR.copy()
    exact.loc[12, "+cf"] -= 1e-5
    assert bc.average_ranks(exact).round(3).tolist() == [3.143, 2.0, 2.893, 1.964]
    # Printed is 9.28, without the correction for ties: t³ - t is 6 of a pair, 60 of all four.
    ties = 1 - (6 + 6 + 60 + 6) / (14 * 4 * 15)
    assert bc.friedman_test(exact).statistic * ties == pytest.approx(9.28, abs=0.005)
    assert round(bc.critical_difference(4, 14), 2) == 1.25
    assert round(bc.critical_difference(4, 14, alpha=0.10), 2) == 1.12


@pytest.mark.parametrize(("k", "q"), [(2, 1.960), (5, 2.728), (10, 3.164)])
def test_quantiles_of_nemenyi(k, q):
    assert round(bc.nemenyi_quantile(k), 3) == q


def test_critical_difference_of_the_paper():
    assert round(bc.critical_difference(8, 40), 4) == 1.6601


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1, 40), "n_methods is 1, expected a whole number of at least 2"),
        ((8, 1), "n_datasets is 1, expected"),
        ((8, 2.5), "n_datasets is 2.5, expected"),
        ((True, 40), "n_methods is True"),
        ((8, 40, 0), "alpha is 0, expected a number between 0 and 1"),
        ((8, 40, math.nan), "alpha is nan"),
        ((8, 40, "5"), "alpha is '5'"),
    ],
)
def test_refused_critical_differences(arguments, message):
    with pytest.raises(bc.BnclassError, match=message):
        bc.critical_difference(*arguments)


def test_nemenyi_by_hand():
    # Ranks 1, 2, 3 on all of 10 data sets: CD is 2.3437 √(12/60) = 1.0481.
    found = bc.nemenyi_test(pd.DataFrame({"C": [0.3] * 10, "A": [0.1] * 10, "B": [0.2] * 10}))
    assert found.average_ranks.to_dict() == {"A": 1, "B": 2, "C": 3}
    assert found.average_ranks.index.tolist() == ["A", "B", "C"]
    assert found.critical_difference == pytest.approx(2.3437 * math.sqrt(0.2), abs=1e-4)
    assert found.groups == (("A", "B"), ("B", "C"))
    pairs = found.to_frame()
    assert pairs["rank_difference"].tolist() == [1, 2, 1]
    assert pairs["differs"].tolist() == [False, True, False]
    assert (pairs["differs"] == (pairs["p_value"] < 0.05)).all()


def test_two_methods_in_nemenyi_are_a_normal_test():
    # The range of two is √2 |z|: ranks 1 and 2 on 9 data sets are √(9·6/6) = 3 deviations apart.
    found = bc.nemenyi_test(pd.DataFrame({"A": [0.1] * 9, "B": [0.2] * 9}))
    assert found.p_values.at["A", "B"] == pytest.approx(2 * scipy.stats.norm.sf(3), rel=1e-6)
    assert found.groups == ()


def test_nemenyi_of_the_paper():
    found = bc.nemenyi_test(bc.published_table("kst_zero_one_loss").losses)
    ranks, values = found.average_ranks, found.p_values
    assert np.array_equal(values, values.T)
    assert (np.diag(values) == 1).all()
    assert ((values > 0) & (values <= 1)).all().all()
    pairs = found.to_frame()
    assert len(pairs) == 28
    assert (pairs["differs"] == (pairs["p_value"] < 0.05)).all()
    assert pairs.loc[pairs["differs"], ["method", "other"]].to_numpy().tolist() == [
        [a, b]
        for i, a in enumerate(ranks.index)
        for b in ranks.index[i + 1 :]
        if ranks[b] - ranks[a] > 1.6601
    ]


def test_all_equal():
    frame = pd.DataFrame(0.1, index=range(3), columns=list("ABC"))
    found = bc.friedman_test(frame)
    assert (found.statistic, found.iman_davenport, found.p_value) == (0, 0, 1)
    assert found.note == "all methods are equal on every data set"
    assert (bc.nemenyi_test(frame).p_values == 1).all().all()
    assert bc.nemenyi_test(frame).groups == (("A", "B", "C"),)
    assert bc.average_ranks(frame).tolist() == [2, 2, 2]


def test_all_ranked_alike():
    found = bc.friedman_test(pd.DataFrame({"A": [0.1] * 4, "B": [0.2] * 4}))
    assert (found.statistic, found.iman_davenport) == (4, math.inf)
    assert (found.p_value, found.iman_davenport_p_value) == (pytest.approx(0.0455, abs=1e-4), 0)
    assert found.to_frame()["note"].unique().tolist() == ["all data sets rank the methods alike"]


def test_one_data_set():
    frame = pd.DataFrame({"A": [0.1], "B": [0.2]})
    assert bc.average_ranks(frame).tolist() == [1, 2]
    for test in (bc.friedman_test, bc.nemenyi_test):
        with pytest.raises(bc.DataError, match="losses has 1 data sets, expected at least 2 rows"):
            test(frame)
