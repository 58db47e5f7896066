"""Every command and snippet of the README runs, in order, in an empty folder."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import bnclass as bc

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TEST_COMMAND = "pip install '.[test]' && pytest -n 2"


def blocks(language):
    """Return the README's code blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def commands():
    """Return the README's shell commands, without installing what is being tested."""
    lines = [line for block in blocks("bash") for line in block.strip().splitlines()]
    return [line.removeprefix("pip install . && ") for line in lines if line != TEST_COMMAND]


def test_the_test_command_is_what_the_checks_run():
    assert TEST_COMMAND in README
    assert TEST_COMMAND in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def run(command, folder):
    program, *arguments = shlex.split(command)
    assert program == "bnclass"
    code = "import sys; from bnclass.cli import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-W", "error::DeprecationWarning:bnclass", "-c", code, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_commands(tmp_path):
    X, y = bc.load_dataset("wine")
    X.assign(**{"class": y}).to_csv(tmp_path / "data.csv", index=False)
    for command in commands():
        run(command, tmp_path)
    written = {path.name for path in tmp_path.iterdir()}
    assert {"wine.png", "wine.bif", "wine.json", "iris.png", "iris.graphml"} <= written
    assert len((tmp_path / "predicted.csv").read_text(encoding="utf-8").splitlines()) == 179


@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_snippets(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    namespace = {}
    for block in blocks("python"):
        exec(compile(block, "README.md", "exec"), namespace)
    same, model, X = namespace["same"], namespace["model"], namespace["X"]
    assert (same.predict_proba(X) == model.predict_proba(X)).all()
    assert set(namespace["search"].best_params_) == {"k", "smoothing"}
    assert namespace["pgmpy_network"].check_model()


def test_linked_files_exist():
    for target in re.findall(r"\]\((?!http)([^)]+)\)", README):
        assert (ROOT / target).exists(), target
