"""How plain values look in a JSON file: tuples, dicts, numpy scalars and arrays."""

import re
from collections.abc import Hashable
from typing import Any

import numpy as np

from bnclass.data.memory import require_memory
from bnclass.exceptions import FileFormatError
from bnclass.io.checks import require_mixed_hashes, require_type, shown
from bnclass.io.codec import Codec, Entry
from bnclass.io.strictjson import Json

_DTYPES = re.compile(r"[<>|](b1|[iu][1248]|f[248]|U\d{1,4})")


_SHARE = 32
"""An array may take this part of the memory limit: it holds names or labels, which are few."""


def _decode_float(name: Json) -> float:
    if name not in ("inf", "-inf", "nan"):
        raise FileFormatError(f"found {shown(name)}, expected 'inf', '-inf' or 'nan'")
    return float(name)


def _checked_dtype(name: Json) -> np.dtype[Any]:
    if name != "|O" and not _DTYPES.fullmatch(require_type(name, str)):
        raise FileFormatError(f"found the dtype {name!r}, expected bools, numbers or text")
    return np.dtype(name)


def _checked_shape(shape: list[int]) -> list[int]:
    """Refuse an empty array of several axes, whose other axes could be of any length."""
    if min(shape, default=0) < (0 if len(shape) < 2 else 1):
        raise FileFormatError(f"found an array of the shape {shape!r}, expected no empty axis")
    return shape


def _encode_array(codec: Codec, array: Any) -> dict[str, Json]:
    _checked_dtype(array.dtype.str)
    values = [codec.encode(value) for value in array.ravel().tolist()]
    shape = _checked_shape(list(array.shape))
    return {"dtype": array.dtype.str, "shape": shape, "values": values}


def _decode_array(codec: Codec, data: dict[str, Json]) -> Any:
    shape = [require_type(n, int) for n in require_type(data["shape"], list)]
    values = [codec.decode(value) for value in require_type(data["values"], list)]
    dtype = _checked_dtype(data["dtype"])
    require_memory(_SHARE * len(values) * dtype.itemsize // 8, f"an array of {dtype.str!r}")
    array: Any = np.empty(len(values), dtype)
    with np.errstate(over="ignore"):  # what does not fit is refused below
        for i, value in enumerate(values):  # one by one: a tuple is one value
            array[i] = value
    if list(map(repr, array.tolist())) != list(map(repr, values)):
        raise FileFormatError(f"found values that are not of the dtype {data['dtype']!r}")
    return array.reshape(_checked_shape(shape))


def _decode_scalar(codec: Codec, data: dict[str, Json]) -> Any:
    values = {"dtype": data["dtype"], "shape": [1], "values": [data["value"]]}
    return _decode_array(codec, values)[0]


def _decode_dict(codec: Codec, data: dict[str, Json]) -> dict[Hashable, Any]:
    pairs = [require_type(pair, list) for pair in require_type(data["items"], list)]
    keys = [codec.decode(key) for key, _ in pairs]
    require_mixed_hashes(keys)
    return {key: codec.decode(value) for key, (_, value) in zip(keys, pairs, strict=True)}


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
