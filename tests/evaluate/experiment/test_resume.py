"""Folders: a run that was killed goes on, and ends as one that was not."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import bnclass as bc
from bnclass.evaluate.experiment.measures import METRICS, OF_TIME
from bnclass.evaluate.experiment.planning import models_of, plan_of
from bnclass.evaluate.experiment.resampling import Resampling

MODELS = {"NB": bc.NaiveBayes(), "TAN": bc.TAN()}
SETS = ["iris", "monks-1"]
SCRIPT = """
import time
import bnclass as bc
from bnclass.evaluate.experiment.folder import RunFolder

add = RunFolder.add

def slow(self, lines):
    add(self, lines)
    time.sleep(0.2)  # so that it is not done before it is killed

RunFolder.add = slow
models = {{"NB": bc.NaiveBayes(), "TAN": bc.TAN()}}
bc.compare(models, ["iris", "monks-1"], "5x2", folder={folder!r}, n_jobs={n_jobs})
"""


def untimed(results):
    return results.to_frame().drop(columns=list(OF_TIME))


def assert_same(one, two):
    pd.testing.assert_frame_equal(untimed(one), untimed(two), check_exact=True)
    for metric in ("bias", "variance"):
        pd.testing.assert_frame_equal(one.losses(metric), two.losses(metric), check_exact=True)


@pytest.fixture(scope="module")
def undisturbed():
    return bc.compare(MODELS, SETS, "5x2")


def lines_of(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


def children_of(pid):
    """Return the processes that a process started, where the system lists them."""
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in path.read_text().split()] if path.exists() else []


def is_alive(pid):
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_killed_run_ends_as_one_that_was_not(tmp_path, undisturbed, n_jobs):
    folder = tmp_path / "run"
    script = SCRIPT.format(folder=str(folder), n_jobs=n_jobs)
    process = subprocess.Popen([sys.executable, "-W", "error", "-c", script])
    aim = int(np.random.default_rng().integers(2, 15))  # of 41: a busy machine looks late
    while process.poll() is None and lines_of(folder / "results.csv") < aim:
        time.sleep(0.001)
    workers = children_of(process.pid)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert aim <= lines_of(folder / "results.csv") < 41
    results = bc.compare(MODELS, SETS, "5x2", folder=folder)
    assert_same(results, undisturbed)
    assert_same(bc.read_results(folder), undisturbed)
    listed = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").exists()
    assert len(workers) >= n_jobs - 1 or not listed
    for _ in range(300):
        workers = [pid for pid in workers if is_alive(pid)]
        time.sleep(0.1 * bool(workers))
    assert not workers, "they outlive the run"


@pytest.mark.parametrize("name", ["results.csv", "predictions.csv"])
def test_wherever_a_file_is_cut_the_rest_is_done_again(tmp_path, name):
    arguments = {"estimators": {"NB": bc.NaiveBayes()}, "datasets": ["iris"], "resampling": "2x2"}
    whole = bc.compare(**arguments, folder=tmp_path)
    content = (tmp_path / name).read_bytes()
    lines = (tmp_path / "results.csv").read_bytes().splitlines(keepends=True)
    for cut in (0, 5, content.index(b"\n") + 9, len(content) - 1):
        (tmp_path / name).write_bytes(content[:cut])
        if name == "predictions.csv":  # they are written first, so no line is without
            there = b"".join(lines[: content[:cut].count(b"\n")])
            (tmp_path / "results.csv").write_bytes(there)
        assert_same(bc.compare(**arguments, folder=tmp_path), whole)


def test_a_finished_run_fits_nothing(tmp_path):
    first = bc.compare(MODELS, ["iris"], 3, folder=tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.csv")}
    again = bc.compare(MODELS, ["iris"], 3, folder=tmp_path)
    pd.testing.assert_frame_equal(first.to_frame(), again.to_frame(), check_exact=True)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.csv")} == before


def test_estimators_and_data_sets_may_join(tmp_path, undisturbed):
    bc.compare({"TAN": bc.TAN()}, ["monks-1"], "5x2", folder=tmp_path)
    assert_same(bc.compare(MODELS, SETS, "5x2", folder=tmp_path), undisturbed)
    one = bc.compare({"NB": bc.NaiveBayes()}, ["iris"], "5x2", folder=tmp_path)
    assert one.losses().shape == (1, 1)
    assert bc.read_results(tmp_path).losses().shape == (2, 2)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"resampling": "1x4"}, "holds a run with resampling 1x3, expected 1x4"),
        ({"random_state": 1}, "random_state 0, expected 1"),
        ({"metrics": ["bias"]}, "holds a run with metrics"),
        (
            {"estimators": {"NB": bc.NaiveBayes(smoothing=2.0)}},
            "'NB' as smoothing=1.0, expected smoo",
        ),
        (
            {"datasets": {"iris": bc.load_dataset("wine")}},
            "other rows or labels of 'iris'",
        ),
    ],
)
def test_another_run_is_refused_and_nothing_changed(tmp_path, changed, message):
    asked = {"estimators": {"NB": bc.NaiveBayes()}, "datasets": ["iris"], "resampling": 3}
    bc.compare(**asked, folder=tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    with pytest.raises(bc.BnclassError, match=message):
        bc.compare(**(asked | changed), folder=tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*")} == before


def drawn(*arcs):
    graph = nx.DiGraph([("class", name) for name in bc.load_dataset("monks-1")[0]])
    graph.add_edges_from(arcs)
    return graph


def with_array(last):
    numbers = np.r_[np.zeros(2000), last]
    return make_pipeline(FunctionTransformer(kw_args={"n": numbers}), GaussianNB())


def frozen(n_rows):
    X, y = (part[:n_rows] for part in bc.load_dataset("iris"))
    return bc.NaiveBayes(continuous=FrozenEstimator(bc.MDLDiscretizer().fit(X, y)))


@pytest.mark.parametrize(
    ("make", "one", "other"),
    [
        (lambda *arcs: bc.StructureClassifier(drawn(*arcs)), [], [("a1", "a2")]),
        (
            lambda *arcs: bc.StructureClassifier(bc.Structure(drawn(*arcs), class_node="class")),
            [("a2", "a1")],
            [("a1", "a2")],
        ),
        (lambda n: RandomForestClassifier(2, random_state=np.random.RandomState(n)), [0], [1]),
        (with_array, [1e-9], [2e-9]),
        (frozen, [120], [150]),
    ],
)
def test_parameters_that_print_alike_are_told_apart(make, one, other):
    texts = [models_texts(make(*arguments)) for arguments in (one, one, other)]
    assert texts[0] == texts[1] != texts[2]


def models_texts(model):
    models = models_of({"A": model})
    return plan_of(models, [], Resampling(1, 2), ("bias",), 0).estimators


def test_a_folder_of_other_files_is_refused(tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(bc.BnclassError, match="found other files"):
        bc.compare(MODELS, ["iris"], 3, folder=tmp_path)
    with pytest.raises(bc.BnclassError, match="found other files"):
        bc.compare(MODELS, ["iris"], 3, folder=tmp_path / "thesis.tex")
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_two_processes_may_not_write_to_one_folder(tmp_path):
    pytest.importorskip("fcntl")
    from bnclass.evaluate.experiment.folder import RunFolder

    results = bc.compare({"NB": bc.NaiveBayes()}, ["iris"], 3, folder=tmp_path)
    with (
        RunFolder(tmp_path, results.plan),
        pytest.raises(bc.BnclassError, match="another process writes to it"),
    ):
        RunFolder(tmp_path, results.plan)
    with RunFolder(tmp_path, results.plan) as folder:
        assert len(folder.log.lines) == 3


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("left", ["folds", "folds/iris.csv", "results.csv", ".bnclass-0-1.tmp"])
def test_a_run_killed_before_it_has_settings_leaves_nothing_that_counts(tmp_path, left, seed):
    models = {"NB": bc.NaiveBayes()}
    arguments = {"estimators": models, "datasets": ["iris"], "resampling": 3, "metrics": METRICS}
    bc.compare(**arguments, folder=tmp_path / "earlier")
    folds = (tmp_path / "earlier" / "folds" / "iris.csv").read_bytes()
    folder = tmp_path / "killed"
    if left.startswith("folds"):
        (folder / "folds").mkdir(parents=True)
    folder.mkdir(exist_ok=True)
    if left != "folds":
        (folder / left).write_bytes(folds if left == "folds/iris.csv" else b"")
    results = bc.compare(**arguments, random_state=seed, folder=folder)
    assert_same(results, bc.compare(**arguments, random_state=seed))
    assert_same(bc.read_results(folder), results)


def test_a_second_process_that_is_refused_changes_nothing(tmp_path):
    pytest.importorskip("fcntl")
    from bnclass.evaluate.experiment.folder import RunFolder

    results = bc.compare({"NB": bc.NaiveBayes()}, ["iris"], 3, folder=tmp_path)
    before = (tmp_path / "settings.json").read_bytes()
    with (
        RunFolder(tmp_path, results.plan),
        pytest.raises(bc.BnclassError, match="another process writes to it"),
    ):
        bc.compare({"TAN": bc.TAN()}, ["iris"], 3, folder=tmp_path)
    assert (tmp_path / "settings.json").read_bytes() == before


def test_a_refused_folder_is_let_go(tmp_path):
    results = bc.compare({"NB": bc.NaiveBayes()}, ["iris"], 3, METRICS, folder=tmp_path)
    path = tmp_path / "results.csv"
    content = path.read_bytes()
    path.write_bytes(content + b"more\n")
    with pytest.raises(bc.FileFormatError, match="line 5: found 1 cells") as kept:
        bc.compare({"NB": bc.NaiveBayes()}, ["iris"], 3, METRICS, folder=tmp_path)
    path.write_bytes(content)
    assert_same(bc.compare({"NB": bc.NaiveBayes()}, ["iris"], 3, METRICS, folder=tmp_path), results)
    assert kept.value is not None


def test_files_saved_by_a_spreadsheet_are_read(tmp_path):
    results = bc.compare({"NB": bc.NaiveBayes()}, ["iris"], 3, METRICS, folder=tmp_path)
    for name in ("results.csv", "predictions.csv"):
        content = (tmp_path / name).read_bytes().replace(b"\n", b"\r\n")
        (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + content)
    assert_same(bc.read_results(tmp_path), results)
    assert_same(bc.compare({"NB": bc.NaiveBayes()}, ["iris"], 3, METRICS, folder=tmp_path), results)


def test_labels_with_ends_of_lines_and_long_names_are_kept(tmp_path):
    X = pd.DataFrame({"a": np.arange(8)})
    sets = {name * 300: (X, ["u\rv", "w\nx", 'y"z', "u,v"] * 2) for name in "a≤"}
    results = bc.compare({"NB": bc.NaiveBayes()}, sets, 2, METRICS, folder=tmp_path)
    assert_same(bc.read_results(tmp_path), results)


def test_a_full_disk_is_named_and_the_run_goes_on(tmp_path):
    resource = pytest.importorskip("resource")
    arguments = {"estimators": {"NB": bc.NaiveBayes()}, "datasets": ["iris"], "resampling": "2x3"}
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1500, before[1]))
    try:
        with pytest.raises(
            bc.FileFormatError, match=r"\.csv: cannot be written \(File too large\)"
        ):
            bc.compare(**arguments, folder=tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert_same(bc.compare(**arguments, folder=tmp_path), bc.compare(**arguments))


@pytest.mark.parametrize(
    ("name", "damage", "message"),
    [
        ("settings.json", "[]", "found no settings of a run"),
        ("settings.json", "{", "found no settings of a run"),
        ("results.csv", "a,b\n", "line 1: found the columns"),
        ("folds/iris.csv", "class,round 1\nsetosa,x\n", "found no settings of a run"),
        ("folds/iris.csv", "class,round 1\nsetosa,9\n", "found other rounds and folds"),
        ("folds/iris.csv", "class,round 1\nsetosa,1\n", "found 1 rows, expected 150"),
        ("predictions.csv", "dataset,estimator,round,fold,predicted\niris,NB,1,1,0\n", "1 codes"),
    ],
)
def test_damaged_files_are_named(tmp_path, name, damage, message):
    bc.compare({"NB": bc.NaiveBayes()}, ["iris"], 3, METRICS, folder=tmp_path)
    (tmp_path / name).write_text(damage)
    with pytest.raises(bc.FileFormatError, match=message):
        bc.read_results(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"iris,NB,1,2", b"iris,NB,1,9", "expected what settings.json names"),
        (b"iris,NB,1,2", b"lily,NB,1,2", "expected what settings.json names"),
        (b"iris,NB,1,2", b"iris,NB,1,2,3", "cells, expected"),
        (b"iris,NB,1,2", b"iris,NB,1,two", "expected numbers"),
        (b"iris,NB,1,2", b"iris,NB,,2", "found no round"),
        (b"iris,NB,1,2,100,50", b"iris,NB,1,2,100,1", "found other rows tested"),
    ],
)
def test_damaged_lines_are_named(tmp_path, old, new, message):
    bc.compare({"NB": bc.NaiveBayes()}, ["iris"], 3, folder=tmp_path)
    path = tmp_path / "results.csv"
    path.write_bytes(path.read_bytes().replace(old, new))
    with pytest.raises(bc.FileFormatError, match=f"results.csv, line .*{message}"):
        bc.read_results(tmp_path)


def test_a_folder_that_is_not_there_holds_no_run(tmp_path):
    with pytest.raises(bc.FileFormatError, match="no such file"):
        bc.read_results(tmp_path / "none")


def test_names_of_all_kinds_are_files(tmp_path):
    X, y = bc.load_dataset("iris")
    sets = dict.fromkeys(("a/b", "a b", "A_B", "..", "con", "日本", 'x,"y"'), (X, y))
    models = {'NB, "plain"': bc.NaiveBayes()}
    results = bc.compare(models, sets, 2, folder=tmp_path)
    assert len(list((tmp_path / "folds").iterdir())) == 7
    read = bc.read_results(tmp_path)
    pd.testing.assert_frame_equal(read.to_frame(), results.to_frame(), check_exact=True)


def test_folds_can_be_read_elsewhere(tmp_path):
    bc.compare({"NB": bc.NaiveBayes()}, ["iris"], "2x3", folder=tmp_path)
    folds = pd.read_csv(tmp_path / "folds" / "iris.csv")
    assert folds.columns.tolist() == ["class", "round 1", "round 2"]
    assert folds["class"].tolist() == bc.load_dataset("iris")[1].tolist()
    assert sorted(folds["round 1"].value_counts().tolist()) == [50, 50, 50]
    settings = json.loads((tmp_path / "settings.json").read_text())
    assert settings["estimators"]["NB"].startswith("NaiveBayes(")
    assert os.path.exists(tmp_path / "predictions.csv")


def test_without_bias_no_predictions_are_written(tmp_path):
    bc.compare({"NB": bc.NaiveBayes()}, ["iris"], 3, ["zero_one_loss"], folder=tmp_path)
    assert not (tmp_path / "predictions.csv").exists()


@pytest.mark.parametrize(
    ("folder", "message"), [(None, "folder is None"), (__file__, r"settings\.json: cannot be read")]
)
def test_what_is_no_folder_is_refused(folder, message):
    with pytest.raises(bc.BnclassError, match=message):
        bc.read_results(folder)
