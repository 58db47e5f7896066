"""One column of a raw table: its kind and its states.

These functions and `bnclass.data.codes` are the only place where the types of a pandas
column are looked at; everything after them sees integer codes and float64 columns.
"""

import sys
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from bnclass.data.variables import Kind
from bnclass.exceptions import DataError, DataTypeError

Floats = npt.NDArray[np.float64]

_LARGEST_DOUBLE = sys.float_info.max


def column_kind(column: "pd.Series[Any]") -> Kind:
    """Return the kind a column has by its dtype.

    Numbers are continuous; bool, text, category and object are discrete.

    Parameters
    ----------
    column : pandas.Series

    Returns
    -------
    {"discrete", "continuous"}

    Raises
    ------
    DataTypeError
        For dates, complex numbers and every other dtype.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.data.columns import column_kind
    >>> column_kind(pd.Series([1.5, 2.0])), column_kind(pd.Series(["a", "b"]))
    ('continuous', 'discrete')
    """
    types, dtype = pd.api.types, column.dtype
    if isinstance(dtype, pd.CategoricalDtype) or types.is_bool_dtype(dtype):
        return "discrete"
    if types.is_object_dtype(dtype) or types.is_string_dtype(dtype):
        return "discrete"
    if types.is_numeric_dtype(dtype) and not types.is_complex_dtype(dtype):
        return "continuous"
    raise DataTypeError(
        f"{_named(column)} has dtype {dtype}, expected numbers, bool, text or category"
    )


def numeric_values(column: "pd.Series[Any]") -> Floats:
    """Return a numeric column as float64, missing cells as NaN.

    Parameters
    ----------
    column : pandas.Series

    Returns
    -------
    ndarray of shape (n_rows,), float64

    Raises
    ------
    DataError
        If a cell is infinite, or too large for float64; the message names column and row, by
        its index.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.data.columns import numeric_values
    >>> numeric_values(pd.Series([1, None, 3], dtype="Int64"))
    array([ 1., nan,  3.])
    """
    if column.isna().all():  # of any dtype
        return np.full(len(column), np.nan)
    try:
        values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    except OverflowError:
        cells = enumerate(column.tolist())
        row = next(i for i, v in cells if isinstance(v, int) and abs(v) > _LARGEST_DOUBLE)
        raise DataError(
            f"{named_cell(column, row)}: found a whole number beyond {_LARGEST_DOUBLE:.3g}, "
            f"expected one that is finite in double precision"
        ) from None
    infinite = np.isinf(values)
    if infinite.any():
        row = int(infinite.argmax())
        raise DataError(f"{named_cell(column, row)}: found {values[row]}, expected a finite number")
    return values


def observed_states(column: "pd.Series[Any]") -> tuple[Hashable, ...]:
    """Return the domain of a discrete column: declared levels, or observed values ascending.

    Parameters
    ----------
    column : pandas.Series

    Returns
    -------
    tuple
        Plain Python values. Empty if nothing is declared and every cell is missing.

    Raises
    ------
    DataError
        If the column mixes bools, numbers and text, or a number is infinite.
    DataTypeError
        If a cell is none of these.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.data.columns import observed_states
    >>> observed_states(pd.Series(["b", "a", None, "b"]))
    ('a', 'b')
    >>> observed_states(pd.Series(["b"], dtype=pd.CategoricalDtype(["c", "b"])))
    ('c', 'b')
    """
    value_kind(column)  # refuses what cannot be a state
    if isinstance(column.dtype, pd.CategoricalDtype):
        return tuple(map(plain, column.dtype.categories))
    # Inferring makes 1 and 1.0 in one column of objects the same state in any row order.
    values: list[Any] = [plain(v) for v in pd.unique(column.dropna().infer_objects())]
    return tuple(sorted(values))


def plain(value: Any) -> Any:
    """Return a numpy scalar as the Python value it stands for, anything else as it is.

    Parameters
    ----------
    value : object

    Returns
    -------
    object

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.data.columns import plain
    >>> plain(np.int64(3)), plain("a")
    (3, 'a')
    """
    return value.item() if isinstance(value, np.generic) else value


def as_text(column: "pd.Series[Any]") -> "pd.Series[Any]":
    """Return a column whose cells are spelled out, so that its numbers are states.

    Parameters
    ----------
    column : pandas.Series

    Returns
    -------
    pandas.Series of object
        Missing cells stay missing.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.data.columns import as_text
    >>> as_text(pd.Series([1, None, 2])).tolist()
    ['1.0', None, '2.0']
    """
    cells = [None if pd.isna(cell) else str(cell) for cell in column]
    return pd.Series(cells, column.index, dtype=object, name=column.name)


