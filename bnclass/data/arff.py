"""Reader for ARFF, Weka's attribute-relation file format.

Reference: I. H. Witten, E. Frank, M. A. Hall and C. J. Pal, *Data Mining*, 4th edition,
Morgan Kaufmann, 2016, section 2.4. The lines are taken apart in `arff_lines`, the
declarations in `arff_header`; here rows become columns.
"""

import os
import re
from collections.abc import Callable, Iterator
from math import isinf, nan
from typing import Any

import numpy as np
import pandas as pd

from bnclass.data.arff_header import Attribute, read_header
from bnclass.data.arff_lines import (
    BLANKS,
    BrokenLineError,
    EmptyValueError,
    NumberedLines,
    Token,
    split_values,
    tokenize,
    within_braces,
)
from bnclass.data.textfile import parse_number, read_text, require_room_for_rows
from bnclass.exceptions import FileFormatError, one_line

Cell = str | None  # None is missing; a quoted "?" is text
Value = float | str | None

# A dense row without any of these is split at its commas, which is many times faster than
# reading tokens and yields the same cells.
_NOT_PLAIN = re.compile(r"""[\x00-\x20'"%{}]""")


def read_arff(path: str | os.PathLike[str]) -> pd.DataFrame:
    r"""Read an ARFF file, plain or packed with gzip (``.gz``).

    Parameters
    ----------
    path : str or path-like
        The file, in UTF-8.

    Returns
    -------
    DataFrame of shape (n_rows, n_attributes)
        Nominal attributes are categories with the declared levels (text) in declared order;
        numeric, real and integer ones are float64; string ones are text. An unquoted ``?``
        is missing.

    Raises
    ------
    FileFormatError
        If a line is broken; the message names file, line, attribute, what was found and what
        was expected. Date and relational attributes, instance and attribute weights, and
        files without a data row are refused too.
    MemoryLimitError
        If the text, unpacked, is larger than an eighth of what `set_max_memory` allows, or a
        line or the cells of the table would not fit.

    Notes
    -----
    - Names and values may stand in single or double quotes with backslash escapes; keywords
      and types ignore case; ``%`` starts a comment, blank lines are skipped.
    - Values are separated by a comma or by blanks, so a value with a blank needs quotes.
    - A sparse row ``{index value, ...}`` leaves out zeros and first levels. It may not leave
      out a string, for which the format has no such value.
    - ``inf`` and ``nan`` are not numbers here. The relation's name is not kept.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> header = "@relation r\n@attribute 'a b' {y, 'n o'}\n@attribute x real\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "small.arff")
    ...     _ = path.write_text(header + "@data\n'n o', 1.5\ny, ?\n", encoding="utf-8")
    ...     table = read_arff(path)
    >>> table
       a b    x
    0  n o  1.5
    1    y  NaN
    >>> list(table["a b"].cat.categories)
    ['y', 'n o']
    """
    lines = NumberedLines(read_text(path))
    try:
        attributes = read_header(lines)
        rows = list(
            require_room_for_rows(os.fspath(path), len(attributes), _rows(lines, attributes))
        )
        if not rows:
            raise BrokenLineError(
                "found the end of the file, expected at least one row after @data"
            )
    except BrokenLineError as problem:
        reason = one_line(f"line {lines.number}: {problem}")
        raise FileFormatError(f"{os.fspath(path)}, {reason}") from None
    columns = zip(*rows, strict=True)
    return pd.DataFrame(
        {a.name: _column(a, column) for a, column in zip(attributes, columns, strict=True)}
    )


def _rows(lines: NumberedLines, attributes: list[Attribute]) -> Iterator[list[Value]]:
    converters = [_converter(attribute) for attribute in attributes]
    for line in lines:
        cells = _split_row(line.strip(BLANKS), attributes)
        if cells is None:
            continue
        try:
            row = [convert(c) for convert, c in zip(converters, cells, strict=True)]
        except (KeyError, ValueError):
            raise _explanation(cells, attributes, converters) from None
        yield row


