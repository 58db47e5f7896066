"""How fitted classifiers look in a JSON file."""

from collections.abc import Hashable
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from bnclass.classifiers.averaged import AODE, ATAN
from bnclass.classifiers.base import BayesianNetworkClassifier
from bnclass.classifiers.drawn import StructureClassifier
from bnclass.classifiers.kst import KST
from bnclass.classifiers.numeric import GAODE, HAODE
from bnclass.classifiers.single import KDB, SPODE, TAN, NaiveBayes
from bnclass.data.encoder import TableEncoder
from bnclass.data.variables import Schema, Variable
from bnclass.exceptions import FileFormatError
from bnclass.io.checks import part, require_keys, require_mixed_hashes, require_type, shown
from bnclass.io.codec import Codec, Entry
from bnclass.io.strictjson import Json
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.network.ensemble import NetworkEnsemble
from bnclass.network.joint import JointModel
from bnclass.statistics.sufficient import SufficientStatistics

# ---------------------------------------------------------------- the encoder

_ENCODER_PARAMETERS = ("categorical_features", "continuous", "missing", "unknown", "views")


def _encode_encoder(codec: Codec, encoder: TableEncoder) -> dict[str, Json]:
    return {
        **{key: codec.encode(getattr(encoder, key)) for key in _ENCODER_PARAMETERS},
        "columns": codec.encode(list(encoder.columns_)),
        "means": codec.encode(encoder.means_),
        "classes": codec.encode(encoder.classes_),
        "attributes": [codec.encode(variable) for variable in encoder.schema_.attributes],
        "target": codec.encode(encoder.schema_.target),
        "views_": [codec.encode(variable) for variable in encoder.views_],
        "idle_views_": [codec.encode(variable) for variable in encoder.idle_views_],
        "declared": codec.encode(list(encoder.declared_)),
        "missing_counts": codec.encode(encoder.missing_counts_),
    }


def _decode_encoder(codec: Codec, data: dict[str, Json]) -> TableEncoder:
    encoder = TableEncoder(**{key: codec.decode(data[key]) for key in _ENCODER_PARAMETERS})
    encoder.columns_ = tuple(codec.decode_as(list, data["columns"]))
    encoder.means_ = codec.decode_as(dict, data["means"])
    encoder.classes_ = codec.decode_as(np.ndarray, data["classes"])
    encoder.binning_ = None
    attributes = _decode_variables(codec, data["attributes"])
    encoder.schema_ = Schema(attributes, codec.decode_as(Variable, data["target"]))
    encoder.views_ = _decode_variables(codec, data["views_"])
    encoder.idle_views_ = _decode_variables(codec, data["idle_views_"])
    encoder.declared_ = tuple(codec.decode_as(list, data["declared"]))
    encoder.missing_counts_ = _decode_counts(codec, data["missing_counts"])
    _require_consistent(encoder)
    return encoder


def _decode_counts(codec: Codec, data: Json) -> dict[Hashable, int]:
    counts: dict[Hashable, int] = codec.decode_as(dict, data)
    for n in counts.values():
        require_type(n, int)
    return counts


def _decode_variables(codec: Codec, data: Json) -> tuple[Variable, ...]:
    variables = tuple(codec.decode_as(Variable, item) for item in require_type(data, list))
    require_mixed_hashes(variable.name for variable in variables)
    return variables


def _require_consistent(encoder: TableEncoder) -> None:
    states, classes = encoder.schema_.target.states, tuple(encoder.classes_.tolist())
    if states != classes:
        raise FileFormatError(
            f"found the classes {classes!r}, expected {states!r} as in the target"
        )
    require_mixed_hashes(encoder.columns_)
    if len(set(encoder.columns_)) != len(encoder.columns_):
        raise FileFormatError(f"found the columns {encoder.columns_!r}, expected each once")
    every = (*_attributes(encoder), *encoder.idle_views_)
    for variable in Schema(every, encoder.schema_.target).attributes:
        if variable.column not in encoder.columns_:
            raise FileFormatError(
                f"no column {variable.column!r}, expected one of {list(encoder.columns_)!r}"
            )


def _attributes(encoder: TableEncoder) -> tuple[Variable, ...]:
    """Return all attributes in the order of a model's: the columns, then the views."""
    return (*encoder.schema_.attributes, *encoder.views_)


ENCODER = Entry(
    "TableEncoder",
    (TableEncoder,),
    (
        *_ENCODER_PARAMETERS,
        *("columns", "means", "classes", "attributes", "target", "views_", "idle_views_"),
        *("declared", "missing_counts"),
    ),
    _encode_encoder,
    _decode_encoder,
)

# ---------------------------------------------------------------- classifiers


