"""The grammar of BIF: from words to the blocks of variables and tables."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NoReturn

from bnclass.data.textfile import parse_number
from bnclass.exceptions import FileFormatError
from bnclass.io.bif_words import Word

Pieces = tuple[tuple[str, ...], ...]
"""Names as they stand between commas; some writers put blanks into them, or for commas."""

_MARKS = frozenset("{}()[],;|")


@dataclass(frozen=True)
class VariableBlock:
    """``variable name { type discrete [ n ] { states }; }``."""

    name: str
    states: tuple[str, ...]
    line: int


@dataclass(frozen=True)
class Entry:
    """One line of a table: its keyword or the parents' states, and its numbers."""

    label: str | Pieces
    numbers: tuple[float, ...]
    line: int


@dataclass(frozen=True)
class TableBlock:
    """``probability ( child | parents ) { … }``."""

    family: Pieces
    entries: tuple[Entry, ...]
    line: int


def read_blocks(words: Iterable[Word]) -> tuple[list[VariableBlock], list[TableBlock]]:
    """Read all blocks of a BIF file.

    Parameters
    ----------
    words : iterable of Word
        Read to its end, a block at a time.

    Returns
    -------
    variables : list of VariableBlock
    tables : list of TableBlock

    Raises
    ------
    FileFormatError
        If the file breaks the grammar; the message has the line.

    Examples
    --------
    >>> from bnclass.io.bif_blocks import read_blocks
    >>> from bnclass.io.bif_words import split_words
    >>> text = "variable a { type discrete [ 2 ] { x, y }; } probability ( a ) { table 0.5, 0.5; }"
    >>> variables, tables = read_blocks(split_words(text, []))
    >>> variables[0].states, tables[0].entries[0].numbers
    (('x', 'y'), (0.5, 0.5))
    """
    reader = _Reader(words)
    variables, tables = [], []
    while not reader.at_end():
        if reader.takes("network"):
            reader.network()
        elif reader.takes("variable"):
            variables.append(reader.variable())
        elif reader.takes("probability"):
            tables.append(reader.table())
        else:
            reader.refuse_next("'network', 'variable' or 'probability'")
    return variables, tables


def named(pieces: Pieces, n: int) -> tuple[str, ...]:
    """Return `n` names: the pieces between commas, or all words where commas are missing.

    Parameters
    ----------
    pieces : tuple of tuple of str
    n : int

    Returns
    -------
    tuple of str
        Of another length if neither gives `n` names.

    Examples
    --------
    >>> from bnclass.io.bif_blocks import named
    >>> named((("a", "b"), ("c",)), 2), named((("a", "b", "c"),), 3)
    (('a b', 'c'), ('a', 'b', 'c'))
    """
    if len(pieces) == n:
        return tuple(" ".join(piece) for piece in pieces)
    return tuple(word for piece in pieces for word in piece)


def _refuse(word: Word, expected: str) -> NoReturn:
    raise FileFormatError(f"line {word.line}: found {word.text!r}, expected {expected}")


class _Reader:
    """The words to come, and the rules of the grammar."""

    def __init__(self, words: Iterable[Word]) -> None:
        self._words = iter(words)
        self._coming = next(self._words, None)
        self._line = 1  # of the last word taken

    def at_end(self) -> bool:
        return self._coming is None

    def takes(self, text: str) -> bool:
        """Step over a keyword or mark if it comes next."""
        word = self._coming
        if word is None or word.text != text or word.is_name:
            return False
        self._line, self._coming = word.line, next(self._words, None)
        return True

    def refuse_next(self, expected: str) -> NoReturn:
        _refuse(self._next(expected), expected)

    def _next(self, expected: str) -> Word:
        word = self._coming
        if word is None:
            raise FileFormatError(f"line {self._line}: the file ends, expected {expected}")
        self._line, self._coming = word.line, next(self._words, None)
        return word

    def _require(self, text: str) -> None:
        if not self.takes(text):
            self.refuse_next(repr(text))

    def _until(self, end: str) -> Iterator[Word]:
        """Yield all words before a mark, and step over it."""
        expected = repr(end)
        while not self.takes(end):
            yield self._next(expected)

    def _skip_to(self, end: str) -> None:
        for _ in self._until(end):
            pass

    def _pieces(self, end: str) -> Pieces:
        """Return all names before a mark, and step over it."""
        pieces: list[list[str]] = [[]]
        for word in self._until(end):
            if word.is_name or word.text not in _MARKS:
                pieces[-1].append(word.text)
            elif word.text in ",|":
                pieces.append([])
            else:
                _refuse(word, f"a name or {end!r}")
        return tuple(tuple(piece) for piece in pieces if piece)

    def network(self) -> None:
        self._skip_to("{")
        while not self.takes("}"):
            self._property()

    def _property(self) -> None:
        self._require("property")
        self._skip_to(";")

    def variable(self) -> VariableBlock:
        line = self._line
        name, states = self._pieces("{"), None
        if len(name) != 1:
            raise FileFormatError(f"line {line}: found no name, or a comma in it, expected a name")
        while not self.takes("}"):
            if self.takes("type"):
                states = self._states()
            else:
                self._property()
        if states is None:
            raise FileFormatError(f"line {line}: found no type, expected 'type discrete'")
        return VariableBlock(" ".join(name[0]), states, line)

    def _states(self) -> tuple[str, ...]:
        self._require("discrete")
        self._require("[")
        size = self._next("a number of states")
        if not size.text.isdecimal():
            _refuse(size, "a number of states")
        self._require("]")
        self._require("{")
        states = named(self._pieces("}"), int(size.text))
        self._require(";")
        if len(states) != int(size.text):
            raise FileFormatError(
                f"line {size.line}: found {len(states)} states, expected {size.text}"
            )
        return states

    def table(self) -> TableBlock:
        line = self._line
        self._require("(")
        family, entries = self._pieces(")"), []
        if not family:
            raise FileFormatError(f"line {line}: found no name, expected a variable")
        self._require("{")
        while not self.takes("}"):
            if self.takes("property"):
                self._skip_to(";")
            else:
                entries.append(self._entry())
        return TableBlock(family, tuple(entries), line)

    def _entry(self) -> Entry:
        first = self._next("'table', 'default', '(' or '}'")
        if first.is_name or first.text not in ("table", "default", "("):
            _refuse(first, "'table', 'default', '(' or '}'")
        label = self._pieces(")") if first.text == "(" else first.text
        numbers = [_number(word) for word in self._until(";") if word.text != ","]
        return Entry(label, tuple(numbers), first.line)


def _number(word: Word) -> float:
    try:
        value = parse_number(word.text)
    except ValueError:
        _refuse(word, "a number or ';'")
    if not 0 <= value < math.inf:
        _refuse(word, "a probability")
    return value
