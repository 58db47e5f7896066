"""How far predictions are from the truth: four losses of labels and posteriors."""

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from bnclass.data.codes import Codes
from bnclass.data.labels import label_codes
from bnclass.evaluate.labels import predicted_labels, true_labels
from bnclass.evaluate.losses import numbers_of
from bnclass.exceptions import DataError

Floats = npt.NDArray[np.float64]

# What the posteriors of a row may miss 1 by: float32 of a few hundred classes stays below.
_SLACK = 1e-4


@dataclass(frozen=True)
class LogLoss:
    """The log loss, and in how many rows it is infinite.

    Attributes
    ----------
    value : float
        Mean of -ln P̂(true label) over all rows, in nats; inf if that is inf in any row.
    n_infinite : int
        Number of rows whose true label has probability 0.
    n_rows : int

    Examples
    --------
    >>> from bnclass import log_loss
    >>> log_loss(["a", "b"], [[1, 0], [1, 0]], classes=["a", "b"])
    LogLoss(value=inf, n_infinite=1, n_rows=2)
    """

    value: float
    n_infinite: int
    n_rows: int

    def to_frame(self) -> pd.DataFrame:
        """Return the fields as a frame of one row."""
        return pd.DataFrame([asdict(self)])


@dataclass(frozen=True)
class PredictionMetrics:
    """All losses of one set of predictions.

    Attributes
    ----------
    n_rows : int
    zero_one_loss, rmse, brier_score, log_loss : float
    n_infinite : int
        Number of rows with an infinite log loss.

    Examples
    --------
    >>> from bnclass import prediction_metrics
    >>> posteriors = [[0.5, 0.5], [0.0, 1.0]]
    >>> prediction_metrics(["a", "b"], ["a", "b"], posteriors, classes=["a", "b"]).to_frame()
       n_rows  zero_one_loss      rmse  brier_score  log_loss  n_infinite
    0       2            0.0  0.353553         0.25  0.346574           0
    """

    n_rows: int
    zero_one_loss: float
    rmse: float
    brier_score: float
    log_loss: float
    n_infinite: int

    def to_frame(self) -> pd.DataFrame:
        """Return the fields as a frame of one row."""
        return pd.DataFrame([asdict(self)])


def zero_one_loss(y: Any, predicted: Any) -> float:
    """Return the share of rows whose predicted label is not the true one.

    Parameters
    ----------
    y, predicted : array-like of shape (n_rows,)
        True and predicted labels.

    Returns
    -------
    float

    Raises
    ------
    DataError
        If there are no rows, labels are missing, or the two are of different kind or length.

    Examples
    --------
    >>> from bnclass import zero_one_loss
    >>> zero_one_loss(["a", "b", "b", "a"], ["a", "b", "a", "a"])
    0.25
    """
    labels = true_labels(y)
    return float(np.mean(predicted_labels(predicted, labels, "predicted") != labels))


def brier_score(y: Any, probabilities: Any, classes: Any) -> float:
    """Return the mean over rows of Σ_y (P̂(y|x) - [y is true])², between 0 and 2.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        True labels.
    probabilities : array-like of shape (n_rows, n_classes)
        Posteriors.
    classes : array-like of shape (n_classes,)
        The labels that the columns stand for: ``classes_`` of a classifier.

    Returns
    -------
    float

    Raises
    ------
    DataError
        If there are no rows, a label is missing or none of the classes, or a row of
        `probabilities` is no distribution.

    Examples
    --------
    >>> from bnclass import brier_score
    >>> brier_score(["a", "b"], [[0.5, 0.5], [1.0, 0.0]], classes=["a", "b"])
    1.25
    """
    return float(np.mean(_squares(*_checked(y, probabilities, classes))))


def root_mean_squared_error(y: Any, probabilities: Any, classes: Any) -> float:
    """Return the root of the mean of (P̂(y|x) - [y is true])² over rows and classes.

    Its square is `brier_score` over the number of classes.

    Parameters
    ----------
    y, probabilities, classes
        As for `brier_score`.

    Returns
    -------
    float

    Raises
    ------
    DataError
        As for `brier_score`.

    Examples
    --------
    >>> from bnclass import root_mean_squared_error
    >>> root_mean_squared_error(["a", "b"], [[0.5, 0.5], [0.5, 0.5]], classes=["a", "b"])
    0.5
    """
    codes, posteriors = _checked(y, probabilities, classes)
    return math.sqrt(np.mean(_squares(codes, posteriors)) / posteriors.shape[1])


def log_loss(y: Any, probabilities: Any, classes: Any) -> LogLoss:
    """Return the mean of -ln P̂(true label), in nats, and where it is infinite.

    Parameters
    ----------
    y, probabilities, classes
        As for `brier_score`. Nothing is clipped.

    Returns
    -------
    LogLoss

    Raises
    ------
    DataError
        As for `brier_score`.

    Examples
    --------
    >>> from bnclass import log_loss
    >>> log_loss(["a", "b"], [[0.5, 0.5], [0.5, 0.5]], classes=["a", "b"])
    LogLoss(value=0.6931471805599453, n_infinite=0, n_rows=2)
    """
    return _log_loss(*_checked(y, probabilities, classes))


