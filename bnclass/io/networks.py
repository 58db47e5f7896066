"""How networks and ensembles look in a JSON file."""

from collections.abc import Hashable, Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from bnclass.data.memory import require_memory
from bnclass.data.variables import Variable
from bnclass.exceptions import FileFormatError
from bnclass.io.checks import (
    part,
    require_floats,
    require_keys,
    require_mixed_hashes,
    require_type,
    shown,
)
from bnclass.io.codec import Codec, Entry
from bnclass.io.factors import decode_factor, encode_factor
from bnclass.io.parts import STRUCTURE_KEYS, decode_structure, encode_structure
from bnclass.io.strictjson import Json
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.network.ensemble import NetworkEnsemble
from bnclass.network.membership import SuperparentSeen
from bnclass.network.subsumption import Subsumption

Variables = dict[Hashable, Variable]

MEMBER_KEYS = (*STRUCTURE_KEYS, "factors")


def encode_member(codec: Codec, network: BayesianNetwork) -> dict[str, Json]:
    """Return a network without its variables, which the members of an ensemble share.

    Parameters
    ----------
    codec : Codec
    network : BayesianNetwork

    Returns
    -------
    JSON object with the keys of `MEMBER_KEYS`

    Examples
    --------
    >>> from bnclass import NaiveBayes, load_dataset
    >>> from bnclass.io.codec import Codec
    >>> from bnclass.io.networks import MEMBER_KEYS, encode_member
    >>> from bnclass.io.values import VALUES
    >>> network = NaiveBayes().fit(*load_dataset("monks-1")).network_
    >>> tuple(encode_member(Codec(VALUES), network)) == MEMBER_KEYS
    True
    """
    factors = [encode_factor(codec, factor) for factor in network.factors.values()]
    return {**encode_structure(codec, network.structure), "factors": factors}


def decode_member(codec: Codec, variables: Variables, data: Json) -> BayesianNetwork:
    """Return the network that `encode_member` wrote.

    Parameters
    ----------
    codec : Codec
    variables : dict of name to Variable
        Those of the ensemble.
    data : JSON object with the keys of `MEMBER_KEYS`

    Returns
    -------
    BayesianNetwork
    """
    structure = decode_structure(codec, data)
    factors = [decode_factor(codec, variables, f) for f in require_type(data["factors"], list)]
    return BayesianNetwork(structure, factors)


def _encode_variables(codec: Codec, variables: Iterable[Variable]) -> list[Json]:
    return [codec.encode(variable) for variable in variables]


def _decode_variables(codec: Codec, data: Json) -> Variables:
    variables = [codec.decode_as(Variable, item) for item in require_type(data, list)]
    require_mixed_hashes(variable.name for variable in variables)
    by_name = {variable.name: variable for variable in variables}
    if len(by_name) != len(variables):
        names = [variable.name for variable in variables]
        raise FileFormatError(f"found the variables {shown(names)}, expected each once")
    return by_name


