"""A paper's experiment on the files that are there."""

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from bnclass.evaluate.experiment.measures import OF_ROUNDS, OF_TIME
from bnclass.evaluate.experiment.results import ExperimentResults
from bnclass.evaluate.experiment.runner import compare
from bnclass.evaluate.reproduction.beside import BesidePublished, beside_published, differences
from bnclass.evaluate.reproduction.finding import FoundDatasets, find_datasets
from bnclass.evaluate.reproduction.papers import Paper, PaperTable
from bnclass.evaluate.reproduction.papers import paper as paper_named
from bnclass.exceptions import DataError


@dataclass(frozen=True, eq=False)
class Reproduction:
    """A paper's experiment on one's own files, beside what the paper prints.

    Attributes
    ----------
    paper : Paper
        What was run.
    quick : bool
        Whether it was one round only.
    found : dict of str to FoundDatasets
        By published table, what was looked for.
    results : dict of str to ExperimentResults
        By published table, what `compare` found. Tables of which no data set is there are
        missing here.
    beside : dict of str to BesidePublished
        By published table, ours beside the paper's; with further tables of the same runs.
    seconds : float
        How long it all took this time; what an earlier run had left in the folder took none.

    Examples
    --------
    >>> from bnclass.evaluate.reproduction.papers import paper
    >>> from bnclass import Reproduction
    >>> Reproduction(paper("kst"), True, {}, {}, {}, 1.0)
    Reproduction('kst', 1x10, 0 of 0 data sets)
    """

    paper: Paper
    quick: bool
    found: Mapping[str, FoundDatasets]
    results: Mapping[str, ExperimentResults]
    beside: Mapping[str, BesidePublished]
    seconds: float

    @property
    def resampling(self) -> str:
        """Rounds and folds."""
        return self.paper.quick if self.quick else self.paper.resampling

    def missing(self) -> pd.DataFrame:
        """Return the data sets that are not there: table, dataset, reason."""
        rows = [
            (table, dataset, reason)
            for table, sets in self.found.items()
            for dataset, reason in sets.missing.items()
        ]
        return pd.DataFrame(rows, columns=["table", "dataset", "reason"])

    def differences(self) -> pd.DataFrame:
        """Return how far every method is from the printed figures, over all tables with targets."""
        main = [self.beside[each.name] for each in self.paper.tables if each.name in self.beside]
        return differences(*main)

    def readings(self, table: PaperTable) -> pd.DataFrame:
        """Return what other readings of a table's models come to, beside the first ones.

        Parameters
        ----------
        table : PaperTable
            One that was run.

        Returns
        -------
        DataFrame
            As from `differences`, for every reading and for the model it reads otherwise.
        """
        losses = self.results[table.name].losses()
        rows = []
        for name, (column, _) in table.readings.items():
            for one in (column, name):
                ours = losses[[one]].set_axis([column], axis=1)
                rows.append(beside_published(ours, table.name).differences().assign(method=one))
        return pd.concat(rows, ignore_index=True) if rows else pd.DataFrame()

    def lines(self) -> list[str]:
        """Return all of it as lines of Markdown, which can be read as they are."""
        from bnclass.evaluate.reproduction.report import report_lines

        return report_lines(self)

    def __repr__(self) -> str:
        here = sum(len(sets.found) for sets in self.found.values())
        every = here + sum(len(sets.missing) for sets in self.found.values())
        return f"Reproduction({self.paper.name!r}, {self.resampling}, {here} of {every} data sets)"


def reproduce(
    paper: str,
    data: str | os.PathLike[str],
    quick: bool = False,
    *,
    folder: str | os.PathLike[str] | None = None,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> Reproduction:
    """Repeat a paper's experiment on the data sets that a folder has.

    Parameters
    ----------
    paper : {"kst", "gaode"}
        [KST], 10 rounds of 10-fold cross-validation, or [GAODE], 5 rounds of 2 folds
        for each of its two tables.
    data : str or path-like
        The folder with the data sets, see `find_datasets`.
    quick : bool, default=False
        One round only, for a look. Bias and variance are left out.
    folder : str or path-like, optional
        Where results are kept as they come, see `compare`; in "kst", or in "gaode/numeric"
        and "gaode/hybrid". By default in memory.
    n_jobs, verbose
        As for `compare`.

    Returns
    -------
    Reproduction

    Raises
    ------
    BnclassError
        If there is no such paper.
    FileFormatError
        If there is no folder `data`.
    DataError
        If it has none of the paper's data sets.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from bnclass import load_dataset, reproduce
    >>> X, y = load_dataset("wine")
    >>> with tempfile.TemporaryDirectory() as data:
    ...     X.assign(**{"class": y}).to_csv(pathlib.Path(data, "wine.csv"), index=False)
    ...     again = reproduce("gaode", data, quick=True)
    >>> again
    Reproduction('gaode', 1x2, 1 of 42 data sets)
    >>> again.beside["gaode_numeric_accuracy"].side_by_side().columns.tolist()
    ['NB-G', 'NB', 'AODE', 'GAODE', 'HAODE']
    """
    start, chosen = time.perf_counter(), paper_named(paper)
    found = {table.name: find_datasets(table.name, data) for table in chosen.tables}
    if not any(sets.found for sets in found.values()):
        names = next(iter(found.values())).missing
        raise DataError(
            f"{os.fspath(data)}: found none of the data sets of {chosen.key}, expected files such "
            f"as {', '.join(f'{name.lower()}.arff' for name in list(names)[:4])}"
        )
    results: dict[str, ExperimentResults] = {}
    beside: dict[str, BesidePublished] = {}
    for table in chosen.tables:
        if sets := found[table.name].tables:
            printed = _printed(table, quick)
            results[table.name] = compare(
                table.estimators(),
                sets,
                resampling=chosen.quick if quick else chosen.resampling,
                metrics=(*printed, *OF_TIME),
                folder=None if folder is None else Path(folder) / table.subfolder,
                n_jobs=n_jobs,
                verbose=verbose,
            )
            for metric, name in printed.items():
                losses = results[table.name].losses(metric)
                beside[name] = beside_published(losses[list(table.models)], name)
    seconds = time.perf_counter() - start
    return Reproduction(chosen, quick, found, results, beside, seconds)


def _printed(table: PaperTable, quick: bool) -> dict[str, str]:
    """Return by metric the published tables of one run; a single round has no variance."""
    every = {"zero_one_loss": table.name, **table.beside}
    return {m: name for m, name in every.items() if not (quick and m in OF_ROUNDS)}