_ESTIMATOR_KEYS = (
    "parameters",
    "n_features_in_",
    "feature_names_in_",
    "unknown_counts_",
    "statistics_",
    "encoder_",
)


def _estimator(cls: type[BayesianNetworkClassifier], **learned: type) -> Entry:
    """Return the entry of a classifier, given what it has learned besides its encoder."""
    return Entry(
        cls.__name__,
        (cls,),
        (*_ESTIMATOR_KEYS, *learned),
        lambda codec, model: _encode_estimator(codec, model, tuple(learned)),
        lambda codec, data: _decode_estimator(codec, cls(), data, learned),
    )


def _encode_estimator(codec: Codec, model: Any, learned: tuple[str, ...]) -> dict[str, Json]:
    check_is_fitted(model)
    _require_no_transformer(model)
    parameters = model.get_params(deep=False)
    return {
        "parameters": {key: _encode_parameter(codec, key, parameters[key]) for key in parameters},
        "n_features_in_": model.n_features_in_,
        "feature_names_in_": codec.encode(getattr(model, "feature_names_in_", None)),
        "unknown_counts_": codec.encode(model.unknown_counts_),
        "statistics_": codec.encode(getattr(model, "statistics_", None)),
        **{key: codec.encode(getattr(model, key)) for key in ("encoder_", *learned)},
    }


def _encode_parameter(codec: Codec, key: str, value: Any) -> Json:
    with part(f"parameter {key!r}"):
        return codec.encode(value)


def _require_no_transformer(model: BayesianNetworkClassifier) -> None:
    """Refuse a transformer among the parameters, and one that is fitted."""
    of_views = model.encoder_.views is not None  # HAODE's, which always has some
    name, instead = ("discretizer", None) if of_views else ("continuous", "mdl")
    for transformer in (getattr(model, name, None), model.encoder_.discretizer_):
        if transformer is not None and not isinstance(transformer, str):
            raise FileFormatError(
                f"{name} is {shown(transformer)}, and JSON cannot hold a transformer; "
                f"expected {name}={instead!r}"
            )


def _decode_estimator(
    codec: Codec, model: Any, data: dict[str, Json], learned: dict[str, type]
) -> BayesianNetworkClassifier:
    parameters = data["parameters"]
    with part("parameters"):
        require_keys(parameters, model.get_params(deep=False))
        model.set_params(**{key: codec.decode(value) for key, value in parameters.items()})
    model.n_features_in_ = require_type(data["n_features_in_"], int)
    if data["feature_names_in_"] is not None:
        model.feature_names_in_ = codec.decode_as(np.ndarray, data["feature_names_in_"])
    for key, cls in {"encoder_": TableEncoder, **learned}.items():
        with part(key):
            setattr(model, key, codec.decode_as(cls, data[key]))
    model._keep(model.encoder_)
    model.unknown_counts_ = _decode_counts(codec, data["unknown_counts_"])
    if data["statistics_"] is not None:
        with part("statistics_"):
            model.statistics_ = codec.decode_as(SufficientStatistics, data["statistics_"])
    _require_no_transformer(model)
    _require_one_domain(model)
    return model  # type: ignore[no-any-return]


def _require_one_domain(model: Any) -> None:
    """Refuse an encoder and a network of different variables."""
    encoded, fitted = (_attributes(model.encoder_), model.schema_.target), model._model
    if (fitted.attributes, fitted.target) != encoded:
        raise FileFormatError("the encoder and the network differ in their variables")
    statistics = getattr(model, "statistics_", None)
    if statistics is not None and statistics.schema != model.encoder_.counted_schema:
        raise FileFormatError("the encoder and the statistics differ in their variables")
    columns = model.encoder_.columns_
    names = tuple(getattr(model, "feature_names_in_", columns))
    if names != columns or len(columns) != model.n_features_in_:
        raise FileFormatError(
            f"found {len(columns)} columns {columns!r} and the feature names {names!r}, "
            f"expected {model.n_features_in_} equal ones"
        )


ESTIMATORS = (
    _estimator(NaiveBayes, network_=BayesianNetwork),
    _estimator(SPODE, network_=BayesianNetwork),
    _estimator(TAN, network_=BayesianNetwork),
    _estimator(KDB, network_=BayesianNetwork, k_=Integral),
    _estimator(AODE, ensemble_=NetworkEnsemble),
    _estimator(ATAN, ensemble_=NetworkEnsemble),
    _estimator(GAODE, ensemble_=NetworkEnsemble),
    _estimator(HAODE, ensemble_=NetworkEnsemble),
    _estimator(KST, ensemble_=JointModel),
    _estimator(StructureClassifier, network_=BayesianNetwork),
)
"""A new classifier needs one line here."""
