"""The lexical half of ARFF: one line becomes tokens, escapes become characters.

The rules are those of the tokenizer that Weka reads with, less its two silent losses:
there a ``%`` inside a bare value drops the rest of the line, and a quote that is never
closed ends with the line. Here both are refused.
"""

import io
import re
from collections.abc import Iterator
from typing import NamedTuple

from bnclass.data.memory import require_memory

# Every character up to the blank separates, as in the format; nothing beyond it does
# (a no-break space is part of a value), which is why `str.strip()` would not do.
BLANKS = "".join(map(chr, range(0x21)))

_TOKEN = re.compile(
    r"""(?P<blank> [\x00-\x20]+ )
      | (?P<mark> [,{}] )
      | (?P<quoted> '(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" )
      | (?P<bare> [^\x00-\x20,{}'"%]+ )""",
    re.VERBOSE,
)
_LONG = 2**16
_CELLS_A_CHARACTER = 20  # what a character takes if it is a token, in 8 bytes, measured

_ESCAPE = re.compile(r"\\(u001E|.)")
_ESCAPED_CHARACTERS = {"n": "\n", "r": "\r", "t": "\t", "u001E": "\x1e"}


class BrokenLineError(Exception):
    """What is wrong with the current line; the reader adds the file and the line number."""


class EmptyValueError(BrokenLineError):
    """A list of values has a gap, at the position (from 0) that it carries."""

    def __init__(self, position: int) -> None:
        super().__init__(f"value {position + 1} is empty, expected a value or ?")
        self.position = position


class Token(NamedTuple):
    """A piece of a line: ``"mark"`` (comma or brace), ``"bare"`` or ``"quoted"`` text."""

    kind: str
    text: str


class NumberedLines:
    r"""The lines of a text, however they end, and the number of the last one handed out.

    Parameters
    ----------
    text : str
        The whole text.

    Examples
    --------
    >>> lines = NumberedLines("a\r\nb\rc")
    >>> list(lines), lines.number
    (['a\n', 'b\n', 'c'], 3)
    """

    def __init__(self, text: str) -> None:
        self._lines = io.StringIO(text, newline=None)
        self.number = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.number += 1
        if len(line) > _LONG:
            require_memory(_CELLS_A_CHARACTER * len(line), f"line {self.number}")
        return line


def tokenize(line: str) -> list[Token]:
    r"""Split a line into tokens; blanks and a comment at the end disappear.

    Parameters
    ----------
    line : str
        One line of the file.

    Returns
    -------
    list of Token
        Quoted text comes unquoted and with its escapes resolved.

    Raises
    ------
    BrokenLineError
        For a quote that is not closed, an unknown escape, or a quote or ``%`` glued to
        other text.

    Examples
    --------
    >>> [token.text for token in tokenize(r"'it\'s', ?  % a comment")]
    ["it's", ',', '?']
    """
    tokens: list[Token] = []
    position, glued = 0, False
    while position < len(line):
        match = _TOKEN.match(line, position)
        if glued and (match is None or match.lastgroup in ("bare", "quoted")):
            raise BrokenLineError(
                f"found {line[position]!r} right after {tokens[-1].text!r}, "
                "expected a comma or a blank (quote a value that holds it)"
            )
        if match is None:
            if line[position] == "%":
                break
            raise BrokenLineError(f"found no closing {line[position]} for the quote opened here")
        kind = str(match.lastgroup)
        if kind != "blank":
            text = _unquote(match.group()) if kind == "quoted" else match.group()
            tokens.append(Token(kind, text))
        position, glued = match.end(), kind in ("bare", "quoted")
    return tokens


def within_braces(tokens: list[Token]) -> list[Token]:
    """Strip the opening brace and the closing one, which must end the line.

    Parameters
    ----------
    tokens : list of Token
        Tokens from an opening brace to the end of the line.

    Returns
    -------
    list of Token
        The tokens between the braces.

    Raises
    ------
    BrokenLineError
        If there is no closing brace, another opening one, or anything after them.

    Examples
    --------
    >>> [token.text for token in within_braces(tokenize("{a b}"))]
    ['a', 'b']
    """
    opening, closing = Token("mark", "{"), Token("mark", "}")
    if closing not in tokens:
        raise BrokenLineError("found no closing brace, expected {...} on one line")
    if tokens.count(opening) > 1:
        raise BrokenLineError("found a second opening brace, expected one (or quotes)")
    end = tokens.index(closing)
    if end + 1 < len(tokens):
        raise BrokenLineError(
            f"found {tokens[end + 1].text!r} after the closing brace, expected the end of the line"
        )
    return tokens[1:end]


def split_values(tokens: list[Token]) -> list[str | None]:
    """Return the values of a list separated by commas or blanks, which may have no gap.

    Parameters
    ----------
    tokens : list of Token
        The tokens of the list.

    Returns
    -------
    list of str or None
        The values; None is missing (an unquoted ``?``).

    Raises
    ------
    EmptyValueError
        If a value is empty.
    BrokenLineError
        If a brace stands among them.

    Examples
    --------
    >>> split_values(tokenize("a, ?, '?'"))
    ['a', None, '?']
    """
    values: list[str | None] = []
    after_comma = True
    for token in tokens:
        if token.kind != "mark":
            values.append(None if token == Token("bare", "?") else token.text)
        elif token.text != ",":
            raise BrokenLineError(f"found {token.text!r} among the values, expected a value")
        elif after_comma:
            break
        after_comma = token.kind == "mark"
    if after_comma:
        raise EmptyValueError(len(values))
    return values


def _unquote(quoted: str) -> str:
    inner = quoted[1:-1]
    return _ESCAPE.sub(_resolve, inner) if "\\" in inner else inner


def _resolve(escape: re.Match[str]) -> str:
    name = escape.group(1)
    if name in _ESCAPED_CHARACTERS:
        return _ESCAPED_CHARACTERS[name]
    if name.isalnum():
        raise BrokenLineError(
            rf"found the escape '\{name}', expected \\ \' \" \% \n \r \t or \u001E"
        )
    return name
