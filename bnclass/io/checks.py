"""Checks of what files hold, with messages that name the part and what was expected."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from bnclass.exceptions import BnclassError, FileFormatError, MemoryLimitError, one_line
from bnclass.io.strictjson import Json

_BROKEN = (BnclassError, TypeError, ValueError, OverflowError)
_LIKE_HASHES = 100  # more values of one hash are no accident, and make sets of them very slow


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turn every error about a broken file into one that begins with the file's name.

    Parameters
    ----------
    path : str or path-like

    Raises
    ------
    FileFormatError
    MemoryLimitError
        If what the file holds would not fit.

    Examples
    --------
    >>> from bnclass.io.checks import whole_file
    >>> with whole_file("a.json"):
    ...     raise RecursionError
    Traceback (most recent call last):
    bnclass.exceptions.FileFormatError: a.json: found parts that are nested too deeply
    """
    name = os.fspath(path)
    try:
        yield
    except MemoryError as error:
        problem = str(error) if isinstance(error, BnclassError) else "not enough memory to read it"
        raise MemoryLimitError(f"{name}: {one_line(problem)}") from None
    except RecursionError:
        raise FileFormatError(f"{name}: found parts that are nested too deeply") from None
    except _BROKEN as error:
        raise FileFormatError(f"{name}: {one_line(str(error))}") from None


@contextmanager
def part(name: str) -> Iterator[None]:
    """Turn errors about broken data into a `FileFormatError` that begins with a part's name.

    Parameters
    ----------
    name : str

    Raises
    ------
    FileFormatError

    Examples
    --------
    >>> from bnclass.io.checks import part
    >>> with part("node 'a'"):
    ...     raise ValueError("found no table")
    Traceback (most recent call last):
    bnclass.exceptions.FileFormatError: node 'a': found no table
    """
    try:
        yield
    except MemoryLimitError as error:
        raise MemoryLimitError(one_line(f"{name}: {error}")) from None
    except _BROKEN as error:
        raise FileFormatError(one_line(f"{name}: {error}")) from None


def require_keys(data: Json, keys: Iterable[str]) -> None:
    """Refuse what is not a JSON object with exactly these keys.

    Parameters
    ----------
    data : JSON
    keys : iterable of str

    Raises
    ------
    FileFormatError

    Examples
    --------
    >>> from bnclass.io.checks import require_keys
    >>> require_keys({"a": 1, "c": 2}, ["a", "b"])
    Traceback (most recent call last):
    bnclass.exceptions.FileFormatError: found no 'b', expected the keys ['a', 'b']
    """
    found, expected = require_type(data, dict), tuple(keys)
    for key in expected:
        if key not in found:
            raise FileFormatError(f"found no {key!r}, expected the keys {list(expected)!r}")
    for key in found:
        if key not in expected:
            raise FileFormatError(f"found the key {key!r}, expected only {list(expected)!r}")


def require_type(value: Any, cls: type) -> Any:
    """Return a value, or refuse it if it is not exactly of the type.

    Parameters
    ----------
    value : object
    cls : type

    Returns
    -------
    object

    Raises
    ------
    FileFormatError

    Examples
    --------
    >>> from bnclass.io.checks import require_type
    >>> require_type(True, int)
    Traceback (most recent call last):
    bnclass.exceptions.FileFormatError: found True, expected a value of type int
    """
    if type(value) is not cls:
        raise FileFormatError(f"found {shown(value)}, expected a value of type {cls.__name__}")
    return value


def require_floats(data: Json, n: int) -> list[float]:
    """Return a JSON list of numbers as floats, or refuse it.

    Parameters
    ----------
    data : JSON
    n : int
        The length it must have.

    Returns
    -------
    list of float

    Raises
    ------
    FileFormatError

    Examples
    --------
    >>> from bnclass.io.checks import require_floats
    >>> require_floats([0, 0.5], 2)
    [0.0, 0.5]
    """
    numbers = require_type(data, list)
    if len(numbers) != n or not set(map(type, numbers)) <= {int, float}:
        raise FileFormatError(f"found {shown(data)}, expected a list of {n} numbers")
    return [float(number) for number in numbers]


def shown(value: Any) -> str:
    """Return the repr of a value for a message, on one line and not too long.

    Parameters
    ----------
    value : object

    Returns
    -------
    str

    Examples
    --------
    >>> from bnclass.io.checks import shown
    >>> shown("a" * 100)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…"
    """
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"{text[:60]}…"


def require_mixed_hashes(values: Iterable[Any]) -> None:
    """Refuse values that were chosen to have one hash, for which sets and dicts take for ever.

    Text is safe, as its hashes differ from process to process; numbers and tuples are not.

    Parameters
    ----------
    values : iterable
        What cannot be hashed is not looked at.

    Raises
    ------
    FileFormatError

    Examples
    --------
    >>> from bnclass.io.checks import require_mixed_hashes
    >>> require_mixed_hashes(range(1000))
    >>> require_mixed_hashes([n * (2**61 - 1) for n in range(1000)])
    Traceback (most recent call last):
    bnclass.exceptions.FileFormatError: found 1000 values of one hash, expected at most 100
    """
    hashes = Counter(hash(value) for value in values if _is_hashable(value))
    most = max(hashes.values(), default=0)
    if most > _LIKE_HASHES:
        raise FileFormatError(f"found {most} values of one hash, expected at most {_LIKE_HASHES}")


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:  # a list, or a tuple that holds one
        return False
    return True
