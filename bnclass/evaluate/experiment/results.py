"""The results of an experiment, as frames that tests and figures take."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from bnclass.evaluate.bias_variance import BiasVariance, bias_variance
from bnclass.evaluate.experiment.folder import read_log
from bnclass.evaluate.experiment.log import Log, Plan
from bnclass.evaluate.experiment.measures import OF_ROUNDS, of_a_dataset
from bnclass.evaluate.experiment.settings import read_plan
from bnclass.evaluate.losses import Floats
from bnclass.exceptions import BnclassError, DataError


@dataclass(frozen=True, eq=False)
class ExperimentResults:
    """What `compare` found.

    Attributes
    ----------
    plan : Plan
        What was run: resampling, metrics, estimators with all parameters, data sets and folds.
    log : Log
        What is there so far, by data set, estimator, round and fold.

    Examples
    --------
    >>> from bnclass import NaiveBayes, TAN, compare
    >>> results = compare({"NB": NaiveBayes(), "TAN": TAN()}, ["iris", "wine"], resampling=2)
    >>> results
    ExperimentResults(2 estimators on 2 data sets, 1x2 folds, 8 of 8 done)
    >>> results.losses().round(2)
               NB   TAN
    dataset
    iris     0.09  0.09
    wine     0.03  0.03
    """

    plan: Plan
    log: Log

    @property
    def estimators(self) -> list[str]:
        """The names of the estimators."""
        return list(self.plan.estimators)

    @property
    def datasets(self) -> list[str]:
        """The names of the data sets."""
        return list(self.plan.datasets)

    @property
    def metrics(self) -> tuple[str, ...]:
        """What was measured."""
        return self.plan.metrics

    @property
    def sizes(self) -> "pd.Series[int]":
        """The number of rows of every data set."""
        rows = {name: len(rows.codes) for name, rows in self.plan.datasets.items()}
        return pd.Series(rows, dtype=np.int64, name="rows").rename_axis("dataset")

    def to_frame(self) -> pd.DataFrame:
        """Return a line for every estimator and fold, in the order of the names given.

        Returns
        -------
        DataFrame
            Columns dataset, estimator, round and fold (from 1), n_train, n_test, the measures of
            the fold (n_infinite is the number of rows with an infinite log loss), error and
            warnings, which are texts, empty where there was none.
        """
        return pd.DataFrame(self.log.ordered(self.plan), columns=self.plan.columns)

    def losses(self, metric: str = "zero_one_loss") -> pd.DataFrame:
        """Return one number for each data set and estimator, over all folds and rounds.

        Parameters
        ----------
        metric : str, default="zero_one_loss"
            One of `metrics`. Losses are those of all predictions together (a fold counts by
            its rows); times, in seconds, are the median over folds.

        Returns
        -------
        DataFrame of shape (n_datasets, n_estimators), float64
            What the tests of significance take. nan where a fold failed or is not done yet, or
            an estimator has no posteriors to measure.

        Raises
        ------
        BnclassError
            If it was not measured.
        """
        if metric not in self.metrics:
            known = ", ".join(self.metrics)
            raise BnclassError(f"there is no metric {metric!r} in these results, expected {known}")
        one = self._part if metric in OF_ROUNDS else self._mean
        cells = [[one(metric, data, name) for name in self.estimators] for data in self.datasets]
        index = pd.Index(self.datasets, name="dataset")
        return pd.DataFrame(cells, index, self.estimators, dtype=np.float64)

    def fold_losses(self, dataset: str, estimator: str, metric: str = "zero_one_loss") -> Floats:
        """Return the losses of the single folds, as `five_by_two_test` takes them.

        Parameters
        ----------
        dataset, estimator : str
        metric : str, default="zero_one_loss"
            One of `metrics`, but bias and variance, which no single fold has.

        Returns
        -------
        ndarray of shape (rounds, folds), float64
            nan where a fold failed or is not done yet.

        Raises
        ------
        DataError
            If there is no such data set, estimator or metric.
        """
        self._check(dataset, estimator)
        known = [name for name in self.metrics if name not in OF_ROUNDS]
        if metric not in known:
            raise DataError(f"folds have no metric {metric!r}, expected one of {', '.join(known)}")
        losses = np.full((self.plan.resampling.rounds, self.plan.resampling.folds), np.nan)
        for line in self._lines(dataset, estimator):
            if line[metric] is not None:
                losses[line["round"] - 1, line["fold"] - 1] = line[metric]
        return losses

    def bias_variance(self, dataset: str, estimator: str) -> BiasVariance:
        """Return bias and variance over the rounds, which sum to the loss exactly.

        Parameters
        ----------
        dataset, estimator : str

        Returns
        -------
        BiasVariance

        Raises
        ------
        DataError
            If there is no such data set or estimator, a fold failed or is not done yet, or
            neither bias nor variance was measured.
        """
        self._check(dataset, estimator)
        if not self.plan.keeps_predictions:
            raise DataError("no predictions were kept, expected 'bias' or 'variance' in metrics")
        rows = self.plan.datasets[dataset]
        predicted = np.full(rows.folds.shape, -1, dtype=np.int64)
        for (_, _, i, fold), codes in self._predictions(dataset, estimator).items():
            predicted[rows.folds[:, i] == fold, i] = codes
        if (predicted < 0).any():
            raise DataError(
                f"folds of {estimator!r} on {dataset!r} failed or are not done, expected all"
            )
        return bias_variance(rows.codes, predicted)

    def failures(self) -> pd.DataFrame:
        """Return the folds that failed: dataset, estimator, round, fold and error."""
        frame = self.to_frame()
        failed = frame.loc[frame["error"] != "", ["dataset", "estimator", "round", "fold", "error"]]
        return failed.reset_index(drop=True)

    def warnings(self) -> pd.DataFrame:
        """Return what fits warned of: dataset, estimator, warnings, and in how many folds."""
        frame = self.to_frame()
        keys = ["dataset", "estimator", "warnings"]
        counts = frame[frame["warnings"] != ""].groupby(keys, sort=False).size()
        return counts.rename("folds").reset_index()

    @property
    def n_expected(self) -> int:
        """How many folds of estimators there will be in all."""
        resampling = self.plan.resampling
        folds = resampling.rounds * resampling.folds
        return folds * len(self.estimators) * len(self.datasets)

    def __repr__(self) -> str:
        failed = sum(bool(line["error"]) for line in self.log.lines.values())
        return (
            f"ExperimentResults({len(self.estimators)} estimators on {len(self.datasets)} data "
            f"sets, {self.plan.resampling} folds, {len(self.log.lines)} of {self.n_expected} done"
            f"{f', {failed} failed' if failed else ''})"
        )

    def _mean(self, metric: str, dataset: str, estimator: str) -> float:
        folds = pd.DataFrame(self._lines(dataset, estimator), columns=self.plan.columns)
        if len(folds) < self.plan.resampling.rounds * self.plan.resampling.folds:
            return float("nan")
        return of_a_dataset(metric, folds)

    def _part(self, metric: str, dataset: str, estimator: str) -> float:
        try:
            return float(getattr(self.bias_variance(dataset, estimator), metric))
        except DataError:
            return float("nan")

    def _lines(self, dataset: str, estimator: str) -> list[dict[str, Any]]:
        lines = self.log.lines
        return [lines[key] for key in self._keys(dataset, estimator) if key in lines]

    def _predictions(self, dataset: str, estimator: str) -> dict[Any, Any]:
        made = self.log.predictions
        return {key: made[key] for key in self._keys(dataset, estimator) if key in made}

    def _keys(self, dataset: str, estimator: str) -> list[tuple[str, str, int, int]]:
        rounds, folds = self.plan.resampling.rounds, self.plan.resampling.folds
        return [(dataset, estimator, i, j) for i in range(rounds) for j in range(folds)]

    def _check(self, dataset: str, estimator: str) -> None:
        for what, name, known in (
            ("data set", dataset, self.datasets),
            ("estimator", estimator, self.estimators),
        ):
            if name not in known:
                raise DataError(f"there is no {what} {name!r}, expected one of {', '.join(known)}")


def read_results(folder: str | os.PathLike[str]) -> ExperimentResults:
    """Return the results in the folder of a run, be it finished, killed or still going on.

    Parameters
    ----------
    folder : str or path
        What was given to `compare`.

    Returns
    -------
    ExperimentResults

    Raises
    ------
    FileFormatError
        If the folder holds no run, or a file is damaged.

    Examples
    --------
    >>> import tempfile
    >>> from bnclass import NaiveBayes, compare, read_results
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     results = compare({"NB": NaiveBayes()}, ["iris"], resampling=2, folder=folder)
    ...     read_results(folder).losses().equals(results.losses())
    True
    """
    plan = read_plan(folder)
    return ExperimentResults(plan, read_log(Path(folder), plan))
