"""What arrays of statistics must be: read-only, in one layout, and within range."""

from typing import Any

import numpy as np
import numpy.typing as npt

from bnclass.exceptions import DataError

Floats = npt.NDArray[np.float64]


def locked(array: Floats) -> Floats:
    """Return a read-only view in C order: numpy adds in memory's order, so layout shows in bits.

    Parameters
    ----------
    array : ndarray
        Stays writable itself; copied only if it is no float64 array in C order.

    Returns
    -------
    ndarray of the same shape, float64

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.statistics.arrays import locked
    >>> locked(np.ones((2, 3)).T).flags.writeable
    False
    """
    view = np.asarray(array, dtype=np.float64, order="C").view()
    view.setflags(write=False)  # the caller's own array stays as it is
    return view


def require_within(what: str, codes: npt.NDArray[Any], least: int, end: int) -> None:
    """Raise unless all codes are at least `least` and below `end`.

    Parameters
    ----------
    what : str
        Names a code, for the message.
    codes : ndarray of int
    least, end : int

    Raises
    ------
    DataError

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.statistics.arrays import require_within
    >>> require_within("label", np.array([0, 1, -1]), -1, 2)
    """
    # The loops over rows index with these numbers unchecked.
    if codes.size and not (least <= codes.min() and codes.max() < end):
        raise DataError(
            f"found {what}s from {codes.min()} to {codes.max()}, expected {least} to {end - 1}"
        )
