"""Files that are written whole or not at all."""

import gzip
import os
import secrets
import shutil
from contextlib import suppress
from pathlib import Path

from bnclass.exceptions import FileFormatError


def write_atomically(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a whole file; on any error the file that was there stays as it was.

    The content goes to a temporary file in the same folder, is flushed to the disk and
    then takes the place of the old file, whose permissions it keeps. A symbolic link
    stays, and the file it points at is written.

    Parameters
    ----------
    path : str or path-like
        If the name ends in ``.gz``, the content is packed.
    content : str or bytes
        Text is written as UTF-8, its line ends as they are.

    Raises
    ------
    FileFormatError
        If the file cannot be written; the message names it and the reason.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from bnclass.io.files import write_atomically
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "note.txt")
    ...     write_atomically(path, "two words")
    ...     path.read_text(), len(list(path.parent.iterdir()))
    ('two words', 1)
    """
    data = content.encode() if isinstance(content, str) else content
    if os.fspath(path).lower().endswith(".gz"):
        data = gzip.compress(data, mtime=0)  # the same content makes the same file
    target = Path(os.path.realpath(path))
    try:
        _require_replaceable(target)
        _replace(target, data)
    except OSError as error:
        problem = error.strerror or error
        raise FileFormatError(f"{os.fspath(path)}: cannot be written ({problem})") from None


def _require_replaceable(target: Path) -> None:
    """Refuse a folder or a device; replacing, say, /dev/null would remove it."""
    if target.exists() and not target.is_file():
        raise OSError("found a folder or a device, expected a file")


def _replace(target: Path, data: bytes) -> None:
    temporary = target.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except BaseException:  # an interrupt must leave no temporary file either
        with suppress(OSError):
            temporary.unlink()
        raise
