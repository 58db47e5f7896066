"""Runs: the same folds for all, what is measured, and what fails."""

import math
import os
import signal
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from oracle import evaluation as oracle
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import bnclass as bc
from bnclass.evaluate.experiment.measures import METRICS, OF_TIME

MODELS = {"NB": bc.NaiveBayes(), "TAN": bc.TAN()}
ROUNDS, FOLDS = 2, 3


@pytest.fixture(scope="module")
def results():
    return bc.compare(MODELS, ["iris", "monks-1"], resampling=f"{ROUNDS}x{FOLDS}", n_jobs=2)


class Recorder(ClassifierMixin, BaseEstimator):
    """Keeps the rows it is fitted to and tested on."""

    seen: ClassVar[list] = []

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.seen.append(("fit", X["id"].tolist()))
        return self

    def predict(self, X):
        self.seen.append(("predict", X["id"].tolist()))
        return np.full(len(X), self.classes_[0])


class Picky(ClassifierMixin, BaseEstimator):
    """Refuses tables in which a certain row is."""

    def __init__(self, hates=0):
        self.hates = hates

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        if self.hates in X["id"].to_numpy():
            raise ArithmeticError(f"row {self.hates}\nis there")
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[-1])


def as_they_are(*models):
    """Return models that no encoding comes before."""
    return {type(model).__name__: make_pipeline(model) for model in models}


def table(n=12, n_classes=2):
    X = pd.DataFrame({"id": np.arange(n), "x": np.arange(n) / 7})
    return X, np.array(["abc"[i % n_classes] for i in range(n)])


