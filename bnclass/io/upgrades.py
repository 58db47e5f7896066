"""From documents of earlier formats to the present one, a format at a time."""

from collections.abc import Mapping

from bnclass.exceptions import FileFormatError
from bnclass.io.checks import require_type, shown
from bnclass.io.strictjson import Json

FORMAT = 3
"""The format that `save` writes.

Since 3 classifiers have counts of missing and unknown cells, say what becomes of unknown values,
and may hold the statistics that they go on learning from; there are sparse tables, and constraints
in all learners.
Since 2 there are Gaussian factors, views, resolutions, averages of posteriors, subsumption
resolution and constraints.
"""


def upgraded(document: Json) -> Json:
    """Return a document of any format up to `FORMAT` as one of `FORMAT`.

    Parameters
    ----------
    document : JSON

    Returns
    -------
    JSON

    Raises
    ------
    FileFormatError
        If it has no format number, or a later one.

    Examples
    --------
    >>> from bnclass.io.upgrades import upgraded
    >>> upgraded({"format": 1, "model": {"type": "Structure"}})
    {'format': 3, 'model': {'type': 'Structure'}}
    >>> upgraded({"format": 4})
    Traceback (most recent call last):
    bnclass.exceptions.FileFormatError: found the format 4, expected 1 to 3
    """
    if "format" not in require_type(document, dict):
        raise FileFormatError("found no format number, expected a file written by bnclass.save")
    number = document["format"]
    if type(number) is not int or not 1 <= number <= FORMAT:
        raise FileFormatError(f"found the format {shown(number)}, expected 1 to {FORMAT}")
    for upgrade in _UPGRADES[number - 1 :]:
        document = upgrade(document)
    return {**document, "format": FORMAT}


_New = Mapping[object, dict[str, Json]]

_NEW_IN_2: _New = {
    "TableEncoder": {"views": None, "views_": []},
    "NetworkEnsemble": {
        "resolutions": {"type": "dict", "items": []},
        "average": "joint",
        "subsumption": None,
    },
}
_NEW_PARAMETERS_IN_2: _New = {
    "NaiveBayes": {"constraints": None},
    "SPODE": {"constraints": None},
    "TAN": {"constraints": None},
    "KDB": {"constraints": None},
    "AODE": {"constraints": None, "subsumption": None},
}


_NO_COUNTS: Json = {"type": "dict", "items": []}
_NEW_IN_3: _New = {
    "TableEncoder": {
        "unknown": "missing",
        "idle_views_": [],
        "declared": [],
        "missing_counts": _NO_COUNTS,
    },
    "LocalMember": {"constraints": None},
}
_NEW_PARAMETERS_IN_3: _New = {
    "GAODE": {"constraints": None},
    "HAODE": {"constraints": None},
    "KST": {"constraints": None},
}
_NEW_IN_CLASSIFIERS_OF_3: dict[str, Json] = {"unknown_counts_": _NO_COUNTS, "statistics_": None}


def _from_1_to_2(document: dict[str, Json]) -> dict[str, Json]:
    """Add what models of format 1 lack: averages are of joints, and there is none of the rest."""
    return {key: _with_new_keys(document[key], _NEW_IN_2, _NEW_PARAMETERS_IN_2) for key in document}


def _from_2_to_3(document: dict[str, Json]) -> dict[str, Json]:
    """Add what models of format 2 lack: unknown values were missing, and no cell was counted."""
    model = _with_new_keys(document.get("model"), _NEW_IN_3, _NEW_PARAMETERS_IN_3)
    if isinstance(model, dict) and isinstance(model.get("parameters"), dict):
        parameters = {"unknown": "missing", **model["parameters"]}
        model = {**_NEW_IN_CLASSIFIERS_OF_3, **model, "parameters": parameters}
    return document if model is None else {**document, "model": model}


def _with_new_keys(model: Json, new: _New, parameters: _New) -> Json:
    """Return a model with the new keys, and what it has learned with theirs."""
    if not isinstance(model, dict):
        return model
    parts = [key for key in ("encoder_", "ensemble_", "local") if key in model]
    learned = {key: _with_new_keys(model[key], new, parameters) for key in parts}
    own = new.get(str(model.get("type")), {})
    return {**own, **model, **learned, **_parameters(model, parameters)}


def _parameters(model: dict[str, Json], new: _New) -> dict[str, Json]:
    """Return a model's parameters with the new ones, under their key, if it has some."""
    parameters = model.get("parameters")
    if not isinstance(parameters, dict):
        return {}
    return {"parameters": {**new.get(str(model.get("type")), {}), **parameters}}


_UPGRADES = (_from_1_to_2, _from_2_to_3)
"""The function at place i makes format i + 2 of format i + 1."""
