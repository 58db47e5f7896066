"""The errors and the warning of bnclass.

Every refusal is a `BnclassError`, which is a `ValueError`, so that code written
against scikit-learn's conventions catches it unchanged. A message names the
offender (file, column, row, node), what was found and what was expected.
"""

import sys
import warnings
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