def test_a_slow_loop_finds_the_same_numbers(results):
    """The folds are those of scikit-learn, and the losses those of the oracle."""
    from sklearn.model_selection import RepeatedStratifiedKFold

    frame = results.to_frame().set_index(["dataset", "estimator", "round", "fold"])
    for dataset in ("iris", "monks-1"):
        X, y = bc.load_dataset(dataset)
        splitter = RepeatedStratifiedKFold(n_splits=FOLDS, n_repeats=ROUNDS, random_state=0)
        for i, (train, test) in enumerate(splitter.split(X, y)):
            for name, model in MODELS.items():
                fitted = clone(model).fit(X.iloc[train], y.iloc[train])
                P, labels = fitted.predict_proba(X.iloc[test]), list(fitted.classes_)
                true, said = y.iloc[test].tolist(), fitted.predict(X.iloc[test]).tolist()
                line = frame.loc[(dataset, name, i // FOLDS + 1, i % FOLDS + 1)]
                assert line["n_test"] == len(test)
                assert line["n_train"] == len(train)
                assert line["zero_one_loss"] == float(oracle.zero_one(true, said))
                brier = sum(
                    (P[r, c] - (true[r] == labels[c])) ** 2
                    for r in range(len(test))
                    for c in range(len(labels))
                ) / len(test)
                log = -sum(math.log(P[r, labels.index(true[r])]) for r in range(len(test)))
                assert line["brier_score"] == pytest.approx(brier, abs=1e-12)
                assert line["rmse"] == pytest.approx(math.sqrt(brier / len(labels)), abs=1e-12)
                assert line["log_loss"] == pytest.approx(log / len(test), abs=1e-12)
                assert line["n_infinite"] == 0


def test_losses_have_a_row_a_data_set_and_a_column_a_method(results):
    for metric in METRICS:
        losses = results.losses(metric)
        assert losses.index.tolist() == ["iris", "monks-1"]
        assert losses.index.name == "dataset"
        assert losses.columns.tolist() == ["NB", "TAN"]
        assert losses.notna().all(axis=None)
    assert results.sizes.to_dict() == {"iris": 150, "monks-1": 432}
    assert bc.friedman_test(results.losses()).n_datasets == 2


def test_losses_are_those_of_all_predictions_together(results):
    frame = results.to_frame()
    lines = frame[(frame["dataset"] == "iris") & (frame["estimator"] == "NB")]
    wrong = (lines["zero_one_loss"] * lines["n_test"]).sum()
    assert results.losses().loc["iris", "NB"] == pytest.approx(wrong / (ROUNDS * 150))
    brier = (lines["brier_score"] * lines["n_test"]).sum() / (ROUNDS * 150)
    assert results.losses("rmse").loc["iris", "NB"] == pytest.approx(math.sqrt(brier / 3))


def test_bias_and_variance_add_up_to_the_loss_exactly(results):
    for dataset in results.datasets:
        for name in results.estimators:
            parts = results.bias_variance(dataset, name)
            losses = results.fold_losses(dataset, name)
            frame = results.to_frame().query("dataset == @dataset and estimator == @name")
            wrong = round(float((frame["zero_one_loss"] * frame["n_test"]).sum()))
            assert losses.shape == (ROUNDS, FOLDS)
            assert parts.n_rounds == ROUNDS
            whole = parts.exact_bias + parts.exact_variance
            assert whole * ROUNDS * results.sizes[dataset] == wrong
            assert results.losses("bias").loc[dataset, name] == parts.bias
            assert results.losses("variance").loc[dataset, name] == parts.variance


def test_one_process_and_two_find_the_same(results):
    alone = bc.compare(MODELS, ["iris", "monks-1"], resampling="2x3").to_frame()
    times = list(OF_TIME)
    pd.testing.assert_frame_equal(
        alone.drop(columns=times), results.to_frame().drop(columns=times), check_exact=True
    )


def test_all_methods_see_the_same_rows_and_no_test_row_in_training():
    Recorder.seen.clear()
    bc.compare(
        {"A": make_pipeline(Recorder()), "B": make_pipeline(Recorder())},
        {"t": table()},
        resampling="2x3",
    )
    calls = [Recorder.seen[i : i + 4] for i in range(0, len(Recorder.seen), 4)]
    assert len(calls) == 6
    for fit, predict, other_fit, other_predict in calls:
        assert (fit, predict) == (other_fit, other_predict)
        assert sorted(fit[1] + predict[1]) == list(range(12))


def test_a_failing_fit_is_recorded_and_ends_nothing():
    models = as_they_are(Picky(5)) | {"NB": bc.NaiveBayes()}
    with pytest.warns(bc.BnclassWarning, match="6 of 16 fits failed: failures"):
        results = bc.compare(models, {"t": table(), "u": table(20)}, "1x4", METRICS)
    failures = results.failures()
    assert set(failures["estimator"]) == {"Picky"}
    assert len(failures) == 3 + 3  # of four folds, one tests row 5
    assert set(failures["error"]) == {"ArithmeticError: row 5 is there"}
    assert repr(results).endswith("16 of 16 done, 6 failed)")
    losses = results.losses()
    assert losses["Picky"].isna().all()
    assert losses["NB"].notna().all()
    assert np.isnan(results.fold_losses("t", "Picky")).sum() == 3
    assert results.losses("bias")["Picky"].isna().all()
    with pytest.raises(bc.DataError, match="folds of 'Picky' on 't' failed or are not done"):
        results.bias_variance("t", "Picky")
    with pytest.raises(bc.DataError, match="losses of 'Picky' on 't' are missing"):
        bc.friedman_test(losses)


def test_our_own_refusals_are_recorded_too():
    with pytest.warns(bc.BnclassWarning, match="2 of 2 fits failed"):
        results = bc.compare({"GAODE": bc.GAODE()}, ["monks-1"], resampling=2)
    assert results.failures()["error"].str.contains("expected numbers|HAODE").all()


def test_a_class_that_a_training_fold_lacks_has_probability_0():
    X, _ = table(9)
    y = np.array(list("aaaabbbbc"))  # whoever tests c has not seen it
    results = bc.compare({"NB": bc.NaiveBayes()}, {"t": (X, y)}, resampling=4)
    frame = results.to_frame()
    assert not frame["error"].any()
    assert frame["n_infinite"].tolist().count(1) == 1
    assert results.losses("log_loss").loc["t", "NB"] == math.inf
    assert results.losses("zero_one_loss").loc["t", "NB"] >= 1 / 9


def test_without_posteriors_only_labels_are_measured():
    results = bc.compare({"SVM": make_pipeline(StandardScaler(), SVC())}, ["iris"], 3, METRICS)
    assert not len(results.failures())
    for metric in METRICS:
        missing = metric in ("rmse", "brier_score", "log_loss")
        assert np.isnan(results.losses(metric).loc["iris", "SVM"]) == missing


def test_metrics_that_are_not_asked_for_are_not_measured():
    results = bc.compare({"NB": bc.NaiveBayes()}, ["iris"], 3, metrics=["zero_one_loss"])
    assert results.metrics == ("zero_one_loss",)
    assert "rmse" not in results.to_frame()
    with pytest.raises(bc.BnclassError, match="no metric 'bias' in these results"):
        results.losses("bias")
    with pytest.raises(bc.DataError, match="expected 'bias' or 'variance' in metrics"):
        results.bias_variance("iris", "NB")


def test_warnings_of_fits_are_kept_and_told_once():
    X, y = table(8)
    with pytest.warns(bc.BnclassWarning) as told:
        results = bc.compare({"NB": bc.NaiveBayes()}, {"t": (X.assign(e=None), y)}, resampling=2)
    assert [str(w.message)[:40] for w in told] == ["fits gave warnings, of 1 kinds: warnings"]
    assert told[0].filename == __file__
    kept = results.warnings()
    assert kept["folds"].tolist() == [2]
    assert "BnclassWarning: columns ['e'] are wholly" in kept["warnings"][0]
    assert results.to_frame()["warnings"].tolist() == kept["warnings"].tolist() * 2


def test_missing_and_unknown_cells_are_no_warning():
    X = pd.DataFrame({"a": ["p", "q", None, "p", "r", "q"]})
    results = bc.compare({"NB": bc.NaiveBayes()}, {"t": (X, [0, 1, 0, 1, 0, 1])}, resampling=3)
    assert not results.to_frame()["warnings"].any()


def test_what_draws_is_seeded_once_a_fold():
    forest = RandomForestClassifier(5, max_features=1)
    runs = [
        bc.compare({"RF": make_pipeline(forest)}, {"t": table(60)}, 3, random_state=seed).losses()
        for seed in (4, 4)
    ]
    pd.testing.assert_frame_equal(*runs, check_exact=True)
    assert forest.random_state is None


def test_labels_of_all_kinds():
    X, _ = table(12)
    for y in (np.arange(12) % 2 == 0, np.arange(12) % 3, np.array(list("abcabcabcabc"))):
        results = bc.compare({"NB": bc.NaiveBayes(), "G": GaussianNB()}, {"t": (X, y)}, 2)
        assert not len(results.failures())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([bc.TAN()], ["iris"]), "estimators is a list, expected a dict"),
        (({"TAN": bc.TAN}, ["iris"]), "'TAN' is the class TAN, expected a classifier"),
        (({"K": StandardScaler()}, ["iris"]), "'K' is StandardScaler, expected a classifier"),
        (({}, ["iris"]), "estimators is empty"),
        (({"a\tb": bc.TAN()}, ["iris"]), "expected one line of text"),
        (({"A": bc.TAN()}, ["iris"], "10 x 10"), "resampling is '10 x 10'"),
        (({"A": bc.TAN()}, ["iris"], 2, 5), "metrics is 5, expected some of zero_one_loss"),
        (({"A": bc.TAN()}, ["iris"], 51), "data set 'iris': no class has more than 50 rows"),
        (({"A": bc.TAN()}, ["iris"], 5, ["auc"]), "no metric 'auc'"),
    ],
)
def test_bad_arguments_are_refused_before_the_first_fit(arguments, message):
    with pytest.raises(bc.BnclassError, match=message):
        bc.compare(*arguments)


