"""Workers that do not outlive the process they work for, however that one ends."""

import os
import threading
import time

_watching: set[int] = set()


def end_with(parent: int) -> None:
    """End this process when another one, its parent, has ended; in the parent, do nothing.

    A parent that is killed cannot tell its workers. They would wait for it, for minutes, each
    with all that it has loaded.

    Parameters
    ----------
    parent : int
        The parent's process number.

    Examples
    --------
    >>> import os
    >>> from bnclass.evaluate.experiment.orphans import end_with
    >>> end_with(os.getpid())
    """
    if parent in (os.getpid(), *_watching):
        return
    _watching.add(parent)
    threading.Thread(target=_watch, args=(os.getppid(),), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
