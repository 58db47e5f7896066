"""A paper's experiment as a whole, with a runner that only pretends."""

from types import SimpleNamespace

import pandas as pd
import pytest

import bnclass as bc
from bnclass.evaluate.reproduction import run
from bnclass.evaluate.reproduction.run import reproduce


@pytest.fixture
def runs(monkeypatch):
    """Replace `compare`; give a list of what it was asked."""
    asked = []

    def compare(estimators, datasets, resampling="10x10", metrics=None, **others):
        what = {"estimators": estimators, "datasets": datasets, **others}
        asked.append(SimpleNamespace(resampling=resampling, metrics=metrics, **what))
        return Results(list(estimators), list(datasets))

    monkeypatch.setattr(run, "compare", compare)
    return asked


class Results:
    """Losses that are all alike, but that the last column fails on the last data set."""

    def __init__(self, methods, datasets):
        self.frame = pd.DataFrame(0.25, pd.Index(datasets, name="dataset"), methods)
        self.failed = len(datasets) > 1
        self.method = [name for name in methods if "," not in name][-1]
        if self.failed:
            self.frame.loc[datasets[-1], self.method] = float("nan")

    def losses(self, metric="zero_one_loss"):
        return self.frame

    def failures(self):
        columns = ["dataset", "estimator", "round", "fold", "error"]
        row = [self.frame.index[-1], self.method, 1, 2, "DataError: no | luck"]
        return pd.DataFrame([row] if self.failed else [], columns=columns)


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    for name in ("iris", "wine", "tic-tac-toe"):
        X, y = bc.load_dataset(name)
        X.assign(**{"class": y}).to_csv(folder / f"{name}.csv", index=False)
    return folder


def test_kst(runs, data, tmp_path):
    again = reproduce("kst", data, folder=tmp_path / "out", n_jobs=2, verbose=1)
    (asked,) = runs
    models = ["NB", "TAN", "KDB", "ATAN", "AODE", "KST", "KST, class-conditional"]
    assert list(asked.estimators) == models
    assert list(asked.datasets) == ["Wine", "Tic-tac-toe"]
    assert asked.datasets["Wine"][0].shape == (178, 13)
    assert (asked.resampling, asked.folder) == ("10x10", tmp_path / "out" / "kst")
    assert (asked.n_jobs, asked.verbose) == (2, 1)
    assert {"zero_one_loss", "rmse", "bias", "variance"} <= set(asked.metrics)
    assert list(again.beside) == ["kst_zero_one_loss", "kst_rmse", "kst_bias", "kst_variance"]
    assert again.differences().equals(again.beside["kst_zero_one_loss"].differences())
    assert len(again.missing()) == 38
    assert again.seconds > 0
    assert repr(again) == "Reproduction('kst', 10x10, 2 of 40 data sets)"


def test_quick_has_one_round_and_so_no_variance(runs, data):
    again = reproduce("kst", data, quick=True)
    (asked,) = runs
    assert (asked.resampling, asked.folder) == ("1x10", None)
    assert not {"bias", "variance"} & set(asked.metrics)
    assert list(again.beside) == ["kst_zero_one_loss", "kst_rmse"]
    assert "A look: one round. The whole experiment is 10x10." in again.lines()


def test_gaode_is_two_runs(runs, data, tmp_path):
    X, y = bc.load_dataset("iris")
    hybrid = pd.concat([X.assign(**{"class": y})] * 5)[:690]
    hybrid["class"] = hybrid["class"].where(hybrid["class"] != "setosa", "virginica")
    hybrid.to_csv(data / "credit-a.csv", index=False)
    again = reproduce("gaode", data, folder=tmp_path)
    assert [asked.folder for asked in runs] == [
        tmp_path / "gaode" / "numeric",
        tmp_path / "gaode" / "hybrid",
    ]
    assert [list(asked.datasets) for asked in runs] == [["iris", "wine"], ["credit-a"]]
    assert [asked.resampling for asked in runs] == ["5x2", "5x2"]
    assert {model.missing for model in runs[1].estimators.values()} == {"marginalize"}
    together = again.differences()
    assert together.query("method == 'NB'")["n_datasets"].tolist() == [3, 3]
    assert "## All tables together" in again.lines()
    assert again.found["gaode_hybrid_accuracy"].remarks == {
        "credit-a": "4 attributes, the paper's has 15"
    }


def test_a_table_without_data_sets_is_not_run(runs, data):
    again = reproduce("gaode", data)
    assert len(runs) == 1
    assert list(again.results) == list(again.beside) == ["gaode_numeric_accuracy"]
    assert list(again.found) == ["gaode_numeric_accuracy", "gaode_hybrid_accuracy"]
    assert set(again.missing()["table"]) == set(again.found)
    assert "0 of 16 data sets; cells are ours/printed." in again.lines()


def test_the_report(runs, data):
    lines = reproduce("kst", data).lines()
    text = "\n".join(lines)
    assert all("\n" not in line for line in lines)
    for part in (
        "2 of 40 data sets",
        "0.2500/0.3069",
        "failed/0.0710",
        "KST failed on Tic-tac-toe, which its means leave out.",
        "Left out of what compares methods, for a method failed: Tic-tac-toe.",
        "no file named 'localization'",
        "### Folds that failed",
        "## kst_variance",
        "26/9/5",
        "49.6269",
        "1.6601",
        "not run: ",
        "### Another reading of the paper",
    ):
        assert part in text


def test_nothing_found(runs, tmp_path):
    with pytest.raises(bc.DataError, match=r"found none of the data sets of \[KST\]"):
        reproduce("kst", tmp_path)
    assert not runs


def test_refusals_come_before_any_run(runs, data, tmp_path):
    with pytest.raises(bc.BnclassError, match="there is no paper 'nb'"):
        reproduce("nb", data)
    with pytest.raises(bc.FileFormatError, match="no such folder"):
        reproduce("kst", tmp_path / "nowhere")
    assert not runs
