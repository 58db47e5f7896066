"""Work on spans of rows or columns in threads; compiled loops let go of the interpreter's lock."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor


def in_spans(n: int, span: int, work: Callable[[int, int], None]) -> None:
    """Call ``work(begin, end)`` for all spans of 0 … n, in threads if there are several.

    Parameters
    ----------
    n : int
    span : int
        Length of each span but the last.
    work : callable
        Must not depend on the order of the calls.

    Examples
    --------
    >>> from bnclass.statistics.threads import in_spans
    >>> seen = []
    >>> in_spans(5, 2, lambda begin, end: seen.append((begin, end)))
    >>> sorted(seen)
    [(0, 2), (2, 4), (4, 5)]
    """
    begins = range(0, n, span)

    def run(begin: int) -> None:
        work(begin, min(begin + span, n))

    if len(begins) < 2:
        list(map(run, begins))
        return
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(run, begins))


def share_of(n: int, cost: int) -> int:
    """Return a span that gives every processor a share, or all of it to one if it is little.

    Parameters
    ----------
    n : int
        Number of rows or columns.
    cost : int
        Numbers to look at in each.

    Returns
    -------
    int
        At least 1.

    Examples
    --------
    >>> from bnclass.statistics.threads import share_of
    >>> share_of(10, 100)
    10
    """
    if n * cost < _LITTLE:
        return max(n, 1)
    return max(-(-n // (os.cpu_count() or 1)), 1)


_LITTLE = 2**18
