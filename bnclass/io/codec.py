"""Python values as JSON and back, exactly, by a closed list of types.

``None``, bools, ints, finite floats, text and lists stand for themselves. Everything else
is a JSON object whose "type" names an `Entry`: a pair of small functions. A type that is
not listed is refused, in both directions.
"""

import math
import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from bnclass.exceptions import BnclassError, FileFormatError
from bnclass.io.strictjson import Json

_DTYPES = re.compile(r"[<>|](b1|[iu][1248]|f[248]|U\d{1,4})")


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
    >>> from bnclass.io.codec import VALUES, Codec
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
        if value is None or type(value) in (bool, int):
            return value
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
        object of that type
        """
        return require_type(self.decode(data), cls)


@contextmanager
def part(name: str) -> Iterator[None]:
    """Turn errors about broken data into a `FileFormatError` that begins with a part's name.

    Parameters
    ----------
    name : str

    Raises
    ------
    FileFormatError

    Examples
    --------
    >>> from bnclass.io.codec import part
    >>> with part("node 'a'"):
    ...     raise ValueError("found no table")
    Traceback (most recent call last):
    bnclass.exceptions.FileFormatError: node 'a': found no table
    """
    try:
        yield
    except (BnclassError, TypeError, ValueError, OverflowError) as error:
        reason = str(error).partition("\n")[0]
        raise FileFormatError(f"{name}: {reason}") from None


def require_keys(data: Json, keys: Iterable[str]) -> None:
    """Refuse what is not a JSON object with exactly these keys.

    Parameters
    ----------
    data : JSON
    keys : iterable of str

    Raises
    ------
    FileFormatError
    """
    found, expected = require_type(data, dict), tuple(keys)
    for key in expected:
        if key not in found:
            raise FileFormatError(f"found no {key!r}, expected the keys {list(expected)!r}")
    for key in found:
        if key not in expected:
            raise FileFormatError(f"found the key {key!r}, expected only {list(expected)!r}")


def require_type(value: Any, cls: type) -> Any:
    """Return a value, or refuse it if it is not exactly of the type.

    Parameters
    ----------
    value : object
    cls : type

    Returns
    -------
    object

    Raises
    ------
    FileFormatError

    Examples
    --------
    >>> from bnclass.io.codec import require_type
    >>> require_type(True, int)
    Traceback (most recent call last):
    bnclass.exceptions.FileFormatError: found True, expected a value of type int
    """
    if type(value) is not cls:
        raise FileFormatError(f"found {shown(value)}, expected a value of type {cls.__name__}")
    return value


def require_floats(data: Json, n: int) -> list[float]:
    """Return a JSON list of numbers as floats, or refuse it.

    Parameters
    ----------
    data : JSON
    n : int
        The length it must have.

    Returns
    -------
    list of float

    Raises
    ------
    FileFormatError
    """
    numbers = require_type(data, list)
    if len(numbers) != n or not set(map(type, numbers)) <= {int, float}:
        raise FileFormatError(f"found {shown(data)}, expected a list of {n} numbers")
    return [float(number) for number in numbers]


def shown(value: Any) -> str:
    """Return the repr of a value for a message, on one line and not too long.

    Parameters
    ----------
    value : object

    Returns
    -------
    str

    Examples
    --------
    >>> from bnclass.io.codec import shown
    >>> shown("a" * 100)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…"
    """
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"{text[:60]}…"


def _valid_unicode(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise FileFormatError(f"found {text!r}, which is no valid Unicode text") from None
    return text


def _decode_float(name: Json) -> float:
    if name not in ("inf", "-inf", "nan"):
        raise FileFormatError(f"found {shown(name)}, expected 'inf', '-inf' or 'nan'")
    return float(name)


def _checked_dtype(name: Json) -> np.dtype[Any]:
    if name != "|O" and not _DTYPES.fullmatch(require_type(name, str)):
        raise FileFormatError(f"found the dtype {name!r}, expected bools, numbers or text")
    return np.dtype(name)


def _encode_array(codec: Codec, array: Any) -> dict[str, Json]:
    _checked_dtype(array.dtype.str)
    values = [codec.encode(value) for value in array.ravel().tolist()]
    return {"dtype": array.dtype.str, "shape": list(array.shape), "values": values}


def _decode_array(codec: Codec, data: dict[str, Json]) -> Any:
    shape = [require_type(n, int) for n in require_type(data["shape"], list)]
    values = [codec.decode(value) for value in require_type(data["values"], list)]
    array: Any = np.empty(len(values), dtype=_checked_dtype(data["dtype"]))
    for i, value in enumerate(values):  # one by one: a tuple is one value
        array[i] = value
    if list(map(repr, array.tolist())) != list(map(repr, values)):
        raise FileFormatError(f"found values that are not of the dtype {data['dtype']!r}")
    return array.reshape(shape)


def _decode_scalar(codec: Codec, data: dict[str, Json]) -> Any:
    values = {"dtype": data["dtype"], "shape": [1], "values": [data["value"]]}
    return _decode_array(codec, values)[0]


def _decode_dict(codec: Codec, data: dict[str, Json]) -> dict[Hashable, Any]:
    pairs = [require_type(pair, list) for pair in require_type(data["items"], list)]
    return {codec.decode(key): codec.decode(value) for key, value in pairs}


_SCALARS = tuple(np.dtype(code).type for code in "?bhilqBHILQefdU")

VALUES = (
    Entry(
        "tuple",
        (tuple,),
        ("items",),
        lambda codec, value: {"items": [codec.encode(item) for item in value]},
        lambda codec, data: tuple(map(codec.decode, require_type(data["items"], list))),
    ),
    Entry(
        "float",
        (float,),
        ("value",),
        lambda codec, value: {"value": repr(value)},
        lambda codec, data: _decode_float(data["value"]),
    ),
    Entry(
        "dict",
        (dict,),
        ("items",),
        lambda codec, value: {"items": codec.encode([list(pair) for pair in value.items()])},
        _decode_dict,
    ),
    Entry(
        "scalar",
        _SCALARS,
        ("dtype", "value"),
        lambda codec, value: {"dtype": value.dtype.str, "value": codec.encode(value.item())},
        _decode_scalar,
    ),
    Entry("array", (np.ndarray,), ("dtype", "shape", "values"), _encode_array, _decode_array),
)
"""The plain values: tuples, floats that are not finite, dicts, numpy scalars and arrays."""
