"""Refuse what would not fit, before it is allocated."""

import os
from math import log10

from bnclass.exceptions import MemoryLimitError

_FALLBACK_RAM = 8 * 2**30


def memory_limit() -> int:
    """Return how many bytes one table or count may take: a quarter of the machine's memory.

    Returns
    -------
    int

    Examples
    --------
    >>> from bnclass.statistics.memory import memory_limit
    >>> memory_limit() > 2**20
    True
    """
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
    >>> from bnclass.statistics.memory import require_memory
    >>> require_memory(1000, "a small table")
    """
    n_bytes, limit = 8 * n_cells, memory_limit()
    if n_bytes > limit:
        raise MemoryLimitError(
            f"{what} would need {_gib(n_bytes)} GiB, expected at most {_gib(limit)} GiB "
            f"(a quarter of the memory)"
        )


def _gib(n_bytes: int) -> str:
    if n_bytes < 2**1000:
        return f"{n_bytes / 2**30:.3g}"
    return f"1e+{log10(n_bytes) - log10(2**30):.0f}"  # no float is as large
