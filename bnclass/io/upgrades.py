"""From documents of earlier formats to the present one, a format at a time."""

from bnclass.exceptions import FileFormatError
from bnclass.io.checks import require_type, shown
from bnclass.io.strictjson import Json

FORMAT = 2
"""The format that `save` writes.

Since 2 there are Gaussian factors, views, resolutions, averages of posteriors, subsumption
resolution and constraints; and sparse tables, a type of their own: a file without them reads as
before.
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
    {'format': 2, 'model': {'type': 'Structure'}}
    >>> upgraded({"format": 3})
    Traceback (most recent call last):
    bnclass.exceptions.FileFormatError: found the format 3, expected 1 to 2
    """
    if "format" not in require_type(document, dict):
        raise FileFormatError("found no format number, expected a file written by bnclass.save")
    number = document["format"]
    if type(number) is not int or not 1 <= number <= FORMAT:
        raise FileFormatError(f"found the format {shown(number)}, expected 1 to {FORMAT}")
    for upgrade in _UPGRADES[number - 1 :]:
        document = upgrade(document)
    return {**document, "format": FORMAT}


_NEW_IN_2: dict[object, dict[str, Json]] = {
    "TableEncoder": {"views": None, "views_": []},
    "NetworkEnsemble": {
        "resolutions": {"type": "dict", "items": []},
        "average": "joint",
        "subsumption": None,
    },
}
_NEW_PARAMETERS_IN_2: dict[object, dict[str, Json]] = {
    "NaiveBayes": {"constraints": None},
    "SPODE": {"constraints": None},
    "TAN": {"constraints": None},
    "KDB": {"constraints": None},
    "AODE": {"constraints": None, "subsumption": None},
}


def _from_1_to_2(document: dict[str, Json]) -> dict[str, Json]:
    """Add what models of format 1 lack: averages are of joints, and there is none of the rest."""
    return {key: _with_new_keys(document[key]) for key in document}


def _with_new_keys(model: Json) -> Json:
    """Return a model with the new keys, and what it has learned with theirs."""
    if not isinstance(model, dict):
        return model
    learned = {k: _with_new_keys(model[k]) for k in ("encoder_", "ensemble_") if k in model}
    new = _NEW_IN_2.get(str(model.get("type")), {})
    return {**new, **model, **learned, **_parameters(model)}


def _parameters(model: dict[str, Json]) -> dict[str, Json]:
    """Return a model's parameters with the new ones, under their key, if it has some."""
    parameters = model.get("parameters")
    if not isinstance(parameters, dict):
        return {}
    new = _NEW_PARAMETERS_IN_2.get(str(model.get("type")), {})
    return {"parameters": {**new, **parameters}}


_UPGRADES = (_from_1_to_2,)
"""The function at place i makes format i + 2 of format i + 1."""
