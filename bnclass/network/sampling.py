"""Rows drawn from a network, parents before children."""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from bnclass.data.memory import require_memory
from bnclass.data.randomness import random_generator
from bnclass.data.variables import Variable
from bnclass.exceptions import BnclassError
from bnclass.factors.base import Factor
from bnclass.structure.dag import Structure


def draw(
    structure: Structure, factors: Mapping[Hashable, Factor], n: int, random_state: Any = None
) -> Mapping[object, npt.NDArray[Any]]:
    """Draw codes and numbers from the joint.

    Parameters
    ----------
    structure : Structure
    factors : mapping of node to Factor
    n : int
        Number of rows.
    random_state : int, numpy.random.Generator or None
        What `numpy.random.default_rng` takes.

    Returns
    -------
    mapping of node to ndarray of shape (n,)
        Codes of discrete nodes, float64 numbers of continuous ones.

    Raises
    ------
    BnclassError
        If `n` is negative or no integer, or `random_state` cannot be a seed.
    MemoryLimitError
        If the rows would not fit.

    Examples
    --------
    >>> from bnclass import CategoricalCPD, Structure, Variable
    >>> from bnclass.network.sampling import draw
    >>> cpd = CategoricalCPD(Variable("coin", states=("h", "t")), (), [0.0, 1.0])
    >>> draw(Structure.from_arcs(["coin"], [], "coin"), {"coin": cpd}, 3)["coin"].tolist()
    [1, 1, 1]
    """
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 0:
        raise BnclassError(f"n is {n!r}, expected a whole number of rows, at least 0")
    require_memory(int(n) * len(structure.nodes), f"{n} rows of {len(structure.nodes)} nodes")
    rng = random_generator(random_state)
    drawn: dict[object, npt.NDArray[Any]] = {}
    for node in structure.topological_order:
        parents = {p: drawn[p] for p in structure.parents(node)}
        drawn[node] = factors[node].sample(parents or {node: np.empty(n, int)}, rng)
    return drawn


def as_column(values: npt.NDArray[Any], variable: Variable) -> Any:
    """Return drawn values as a column of a frame.

    Parameters
    ----------
    values : ndarray of shape (n,)
    variable : Variable

    Returns
    -------
    pandas.Categorical of the declared states, or ndarray of float64 if continuous

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass import Variable
    >>> from bnclass.network.sampling import as_column
    >>> as_column(np.array([1, 1]), Variable("coin", states=("h", "t"))).tolist()
    ['t', 't']
    """
    if variable.is_continuous:
        return values
    states = pd.Index(list(variable.states), dtype=object, tupleize_cols=False)
    dtype = pd.CategoricalDtype(states.infer_objects())
    return pd.Categorical.from_codes(values.astype(np.int64), dtype=dtype)