NETWORK = Entry(
    "BayesianNetwork",
    (BayesianNetwork,),
    ("variables", *MEMBER_KEYS),
    lambda codec, network: {
        "variables": _encode_variables(codec, (f.variable for f in network.factors.values())),
        **encode_member(codec, network),
    },
    lambda codec, data: decode_member(codec, _decode_variables(codec, data["variables"]), data),
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
    return SuperparentSeen(
        codec.decode(data["min_count"]), superparents, _decode_counts(data["counts"])
    )


def _decode_counts(data: Json) -> tuple[npt.NDArray[np.float64], ...]:
    return tuple(
        np.array(require_floats(f, len(require_type(f, list)))) for f in require_type(data, list)
    )


SEEN = Entry(
    "SuperparentSeen",
    (SuperparentSeen,),
    ("min_count", "superparents", "counts"),
    _encode_seen,
    _decode_seen,
)


def _encode_subsumption(codec: Codec, rule: Subsumption) -> dict[str, Json]:
    ends = np.repeat(rule.starts, [f.size for f in rule.counts])
    return {
        "min_frequency": codec.encode(rule.min_frequency),
        "attributes": [codec.encode(name) for name in rule.attributes],
        "counts": [counts.tolist() for counts in rule.counts],
        "pair_counts": [f[:end].tolist() for f, end in zip(rule.pair_counts, ends, strict=True)],
    }


def _decode_subsumption(codec: Codec, data: dict[str, Json]) -> Subsumption:
    attributes = tuple(codec.decode_as(list, data["attributes"]))
    counts, rows = _decode_counts(data["counts"]), require_type(data["pair_counts"], list)
    sizes = [f.size for f in counts]
    ends = np.repeat(np.cumsum([0, *sizes])[:-1], sizes).tolist()
    if len(rows) != len(ends):
        raise FileFormatError(f"found {len(rows)} rows of pair counts, expected {len(ends)}")
    require_memory(3 * len(ends) ** 2, "the pair counts")  # read, copied, and masked
    pairs = np.zeros((len(ends), len(ends)))
    for f, row, end in zip(pairs, rows, ends, strict=True):
        f[:end] = require_floats(row, end)
    return Subsumption(codec.decode(data["min_frequency"]), attributes, counts, pairs)


SUBSUMPTION = Entry(
    "Subsumption",
    (Subsumption,),
    ("min_frequency", "attributes", "counts", "pair_counts"),
    _encode_subsumption,
    _decode_subsumption,
)


def _encode_ensemble(codec: Codec, ensemble: NetworkEnsemble) -> dict[str, Json]:
    fallback = ensemble.fallback
    resolutions = {name: float(r) for name, r in ensemble.resolutions.items()}
    return {
        "variables": _encode_variables(codec, _variables_of(ensemble)),
        "members": [encode_member(codec, network) for network in ensemble],
        "weights": ensemble.weights.tolist(),
        "membership": codec.encode(ensemble.membership),
        "fallback": None if fallback is None else encode_member(codec, fallback),
        "resolutions": codec.encode(resolutions),
        "average": ensemble.average,
        "subsumption": codec.encode(ensemble.subsumption),
    }


def _variables_of(ensemble: NetworkEnsemble) -> Iterator[Variable]:
    """Yield the class, then every attribute that some member has."""
    if ensemble.target is not None:
        yield ensemble.target
    yield from ensemble.attributes


def _decode_ensemble(codec: Codec, data: dict[str, Json]) -> NetworkEnsemble:
    variables = _decode_variables(codec, data["variables"])
    members = require_type(data["members"], list)
    networks = []
    for m, member in enumerate(members):
        with part(f"member {m}"):
            require_keys(member, MEMBER_KEYS)
            networks.append(decode_member(codec, variables, member))
    return NetworkEnsemble(
        networks,
        require_floats(data["weights"], len(members)),
        _decode_policy(codec, SuperparentSeen, data["membership"]),
        _decode_fallback(codec, variables, data["fallback"]),
        _decode_resolutions(codec, data["resolutions"]),
        require_type(data["average"], str),
        _decode_policy(codec, Subsumption, data["subsumption"]),
    )


def _decode_policy(codec: Codec, cls: type, data: Json) -> Any:
    return None if data is None else codec.decode_as(cls, data)


def _decode_fallback(codec: Codec, variables: Variables, data: Json) -> BayesianNetwork | None:
    if data is None:
        return None
    with part("fallback"):
        require_keys(data, MEMBER_KEYS)
        return decode_member(codec, variables, data)


def _decode_resolutions(codec: Codec, data: Json) -> dict[Hashable, float]:
    with part("resolutions"):
        resolutions: dict[Hashable, float] = codec.decode_as(dict, data)
        for resolution in resolutions.values():
            require_type(resolution, float)
        return resolutions


ENSEMBLE = Entry(
    "NetworkEnsemble",
    (NetworkEnsemble,),
    (
        "variables",
        "members",
        "weights",
        "membership",
        "fallback",
        "resolutions",
        "average",
        "subsumption",
    ),
    _encode_ensemble,
    _decode_ensemble,
)
