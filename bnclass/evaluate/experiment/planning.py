"""What is going to be run, checked before the first fit."""

import re
from collections.abc import Mapping
from typing import Any

import joblib
import networkx as nx
import numpy as np
from sklearn.base import BaseEstimator, is_classifier
from sklearn.frozen import FrozenEstimator

from bnclass.evaluate.baselines import encoded, needs_encoding
from bnclass.evaluate.experiment.datasets import Dataset, checked_names
from bnclass.evaluate.experiment.log import Plan, TestedRows
from bnclass.evaluate.experiment.resampling import Resampling
from bnclass.exceptions import BnclassError, DataTypeError
from bnclass.structure.dag import Structure

Models = dict[str, Any]

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def models_of(estimators: Any) -> Models:
    """Return classifiers that all take the same tables.

    Parameters
    ----------
    estimators : mapping of str to classifier
        Those of scikit-learn that are no pipeline go behind `encoded`.

    Returns
    -------
    dict of str to classifier

    Raises
    ------
    DataError, DataTypeError
        If it is no such mapping, or a name is no line of text.

    Examples
    --------
    >>> from bnclass.evaluate.experiment.planning import models_of
    >>> models_of({"A": 1})
    Traceback (most recent call last):
        ...
    bnclass.exceptions.DataTypeError: the estimator 'A' is int, expected a classifier such as TAN()
    """
    if not isinstance(estimators, Mapping):
        raise DataTypeError(
            f"estimators is a {type(estimators).__name__}, expected a dict of names to classifiers"
        )
    checked_names(estimators, "estimators")
    for name, estimator in estimators.items():
        if not isinstance(estimator, BaseEstimator) or not is_classifier(estimator):
            found = estimator if isinstance(estimator, type) else type(estimator)
            raise DataTypeError(
                f"the estimator {name!r} is {'the class ' * isinstance(estimator, type)}"
                f"{found.__name__}, expected a classifier such as TAN()"
            )
    return {name: encoded(e) if needs_encoding(e) else e for name, e in estimators.items()}


def plan_of(
    models: Models,
    tables: list[Dataset],
    resampling: Resampling,
    metrics: tuple[str, ...],
    random_state: Any,
) -> Plan:
    """Return what is going to be run, the rows of every data set divided into folds.

    Parameters
    ----------
    models : dict of str to classifier
    tables : list of Dataset
    resampling : Resampling
    metrics : tuple of str
    random_state : int

    Returns
    -------
    Plan

    Raises
    ------
    BnclassError
        If the seed is out of range, or a data set has too few rows.
    """
    from bnclass import __version__

    if not isinstance(random_state, (int, np.integer)) or not 0 <= random_state < 2**32:
        raise BnclassError(
            f"random_state is {random_state!r}, expected a whole number from 0 to 2³² - 1"
        )
    seed = int(random_state)
    rows = {}
    for data in tables:
        try:
            rows[data.name] = TestedRows.of(data, resampling, seed)
        except BnclassError as error:
            raise type(error)(f"data set {data.name!r}: {error}") from None
    described = {name: _described(model) for name, model in models.items()}
    return Plan(__version__, resampling, seed, metrics, described, rows)


def _described(model: Any) -> str:
    """Return a model with every parameter, in one line that is the same in every process."""
    from sklearn import config_context  # type: ignore[attr-defined]

    with config_context(print_changed_only=False), np.printoptions(threshold=2**31, precision=17):
        text = model.__repr__(N_CHAR_MAX=2**31)
    line = _ADDRESS.sub("", " ".join(text.split()))
    hashes = {name: _hash(value) for name, value in model.get_params().items() if _is_opaque(value)}
    return f"{line} with {hashes}" if hashes else line


def _is_opaque(value: Any) -> bool:
    """Return whether a parameter is printed without what is in it."""
    if isinstance(value, (Structure, FrozenEstimator)):
        return True
    return not isinstance(value, BaseEstimator) and bool(_ADDRESS.search(repr(value)))


def _hash(value: Any) -> str:
    """Return a hash of what a parameter holds, or "" if that is unknown, as of a lambda."""
    if isinstance(value, Structure):
        value = (*_drawn(value.graph), value.class_node, value.joint_family)
    elif isinstance(value, nx.Graph):
        value = _drawn(value)
    try:
        return str(joblib.hash(value))
    except Exception:
        return ""


def _drawn(graph: Any) -> tuple[list[Any], list[Any]]:
    """Return nodes and arcs: what else a graph holds, such as caches, has no say."""
    return list(graph.nodes), list(graph.edges)
