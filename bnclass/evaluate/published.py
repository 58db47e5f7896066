"""The tables of the papers, as they are printed, to compare one's own results with."""

from ast import literal_eval
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

import pandas as pd

from bnclass.exceptions import BnclassError

Kind = Literal["loss", "accuracy", "statistics"]

_KST = "[KST] table {}: 40 data sets, 10 rounds of 10-fold cross-validation, MDL cuts, k = 2"
_PARTS = "[KST] table {}: 40 data sets, MDL cuts, k = 2; protocol not stated"
_GAODE = "[GAODE] table {}: accuracy in %, 5x2 cross-validation, {}"
_RECORDS = "[KST] table 2: wins, draws and losses in zero-one loss of a method against another"
_TESTS = "[KST]: Friedman's chi-squared, and Nemenyi's critical difference at 0.05"
_RANKS = "[KST]: average ranks over 40 data sets; KST's 2.5250 is 2.6250 by table A1"

_TABLES: dict[str, tuple[Kind, str]] = {
    "gaode_hybrid_accuracy": ("accuracy", _GAODE.format(5, "16 data sets of both kinds")),
    "gaode_numeric_accuracy": ("accuracy", _GAODE.format(2, "26 numeric data sets")),
    "kst_average_ranks": ("statistics", _RANKS),
    "kst_bias": ("loss", _PARTS.format("A2")),
    "kst_friedman": ("statistics", _TESTS),
    "kst_rmse": ("loss", _KST.format("A4")),
    "kst_variance": ("loss", _PARTS.format("A3")),
    "kst_win_draw_loss": ("statistics", _RECORDS),
    "kst_zero_one_loss": ("loss", _KST.format("A1")),
}


@dataclass(frozen=True, eq=False)
class PublishedTable:
    """A table of a paper.

    Attributes
    ----------
    name : str
        One of `published_names`.
    kind : {"loss", "accuracy", "statistics"}
        What the cells are: losses between 0 and 1, accuracies in %, or results of tests.
    source : str
        Paper, table and protocol; keys such as [KST] are those of docs/methods.md.
    frame : DataFrame
        The cells as printed. A row a data set, in the order of the paper, and a column a
        method, for losses and accuracies.

    Examples
    --------
    >>> from bnclass import published_table
    >>> published_table("gaode_hybrid_accuracy").losses.loc["zoo"]
    NB       0.095050
    AODE     0.083168
    HAODE    0.057426
    Name: zoo, dtype: float64
    """

    name: str
    kind: Kind
    source: str
    frame: pd.DataFrame

    @property
    def losses(self) -> pd.DataFrame:
        """The cells as losses between 0 and 1, which the tests of significance take.

        Raises
        ------
        BnclassError
            If the table holds results of tests.
        """
        if self.kind == "statistics":
            raise BnclassError(f"the table {self.name!r} holds results of tests, expected losses")
        return self.frame.copy() if self.kind == "loss" else (100 - self.frame) / 100

    def to_frame(self) -> pd.DataFrame:
        """Return a copy of the cells as printed."""
        return self.frame.copy()

    def __repr__(self) -> str:
        rows, columns = self.frame.shape
        return f"PublishedTable({self.name!r}, {rows} rows, {columns} columns; {self.source})"


def published_names() -> tuple[str, ...]:
    """Return the names of the published tables, in alphabetical order.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> from bnclass import published_names
    >>> [name for name in published_names() if name.startswith("gaode")]
    ['gaode_hybrid_accuracy', 'gaode_numeric_accuracy']
    """
    return tuple(sorted(_TABLES))


def published_table(name: str) -> PublishedTable:
    """Return a table of a paper by its name.

    Parameters
    ----------
    name : str
        One of `published_names`.

    Returns
    -------
    PublishedTable

    Raises
    ------
    BnclassError
        If there is no such table.

    Examples
    --------
    >>> from bnclass import published_table
    >>> table = published_table("kst_zero_one_loss")
    >>> float(table.frame.loc["Audio", "KST"])
    0.2257
    >>> table
    PublishedTable('kst_zero_one_loss', 40 rows, 8 columns; [KST] table A1: 40 data sets, 10
                   rounds of 10-fold cross-validation, MDL cuts, k = 2)
    """
    if not isinstance(name, str) or name not in _TABLES:
        known = ", ".join(published_names())
        raise BnclassError(f"there is no published table {name!r}, expected one of {known}")
    kind, source = _TABLES[name]
    path = files("bnclass.evaluate") / "tables" / f"{name}.csv"
    with path.open(encoding="utf-8") as lines:
        cells = pd.read_csv(lines, dtype=str)
    index = ["method", "against"] if name == "kst_win_draw_loss" else str(cells.columns[0])
    # Python reads the float nearest to what is printed, which pandas' own parser may miss.
    return PublishedTable(name, kind, source, cells.set_index(index).map(literal_eval))
