"""Reports of experiments: their tables, and the files they are written to."""

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import bnclass as bc
from bnclass.evaluate.report.sections import comparable, sections_of
from bnclass.evaluate.report.writing import markdown

MODELS = {"NB": bc.NaiveBayes(), "TAN": bc.TAN(), "NB-G": bc.NaiveBayes(continuous="gaussian")}
FIGURES = ["critical-difference", "ranks", "losses", "bias-variance"]


@pytest.fixture(scope="module")
def results():
    return bc.compare(MODELS, ["iris", "wine", "monks-1"], resampling="2x2")


def section(results, title):
    (found,) = (s for s in sections_of(results) if s.title == title)
    return found


def test_every_metric_has_its_losses(results):
    titles = [s.title for s in sections_of(results)]
    assert titles[:8] == [
        "Zero-one loss", "Root mean squared error", "Brier score", "Log loss in nats", "Bias",
        "Variance", "Seconds to fit", "Seconds to predict",
    ]  # fmt: skip
    brier = section(results, "Brier score").frame
    pd.testing.assert_frame_equal(brier, results.losses("brier_score"))


def test_means_are_those_of_data_sets(results):
    means = section(results, "Means over data sets").frame
    assert means.loc["Bias", "TAN"] == results.losses("bias")["TAN"].mean()
    assert len(means) == len(results.metrics)


def test_tests_are_those_of_the_losses(results):
    tests = section(results, "Ranks and tests").frame
    metrics = [m for m in results.metrics if "seconds" not in m]
    for metric, (_, row) in zip(metrics, tests.iterrows(), strict=True):
        losses = results.losses(metric)
        friedman = bc.friedman_test(losses)
        assert row["Friedman"] == friedman.statistic
        assert row["Iman-Davenport"] == friedman.iman_davenport
        assert row["CD"] == bc.critical_difference(3, 3)
        assert row[list(MODELS)].to_dict() == bc.average_ranks(losses).to_dict()
    record = section(results, "Wins/draws/losses in zero-one loss").frame
    assert record.equals(bc.win_draw_loss(results.losses()).to_matrix().rename_axis("method"))


def test_methods_called_like_statistics_keep_their_ranks():
    models = {"Friedman": bc.NaiveBayes(), "p": bc.TAN(), "CD": bc.SPODE(), "CD (test)": bc.AODE()}
    results = bc.compare(models, ["iris", "wine"], 2, ["zero_one_loss"])
    row = section(results, "Ranks and tests").frame.loc["Zero-one loss"]
    assert row[list(models)].to_dict() == bc.average_ranks(results.losses()).to_dict()
    assert row["Friedman (test)"] == bc.friedman_test(results.losses()).statistic
    assert row["CD (test) (test)"] == bc.critical_difference(4, 2)


@pytest.mark.parametrize("folder", [None, __file__, "a\0b"])
def test_what_is_no_folder_is_refused(results, folder):
    with pytest.raises(bc.BnclassError, match=r"expected a path|cannot be written"):
        bc.write_report(results, folder)


def test_what_is_no_results_is_refused(results, tmp_path):
    with pytest.raises(bc.DataTypeError, match="results is a DataFrame, expected what compare"):
        bc.write_report(results.to_frame(), tmp_path)


def test_what_was_run_is_told(results):
    assert section(results, "Data sets").frame.loc["monks-1"].to_dict() == {
        "rows": 432,
        "columns": 6,
        "classes": 2,
    }
    models = section(results, "Models")
    assert models.frame["name"].tolist() == list(MODELS)
    assert "2x2 folds, random_state 0" in models.text


def test_what_cannot_be_compared_is_named():
    frame = pd.DataFrame({"A": [0.1, 0.2, 0.3], "B": [0.1, None, 0.1], "C": np.nan}, list("xyz"))
    losses, text = comparable(frame)
    assert losses.columns.tolist() == ["A", "B"]
    assert losses.index.tolist() == ["x", "z"]
    assert text == "Without C, which has none; without y, where one is missing."
    assert comparable(frame[["A"]])[1] == ""


def test_one_data_set_or_one_method_have_no_tests(tmp_path):
    one = bc.compare({"NB": bc.NaiveBayes()}, ["iris", "wine"], 2)
    assert not any("tests" in s.title or "Wins" in s.title for s in sections_of(one))
    names = [path.name for path in bc.write_report(one, tmp_path / "one")]
    assert not any(name.endswith("png") for name in names)
    alone = bc.compare(MODELS, ["iris"], 2)
    titles = [s.title for s in sections_of(alone)]
    assert "Wins/draws/losses in zero-one loss" in titles
    assert "Ranks and tests" not in titles
    assert "Means over data sets" not in titles


