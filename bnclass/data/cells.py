"""Which cells a table lacks: those that are missing, and those that hold no known value."""

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from bnclass.data.codes import MISSING, Codes, state_codes
from bnclass.data.columns import plain
from bnclass.data.table import EncodedTable
from bnclass.data.variables import LARGEST_NUMBER, Variable
from bnclass.exceptions import DataError

Rows = npt.NDArray[np.intp]

UNKNOWN_POLICIES: tuple[str, ...] = ("missing", "error")

_MOST_COLUMNS = 6
_MOST_LEVELS = 3


def unknown_rows(variable: Variable, column: "pd.Series[Any]", codes: Codes) -> Rows:
    """Return the rows in which a column holds a value that is no state of its variable.

    Parameters
    ----------
    variable : Variable
    column : pandas.Series of length n_rows
        Raw.
    codes : ndarray of shape (n_rows,), int32
        Of the column under the variable.

    Returns
    -------
    ndarray of int
        Ascending; empty for a number, which is never unknown.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import Variable
    >>> from bnclass.data.cells import unknown_rows
    >>> from bnclass.data.codes import encode_column
    >>> column, size = pd.Series(["s", "xl", None]), Variable("size", states=("s", "l"), fill=0)
    >>> unknown_rows(size, column, encode_column(column, size))
    array([1])
    """
    if variable.is_continuous or variable.cuts is not None:
        return np.empty(0, dtype=np.intp)
    doubtful = np.flatnonzero(codes == (MISSING if variable.fill is None else variable.fill))
    observed: Rows = doubtful[column.iloc[doubtful].notna().to_numpy()]
    if variable.fill is None or not len(observed):
        return observed
    unknown: Rows = observed[state_codes(column.iloc[observed], variable.states) == MISSING]
    return unknown


def missing_counts(
    frame: pd.DataFrame, attributes: Iterable[Variable], table: EncodedTable
) -> dict[Hashable, int]:
    """Return how many cells of each column of training rows are missing.

    Parameters
    ----------
    frame : pandas.DataFrame
        Raw.
    attributes : iterable of Variable
        Of the columns that have a value in some row.
    table : EncodedTable
        The frame, encoded under them.

    Returns
    -------
    dict of column name to int

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import EncodedTable, Variable
    >>> from bnclass.data.cells import missing_counts
    >>> frame, size = pd.DataFrame({"size": ["s", None]}), Variable("size", states=("s",))
    >>> missing_counts(frame, [size], EncodedTable.from_frame(frame, [size]))
    {'size': 1}
    """
    counts: dict[Hashable, int] = dict.fromkeys(frame.columns.tolist(), len(frame))
    place = {v.name: i for i, v in enumerate(table.variables)}
    for name in (v.name for v in attributes):
        variable, codes = table.variables[place[name]], table.codes[:, place[name]]
        own = variable.is_continuous or variable.cuts is not None
        # A look at codes is quicker than one at cells; but a fill, or a transformer of
        # numbers, may have made a state of a missing cell.
        if variable.fill is None and (own or frame[name].dtype == object):
            counts[name] = int(np.count_nonzero(codes == MISSING))
        else:
            counts[name] = int(frame[name].isna().sum())
    return counts


def described(rows: Rows, column: "pd.Series[Any]") -> str:
    """Return which values some rows of a column hold, and in how many rows each.

    Parameters
    ----------
    rows : ndarray of int
    column : pandas.Series

    Returns
    -------
    str

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from bnclass.data.cells import described
    >>> described(np.array([0, 2]), pd.Series(["xl", "s", "xl"], name="size"))
    "column 'size': 'xl' in 2 rows"
    """
    found = column.iloc[rows].astype(object).value_counts(sort=False)
    levels = sorted(((-n, repr(plain(value))) for value, n in found.items()))
    shown = [f"{level} in {_rows(-n)}" for n, level in levels[:_MOST_LEVELS]]
    more = f" and {len(levels) - _MOST_LEVELS} others" if len(levels) > _MOST_LEVELS else ""
    return f"column {plain(column.name)!r}: {', '.join(shown)}{more}"


def listed_counts(counts: Mapping[Hashable, int]) -> str:
    """Return how many cells of each column, the first of many, for a message.

    Parameters
    ----------
    counts : mapping of column name to int

    Returns
    -------
    str

    Examples
    --------
    >>> from bnclass.data.cells import listed_counts
    >>> listed_counts({"a": 3, "b": 1})
    "'a': 3, 'b': 1"
    """
    items = list(counts.items())
    shown = ", ".join(f"{name!r}: {n}" for name, n in items[:_MOST_COLUMNS])
    if len(items) <= _MOST_COLUMNS:
        return shown
    return f"{shown}, … ({sum(counts.values())} in {len(items)} columns)"


def _rows(n: int) -> str:
    return "1 row" if n == 1 else f"{n} rows"


def refuse_missing_codes(table: EncodedTable) -> None:
    """Raise a `DataError` that counts the cells of each column without a code, if there are any.

    Parameters
    ----------
    table : EncodedTable

    Raises
    ------
    DataError

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass import EncodedTable, Variable
    >>> from bnclass.data.cells import refuse_missing_codes
    >>> a, codes = Variable("a", states=("u",)), np.zeros((1, 1), np.int32)
    >>> refuse_missing_codes(EncodedTable((a,), codes))
    """
    counts = (table.codes == MISSING).sum(axis=0)
    if counts.any():
        listed = ", ".join(
            f"{v.name!r}: {n}"
            for v, n in zip(table.variables, counts, strict=True)
            if n and not v.is_view
        )
        raise DataError(
            f"missing or unknown cells ({listed}), expected none because missing='error'"
        )


def require_spread(table: EncodedTable) -> None:
    """Refuse numbers so close together that their squared differences vanish.

    Parameters
    ----------
    table : EncodedTable

    Raises
    ------
    DataError

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import EncodedTable, Variable
    >>> from bnclass.data.cells import require_spread
    >>> x = Variable("x", "continuous")
    >>> require_spread(EncodedTable.from_frame(pd.DataFrame({"x": [1.0, 2.0]}), [x]))
    """
    names = [v.name for v in table.variables if v.is_continuous]
    for name, column in zip(names, table.numbers_of(names).T, strict=True):
        refuse_tiny_spread(name, float(np.fmax.reduce(column) - np.fmin.reduce(column)))


def refuse_tiny_spread(name: Hashable, spread: float) -> None:
    """Raise a `DataError` if the numbers of a column are too close together.

    Parameters
    ----------
    name : hashable
        Of the column.
    spread : float
        Its largest number less its smallest, NaN if it has none.

    Raises
    ------
    DataError

    Examples
    --------
    >>> from bnclass.data.cells import refuse_tiny_spread
    >>> refuse_tiny_spread("x", 0.0)
    """
    if 0 < spread < 1 / LARGEST_NUMBER:
        raise DataError(
            f"column {name!r} spreads over {spread:.3g} only, expected 0 or at least "
            f"{1 / LARGEST_NUMBER:g}; multiply it by a constant"
        )
