"""The data sets of the papers: what files may hold them, and what a right one looks like."""

import csv
from dataclasses import dataclass
from importlib.resources import files

from bnclass.exceptions import BnclassError


@dataclass(frozen=True)
class PaperDataset:
    """A data set of a paper.

    Attributes
    ----------
    name : str
        As the paper has it.
    files : tuple of str
        File names without endings, in lower case, the paper's own encoding first.
    rows : int
        Known to be the paper's: what it prints are whole numbers of rows, over these.
    attributes, classes : int or None
        Columns but for the class, and labels that occur; None where they are not known.
    states : tuple of int
        Positions, from 0, of attributes whose numbers are names of things.
    substitute : str
        What the file holds, where that is known not to be the paper's own data, or "".
    note : str
        What else there is to know, or "".

    Examples
    --------
    >>> from bnclass.evaluate.reproduction.datasets import paper_datasets
    >>> paper_datasets("kst_zero_one_loss")["Zoo"].files
    ('zoo-16', 'zoo')
    """

    name: str
    files: tuple[str, ...]
    rows: int
    attributes: int | None
    classes: int | None
    states: tuple[int, ...]
    substitute: str
    note: str


def paper_datasets(table: str) -> dict[str, PaperDataset]:
    """Return the data sets of a published table, in its order.

    Parameters
    ----------
    table : str
        A name of `published_names`, with a row for every data set.

    Returns
    -------
    dict of str to PaperDataset

    Raises
    ------
    BnclassError
        If there is no such table, or its rows are no data sets.

    Examples
    --------
    >>> from bnclass.evaluate.reproduction.datasets import paper_datasets
    >>> [len(paper_datasets(f"gaode_{kind}_accuracy")) for kind in ("numeric", "hybrid")]
    [26, 16]
    """
    tables = _TABLES.get(table) if isinstance(table, str) else None
    if tables is None:
        known = ", ".join(_TABLES)
        raise BnclassError(f"no data sets are known of a table {table!r}, expected one of {known}")
    path = files("bnclass.evaluate") / "tables" / "paper_datasets.csv"
    with path.open(encoding="utf-8") as lines:
        return {
            row["dataset"]: _dataset(row)
            for row in csv.DictReader(lines)
            if row["tables"] == tables
        }


# The group of data sets that each table has.
_TABLES = {
    "gaode_hybrid_accuracy": "gaode_hybrid",
    "gaode_numeric_accuracy": "gaode_numeric",
    **dict.fromkeys(("kst_bias", "kst_rmse", "kst_variance", "kst_zero_one_loss"), "kst"),
}


def _dataset(row: dict[str, str]) -> PaperDataset:
    attributes, classes = (int(row[key]) if row[key] else None for key in ("attributes", "classes"))
    return PaperDataset(
        name=row["dataset"],
        files=tuple(row["files"].split("|")),
        rows=int(row["rows"]),
        attributes=attributes,
        classes=classes,
        states=tuple(int(place) - 1 for place in row["states"].split("|") if place),
        substitute=row["substitute"],
        note=row["note"],
    )
