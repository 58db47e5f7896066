"""Names as text in a box: broken into short lines where names are usually broken."""

import re
from collections.abc import Hashable

# Lines of this many letters first; wider ones only for what would take too many lines.
WIDTHS = (12, 16, 20, 28, 40)
MOST_LINES = 3
# A word longer than this is cut anywhere.
LONGEST_WORD = 20

_WORDS = re.compile(r"[^_\-/.,:;=|]*[_\-/.,:;=|]+|[^_\-/.,:;=|]+")


def label_lines(name: Hashable) -> list[str]:
    """Break a name into lines.

    Parameters
    ----------
    name : hashable

    Returns
    -------
    list of str
        All its characters, white space but for the breaks.

    Examples
    --------
    >>> from bnclass.plot.labels import label_lines
    >>> label_lines("petal width (cm)")
    ['petal width', '(cm)']
    >>> label_lines("od280/od315_of_diluted_wines")
    ['od280/od315_', 'of_diluted_', 'wines']
    >>> label_lines(7)
    ['7']
    """
    pieces = _pieces(str(name)) or [repr(name)]
    for width in WIDTHS:
        lines = _filled(pieces, width)
        if len(lines) <= MOST_LINES:
            break
    return lines


def _pieces(text: str) -> list[str]:
    """Cut after white space and after the signs that join words."""
    pieces = []
    for word in text.split():
        parts = [
            p[i : i + LONGEST_WORD]
            for p in _WORDS.findall(word)
            for i in range(0, len(p), LONGEST_WORD)
        ]
        pieces += [*parts[:-1], parts[-1] + " "]
    return pieces


def _filled(pieces: list[str], width: int) -> list[str]:
    lines: list[str] = []
    for piece in pieces:
        if lines and len((lines[-1] + piece).rstrip()) <= width:
            lines[-1] += piece
        else:
            lines.append(piece)
    return [line.rstrip() for line in lines]
