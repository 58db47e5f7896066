"""Every example runs headless, says what it does, and leaves its files in the folder given."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"

PRINTED_AND_WRITTEN = {
    "export_and_read_elsewhere.py": (
        ["bit for bit: True", "the same network: True", "5 nodes and 7 arcs", "to 1e-9: True"],
        {"iris.bif", "iris.graphml", "iris.json"},
    ),
    "plot_compare_classifiers.py": (
        ["on 4 data sets, 2x3 folds, 120 of 120 done", "Iman-Davenport", "433/1728 + 1/1728 is"],
        {"published.png", "run", "tan-nb.png"},
    ),
    "plot_edit_and_refit.py": (
        ["naive Bayes", "Refused: the graph has the cycle", "Drawn to"],
        {"diagonals.png"},
    ),
    "plot_learn_and_inspect.py": (
        ["nodes=14, arcs=25", "flavanoids        total_phenols 0.136891", "Markov blanket"],
        {"wine.png"},
    ),
    "plot_numbers_as_numbers.py": (
        ["intercept", "standard deviation", "what is known): [1.0, 1.0]", "(binned)"],
        {"iris-tan.png", "petal-width.png"},
    ),
}


def test_every_example_is_tested():
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(PRINTED_AND_WRITTEN)


@pytest.mark.parametrize("name", PRINTED_AND_WRITTEN)
def test_example(name, tmp_path):
    fragments, files = PRINTED_AND_WRITTEN[name]
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), str(tmp_path)],
        env={**os.environ, "MPLBACKEND": "Agg"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert [fragment for fragment in fragments if fragment not in done.stdout] == []
    assert {path.name for path in tmp_path.iterdir()} == files
    assert all(path.stat().st_size for path in tmp_path.iterdir())


@pytest.mark.parametrize("name", PRINTED_AND_WRITTEN)
def test_the_gallery_finds_a_title(name):
    lines = (EXAMPLES / name).read_text(encoding="utf-8").splitlines()
    assert lines[0] == '"""'
    assert lines[2] == "=" * len(lines[1])
