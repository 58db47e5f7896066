"""How plain values look in a JSON file: tuples, dicts, numpy scalars and arrays."""

import re
from collections.abc import Hashable
from typing import Any

import numpy as np

from bnclass.exceptions import FileFormatError
from bnclass.io.checks import require_type, shown
from bnclass.io.codec import Codec, Entry
from bnclass.io.strictjson import Json

_DTYPES = re.compile(r"[<>|](b1|[iu][1248]|f[248]|U\d{1,4})")


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
