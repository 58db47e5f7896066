"""The papers' data sets in a folder of files: which are there, and which are not, and why."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from bnclass.data.columns import as_text
from bnclass.data.readers import read_table
from bnclass.evaluate.experiment.datasets import without_class
from bnclass.evaluate.reproduction.datasets import PaperDataset, paper_datasets
from bnclass.exceptions import BnclassError, DataTypeError, FileFormatError, one_line

ENDINGS = (".arff", ".arff.gz", ".csv", ".csv.gz", ".parquet")


@dataclass(frozen=True, eq=False)
class FoundDataset:
    """A file that holds a data set of a paper.

    Attributes
    ----------
    path : Path
    X : DataFrame of shape (n_rows, n_columns)
    y : Series of shape (n_rows,)
    remark : str
        What is known to differ from the paper's own data, or "".
    """

    path: Path
    X: pd.DataFrame
    y: "pd.Series[Any]"
    remark: str


@dataclass(frozen=True, eq=False)
class FoundDatasets:
    r"""What a folder holds of the data sets of a table.

    Attributes
    ----------
    table : str
        The published table.
    folder : Path
    found : dict of str to FoundDataset
        By the paper's name, in the order of the table.
    missing : dict of str to str
        The other data sets, and why they are missing.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from bnclass import find_datasets
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, "zoo.csv").write_text("hair,class\nyes,mammal\n")
    ...     sets = find_datasets("gaode_hybrid_accuracy", folder)
    >>> sets
    FoundDatasets('gaode_hybrid_accuracy', 0 of 16 data sets found)
    >>> sets.missing["zoo"], sets.missing["vowel"]
    ('zoo.csv: found 1 rows, expected 101', "no file named 'vowel'")
    """

    table: str
    folder: Path
    found: Mapping[str, FoundDataset]
    missing: Mapping[str, str]

    @property
    def paths(self) -> dict[str, Path]:
        """The file of every data set found."""
        return {name: each.path for name, each in self.found.items()}

    @property
    def tables(self) -> dict[str, "tuple[pd.DataFrame, pd.Series[Any]]"]:
        """The rows (X, y) of every data set found."""
        return {name: (each.X, each.y) for name, each in self.found.items()}

    @property
    def remarks(self) -> dict[str, str]:
        """What is known to differ from the paper's own data, where something does."""
        return {name: each.remark for name, each in self.found.items() if each.remark}

    def to_frame(self) -> pd.DataFrame:
        """Return a row for every data set: dataset, file (None if missing), remark."""
        rows = [
            (name, self.found[name].path.name, self.found[name].remark)
            if name in self.found
            else (name, None, self.missing[name])
            for name in paper_datasets(self.table)
        ]
        return pd.DataFrame(rows, columns=["dataset", "file", "remark"])

    def __repr__(self) -> str:
        n = len(self.found) + len(self.missing)
        return f"FoundDatasets({self.table!r}, {len(self.found)} of {n} data sets found)"


def find_datasets(table: str, folder: str | os.PathLike[str]) -> FoundDatasets:
    """Look in a folder for the data sets of a published table, and read those that are there.

    A file is taken if its name, in any case, is one the data set is known by, with the ending
    ``.arff``, ``.arff.gz``, ``.csv``, ``.csv.gz`` or ``.parquet``, and if it has the paper's
    number of rows, a label in each, and (where it is known) the number of classes. Of several
    the paper's own encoding is taken. A different number of attributes is remarked on only;
    otherwise attributes whose numbers are known to be names become text. The class is the column
    "class", or else the last of an ARFF file.

    Parameters
    ----------
    table : str
        A name of `published_names`, with a row for every data set.
    folder : str or path-like

    Returns
    -------
    FoundDatasets

    Raises
    ------
    BnclassError
        If there is no such table.
    FileFormatError
        If there is no such folder.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from bnclass import find_datasets, load_dataset
    >>> X, y = load_dataset("wine")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     X.assign(**{"class": y}).to_csv(pathlib.Path(folder, "wine.csv.gz"), index=False)
    ...     sets = find_datasets("kst_zero_one_loss", folder)
    >>> sets.paths["Wine"].name, sets.tables["Wine"][0].shape
    ('wine.csv.gz', (178, 13))
    """
    datasets = paper_datasets(table)
    if not isinstance(folder, (str, os.PathLike)):
        raise DataTypeError(f"the folder of data is {folder!r}, expected a path")
    files = _files(Path(folder))
    found: dict[str, FoundDataset] = {}
    missing: dict[str, str] = {}
    for name, dataset in datasets.items():
        answer = _look(dataset, files)
        if isinstance(answer, FoundDataset):
            found[name] = answer
        else:
            missing[name] = answer
    return FoundDatasets(table, Path(folder), found, missing)


def _files(folder: Path) -> dict[str, Path]:
    if not folder.is_dir():
        raise FileFormatError(f"{folder}: no such folder, expected one with data files")
    # Of names that differ in case only, the last in order is kept: lower case.
    return {path.name.lower(): path for path in sorted(folder.iterdir()) if path.is_file()}


def _look(dataset: PaperDataset, files: Mapping[str, Path]) -> FoundDataset | str:
    """Return the first file that will do, or why none does."""
    names = [stem + ending for stem in dataset.files for ending in ENDINGS]
    refused = []
    for path in (files[name] for name in names if name in files):
        try:
            return _read(path, dataset)
        except BnclassError as error:
            refused.append(one_line(str(error)))
    return "; ".join(refused) or f"no file named {' or '.join(map(repr, dataset.files))}"


def _read(path: Path, dataset: PaperDataset) -> FoundDataset:
    X, y = without_class(read_table(path), path.name)
    _expect(path, "rows", len(X), dataset.rows)
    _expect(path, "rows without a class", int(y.isna().sum()), 0)
    _expect(path, "classes", y.nunique(), dataset.classes)
    if X.shape[1] == dataset.attributes:
        names = X.columns[list(dataset.states)]
        X = X.assign(**{name: as_text(X[name]) for name in names})
    return FoundDataset(path, X, y, _remark(X, dataset))


def _expect(path: Path, what: str, number: int, expected: int | None) -> None:
    if expected is not None and number != expected:
        raise BnclassError(f"{path.name}: found {number} {what}, expected {expected}")


def _remark(X: pd.DataFrame, dataset: PaperDataset) -> str:
    remarks = [dataset.substitute, dataset.note]
    if dataset.attributes is not None and X.shape[1] != dataset.attributes:
        remarks.append(f"{X.shape[1]} attributes, the paper's has {dataset.attributes}")
    return "; ".join(filter(None, remarks))
