"""Files that are written whole or not at all."""

import gzip
import hashlib
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from bnclass.exceptions import FileFormatError

_STALE = 3600.0  # seconds without a write, after which no process is still at it


def write_atomically(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a whole file; on any error the file that was there stays as it was.

    The content goes to a temporary file in the same folder, is flushed to the disk and
    then takes the place of the old file, whose permissions it keeps, and its owner where
    the system allows it. A symbolic link stays, and the file it points at is written.

    Parameters
    ----------
    path : str or path-like
        If the name ends in ``.gz``, the content is packed.
    content : str or bytes
        Text is written as UTF-8, its line ends as they are.

    Raises
    ------
    FileFormatError
        If the file cannot be written; the message names it and the reason. A file without
        write permission is not replaced, nor is a folder or a device.

    Notes
    -----
    A process killed in between leaves a file ``.bnclass-*.tmp`` beside the target. The next
    writing of the same target removes it, once nothing was written to it for an hour.

    Another name of the file (a hard link) keeps the old content.

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
    try:
        data = content.encode() if isinstance(content, str) else content
        if os.fspath(path).lower().endswith(".gz"):
            data = gzip.compress(data, mtime=0)  # the same content makes the same file
        target = Path(os.path.realpath(path))
        _replace(target, _status(target), data)
    except (OSError, ValueError) as error:  # text that is no Unicode, a name no file can have
        problem = getattr(error, "strerror", None) or error
        raise FileFormatError(f"{os.fspath(path)}: cannot be written ({problem})") from None


def _status(target: Path) -> os.stat_result | None:
    """Return what the file is now, None if there is none; refuse what may not be replaced."""
    try:
        status = target.stat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):  # replacing, say, /dev/null would remove it
        raise OSError("found a folder or a device, expected a file")
    if not os.access(target, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
        raise OSError("the file is read-only")
    return status


def _replace(target: Path, status: os.stat_result | None, data: bytes) -> None:
    temporary = target.with_name(f"{_prefix(target)}{secrets.token_hex(8)}.tmp")
    # Nobody may read in the temporary file what he may not read in the target.
    descriptor = _create(temporary, 0o666 if status is None else 0o600)
    try:
        with open(descriptor, "wb") as file:
            _remove_stale(target, os.fstat(descriptor).st_mtime)
            file.write(data)
            file.flush()
            if status is not None:
                _take_over(temporary, status)
            os.fsync(descriptor)
        os.replace(temporary, target)
    except BaseException:  # an interrupt must leave no temporary file either
        with suppress(OSError):
            temporary.unlink()
        raise


def _create(temporary: Path, mode: int) -> int:
    try:
        return os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, mode)
    except PermissionError:
        raise OSError(f"the folder {temporary.parent} is read-only") from None


_BINARY = getattr(os, "O_BINARY", 0)  # Windows would change line ends


def _take_over(temporary: Path, status: os.stat_result) -> None:
    """Give the temporary file the owner, if that may be, and the permissions of the old one."""
    if hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(temporary, status.st_uid, status.st_gid)
    os.chmod(temporary, stat.S_IMODE(status.st_mode) & 0o777)


def _prefix(target: Path) -> str:
    """Return how the names of a target's temporary files begin: short, whatever its own name."""
    return f".bnclass-{hashlib.sha256(os.fsencode(target.name)).hexdigest()[:16]}-"


def _remove_stale(target: Path, now: float) -> None:
    """Remove what killed processes left; `now` is by the clock of the file system."""
    for leftover in target.parent.glob(f"{_prefix(target)}*.tmp"):
        with suppress(OSError):
            if leftover.stat().st_mtime < now - _STALE:
                leftover.unlink()
