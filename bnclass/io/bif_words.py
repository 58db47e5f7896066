"""The words of a BIF file, and the notes that bnclass leaves in its comments."""

import json
import re
from typing import Any, NamedTuple

from bnclass.exceptions import FileFormatError
from bnclass.io.strictjson import Json, parse_json

_PATTERN = re.compile(
    r"""
      (?P<blank>\s+)
    | (?P<comment>//[^\n]*|/\*.*?\*/)
    | "(?P<quoted>[^"]*)"
    | (?P<mark>[{}()\[\],;|])
    | (?P<word>(?:(?!//|/\*)[^\s{}()\[\],;|"])+)
    """,
    re.VERBOSE | re.DOTALL,
)
_NOTE = re.compile(r"// bnclass (\w+) (.*)")


class Word(NamedTuple):
    """A word or a mark; `is_name` if it was quoted, so that it is never a keyword or a mark."""

    text: str
    line: int
    is_name: bool


def split_words(text: str) -> tuple[list[Word], list[tuple[str, int, Json]]]:
    r"""Split a BIF text into its words and the notes in its comments.

    Parameters
    ----------
    text : str

    Returns
    -------
    words : list of Word
    notes : list of (kind, line, JSON)

    Raises
    ------
    FileFormatError
        If a quote or a comment has no end, or a note no JSON.

    Examples
    --------
    >>> from bnclass.io.bif_words import split_words
    >>> words, notes = split_words('// bnclass class "a"\nvariable "b c" {')
    >>> [word.text for word in words], notes
    (['variable', 'b c', '{'], [('class', 1, 'a')])
    """
    words, notes = [], []
    place, line = 0, 1
    while place < len(text):
        found = _PATTERN.match(text, place)
        if found is None:
            raise FileFormatError(f"line {line}: found {text[place]!r} without its end")
        kind = found.lastgroup
        if kind == "comment":
            notes += [(name, line, data) for name, data in _note(found["comment"], line)]
        elif kind != "blank":
            words.append(Word(found[kind], line, kind == "quoted"))  # type: ignore[index]
        line += found[0].count("\n")
        place = found.end()
    return words, notes


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
