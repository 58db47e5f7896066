"""What is measured in a fold, and how folds become one number for a data set."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from bnclass.exceptions import BnclassError, DataTypeError

OF_LABELS = ("zero_one_loss",)
OF_POSTERIORS = ("rmse", "brier_score", "log_loss")
OF_ROUNDS = ("bias", "variance")
OF_TIME = ("fit_seconds", "predict_seconds")
METRICS = OF_LABELS + OF_POSTERIORS + OF_ROUNDS + OF_TIME


def checked_metrics(metrics: Iterable[str] | None, rounds: int) -> tuple[str, ...]:
    """Return the metrics asked for in the order of `METRICS`.

    Parameters
    ----------
    metrics : iterable of str or None
        None is all; of one round, which has no variance, all but bias and variance.
    rounds : int

    Returns
    -------
    tuple of str

    Raises
    ------
    BnclassError
        If there is none, or no such metric.
    DataTypeError
        If it is not iterable.

    Examples
    --------
    >>> from bnclass.evaluate.experiment.measures import checked_metrics
    >>> checked_metrics(["bias", "zero_one_loss"], rounds=10)
    ('zero_one_loss', 'bias')
    """
    if metrics is None:
        return METRICS if rounds > 1 else OF_LABELS + OF_POSTERIORS + OF_TIME
    if not isinstance(metrics, Iterable):
        raise DataTypeError(f"metrics is {metrics!r}, expected some of {', '.join(METRICS)}")
    asked = [metrics] if isinstance(metrics, str) else list(metrics)
    for name in asked:
        if name not in METRICS:
            raise BnclassError(
                f"there is no metric {name!r}, expected some of {', '.join(METRICS)}"
            )
    if not asked:
        raise BnclassError(f"metrics is empty, expected some of {', '.join(METRICS)}")
    return tuple(name for name in METRICS if name in asked)


def of_a_fold(metrics: Iterable[str]) -> list[str]:
    """Return the columns that hold a fold's measures.

    Parameters
    ----------
    metrics : iterable of str

    Returns
    -------
    list of str

    Examples
    --------
    >>> from bnclass.evaluate.experiment.measures import of_a_fold
    >>> of_a_fold(("log_loss", "bias"))
    ['log_loss', 'n_infinite']
    """
    columns = [name for name in metrics if name not in OF_ROUNDS]
    if "log_loss" in columns:
        columns.insert(columns.index("log_loss") + 1, "n_infinite")
    return columns


def of_a_dataset(metric: str, folds: pd.DataFrame) -> float:
    """Return one number for the folds of all rounds.

    Losses are those of all predictions together: a fold counts by its rows, and errors are
    averaged before the root is taken. Of times it is the median, since the first fold of a
    process also loads what is compiled.

    Parameters
    ----------
    metric : str
        One of `METRICS` but bias and variance.
    folds : DataFrame
        With columns n_test and `metric`.

    Returns
    -------
    float
        nan if that of a fold is.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.evaluate.experiment.measures import of_a_dataset
    >>> folds = pd.DataFrame({"n_test": [30, 10], "zero_one_loss": [0.1, 0.3]})
    >>> round(of_a_dataset("zero_one_loss", folds), 6)
    0.15
    """
    values: Any = folds[metric].to_numpy(dtype=np.float64)
    if np.isnan(values).any():
        return math.nan
    if metric in OF_TIME:
        return float(np.median(values))
    rows = folds["n_test"].to_numpy(dtype=np.float64)
    mean = float(np.average(values**2 if metric == "rmse" else values, weights=rows))
    return math.sqrt(mean) if metric == "rmse" else mean
