"""The tables that commands read: training rows, and rows under a model's own states."""

from collections.abc import Hashable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from bnclass.cli.errors import about
from bnclass.data.columns import value_kind
from bnclass.data.datasets import dataset_names, load_dataset
from bnclass.data.labels import encode_labels
from bnclass.data.readers import read_table
from bnclass.data.textfile import parse_number
from bnclass.data.variables import Variable
from bnclass.exceptions import DataError

_LONGEST_LIST = 30
_BOOLS = {"True": True, "False": False}


def load_table(data: str) -> pd.DataFrame:
    """Return a built-in data set, its class the column "class", or the table in a file.

    Parameters
    ----------
    data : str
        A name of `dataset_names`, or a path.

    Returns
    -------
    pandas.DataFrame

    Raises
    ------
    DataError
        If it is neither.
    FileFormatError
        If the file cannot be read.

    Examples
    --------
    >>> from bnclass.cli.tables import load_table
    >>> load_table("monks-1").columns.tolist()
    ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'class']
    """
    if data in dataset_names():
        X, y = load_dataset(data)
        return X.assign(**{str(y.name): y})
    if not Path(data).suffix and not Path(data).exists():
        raise DataError(
            f"{data}: no such file and no built-in data set, expected a path or one of "
            f"{', '.join(dataset_names())}"
        )
    return read_table(data)


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
    >>> from bnclass.cli.tables import training_rows
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
    >>> from bnclass.cli.tables import class_column
    >>> frame = pd.DataFrame({"class": ["a"], "outcome": ["b"]})
    >>> [class_column(frame, "a.csv", targets) for targets in ([], ["outcome"], ["type"])]
    ['class', 'outcome', 'class']
    """
    columns = frame.columns.tolist()
    found = [name for name in targets if name in columns]
    if len(found) > 1:
        raise DataError(f"{data}: found the columns {_listed(found)}, expected one --target of it")
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
    >>> from bnclass.cli.tables import without_target
    >>> frame = pd.DataFrame({"hair": ["yes", "no"], "type": ["mammal", "fish"]})
    >>> without_target(frame, "zoo.csv", "type", [])[1].tolist()
    ['mammal', 'fish']
    """
    if target not in frame.columns:
        found = "no --target given" if target is None else f"no --target column {target!r}"
        raise DataError(f"{data}: {found}, expected one of {_listed(frame.columns)}")
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
    >>> from bnclass.cli.tables import as_states
    >>> as_states(pd.DataFrame({"floor": [1, 2], "size": [70, 80]}), ["floor"]).dtypes.tolist()
    [dtype('O'), dtype('int64')]
    """
    chosen = X.columns if "all" in categorical else [c for c in categorical if c in X.columns]
    texts = {c: X[c].astype(object).map(str, na_action="ignore").astype(object) for c in chosen}
    return X.assign(**{str(name): column for name, column in texts.items()})


def rows_under(
    frame: pd.DataFrame, variables: Iterable[Variable], data: str = "table"
) -> pd.DataFrame:
    """Return the columns of a model's attributes, their cells written as the model's states.

    The cells of one file decide the type of its columns, so 1, 1.0, "1" and "01" may be
    what the model calls 1. Columns are found by name, others are left out.

    Parameters
    ----------
    frame : pandas.DataFrame
    variables : iterable of Variable
        The model's attributes.
    data : str
        What to call the table in a refusal.

    Returns
    -------
    pandas.DataFrame

    Raises
    ------
    DataError
        If a column is missing, or a cell cannot be a value of its attribute.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import Variable
    >>> from bnclass.cli.tables import rows_under
    >>> shoe = Variable("shoe", states=("38", "39", "none"))
    >>> rows_under(pd.DataFrame({"id": [7, 8], "shoe": [39.0, None]}), [shoe])["shoe"].tolist()
    ['39', None]
    """
    variables = tuple(variables)
    names: dict[str, Hashable] = {str(name): name for name in frame.columns}
    absent = [v.column for v in variables if str(v.column) not in names]
    if absent:
        raise DataError(
            f"{data}: no column {_listed(absent)}, expected every attribute of the model"
        )
    with about(data):
        columns = {v.column: _matched(frame[names[str(v.column)]], v) for v in variables}
    return pd.DataFrame(columns, index=frame.index)


def _listed(names: Iterable[Hashable]) -> str:
    names = list(names)
    more = f" and {len(names) - _LONGEST_LIST} more" if len(names) > _LONGEST_LIST else ""
    return ", ".join(map(repr, names[:_LONGEST_LIST])) + more


def _refuse_mixed_columns(X: pd.DataFrame) -> None:
    """Refuse text among numbers: a mark for a missing cell would make each number a state."""
    for name in X.columns:
        cells = X[name].dropna()
        if value_kind(cells) != "text":
            continue
        numeric = [_value(cell, "number") is not None for cell in cells]
        if any(numeric):
            first = numeric.index(False)
            raise DataError(
                f"column {name!r}, row {cells.index[first]}: found text "
                f"{cells.iloc[first]!r} in a column with {sum(numeric)} numbers, expected numbers "
                f"and empty cells only; --categorical {name!r} makes every value a state"
            )


def _matched(column: "pd.Series[Any]", variable: Variable) -> "pd.Series[Any]":
    """Return a column with its cells in the kind that the variable's states have."""
    wanted, found = _kind(variable), value_kind(column)
    if found in (None, wanted) or "text" not in (found, wanted):
        return column
    if wanted == "text":
        states = _states_by_value(variable, str(found))
        return pd.Series([states.get(cell) for cell in column], column.index, dtype=object)
    values = [None if pd.isna(cell) else _value(cell, wanted) for cell in column]
    refused = [v is None and not pd.isna(cell) for v, cell in zip(values, column, strict=True)]
    if not any(refused):
        return pd.Series(values, column.index, dtype=object)
    if variable.cuts is not None and not any(v is not None for v in values):
        return column  # names of bins, perhaps
    row = refused.index(True)
    raise DataError(
        f"column {variable.column!r}, row {row}: found text {column.iloc[row]!r}, "
        f"expected a {wanted} as in training"
    )


def _kind(variable: Variable) -> str:
    """Return "bool", "number" or "text": what the cells of a variable's column are."""
    if variable.is_continuous or variable.cuts is not None:
        return "number"
    states = [s for code, s in enumerate(variable.states) if code != variable.fill]
    return value_kind(pd.Series(states or variable.states, dtype=object)) or "text"


def _states_by_value(variable: Variable, kind: str) -> dict[Any, Hashable]:
    """Return the states that are text by the number or bool that they spell."""
    states: dict[Any, Hashable] = {}
    for state in variable.states:
        value = _value(str(state), kind)
        if value in states:
            raise DataError(
                f"column {variable.column!r}: found a {kind} in every cell, expected text, for "
                f"{value} may be the state {states[value]!r} or {state!r}"
            )
        if value is not None:
            states[value] = state
    return states


def _value(text: str, kind: str) -> bool | float | None:
    """Return the bool or number that a cell spells, or None if it spells none."""
    if kind == "bool":
        return _BOOLS.get(text)
    try:
        number = parse_number(text)
        return int(text) if number.is_integer() and text.strip("+-0123456789") == "" else number
    except ValueError:
        return None
