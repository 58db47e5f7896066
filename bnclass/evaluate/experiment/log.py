"""What a run is, and what it has found so far: a line an estimator and fold, and predictions."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from bnclass.data.codes import Codes
from bnclass.evaluate.experiment.datasets import Dataset
from bnclass.evaluate.experiment.measures import OF_ROUNDS, of_a_fold
from bnclass.evaluate.experiment.resampling import Resampling
from bnclass.evaluate.experiment.trial import Trial

KEY = ("dataset", "estimator", "round", "fold")
COUNTS = ("round", "fold", "n_train", "n_test", "n_infinite")
TEXTS = ("dataset", "estimator", "predicted", "error", "warnings")

Line = dict[str, Any]
Key = tuple[str, str, int, int]


@dataclass(frozen=True, eq=False)
class TestedRows:
    """The classes of a data set's rows, and where each row is tested.

    Attributes
    ----------
    classes : tuple of str
        The labels as text, in the order of their codes.
    codes : ndarray of int32, shape (n_rows,)
    folds : ndarray of int32, shape (n_rows, rounds)
        The fold that tests a row, from 0.
    n_columns : int
    digest : str
        Of the table and its labels.
    """

    classes: tuple[str, ...]
    codes: Codes
    folds: npt.NDArray[np.int32]
    n_columns: int
    digest: str

    @classmethod
    def of(cls, data: Dataset, resampling: Resampling, random_state: int) -> "TestedRows":
        """Divide the rows of a data set."""
        folds = resampling.tested_in(data.codes, random_state)
        texts = tuple(map(str, data.classes.tolist()))
        return cls(texts, data.codes, folds, data.X.shape[1], data.digest())

    def n_tested(self, round_: int, fold: int) -> int:
        """Return how many rows a fold tests."""
        return int(np.count_nonzero(self.folds[:, round_] == fold))


@dataclass(frozen=True)
class Plan:
    """All that two runs must agree in to be one.

    Attributes
    ----------
    version : str
        Of bnclass.
    resampling : Resampling
    random_state : int
    metrics : tuple of str
    estimators : dict of str to str
        What is fitted, with every parameter, by name.
    datasets : dict of str to TestedRows
    """

    version: str
    resampling: Resampling
    random_state: int
    metrics: tuple[str, ...]
    estimators: dict[str, str]
    datasets: dict[str, TestedRows]

    @property
    def columns(self) -> list[str]:
        """Columns of a line."""
        return [*KEY, "n_train", "n_test", *of_a_fold(self.metrics), "error", "warnings"]

    @property
    def keeps_predictions(self) -> bool:
        """Whether a metric needs the predictions of several rounds."""
        return any(name in self.metrics for name in OF_ROUNDS)


@dataclass
class Log:
    """Lines and predictions by data set, estimator, round and fold; the last two from 0."""

    lines: dict[Key, Line] = field(default_factory=dict)
    predictions: dict[Key, Codes] = field(default_factory=dict)

    def add(self, line: Line, predicted: Codes | None) -> None:
        """Take one in, in place of an earlier one of the same fold.

        Parameters
        ----------
        line : dict
            With the columns of a plan; rounds and folds count from 1.
        predicted : ndarray of int32 or None
        """
        key = key_of(line)
        self.lines[key] = line
        if predicted is not None:
            self.predictions[key] = predicted

    def only(self, plan: Plan) -> "Log":
        """Return what belongs to a plan, of a log that may hold more."""

        def wanted(key: Key) -> bool:
            return key[0] in plan.datasets and key[1] in plan.estimators

        return Log(
            {key: line for key, line in self.lines.items() if wanted(key)},
            {key: codes for key, codes in self.predictions.items() if wanted(key)},
        )

    def ordered(self, plan: Plan) -> list[Line]:
        """Return the lines in the order of the plan, whatever the order they came in."""
        names = (plan.datasets, plan.estimators)
        places = [{name: i for i, name in enumerate(each)} for each in names]

        def place(key: Key) -> tuple[int, ...]:
            return (places[0][key[0]], places[1][key[1]], *key[2:])

        return [self.lines[key] for key in sorted(self.lines, key=place)]


def key_of(line: Line) -> Key:
    """Return what names a line.

    Parameters
    ----------
    line : dict

    Returns
    -------
    tuple
        Data set, estimator, round and fold, these from 0.

    Examples
    --------
    >>> from bnclass.evaluate.experiment.log import key_of
    >>> key_of({"dataset": "iris", "estimator": "NB", "round": 1, "fold": 2})
    ('iris', 'NB', 0, 1)
    """
    return line["dataset"], line["estimator"], line["round"] - 1, line["fold"] - 1


def line_of(plan: Plan, key: Key, n_test: int, trial: Trial) -> Line:
    """Return the line of a trial.

    Parameters
    ----------
    plan : Plan
    key : tuple
    n_test : int
        Number of rows tested.
    trial : Trial

    Returns
    -------
    dict
        With the columns of the plan; None where nothing was measured.
    """
    dataset, estimator, round_, fold = key
    n_rows = len(plan.datasets[dataset].codes)
    line: Line = dict(zip(KEY, (dataset, estimator, round_ + 1, fold + 1), strict=True))
    line |= {"n_train": n_rows - n_test, "n_test": n_test}
    line |= {name: trial.numbers.get(name) for name in of_a_fold(plan.metrics)}
    return line | {"error": trial.error, "warnings": trial.warnings}
