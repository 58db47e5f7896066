"""How counts and moments look in a JSON file: the cells that are not 0, with their places."""

from itertools import pairwise
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from bnclass.data.memory import require_memory
from bnclass.data.variables import Schema, Variable
from bnclass.exceptions import FileFormatError
from bnclass.io.checks import part, require_floats, require_keys, require_type
from bnclass.io.codec import Codec, Entry
from bnclass.io.strictjson import Json
from bnclass.statistics.family import FamilyMoments
from bnclass.statistics.moments import Moments
from bnclass.statistics.resolution import DistinctValues
from bnclass.statistics.sufficient import SufficientStatistics

Floats = npt.NDArray[np.float64]

_COUNTS = ("class_counts", "value_counts", "pair_counts")
_MOMENTS = ("singles", "pairs", "cells")
_FAMILY = ("n", "mean", "scatter", "rounding")


def _encode_statistics(codec: Codec, statistics: SufficientStatistics) -> dict[str, Json]:
    moments = statistics.moments
    return {
        "attributes": [codec.encode(v) for v in statistics.schema.attributes],
        "target": codec.encode(statistics.schema.target),
        **{key: _encode_array(getattr(statistics, key)) for key in _COUNTS},
        "moments": moments and {key: _encode_family(getattr(moments, key)) for key in _MOMENTS},
        "distinct": [_encode_distinct(numbers) for numbers in statistics.distinct],
    }


def _encode_array(array: Floats | None) -> Json:
    if array is None:
        return None
    places = np.flatnonzero(array)
    return {"places": places.tolist(), "values": array.ravel()[places].tolist()}


def _encode_family(moments: FamilyMoments | None) -> Json:
    return moments and {key: _encode_array(getattr(moments, key)) for key in _FAMILY}


def _encode_distinct(numbers: DistinctValues) -> Json:
    if numbers.collected is None:
        return {"values": None, "range": [numbers.minimum, numbers.maximum]}
    return {"values": numbers.collected.tolist(), "range": None}


def _decode_statistics(codec: Codec, data: dict[str, Json]) -> SufficientStatistics:
    attributes = [codec.decode_as(Variable, v) for v in require_type(data["attributes"], list)]
    schema = Schema(tuple(attributes), codec.decode_as(Variable, data["target"]))
    k, v = schema.target.card, sum(a.card for a in attributes)
    c = sum(a.is_continuous for a in attributes)
    shapes = dict(zip(_COUNTS, ((k,), (k, v), (k, v, v)), strict=True))
    counts: dict[str, Any] = {key: _decode_array(key, data[key], shapes[key]) for key in _COUNTS}
    if counts["class_counts"] is None or counts["value_counts"] is None:
        raise FileFormatError("found no class_counts or no value_counts, expected both")
    distinct = tuple(map(_decode_distinct, require_type(data["distinct"], list)))
    if len(distinct) != c:
        raise FileFormatError(f"found {len(distinct)} lists of distinct numbers, expected {c}")
    pairs = counts["pair_counts"] is not None
    moments = _decode_moments(data["moments"], k, v, c, pairs) if c else None
    return SufficientStatistics(schema, **counts, moments=moments, distinct=distinct)


def _decode_moments(data: Json, k: int, v: int, c: int, pairs: bool) -> Moments:
    with part("moments"):
        require_keys(data, _MOMENTS)
        singles = _decode_family("singles", data["singles"], (k, c), 1)
        if not pairs:
            return Moments(singles, None, None)
        return Moments(
            singles,
            _decode_family("pairs", data["pairs"], (k, c, c), 2),
            _decode_family("cells", data["cells"], (k, v, c), 1),
        )


def _decode_family(name: str, data: Json, config: tuple[int, ...], p: int) -> FamilyMoments:
    with part(name):
        require_keys(data, _FAMILY)
        shapes = (config, (*config, p), (*config, p, p), (*config, p))
        arrays = [_decode_array(k, data[k], s) for k, s in zip(_FAMILY, shapes, strict=True)]
        if any(array is None for array in arrays):
            raise FileFormatError(f"found null, expected each of {list(_FAMILY)!r}")
        return FamilyMoments(*arrays)  # type: ignore[arg-type]  # none is None


def _decode_array(name: str, data: Json, shape: tuple[int, ...]) -> Floats | None:
    if data is None:
        return None
    with part(name):
        require_keys(data, ("places", "values"))
        places, size = require_type(data["places"], list), prod(shape)
        values = require_floats(data["values"], len(places))
        rising = set(map(type, places)) <= {int} and all(a < b for a, b in pairwise(places))
        if not rising or (places and not 0 <= places[0] <= places[-1] < size):
            raise FileFormatError(f"expected ascending whole places from 0 to {size - 1}")
        require_memory(size, "the array")
        array = np.zeros(size)
        array[np.array(places, np.int64)] = values
        if name == "n" or name.endswith("counts"):
            _require_no_negative(values)
        return array.reshape(shape)


def _require_no_negative(values: list[float]) -> None:
    if min(values, default=0.0) < 0:
        raise FileFormatError(f"found the count {min(values)}, expected none below 0")


def _decode_distinct(data: Json) -> DistinctValues:
    with part("distinct"):
        require_keys(data, ("values", "range"))
        if data["values"] is None:
            low, high = require_floats(data["range"], 2)
            return DistinctValues(None, low, high)
        values = require_floats(data["values"], len(require_type(data["values"], list)))
        found = DistinctValues.from_numbers(np.array(values, dtype=np.float64))
        if found.n_distinct != len(values):
            raise FileFormatError("found a number twice, or too many, expected distinct ones")
        return found


STATISTICS = Entry(
    "SufficientStatistics",
    (SufficientStatistics,),
    ("attributes", "target", *_COUNTS, "moments", "distinct"),
    _encode_statistics,
    _decode_statistics,
)