def value_kind(column: "pd.Series[Any]") -> str | None:
    """Return which of "bool", "number", "text" the observed cells of a column are.

    The levels of a category may be of another type, whose name is then the kind.

    Parameters
    ----------
    column : pandas.Series

    Returns
    -------
    str or None
        ``None`` if every cell is missing.

    Raises
    ------
    DataError
        If the cells are of more than one kind, or a number is infinite.
    DataTypeError
        If a cell, or the dtype, is of none: dates, complex numbers and the like.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.data.columns import value_kind
    >>> value_kind(pd.Series([True, None], dtype=object))
    'bool'
    """
    if is_whole(column) and len(column):
        return "number"
    if column.isna().all():
        return None
    if isinstance(column.dtype, pd.CategoricalDtype):
        return _kind_of_values(column, column.dtype.categories)
    if pd.api.types.is_object_dtype(column.dtype):
        return _kind_of_cells(column)
    if column_kind(column) == "continuous":
        numeric_values(column)  # refuses infinities
        return "number"
    return "bool" if pd.api.types.is_bool_dtype(column.dtype) else "text"


def is_whole(column: "pd.Series[Any]") -> bool:
    """Return whether a column is of numpy's integers, none of which can be missing.

    Parameters
    ----------
    column : pandas.Series

    Returns
    -------
    bool

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.data.columns import is_whole
    >>> is_whole(pd.Series([1, 2])), is_whole(pd.Series([1, None], dtype="Int64"))
    (True, False)
    """
    return isinstance(column.dtype, np.dtype) and column.dtype.kind in "iu"


def _kind_of_cells(column: "pd.Series[Any]") -> str | None:
    cells = column.to_numpy()
    observed = np.flatnonzero(~pd.isna(cells))
    kinds = {cell_type: _kind_of_type(cell_type) for cell_type in set(map(type, cells[observed]))}
    if None in kinds.values():
        row = next(int(i) for i in observed if kinds[type(cells[i])] is None)
        raise DataTypeError(
            f"{named_cell(column, row)}: argument must be a string, a bool or a number, "
            f"found {type(cells[row]).__name__} {cells[row]!r}"
        )
    kind = _kind_of_values(column, cells[observed])
    if kind == "number":
        numeric_values(column)  # refuses infinities
    return kind


def _kind_of_type(cell_type: type) -> str | None:
    if issubclass(cell_type, (bool, np.bool_)):
        return "bool"
    if issubclass(cell_type, (int, float, np.integer, np.floating)):
        return "number"
    return "text" if issubclass(cell_type, str) else None


def _kind_of_values(column: "pd.Series[Any]", values: Iterable[Any]) -> str | None:
    kinds = sorted(kinds_of(values))
    if len(kinds) > 1:
        mixed = " and ".join(kinds)
        raise DataError(f"{_named(column)} mixes {mixed}, expected values of one kind")
    return kinds[0] if kinds else None


def kinds_of(values: Iterable[Any]) -> set[str]:
    """Return the kinds that some observed values are of, see `value_kind`.

    Parameters
    ----------
    values : iterable

    Returns
    -------
    set of str

    Examples
    --------
    >>> from bnclass.data.columns import kinds_of
    >>> sorted(kinds_of([1, 2.5, "a"]))
    ['number', 'text']
    """
    return {_kind_of_type(t) or t.__name__ for t in set(map(type, values))}


def require_kind(column: "pd.Series[Any]", expected: str) -> None:
    """Raise unless the observed cells of a column are of one kind, see `value_kind`.

    Parameters
    ----------
    column : pandas.Series
    expected : str

    Raises
    ------
    DataError

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.data.columns import require_kind
    >>> require_kind(pd.Series([1, None]), "number")
    """
    found = value_kind(column)
    if found not in (expected, None):
        raise DataError(f"{_named(column)} holds {found}, expected {expected} as in training")


def _named(column: "pd.Series[Any]") -> str:
    return f"column {plain(column.name)!r}"


def named_cell(column: "pd.Series[Any]", row: int) -> str:
    """Return the name of a cell for messages: its column, and its row by the index.

    Parameters
    ----------
    column : pandas.Series
    row : int
        Place of the row.

    Returns
    -------
    str

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.data.columns import named_cell
    >>> named_cell(pd.Series([5, 6], name="n"), 1)
    "column 'n', row 1"
    """
    return f"{_named(column)}, row {column.index[row]}"
