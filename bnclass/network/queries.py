"""Questions to a network: the distribution of some nodes, given what is known of others."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from bnclass.data.codes import MISSING, encode_column
from bnclass.data.columns import plain
from bnclass.data.variables import LARGEST_NUMBER, Variable
from bnclass.exceptions import DataError, StructureError
from bnclass.factors.base import Factor
from bnclass.network.inference import log_table
from bnclass.network.joint import log_sum_exp
from bnclass.structure.dag import Structure

Floats = npt.NDArray[np.float64]
Factors = Mapping[Hashable, Factor]


def asked(factors: Factors, variables: Any) -> list[Variable]:
    """Return the variables of one node, or of several.

    Parameters
    ----------
    factors : mapping of node to Factor
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
    >>> factors = TAN().fit(*load_dataset("monks-1")).network_.factors
    >>> [v.name for v in asked(factors, "a1")], [v.name for v in asked(factors, ["a1", "class"])]
    (['a1'], ['a1', 'class'])
    """
    single = isinstance(variables, str) or not isinstance(variables, Iterable)
    names = [variables] if single or _is_in(factors, variables) else list(variables)
    found = [_variable(factors, name) for name in names]
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


def query(
    structure: Structure,
    factors: Factors,
    asked: Sequence[Variable],
    evidence: Mapping[Any, Any],
) -> Floats:
    """Return P(asked | evidence) of every configuration of some discrete nodes.

    All other nodes are summed or integrated out by the graph walk, for all configurations at
    once.

    Parameters
    ----------
    structure : Structure
    factors : mapping of node to Factor
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
        If evidence is about no node or one that is asked for, or has probability 0.
    DataError
        If a known value is none of its node's.
    MemoryLimitError
        If a table on the way, or the answer, would not fit.

    Examples
    --------
    >>> from bnclass import TAN, load_dataset
    >>> from bnclass.network.queries import asked, query
    >>> network = TAN().fit(*load_dataset("monks-1")).network_
    >>> of_class = asked(network.factors, "class")
    >>> query(network.structure, network.factors, of_class, {"a5": "1", "a1": "2"}).round(3)
    array([0.007, 0.993])
    """
    if not isinstance(evidence, Mapping):
        raise StructureError(
            f"evidence is a {type(evidence).__name__}, expected a mapping of node to value, "
            f"such as dict(row)"
        )
    for variable in asked:
        if variable.name in evidence:
            raise StructureError(f"{variable.name!r} is asked for and known, expected one of both")
    codes = {name: _code(_variable(factors, name), value) for name, value in evidence.items()}
    known = {name: code for name, code in codes.items() if code is not None}
    logs = _log_joint(structure, factors, asked, known)
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


def _is_in(factors: Factors, name: Any) -> bool:
    return isinstance(name, Hashable) and name in factors


def _variable(factors: Factors, name: Any) -> Variable:
    if not _is_in(factors, name):
        raise StructureError(f"no node {name!r}, expected one of {list(factors)!r}")
    return factors[name].variable


def _code(variable: Variable, value: Any) -> int | float | None:
    """Return a value as a code or a number, ``None`` if it says nothing."""
    kinds = [type(state) for state in variable.states]
    if type(value) in kinds and value in variable.states:
        return variable.states.index(value)
    if np.ndim(value) != 0 and not isinstance(value, tuple):
        raise DataError(f"evidence {variable.name!r}: found {value!r}, expected one value")
    cells = pd.Series([value], dtype=object if isinstance(value, tuple) else None)
    if bool(cells.isna()[0]):
        return None
    if variable.is_continuous:
        return _number(variable, value)
    cells.name = variable.column
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
    structure: Structure,
    factors: Factors,
    asked: Sequence[Variable],
    known: Mapping[Any, int | float],
) -> Floats:
    """Return ln P(configuration, evidence), one axis for each variable asked for."""
    target, names = structure.class_node, [v.name for v in asked]
    own = [name for name in names if name != target]
    logs, axes = log_table(structure, factors, known, own)
    if target in known:
        logs = logs[int(known[target])]
    elif target in names:
        axes = (target, *axes)
    else:
        logs = log_sum_exp(logs, axis=0)
    return logs.transpose([axes.index(name) for name in names])
