"""Labels that were predicted, beside the true ones."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from bnclass.data.columns import value_kind
from bnclass.data.labels import plain_labels
from bnclass.exceptions import DataError

Labels = npt.NDArray[Any]


def true_labels(y: Any) -> Labels:
    """Return the true labels, of which there must be some.

    Parameters
    ----------
    y : array-like of shape (n_rows,)

    Returns
    -------
    ndarray of shape (n_rows,)

    Raises
    ------
    DataError
        If there is no row, or a label is missing.

    Examples
    --------
    >>> from bnclass.evaluate.labels import true_labels
    >>> true_labels(["a", "b"])
    array(['a', 'b'], dtype='<U1')
    """
    labels = _plain(y, "y")
    if not len(labels):
        raise DataError("y has no rows, expected at least one")
    return labels


def predicted_labels(predicted: Any, y: Labels, what: str) -> Labels:
    """Return predicted labels, one a row and of the kind of the true ones.

    Parameters
    ----------
    predicted : array-like of shape (n_rows,)
    y : ndarray of shape (n_rows,)
        From `true_labels`.
    what : str
        How an error calls the predicted labels.

    Returns
    -------
    ndarray of shape (n_rows,)

    Raises
    ------
    DataError
        If a label is missing or of another kind, or their number is not that of `y`.

    Examples
    --------
    >>> from bnclass.evaluate.labels import predicted_labels, true_labels
    >>> predicted_labels([1, 2], true_labels(["a", "b"]), "round 3")
    Traceback (most recent call last):
        ...
    bnclass.exceptions.DataError: round 3 holds number, expected text as y does
    """
    labels = _plain(predicted, what)
    if len(labels) != len(y):
        raise DataError(f"{what} has {len(labels)} labels, expected {len(y)} as y has")
    found, expected = (value_kind(pd.Series(a, name=what)) for a in (labels, y))
    if found != expected:
        raise DataError(f"{what} holds {found}, expected {expected} as y does")
    return labels


def _plain(values: Any, what: str) -> Labels:
    missing = np.flatnonzero(pd.isna(pd.Series(values))) if np.ndim(values) == 1 else np.array([])
    if missing.size:
        raise DataError(
            f"{what} has {missing.size} missing labels, the first in row {missing[0]}, "
            "expected a class in every row"
        )
    try:
        return plain_labels(values)
    except ValueError as error:
        raise DataError(str(error) if what == "y" else f"{what}: {error}") from None
