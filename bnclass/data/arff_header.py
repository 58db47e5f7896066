"""The header of an ARFF file: the declared attributes."""

import re
from collections import Counter
from dataclasses import dataclass

from bnclass.data.arff_lines import (
    BrokenLineError,
    NumberedLines,
    Token,
    split_values,
    tokenize,
    within_braces,
)
from bnclass.data.textfile import MOST_COLUMNS

_RELATION = re.compile(r"[\x00-\x20]*@relation(?![^\x00-\x20])", re.IGNORECASE)
_KINDS = {"numeric": "numeric", "real": "numeric", "integer": "numeric", "string": "string"}


@dataclass(frozen=True)
class Attribute:
    """A declared column.

    Parameters
    ----------
    name : str
        Its name.
    kind : {"nominal", "numeric", "string"}
        Its type; real and integer are numeric.
    levels : tuple of str, default=()
        The declared levels of a nominal attribute.

    Examples
    --------
    >>> Attribute("colour", "nominal", ("red", "green")).expected
    "one of 'red', 'green' or ?"
    """

    name: str
    kind: str
    levels: tuple[str, ...] = ()

    @property
    def sparse_default(self) -> str | None:
        """The cell that a sparse row leaves out; None if it may leave out none."""
        if self.kind == "numeric":
            return "0"
        return self.levels[0] if self.levels else None

    @property
    def expected(self) -> str:
        """The cells that it takes, in words."""
        if self.kind == "numeric":
            return "a finite number or ?"
        shown = ", ".join(map(repr, self.levels[:6]))
        more = f", ... ({len(self.levels)} levels)" if len(self.levels) > 6 else ""
        return f"one of {shown}{more} or ?" if shown else "? (no levels are declared)"


def read_header(lines: NumberedLines) -> list[Attribute]:
    r"""Read up to the line @data.

    Parameters
    ----------
    lines : NumberedLines
        The lines of the file; the next one is the first row afterwards.

    Returns
    -------
    list of Attribute
        The declared attributes, at least one.

    Raises
    ------
    BrokenLineError
        If a declaration is broken, or @data never comes.

    Examples
    --------
    >>> read_header(NumberedLines("@relation r\n@attribute x real\n@data\n1.5\n"))
    [Attribute(name='x', kind='numeric', levels=())]
    """
    attributes: dict[str, Attribute] = {}
    for line in lines:
        # The relation's name is not used, so its quotes need not balance either.
        tokens = [] if _RELATION.match(line) else tokenize(line)
        if not tokens:
            continue
        keyword = tokens[0].text.lower() if tokens[0].kind == "bare" else ""
        if keyword == "@data":
            _check_end_of_header(tokens, attributes)
            return list(attributes.values())
        if keyword != "@attribute":
            raise BrokenLineError(
                f"found {tokens[0].text!r} in the header, expected @relation, @attribute or @data"
            )
        attribute = _read_attribute(tokens[1:])
        if attribute.name in attributes:
            raise BrokenLineError(f"attribute {attribute.name!r} is declared a second time")
        attributes[attribute.name] = attribute
        if len(attributes) > MOST_COLUMNS:
            raise BrokenLineError(f"found more than {MOST_COLUMNS} attributes, expected no more")
    raise BrokenLineError("found the end of the file, expected @data")


def _check_end_of_header(tokens: list[Token], attributes: dict[str, Attribute]) -> None:
    if len(tokens) > 1:
        raise BrokenLineError(f"found {tokens[1].text!r} after @data, expected the end of the line")
    if not attributes:
        raise BrokenLineError("found @data before any @attribute, expected at least one")


def _read_attribute(tokens: list[Token]) -> Attribute:
    if not tokens or tokens[0].kind == "mark":
        raise BrokenLineError("found no name after @attribute, expected a name and a type")
    name = tokens[0].text
    try:
        return Attribute(name, *_read_type(tokens[1:]))
    except BrokenLineError as problem:
        raise BrokenLineError(f"attribute {name!r}: {problem}") from None


def _read_type(declaration: list[Token]) -> tuple[str, tuple[str, ...]]:
    if not declaration:
        raise BrokenLineError("found no type, expected a type or {levels}")
    if declaration[0] == Token("mark", "{"):
        return "nominal", _read_levels(declaration)
    kind = declaration[0].text.lower()
    if kind not in _KINDS:
        raise BrokenLineError(
            f"found the type {declaration[0].text!r}, "
            "expected numeric, real, integer, string or {levels}"
        )
    if len(declaration) > 1:
        raise BrokenLineError(
            f"found {declaration[1].text!r} after the type, expected the end of the line"
        )
    return _KINDS[kind], ()


def _read_levels(declaration: list[Token]) -> tuple[str, ...]:
    tokens = within_braces(declaration)
    if Token("bare", "?") in tokens:
        raise BrokenLineError("found ? among the levels, expected '?' in quotes")
    levels = [str(level) for level in split_values(tokens)] if tokens else []
    repeated = [level for level, n in Counter(levels).items() if n > 1]
    if repeated:
        raise BrokenLineError(f"the level {repeated[0]!r} is declared a second time")
    return tuple(levels)
