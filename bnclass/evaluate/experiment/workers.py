"""The processes that work for a run: what breaks them is told, and none outlives the run."""

import os
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pickle import PicklingError
from typing import Any

from joblib.externals.loky.backend.reduction import dumps

from bnclass.exceptions import BnclassError, one_line

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
    >>> from bnclass.evaluate.experiment.workers import end_with
    >>> end_with(os.getpid())
    """
    if parent in (os.getpid(), *_watching):
        return
    _watching.add(parent)
    threading.Thread(target=_watch, args=(os.getppid(),), daemon=True).start()


@contextmanager
def broken_workers_told(models: Mapping[str, Any]) -> Iterator[None]:
    """Say in one line what keeps several processes from working.

    Parameters
    ----------
    models : mapping of str to classifier

    Raises
    ------
    BnclassError
        If a worker was killed, or a model cannot be sent to one.

    Examples
    --------
    >>> from pickle import PicklingError
    >>> from bnclass.evaluate.experiment.workers import broken_workers_told
    >>> with broken_workers_told({"A": (rows for rows in [])}):
    ...     raise PicklingError("no generators")
    Traceback (most recent call last):
        ...
    bnclass.exceptions.BnclassError: estimators A: cannot be sent to another process (no
    generators), expected what can be pickled, or n_jobs=1
    """
    try:
        yield
    except BrokenProcessPool as error:
        raise BnclassError(
            f"a process that fits was ended, or could not start ({one_line(str(error))}), expected "
            "it to go on; with a folder the same call does the rest, with fewer n_jobs in less "
            "memory"
        ) from None
    except PicklingError as error:
        culprits = [name for name, model in models.items() if not _travels(model)]
        what = f"estimators {', '.join(culprits)}" if culprits else "the data"
        problem = one_line(str(error.__cause__ or error))
        raise BnclassError(
            f"{what}: cannot be sent to another process ({problem}), "
            "expected what can be pickled, or n_jobs=1"
        ) from None


def _travels(model: Any) -> bool:
    try:
        dumps(model)
    except Exception:
        return False
    return True


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