def test_failures_and_methods_without_posteriors_are_told():
    models = {
        "GAODE": bc.GAODE(),
        "NB": bc.NaiveBayes(),
        "TAN": bc.TAN(),
        "SVM": make_pipeline(StandardScaler(), SVC()),
    }
    with pytest.warns(bc.BnclassWarning, match="2 of 24 fits failed"):
        results = bc.compare(models, ["iris", "wine", "monks-1"], 2, ["zero_one_loss", "rmse"])
    failed = section(results, "Folds that failed").frame.drop(columns="error")
    assert failed.to_numpy().tolist() == [["monks-1", "GAODE", 2]]
    text = section(results, "Ranks and tests").text
    assert "Without monks-1, where one is missing: zero-one loss." in text
    without = "Without SVM, which has none; without monks-1, where one is missing"
    assert f"{without}: root mean squared error." in text
    assert np.isnan(section(results, "Means over data sets").frame.loc["Zero-one loss", "GAODE"])
    losses = section(results, "Root mean squared error")
    assert losses.text.endswith("No number: a fold failed, or the model has no posteriors.")


def test_all_failed_is_still_a_report(tmp_path):
    with pytest.warns(bc.BnclassWarning, match="8 of 8 fits failed"):
        results = bc.compare({"A": bc.GAODE(), "B": bc.GAODE()}, ["monks-1", "monks-2"], 2)
    names = [path.name for path in bc.write_report(results, tmp_path)]
    assert "report.md" in names
    assert not any(name.endswith("png") for name in names)


def test_files_of_a_report(results, tmp_path):
    paths = bc.write_report(results, tmp_path / "new" / "report")
    assert {path.name for path in paths} == (
        {"report.md", "report.tex"}
        | {f"{metric}.csv" for metric in results.metrics}
        | {f"{name}.png" for name in FIGURES}
    )
    assert all(path.stat().st_size for path in paths)
    read = pd.read_csv(tmp_path / "new" / "report" / "bias.csv", index_col="dataset")
    pd.testing.assert_frame_equal(read, results.losses("bias"), rtol=1e-15)
    sections = sections_of(results)
    text = (tmp_path / "new" / "report" / "report.md").read_text()
    assert text == f"# 3 classifiers on 3 data sets\n\n{markdown(sections)}\n"
    assert text.count("\n## ") == len(sections)
    source = (tmp_path / "new" / "report" / "report.tex").read_text()
    assert source.count(r"\begin{table}") == source.count(r"\label{tab:") == len(sections) - 1
    assert "NaiveBayes(" not in source
    assert source.isascii()


def test_goal_differences_are_drawn_of_ten_data_sets_or_more(tmp_path, monkeypatch):
    X, y = bc.load_dataset("iris")
    sets = {f"iris {i}": (X.iloc[:, i % 4 : i % 4 + 2], y) for i in range(10)}
    models = {"NB": bc.NaiveBayes(), "TAN": bc.TAN()}
    results = bc.compare(models, sets, 2, ["zero_one_loss"])
    paths = bc.write_report(results, tmp_path, figures="svg")
    assert (tmp_path / "goal-difference.svg") in paths
    monkeypatch.setattr("bnclass.evaluate.report.writing.MOST_CURVES", 0)
    names = {path.stem for path in bc.write_report(results, tmp_path)}
    assert {"ranks", "losses"} <= names
    assert "goal-difference" not in names  # there are more methods than lines that differ


def test_other_formats_of_figures_are_refused(results, tmp_path):
    with pytest.raises(bc.BnclassError, match="figures is 'jpg', expected one of png, pdf, svg"):
        bc.write_report(results, tmp_path / "r", figures="jpg")
    assert not (tmp_path / "r").exists()


def test_a_report_may_lie_in_the_folder_of_the_run(tmp_path):
    arguments = {"estimators": MODELS, "datasets": ["iris", "wine"], "resampling": 2}
    results = bc.compare(**arguments, folder=tmp_path)
    bc.write_report(results, tmp_path)
    again = bc.compare(**arguments, folder=tmp_path)
    pd.testing.assert_frame_equal(again.to_frame(), results.to_frame(), check_exact=True)
