"""The errors and the warning of bnclass.

Every refusal is a `BnclassError`, which is a `ValueError`, so that code written
against scikit-learn's conventions catches it unchanged. A message names the
offender (file, column, row, node), what was found and what was expected.
"""

import sys
import warnings
from collections.abc import Hashable
from pathlib import Path

_LONGEST = 500
_PACKAGE = str(Path(__file__).parent / "_")[:-1]  # with the separator at the end


class BnclassError(ValueError):
    """Base of every error that bnclass raises."""


class DataError(BnclassError):
    """A table, a column or a label that cannot be used as it is."""


class DataTypeError(DataError, TypeError):
    """A value or a column of a type that no state and no number can have."""


class StructureError(BnclassError):
    """A graph that is not a valid network structure, or an impossible request to a learner."""


class FactorError(BnclassError):
    """A conditional distribution that is not one: wrong shape, negative, or not summing to 1."""


class FileFormatError(BnclassError):
    """A file that cannot be read, or a model that a format cannot hold."""


class MemoryLimitError(BnclassError, MemoryError):
    """A table or count refused before allocation because it would not fit."""


class BnclassWarning(UserWarning):
    """Something was left out or decided that the user should know about."""


class MissingCellsWarning(BnclassWarning):
    """Training cells are missing: how many of which column, and what becomes of them."""


class UnknownValuesWarning(BnclassWarning):
    """Rows to predict hold values not seen in training: how many cells of which column."""


def one_line(message: str) -> str:
    """Return the first line of a message, and not too much of it.

    What a broken file holds must not make a message as long as the file.

    Parameters
    ----------
    message : str

    Returns
    -------
    str
        At most 500 characters and an ellipsis.

    Examples
    --------
    >>> from bnclass.exceptions import one_line
    >>> len(one_line("found " + "a" * 10**6))
    501
    """
    line = message.partition("\n")[0]
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


def warn(message: str) -> None:
    """Warn of something, in the name of the line outside the package that asked for it.

    Parameters
    ----------
    message : str

    Examples
    --------
    >>> import warnings
    >>> from bnclass.exceptions import warn
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn("column 'a' is wholly missing")
    >>> str(caught[0].message)
    "column 'a' is wholly missing"
    """
    level = 1
    while sys._getframe(level).f_code.co_filename.startswith(_PACKAGE):
        level += 1
    warnings.warn(message, BnclassWarning, stacklevel=level + 1)


_LOOPS = ("bnclass", "sklearn", "joblib")
_told: set[tuple[object, ...]] = set()


def warn_once(message: str, category: type[BnclassWarning], about: Hashable) -> None:
    """Warn of the same thing once a line of the user's, cross-validation's many fits included.

    That is Python's own rule, but for two things: the line is sought outside scikit-learn
    too, and messages about the same thing may differ. Filters "always" and "error" get every
    message.

    Parameters
    ----------
    message : str
    category : type of BnclassWarning
    about : hashable
        What the message is about.

    Examples
    --------
    >>> import warnings
    >>> from bnclass.exceptions import MissingCellsWarning, warn_once
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("default")
    ...     for n in range(3):
    ...         warn_once(f"{n} cells are missing", MissingCellsWarning, "cells")
    >>> [str(w.message) for w in caught]
    ['0 cells are missing']
    """
    level, frame = 2, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] in _LOOPS:
        level, frame = level + 1, frame.f_back
    if _action(category) in ("default", "module", "once"):
        # Python's memory of what was shown is emptied whenever anyone touches the filters.
        place = (frame.f_code.co_filename, frame.f_lineno, category, about)
        if place in _told:
            return
        _told.add(place)
    warnings.warn(message, category, stacklevel=level)


def _action(category: type[BnclassWarning]) -> str:
    """Return what Python does with a category of warnings, wherever they are from."""
    for action, text, cls, module, line in warnings.filters:
        if issubclass(category, cls) and text is None and module is None and not line:
            return action
    return "default"
