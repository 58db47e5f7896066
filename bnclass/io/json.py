"""Models as JSON files: `save` and `load`.

A file is one JSON object::

    {"format": 3, "model": {"type": "TAN", ...}}

**Formats.** The format number says how the rest is to be read. It goes up by one whenever
files of the last number would not be read rightly any more: when a type gains, loses or
renames a key, or a key changes its meaning. With the new number comes a function from a
document of the last format to one of the new (`bnclass.io.upgrades`); `load` applies these
in turn, so that every bnclass reads all formats up to its own. A file of a later format is
refused by its number.

**Promises.** Pickle is never used: reading a file runs no code from it. A loaded model
equals the saved one to the last bit of every number and to the type of every name, state
and label. The same model makes the same bytes.
"""

import os
from copy import copy
from typing import Any

from sklearn.utils.validation import check_is_fitted

from bnclass.classifiers.base import BayesianNetworkClassifier
from bnclass.classifiers.incremental import IncrementalClassifier
from bnclass.data.textfile import read_text
from bnclass.exceptions import FileFormatError
from bnclass.io.checks import require_keys, shown, whole_file
from bnclass.io.codec import Codec, record
from bnclass.io.estimators import ENCODER, ESTIMATORS
from bnclass.io.files import write_atomically
from bnclass.io.local import LOCAL, LOCAL_GAUSSIAN, ROWWISE
from bnclass.io.networks import ENSEMBLE, NETWORK, SEEN, SUBSUMPTION
from bnclass.io.parts import GRAPH, STRUCTURE, VARIABLE
from bnclass.io.statistics import STATISTICS
from bnclass.io.strictjson import Json, format_json, parse_json
from bnclass.io.upgrades import FORMAT, upgraded
from bnclass.io.values import VALUES
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.network.ensemble import NetworkEnsemble
from bnclass.network.rowwise import RowwiseEnsemble
from bnclass.statistics.smoothing import BDeu, Laplace, MEstimate
from bnclass.structure.constraints import Constraints
from bnclass.structure.dag import Structure

_CODEC = Codec(
    (
        *VALUES,
        *map(record, (MEstimate, Laplace, BDeu, Constraints)),
        VARIABLE,
        STRUCTURE,
        GRAPH,
        NETWORK,
        SEEN,
        SUBSUMPTION,
        ENSEMBLE,
        LOCAL,
        LOCAL_GAUSSIAN,
        ROWWISE,
        ENCODER,
        STATISTICS,
        *ESTIMATORS,
    )
)

_Model = BayesianNetworkClassifier | BayesianNetwork | NetworkEnsemble | RowwiseEnsemble | Structure


def save(model: _Model, path: str | os.PathLike[str], *, statistics: bool = False) -> None:
    """Write a model to a JSON file.

    Parameters
    ----------
    model : fitted classifier, BayesianNetwork, NetworkEnsemble, RowwiseEnsemble or Structure
        One that makes networks for single rows is written with its distinct training rows,
        encoded; `save` warns of that.
    path : str or path-like
        An existing file is replaced, all at once; if `save` fails, it stays as it was. If
        the name ends in ``.gz``, the file is packed.
    statistics : bool, default=False
        Write a classifier's ``statistics_`` too: the loaded model can then go on learning
        (`partial_fit`, `merge`). They take far more room than one network, since they hold
        the counts of all pairs of values.

    Raises
    ------
    FileFormatError
        If there are no statistics to write, if the model holds something that JSON cannot,
        such as a date as a state or a transformer as `continuous` or `discretizer`, or if the
        file cannot be written.
    sklearn.exceptions.NotFittedError
        If the classifier is not fitted.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import bnclass as bc
    >>> X, y = bc.load_dataset("iris")
    >>> model = bc.TAN().fit(X, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "iris.json")
    ...     bc.save(model, path)
    ...     loaded = bc.load(path)
    >>> loaded.network_ == model.network_
    True
    >>> bool((loaded.predict_proba(X) == model.predict_proba(X)).all())
    True
    """
    if not isinstance(model, _Model):
        raise FileFormatError(
            f"found a {type(model).__name__}, expected a classifier of bnclass, a "
            f"BayesianNetwork, a NetworkEnsemble, a RowwiseEnsemble or a Structure"
        )
    document = {"format": FORMAT, "model": _CODEC.encode(_as_written(model, statistics))}
    write_atomically(path, format_json(document) + "\n")


def _as_written(model: _Model, statistics: bool) -> _Model:
    """Return the model with its statistics or without, as the file is to have it."""
    if statistics and not hasattr(model, "statistics_"):
        raise FileFormatError(
            f"statistics is True, but this {type(model).__name__} has no statistics_; expected a "
            f"fitted classifier that can learn from chunks"
        )
    if statistics or not isinstance(model, IncrementalClassifier):
        return model
    check_is_fitted(model)
    model._model  # noqa: B018 - what is yet to be learned from the statistics
    bare = copy(model)
    vars(bare).pop("statistics_", None)
    return bare


def load(path: str | os.PathLike[str]) -> Any:
    """Read a model that `save` has written.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    classifier, BayesianNetwork, NetworkEnsemble, RowwiseEnsemble or Structure
        Equal to what was saved.

    Raises
    ------
    FileFormatError
        If the file cannot be read, is of a later format, or does not hold a model that is
        whole and consistent; the message names the file and the part.
    MemoryLimitError
        If its text, unpacked, is larger than an eighth of what `set_max_memory` allows, or
        what it holds would not fit.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import bnclass as bc
    >>> chain = bc.Structure.from_arcs("abc", [("a", "b"), ("b", "c")])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "chain.json")
    ...     bc.save(chain, path)
    ...     bc.load(path) == chain
    True
    """
    text = read_text(path)
    with whole_file(path):
        return _decode(parse_json(text))


def _decode(document: Json) -> _Model:
    document = upgraded(document)
    require_keys(document, ("format", "model"))
    model = _CODEC.decode(document["model"])
    if not isinstance(model, _Model):
        raise FileFormatError(f"found {shown(model)}, expected a model")
    return model
