"""From the raw cells of one column to integer codes, or to numbers."""

from collections.abc import Hashable
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from bnclass.data.columns import (
    Floats,
    is_whole,
    kinds_of,
    named_cell,
    numeric_values,
    require_kind,
    value_kind,
)
from bnclass.data.variables import LARGEST_NUMBER, Variable
from bnclass.exceptions import DataError

Codes = npt.NDArray[np.int32]

MISSING = -1
"""The code of a missing or unknown cell."""


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
    >>> from bnclass.data.codes import encode_column
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
    >>> from bnclass.data.codes import encode_number
    >>> encode_number(pd.Series([1, None]), Variable("v", "continuous", fill=2.5))
    array([1. , 2.5])
    """
    if column.dtype == np.float64:
        values = np.ascontiguousarray(column.to_numpy())  # of a row-wise array: read once
    else:
        require_kind(column, "number")
        values = numeric_values(column)
    largest = max(np.fmax.reduce(values, initial=0.0), -np.fmin.reduce(values, initial=0.0))
    if largest > LARGEST_NUMBER:
        row = int((np.abs(values) > LARGEST_NUMBER).argmax())
        raise DataError(
            f"{named_cell(column, row)}: found {values[row]}, expected at most "
            f"{LARGEST_NUMBER:g} in magnitude"
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
    >>> from bnclass.data.codes import bin_codes
    >>> bin_codes(np.array([1.0, 2.0, 2.5, np.nan]), (2.0,))
    array([ 0,  0,  1, -1], dtype=int32)
    """
    codes = np.searchsorted(np.asarray(cuts, dtype=np.float64), values).astype(np.int32)
    codes[np.isnan(values)] = MISSING
    return codes


def state_codes(column: "pd.Series[Any]", states: tuple[Hashable, ...]) -> Codes:
    """Return the place of each cell among some states, -1 where it is none of them.

    Parameters
    ----------
    column : pandas.Series of length n_rows
        Of the same kind of values as the states.
    states : tuple

    Returns
    -------
    ndarray of shape (n_rows,), int32

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.data.codes import state_codes
    >>> state_codes(pd.Series([2, 7]), (1, 2))
    array([ 1, -1], dtype=int32)
    """
    # An object index takes 1 and True for the same, which `require_kind` has excluded.
    index = pd.Index(pd.array(list(states), dtype=object)).infer_objects()
    if isinstance(column.dtype, pd.CategoricalDtype):
        levels = index.get_indexer(column.dtype.categories)
        return np.append(levels, MISSING)[column.cat.codes.to_numpy()].astype(np.int32)
    if column.dtype == np.float16:
        column = column.astype(np.float32)  # pandas has no index of half-precision numbers
    codes = index.get_indexer(pd.Index(_exact_cells(column))).astype(np.int32)
    if not is_whole(column):
        codes[column.isna().to_numpy()] = MISSING
    return codes


def _codes_of_states(column: "pd.Series[Any]", variable: Variable) -> Codes:
    own = [s for i, s in enumerate(variable.states) if i != variable.fill] or variable.states
    expected = kinds_of(own)
    if len(expected) == 1:  # states read from elsewhere may be of several kinds
        require_kind(column, expected.pop())
    return state_codes(column, variable.states)


def _codes_of_numbers(column: "pd.Series[Any]", variable: Variable) -> Codes:
    assert variable.cuts is not None
    if value_kind(column) == "text":
        codes = state_codes(column, variable.states)
        _require_known_bins(column, codes)
        return codes
    require_kind(column, "number")
    return bin_codes(numeric_values(column), variable.cuts)


def _require_known_bins(column: "pd.Series[Any]", codes: Codes) -> None:
    unknown = (codes == MISSING) & ~column.isna().to_numpy()
    if unknown.any():
        row = int(unknown.argmax())
        raise DataError(
            f"{named_cell(column, row)}: found text {column.iloc[row]!r}, expected a number or the "
            f"name of a bin"
        )


def _exact_cells(column: "pd.Series[Any]") -> Any:
    """Return the cells for a look-up; pandas compares nullable integers as floats."""
    whole = getattr(column.dtype, "numpy_dtype", None)
    if whole is not None and whole.kind in "iu":
        return column.to_numpy(dtype=whole, na_value=0)  # missing cells are marked afterwards
    return column.array