def prediction_metrics(
    y: Any, predicted: Any, probabilities: Any, classes: Any
) -> PredictionMetrics:
    """Return all losses of one set of predictions.

    Parameters
    ----------
    y, predicted : array-like of shape (n_rows,)
        True and predicted labels.
    probabilities, classes
        As for `brier_score`.

    Returns
    -------
    PredictionMetrics

    Raises
    ------
    DataError
        As for `zero_one_loss` and `brier_score`.

    Examples
    --------
    >>> from bnclass import prediction_metrics
    >>> prediction_metrics(["a"], ["b"], [[0.0, 1.0]], classes=["a", "b"])
    PredictionMetrics(n_rows=1, zero_one_loss=1.0, rmse=1.0, brier_score=2.0, log_loss=inf,
                      n_infinite=1)
    """
    codes, posteriors = _checked(y, probabilities, classes)
    brier = float(np.mean(_squares(codes, posteriors)))
    log = _log_loss(codes, posteriors)
    return PredictionMetrics(
        n_rows=len(codes),
        zero_one_loss=zero_one_loss(y, predicted),
        rmse=math.sqrt(brier / posteriors.shape[1]),
        brier_score=brier,
        log_loss=log.value,
        n_infinite=log.n_infinite,
    )


def with_all_classes(probabilities: Any, classes: Any, all_classes: Any) -> Floats:
    """Return posteriors with a column of zeros for every class that training rows lacked.

    Parameters
    ----------
    probabilities : array-like of shape (n_rows, n_classes)
    classes : array-like of shape (n_classes,)
        The labels that the columns stand for.
    all_classes : array-like of shape (n_all_classes,)
        The labels that the columns of the result stand for.

    Returns
    -------
    ndarray of shape (n_rows, n_all_classes), float64

    Raises
    ------
    DataError
        If a class is none of all classes, or the columns are not as many as the classes.

    Examples
    --------
    >>> from bnclass.evaluate.metrics import with_all_classes
    >>> with_all_classes([[0.25, 0.75]], ["a", "c"], ["a", "b", "c"])
    array([[0.25, 0.  , 0.75]])
    """
    names, everything = _distinct(classes), _distinct(all_classes)
    given = _matrix(probabilities, len(names))
    places = {name: place for place, name in enumerate(everything.tolist())}
    unknown = [name for name in names.tolist() if name not in places]
    if unknown:
        raise DataError(f"the class {unknown[0]!r} is not among all classes")
    wide = np.zeros((len(given), len(everything)))
    wide[:, [places[name] for name in names.tolist()]] = given
    return wide


def _squares(codes: Codes, posteriors: Floats) -> Floats:
    """Return Σ_y (P̂(y|x) - [y is true])² of every row."""
    misses = posteriors.copy()
    misses[np.arange(len(codes)), codes] -= 1
    return np.asarray((misses**2).sum(axis=1))


def _log_loss(codes: Codes, posteriors: Floats) -> LogLoss:
    of_truth = posteriors[np.arange(len(codes)), codes]
    n_infinite = int((of_truth == 0).sum())
    value = math.inf if n_infinite else float(np.mean(-np.log(of_truth))) + 0.0
    return LogLoss(value, n_infinite, len(codes))


def _checked(y: Any, probabilities: Any, classes: Any) -> tuple[Codes, Floats]:
    """Return the true classes' columns and the posteriors, in the order of sorted classes."""
    labels, names = true_labels(y), _distinct(classes)
    posteriors = _matrix(probabilities, len(names))
    if len(posteriors) != len(labels):
        raise DataError(
            f"probabilities has {len(posteriors)} rows, expected {len(labels)} as y has"
        )
    _refuse_what_is_no_distribution(posteriors)
    order = np.argsort(names)
    return label_codes(labels, names[order]), posteriors[:, order]


def _distinct(classes: Any) -> npt.NDArray[Any]:
    names = true_labels(classes)
    if len(set(names.tolist())) < len(names):
        raise DataError(f"classes is {names.tolist()}, expected every class once")
    return names


def _matrix(probabilities: Any, n_classes: int) -> Floats:
    given = numbers_of(probabilities, "probabilities")
    if given.ndim != 2 or given.shape[1] != n_classes:
        raise DataError(
            f"probabilities has the shape {given.shape}, expected a row for every row of y and "
            f"{n_classes} columns, one a class"
        )
    return given


def _refuse_what_is_no_distribution(posteriors: Floats) -> None:
    off = ~(posteriors >= 0).all(axis=1) | ~(np.abs(posteriors.sum(axis=1) - 1) <= _SLACK)
    if off.any():
        row = int(np.flatnonzero(off)[0])
        raise DataError(
            f"probabilities, row {row}: found {posteriors[row].tolist()}, expected numbers of at "
            "least 0 that sum to 1"
        )
