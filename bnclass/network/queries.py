"""Questions to a network: the distribution of some nodes, given what is known of others."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from bnclass.data.codes import MISSING, encode_column
from bnclass.data.columns import plain
from bnclass.data.table import EncodedTable
from bnclass.data.variables import LARGEST_NUMBER, Variable
from bnclass.exceptions import DataError, StructureError
from bnclass.network.joint import JointModel, log_sum_exp
from bnclass.statistics.memory import require_memory

Floats = npt.NDArray[np.float64]


def asked(model: JointModel, variables: Any) -> list[Variable]:
    """Return the variables of one node, or of several.

    Parameters
    ----------
    model : JointModel
    variables : hashable, or iterable of hashable
        A name that is a node's is one node, even a tuple.

    Returns
    -------
    list of Variable

    Raises
    ------
    StructureError
        If there is none, one is no node, continuous, or there twice.

    Examples
    --------
    >>> from bnclass import TAN, load_dataset
    >>> from bnclass.network.queries import asked
    >>> network = TAN().fit(*load_dataset("monks-1")).network_
    >>> [v.name for v in asked(network, "a1")], [v.name for v in asked(network, ["a1", "class"])]
    (['a1'], ['a1', 'class'])
    """
    known = _variables(model)
    single = isinstance(variables, str) or not isinstance(variables, Iterable)
    names = [variables] if single or _is_in(known, variables) else list(variables)
    found = [_variable(model, name) for name in names]
    if not found:
        raise StructureError("no variable is asked for, expected at least one")
    for i, variable in enumerate(found):
        if variable in found[:i]:
            raise StructureError(f"{variable.name!r} is asked for twice, expected once")
        if variable.is_continuous:
            raise StructureError(
                f"{variable.name!r} is continuous, expected discrete nodes; densities of numbers "
                f"are in log_prob and plot_factor"
            )
    return found


def query(model: JointModel, asked: Sequence[Variable], evidence: Mapping[Any, Any]) -> Floats:
    """Return P(asked | evidence) of every configuration of some discrete nodes.

    Each configuration becomes a row whose other cells are missing; the model takes them out.

    Parameters
    ----------
    model : JointModel
    asked : sequence of Variable
        Discrete, the class among them or not.
    evidence : mapping of node to value
        A state, a number, or a raw cell of the node's column; ``None`` and NaN say nothing.

    Returns
    -------
    ndarray of shape (card of each variable in turn), float64
        Sums to 1.

    Raises
    ------
    StructureError
        If evidence is about no node of the model or one that is asked for, or has
        probability 0.
    DataError
        If a known value is none of its node's.
    MemoryLimitError
        If there are too many configurations.

    Examples
    --------
    >>> from bnclass import TAN, load_dataset
    >>> from bnclass.network.queries import asked, query
    >>> network = TAN().fit(*load_dataset("monks-1")).network_
    >>> query(network, asked(network, "class"), {"a5": "1", "a1": "2"}).round(3)
    array([0.007, 0.993])
    """
    if not isinstance(evidence, Mapping):
        raise DataError(f"evidence is {evidence!r}, expected a mapping of node to value")
    for variable in asked:
        if variable.name in evidence:
            raise StructureError(f"{variable.name!r} is asked for and known, expected one of both")
    known = {name: _code(_variable(model, name), value) for name, value in evidence.items()}
    logs = _log_joint(model, asked, {name: v for name, v in known.items() if v is not None})
    log_evidence = log_sum_exp(logs.reshape(1, -1), axis=1)[0]
    if not log_evidence > -np.inf:
        raise StructureError(f"evidence {dict(evidence)!r} has probability 0, expected more")
    shares = np.exp(logs - log_evidence)
    exact: Floats = shares / shares.sum()
    return exact


def as_series(variables: Sequence[Variable], shares: Floats) -> "pd.Series[float]":
    """Return a distribution as a series, by the states of its variables.

    Parameters
    ----------
    variables : sequence of Variable
    shares : ndarray of shape (card of each variable in turn), float64

    Returns
    -------
    pandas.Series
        Named "probability"; a level for each variable.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass import Variable
    >>> from bnclass.network.queries import as_series
    >>> as_series([Variable("coin", states=("h", "t"))], np.array([0.25, 0.75])).to_dict()
    {'h': 0.25, 't': 0.75}
    """
    names, states = [v.name for v in variables], [v.states for v in variables]
    index: pd.Index[Any]
    if len(variables) == 1:
        index = pd.Index(states[0], name=names[0], tupleize_cols=False)
    else:
        index = pd.MultiIndex.from_tuples(list(product(*states)), names=names)
    return pd.Series(shares.ravel(), index, name="probability")


def _variables(model: JointModel) -> dict[Hashable, Variable]:
    target = [] if model.target is None else [model.target]
    return {v.name: v for v in [*model.attributes, *target]}


def _is_in(known: Mapping[Hashable, Variable], name: Any) -> bool:
    return isinstance(name, Hashable) and name in known


def _variable(model: JointModel, name: Any) -> Variable:
    known = _variables(model)
    if not _is_in(known, name):
        raise StructureError(f"no node {name!r}, expected one of {list(known)!r}")
    return known[name]


def _code(variable: Variable, value: Any) -> int | float | None:
    """Return a value as a code or a number, ``None`` if it says nothing."""
    kinds = [type(state) for state in variable.states]
    if type(value) in kinds and value in variable.states:
        return variable.states.index(value)
    dtype = object if isinstance(value, tuple) else None
    cells = pd.Series([value], dtype=dtype, name=variable.column)  # refusals name the column
    if bool(cells.isna()[0]):
        return None
    if variable.is_continuous:
        return _number(variable, value)
    code = int(encode_column(cells, variable)[0])
    if code == MISSING:
        raise DataError(
            f"evidence {variable.name!r}: found {value!r}, expected one of {variable.states!r}"
        )
    return code


def _number(variable: Variable, value: Any) -> float:
    number = plain(value)
    is_number = isinstance(number, (int, float)) and not isinstance(number, bool)
    if not (is_number and abs(number) <= LARGEST_NUMBER):
        raise DataError(
            f"evidence {variable.name!r}: found {value!r}, expected a number of at most "
            f"{LARGEST_NUMBER:g} in magnitude"
        )
    return float(number)


def _log_joint(
    model: JointModel, asked: Sequence[Variable], known: Mapping[Any, int | float]
) -> Floats:
    """Return ln P(configuration, evidence), one axis for each variable asked for."""
    cards = [v.card for v in asked]
    require_memory(
        prod(cards) * (len(model.attributes) + 1),
        f"all configurations of {[v.name for v in asked]!r}",
    )
    own = [v for v in asked if v != model.target]
    logs = model.log_joint(_rows(model, own, known))
    if model.target is None:
        logs = logs[:, 0]
    elif model.target in asked:
        axes = [*own, model.target]
        return logs.reshape([v.card for v in axes]).transpose([axes.index(v) for v in asked])
    elif model.target.name in known:
        logs = logs[:, int(known[model.target.name])]
    else:
        logs = log_sum_exp(logs, axis=1)
    return logs.reshape(cards)


def _rows(
    model: JointModel, own: Sequence[Variable], known: Mapping[Any, int | float]
) -> EncodedTable:
    """Return one row for every configuration of some attributes, with the evidence."""
    places = np.indices([v.card for v in own]).reshape(len(own), prod(v.card for v in own))
    cells = {**known, **dict(zip([v.name for v in own], places, strict=True))}
    codes = np.full((places.shape[1], len(model.attributes)), MISSING, np.int32)
    continuous = [v for v in model.attributes if v.is_continuous]
    numbers = np.full((places.shape[1], len(continuous)), np.nan)
    for i, v in enumerate(model.attributes):
        if v.name in cells and not v.is_continuous:
            codes[:, i] = cells[v.name]
        elif v.name in cells:
            codes[:, i], numbers[:, continuous.index(v)] = 0, cells[v.name]
    return EncodedTable(model.attributes, codes, numbers=numbers)
