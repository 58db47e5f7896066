"""Frames as tables in Markdown and LaTeX."""

import re
import unicodedata
from collections.abc import Callable
from typing import Any, Literal

from bnclass.evaluate.printed import MISSING_CELL, PrintedColumn, printed_columns
from bnclass.exceptions import BnclassError

Best = Literal["min", "max"] | None

# An underscore inside a word is only that.
_MARKDOWN = re.compile(r"[\\|*`<&\[\]~$]|(?<![^\W_])_|_(?![^\W_])")
_LATEX = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    # After the end of a row these would be arguments.
    "[": "{[}",
    "*": "{*}",
    **{character: f"\\{character}" for character in "_&%$#{}"},
}
_NO_LABEL = re.compile(r"[\\{}%#~^&$\s]")


def to_markdown(frame: Any, digits: int = 4, best: Best = None) -> str:
    r"""Return a frame as a table in Markdown, aligned to be read as plain text too.

    Parameters
    ----------
    frame : DataFrame or Series
        Of numbers and text. Its index comes first, a level a column; a nameless RangeIndex is
        left out. The levels of column names are joined by " / ".
    digits : int, default=4
        Decimals of numbers, 0 to 15; integers have none. A number that they would round to 0
        is printed as, say, 2.3e-07.
    best : {"min", "max"}, optional
        Set the smallest or largest numbers of each row in bold: all that print alike.

    Returns
    -------
    str
        Without a newline at the end. Numbers are aligned to the right, a missing cell is "–".
        Characters that mean something in Markdown are escaped, a line break becomes ``<br>``,
        and spaces around a text are lost.

    Raises
    ------
    BnclassError
        If it is no frame, has no columns, or `digits` or `best` is none of these.

    Examples
    --------
    >>> from bnclass import published_table, to_markdown
    >>> losses = published_table("kst_zero_one_loss").losses
    >>> print(to_markdown(losses.loc[["Zoo", "Car"], ["NB", "TAN", "KST"]], best="min"))
    | dataset |     NB |        TAN |        KST |
    | :------ | -----: | ---------: | ---------: |
    | Zoo     | 0.0297 | **0.0099** |     0.0297 |
    | Car     | 0.1400 |     0.0567 | **0.0486** |
    """
    columns = printed_columns(frame, digits, best)
    blocks = [_markdown_column(column) for column in columns]
    return "\n".join(f"| {' | '.join(row)} |" for row in zip(*blocks, strict=True))


def to_latex(
    frame: Any,
    digits: int = 4,
    best: Best = None,
    caption: str | None = None,
    label: str | None = None,
) -> str:
    r"""Return a frame as a LaTeX table, whose rules the package booktabs draws.

    Parameters
    ----------
    frame, digits, best
        As for `to_markdown`.
    caption : str, optional
        Plain text, which is escaped.
    label : str, optional
        For ``\ref``; only beside a caption, without which it would name the section.

    Returns
    -------
    str
        A ``tabular``, in a ``table`` if there is a caption; without a newline at the end. A
        missing cell is an en dash, a line break becomes a space.

    Raises
    ------
    BnclassError
        As `to_markdown`, and for a label without a caption, or with a space or a character
        special to LaTeX.

    Examples
    --------
    >>> from bnclass import published_table, to_latex
    >>> losses = published_table("kst_zero_one_loss").losses
    >>> print(to_latex(losses.loc[["Car"], ["NB", "KST"]], best="min", caption="Losses"))
    \begin{table}
    \centering
    \caption{Losses}
    \begin{tabular}{lrr}
    \toprule
    dataset & NB & KST \\
    \midrule
    Car & 0.1400 & \textbf{0.0486} \\
    \bottomrule
    \end{tabular}
    \end{table}
    """
    columns = printed_columns(frame, digits, best)
    heads = [_latex(column.name) for column in columns]
    rows = zip(*(_marked(c, _latex_cell, r"\textbf{{{}}}") for c in columns), strict=True)
    tabular = [
        rf"\begin{{tabular}}{{{''.join('r' if c.numeric else 'l' for c in columns)}}}",
        r"\toprule",
        f"{' & '.join(heads)} \\\\",
        r"\midrule",
        *(f"{' & '.join(row)} \\\\" for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(_floating(tabular, caption, label))


def _marked(column: PrintedColumn, escape: Callable[[str, bool], str], bold: str) -> list[str]:
    cells = [escape(cell, column.numeric) for cell in column.cells]
    return [bold.format(c) if best else c for c, best in zip(cells, column.best, strict=True)]


def _markdown_column(column: PrintedColumn) -> list[str]:
    """Return name, rule and cells of a column, all of one width."""
    head, *cells = _markdown(column.name), *_marked(column, _markdown_cell, "**{}**")
    width = max(3, *map(_width, (head, *cells)))
    rule = "-" * (width - 1)
    if column.numeric:
        texts = [" " * (width - _width(text)) + text for text in (head, *cells)]
        return [texts[0], f"{rule}:", *texts[1:]]
    texts = [text + " " * (width - _width(text)) for text in (head, *cells)]
    return [texts[0], f":{rule}", *texts[1:]]


def _markdown_cell(text: str, numeric: bool) -> str:
    return text if numeric else _markdown(text)


def _markdown(text: str) -> str:
    lines = [line.strip().replace("\t", " ") for line in text.strip().splitlines()]
    return "<br>".join(_MARKDOWN.sub(r"\\\g<0>", line) for line in lines)


def _width(text: str) -> int:
    """Return how many columns a terminal needs for a text."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(map(bool, map(unicodedata.combining, text)))


def _latex_cell(text: str, numeric: bool) -> str:
    if text == MISSING_CELL:
        return "--"
    return f"$-${text[1:]}" if numeric and text.startswith("-") else _latex(text)


def _latex(text: str) -> str:
    escaped = "".join(_LATEX.get(character, character) for character in " ".join(text.split()))
    return escaped.replace("--", "-{}-")


def _floating(tabular: list[str], caption: str | None, label: str | None) -> list[str]:
    if label is not None and (caption is None or _NO_LABEL.search(label)):
        raise BnclassError(
            f"label is {label!r}, expected one beside a caption, without spaces and characters "
            f"special to LaTeX"
        )
    if caption is None:
        return tabular
    heading = [rf"\caption{{{_latex(caption)}}}"]
    heading += [] if label is None else [rf"\label{{{label}}}"]
    return [r"\begin{table}", r"\centering", *heading, *tabular, r"\end{table}"]
