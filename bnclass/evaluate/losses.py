"""The frame of losses that tests of significance take, and when two losses are equal."""

from collections.abc import Hashable
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.stats import rankdata

from bnclass.exceptions import DataError, DataTypeError

Floats = npt.NDArray[np.float64]

# Losses are equal up to one part in 2⁴⁰: means of the same numbers may differ by rounding.
SLACK = 2.0**-40


def checked_losses(losses: Any, min_datasets: int = 1) -> pd.DataFrame:
    """Return a frame of losses as floats, or say what is wrong with it.

    Parameters
    ----------
    losses : DataFrame of shape (n_datasets, n_methods)
        Rows are data sets, columns methods; lower is better. Infinite losses are allowed.
    min_datasets : int, default=1

    Returns
    -------
    DataFrame of float64

    Raises
    ------
    DataTypeError
        If it is no frame, or a column holds no numbers.
    DataError
        If there are too few rows, fewer than two columns, a name twice, a missing cell, or -inf.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.evaluate.losses import checked_losses
    >>> checked_losses(pd.DataFrame({"A": [0.1, None], "B": [0.2, 0.3]}, index=["iris", "wine"]))
    Traceback (most recent call last):
        ...
    bnclass.exceptions.DataError: losses of 'A' on 'wine' are missing (1 cell in all), expected a
    number in every cell: losses.dropna() leaves such data sets out
    """
    if not isinstance(losses, pd.DataFrame):
        raise DataTypeError(
            f"losses is a {type(losses).__name__}, expected a pandas DataFrame with a row a data "
            "set and a column a method"
        )
    _refuse_sizes(losses, min_datasets)
    for what, names in (("method", losses.columns), ("data set", losses.index)):
        if names.has_duplicates:
            twice = names[names.duplicated()].tolist()[0]
            raise DataError(f"losses has the {what} {twice!r} more than once")
    numbers = pd.DataFrame({name: _numbers(losses[name]) for name in losses}, losses.index)
    numbers.columns = losses.columns
    _refuse_holes(numbers, numbers.isna(), "missing", ": losses.dropna() leaves such data sets out")
    _refuse_holes(numbers, numbers == -np.inf, "-inf", " that is a loss")
    return numbers


def two_of(losses: Any, method: Hashable, other: Hashable) -> pd.DataFrame:
    """Return the columns of two methods, checked; other columns have no say.

    Parameters
    ----------
    losses : DataFrame of shape (n_datasets, n_methods)
    method, other : hashable
        Names of two columns.

    Returns
    -------
    DataFrame of shape (n_datasets, 2), float64

    Raises
    ------
    DataError
        If there is no such method, both are the same, or `checked_losses` refuses.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.evaluate.losses import two_of
    >>> frame = pd.DataFrame({"A": [0.1], "B": [None], "C": [0.2]})
    >>> two_of(frame, "C", "A")
         C    A
    0  0.2  0.1
    """
    if isinstance(losses, pd.DataFrame):
        for name in (method, other):
            if name not in losses.columns:
                known = ", ".join(map(repr, losses.columns))
                raise DataError(f"losses has no method {name!r}, expected one of {known}")
        if method == other:
            raise DataError(f"the method {method!r} is compared with itself, expected two methods")
        losses = losses.loc[:, losses.columns.isin([method, other])]
    return checked_losses(losses)[[method, other]]


def refuse_cells(
    losses: pd.DataFrame, refused: npt.NDArray[np.bool_], expected: str, what: str = "loss"
) -> None:
    """Refuse losses in which some cells are of no use, and name the first.

    Parameters
    ----------
    losses : DataFrame of shape (n_datasets, n_methods)
    refused : ndarray of bool, shape (n_datasets, n_methods)
        Which cells are of no use.
    expected : str
        What they should be, and why.
    what : str, default="loss"
        What a cell is.

    Raises
    ------
    DataError
        If a cell is refused.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.evaluate.losses import refuse_cells
    >>> losses = pd.DataFrame({"A": [0.1, 2.0]}, index=["iris", "wine"])
    >>> refuse_cells(losses, losses.to_numpy() > 1, "at most 1")
    Traceback (most recent call last):
        ...
    bnclass.exceptions.DataError: the loss of 'A' on 'wine' is 2.0, expected at most 1
    """
    rows, columns = np.nonzero(refused)
    if rows.size:
        row, column = rows[0], columns[0]
        dataset, method = losses.index.tolist()[row], losses.columns.tolist()[column]
        cell = losses.to_numpy()[row, column]
        raise DataError(f"the {what} of {method!r} on {dataset!r} is {cell}, expected {expected}")


