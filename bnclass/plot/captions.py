"""What stands on a picture of a factor: names in one line, and what is given."""

from collections.abc import Hashable, Iterable, Mapping
from textwrap import wrap

LONGEST_NAME = 32
_KEPT_AT_END = 10


def one_line(name: Hashable, longest: int = LONGEST_NAME) -> str:
    r"""Return a name in one line, shortened in the middle where it is too long.

    Parameters
    ----------
    name : hashable
    longest : int, default=32
        Number of letters.

    Returns
    -------
    str

    Examples
    --------
    >>> from bnclass.plot.captions import one_line
    >>> one_line("two\nlines"), one_line(""), one_line(7)
    ('two lines', "''", '7')
    >>> one_line("od280/od315_of_diluted_wines", 20)
    'od280/od3…uted_wines'
    """
    text = " ".join(str(name).split()) or repr(name)
    if len(text) <= longest:
        return text
    return f"{text[: longest - _KEPT_AT_END - 1]}…{text[-_KEPT_AT_END:]}"


def conditional(letter: str, node: Hashable, parents: Iterable[Hashable]) -> str:
    """Return the name of a distribution.

    Parameters
    ----------
    letter : {"p", "P"}
        Of a density or a probability.
    node : hashable
    parents : iterable of hashable

    Returns
    -------
    str

    Examples
    --------
    >>> from bnclass.plot.captions import conditional
    >>> conditional("P", "a", ["class", "b"]), conditional("p", "x", [])
    ('P(a | class, b)', 'p(x)')
    """
    given = ", ".join(map(one_line, parents))
    return f"{letter}({one_line(node)}{' | ' if given else ''}{given})"


def equations(values: Mapping[Hashable, Hashable]) -> str:
    """Return what is known as a list of equations.

    Parameters
    ----------
    values : mapping of name to value

    Returns
    -------
    str

    Examples
    --------
    >>> from bnclass.plot.captions import equations
    >>> equations({"b": "u", "z": 0.25})
    'b = u, z = 0.25'
    """
    return ", ".join(f"{one_line(name)} = {_value(value)}" for name, value in values.items())


def wrapped(text: str, width: int) -> str:
    r"""Return a text in lines of at most so many letters, words longer than that broken.

    Parameters
    ----------
    text : str
    width : int

    Returns
    -------
    str

    Examples
    --------
    >>> from bnclass.plot.captions import wrapped
    >>> wrapped("p(a | b, c)", 8)
    'p(a | b,\nc)'
    """
    return "\n".join(wrap(text, width))


def _value(value: Hashable) -> str:
    return f"{value:g}" if isinstance(value, float) else one_line(value)
