"""Our figures beside those a paper prints, and how far they are from them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from bnclass.evaluate.losses import refuse_cells
from bnclass.evaluate.published import PublishedTable, published_table
from bnclass.evaluate.reproduction.datasets import PaperDataset, paper_datasets
from bnclass.evaluate.reproduction.papers import FEW_ROWS, targets_of
from bnclass.exceptions import DataError, DataTypeError

EVERY = "every data set"
TARGETED = f"{FEW_ROWS} rows or more"
OWN = f"{TARGETED}, the paper's own data"


@dataclass(frozen=True, eq=False)
class BesidePublished:
    """Our losses beside a published table, on the same data sets with the same methods.

    Differences are ours less the printed figure, in the units of the table: losses, or points
    of accuracy. A cell that we lack (nan: a fold failed) leaves its data set out for its
    method, and out of what compares methods.

    Attributes
    ----------
    published : PublishedTable
    losses : DataFrame of shape (n_datasets, n_methods)
        Ours, as losses. Rows and columns in the order of the table.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import beside_published
    >>> ours = pd.DataFrame({"NB": [0.30, 0.02], "KST": [0.35, 0.02]}, ["Contact-lenses", "Wine"])
    >>> beside = beside_published(ours, "kst_zero_one_loss")
    >>> beside.side_by_side()
                               NB            KST
    dataset
    Contact-lenses  0.3000/0.3750  0.3500/0.3333
    Wine            0.0200/0.0169  0.0200/0.0225
    >>> beside.differences().query("method == 'KST'").round(4)[["over", "mean_absolute", "met"]]
                   over  mean_absolute   met
    2    every data set         0.0096  <NA>
    3  150 rows or more         0.0025  True
    """

    published: PublishedTable
    losses: pd.DataFrame

    @property
    def points(self) -> bool:
        """Whether the units are points of accuracy, in %, rather than losses."""
        return self.published.kind == "accuracy"

    @property
    def ours(self) -> pd.DataFrame:
        """Our figures in the units of the table."""
        return 100 - 100 * self.losses if self.points else self.losses.copy()

    @property
    def printed(self) -> pd.DataFrame:
        """The printed figures of the same data sets and methods."""
        return self.published.frame.loc[self.losses.index, self.losses.columns]

    @property
    def printed_losses(self) -> pd.DataFrame:
        """The printed figures of the same data sets and methods, as losses."""
        return self.published.losses.loc[self.losses.index, self.losses.columns]

    @property
    def datasets(self) -> dict[str, PaperDataset]:
        """What is known of every data set."""
        known = paper_datasets(self.published.name)
        return {name: known[name] for name in self.losses.index}

    @property
    def lacking(self) -> dict[str, list[str]]:
        """By method, the data sets on which we have no figure, where there are any."""
        holes = {method: column[column.isna()] for method, column in self.losses.items()}
        return {str(method): hole.index.tolist() for method, hole in holes.items() if len(hole)}

    def side_by_side(self) -> pd.DataFrame:
        """Return text, "ours/printed", a row a data set and a column a method."""
        digits = 2 if self.points else 4
        cells = [
            [f"{_text(a, digits)}/{b:.{digits}f}" for a, b in zip(ours, printed, strict=True)]
            for ours, printed in zip(self.ours.to_numpy(), self.printed.to_numpy(), strict=True)
        ]
        return pd.DataFrame(cells, self.losses.index, self.losses.columns)

    @property
    def gaps(self) -> pd.DataFrame:
        """Ours less the printed figures."""
        return self.ours - self.printed

    def differences(self) -> pd.DataFrame:
        """Return how far every method is from the printed figures: see `differences`."""
        return differences(self)

    def farthest(self, n: int = 10) -> pd.DataFrame:
        """Return the data sets that are off most, by the mean absolute difference of all methods.

        Parameters
        ----------
        n : int, default=10
            How many.

        Returns
        -------
        DataFrame
            Columns dataset, rows, mean_absolute; method (the one that is off most), ours,
            printed, difference; remark (what is known of the data, or "").
        """
        gaps = self.gaps.dropna(how="all")
        order = gaps.abs().mean(axis=1).sort_values(ascending=False, kind="stable")
        columns = ["dataset", "rows", "mean_absolute", "method", "ours", "printed", "difference"]
        rows = [self._worst(str(name), gaps.loc[name]) for name in order.index[:n]]
        return pd.DataFrame(rows, columns=[*columns, "remark"])

    def _worst(self, name: str, gaps: "pd.Series[float]") -> tuple[Any, ...]:
        dataset, method = self.datasets[name], str(gaps.abs().idxmax())
        cells = (self.ours[method][name], self.printed[method][name], gaps[method])
        remark = dataset.substitute or dataset.note
        return (name, dataset.rows, float(gaps.abs().mean()), method, *cells, remark)

    def __repr__(self) -> str:
        rows, columns = self.losses.shape
        return f"BesidePublished({self.published.name!r}, {rows} data sets, {columns} methods)"


def differences(*tables: BesidePublished) -> pd.DataFrame:
    """Return how far every method is from the printed figures, over several sets of data sets.

    Parameters
    ----------
    *tables : BesidePublished
        One, or several in the same units without a data set in common, taken together.

    Returns
    -------
    DataFrame
        Columns method; over: every data set, those of 150 rows or more, and, where some of
        these are known not to be the paper's own data, the others; n_datasets, mean_absolute,
        mean_difference (nan over no data set). But for every data set there is a target and a
        mean_target, which the mean of absolute differences and the mean difference (its sign
        aside) may at most be, and whether both are met.

    Examples
    --------
    >>> from bnclass import published_table
    >>> from bnclass.evaluate.reproduction.beside import beside_published, differences
    >>> names = ["gaode_numeric_accuracy", "gaode_hybrid_accuracy"]
    >>> tables = [beside_published(published_table(name).losses, name) for name in names]
    >>> differences(*tables).iloc[:4, :4]
      method              over  n_datasets  mean_absolute
    0   NB-G    every data set          26            0.0
    1   NB-G  150 rows or more          26            0.0
    2     NB    every data set          42            0.0
    3     NB  150 rows or more          39            0.0
    """
    gaps = pd.concat([table.gaps for table in tables])
    sets = {name: each for table in tables for name, each in table.datasets.items()}
    targets = {k: v for table in tables for k, v in targets_of(table.published.name).items()}
    rows = [
        _distance(str(method), over, gaps[method].reindex(names), targets.get(str(method)))
        for method in gaps
        for over, names in _groups(sets).items()
    ]
    columns = ["method", "over", "n_datasets", "mean_absolute", "mean_difference"]
    frame = pd.DataFrame(rows, columns=[*columns, "target", "mean_target", "met"])
    return frame.astype({"target": "float64", "mean_target": "float64", "met": "boolean"})


def beside_published(losses: pd.DataFrame, table: str) -> BesidePublished:
    """Return our losses beside a published table.

    Parameters
    ----------
    losses : DataFrame of shape (n_datasets, n_methods)
        Rows and columns are named as in the table, which may have more of them. Losses are
        between 0 and 1, also where the table has accuracies; nan where we have none.
    table : str
        A name of `published_names`, with a row for every data set.

    Returns
    -------
    BesidePublished

    Raises
    ------
    DataTypeError
        If `losses` is no frame of numbers.
    DataError
        If there is no row or column, a name is twice there or unknown to the table, or a loss is
        below 0 or above 1.
    BnclassError
        If there is no such table, or its rows are no data sets.

    Examples
    --------
    >>> from bnclass import beside_published, published_table
    >>> losses = published_table("gaode_numeric_accuracy").losses
    >>> beside_published(losses, "gaode_numeric_accuracy")
    BesidePublished('gaode_numeric_accuracy', 26 data sets, 5 methods)
    """
    published = published_table(table)
    paper_datasets(table)
    if not isinstance(losses, pd.DataFrame):
        raise DataTypeError(f"losses is a {type(losses).__name__}, expected a pandas DataFrame")
    printed = published.frame
    for what, names, known in (
        ("data set", losses.index, printed.index),
        ("method", losses.columns, printed.columns),
    ):
        _check_names(what, names, known, table)
    return BesidePublished(published, _in_order(_checked(losses), printed))


def _check_names(what: str, names: "pd.Index[Any]", known: "pd.Index[Any]", table: str) -> None:
    if not len(names):
        raise DataError(f"losses has no {what}, expected at least one")
    if names.has_duplicates:
        twice = names[names.duplicated()].tolist()[0]
        raise DataError(f"losses has the {what} {twice!r} more than once")
    unknown = [name for name in names if name not in known]
    if unknown:
        raise DataError(f"the table {table!r} has no {what} {unknown[0]!r}")


def _checked(losses: pd.DataFrame) -> pd.DataFrame:
    try:
        numbers = losses.astype("float64")
    except (TypeError, ValueError) as error:
        raise DataTypeError(f"losses holds no numbers: {error}") from None
    refused = (numbers < 0) | (numbers > 1)
    refuse_cells(numbers, refused.to_numpy(), "a number between 0 and 1")
    return numbers


def _in_order(losses: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    rows = [name for name in printed.index if name in losses.index]
    columns = [name for name in printed.columns if name in losses.columns]
    return losses.loc[rows, columns].rename_axis("dataset")


def _groups(sets: Mapping[str, PaperDataset]) -> dict[str, list[str]]:
    many = [name for name, dataset in sets.items() if dataset.rows >= FEW_ROWS]
    own = [name for name in many if not sets[name].substitute]
    groups = {EVERY: list(sets), TARGETED: many}
    return groups if own == many else {**groups, OWN: own}


def _distance(
    method: str, over: str, gaps: "pd.Series[float]", target: float | None
) -> tuple[Any, ...]:
    n, absolute, mean = int(gaps.notna().sum()), float(gaps.abs().mean()), float(gaps.mean())
    if target is None or over == EVERY or not n:
        return method, over, n, absolute, mean, None, None, None
    met = absolute <= target and abs(mean) <= target / 2
    return method, over, n, absolute, mean, target, target / 2, met


def _text(number: float, digits: int) -> str:
    return "failed" if np.isnan(number) else f"{number:.{digits}f}"