def tied_ranks(values: Floats, slack: Floats | float) -> Floats:
    """Return ranks from 1, where values that are equal up to a slack share their mean.

    Parameters
    ----------
    values : ndarray of shape (n,)
    slack : float or ndarray of shape (n,)
        How far the next greater value may be from each and still be equal.

    Returns
    -------
    ndarray of shape (n,), float64

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.evaluate.losses import tied_ranks
    >>> tied_ranks(np.array([0.3, 0.1 + 0.2, 0.1]), 1e-12)
    array([2.5, 2.5, 1. ])
    """
    order = np.argsort(values, kind="stable")
    ascending = values[order]
    reach = ascending + np.broadcast_to(slack, values.shape)[order]
    groups = np.empty(len(values), dtype=np.intp)
    groups[order] = np.concatenate([[0], np.cumsum(ascending[1:] > reach[:-1])])
    return np.asarray(rankdata(groups))


def row_ranks(losses: pd.DataFrame) -> pd.DataFrame:
    """Return the rank of every method on every data set: 1 is the lowest loss.

    Parameters
    ----------
    losses : DataFrame of shape (n_datasets, n_methods)
        From `checked_losses`.

    Returns
    -------
    DataFrame of shape (n_datasets, n_methods), float64
        Equal losses share the mean of their ranks.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.evaluate.losses import row_ranks
    >>> row_ranks(pd.DataFrame({"A": [0.1], "B": [0.2], "C": [0.1]}))
         A    B    C
    0  1.5  3.0  1.5
    """
    ranks = [tied_ranks(row, SLACK * np.abs(row)) for row in losses.to_numpy()]
    return pd.DataFrame(np.array(ranks), losses.index, losses.columns)


def real(number: Any) -> bool:
    """Return whether something is a real number: no bool, no text, no nan.

    Parameters
    ----------
    number : object

    Returns
    -------
    bool

    Examples
    --------
    >>> from bnclass.evaluate.losses import real
    >>> [real(number) for number in (1, 0.5, "1", True, float("nan"))]
    [True, True, False, False, False]
    """
    kinds = (int, float, np.integer, np.floating)
    return isinstance(number, kinds) and not isinstance(number, bool) and number == number


def numbers_of(cells: Any, what: str) -> Floats:
    """Return an array of floats, or say that something holds none.

    Parameters
    ----------
    cells : array-like
    what : str
        How an error calls the array.

    Returns
    -------
    ndarray of float64

    Raises
    ------
    DataTypeError
        If it holds no numbers, or rows of different lengths.

    Examples
    --------
    >>> from bnclass.evaluate.losses import numbers_of
    >>> numbers_of([["x"]], "losses")
    Traceback (most recent call last):
        ...
    bnclass.exceptions.DataTypeError: losses holds no numbers: could not convert string to
    float: 'x'
    """
    try:
        return np.asarray(cells, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataTypeError(f"{what} holds no numbers: {error}") from None


def _refuse_sizes(losses: pd.DataFrame, min_datasets: int) -> None:
    rows, columns = losses.shape
    if columns < 2:
        raise DataError(f"losses has {columns} methods, expected at least 2 columns")
    if rows < min_datasets:
        raise DataError(f"losses has {rows} data sets, expected at least {min_datasets} rows")


def _numbers(column: "pd.Series[Any]") -> Floats:
    dtype = column.dtype
    if (
        not pd.api.types.is_numeric_dtype(dtype)
        or pd.api.types.is_bool_dtype(dtype)
        or pd.api.types.is_complex_dtype(dtype)
    ):
        raise DataTypeError(f"losses of {column.name!r} have the dtype {dtype}, expected numbers")
    return column.to_numpy(dtype=np.float64, na_value=np.nan)


def _refuse_holes(numbers: pd.DataFrame, refused: pd.DataFrame, what: str, advice: str) -> None:
    rows, columns = np.nonzero(refused.to_numpy())
    if rows.size:
        row, column = numbers.index.tolist()[rows[0]], numbers.columns.tolist()[columns[0]]
        cells = f"{rows.size} cell{'s' if rows.size > 1 else ''} in all"
        raise DataError(
            f"losses of {column!r} on {row!r} are {what} ({cells}), expected a number in every "
            f"cell{advice}"
        )
