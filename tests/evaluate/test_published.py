"""The papers' tables, and the papers' own statistics from them."""

import numpy as np
import pytest
from oracle import evaluation as oracle

import bnclass as bc

METRICS = ("zero_one_loss", "rmse", "bias", "variance")
METHODS = ["NB", "TAN", "KDB", "ATAN", "AODE", "KNN", "SVM", "KST"]


def losses(metric):
    return bc.published_table(f"kst_{metric}").losses


@pytest.mark.parametrize("metric", METRICS)
def test_tables_of_kst_are_whole(metric):
    frame = losses(metric)
    assert frame.shape == (40, 8)
    assert frame.columns.tolist() == METHODS
    assert frame.index.tolist() == losses("bias").index.tolist()
    assert ((frame >= 0) & (frame <= 1)).all().all()


@pytest.mark.parametrize(("name", "rows"), [("hybrid", 16), ("numeric", 26)])
def test_tables_of_gaode_are_whole(name, rows):
    table = bc.published_table(f"gaode_{name}_accuracy")
    assert len(table.frame) == rows
    assert ((table.frame > 40) & (table.frame < 100)).all().all()
    np.testing.assert_allclose(table.losses, 1 - table.frame / 100, rtol=0, atol=1e-15)


def test_the_printed_mean_of_gaode():
    numeric = bc.published_table("gaode_numeric_accuracy").frame
    assert round(float(numeric["GAODE"].mean()), 4) == 82.4739


@pytest.mark.parametrize("metric", METRICS)
def test_friedman_of_kst_is_as_printed(metric):
    printed = bc.published_table("kst_friedman").frame.loc[metric]
    found = bc.friedman_test(losses(metric))
    assert round(found.statistic, 2) == printed["friedman"]
    assert (found.df, found.iman_davenport_df, found.note) == (7, (7, 273), "")
    assert round(bc.critical_difference(8, 40), 4) == printed["critical_difference"]
    assert round(bc.nemenyi_test(losses(metric)).critical_difference, 4) == 1.6601


def test_friedman_of_kst_in_numbers():
    found = [round(bc.friedman_test(losses(metric)).statistic, 2) for metric in METRICS]
    assert found == [49.63, 85.13, 73.56, 84.72]


def test_every_cell_of_the_win_draw_loss_matrix_is_as_printed():
    found = bc.win_draw_loss(losses("zero_one_loss"))
    printed = bc.published_table("kst_win_draw_loss").frame
    assert len(printed) == 15
    for (method, against), row in printed.iterrows():
        assert found.record(method, against) == tuple(row)
    assert found.to_matrix().loc["KST", ["NB", "SVM"]].tolist() == ["26/9/5", "31/4/5"]


def test_average_ranks_are_as_printed_but_for_one():
    printed = bc.published_table("kst_average_ranks").frame
    found = bc.average_ranks(losses("bias"))
    assert found.to_dict() == printed.loc["bias"].to_dict()
    assert found.tolist() == [5.2625, 4.225, 3.8, 4.225, 3.8625, 4.625, 7.1, 2.9]
    found = bc.average_ranks(losses("zero_one_loss"))
    others = METHODS[:-1]
    assert found[others].to_dict() == printed.loc["zero_one_loss", others].to_dict()
    # Ranks of 8 methods sum to 36: as printed they sum to 35.9.
    assert (found["KST"], printed.loc["zero_one_loss", "KST"]) == (2.625, 2.525)
    assert found.sum() == 36


@pytest.mark.parametrize("metric", METRICS)
def test_ranks_of_kst_are_the_oracles(metric):
    frame = losses(metric)
    exact = [[oracle.Fraction(str(cell)) for cell in row] for row in frame.to_numpy()]
    ranks = bc.average_ranks(frame)
    assert ranks.tolist() == list(map(float, oracle.average_ranks(exact)))
    assert bc.friedman_test(frame).statistic == pytest.approx(float(oracle.friedman(exact)))


def test_names():
    for name in bc.published_names():
        table = bc.published_table(name)
        assert table.name == name
        assert table.source.startswith(("[KST]", "[GAODE]"))
        assert table.to_frame().equals(table.frame)


def test_what_is_returned_can_be_changed():
    changed = bc.published_table("kst_bias").losses
    changed.loc["Zoo", "NB"] = 1.0
    assert bc.published_table("kst_bias").losses.loc["Zoo", "NB"] == 0.0318


def test_unknown_name():
    with pytest.raises(bc.BnclassError, match=r"no published table 'kst', expected one of gaode_"):
        bc.published_table("kst")


def test_results_of_tests_are_no_losses():
    with pytest.raises(bc.BnclassError, match="'kst_friedman' holds results of tests"):
        _ = bc.published_table("kst_friedman").losses
