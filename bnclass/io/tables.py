"""Probability tables as rows of numbers, one row a configuration of the parents."""

from collections.abc import Hashable, Sequence
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from bnclass.data.memory import require_memory
from bnclass.data.variables import Variable
from bnclass.exceptions import FileFormatError
from bnclass.factors.categorical import CategoricalCPD
from bnclass.factors.sparse import SparseCategoricalCPD
from bnclass.io.checks import require_floats, require_type
from bnclass.io.strictjson import Json
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.statistics.families import listed

Floats = npt.NDArray[np.float64]

_CELLS_IN_EXPORTS = 15  # what one probability takes while it is written as text, measured


def cpds_of(network: BayesianNetwork) -> dict[Hashable, CategoricalCPD]:
    """Return a network's factors by node, all of which must be tables.

    Parameters
    ----------
    network : BayesianNetwork

    Returns
    -------
    dict of node to CategoricalCPD
        In node order.

    Raises
    ------
    FileFormatError
        If a node is continuous, or its factor of another kind; the message names the node.
    MemoryLimitError
        If sparse tables would not fit as dense ones; the message names the largest.

    Examples
    --------
    >>> from bnclass import NaiveBayes, load_dataset
    >>> from bnclass.io.tables import cpds_of
    >>> list(cpds_of(NaiveBayes().fit(*load_dataset("monks-1")).network_))
    ['class', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6']
    """
    _require_room_for_dense(network)
    cpds = {}
    for node, factor in network.factors.items():
        if factor.variable.is_continuous:
            raise FileFormatError(
                f"node {node!r} is continuous, expected a discrete one: the format holds tables "
                f"only; learn the network with continuous='mdl'"
            )
        if isinstance(factor, SparseCategoricalCPD):
            factor = factor.dense()
        if type(factor) is not CategoricalCPD:
            raise FileFormatError(
                f"node {node!r} has a {type(factor).__name__}, expected a CategoricalCPD: "
                f"the format holds tables only"
            )
        cpds[node] = factor
    return cpds


def _require_room_for_dense(network: BayesianNetwork) -> None:
    sparse = [f for f in network.factors.values() if isinstance(f, SparseCategoricalCPD)]
    if not sparse:
        return
    sizes = [prod(v.card for v in (f.variable, *f.parents)) for f in sparse]
    largest = sparse[sizes.index(max(sizes))]
    require_memory(
        _CELLS_IN_EXPORTS * sum(sizes),
        f"the dense tables of {len(sparse)} nodes in a format that knows no sparse ones, the "
        f"largest that of {largest.variable.name!r} with the parents "
        f"{listed([p.name for p in largest.parents])},",
    )


def rows_of(cpd: CategoricalCPD) -> list[list[float]]:
    """Return a table as rows: configurations of the parents, the last parent fastest.

    Parameters
    ----------
    cpd : CategoricalCPD

    Returns
    -------
    list of list of float
        Each inner list is the child's distribution.

    Examples
    --------
    >>> from bnclass import CategoricalCPD, Variable
    >>> from bnclass.io.tables import rows_of
    >>> rows_of(CategoricalCPD(Variable("coin", states=("h", "t")), (), [0.25, 0.75]))
    [[0.25, 0.75]]
    """
    rows: list[list[float]] = cpd.table.reshape(-1, cpd.variable.card).tolist()
    return rows


def cpd_from_rows(variable: Variable, parents: Sequence[Variable], rows: Json) -> CategoricalCPD:
    """Return the table whose rows are given, or refuse rows of another shape.

    Parameters
    ----------
    variable : Variable
    parents : sequence of Variable
        In the order in which the rows count them, the last one fastest.
    rows : JSON

    Returns
    -------
    CategoricalCPD

    Raises
    ------
    BnclassError

    Examples
    --------
    >>> from bnclass import Variable
    >>> from bnclass.io.tables import cpd_from_rows
    >>> cpd_from_rows(Variable("coin", states=("h", "t")), (), [[0.25, 0.75]]).table
    array([0.25, 0.75])
    """
    for member in (variable, *parents):
        if member.is_continuous:
            raise FileFormatError(
                f"{member.name!r} is continuous, expected a discrete variable in a table"
            )
    shape = [parent.card for parent in parents]
    if len(require_type(rows, list)) != prod(shape):
        raise FileFormatError(f"found {len(rows)} rows, expected {prod(shape)}")
    numbers = [require_floats(row, variable.card) for row in rows]
    table = np.array(numbers, dtype=np.float64).reshape(*shape, variable.card)
    return CategoricalCPD(variable, tuple(parents), table)


def reordered(cpd: CategoricalCPD, parents: Sequence[Hashable]) -> CategoricalCPD:
    """Return a table with its parents in another order.

    Parameters
    ----------
    cpd : CategoricalCPD
    parents : sequence of hashable
        The names of its parents.

    Returns
    -------
    CategoricalCPD

    Examples
    --------
    >>> from bnclass import CategoricalCPD, Variable
    >>> from bnclass.io.tables import reordered
    >>> a, b, c = (Variable(name, states=(0, 1)) for name in "abc")
    >>> cpd = CategoricalCPD(c, (a, b), [[[0, 1], [1, 0]], [[0.5, 0.5], [0, 1]]])
    >>> reordered(cpd, ("b", "a")).table[1, 0]
    array([1., 0.])
    """
    names = [parent.name for parent in cpd.parents]
    order: Any = [names.index(name) for name in parents]
    table = cpd.table.transpose([*order, len(names)])
    return CategoricalCPD(cpd.variable, tuple(cpd.parents[i] for i in order), table)
