"""The cells of a frame as they are printed: fixed decimals, and which are best."""

import math
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd

from bnclass.exceptions import BnclassError, DataError, DataTypeError

MISSING_CELL = "–"
_LARGEST_FIXED = 1e15  # doubles beyond have no digit to the right of it that is theirs
_MOST_DIGITS = 15


@dataclass(frozen=True)
class PrintedColumn:
    """One column as text.

    Parameters
    ----------
    name : str
    cells : tuple of str
        Not yet escaped for any format.
    numeric : bool
        Whether all cells that are not missing are numbers.
    best : tuple of bool
        Which cells are among the best of their row.

    Examples
    --------
    >>> from bnclass.evaluate.printed import PrintedColumn
    >>> PrintedColumn("NB", ("0.1000",), True, (False,)).cells
    ('0.1000',)
    """

    name: str
    cells: tuple[str, ...]
    numeric: bool
    best: tuple[bool, ...]


def printed_columns(frame: Any, digits: int, best: str | None) -> list[PrintedColumn]:
    """Return the columns of a frame as text, those of its index first.

    Parameters
    ----------
    frame : DataFrame or Series
        A nameless RangeIndex only numbers the rows, and is left out.
    digits : int
        Decimals of numbers that are no integers.
    best : {"min", "max"} or None
        Which numbers of each row are the best.

    Returns
    -------
    list of PrintedColumn

    Raises
    ------
    DataTypeError
        If it is no frame.
    DataError
        If it has no columns.
    BnclassError
        If `digits` or `best` is none of these.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.evaluate.printed import printed_columns
    >>> frame = pd.DataFrame({"A": [0.12344, None], "B": [0.12341, 2]}, index=["iris", "wine"])
    >>> for column in printed_columns(frame, 4, "min"):
    ...     print(column.name, column.cells, column.best)
     ('iris', 'wine') (False, False)
    A ('0.1234', '–') (True, False)
    B ('0.1234', '2.0000') (True, True)
    """
    frame = _framed(frame)
    _refuse_options(digits, best)
    values = [frame.iloc[:, i].tolist() for i in range(frame.shape[1])]
    texts = [[printed_cell(cell, digits) for cell in column] for column in values]
    marks = _best_cells(values, texts, best)
    columns = zip(frame.columns.tolist(), values, texts, marks, strict=True)
    return [*_index_columns(frame.index), *(_column(*column) for column in columns)]


def printed_cell(cell: Any, digits: int) -> str:
    """Return a cell as text.

    Parameters
    ----------
    cell : object
    digits : int
        Decimals of a number that is no integer. One that they would round to 0, or of 10¹⁵ and
        more, is printed with an exponent instead.

    Returns
    -------
    str
        "–" for a missing cell, "inf" and "-inf" for infinite numbers, text as it is.

    Examples
    --------
    >>> from bnclass.evaluate.printed import printed_cell
    >>> [printed_cell(cell, 4) for cell in (0.5, 7, 2.314e-07, 0.0, None, float("inf"), "TAN")]
    ['0.5000', '7', '2.3e-07', '0.0000', '–', 'inf', 'TAN']
    """
    if _is_missing(cell):
        return MISSING_CELL
    if not _is_number(cell) or isinstance(cell, Integral):
        return str(cell)
    number = float(cell)
    if math.isinf(number):
        return str(number)
    if abs(number) >= _LARGEST_FIXED:
        return f"{number:.{digits}e}"
    fixed = f"{number + 0.0:.{digits}f}"  # -0.0 is 0
    return f"{number:.1e}" if number and not float(fixed) else fixed


def _framed(frame: Any) -> pd.DataFrame:
    if isinstance(frame, pd.Series):
        frame = frame.to_frame("" if frame.name is None else frame.name)
    if not isinstance(frame, pd.DataFrame):
        raise DataTypeError(f"frame is a {type(frame).__name__}, expected a pandas DataFrame")
    if not frame.shape[1]:
        raise DataError("frame has no columns, expected at least one")
    return frame


def _refuse_options(digits: Any, best: Any) -> None:
    whole = isinstance(digits, (int, np.integer)) and not isinstance(digits, bool)
    if not whole or not 0 <= digits <= _MOST_DIGITS:
        raise BnclassError(
            f"digits is {digits!r}, expected a whole number from 0 to {_MOST_DIGITS}"
        )
    if best not in (None, "min", "max"):
        raise BnclassError(f"best is {best!r}, expected None, 'min' or 'max'")


def _index_columns(index: pd.Index) -> list[PrintedColumn]:
    if isinstance(index, pd.RangeIndex) and index.name is None:
        return []
    names = ["" if name is None else name for name in index.names]
    levels = [index.get_level_values(i).tolist() for i in range(index.nlevels)]
    never = [False] * len(index)
    return [
        _column(name, labels, [MISSING_CELL if _is_missing(x) else str(x) for x in labels], never)
        for name, labels in zip(names, levels, strict=True)
    ]


def _column(name: Any, values: list[Any], texts: list[str], best: list[bool]) -> PrintedColumn:
    label = " / ".join(map(str, name)) if isinstance(name, tuple) else str(name)
    numeric = all(_is_missing(cell) or _is_number(cell) for cell in values)
    return PrintedColumn(label, tuple(texts), numeric, tuple(best))


def _best_cells(
    values: list[list[Any]], texts: list[list[str]], best: str | None
) -> list[list[bool]]:
    """Return for every cell whether it is among the best of its row as printed."""
    if best is None:
        return [[False] * len(column) for column in texts]
    printed = np.full((len(texts), len(texts[0])), np.nan)
    for i, column in enumerate(values):
        for row, cell in enumerate(column):
            if _is_number(cell) and not _is_missing(cell):
                printed[i, row] = float(texts[i][row])
    extreme = np.fmin if best == "min" else np.fmax
    marks: list[list[bool]] = (printed == extreme.reduce(printed, axis=0)).tolist()
    return marks


def _is_number(cell: Any) -> bool:
    return isinstance(cell, Real) and not isinstance(cell, (bool, np.bool_))


def _is_missing(cell: Any) -> bool:
    return bool(pd.api.types.is_scalar(cell) and pd.isna(cell))
