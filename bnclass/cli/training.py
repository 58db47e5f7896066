"""The attributes and the class that commands learn from."""

from collections.abc import Hashable, Sequence
from typing import Any

import pandas as pd

from bnclass.cli.errors import about
from bnclass.cli.tables import listed, load_table, value_of
from bnclass.data.columns import as_text, value_kind
from bnclass.data.datasets import dataset_names
from bnclass.data.labels import encode_labels
from bnclass.exceptions import DataError


def training_rows(
    data: str, target: str | None, categorical: Sequence[str]
) -> tuple[pd.DataFrame, "pd.Series[Any]"]:
    """Return the attributes and the class labels to learn from.

    Parameters
    ----------
    data : str
        A name of `dataset_names`, or a path.
    target : str or None
        The class column; needed for a file.
    categorical : sequence of str
        Columns that are discrete whatever their cells are; "all" for every one.

    Returns
    -------
    X : pandas.DataFrame of shape (n_rows, n_columns - 1)
    y : pandas.Series of shape (n_rows,)

    Raises
    ------
    DataError
        If there is no such column, a label is missing, or a CSV column mixes text and
        numbers and is not named as categorical.

    Examples
    --------
    >>> from bnclass.cli.training import training_rows
    >>> X, y = training_rows("wine", None, [])
    >>> X.shape, y.name
    ((178, 13), 'class')
    """
    if target is None and data in dataset_names():
        target = "class"
    return without_target(load_table(data), data, target, categorical)


def class_column(frame: pd.DataFrame, data: str, targets: Sequence[str]) -> Hashable | None:
    """Return the column that is a file's class: a target, else "class", else ARFF's last.

    Parameters
    ----------
    frame : pandas.DataFrame
    data : str
        The file.
    targets : sequence of str
        Names of which the file may have one.

    Returns
    -------
    hashable or None
        None, or a target that is not there, if there is no class.

    Raises
    ------
    DataError
        If several of the targets are there.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.cli.training import class_column
    >>> frame = pd.DataFrame({"class": ["a"], "outcome": ["b"]})
    >>> [class_column(frame, "a.csv", targets) for targets in ([], ["outcome"], ["type"])]
    ['class', 'outcome', 'class']
    """
    columns = frame.columns.tolist()
    found = [name for name in targets if name in columns]
    if len(found) > 1:
        raise DataError(f"{data}: found the columns {listed(found)}, expected one --target of it")
    if found or "class" in columns:
        return (*found, "class")[0]
    if columns and data.lower().endswith((".arff", ".arff.gz")):
        last: Hashable = columns[-1]
        return last
    return targets[0] if targets else None


def without_target(
    frame: pd.DataFrame, data: str, target: Hashable | None, categorical: Sequence[str]
) -> tuple[pd.DataFrame, "pd.Series[Any]"]:
    """Return the attributes and the class labels of a table that was read.

    Parameters
    ----------
    frame : pandas.DataFrame
    data, target, categorical
        As for `training_rows`.

    Returns
    -------
    X : pandas.DataFrame of shape (n_rows, n_columns - 1)
    y : pandas.Series of shape (n_rows,)

    Raises
    ------
    DataError
        As `training_rows`.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.cli.training import without_target
    >>> frame = pd.DataFrame({"hair": ["yes", "no"], "type": ["mammal", "fish"]})
    >>> without_target(frame, "zoo.csv", "type", [])[1].tolist()
    ['mammal', 'fish']
    """
    if target not in frame.columns:
        found = "no --target given" if target is None else f"no --target column {target!r}"
        raise DataError(f"{data}: {found}, expected one of {listed(frame.columns)}")
    X, y = frame.drop(columns=target), frame[target]
    with about(f"{data}, column {target!r}"):
        encode_labels(y)
    if data.lower().endswith((".csv", ".csv.gz")) and "all" not in categorical:
        with about(data):
            _refuse_mixed_columns(X.drop(columns=categorical, errors="ignore"))
    return X, y


def as_states(X: pd.DataFrame, categorical: Sequence[str]) -> pd.DataFrame:
    """Return a table whose cells in some columns are text, whatever they were.

    Parameters
    ----------
    X : pandas.DataFrame
    categorical : sequence of str
        Columns, if they are there; "all" for every one.

    Returns
    -------
    pandas.DataFrame
        Missing cells stay missing.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.cli.training import as_states
    >>> as_states(pd.DataFrame({"floor": [1, 2], "size": [70, 80]}), ["floor"]).dtypes.tolist()
    [dtype('O'), dtype('int64')]
    """
    chosen = X.columns if "all" in categorical else [c for c in categorical if c in X.columns]
    return X.assign(**{name: as_text(X[name]) for name in chosen})


def _refuse_mixed_columns(X: pd.DataFrame) -> None:
    """Refuse text among numbers: a mark for a missing cell would make each number a state."""
    for name in X.columns:
        cells = X[name].dropna()
        if value_kind(cells) != "text":
            continue
        numeric = [value_of(cell, "number") is not None for cell in cells]
        if any(numeric):
            first = numeric.index(False)
            raise DataError(
                f"column {name!r}, row {cells.index[first]}: found text "
                f"{cells.iloc[first]!r} in a column with {sum(numeric)} numbers, expected numbers "
                f"and empty cells only; --categorical {name!r} makes every value a state"
            )
