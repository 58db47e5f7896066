"""One column of a raw table: its kind, its states, its codes.

These functions are the only place where the types of a pandas column are looked
at; everything after them sees integer codes and float64 columns.
"""

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from bnclass.data.variables import LARGEST_NUMBER, Kind, Variable
from bnclass.exceptions import DataError, DataTypeError

Codes = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

MISSING = -1
"""The code of a missing or unknown cell."""


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
        If a cell is infinite; the message names column and row, by its index.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.data.columns import numeric_values
    >>> numeric_values(pd.Series([1, None, 3], dtype="Int64"))
    array([ 1., nan,  3.])
    """
    if column.isna().all():  # of any dtype
        return np.full(len(column), np.nan)
    values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    infinite = np.isinf(values)
    if infinite.any():
        row = int(infinite.argmax())
        raise DataError(f"{_cell(column, row)}: found {values[row]}, expected a finite number")
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


def _kind_of_cells(column: "pd.Series[Any]") -> str | None:
    cells = column.to_numpy()
    observed = np.flatnonzero(~pd.isna(cells))
    kinds = {cell_type: _kind_of_type(cell_type) for cell_type in set(map(type, cells[observed]))}
    if None in kinds.values():
        row = next(int(i) for i in observed if kinds[type(cells[i])] is None)
        raise DataTypeError(
            f"{_cell(column, row)}: argument must be a string, a bool or a number, "
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
    kinds = sorted({_kind_of_type(t) or t.__name__ for t in set(map(type, values))})
    if len(kinds) > 1:
        mixed = " and ".join(kinds)
        raise DataError(f"{_named(column)} mixes {mixed}, expected values of one kind")
    return kinds[0] if kinds else None


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


def encode_column(column: "pd.Series[Any]", variable: Variable) -> Codes:
    """Return the codes of a raw column under a variable's states or cuts.

    Missing cells and values that are no state of the variable get ``variable.fill``
    if there is one, else -1.

    Parameters
    ----------
    column : pandas.Series of length n_rows
    variable : Variable
        A discrete variable.

    Returns
    -------
    ndarray of shape (n_rows,), int32

    Raises
    ------
    DataError
        If the column holds another kind of value than the states are.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import Variable
    >>> from bnclass.data.columns import encode_column
    >>> encode_column(pd.Series(["b", "z", None, "a"]), Variable("v", states=("a", "b")))
    array([ 1, -1, -1,  0], dtype=int32)
    """
    encode = _codes_of_states if variable.cuts is None else _codes_of_numbers
    codes = encode(column, variable)
    if variable.fill is not None:
        codes[codes == MISSING] = variable.fill
    return codes


def encode_number(column: "pd.Series[Any]", variable: Variable) -> Floats:
    """Return the numbers of a raw column, missing cells as the variable's fill or NaN.

    Parameters
    ----------
    column : pandas.Series of length n_rows
    variable : Variable
        A continuous variable.

    Returns
    -------
    ndarray of shape (n_rows,), float64

    Raises
    ------
    DataError
        If the column holds text or bools, or a number beyond 1e100 in magnitude, infinities
        among them; the message names column and row.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import Variable
    >>> from bnclass.data.columns import encode_number
    >>> encode_number(pd.Series([1, None]), Variable("v", "continuous", fill=2.5))
    array([1. , 2.5])
    """
    if column.dtype == np.float64:
        values = np.ascontiguousarray(column.to_numpy())  # of a row-wise array: read once
    else:
        require_kind(column, "number")
        values = numeric_values(column)
    if not np.fmax.reduce(np.abs(values), initial=0.0) <= LARGEST_NUMBER:
        row = int((np.abs(values) > LARGEST_NUMBER).argmax())
        raise DataError(
            f"{_cell(column, row)}: found {values[row]}, expected at most {LARGEST_NUMBER:g} in "
            f"magnitude"
        )
    return values if variable.fill is None else np.where(np.isnan(values), variable.fill, values)


def bin_codes(values: Floats, cuts: tuple[float, ...]) -> Codes:
    """Return the bin of each number: bin ``i`` is ``(cuts[i-1], cuts[i]]``, NaN is -1.

    Parameters
    ----------
    values : ndarray of shape (n_rows,), float64
    cuts : tuple of float, ascending

    Returns
    -------
    ndarray of shape (n_rows,), int32

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.data.columns import bin_codes
    >>> bin_codes(np.array([1.0, 2.0, 2.5, np.nan]), (2.0,))
    array([ 0,  0,  1, -1], dtype=int32)
    """
    codes = np.searchsorted(np.asarray(cuts, dtype=np.float64), values).astype(np.int32)
    codes[np.isnan(values)] = MISSING
    return codes


def _codes_of_states(column: "pd.Series[Any]", variable: Variable) -> Codes:
    own = [s for i, s in enumerate(variable.states) if i != variable.fill] or variable.states
    expected = {_kind_of_type(type(s)) or type(s).__name__ for s in own}
    if len(expected) == 1:  # states read from elsewhere may be of several kinds
        require_kind(column, expected.pop())
    return _lookup(column, variable.states)


def _codes_of_numbers(column: "pd.Series[Any]", variable: Variable) -> Codes:
    assert variable.cuts is not None
    if value_kind(column) == "text":
        codes = _lookup(column, variable.states)
        _require_known_bins(column, codes)
        return codes
    require_kind(column, "number")
    return bin_codes(numeric_values(column), variable.cuts)


def _require_known_bins(column: "pd.Series[Any]", codes: Codes) -> None:
    unknown = (codes == MISSING) & ~column.isna().to_numpy()
    if unknown.any():
        row = int(unknown.argmax())
        raise DataError(
            f"{_cell(column, row)}: found text {column.iloc[row]!r}, expected a number or the "
            f"name of a bin"
        )


def _lookup(column: "pd.Series[Any]", states: tuple[Hashable, ...]) -> Codes:
    # An object index takes 1 and True for the same, which `require_kind` has excluded.
    index = pd.Index(pd.array(list(states), dtype=object)).infer_objects()
    if isinstance(column.dtype, pd.CategoricalDtype):
        levels = index.get_indexer(column.dtype.categories)
        return np.append(levels, MISSING)[column.cat.codes.to_numpy()].astype(np.int32)
    if column.dtype == np.float16:
        column = column.astype(np.float32)  # pandas has no index of half-precision numbers
    codes = index.get_indexer(pd.Index(_exact_cells(column))).astype(np.int32)
    codes[column.isna().to_numpy()] = MISSING
    return codes


def _exact_cells(column: "pd.Series[Any]") -> Any:
    """Return the cells for a look-up; pandas compares nullable integers as floats."""
    whole = getattr(column.dtype, "numpy_dtype", None)
    if whole is not None and whole.kind in "iu":
        return column.to_numpy(dtype=whole, na_value=0)  # missing cells are marked afterwards
    return column.array


def _named(column: "pd.Series[Any]") -> str:
    return f"column {plain(column.name)!r}"


def _cell(column: "pd.Series[Any]", row: int) -> str:
    return f"{_named(column)}, row {column.index[row]}"
