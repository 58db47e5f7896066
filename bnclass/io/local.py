"""How an ensemble with a network for every row looks in a JSON file."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from bnclass.data.codes import MISSING, Codes
from bnclass.data.table import EncodedTable
from bnclass.data.variables import LARGEST_NUMBER, Variable
from bnclass.data.weights import require_moderate
from bnclass.exceptions import FileFormatError, warn
from bnclass.io.checks import part, require_floats, require_keys, require_type, shown
from bnclass.io.codec import Codec, Entry
from bnclass.io.networks import MEMBER_KEYS, decode_member, encode_member
from bnclass.io.strictjson import Json
from bnclass.network.local import LocalMember
from bnclass.network.local_gaussian import LocalGaussianMember
from bnclass.network.row_member import RowMember
from bnclass.network.rowwise import RowwiseEnsemble
from bnclass.statistics.smoothing import BDeu, Laplace, MEstimate
from bnclass.statistics.sufficient import SufficientStatistics

Floats = npt.NDArray[np.float64]

_KEYS = (
    *("k", "dependence", "constraints", "smoothing"),
    *("attributes", "target", "labels", "weights"),
)


def _encode_local(codec: Codec, member: RowMember) -> dict[str, Json]:
    """Return all of a member but the cells of its rows."""
    rows = member.distinct_rows
    assert rows.labels is not None
    warn(
        f"the file holds training data: {len(rows)} distinct encoded rows with their weights, "
        f"from which networks for single rows are made"
    )
    return {
        "k": int(member.k),
        "dependence": member.dependence,
        "constraints": codec.encode(member.constraints),
        "smoothing": codec.encode(member.smoothing),
        "attributes": [codec.encode(variable) for variable in rows.variables],
        "target": codec.encode(rows.target),
        "labels": rows.labels.tolist(),
        "weights": rows.row_weights.tolist(),
    }


def _decode_local(
    codec: Codec,
    data: dict[str, Json],
    cls: Callable[..., RowMember],
    codes: Codes,
    numbers: Floats | None,
) -> RowMember:
    weights = np.array(require_floats(data["weights"], len(codes)))
    require_moderate("weights", weights)
    table = EncodedTable(
        tuple(codec.decode_as(Variable, v) for v in require_type(data["attributes"], list)),
        codes,
        codec.decode_as(Variable, data["target"]),
        np.array(_ints(data["labels"], len(codes)), np.int32),
        weights,
        numbers,
    )
    return cls(
        SufficientStatistics.from_table(table),
        _decode_smoothing(codec, data["smoothing"]),
        require_type(data["k"], int),
        require_type(data["dependence"], str),
        codec.decode(data["constraints"]),
    )


def _decode_smoothing(codec: Codec, data: Json) -> Any:
    smoothing = codec.decode(data)
    if not isinstance(smoothing, (MEstimate, Laplace, BDeu)):
        raise FileFormatError(
            f"smoothing: found {shown(smoothing)}, expected MEstimate, Laplace or BDeu"
        )
    return smoothing


def _ints(data: Json, n: int) -> list[int]:
    numbers: list[int] = require_type(data, list)
    if len(numbers) != n or not set(map(type, numbers)) <= {int}:
        raise FileFormatError(f"found {shown(data)}, expected a list of {n} whole numbers")
    return numbers


def _numbers(data: Json, n: int) -> list[float]:
    """Return numbers, NaN in the place of null."""
    cells: list[Any] = require_type(data, list)
    known = require_floats([0.0 if x is None else x for x in cells], n)
    return [math.nan if x is None else number for x, number in zip(cells, known, strict=True)]


def _encode_states(codec: Codec, member: LocalMember) -> dict[str, Json]:
    return {**_encode_local(codec, member), "codes": member.distinct_rows.codes.tolist()}


def _decode_states(codec: Codec, data: dict[str, Json]) -> RowMember:
    rows, n = require_type(data["codes"], list), len(require_type(data["attributes"], list))
    codes = np.array([_ints(row, n) for row in rows], np.int32).reshape(len(rows), n)
    return _decode_local(codec, data, LocalMember, codes, None)


def _encode_numbers(codec: Codec, member: LocalGaussianMember) -> dict[str, Json]:
    numbers = member.cells(member.distinct_rows).tolist()
    cells = [[x if x == x else None for x in row] for row in numbers]
    return {**_encode_local(codec, member), "numbers": cells}


def _decode_numbers(codec: Codec, data: dict[str, Json]) -> RowMember:
    rows, n = require_type(data["numbers"], list), len(require_type(data["attributes"], list))
    numbers = np.array([_numbers(row, n) for row in rows]).reshape(len(rows), n)
    if (np.abs(numbers) > LARGEST_NUMBER).any():
        raise FileFormatError(f"found a number beyond {LARGEST_NUMBER:g} in magnitude")
    codes = np.where(np.isnan(numbers), MISSING, 0).astype(np.int32)
    return _decode_local(codec, data, LocalGaussianMember, codes, numbers)


LOCAL = Entry("LocalMember", (LocalMember,), (*_KEYS, "codes"), _encode_states, _decode_states)
LOCAL_GAUSSIAN = Entry(
    "LocalGaussianMember",
    (LocalGaussianMember,),
    (*_KEYS, "numbers"),
    _encode_numbers,
    _decode_numbers,
)


def _encode_rowwise(codec: Codec, ensemble: RowwiseEnsemble) -> dict[str, Json]:
    return {
        "local": codec.encode(ensemble.local),
        "members": [encode_member(codec, network) for network in ensemble],
        "weights": ensemble.weights.tolist(),
        "average": ensemble.average,
    }


def _decode_rowwise(codec: Codec, data: dict[str, Json]) -> RowwiseEnsemble:
    with part("local"):
        local = codec.decode_as(RowMember, data["local"])
    schema = local.statistics.schema
    variables = {v.name: v for v in (schema.target, *schema.attributes)}
    networks = []
    for m, member in enumerate(require_type(data["members"], list)):
        with part(f"member {m}"):
            require_keys(member, MEMBER_KEYS)
            networks.append(decode_member(codec, variables, member))
    return RowwiseEnsemble(
        networks,
        local,
        require_floats(data["weights"], len(networks) + 1),
        require_type(data["average"], str),
    )


ROWWISE = Entry(
    "RowwiseEnsemble",
    (RowwiseEnsemble,),
    ("local", "members", "weights", "average"),
    _encode_rowwise,
    _decode_rowwise,
)
