"""One column of a raw table: its kind, its states, its codes.

These functions are the only place where pandas, polars and numpy types are
looked at; everything after them sees integer codes and float64 columns.
"""

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from bnclass.data.variables import Kind, Variable
from bnclass.exceptions import DataError, DataTypeError

Codes = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

MISSING = -1
"""The code of a missing or unknown cell."""


def as_frame(X: Any) -> pd.DataFrame:
    """Return any supported table as a pandas frame, without copying where possible.

    Parameters
    ----------
    X : pandas.DataFrame, polars.DataFrame, mapping of columns or array-like
        Of shape (n_rows, n_columns). Columns of an array are called "x0", "x1", ….

    Returns
    -------
    pandas.DataFrame

    Raises
    ------
    DataError
        If the table is not two-dimensional or a column name occurs twice.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.data.columns import as_frame
    >>> list(as_frame(np.zeros((2, 3))).columns)
    ['x0', 'x1', 'x2']
    """
    if isinstance(X, pd.DataFrame):
        return _with_unique_names(X)
    if type(X).__module__.split(".")[0] == "polars":
        return _with_unique_names(_from_polars(X))
    if isinstance(X, Mapping):
        return pd.DataFrame(X)
    array = np.asarray(X)
    if array.ndim != 2:
        raise DataError(f"expected a table of two dimensions, found {array.ndim}")
    return pd.DataFrame(array, columns=[f"x{j}" for j in range(array.shape[1])], copy=False)


def _with_unique_names(frame: pd.DataFrame) -> pd.DataFrame:
    if not frame.columns.is_unique:
        repeated = frame.columns[frame.columns.duplicated()].unique().tolist()
        raise DataError(f"duplicate column names {repeated!r}, expected each name once")
    return frame


def _from_polars(frame: Any) -> pd.DataFrame:
    return pd.DataFrame({name: _from_polars_column(frame[name]) for name in frame.columns})


def _from_polars_column(column: Any) -> Any:
    if hasattr(column.dtype, "categories") or str(column.dtype).startswith("Categorical"):
        levels = column.cat.get_categories().to_list()
        return pd.Categorical(column.cast(str).to_list(), categories=levels)
    if column.dtype.is_numeric():
        return column.to_numpy()
    return pd.Series(column.to_list(), dtype=object)


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
        f"column {column.name!r} has dtype {dtype}, expected numbers, bool, text or category"
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
        If a cell is infinite; the message names column and row.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.data.columns import numeric_values
    >>> numeric_values(pd.Series([1, None, 3], dtype="Int64"))
    array([ 1., nan,  3.])
    """
    values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    infinite = np.isinf(values)
    if infinite.any():
        row = int(infinite.argmax())
        raise DataError(
            f"column {column.name!r}, row {row}: found {values[row]}, expected a finite number"
        )
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
        If the column mixes bools, numbers and text.
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
    if isinstance(column.dtype, pd.CategoricalDtype):
        return tuple(map(plain, column.dtype.categories))
    value_kind(column)
    if pd.api.types.is_float_dtype(column.dtype):
        numeric_values(column)  # refuses infinities
    values: list[Any] = [plain(v) for v in pd.unique(column.dropna())]
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
        If the cells are of more than one kind.
    DataTypeError
        If a cell is of none.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.data.columns import value_kind
    >>> value_kind(pd.Series([True, None], dtype=object))
    'bool'
    """
    types = pd.api.types
    if isinstance(column.dtype, pd.CategoricalDtype):
        return _kind_of_values(column.name, column.dtype.categories)
    if types.is_bool_dtype(column.dtype):
        return "bool"
    if types.is_numeric_dtype(column.dtype):
        return "number"
    if types.is_object_dtype(column.dtype):
        return _kind_of_cells(column)
    return "text"


def _kind_of_cells(column: "pd.Series[Any]") -> str | None:
    cells = column.to_numpy()
    observed = np.flatnonzero(~pd.isna(cells))
    for cell_type in set(map(type, cells[observed])):
        if _kind_of_type(cell_type) is None:
            row = next(int(i) for i in observed if type(cells[i]) is cell_type)
            raise DataTypeError(
                f"column {column.name!r}, row {row}: argument must be a string, a bool or a "
                f"number, found {cell_type.__name__} {cells[row]!r}"
            )
    kind = _kind_of_values(column.name, cells[observed])
    if kind == "number" and np.isinf(cells[observed].astype(np.float64)).any():
        numeric_values(column)  # names the row
    return kind


def _kind_of_type(cell_type: type) -> str | None:
    if issubclass(cell_type, (bool, np.bool_)):
        return "bool"
    if issubclass(cell_type, (int, float, np.integer, np.floating)):
        return "number"
    return "text" if issubclass(cell_type, str) else None


def _kind_of_values(name: Hashable, values: Iterable[Any]) -> str | None:
    kinds = sorted({str(_kind_of_type(t)) for t in set(map(type, values))})
    if len(kinds) > 1:
        raise DataError(f"column {name!r} mixes {' and '.join(kinds)}, expected values of one kind")
    return kinds[0] if kinds else None


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
    if variable.cuts is not None and value_kind(column) in ("number", None):
        codes = bin_codes(numeric_values(column), variable.cuts)
    else:
        codes = _state_codes(column, variable)
        if variable.cuts is not None:
            _require_known_bins(column, codes)
    if variable.fill is not None:
        codes[codes == MISSING] = variable.fill
    return codes


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


def _state_codes(column: "pd.Series[Any]", variable: Variable) -> Codes:
    plain_states = [s for i, s in enumerate(variable.states) if i != variable.fill] or list(
        variable.states
    )
    _require_same_kind(column, variable, plain_states)
    index = _state_index(variable.states)
    if isinstance(column.dtype, pd.CategoricalDtype):
        levels = _lookup(index, pd.Index(column.dtype.categories))
        return np.append(levels, np.int32(MISSING))[column.cat.codes.to_numpy()]
    codes = _lookup(index, pd.Index(column.array))
    codes[column.isna().to_numpy()] = MISSING
    return codes


def _require_known_bins(column: "pd.Series[Any]", codes: Codes) -> None:
    unknown = (codes == MISSING) & ~column.isna().to_numpy()
    if unknown.any():
        row = int(unknown.argmax())
        raise DataError(
            f"column {column.name!r}, row {row}: found text {column.iloc[row]!r}, expected a "
            f"number or the name of a bin"
        )


def _state_index(states: tuple[Hashable, ...]) -> "pd.Index[Any]":
    # An object index compares 1 and True as equal, which _require_same_kind has excluded.
    return pd.Index(pd.array(list(states), dtype=object)).infer_objects()


def _lookup(index: "pd.Index[Any]", values: "pd.Index[Any]") -> Codes:
    return index.get_indexer(values).astype(np.int32)


def _require_same_kind(
    column: "pd.Series[Any]", variable: Variable, states: list[Hashable]
) -> None:
    found = value_kind(column)
    expected = {_kind_of_type(type(s)) for s in states}
    if found is None or len(expected) > 1 or expected == {None} or found in expected:
        return
    raise DataError(
        f"column {column.name!r} holds {found}, expected {expected.pop()} as in training"
    )
