"""Our figures beside the printed ones."""

import numpy as np
import pandas as pd
import pytest

import bnclass as bc
from bnclass.evaluate.reproduction.beside import beside_published, differences
from bnclass.evaluate.reproduction.datasets import paper_datasets

KST = "kst_zero_one_loss"
TABLES = [KST, "kst_bias", "gaode_numeric_accuracy", "gaode_hybrid_accuracy"]


def ours(**columns):
    """Return losses on Contact-lenses (24 rows), Wine (178) and Waveform (no data of its own)."""
    return pd.DataFrame(columns, ["Contact-lenses", "Wine", "Waveform"])


def row(frame, method, over):
    return frame[(frame["method"] == method) & (frame["over"] == over)].iloc[0]


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_not_off_from_itself(name):
    beside = beside_published(bc.published_table(name).losses, name)
    frame = beside.differences()
    assert frame["mean_absolute"].max() < 1e-12
    assert frame["mean_difference"].abs().max() < 1e-12
    assert frame["n_datasets"].max() == len(bc.published_table(name).frame)
    targeted = frame["target"].notna()
    assert frame.loc[targeted, "met"].all()
    assert targeted.sum() == {"kst_zero_one_loss": 12, "kst_bias": 0}.get(name, len(beside.ours.T))
    assert beside.farthest()["mean_absolute"].max() < 1e-12


def test_by_hand():
    # Printed, NB: 0.3750, 0.0169, 0.0220; KST: 0.3333, 0.0225, 0.0186.
    beside = beside_published(ours(NB=[0.325, 0.0269, 0.192], KST=[0.4333, 0.0225, 0.0186]), KST)
    frame = beside.differences()
    found = row(frame, "NB", "every data set")
    assert found["n_datasets"] == 3
    assert found["mean_absolute"] == pytest.approx((0.05 + 0.01 + 0.17) / 3)
    assert found["mean_difference"] == pytest.approx((-0.05 + 0.01 + 0.17) / 3)
    assert pd.isna(found["target"])
    assert found["met"] is pd.NA
    found = row(frame, "NB", "150 rows or more")
    assert (found["n_datasets"], found["target"], found["mean_target"]) == (2, 0.015, 0.0075)
    assert found["mean_absolute"] == pytest.approx(0.09)
    assert not found["met"]
    found = row(frame, "NB", "150 rows or more, the paper's own data")
    assert found["n_datasets"] == 1
    assert found["mean_absolute"] == pytest.approx(0.01)
    assert not found["met"]  # for 0.01 is more than 0.0075
    assert row(frame, "KST", "150 rows or more")["met"]


def test_the_mean_difference_has_a_target_of_its_own():
    near = beside_published(pd.DataFrame({"NB": [0.0169 + 0.008]}, ["Wine"]), KST).differences()
    found = row(near, "NB", "150 rows or more")
    assert found["mean_absolute"] < found["target"]
    assert not found["met"]


def test_accuracies_are_in_points():
    losses = pd.DataFrame({"GAODE": [0.03], "NB-G": [0.06]}, ["iris"])  # printed 97.4667, 95.0667
    beside = beside_published(losses, "gaode_numeric_accuracy")
    assert beside.points
    assert beside.ours.loc["iris"].tolist() == [94.0, 97.0]
    assert beside.side_by_side().loc["iris"].tolist() == ["94.00/95.07", "97.00/97.47"]
    found = row(beside.differences(), "GAODE", "150 rows or more")
    assert found["mean_difference"] == pytest.approx(-0.4667)
    assert (found["target"], found["met"]) == (1.5, True)


def test_rows_and_columns_stand_as_in_the_table():
    losses = ours(KST=[0.1] * 3, NB=[0.2] * 3).iloc[::-1]
    beside = beside_published(losses, KST)
    assert beside.losses.index.tolist() == ["Contact-lenses", "Wine", "Waveform"]
    assert beside.losses.columns.tolist() == ["NB", "KST"]
    assert (beside.losses["KST"] == 0.1).all()
    assert beside.printed.index.name == beside.losses.index.name == "dataset"


