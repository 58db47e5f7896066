"""Classifiers over data sets, in the same folds, in parallel, with a way back after a crash."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from typing import Any

import joblib
import numpy as np

from bnclass.evaluate.experiment.datasets import Dataset, datasets_of
from bnclass.evaluate.experiment.folder import RunFolder
from bnclass.evaluate.experiment.log import Key, Log, Plan, line_of
from bnclass.evaluate.experiment.measures import checked_metrics
from bnclass.evaluate.experiment.planning import Models, models_of, plan_of
from bnclass.evaluate.experiment.resampling import Resampling
from bnclass.evaluate.experiment.results import ExperimentResults
from bnclass.evaluate.experiment.trial import Fold, Trial, trials
from bnclass.evaluate.experiment.workers import broken_workers_told, end_with
from bnclass.exceptions import BnclassError, warn


def compare(
    estimators: Mapping[str, Any],
    datasets: Any,
    resampling: Any = "10x10",
    metrics: Iterable[str] | None = None,
    *,
    folder: str | os.PathLike[str] | None = None,
    n_jobs: int | None = None,
    random_state: int = 0,
    verbose: int = 0,
) -> ExperimentResults:
    """Test classifiers on data sets by repeated cross-validation, all in the same folds.

    Everything is learned from the training rows of a fold, cuts of numbers included. A fit
    that fails is recorded with its error, and the run goes on.

    Parameters
    ----------
    estimators : mapping of str to classifier
        Ours, or any of scikit-learn's: those that are no pipeline go behind `encoded`, so that
        they take the same tables. They are cloned; where ``random_state`` is None it is set, to
        another number in every fold.
    datasets : mapping of str to (X, y) or str or path, or iterable of str or path
        Texts are built-in data sets (`dataset_names`) or files. The class of a file is its
        column "class"; of an ARFF file without one, the last column.
    resampling : str or int, default="10x10"
        "10x10" is 10 rounds of 10 folds, "5x2" 5 rounds of 2, 10 one round of 10. Folds are
        stratified.
    metrics : iterable of str, optional
        Some of zero_one_loss, rmse, brier_score, log_loss (in nats), bias, variance,
        fit_seconds and predict_seconds; all by default, but for bias and variance of one round.
        Only these need the predictions to be kept.
    folder : str or path, optional
        Where results are written as they come, see the notes. If it holds a part of this
        run, only the rest is done.
    n_jobs : int, optional
        Processes, as in scikit-learn: -1 is one for each processor. Each takes a fold of a data
        set at a time.
    random_state : int, default=0
        Decides the folds, and what estimators draw.
    verbose : int, default=0
        1 shows how far the run is and how long it will take.

    Returns
    -------
    ExperimentResults

    Raises
    ------
    BnclassError, DataError, DataTypeError
        If an argument is none of the above, the folder holds another run, or a process was
        killed.
    FileFormatError
        If a file of data or of the folder cannot be read.

    Warns
    -----
    BnclassWarning
        If fits failed, or gave warnings.

    See Also
    --------
    read_results : The results in a folder.

    Notes
    -----
    The folder holds ``settings.json``, a file for the folds of each data set, ``results.csv``
    with a line for each estimator and fold, and ``predictions.csv`` with the predicted classes of
    the rows that a fold tests, in their order, as places among the classes in
    ``settings.json``, from 0.

    A run that was killed, at any moment, goes on when the same call is made again, and ends with
    the results of a run that was not. Later calls may add estimators and data sets. A model with
    other parameters needs another name.
    To try a failed fold again, remove its line from ``results.csv``. Estimators are the same if
    their names and parameters are; of functions without a name (lambdas), and of what is inside
    a class, nothing is known.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from bnclass import AODE, compare, friedman_test
    >>> models = {"AODE": AODE(), "1-NN": KNeighborsClassifier(1)}
    >>> results = compare(models, ["iris", "wine", "monks-1"], resampling="1x3")
    >>> results.losses().round(2)
             AODE  1-NN
    dataset
    iris     0.05  0.04
    wine     0.02  0.05
    monks-1  0.18  0.37
    >>> friedman_test(results.losses()).n_datasets
    3
    """
    if n_jobs is not None and (not isinstance(n_jobs, (int, np.integer)) or not n_jobs):
        raise BnclassError(f"n_jobs is {n_jobs!r}, expected a whole number other than 0, or None")
    models = models_of(estimators)
    tables = datasets_of(datasets)
    scheme = Resampling.of(resampling)
    plan = plan_of(models, tables, scheme, checked_metrics(metrics, scheme.rounds), random_state)
    place = RunFolder(folder, plan) if folder is not None else nullcontext(_Memory())
    with place as kept:
        _run(plan, models, tables, kept, n_jobs, verbose)
    results = ExperimentResults(plan, kept.log.only(plan))
    _tell(results)
    return results


def _tell(results: ExperimentResults) -> None:
    failed, told = len(results.failures()), len(results.warnings())
    if failed:
        n = len(results.log.lines)
        warn(f"{failed} of {n} fits failed: failures() of the results has the reasons")
    if told:
        warn(f"fits gave warnings, of {told} kinds: warnings() of the results has them")


class _Memory:
    """Keeps lines where no folder does."""

    def __init__(self) -> None:
        self.log = Log()

    def add(self, lines: Iterable[tuple[dict[str, Any], Any]]) -> None:
        for line, predicted in lines:
            self.log.add(line, predicted)


def _run(
    plan: Plan, models: Models, tables: list[Dataset], kept: Any, n_jobs: Any, verbose: int
) -> None:
    tasks = [
        (fold, _open(kept.log, fold, models)) for data in tables for fold in _folds(plan, data)
    ]
    parallel = joblib.Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    finished = parallel(
        joblib.delayed(_task)(os.getpid(), i, fold, left, plan.metrics, plan.random_state)
        for i, (fold, left) in enumerate(tasks)
        if left
    )
    with _bar(tasks, models, verbose) as bar, broken_workers_told(models):
        for i, made in finished:
            fold = tasks[i][0]
            kept.add(_lines(plan, fold, made))
            bar.set_postfix_str(fold.dataset.name, refresh=False)
            bar.update(_work(fold) * len(made))


def _task(
    parent: int, i: int, fold: Fold, left: Models, metrics: tuple[str, ...], random_state: int
) -> tuple[int, list[Trial]]:
    end_with(parent)
    return i, trials(fold, left, metrics, random_state)


def _folds(plan: Plan, data: Dataset) -> Iterator[Fold]:
    for round_, folds in enumerate(plan.datasets[data.name].folds.T):
        for fold in range(plan.resampling.folds):
            yield Fold(data, round_, fold, folds == fold)


def _open(log: Log, fold: Fold, models: Models) -> Models:
    """Return the models that have not been tested on a fold."""
    return {name: m for name, m in models.items() if _key(fold, name) not in log.lines}


def _lines(plan: Plan, fold: Fold, made: list[Trial]) -> list[tuple[dict[str, Any], Any]]:
    n_test = int(fold.tested.sum())
    return [
        (
            line_of(plan, _key(fold, trial.estimator), n_test, trial),
            trial.predicted if plan.keeps_predictions else None,
        )
        for trial in made
    ]


def _key(fold: Fold, estimator: str) -> Key:
    return fold.dataset.name, estimator, fold.round, fold.fold


def _bar(tasks: list[tuple[Fold, Models]], models: Models, verbose: int) -> Any:
    """Return a bar that counts folds by what they may cost, so that the time left is honest."""
    from tqdm import tqdm

    total = sum(_work(fold) * len(models) for fold, _ in tasks)
    done = total - sum(_work(fold) * len(left) for fold, left in tasks)
    shape = "{percentage:3.0f}%|{bar}| {elapsed}, {remaining} left{postfix}"
    return tqdm(total=total, initial=done, bar_format=shape, disable=not verbose)


def _work(fold: Fold) -> int:
    """Return the cells of a table, and a fixed cost in the same unit."""
    return int(fold.dataset.X.size) + 2000
