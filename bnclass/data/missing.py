"""What a missing cell becomes: the four policies of the `missing` parameter."""

import math
from collections.abc import Container, Hashable

import numpy as np
import pandas as pd

from bnclass.data.codes import MISSING, Codes
from bnclass.data.columns import Floats
from bnclass.data.weights import reaches
from bnclass.exceptions import DataError

MISSING_POLICIES: tuple[str, ...] = ("marginalize", "state", "impute", "error")


def states_and_fill(
    policy: str, states: tuple[Hashable, ...], codes: Codes, weights: Floats
) -> tuple[tuple[Hashable, ...], int | None]:
    """Return a discrete attribute's states and the code its missing cells take.

    Parameters
    ----------
    policy : {"marginalize", "state", "impute", "error"}
    states : tuple
        The domain without any state for missing cells.
    codes : ndarray of shape (n_rows,), int32
        Training codes, -1 where missing.
    weights : ndarray of shape (n_rows,), float64

    Returns
    -------
    states : tuple
        With one more state under "state" if a training cell is missing.
    fill : int or None

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.data.missing import states_and_fill
    >>> states_and_fill("state", ("u", "v"), np.array([0, -1, 1], np.int32), np.ones(3))
    (('u', 'v', 'missing'), 2)
    >>> states_and_fill("impute", ("u", "v"), np.array([1, -1, 1], np.int32), np.ones(3))
    (('u', 'v'), 1)
    """
    if policy == "state" and (codes == MISSING).any():
        return (*states, free_name("missing", states)), len(states)
    if policy == "impute":
        seen = codes != MISSING
        counts = np.bincount(codes[seen], weights[seen]).astype(np.float64)
        return states, int(reaches(counts, counts.max()).argmax())
    return states, None


def mean_of_observed(values: Floats, weights: Floats) -> float:
    """Return the weighted mean of the numbers that are not NaN.

    The order of the rows changes no bit of it, nor do whole weights (below 2²⁶) in place
    of repeated rows.

    Parameters
    ----------
    values : ndarray of shape (n_rows,), float64
        Finite, or NaN where missing; one at least is observed.
    weights : ndarray of shape (n_rows,), float64
        Positive.

    Returns
    -------
    float

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.data.missing import mean_of_observed
    >>> mean_of_observed(np.array([1.0, np.nan, 4.0]), np.array([2.0, 1.0, 1.0]))
    2.0
    """
    seen = ~np.isnan(values)
    # Shares of at most ½ keep the sums in range; dividing by a power of 2 rounds nothing.
    shares = weights[seen] / 2.0 ** (np.ceil(np.log2(weights[seen].sum())) + 1)
    total = math.fsum(shares)
    products = _products(values[seen], shares)
    mean = math.fsum(products) / total
    # What is left over takes the rounding off: the mean of equal numbers is that number.
    opposite = _products(np.full(len(shares), -mean), shares)
    return mean + math.fsum(np.concatenate([products, opposite])) / total


def _products(values: Floats, shares: Floats) -> Floats:
    return np.concatenate([half * shares for half in _halves(values)])


def _halves(numbers: Floats) -> tuple[Floats, Floats]:
    """Return two numbers of half as many digits that add up to each.

    Their products with whole numbers below 2²⁶ are exact.
    """
    high = (numbers.view(np.int64) & -(2**27)).view(np.float64)
    return high, numbers - high


def refuse_missing(frame: pd.DataFrame) -> None:
    """Raise a `DataError` that counts the missing cells of each column, if there are any.

    Parameters
    ----------
    frame : pandas.DataFrame

    Raises
    ------
    DataError

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.data.missing import refuse_missing
    >>> refuse_missing(pd.DataFrame({"a": [1.0, 2.0]}))
    """
    counts = dict(zip(frame.columns.tolist(), frame.isna().sum(), strict=True))
    if any(counts.values()):
        listed = ", ".join(f"{name!r}: {n}" for name, n in counts.items() if n)
        raise DataError(f"missing cells ({listed}), expected none because missing='error'")


def free_name(wanted: str, taken: Container[object]) -> str:
    """Return `wanted`, with underscores appended until it is in `taken` no more.

    Parameters
    ----------
    wanted : str
    taken : container

    Returns
    -------
    str

    Examples
    --------
    >>> from bnclass.data.missing import free_name
    >>> free_name("class", ("class", "class_"))
    'class__'
    """
    while wanted in taken:
        wanted += "_"
    return wanted
