"""The package as a whole: its public names, its docstrings, what importing it loads."""

import doctest
import importlib
import os
import pkgutil
import subprocess
import sys
import textwrap

import pytest

import bnclass

MODULES = sorted(m.name for m in pkgutil.walk_packages(bnclass.__path__, "bnclass."))


def run_python(code, **environment):
    """Run code in a fresh interpreter and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_all_is_sorted_and_complete():
    public = [
        name
        for name, value in vars(bnclass).items()
        if not name.startswith("_") and getattr(value, "__module__", "").startswith("bnclass")
    ]
    assert sorted(public) == bnclass.__all__


@pytest.mark.parametrize("name", bnclass.__all__)
def test_public_names_are_documented_with_an_example(name):
    documentation = getattr(bnclass, name).__doc__
    assert documentation
    if not name.endswith(("Error", "Warning")) and name not in ("Factor", "StructureLearner"):
        assert ">>> " in documentation


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples_run(name):
    results = doctest.testmod(
        importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE
    )
    assert results.failed == 0


def test_importing_loads_no_heavy_leaf():
    loaded = run_python(
        """
        import sys, bnclass
        heavy = ("matplotlib", "pgmpy", "numba", "tqdm")
        parts = ("ensemble", "model_selection", "neighbors", "preprocessing", "svm")
        heavy += tuple(f"sklearn.{part}" for part in parts)
        print([m for m in heavy if m in sys.modules])
        """
    )
    assert loaded.strip() == "[]"


DETERMINED = """
    import bnclass as bc, tempfile, pathlib, hashlib, warnings
    X, y = bc.load_dataset("tic-tac-toe")
    X, y = X[::3], y[::3]
    digest = hashlib.sha256()
    with tempfile.TemporaryDirectory() as folder:
        for model in (bc.NaiveBayes(), bc.SPODE(), bc.TAN(), bc.KDB(), bc.AODE(1, 1), bc.ATAN()):
            model.fit(X, y)
            path = pathlib.Path(folder) / "m.json"
            bc.save(model, path)
            digest.update(path.read_bytes())
            digest.update(model.predict_proba(X).tobytes())
            if hasattr(model, "network_"):
                for write in (bc.write_bif, bc.write_graphml):
                    write(model.network_, path)
                    digest.update(path.read_bytes())
    print(digest.hexdigest())
"""


def test_hash_seed_and_thread_count_change_no_bit():
    runs = {
        run_python(DETERMINED, PYTHONHASHSEED=seed, NUMBA_NUM_THREADS=threads)
        for seed, threads in (("0", "1"), ("1", "2"), ("4242", "1"))
    }
    assert len(runs) == 1