def test_a_failed_fold_leaves_its_data_set_out_by_name():
    beside = beside_published(ours(NB=[np.nan, 0.0269, 0.022], KST=[0.3333, 0.03, np.nan]), KST)
    assert beside.lacking == {"NB": ["Contact-lenses"], "KST": ["Waveform"]}
    found = row(beside.differences(), "NB", "every data set")
    assert found["n_datasets"] == 2
    assert found["mean_absolute"] == pytest.approx(0.005)
    assert beside.side_by_side().loc["Waveform"].tolist() == ["0.0220/0.0220", "failed/0.0186"]


def test_a_method_that_failed_everywhere_has_met_nothing():
    frame = beside_published(ours(NB=[np.nan] * 3, KST=[0.3] * 3), KST).differences()
    found = row(frame, "NB", "150 rows or more")
    assert found["n_datasets"] == 0
    assert np.isnan(found["mean_absolute"])
    assert found["met"] is pd.NA


def test_the_farthest_come_first():
    beside = beside_published(ours(NB=[0.375, 0.0269, 0.192], KST=[0.3433, 0.0825, np.nan]), KST)
    frame = beside.farthest()
    assert frame["dataset"].tolist() == ["Waveform", "Wine", "Contact-lenses"]
    wine = frame.iloc[1]
    assert (wine["rows"], wine["method"], wine["ours"], wine["printed"]) == (
        178, "KST", 0.0825, 0.0225,
    )  # fmt: skip
    assert wine["mean_absolute"] == pytest.approx((0.01 + 0.06) / 2)
    assert wine["difference"] == pytest.approx(0.06)
    assert "generator" in frame.iloc[0]["remark"]
    assert len(beside.farthest(2)) == 2


def test_tables_taken_together():
    numeric = beside_published(
        pd.DataFrame({"NB": [0.0653], "GAODE": [0.0253]}, ["iris"]), "gaode_numeric_accuracy"
    )
    hybrid = beside_published(pd.DataFrame({"NB": [0.14]}, ["credit-a"]), "gaode_hybrid_accuracy")
    frame = differences(numeric, hybrid)
    found = row(frame, "NB", "150 rows or more")
    assert found["n_datasets"] == 2
    assert found["mean_difference"] == pytest.approx((93.47 - 93.4667 + 86 - 86.029) / 2)
    assert row(frame, "GAODE", "150 rows or more")["n_datasets"] == 1


@pytest.mark.parametrize(
    ("losses", "message"),
    [
        (pd.DataFrame({"NB": [0.1]}, ["Iris"]), "'kst_zero_one_loss' has no data set 'Iris'"),
        (pd.DataFrame({"GAODE": [0.1]}, ["Wine"]), "has no method 'GAODE'"),
        (pd.DataFrame({"NB": [0.1, 0.1]}, ["Wine", "Wine"]), "data set 'Wine' more than once"),
        (pd.DataFrame({"NB": [1.5]}, ["Wine"]), "loss of 'NB' on 'Wine' is 1.5, expected"),
        (pd.DataFrame({"NB": [-0.5]}, ["Wine"]), "between 0 and 1"),
        (pd.DataFrame({"NB": []}, []), "losses has no data set"),
        (pd.DataFrame(index=["Wine"]), "losses has no method"),
    ],
)
def test_refused(losses, message):
    with pytest.raises(bc.DataError, match=message):
        beside_published(losses, KST)


@pytest.mark.parametrize("losses", [[[0.1]], pd.DataFrame({"NB": ["x"]}, ["Wine"])])
def test_what_is_no_frame_of_numbers_is_refused(losses):
    with pytest.raises(bc.DataTypeError, match="losses"):
        beside_published(losses, KST)


@pytest.mark.parametrize("table", ["kst_friedman", "kst_win_draw_loss", "kst"])
def test_tables_without_data_sets_are_refused(table):
    with pytest.raises(bc.BnclassError, match="table"):
        beside_published(ours(NB=[0.1] * 3), table)


def test_data_sets_are_known():
    beside = beside_published(ours(NB=[0.1] * 3), KST)
    assert beside.datasets["Wine"] == paper_datasets(KST)["Wine"]
