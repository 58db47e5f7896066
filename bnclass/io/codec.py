"""Python values as JSON and back, exactly, by a closed list of types.

``None``, bools, ints, finite floats, text and lists stand for themselves. Everything else
is a JSON object whose "type" names an `Entry`: a pair of small functions. A type that is
not listed is refused, in both directions.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import Any

from bnclass.exceptions import FileFormatError
from bnclass.io.checks import part, require_keys, shown
from bnclass.io.strictjson import Json


@dataclass(frozen=True)
class Entry:
    """One type that files can hold.

    Parameters
    ----------
    tag : str
        Its name in the file.
    types : tuple of type
        The Python types, matched exactly: a subclass is another type.
    keys : tuple of str
        The keys of its JSON object besides "type".
    encode : callable
        ``encode(codec, value)`` returns a mapping from each of the keys to JSON.
    decode : callable
        ``decode(codec, data)`` returns the value; `data` has exactly the keys.

    Examples
    --------
    >>> from bnclass.io.codec import Codec, Entry
    >>> entry = Entry(
    ...     "bytes", (bytes,), ("hex",),
    ...     lambda codec, value: {"hex": value.hex()},
    ...     lambda codec, data: bytes.fromhex(data["hex"]),
    ... )
    >>> Codec((entry,)).encode(b"ab")
    {'type': 'bytes', 'hex': '6162'}
    """

    tag: str
    types: tuple[type, ...]
    keys: tuple[str, ...]
    encode: Callable[["Codec", Any], dict[str, Json]]
    decode: Callable[["Codec", dict[str, Json]], Any]


def record(cls: type) -> Entry:
    """Return the entry of a dataclass whose fields are values that files can hold.

    Parameters
    ----------
    cls : type

    Returns
    -------
    Entry

    Examples
    --------
    >>> from bnclass import Laplace
    >>> from bnclass.io.codec import Codec, record
    >>> Codec((record(Laplace),)).encode(Laplace(0.5))
    {'type': 'Laplace', 'a': 0.5}
    """
    keys = tuple(field.name for field in fields(cls))
    return Entry(
        cls.__name__,
        (cls,),
        keys,
        lambda codec, value: {key: codec.encode(getattr(value, key)) for key in keys},
        lambda codec, data: cls(**{key: codec.decode(data[key]) for key in keys}),
    )


class Codec:
    """Encode and decode values by a list of entries.

    Parameters
    ----------
    entries : iterable of Entry

    Examples
    --------
    >>> from bnclass.io.codec import Codec
    >>> from bnclass.io.values import VALUES
    >>> codec = Codec(VALUES)
    >>> codec.encode(("a", 1))
    {'type': 'tuple', 'items': ['a', 1]}
    >>> codec.decode(codec.encode(("a", 1)))
    ('a', 1)
    """

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._by_tag = {entry.tag: entry for entry in entries}
        self._by_type = {cls: e for e in self._by_tag.values() for cls in e.types}

    def encode(self, value: Any) -> Json:
        """Return a value as JSON.

        Parameters
        ----------
        value : object

        Returns
        -------
        JSON

        Raises
        ------
        FileFormatError
            If the value, or one inside it, is of no listed type.
        """
        if value is None or type(value) is bool:
            return value
        if type(value) is int:
            return _readable(value)
        if type(value) is float and math.isfinite(value):
            return value
        if type(value) is str:
            return _valid_unicode(value)
        if type(value) is list:
            return [self.encode(item) for item in value]
        entry = self._by_type.get(type(value))
        if entry is None:
            raise FileFormatError(
                f"found {shown(value)} of type {type(value).__name__}, which a file cannot hold; "
                f"expected None, bool, int, float, str, or a tuple, list, dict or numpy array "
                f"of these"
            )
        return {"type": entry.tag, **entry.encode(self, value)}

    def decode(self, data: Json) -> Any:
        """Return the value that some JSON stands for.

        Parameters
        ----------
        data : JSON

        Returns
        -------
        object

        Raises
        ------
        FileFormatError
            If an object has an unknown type, or other keys than its type has.
        """
        if isinstance(data, list):
            return [self.decode(item) for item in data]
        if not isinstance(data, dict):
            return data
        tag = data.get("type")
        entry = self._by_tag.get(tag) if isinstance(tag, str) else None
        if entry is None:
            raise FileFormatError(f"found the type {tag!r}, expected one of {list(self._by_tag)!r}")
        with part(entry.tag):
            require_keys(data, ("type", *entry.keys))
            return entry.decode(self, data)

    def decode_as(self, cls: type, data: Json) -> Any:
        """Return what `decode` does, and refuse what is not of a certain type.

        Parameters
        ----------
        cls : type
        data : JSON

        Returns
        -------
        object of that type, or of one derived from it
        """
        value = self.decode(data)
        if not isinstance(value, cls):
            raise FileFormatError(f"found {shown(value)}, expected a value of type {cls.__name__}")
        return value


def _readable(number: int) -> int:
    if abs(number) >= _TOO_LONG:
        raise FileFormatError("found an integer of thousands of digits, expected at most 4300")
    return number


_TOO_LONG = 10**4300
"""Python neither reads nor writes longer integers, unless told to."""


def _valid_unicode(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise FileFormatError(f"found {text!r}, which is no valid Unicode text") from None
    return text
