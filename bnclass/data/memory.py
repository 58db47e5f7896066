"""Refuse what would not fit, before it is allocated."""

import os
from math import log10
from numbers import Real

from bnclass.exceptions import BnclassError, MemoryLimitError

_FALLBACK_RAM = 8 * 2**30


_chosen: int | None = None  # by the user, for the whole process


def set_max_memory(n_bytes: int | None) -> None:
    """Set how many bytes the tables of a model, or a count, may take in this process.

    What would pass the limit is refused before it is allocated, with its name and size. The
    text of a file that is read, unpacked, may take an eighth of it, and what is made of the
    text all of it.

    Parameters
    ----------
    n_bytes : int or None
        ``None`` goes back to a quarter of the machine's memory.

    Raises
    ------
    BnclassError
        If it is no positive whole number.

    Examples
    --------
    >>> import bnclass as bc
    >>> bc.set_max_memory(2 * 2**30)
    >>> bc.set_max_memory(None)
    """
    global _chosen  # noqa: PLW0603 - one setting for all threads of the process
    number = isinstance(n_bytes, Real) and not isinstance(n_bytes, bool)
    if n_bytes is not None and not (number and n_bytes > 0 and n_bytes == n_bytes // 1):
        raise BnclassError(
            f"max_memory is {n_bytes!r}, expected None or a positive whole number of bytes"
        )
    _chosen = None if n_bytes is None else int(n_bytes)


def memory_limit() -> int:
    """Return how many bytes a model's tables, or a count, may take.

    Returns
    -------
    int
        A quarter of the machine's memory, unless `set_max_memory` has said otherwise.

    Examples
    --------
    >>> from bnclass.data.memory import memory_limit
    >>> memory_limit() > 2**20
    True
    """
    if _chosen is not None:
        return _chosen
    try:
        ram = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not a POSIX system
        ram = _FALLBACK_RAM
    return ram // 4


def require_memory(n_cells: int, what: str) -> None:
    """Raise if an array of `n_cells` float64 cells would pass the limit.

    Parameters
    ----------
    n_cells : int
    what : str
        Names the array, for the message.

    Raises
    ------
    MemoryLimitError

    Examples
    --------
    >>> from bnclass.data.memory import require_memory
    >>> require_memory(1000, "a small table")
    """
    n_bytes, limit = 8 * n_cells, memory_limit()
    if n_bytes > limit:
        origin = "a quarter of the memory" if _chosen is None else "as set by set_max_memory"
        raise MemoryLimitError(
            f"{what} would need {_gib(n_bytes)} GiB, expected at most {_gib(limit)} GiB ({origin})"
        )


def _gib(n_bytes: int) -> str:
    if n_bytes < 2**1000:
        return f"{n_bytes / 2**30:.3g}"
    return f"1e+{log10(n_bytes) - log10(2**30):.0f}"  # no float is as large
