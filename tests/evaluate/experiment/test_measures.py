"""From folds to one number."""

import math

import numpy as np
import pandas as pd
import pytest

from bnclass.evaluate.experiment.measures import METRICS, checked_metrics, of_a_dataset, of_a_fold
from bnclass.exceptions import BnclassError

FOLDS = pd.DataFrame({"n_test": [30, 10], "zero_one_loss": [0.1, 0.3], "rmse": [0.2, 0.4]})


def test_a_fold_counts_by_its_rows():
    assert of_a_dataset("zero_one_loss", FOLDS) == pytest.approx((3 + 3) / 40)


def test_errors_are_averaged_before_the_root_is_taken():
    assert of_a_dataset("rmse", FOLDS) == pytest.approx(math.sqrt((30 * 0.04 + 10 * 0.16) / 40))


def test_times_are_the_median():
    assert of_a_dataset("fit_seconds", pd.DataFrame({"n_test": 1, "fit_seconds": [9, 1, 2]})) == 2


def test_a_failed_fold_is_nan_and_an_infinite_one_infinite():
    for bad in (np.nan, np.inf):
        folds = pd.DataFrame({"n_test": [1, 1], "log_loss": [bad, 1.0]})
        np.testing.assert_equal(of_a_dataset("log_loss", folds), bad)


def test_all_metrics_by_default_in_one_order():
    assert checked_metrics(None, rounds=2) == METRICS
    assert checked_metrics(reversed(METRICS), rounds=1) == METRICS
    assert checked_metrics("bias", rounds=1) == ("bias",)


def test_one_round_has_no_bias_and_variance_unless_asked_for():
    one = [metric for metric in METRICS if metric not in ("bias", "variance")]
    assert list(checked_metrics(None, rounds=1)) == one


@pytest.mark.parametrize("bad", [[], ["accuracy"], "auc", [None]])
def test_other_metrics_are_refused(bad):
    with pytest.raises(BnclassError, match="expected some of zero_one_loss, rmse"):
        checked_metrics(bad, rounds=2)


def test_columns_of_a_fold():
    assert of_a_fold(METRICS) == [
        "zero_one_loss", "rmse", "brier_score", "log_loss", "n_infinite", "fit_seconds",
        "predict_seconds",
    ]  # fmt: skip
