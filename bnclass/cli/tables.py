"""The tables that commands read: training rows, and rows under a model's own states."""

from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from bnclass.cli.errors import about
from bnclass.data.columns import value_kind
from bnclass.data.datasets import dataset_names, load_dataset
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
            f"{data}: no column {listed(absent)}, expected every attribute of the model"
        )
    with about(data):
        columns = {v.column: _matched(frame[names[str(v.column)]], v) for v in variables}
    return pd.DataFrame(columns, index=frame.index)


def listed(names: Iterable[Hashable]) -> str:
    """Return names as a text, and how many more there are of too many.

    Parameters
    ----------
    names : iterable of hashable

    Returns
    -------
    str

    Examples
    --------
    >>> from bnclass.cli.tables import listed
    >>> listed(["hair", 4])
    "'hair', 4"
    """
    names = list(names)
    more = f" and {len(names) - _LONGEST_LIST} more" if len(names) > _LONGEST_LIST else ""
    return ", ".join(map(repr, names[:_LONGEST_LIST])) + more


def _matched(column: "pd.Series[Any]", variable: Variable) -> "pd.Series[Any]":
    """Return a column with its cells in the kind that the variable's states have."""
    wanted, found = _kind(variable), value_kind(column)
    if found in (None, wanted) or "text" not in (found, wanted):
        return column
    if wanted == "text":
        states = _states_byvalue_of(variable, str(found))
        return pd.Series([states.get(cell) for cell in column], column.index, dtype=object)
    values = [None if pd.isna(cell) else value_of(cell, wanted) for cell in column]
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


def _states_byvalue_of(variable: Variable, kind: str) -> dict[Any, Hashable]:
    """Return the states that are text by the number or bool that they spell."""
    states: dict[Any, Hashable] = {}
    for state in variable.states:
        value = value_of(str(state), kind)
        if value in states:
            raise DataError(
                f"column {variable.column!r}: found a {kind} in every cell, expected text, for "
                f"{value} may be the state {states[value]!r} or {state!r}"
            )
        if value is not None:
            states[value] = state
    return states


def value_of(text: str, kind: str) -> bool | float | None:
    """Return the bool or number that a cell spells, or None if it spells none.

    Parameters
    ----------
    text : str
    kind : {"bool", "number"}

    Returns
    -------
    bool, float or None

    Examples
    --------
    >>> from bnclass.cli.tables import value_of
    >>> value_of("01", "number"), value_of("True", "bool"), value_of("?", "number")
    (1, True, None)
    """
    if kind == "bool":
        return _BOOLS.get(text)
    try:
        number = parse_number(text)
        return int(text) if number.is_integer() and text.strip("+-0123456789") == "" else number
    except ValueError:
        return None