@pytest.mark.parametrize("seed", [None, -1, 2**32, 0.5])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(bc.BnclassError, match="random_state is"):
        bc.compare(MODELS, ["iris"], 2, random_state=seed)


def test_names_are_checked_when_asked(results):
    with pytest.raises(bc.DataError, match="no data set 'wine', expected one of iris, monks-1"):
        results.fold_losses("wine", "NB")
    with pytest.raises(bc.DataError, match="no estimator 'KST', expected one of NB, TAN"):
        results.bias_variance("iris", "KST")
    with pytest.raises(bc.DataError, match="folds have no metric 'bias'"):
        results.fold_losses("iris", "NB", "bias")


def test_five_by_two_takes_the_losses_of_folds():
    results = bc.compare(MODELS, ["monks-1"], resampling="5x2", metrics=["zero_one_loss"])
    one, two = (results.fold_losses("monks-1", name) for name in MODELS)
    assert bc.five_by_two_test(two, one).mean_difference == pytest.approx(
        float(np.diff(results.losses().loc["monks-1", ["TAN", "NB"]])[0]), abs=1e-3
    )


def test_the_bar_says_how_long_it_will_take(capsys):
    bc.compare({"NB": bc.NaiveBayes()}, ["iris"], 2, verbose=1)
    shown = capsys.readouterr().err
    assert "100%" in shown
    assert "left" in shown
    bc.compare({"NB": bc.NaiveBayes()}, ["iris"], 2)
    assert not capsys.readouterr().err


