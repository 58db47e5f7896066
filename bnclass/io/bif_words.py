"""The words of a BIF file, and the notes that bnclass leaves in its comments."""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from bnclass.data.memory import require_memory
from bnclass.exceptions import FileFormatError
from bnclass.io.strictjson import Json, parse_json

_PATTERN = re.compile(
    r"""
    [^\S\n]*
    (?: (?P<end>\n)
      | (?P<mark>[{}()\[\],;|])
      | (?P<word>(?:[^\s{}()\[\],;|"/]+|/(?![/*]))+)
      | (?P<comment>//[^\n]*|/\*.*?\*/)
      | "(?P<quoted>[^"]*)"
      | (?P<broken>.)
    )?
    """,
    re.VERBOSE | re.DOTALL,
)
_NOTE = re.compile(r"// bnclass (\w+) (.*)")
_CELLS_A_WORD = 25  # what a word takes while it is read, measured
_WORDS_A_CHECK = 2**16


class Word(NamedTuple):
    """A word or a mark; `is_name` if it was quoted, so that it is never a keyword or a mark."""

    text: str
    line: int
    is_name: bool


def split_words(text: str, notes: list[tuple[str, int, Json]]) -> Iterator[Word]:
    r"""Yield the words of a BIF text, and gather the notes in its comments.

    Parameters
    ----------
    text : str
    notes : list
        Is given a (kind, line, JSON) for each note on the way.

    Yields
    ------
    Word

    Raises
    ------
    FileFormatError
        If a quote or a comment has no end, or a note no JSON.
    MemoryLimitError
        If so many words would not fit.

    Examples
    --------
    >>> from bnclass.io.bif_words import split_words
    >>> notes = []
    >>> words = split_words('// bnclass class "a"\nvariable "b c" {', notes)
    >>> [word.text for word in words], notes
    (['variable', 'b c', '{'], [('class', 1, 'a')])
    """
    line = 1
    for n, found in enumerate(_PATTERN.finditer(text)):
        if n % _WORDS_A_CHECK == 0:
            require_memory(_CELLS_A_WORD * n, "the words of the file")
        kind = found.lastgroup
        if kind == "end":
            line += 1
        elif kind == "comment":
            notes += [(name, line, data) for name, data in _note(found["comment"], line)]
            line += found["comment"].count("\n")
        elif kind == "broken":
            raise FileFormatError(f"line {line}: found {found[kind]!r} without its end")
        elif kind is not None:
            yield Word(found[kind], line, kind == "quoted")
            line += found[kind].count("\n") if kind == "quoted" else 0


def _note(comment: str, line: int) -> list[tuple[str, Json]]:
    found = _NOTE.fullmatch(comment.rstrip())
    if found is None:
        return []
    try:
        return [(found[1], parse_json(found[2]))]
    except FileFormatError:
        raise FileFormatError(f"line {line}: a broken note of bnclass, expected JSON") from None


def format_note(kind: str, data: Json) -> str:
    r"""Return a comment line that holds some JSON.

    Inside its strings, all but letters, digits and a few harmless signs is escaped, so that
    no reader finds the end of a comment, a quote or a brace there.

    Parameters
    ----------
    kind : str
    data : JSON

    Returns
    -------
    str

    Examples
    --------
    >>> from bnclass.io.bif_words import format_note
    >>> print(format_note("states", ["a b", "*/ é"]))
    // bnclass states ["a b", "\u002a\u002f \u00e9"]
    """
    text = re.sub(r'"(?:[^"\\]|\\.)*"', _escaped, json.dumps(data, allow_nan=False))
    return f"// bnclass {kind} {text}\n"


def _escaped(literal: re.Match[str]) -> str:
    raw: Any = json.loads(literal[0])
    units = raw.encode("utf-16-be")
    pairs = zip(units[::2], units[1::2], strict=True)
    return '"' + "".join(_escaped_unit(high << 8 | low) for high, low in pairs) + '"'


def _escaped_unit(unit: int) -> str:
    char = chr(unit)
    harmless = char.isascii() and (char.isalnum() or char in " _.,:<>=()[]+-")
    return char if harmless else f"\\u{unit:04x}"
