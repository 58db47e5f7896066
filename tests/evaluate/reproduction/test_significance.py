"""Tests of our losses and of the printed ones of the same data sets."""

import numpy as np
import pandas as pd
import pytest

import bnclass as bc
from bnclass.evaluate.reproduction.beside import beside_published
from bnclass.evaluate.reproduction.significance import significance_beside


def compared(losses, table="kst_zero_one_loss"):
    return significance_beside(beside_published(losses, table))


def test_the_paper_beside_itself():
    found = compared(bc.published_table("kst_zero_one_loss").losses)
    records = found.records().set_index(["method", "against"])
    assert len(records) == 28
    assert (records["ours"] == records["printed"]).all()
    assert (records["ours"] == records["printed_whole"]).all()
    for pair, cells in bc.published_table("kst_win_draw_loss").frame.iterrows():
        assert records.loc[pair, "ours"] == "{}/{}/{}".format(*cells)
    tests = found.friedman()
    assert tests.index.tolist() == ["ours", "printed", "printed_whole"]
    assert tests["statistic"].round(2).tolist() == [49.63] * 3
    assert tests["critical_difference"].round(4).tolist() == [1.6601] * 3
    ranks = found.ranks()
    assert ranks["ours"].equals(ranks["printed"].rename("ours"))
    assert ranks.loc["KST", "printed_whole"] == 2.625


def test_the_printed_figures_are_those_of_the_same_data_sets_and_methods():
    losses = pd.DataFrame({"NB": [0.2, 0.2], "KST": [0.1, 0.3]}, ["Wine", "Tic-tac-toe"])
    found = compared(losses)
    # Printed: NB 0.0169, 0.3069; KST 0.0225, 0.0710.
    assert found.records().loc[0].tolist() == ["KST", "NB", "1/0/1", "1/0/1", "26/9/5"]
    assert found.ranks()["ours"].tolist() == [1.5, 1.5]
    assert found.friedman()["n_datasets"].tolist() == [2, 2, 40]
    assert found.friedman()["n_methods"].tolist() == [2, 2, 8]


def test_data_sets_with_a_failure_are_left_out_by_name():
    names = ["Zoo", "Wine", "Autos"]
    losses = pd.DataFrame({"NB": [0.1, np.nan, 0.3], "KST": [0.1, 0.2, 0.2]}, names)
    found = compared(losses)
    assert found.left_out == ("Wine",)
    assert found.ours.index.tolist() == found.printed.index.tolist() == ["Zoo", "Autos"]
    assert found.friedman()["n_datasets"].tolist() == [2, 2, 40]


def test_one_data_set_has_records_but_no_test():
    found = compared(pd.DataFrame({"NB": [0.1], "KST": [0.2]}, ["Wine"]))
    assert found.records()["ours"].tolist() == ["0/0/1"]
    assert found.friedman().index.tolist() == ["printed_whole"]


@pytest.mark.parametrize("losses", [{"NB": [0.1]}, {"NB": [0.1], "KST": [np.nan]}])
def test_nothing_to_compare(losses):
    found = compared(pd.DataFrame(losses, ["Wine"]))
    assert not found.comparable
    for frame in (found.records(), found.ranks(), found.friedman()):
        assert frame.empty


def test_accuracies_are_tested_as_losses():
    found = compared(bc.published_table("gaode_hybrid_accuracy").losses, "gaode_hybrid_accuracy")
    assert found.ranks()["ours"].idxmin() == "AODE"
