"""bnclass compare and bnclass reproduce, as a shell sees them."""

import re

import pandas as pd
import pytest
from shell_checks import done, refused
from threadpoolctl import threadpool_limits

import bnclass as bc
from bnclass.evaluate.baselines import BASELINES


def compare(shell, *words):
    return shell("compare", *words, "--quiet", "--jobs", "1")


def test_compare_prints_what_the_library_finds(shell, tmp_path):
    text = done(compare(shell, "iris", "wine", "--models", "nb,tan", "--cv", "2x3", "--out", "r"))
    results = bc.compare({"NB": bc.NaiveBayes(), "TAN": bc.TAN()}, ["iris", "wine"], "2x3")
    for name, loss in results.losses()["TAN"].items():
        assert re.search(rf"\| {name} .*{loss:.4f}", text)
    assert "2x3 folds, 24 of 24 done" in text
    assert "## Ranks and tests" in text
    read = bc.read_results(tmp_path / "r")
    pd.testing.assert_frame_equal(read.losses(), results.losses(), check_exact=True)
    for line in text.splitlines():
        if line.startswith("Wrote "):
            assert (tmp_path / line.removeprefix("Wrote ")).exists()
    assert text.count("Wrote ") == 14


def test_a_second_run_only_reads(shell, tmp_path):
    words = ("monks-1", "--models", "nb", "--cv", "2", "--out", "r")
    first = done(compare(shell, *words))
    lines = (tmp_path / "r" / "results.csv").read_text()
    assert done(compare(shell, *words)).splitlines()[:8] == first.splitlines()[:8]
    assert (tmp_path / "r" / "results.csv").read_text() == lines


def test_every_model_has_a_name(shell):
    ours = ["nb", "nb-g", "spode", "tan", "tan-g", "kdb", "kdb-g", "aode", "atan"]
    ours += ["gaode", "haode", "kst"]
    names = [*ours, *BASELINES]
    words = ("iris", "--models", ",".join(names), "--cv", "2", "--metrics", "zero_one_loss")
    with threadpool_limits(1):  # boosting spins on processors that are busy
        text = done(compare(shell, *words))
    assert "failed" not in text
    header = next(line for line in text.splitlines() if line.startswith("| dataset"))
    assert [cell.strip() for cell in header.split("|")[2:-1]] == [name.upper() for name in names]


def test_options_reach_the_models_that_take_them(shell, tmp_path):
    words = ("monks-1", "--models", "kdb, nb-g,knn", "--cv", "2", "--k", "3", "--smoothing", "0.5")
    done(compare(shell, *words, "--missing", "state", "--out", "r", "--metrics", "rmse, bias"))
    plan = bc.read_results(tmp_path / "r").plan
    assert "k=3" in plan.estimators["KDB"]
    assert "smoothing=0.5" in plan.estimators["NB-G"]
    assert "continuous='gaussian'" in plan.estimators["NB-G"]
    assert "missing='state'" in plan.estimators["NB-G"]
    assert plan.metrics == ("rmse", "bias")


def test_files_have_their_class_column_named(shell, tmp_path):
    X, y = bc.load_dataset("monks-1")
    X.assign(won=y).to_csv(tmp_path / "games.csv", index=False)
    X.assign(**{"class": y}).to_csv(tmp_path / "same.csv", index=False)
    words = ("--models", "nb", "--cv", "2", "--metrics", "zero_one_loss")
    assert "| games" in done(compare(shell, "games.csv", "--target", "won", *words))
    assert "| same" in done(compare(shell, "same.csv", *words))
    message = refused(compare(shell, "games.csv", *words))
    assert message.startswith("bnclass: games.csv: no --target given, expected one of 'a1'")
    several = ("games.csv", "same.csv", "monks-2", "--target", "won", "--target", "lost")
    assert "3 data sets" in done(compare(shell, *several, *words))
    both = refused(compare(shell, "games.csv", "--target", "won", "--target", "a1", *words))
    assert "found the columns 'won', 'a1', expected one --target of it" in both


def test_columns_may_be_taken_as_states(shell, tmp_path):
    table = pd.DataFrame(
        {"a": [*"12?1", *"2121"] * 5, "n": [1, 2, 1, 2] * 10, "class": [*"uv"] * 20}
    )
    table.to_csv(tmp_path / "q.csv", index=False)
    words = ("q.csv", "--models", "nb,gaode,knn", "--cv", "2", "--metrics", "zero_one_loss")
    assert "--categorical 'a' makes every value a state" in refused(compare(shell, *words))
    for columns in (("--categorical", "a", "--categorical", "n"), ("--categorical", "all")):
        result = compare(shell, *words, *columns)
        assert "GAODE takes numbers only" in result.stdout
        assert "warning: 2 of 6 fits failed" in result.stderr
        assert result.exit_code == 0
    assert "found --categorical 'z', expected a column of q.csv" in refused(
        compare(shell, *words, "--categorical", "a", "--categorical", "z")
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("iris", "--models", "nb,bayes"), "found the model 'bayes', expected some of tan, nb"),
        (("iris", "--models", "gaode-g"), "'gaode-g', expected gaode, which keeps numbers"),
        (("iris", "--models", "nb,nb"), "--models has the name 'nb' more than once"),
        (("iris", "--models", ""), "--models has the name ''"),
        (("iris", "--cv", "ten"), "resampling is 'ten'"),
        (("iris", "--metrics", "auc"), "no metric 'auc'"),
        (("none.csv",), "none.csv"),
        (("iris", "iris"), "'iris' more than once"),
        (("iris", "--cv", "60"), "data set 'iris': no class has more than 50 rows"),
    ],
)
def test_what_compare_refuses(shell, words, message):
    assert message in refused(compare(shell, *words))


def test_a_folder_of_another_run_is_refused(shell):
    words = ("monks-1", "--models", "nb", "--out", "r", "--cv")
    done(compare(shell, *words, "2"))
    assert "holds a run with resampling 1x2, expected 1x3" in refused(compare(shell, *words, "3"))


def test_reproduce_shows_ours_beside_theirs(shell, tmp_path):
    (tmp_path / "data").mkdir()
    X, y = bc.load_dataset("wine")
    X.assign(**{"class": y}).to_csv(tmp_path / "data" / "wine.csv", index=False)
    words = ("reproduce", "kst", "--data", "data", "--quick", "--quiet", "--jobs", "1")
    text = done(shell(*words, "--out", "again"))
    assert "1 of 40 data sets" in text
    assert re.search(r"\| Wine +\| 0\.\d{4}/0\.0169", text)
    assert re.search(r"\| Zoo +\| no file named", text)
    assert (tmp_path / "again" / "kst" / "reproduction.md").read_text() in text + "\n"
    assert not (tmp_path / "again" / "kst" / "report" / "bias-variance.png").exists()
    assert (tmp_path / "again" / "kst" / "report" / "report.tex").exists()
    gaode = done(shell("reproduce", "gaode", *words[2:], "--out", "again"))
    assert "1 of 26 data sets" in gaode
    assert (tmp_path / "again" / "gaode" / "numeric" / "report" / "report.md").exists()
    assert (tmp_path / "again" / "kst" / "reproduction.md").read_text() in text + "\n"


def test_what_reproduce_refuses(shell, tmp_path):
    assert "nowhere" in refused(shell("reproduce", "kst", "--data", "nowhere"))
    (tmp_path / "empty").mkdir()
    assert "found none of the data sets" in refused(shell("reproduce", "kst", "--data", "empty"))
    assert shell("reproduce", "tan", "--data", "empty").exit_code == 2
