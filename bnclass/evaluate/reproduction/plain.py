"""Frames as text, until `to_markdown` is there."""

from typing import Any

import pandas as pd


def to_markdown(frame: pd.DataFrame, digits: int = 4) -> str:
    """Return a frame as a table in Markdown.

    Parameters
    ----------
    frame : DataFrame
    digits : int, default=4
        Decimals of numbers that are no integers.

    Returns
    -------
    str

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.evaluate.reproduction.plain import to_markdown
    >>> print(to_markdown(pd.DataFrame({"method": ["NB", "KST"], "loss": [0.1, 0.25]}), digits=2))
    | method | loss |
    | ------ | ---- |
    | NB     | 0.10 |
    | KST    | 0.25 |
    """
    if not isinstance(frame.index, pd.RangeIndex):
        frame = frame.reset_index()
    columns = [[str(name), *(_cell(x, digits) for x in frame[name])] for name in frame]
    widths = [max(map(len, column)) for column in columns]
    rows = [
        [cell.ljust(w) for cell, w in zip(row, widths, strict=True)]
        for row in zip(*columns, strict=True)
    ]
    rule = ["-" * width for width in widths]
    return "\n".join(f"| {' | '.join(row)} |" for row in (rows[0], rule, *rows[1:]))


def _cell(cell: Any, digits: int) -> str:
    if pd.isna(cell):
        return "–"
    return f"{cell:.{digits}f}" if isinstance(cell, float) else str(cell)
