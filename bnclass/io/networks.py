"""How networks and ensembles look in a JSON file."""

from collections.abc import Hashable

import numpy as np

from bnclass.data.variables import Variable
from bnclass.exceptions import FileFormatError
from bnclass.factors.categorical import CategoricalCPD
from bnclass.io.checks import part, require_floats, require_keys, require_type, shown
from bnclass.io.codec import Codec, Entry
from bnclass.io.parts import STRUCTURE_KEYS, decode_structure, encode_structure
from bnclass.io.strictjson import Json
from bnclass.io.tables import cpd_from_rows, cpds_of, rows_of
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.network.ensemble import NetworkEnsemble
from bnclass.network.membership import SuperparentSeen

Variables = dict[Hashable, Variable]

_MEMBER_KEYS = (*STRUCTURE_KEYS, "factors")


def _encode_member(codec: Codec, network: BayesianNetwork) -> dict[str, Json]:
    """Return a network without its variables, which the members of an ensemble share."""
    factors = [
        {
            "type": "CategoricalCPD",
            "node": codec.encode(node),
            "parents": [codec.encode(parent.name) for parent in cpd.parents],
            "table": rows_of(cpd),
        }
        for node, cpd in cpds_of(network).items()
    ]
    return {**encode_structure(codec, network.structure), "factors": factors}


def _decode_member(codec: Codec, variables: Variables, data: Json) -> BayesianNetwork:
    structure = decode_structure(codec, data)
    factors = [_decode_factor(codec, variables, f) for f in require_type(data["factors"], list)]
    return BayesianNetwork(structure, factors)


def _decode_factor(codec: Codec, variables: Variables, data: Json) -> CategoricalCPD:
    require_keys(data, ("type", "node", "parents", "table"))
    if data["type"] != "CategoricalCPD":
        raise FileFormatError(f"found a {shown(data['type'])}, expected a 'CategoricalCPD'")
    family = [codec.decode(data["node"]), *codec.decode_as(list, data["parents"])]
    with part(f"table of {family[0]!r}"):
        for name in family:
            if name not in variables:
                raise FileFormatError(f"no variable {name!r}, expected one of {list(variables)!r}")
        node, *parents = (variables[name] for name in family)
        return cpd_from_rows(node, parents, data["table"])


def _encode_variables(codec: Codec, network: BayesianNetwork) -> Json:
    return [codec.encode(factor.variable) for factor in network.factors.values()]


def _decode_variables(codec: Codec, data: Json) -> Variables:
    variables = [codec.decode_as(Variable, item) for item in require_type(data, list)]
    return {variable.name: variable for variable in variables}


NETWORK = Entry(
    "BayesianNetwork",
    (BayesianNetwork,),
    ("variables", *_MEMBER_KEYS),
    lambda codec, network: {
        "variables": _encode_variables(codec, network),
        **_encode_member(codec, network),
    },
    lambda codec, data: _decode_member(codec, _decode_variables(codec, data["variables"]), data),
)

# ---------------------------------------------------------------- ensembles


def _encode_seen(codec: Codec, policy: SuperparentSeen) -> dict[str, Json]:
    return {
        "min_count": codec.encode(policy.min_count),
        "superparents": [codec.encode(name) for name in policy.superparents],
        "counts": [counts.tolist() for counts in policy.counts],
    }


def _decode_seen(codec: Codec, data: dict[str, Json]) -> SuperparentSeen:
    superparents = tuple(codec.decode_as(list, data["superparents"]))
    counts = tuple(
        np.array(require_floats(f, len(require_type(f, list))))
        for f in require_type(data["counts"], list)
    )
    return SuperparentSeen(codec.decode(data["min_count"]), superparents, counts)


SEEN = Entry(
    "SuperparentSeen",
    (SuperparentSeen,),
    ("min_count", "superparents", "counts"),
    _encode_seen,
    _decode_seen,
)


def _encode_ensemble(codec: Codec, ensemble: NetworkEnsemble) -> dict[str, Json]:
    fallback = ensemble.fallback
    return {
        "variables": _encode_variables(codec, ensemble.representative),
        "members": [_encode_member(codec, network) for network in ensemble],
        "weights": ensemble.weights.tolist(),
        "membership": codec.encode(ensemble.membership),
        "fallback": None if fallback is None else _encode_member(codec, fallback),
    }


def _decode_ensemble(codec: Codec, data: dict[str, Json]) -> NetworkEnsemble:
    variables = _decode_variables(codec, data["variables"])
    members = require_type(data["members"], list)
    networks = []
    for m, member in enumerate(members):
        with part(f"member {m}"):
            require_keys(member, _MEMBER_KEYS)
            networks.append(_decode_member(codec, variables, member))
    return NetworkEnsemble(
        networks,
        require_floats(data["weights"], len(members)),
        _decode_membership(codec, data["membership"]),
        _decode_fallback(codec, variables, data["fallback"]),
    )


def _decode_membership(codec: Codec, data: Json) -> SuperparentSeen | None:
    return None if data is None else codec.decode_as(SuperparentSeen, data)


def _decode_fallback(codec: Codec, variables: Variables, data: Json) -> BayesianNetwork | None:
    if data is None:
        return None
    with part("fallback"):
        require_keys(data, _MEMBER_KEYS)
        return _decode_member(codec, variables, data)


ENSEMBLE = Entry(
    "NetworkEnsemble",
    (NetworkEnsemble,),
    ("variables", "members", "weights", "membership", "fallback"),
    _encode_ensemble,
    _decode_ensemble,
)
