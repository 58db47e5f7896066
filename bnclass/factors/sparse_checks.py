"""What the parts of a sparse table must be."""

from typing import Any

import numpy as np
import numpy.typing as npt

from bnclass.exceptions import FactorError
from bnclass.factors.axes import as_numbers
from bnclass.factors.base import Factor, Floats
from bnclass.statistics.configurations import Configurations

_TOLERANCE = 1e-9


def checked_codes(
    factor: Factor, what: str, codes: Any, cards: tuple[int, ...]
) -> npt.NDArray[np.int32]:
    """Return a copy of configurations, one column a card.

    Parameters
    ----------
    factor : Factor
        Named in refusals, as is `what`.
    what : str
    codes : array-like of shape (n, len(cards)), int
    cards : tuple of int

    Returns
    -------
    ndarray of shape (n, len(cards)), int32

    Raises
    ------
    FactorError
        If they are of another shape, or a code stands for no state.
    """
    array = np.asarray(codes)
    if not array.size:
        array = np.empty((len(array), len(cards)), dtype=np.int32)
    if array.dtype.kind not in "iu" or array.ndim != 2 or array.shape[1] != len(cards):
        raise FactorError(
            f"{factor}: {what} of shape {array.shape} and dtype {array.dtype}, expected "
            f"{len(cards)} columns of whole numbers"
        )
    if array.size and ((array < 0) | (array >= np.array(cards))).any():
        raise FactorError(f"{factor}: a code in the {what} is negative or too large")
    return array.astype(np.int32)


def checked_numbers(factor: Factor, what: str, numbers: Any, n: int) -> Floats:
    """Return a copy of n probabilities.

    Parameters
    ----------
    factor : Factor
    what : str
    numbers : array-like of shape (n,), float
    n : int

    Returns
    -------
    ndarray of shape (n,), float64

    Raises
    ------
    FactorError
        If there are not n, or one is negative or not finite.
    """
    array = as_numbers(factor, what, numbers)
    if array.shape != (n,):
        raise FactorError(f"{factor}: {what} of shape {array.shape}, expected {(n,)}")
    if n and not (array.min() >= 0 and np.isfinite(array.max())):
        raise FactorError(f"{factor}: found an entry that is negative or not a number")
    return array


def distinct_places(
    factor: Factor, what: str, codes: npt.NDArray[np.int32], cards: tuple[int, ...]
) -> npt.NDArray[np.int64]:
    """Return the place of each of some distinct configurations in lexicographic order.

    Parameters
    ----------
    factor : Factor
    what : str
    codes : ndarray of shape (n, len(cards)), int32
    cards : tuple of int

    Returns
    -------
    ndarray of shape (n,), int64

    Raises
    ------
    FactorError
        If one occurs twice.
    """
    found, which = Configurations.of_rows(list(codes.T), cards)
    if len(found) < len(codes):
        raise FactorError(f"{factor}: a {what} occurs twice, expected each once")
    return which


def require_sums(factor: Factor, sums: Floats) -> None:
    """Raise if a row of a table misses the sum 1.

    Parameters
    ----------
    factor : Factor
    sums : ndarray of shape (n_rows,), float64

    Raises
    ------
    FactorError
    """
    worst = np.abs(sums - 1).max()
    if not worst <= _TOLERANCE:
        raise FactorError(f"{factor}: a row of the table misses the sum 1 by {worst:.3g}")
