"""Tables of other libraries, and plain rows, as pandas frames."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils.validation import validate_data

from bnclass.data.variables import is_missing_name
from bnclass.exceptions import DataError, DataTypeError


def as_frame(X: Any) -> pd.DataFrame:
    """Return any supported table as a pandas frame, without copying where possible.

    Parameters
    ----------
    X : pandas.DataFrame, polars.DataFrame, mapping of columns or array-like
        Of shape (n_rows, n_columns). Columns of an array are called "x0", "x1", ….

    Returns
    -------
    pandas.DataFrame
        Its rows are numbered from 0, as the messages about them are.

    Raises
    ------
    DataError
        If the table is not two-dimensional, or a column name occurs twice or is missing.
    DataTypeError
        If it is a sparse matrix, or an object of polars other than a DataFrame.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.data.frames import as_frame
    >>> list(as_frame(np.zeros((2, 3))).columns)
    ['x0', 'x1', 'x2']
    """
    if isinstance(X, pd.DataFrame):
        frame = _with_unique_names(X)
    elif type(X).__module__.split(".")[0] == "polars":
        frame = frame_from_polars(X)
    else:
        frame = pd.DataFrame(X) if isinstance(X, Mapping) else frame_from_rows(X)
    _require_names(frame)
    return frame.set_axis(pd.RangeIndex(len(frame)), axis=0)


def validated_frame(estimator: Any, X: Any, *, reset: bool) -> pd.DataFrame:
    """Let scikit-learn check names and shape, and return a frame of raw columns.

    Parameters
    ----------
    estimator : scikit-learn estimator
        Remembers names and number of columns, or is held to those it remembers.
    X : pandas.DataFrame, polars.DataFrame or array-like of shape (n_rows, n_columns)
    reset : bool
        Whether these are the training rows.

    Returns
    -------
    pandas.DataFrame

    Raises
    ------
    DataError
        If there is no row or column, or as `as_frame`.
    ValueError
        By scikit-learn, if names or number of columns are not those of training.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import VectorEncoder
    >>> from bnclass.data.frames import validated_frame
    >>> encoder = VectorEncoder()
    >>> list(validated_frame(encoder, pd.DataFrame({"a": ["u"]}), reset=True))
    ['a']
    >>> encoder.n_features_in_
    1
    """
    if hasattr(X, "columns"):
        frame = as_frame(X)
        validate_data(estimator, frame, reset=reset, skip_check_array=True)
        if 0 in frame.shape:
            raise DataError(
                f"X has {frame.shape[0]} sample(s) and {frame.shape[1]} feature(s), "
                f"expected a minimum of 1 of each"
            )
        return frame
    checked = validate_data(estimator, X, reset=reset, dtype=None, ensure_all_finite=False)
    # One array of a list of mixed rows would be text throughout, "nan" included.
    return as_frame(X if isinstance(X, (list, tuple)) else checked)


def _require_names(frame: pd.DataFrame) -> None:
    for place, name in enumerate(frame.columns.tolist()):
        if is_missing_name(name):
            raise DataError(f"column {place} has the name {name!r}, expected no missing value")


def _with_unique_names(frame: pd.DataFrame) -> pd.DataFrame:
    if not frame.columns.is_unique:
        repeated = frame.columns[frame.columns.duplicated()].unique().tolist()
        raise DataError(f"duplicate column names {repeated!r}, expected each name once")
    return frame


def array_names(n_columns: int) -> list[str]:
    """Return the names that the columns of an array get.

    Parameters
    ----------
    n_columns : int

    Returns
    -------
    list of str

    Examples
    --------
    >>> from bnclass.data.frames import array_names
    >>> array_names(3)
    ['x0', 'x1', 'x2']
    """
    return [f"x{j}" for j in range(n_columns)]


def frame_from_rows(X: Any) -> pd.DataFrame:
    """Return an array, or a list of rows, as a frame with columns "x0", "x1", ….

    Parameters
    ----------
    X : array-like of shape (n_rows, n_columns)
        Each column of a list of rows gets the type of its own cells.

    Returns
    -------
    pandas.DataFrame

    Raises
    ------
    DataError
        If it is not two-dimensional.
    DataTypeError
        If it is a sparse matrix.

    Examples
    --------
    >>> from bnclass.data.frames import frame_from_rows
    >>> frame_from_rows([["a", 1.5], [None, 2.0]])["x1"].tolist()
    [1.5, 2.0]
    """
    if hasattr(X, "toarray"):
        raise DataTypeError(f"found a sparse {type(X).__name__}, expected a dense table")
    # numpy alone would read [["a", 1.5], [nan, 2.0]] as four texts, "nan" among them.
    listed = isinstance(X, (list, tuple))
    array = np.array(X, dtype=object) if listed else np.asarray(X)
    if array.ndim != 2:
        raise DataError(f"expected a table of two dimensions, found {array.ndim}")
    names = array_names(array.shape[1])
    return pd.DataFrame(array.tolist() if listed else array, columns=names, copy=False)


def frame_from_polars(X: Any) -> pd.DataFrame:
    """Return a polars frame as a pandas frame.

    The levels of an Enum are declared. A Categorical declares none: polars shares its
    levels among all frames, so the ones it has seen elsewhere are no part of the column.

    Parameters
    ----------
    X : polars.DataFrame

    Returns
    -------
    pandas.DataFrame

    Raises
    ------
    DataTypeError
        If it is another object of polars, such as a lazy frame.

    Examples
    --------
    >>> import polars as pl
    >>> from bnclass.data.frames import frame_from_polars
    >>> frame_from_polars(pl.DataFrame({"a": [1, None]}))["a"].dtype
    Int64Dtype()
    """
    import polars as pl

    if not isinstance(X, pl.DataFrame):
        raise DataTypeError(f"found a polars {type(X).__name__}, expected a polars DataFrame")
    return pd.DataFrame({name: _from_polars_column(X[name]) for name in X.columns})


def _from_polars_column(column: Any) -> Any:
    import polars as pl

    dtype = column.dtype
    if isinstance(dtype, pl.Enum):
        return pd.Categorical(column.to_list(), categories=dtype.categories.to_list())
    if dtype.is_integer() and column.null_count():
        return pd.array(column.to_list(), dtype=str(dtype))  # pandas gives it the same name
    if dtype.is_numeric():
        return column.to_numpy()
    return pd.Series(column.to_list(), dtype=object)
