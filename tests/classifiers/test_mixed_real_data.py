"""Models over states and numbers against the brute-force oracle, on real data."""

import os
from pathlib import Path

import numpy as np
import pytest
from mixed_cases import SMOOTHINGS, Case
from mixed_checks import compare, compare_network
from oracle import mixed_structures
from oracle.mixed import CONTINUOUS
from oracle.mixed_ensembles import (
    gaode_log_joint,
    gaode_posterior,
    haode_log_joint,
    haode_posterior,
)
from oracle.structures import naive_bayes

import bnclass as bc

pytestmark = pytest.mark.filterwarnings("ignore::bnclass.BnclassWarning")

NAMES = ["iris", "wine", "glass", "hepatitis", "heart-statlog"]
OURS, THEIRS = SMOOTHINGS[0]
SINGLES = {
    "nb": (bc.NaiveBayes(continuous="gaussian", smoothing=OURS), naive_bayes),
    "tan": (bc.TAN(continuous="gaussian", smoothing=OURS), mixed_structures.mixed_tan),
    "kdb2": (bc.KDB(continuous="gaussian", smoothing=OURS), mixed_structures.mixed_kdb),
}


def table_of(name):
    """Return a data set as a frame and labels; but for iris from the folder of data sets."""
    if name == "iris":
        return bc.load_dataset("iris")
    folder = os.environ.get("BNCLASS_DATA")
    if not folder:
        pytest.skip("BNCLASS_DATA does not name the folder of data sets")
    frame = bc.read_table(Path(folder) / f"{name}.arff")
    return frame.iloc[:, :-1], frame.iloc[:, -1]


def case_of(name, n_attributes, n_rows, holes):
    """Return a sample of rows and columns of a data set, and three rows to ask for."""
    X, y = table_of(name)
    rng = np.random.default_rng(7)
    columns = np.sort(rng.permutation(X.shape[1])[:n_attributes])
    rows = np.sort(rng.permutation(len(X))[:n_rows])
    X, y = X.iloc[rows, columns], y.iloc[rows].astype(str)
    X = X.mask(rng.random(X.shape) < holes)
    discrete = X.dtypes == "category"
    domains = [tuple(X[c].cat.categories) if discrete[c] else CONTINUOUS for c in X]
    cells = [tuple(None if x != x else x for x in row) for row in X.astype(object).to_numpy()]
    shown = sorted(cells, key=lambda row: row.count(None))[:: len(cells) // 2][:3]
    return Case(cells, y.tolist(), [1] * len(cells), domains, shown)


@pytest.mark.parametrize("holes", [0.0, 0.1])
@pytest.mark.parametrize("model", SINGLES)
@pytest.mark.parametrize("name", NAMES)
def test_single_networks(name, model, holes):
    estimator, structure_of = SINGLES[model]
    case = case_of(name, n_attributes=7, n_rows=60, holes=holes)
    compare_network(estimator, case, "marginalize", THEIRS, structure_of)


@pytest.mark.parametrize("holes", [0.0, 0.1])
@pytest.mark.parametrize("name", ["iris", "wine", "glass"])
def test_gaode(name, holes):
    check(bc.GAODE(smoothing=OURS), name, holes, gaode_log_joint, gaode_posterior)


@pytest.mark.parametrize("holes", [0.0, 0.1])
@pytest.mark.parametrize("name", NAMES)
def test_haode(name, holes):
    check(bc.HAODE(smoothing=OURS), name, holes, haode_log_joint, haode_posterior)


def check(model, name, holes, joint_of, posterior_of):
    case = case_of(name, n_attributes=5, n_rows=60, holes=holes)
    table, kept = case.table()
    model.fit(case.frame, case.labels)
    compare(
        model,
        case,
        kept,
        lambda row: row,
        lambda row: joint_of(table, THEIRS, row),
        lambda row: posterior_of(table, THEIRS, row),
        1e-9,
    )
