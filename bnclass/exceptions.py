"""The errors and the warning of bnclass.

Every refusal is a `BnclassError`, which is a `ValueError`, so that code written
against scikit-learn's conventions catches it unchanged. A message names the
offender (file, column, row, node), what was found and what was expected.
"""

import sys
import warnings
from pathlib import Path

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


def warn(message: str, category: type[BnclassWarning] = BnclassWarning) -> None:
    """Warn of something, in the name of the line outside the package that asked for it.

    So Python's own rule shows the same message about the same line once.

    Parameters
    ----------
    message : str
    category : type of BnclassWarning, default=BnclassWarning

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
    warnings.warn(message, category, stacklevel=level + 1)
