"""JSON text: strict reading, and writing that a person can read."""

import json
import math
import re
from collections import Counter
from typing import Any

from bnclass.data.memory import require_memory
from bnclass.exceptions import FileFormatError

Json = Any
"""None, bool, int, float, str, or lists and str-keyed dicts of these."""


def parse_json(text: str) -> Json:
    """Read strict JSON: no NaN, no infinity, no key twice, no half of a character.

    Parameters
    ----------
    text : str

    Returns
    -------
    JSON

    Raises
    ------
    FileFormatError
        If it is not; the message has the line where that is known.
    MemoryLimitError
        If its lists and objects would not fit.

    Examples
    --------
    >>> from bnclass.io.strictjson import parse_json
    >>> parse_json('{"a": [1, 0.5]}')
    {'a': [1, 0.5]}
    """
    _require_room(text)
    try:
        data = json.loads(
            text,
            object_pairs_hook=_distinct,
            parse_constant=_refuse_constant,
            parse_float=_finite,
        )
        if _SURROGATE.search(text):
            json.dumps(data, ensure_ascii=False).encode()
        return data
    except json.JSONDecodeError as error:
        raise FileFormatError(
            f"line {error.lineno}: {error.msg}, expected JSON as `save` writes it"
        ) from None
    except RecursionError:
        raise FileFormatError("found JSON that is nested too deeply") from None
    except UnicodeEncodeError:
        raise FileFormatError("found half of a surrogate pair, expected valid Unicode") from None
    except ValueError as error:  # an integer of thousands of digits
        raise FileFormatError(str(error)) from None


_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def _require_room(text: str) -> None:
    """Count what the text will become: an object of one key takes 240 bytes, a number 40."""
    n_bytes = 240 * text.count("{") + 64 * text.count("[") + 40 * text.count(",")
    require_memory(n_bytes // 8, "the lists and objects of the JSON text")


def _distinct(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    result = dict(pairs)
    if len(result) != len(pairs):
        twice = next(key for key, n in Counter(key for key, _ in pairs).items() if n > 1)
        raise FileFormatError(f"found the key {twice!r} twice")
    return result


def _refuse_constant(name: str) -> None:
    raise FileFormatError(f"found {name}, expected a finite number")


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise FileFormatError(f"found {digits}, expected a number that a double holds")
    return value


def format_json(data: Json, indent: str = "") -> str:
    """Write JSON in pure ASCII; what holds no filled list or object is one line.

    Parameters
    ----------
    data : JSON
        Floats are written with the digits that give back the same double.
    indent : str, default=""
        What begins the lines after the first.

    Returns
    -------
    str
        Without a line end at its end.

    Examples
    --------
    >>> from bnclass.io.strictjson import format_json
    >>> print(format_json({"name": "a", "table": [[0.25, 0.75], [1.0, 0.0]]}))
    {
      "name": "a",
      "table": [
        [0.25, 0.75],
        [1.0, 0.0]
      ]
    }
    """
    if not isinstance(data, (list, dict)) or not _is_nested(data):
        return json.dumps(data, allow_nan=False)
    inner = indent + "  "
    if isinstance(data, list):
        lines = [format_json(item, inner) for item in data]
    else:
        lines = [f"{json.dumps(key)}: {format_json(data[key], inner)}" for key in data]
    opened, closed = "[]" if isinstance(data, list) else "{}"
    body = ",\n".join(inner + line for line in lines)
    return f"{opened}\n{body}\n{indent}{closed}"


def _is_nested(data: list[Json] | dict[str, Json]) -> bool:
    items = data if isinstance(data, list) else data.values()
    return any(isinstance(item, (list, dict)) and item for item in items)