def _split_row(line: str, attributes: list[Attribute]) -> list[Cell] | None:
    """Return the cells of a line, or None if it is blank or a comment."""
    try:
        if line and not _NOT_PLAIN.search(line):
            return _split_plain(line)
        tokens = tokenize(line)
        if tokens and tokens[0] == Token("mark", "{"):
            return _split_sparse(tokens, attributes)
        return split_values(tokens) if tokens else None
    except EmptyValueError as gap:
        if gap.position >= len(attributes):
            raise
        name = attributes[gap.position].name
        raise BrokenLineError(f"attribute {name!r}: {gap}") from None


def _split_plain(line: str) -> list[Cell]:
    cells = line.split(",")
    if "" in cells:
        raise EmptyValueError(cells.index(""))
    return [None if cell == "?" else cell for cell in cells]


def _split_sparse(tokens: list[Token], attributes: list[Attribute]) -> list[Cell]:
    given: dict[int, Cell] = {}
    pair: list[Token] = []
    inner = within_braces(tokens)
    for token in [*inner, Token("mark", ",")] if inner else []:
        if token.kind != "mark":
            pair.append(token)
            continue
        index, value = _read_pair(pair, len(attributes))
        if index in given:
            raise BrokenLineError(f"attribute {attributes[index].name!r}: found two values")
        given[index], pair = value, []
    for index, attribute in enumerate(attributes):
        if index not in given and attribute.sparse_default is None:
            raise BrokenLineError(
                f"attribute {attribute.name!r}: left out of a sparse row, "
                "expected a value, for it has no default"
            )
    return [given.get(i, a.sparse_default) for i, a in enumerate(attributes)]


def _read_pair(pair: list[Token], n_attributes: int) -> tuple[int, Cell]:
    found = " ".join(token.text for token in pair)
    if len(pair) != 2 or not re.fullmatch("[0-9]{1,18}", pair[0].text):
        raise BrokenLineError(f"found {found!r} in a sparse row, expected an index and a value")
    index = int(pair[0].text)
    if index >= n_attributes:
        raise BrokenLineError(
            f"found the index {index} in a sparse row, expected 0 to {n_attributes - 1}"
        )
    return index, None if pair[1] == Token("bare", "?") else pair[1].text


def _converter(attribute: Attribute) -> Callable[[Cell], Value]:
    if attribute.kind == "numeric":
        return _number
    if attribute.kind == "string":
        return _text
    codes: dict[Cell, Value] = {level: code for code, level in enumerate(attribute.levels)}
    return (codes | {None: -1}).__getitem__


def _text(cell: Cell) -> Value:
    return cell


def _number(cell: Cell) -> float:
    if cell is None:
        return nan
    value = parse_number(cell)
    if isinf(value):
        raise ValueError
    return value


def _explanation(
    cells: list[Cell], attributes: list[Attribute], converters: list[Callable[[Cell], Value]]
) -> BrokenLineError:
    """Say why a row could not be converted."""
    n, n_expected = len(cells), len(attributes)
    if n < n_expected:
        return BrokenLineError(
            f"found {n} values, expected {n_expected}: none for attribute {attributes[n].name!r}"
        )
    if n > n_expected:
        return BrokenLineError(
            f"found {n} values, expected {n_expected}: {cells[n_expected]!r} is beyond the last "
            f"attribute {attributes[-1].name!r} (a value with a blank or a comma needs quotes)"
        )
    refused = [not _converts(convert, c) for convert, c in zip(converters, cells, strict=True)]
    attribute, cell = attributes[refused.index(True)], cells[refused.index(True)]
    return BrokenLineError(
        f"attribute {attribute.name!r}: found {cell!r}, expected {attribute.expected}"
    )


def _converts(convert: Callable[[Cell], Value], cell: Cell) -> bool:
    try:
        convert(cell)
    except (KeyError, ValueError):
        return False
    return True


def _column(attribute: Attribute, values: tuple[Value, ...]) -> Any:
    if attribute.kind == "nominal":
        codes = np.array(values, dtype=np.intp)
        return pd.Categorical.from_codes(codes, pd.Index(attribute.levels))
    if attribute.kind == "numeric":
        return np.array(values, dtype=np.float64)
    return pd.Series(values)
