"""One fold: every classifier learns from the same rows and is tested on the same rows."""

import time
import warnings
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from bnclass.classifiers.base import BayesianNetworkClassifier
from bnclass.data.codes import Codes
from bnclass.data.labels import label_codes
from bnclass.evaluate.experiment.datasets import Dataset
from bnclass.evaluate.experiment.measures import OF_POSTERIORS
from bnclass.evaluate.labels import predicted_labels
from bnclass.evaluate.metrics import Floats, prediction_metrics, with_all_classes, zero_one_loss
from bnclass.exceptions import MissingCellsWarning, UnknownValuesWarning, one_line


@dataclass(frozen=True)
class Fold:
    """A fold of a round of a data set; both count from 0."""

    dataset: Dataset
    round: int
    fold: int
    tested: npt.NDArray[np.bool_]

    def seed(self, random_state: int) -> int:
        """Return a seed that depends on nothing but names and numbers."""
        name = zlib.crc32(self.dataset.name.encode())
        sequence = np.random.SeedSequence([random_state, name, self.round, self.fold])
        return int(sequence.generate_state(1)[0] >> 1)


@dataclass(frozen=True)
class Trial:
    """What became of a classifier in a fold.

    Attributes
    ----------
    estimator : str
    numbers : dict of str to float or int
        The measures; without those of posteriors where there are none.
    predicted : ndarray of int32, shape (n_test,) or None
        Codes of the predicted classes.
    error : str
        What went wrong, or "".
    warnings : str
        What was warned of, or "".
    """

    estimator: str
    numbers: dict[str, float | int]
    predicted: Codes | None
    error: str = ""
    warnings: str = ""


def trials(
    fold: Fold, estimators: Mapping[str, Any], metrics: tuple[str, ...], random_state: int
) -> list[Trial]:
    """Fit and test classifiers on a fold.

    Parameters
    ----------
    fold : Fold
    estimators : mapping of str to classifier
        Each is cloned, and what has no ``random_state`` gets one.
    metrics : tuple of str
    random_state : int

    Returns
    -------
    list of Trial
        One an estimator. An exception becomes its `error`.
    """
    return [_trial(fold, name, e, metrics, random_state) for name, e in estimators.items()]


def _trial(
    fold: Fold, name: str, estimator: Any, metrics: tuple[str, ...], random_state: int
) -> Trial:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        # That cells are missing is a fact of the data, not of the trial.
        warnings.simplefilter("ignore", MissingCellsWarning)
        warnings.simplefilter("ignore", UnknownValuesWarning)
        try:
            model = seeded(clone(estimator), fold.seed(random_state))
            numbers, predicted = _measured(fold, model, metrics)
            error = ""
        except Exception as problem:
            numbers, predicted, error = {}, None, _line(problem)
    told = dict.fromkeys(_line(warning.message) for warning in caught)
    return Trial(name, numbers, predicted, error, "; ".join(told))


def seeded(model: Any, seed: int) -> Any:
    """Return the model, every ``random_state`` that is None in it and its parts set.

    Parameters
    ----------
    model : estimator
    seed : int

    Returns
    -------
    estimator

    Examples
    --------
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from bnclass.evaluate.experiment.trial import seeded
    >>> seeded(RandomForestClassifier(), 7).random_state
    7
    """
    unset = [
        name
        for name, value in model.get_params().items()
        if value is None and name.rpartition("__")[2] == "random_state"
    ]
    return model.set_params(**dict.fromkeys(unset, seed))


def _measured(
    fold: Fold, model: Any, metrics: tuple[str, ...]
) -> tuple[dict[str, float | int], Codes]:
    data, tested = fold.dataset, fold.tested
    fit_seconds, _ = _timed(lambda: model.fit(data.X[~tested], data.y[~tested]))
    X, y = data.X[tested].reset_index(drop=True), data.y[tested]
    posteriors = any(name in metrics for name in OF_POSTERIORS)
    predict_seconds, (labels, probabilities) = _predictions(model, X, posteriors)
    labels = predicted_labels(labels, y, "the predictions")
    numbers: dict[str, float | int] = {"zero_one_loss": zero_one_loss(y, labels)}
    if probabilities is not None:
        wide = with_all_classes(probabilities, model.classes_, data.classes)
        losses = prediction_metrics(y, labels, wide, data.classes)
        numbers |= {name: getattr(losses, name) for name in (*OF_POSTERIORS, "n_infinite")}
    numbers |= {"fit_seconds": fit_seconds, "predict_seconds": predict_seconds}
    return numbers, label_codes(labels, data.classes)


def _predictions(
    model: Any, X: Any, posteriors: bool
) -> tuple[float, tuple[npt.NDArray[Any], Floats | None]]:
    """Return how long predictions take, the labels, and posteriors if the model has any."""
    if posteriors and isinstance(model, BayesianNetworkClassifier):
        # Their label is the most probable one: no need to ask twice.
        seconds, probabilities = _timed(lambda: model.predict_proba(X))
        return seconds, (model.classes_[probabilities.argmax(axis=1)], probabilities)
    seconds, labels = _timed(lambda: model.predict(X))
    has_posteriors = posteriors and hasattr(model, "predict_proba")
    return seconds, (labels, model.predict_proba(X) if has_posteriors else None)


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    begin = time.perf_counter()
    result = work()
    return time.perf_counter() - begin, result


def _line(problem: Exception | str) -> str:
    """Return an exception or a warning as a line, its text as a file can hold it."""
    try:
        text = str(problem)
    except Exception:
        text = "without a text"
    line = " ".join(f"{type(problem).__name__}: {text}".split())
    return one_line(line.encode("utf-8", "backslashreplace").decode())
