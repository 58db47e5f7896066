"""What the text readers share: the text of a file, and the numbers in it."""

import gzip
import os
import zlib
from pathlib import Path

from bnclass.exceptions import FileFormatError


def read_text(path: str | os.PathLike[str]) -> str:
    r"""Read a whole UTF-8 text file, unpacked if its name ends in ``.gz``.

    Parameters
    ----------
    path : str or path-like
        The file. A leading byte order mark is skipped; line ends stay as they are.

    Returns
    -------
    str
        The text.

    Raises
    ------
    FileFormatError
        If the file is missing, unreadable, not gzip though so named, or not UTF-8.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "a.txt")
    ...     _ = path.write_bytes("\ufeffé".encode())
    ...     read_text(path)
    'é'
    """
    data = _read_bytes(os.fspath(path))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        found = error.object[error.start]
        raise FileFormatError(
            f"{os.fspath(path)}, line {line}: found the byte 0x{found:02x}, expected UTF-8 text"
        ) from None


def _read_bytes(path: str) -> bytes:
    try:
        data = Path(path).read_bytes()
        return gzip.decompress(data) if path.lower().endswith(".gz") else data
    except FileNotFoundError:
        raise FileFormatError(f"{path}: no such file") from None
    except (OSError, EOFError, zlib.error) as error:
        problem = getattr(error, "strerror", None) or error
        raise FileFormatError(f"{path}: cannot be read ({problem})") from None


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
