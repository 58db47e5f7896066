"""How an ensemble with a network for every row looks in a JSON file."""

from typing import Any

import numpy as np

from bnclass.data.table import EncodedTable
from bnclass.data.variables import Variable
from bnclass.exceptions import FileFormatError, warn
from bnclass.io.checks import part, require_floats, require_keys, require_type, shown
from bnclass.io.codec import Codec, Entry
from bnclass.io.networks import MEMBER_KEYS, decode_member, encode_member
from bnclass.io.strictjson import Json
from bnclass.network.local import LocalMember
from bnclass.network.rowwise import RowwiseEnsemble
from bnclass.statistics.smoothing import BDeu, Laplace, MEstimate
from bnclass.statistics.sufficient import SufficientStatistics


def _encode_local(codec: Codec, member: LocalMember) -> dict[str, Json]:
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
        "codes": rows.codes.tolist(),
        "labels": rows.labels.tolist(),
        "weights": rows.row_weights.tolist(),
    }


def _decode_local(codec: Codec, data: dict[str, Json]) -> LocalMember:
    attributes = [codec.decode_as(Variable, v) for v in require_type(data["attributes"], list)]
    rows = require_type(data["codes"], list)
    n_rows, n = len(rows), len(attributes)
    table = EncodedTable(
        tuple(attributes),
        np.array([_ints(row, n) for row in rows], np.int32).reshape(n_rows, n),
        codec.decode_as(Variable, data["target"]),
        np.array(_ints(data["labels"], n_rows), np.int32),
        np.array(require_floats(data["weights"], n_rows)),
    )
    return LocalMember(
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


LOCAL = Entry(
    "LocalMember",
    (LocalMember,),
    (
        "k",
        "dependence",
        "constraints",
        "smoothing",
        "attributes",
        "target",
        "codes",
        "labels",
        "weights",
    ),
    _encode_local,
    _decode_local,
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
        local = codec.decode_as(LocalMember, data["local"])
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
