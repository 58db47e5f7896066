"""Tables from files: CSV, Parquet and ARFF, told apart by the file name's ending."""

import csv
import importlib
import io
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from bnclass.data.arff import read_arff
from bnclass.data.memory import require_memory
from bnclass.data.textfile import (
    MOST_COLUMNS,
    parse_number,
    read_text,
    require_file,
    require_room_for_rows,
)
from bnclass.exceptions import BnclassError, FileFormatError, one_line

_INT64 = np.iinfo(np.int64)
_ROWS_AT_ONCE = 1024  # of Parquet: a few bytes of it may stand for as many long texts


def read_table(path: str | os.PathLike[str]) -> pd.DataFrame:
    r"""Read a table from a file.

    Parameters
    ----------
    path : str or path-like
        A file whose name ends in ``.csv``, ``.csv.gz``, ``.parquet``, ``.arff`` or
        ``.arff.gz`` (in any case). Parquet needs pyarrow (``pip install 'bnclass[parquet]'``).

    Returns
    -------
    DataFrame of shape (n_rows, n_columns)
        ARFF gives categories, float64 and text (see `bnclass.data.arff.read_arff`), Parquet
        what is stored. A CSV column is, by its filled cells: int64 if all are whole numbers
        and no cell is empty, float64 if all are numbers, bool (object if a cell is empty) if
        all are ``True`` or ``False``, else text.

    Raises
    ------
    FileFormatError
        If the file is missing, of an unknown ending, broken, or without a row of data; the
        message names the file, and the line where there is one.
    MemoryLimitError
        If a text, unpacked, is larger than an eighth of what `set_max_memory` allows, or the
        cells of the table would not fit.

    Notes
    -----
    CSV is comma-separated UTF-8 with one line of names, which must be filled and different.
    Every row must have as many cells as there are names, 100 000 at most; blank lines are
    skipped. Only an empty cell is missing: ``NA``, ``nan``, ``None`` and ``?`` are text, and
    make their column text; ``inf`` is a number, which no model takes. To mark the only cell
    of a row as empty, write ``""``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "small.csv")
    ...     _ = path.write_text("size,colour\n1.5,red\n,?\n", encoding="utf-8")
    ...     read_table(path)
       size colour
    0   1.5    red
    1   NaN      ?
    """
    name = os.fspath(path)
    for ending, reader in _READERS.items():
        if name.lower().endswith(ending):
            return reader(path)
    raise FileFormatError(f"{name}: found an unknown ending, expected one of {', '.join(_READERS)}")


def _read_csv(path: str | os.PathLike[str]) -> pd.DataFrame:
    name = os.fspath(path)
    # The csv module must see the line ends that stand inside quoted cells.
    reader = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    try:
        header = next(filter(None, reader), [])
        _check_names(name, header)
        rows = list(require_room_for_rows(name, len(header), _full_rows(header, reader)))
    except csv.Error as error:
        raise FileFormatError(f"{name}, line {reader.line_num}: {error}") from None
    _check_row_count(name, len(rows))
    columns = zip(*rows, strict=True)
    return pd.DataFrame({h: _csv_column(c) for h, c in zip(header, columns, strict=True)})


def _full_rows(header: list[str], rows: Iterable[list[str]]) -> Iterator[list[str]]:
    """Yield the rows of data, each with as many cells as there are names."""
    for number, row in enumerate(filter(None, rows)):
        if len(row) != len(header):
            raise csv.Error(
                f"row {number}: found {len(row)} cells, expected {len(header)} "
                "as in the line of column names"
            )
        yield row


def _check_names(name: str, names: list[str]) -> None:
    if not names:
        raise FileFormatError(f"{name}: found no column, expected a line of column names")
    if len(names) == 1 and (";" in names[0] or "\t" in names[0]):
        raise FileFormatError(
            f"{name}: found the one column name {one_line(repr(names[0]))}, expected names "
            "separated by commas"
        )
    if len(names) > MOST_COLUMNS:
        raise FileFormatError(
            f"{name}: found {len(names)} columns, expected {MOST_COLUMNS} at most"
        )
    counts = Counter(names)
    if "" in counts:
        raise FileFormatError(
            f"{name}: column {names.index('') + 1} has no name, expected a name for "
            "each (if it is an index, write the table without it)"
        )
    repeated = [column for column, n in counts.items() if n > 1]
    if repeated:
        raise FileFormatError(
            f"{name}: found the column name {one_line(repr(repeated[0]))} "
            f"{counts[repeated[0]]} times, "
            "expected each name once"
        )


def _check_row_count(name: str, n_rows: int) -> None:
    if n_rows == 0:
        raise FileFormatError(f"{name}: found no row of data, expected at least one")


def _csv_column(cells: tuple[str, ...]) -> "npt.NDArray[Any] | pd.Series[Any]":
    """Give a column of text the type that all its filled cells allow."""
    filled = [cell for cell in cells if cell]
    complete = len(filled) == len(cells)
    if filled and set(filled) <= {"True", "False"}:
        flags = [cell == "True" if cell else None for cell in cells]
        return np.array(flags, dtype=bool if complete else object)
    try:
        numbers = [parse_number(cell) if cell else np.nan for cell in cells]
    except ValueError:
        return pd.Series([cell or None for cell in cells])
    whole = _whole_numbers(cells) if complete else None
    return np.array(numbers, dtype=np.float64) if whole is None else whole


def _whole_numbers(cells: tuple[str, ...]) -> npt.NDArray[np.int64] | None:
    """Return the cells as int64, or None if one is not such a number."""
    try:
        numbers = [int(cell) for cell in cells]
    except ValueError:
        return None
    if min(numbers) < _INT64.min or max(numbers) > _INT64.max:
        return None
    return np.array(numbers, dtype=np.int64)


def _read_parquet(path: str | os.PathLike[str]) -> pd.DataFrame:
    name = os.fspath(path)
    try:
        pyarrow = importlib.import_module("pyarrow")
        parquet = importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise FileFormatError(
            f"{name}: reading Parquet needs pyarrow, which is not installed: "
            "pip install 'bnclass[parquet]'"
        ) from None
    require_file(name)
    try:
        with parquet.ParquetFile(name) as file:
            _check_names(name, file.schema_arrow.names)
            _require_room_for_parquet(name, file)
        table = pd.read_parquet(name, engine="pyarrow")
    except BnclassError:
        raise
    # pandas trusts the file's own notes on it: broken ones end in errors of many kinds.
    except (OSError, ValueError, TypeError, LookupError, pyarrow.ArrowException) as error:
        problem = one_line(str(error))
        raise FileFormatError(f"{name}: cannot be read as Parquet ({problem})") from None
    _check_row_count(name, len(table))
    return table


def _require_room_for_parquet(name: str, file: Any) -> None:
    """Read the file once in small pieces, and count what it unpacks to."""
    n_bytes = 0
    for batch in file.iter_batches(_ROWS_AT_ONCE):
        n_bytes += batch.nbytes
        require_memory(n_bytes // 8, f"{name}: the table")


_READERS: dict[str, Callable[[str | os.PathLike[str]], pd.DataFrame]] = {
    ".csv": _read_csv,
    ".csv.gz": _read_csv,
    ".parquet": _read_parquet,
    ".arff": read_arff,
    ".arff.gz": read_arff,
}
