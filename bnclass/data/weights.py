"""Row weights: numbers of rows, checked once."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.utils.validation import _check_sample_weight

from bnclass.data.columns import Floats
from bnclass.exceptions import DataError

# Products of two counts stay well inside double precision.
_LEAST, _MOST = 1e-100, 1e100

# Sums of fractional weights that are equal differ by rounding, which the order of rows decides.
_SLACK = 2.0**-40


def checked_weights(
    sample_weight: Any, frame: pd.DataFrame, *, none_may_count: bool = False
) -> Floats | None:
    """Return the weights of the rows, or ``None`` if every row counts once.

    Parameters
    ----------
    sample_weight : array-like of shape (n_rows,), scalar or None
    frame : pandas.DataFrame of shape (n_rows, n_columns)
    none_may_count : bool, default=False
        Whether all weights may be 0, as they may in a chunk.

    Returns
    -------
    ndarray of shape (n_rows,), float64, or None

    Raises
    ------
    ValueError
        If a weight is negative, missing or infinite, or there is not one a row
        (scikit-learn's messages).
    DataError
        If a positive weight is below 1e-100 or above 1e100.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.data.weights import checked_weights
    >>> checked_weights([1, 0], pd.DataFrame({"a": ["u", "v"]}))
    array([1., 0.])
    """
    if sample_weight is None:
        return None
    if none_may_count and np.shape(sample_weight) == (len(frame),) and not np.any(sample_weight):
        return np.zeros(len(frame))  # scikit-learn refuses them
    weights: Floats = _check_sample_weight(
        sample_weight, frame, dtype=np.float64, ensure_non_negative=True
    )
    require_moderate("sample_weight", weights)
    return weights


def require_moderate(what: str, weights: Floats) -> None:
    """Refuse weights whose products could leave double precision.

    Parameters
    ----------
    what : str
        Names the weights, for the message.
    weights : ndarray of shape (n_rows,), float64

    Raises
    ------
    DataError
        If a positive weight is below 1e-100 or above 1e100.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.data.weights import require_moderate
    >>> require_moderate("sample_weight", np.array([0.0, 2.5]))
    """
    extreme = (weights > _MOST) | ((weights > 0) & (weights < _LEAST))
    if extreme.any():
        row = int(extreme.argmax())
        raise DataError(
            f"{what}, row {row}: found {weights[row]}, expected 0 or a number from "
            f"{_LEAST:g} to {_MOST:g}"
        )


def reaches(counts: npt.NDArray[Any], least: float) -> npt.NDArray[np.bool_]:
    """Return which counts are at least `least`, up to a rounding of 2⁻⁴⁰ of it.

    Parameters
    ----------
    counts : ndarray of numbers
        Sums of row weights.
    least : float
        Not negative.

    Returns
    -------
    ndarray of the shape of `counts`, bool

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.data.weights import reaches
    >>> reaches(np.array([0.7 + 0.2 + 0.1, 0.9, 1.0]), 1.0)  # the first is 1 - 2**-53
    array([ True, False,  True])
    """
    reached: npt.NDArray[np.bool_] = np.asarray(counts) >= least * (1 - _SLACK)
    return reached


def same_counts(counts: Floats, others: Floats) -> npt.NDArray[np.bool_]:
    """Return which counts are equal, up to a rounding of 2⁻⁴⁰ of them.

    Parameters
    ----------
    counts, others : ndarrays that broadcast, float64
        Sums of row weights.

    Returns
    -------
    ndarray, bool

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.data.weights import same_counts
    >>> same_counts(np.array([0.7 + 0.2 + 0.1, 0.9]), np.array([1.0, 1.0]))
    array([ True, False])
    """
    same: npt.NDArray[np.bool_] = np.abs(counts - others) <= _SLACK * np.maximum(counts, others)
    return same
