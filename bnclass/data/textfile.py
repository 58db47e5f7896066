"""What the text readers share: the text of a file, and the numbers in it."""

import gzip
import os
import stat
import zlib
from collections.abc import Iterable, Iterator
from typing import TypeVar

from bnclass.data import memory
from bnclass.exceptions import FileFormatError, MemoryLimitError

_SHARE = 8  # of the memory limit, for the text; what is made of it is counted apart
_PIECE = 2**20

MOST_COLUMNS = 100_000
"""Columns that a table may have; more make frames that take minutes to build."""

_SIZE_OF_CELL, _SIZE_OF_ROW = 8, 9  # while a table is read, in 8 bytes, measured
_CELLS_A_CHECK = 2**16

Row = TypeVar("Row")


def read_text(path: str | os.PathLike[str]) -> str:
    r"""Read a whole UTF-8 text file, unpacked if its name ends in ``.gz``.

    Parameters
    ----------
    path : str or path-like
        A file; devices and pipes, which need not end, are refused. A leading byte order
        mark is skipped; line ends stay as they are.

    Returns
    -------
    str
        The text.

    Raises
    ------
    FileFormatError
        If the file is missing, unreadable, not gzip though so named, or not UTF-8.
    MemoryLimitError
        If the text, unpacked, is larger than an eighth of the memory limit; reading stops
        there.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "a.txt")
    ...     _ = path.write_bytes("\ufeffé".encode())
    ...     read_text(path)
    'é'
    """
    name = os.fspath(path)
    data = _read_bytes(name)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        found = error.object[error.start]
        raise FileFormatError(
            f"{name}, line {line}: found the byte 0x{found:02x}, expected UTF-8 text"
        ) from None


def require_file(path: str) -> None:
    """Refuse a path that is no file, before anybody waits for a pipe or reads a device.

    Parameters
    ----------
    path : str

    Raises
    ------
    FileFormatError

    Examples
    --------
    >>> from bnclass.data.textfile import require_file
    >>> require_file("no.csv")
    Traceback (most recent call last):
    bnclass.exceptions.FileFormatError: no.csv: no such file
    """
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        raise FileFormatError(f"{path}: no such file") from None
    except (OSError, ValueError) as error:  # a ValueError for a name that no file can have
        problem = getattr(error, "strerror", None) or error
        raise FileFormatError(f"{path!r}: cannot be read ({problem})") from None
    if not stat.S_ISREG(mode):
        raise FileFormatError(
            f"{path}: cannot be read (found a folder or a device, expected a file)"
        )


def require_room_for_rows(name: str, n_columns: int, rows: Iterable[Row]) -> Iterator[Row]:
    """Yield the rows of a table, as long as they fit.

    Parameters
    ----------
    name : str
        Of the file.
    n_columns : int
    rows : iterable

    Yields
    ------
    row

    Raises
    ------
    MemoryLimitError

    Examples
    --------
    >>> from bnclass.data.textfile import require_room_for_rows
    >>> list(require_room_for_rows("a.csv", 1, [["x"], ["y"]]))
    [['x'], ['y']]
    """
    between = _CELLS_A_CHECK // n_columns + 1
    for n, row in enumerate(rows, 1):
        if n % between == 0:
            size = n * (_SIZE_OF_CELL * n_columns + _SIZE_OF_ROW)
            memory.require_memory(size, f"{name}: the first {n} rows")
        yield row


def _read_bytes(path: str) -> bytearray:
    require_file(path)
    limit, data = memory.memory_limit() // _SHARE, bytearray()
    try:
        with gzip.open(path) if path.lower().endswith(".gz") else open(path, "rb") as file:
            while piece := file.read(_PIECE):
                data += piece
                if len(data) > limit:
                    raise MemoryLimitError(
                        f"{path}: the text is larger than {limit} bytes, expected at most that: "
                        f"an eighth of what set_max_memory allows"
                    )
    except (OSError, EOFError, zlib.error) as error:
        problem = getattr(error, "strerror", None) or error
        raise FileFormatError(f"{path}: cannot be read ({problem})") from None
    return data


def parse_number(text: str) -> float:
    """Return the number that a cell spells in decimal digits.

    Python's own `float` also reads ``"1_000"``, ``"nan"`` and the digits of other scripts;
    a data file that holds one of these holds text.

    Parameters
    ----------
    text : str
        The cell; blanks around the number do not matter.

    Returns
    -------
    float
        The nearest double; infinite if spelled so or too large for one.

    Raises
    ------
    ValueError
        If the cell is not a number.

    Examples
    --------
    >>> parse_number(" -1.5e3")
    -1500.0
    >>> parse_number("1_000")
    Traceback (most recent call last):
    ValueError: not a number: '1_000'
    """
    value = float(text)
    if value != value or "_" in text or not text.isascii():
        raise ValueError(f"not a number: {text!r}")
    return value
