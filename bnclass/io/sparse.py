"""Sparse tables as lists of the configurations and cells that they hold."""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from bnclass.data.variables import Variable
from bnclass.exceptions import FileFormatError
from bnclass.factors.sparse import SparseCategoricalCPD
from bnclass.io.checks import part, require_floats, require_type, shown
from bnclass.io.strictjson import Json

SPARSE_ARRAYS = ("configurations", "others", "cells", "probabilities", "unseen")
"""The arrays that make up a sparse table, in the order in which its constructor takes them."""

_LARGEST_CODE = 2**31 - 1


def sparse_arrays(cpd: SparseCategoricalCPD) -> dict[str, Json]:
    """Return the arrays of a sparse table as lists, by name.

    Parameters
    ----------
    cpd : SparseCategoricalCPD

    Returns
    -------
    dict of str to JSON

    Examples
    --------
    >>> from bnclass import SparseCategoricalCPD, Variable
    >>> from bnclass.io.sparse import sparse_arrays
    >>> a, b = (Variable(name, states=("u", "v")) for name in "ab")
    >>> sparse_arrays(SparseCategoricalCPD(a, (b,), [[1]], [0.25], [[0, 1]], [0.75], 0.5))["cells"]
    [[0, 1]]
    """
    arrays = {name: getattr(cpd, name).tolist() for name in SPARSE_ARRAYS[:-1]}
    return {**arrays, "unseen": cpd.unseen}


def sparse_from_arrays(
    variable: Variable, parents: Sequence[Variable], data: dict[str, Json]
) -> SparseCategoricalCPD:
    """Return the sparse table whose arrays are given, or refuse arrays of another shape.

    Parameters
    ----------
    variable : Variable
    parents : sequence of Variable
        In the order of the configurations' codes.
    data : dict of str to JSON
        Has the keys `SPARSE_ARRAYS`; others are not looked at.

    Returns
    -------
    SparseCategoricalCPD

    Raises
    ------
    BnclassError

    Examples
    --------
    >>> from bnclass import Variable
    >>> from bnclass.io.sparse import sparse_from_arrays
    >>> a, b = (Variable(name, states=("u", "v")) for name in "ab")
    >>> data = {"configurations": [[1]], "others": [0.25], "cells": [[0, 1]]}
    >>> data |= {"probabilities": [0.75], "unseen": 0.5}
    >>> sparse_from_arrays(a, [b], data).table
    array([[0.5 , 0.5 ],
           [0.25, 0.75]])
    """
    with part("configurations"):
        configurations = _codes(data["configurations"], len(parents))
    with part("others"):
        others = np.array(require_floats(data["others"], len(configurations)))
    with part("cells"):
        cells = _codes(data["cells"], 2)
    with part("probabilities"):
        probabilities = np.array(require_floats(data["probabilities"], len(cells)))
    with part("unseen"):
        (unseen,) = require_floats([data["unseen"]], 1)
    return SparseCategoricalCPD(
        variable, tuple(parents), configurations, others, cells, probabilities, unseen
    )


def _codes(data: Json, n: int) -> Any:
    rows = require_type(data, list)
    for row in rows:
        whole = type(row) is list and len(row) == n and set(map(type, row)) <= {int}
        if not whole or not all(0 <= code <= _LARGEST_CODE for code in row):
            raise FileFormatError(f"found {shown(row)}, expected a list of {n} codes")
    return np.array(rows, dtype=np.int32).reshape(len(rows), n)


def sparse_reordered(
    cpd: SparseCategoricalCPD, parents: Sequence[Hashable]
) -> SparseCategoricalCPD:
    """Return a sparse table with its parents in another order.

    Parameters
    ----------
    cpd : SparseCategoricalCPD
    parents : sequence of hashable
        The names of its parents.

    Returns
    -------
    SparseCategoricalCPD

    Examples
    --------
    >>> from bnclass import SparseCategoricalCPD, Variable
    >>> from bnclass.io.sparse import sparse_reordered
    >>> a, b, c = (Variable(name, states=(0, 1)) for name in "abc")
    >>> cpd = SparseCategoricalCPD(c, (a, b), [[0, 1]], [0.0], [[0, 1]], [1.0], 0.5)
    >>> sparse_reordered(cpd, ("b", "a")).configurations
    array([[1, 0]], dtype=int32)
    """
    places = {parent.name: i for i, parent in enumerate(cpd.parents)}
    order = [places[name] for name in parents]
    return SparseCategoricalCPD(
        cpd.variable,
        tuple(cpd.parents[i] for i in order),
        cpd.configurations[:, order],
        cpd.others,
        cpd.cells,
        cpd.probabilities,
        cpd.unseen,
    )
