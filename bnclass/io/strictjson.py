"""JSON text: strict reading, and writing that a person can read."""

import json
import math
from typing import Any

from bnclass.exceptions import FileFormatError

Json = Any
"""None, bool, int, float, str, or lists and str-keyed dicts of these."""


def parse_json(text: str) -> Json:
    """Read strict JSON: no NaN, no infinity, no key twice.

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

    Examples
    --------
    >>> from bnclass.io.strictjson import parse_json
    >>> parse_json('{"a": [1, 0.5]}')
    {'a': [1, 0.5]}
    """
    try:
        return json.loads(
            text,
            object_pairs_hook=_distinct,
            parse_constant=_refuse_constant,
            parse_float=_finite,
        )
    except json.JSONDecodeError as error:
        raise FileFormatError(
            f"line {error.lineno}: {error.msg}, expected JSON as `save` writes it"
        ) from None
    except RecursionError:
        raise FileFormatError("found JSON that is nested too deeply") from None
    except ValueError as error:  # an integer of thousands of digits
        raise FileFormatError(str(error)) from None


def _distinct(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise FileFormatError(f"found a key twice among {[key for key, _ in pairs]!r}")
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