class WordlessError(Exception):
    """Has no text."""

    def __str__(self):
        raise RuntimeError


class Odd(ClassifierMixin, BaseEstimator):
    """Raises what it is given, or is killed, or cannot be pickled."""

    def __init__(self, problem=None):
        self.problem = problem

    def fit(self, X, y):
        if self.problem == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        raise self.problem

    def __reduce__(self):
        if self.problem == "pickle":
            raise TypeError("no\nway")
        return Odd, (self.problem,)


@pytest.mark.parametrize(
    ("problem", "error"),
    [
        (WordlessError(), "WordlessError: without a text"),
        (ValueError("\ud800\r\n1"), r"ValueError: \ud800 1"),
        (ValueError("x" * 10**5), "ValueError: " + "x" * 488 + "…"),
    ],
)
def test_errors_are_recorded_as_a_file_can_hold_them(tmp_path, problem, error):
    with pytest.warns(bc.BnclassWarning, match="2 of 2 fits failed"):
        results = bc.compare(as_they_are(Odd(problem)), ["iris"], 2, folder=tmp_path)
    assert set(results.failures()["error"]) == {error}
    pd.testing.assert_frame_equal(bc.read_results(tmp_path).failures(), results.failures())


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        ("kill", "a process that fits was ended"),
        ("pickle", r"estimators B: cannot be sent to another process \(.*expected what can be"),
    ],
)
def test_processes_that_break_are_told_in_one_line(problem, message):
    models = {"A": bc.NaiveBayes(), "B": make_pipeline(Odd(problem))}
    with pytest.raises(bc.BnclassError, match=message) as told:
        bc.compare(models, ["iris"], "2x2", n_jobs=2)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_jobs": 0}, "n_jobs is 0, expected a whole number"),
        ({"n_jobs": "2"}, "n_jobs is '2'"),
        ({"folder": 5}, "folder is 5, expected a path"),
        ({"folder": "a\0b"}, "cannot be written"),
        ({"folder": __file__ + "/x"}, r"test_compare\.py/x: cannot be written"),
    ],
)
def test_what_says_how_to_run_is_checked(arguments, message):
    with pytest.raises(bc.BnclassError, match=message):
        bc.compare(MODELS, ["iris"], 2, **arguments)


def test_more_folds_than_the_memory_holds_are_refused():
    bc.set_max_memory(2**20)
    try:
        with pytest.raises(bc.MemoryLimitError, match=r"data set 'iris': 9999x2 folds of 150 rows"):
            bc.compare(MODELS, ["iris"], "9999x2")
    finally:
        bc.set_max_memory(None)
