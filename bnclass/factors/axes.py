"""What all factors share: the names, codes and labels along their tables' axes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from bnclass.data.variables import Variable
from bnclass.exceptions import FactorError
from bnclass.factors.base import Factor, Floats, Values

Cells = tuple[npt.NDArray[np.integer], ...]


def signature(factor: Factor) -> str:
    """Return the name of a factor: its type, child and parents.

    Parameters
    ----------
    factor : Factor

    Returns
    -------
    str

    Examples
    --------
    >>> from bnclass import CategoricalCPD, Variable
    >>> from bnclass.factors.axes import signature
    >>> signature(CategoricalCPD(Variable("coin", states=("h", "t")), (), [0.25, 0.75]))
    "CategoricalCPD('coin')"
    """
    given = ", ".join(repr(p.name) for p in factor.parents)
    return f"{type(factor).__name__}({factor.variable.name!r}{' | ' if given else ''}{given})"


def require_distinct(factor: Factor) -> None:
    """Raise if a variable occurs twice in the family.

    Parameters
    ----------
    factor : Factor

    Raises
    ------
    FactorError

    Examples
    --------
    >>> from bnclass import CategoricalCPD, Variable
    >>> from bnclass.factors.axes import require_distinct
    >>> require_distinct(CategoricalCPD(Variable("coin", states=("h", "t")), (), [0.25, 0.75]))
    """
    names = [v.name for v in (factor.variable, *factor.parents)]
    if len(set(names)) != len(names):
        raise FactorError(f"{factor}: a variable occurs twice, expected each once")


def require_kind(factor: Factor, variable: Variable, kind: str) -> None:
    """Raise if a member of the family is not of the kind that its place asks for.

    Parameters
    ----------
    factor : Factor
    variable : Variable
    kind : {"discrete", "continuous"}

    Raises
    ------
    FactorError

    Examples
    --------
    >>> from bnclass import CategoricalCPD, Variable
    >>> from bnclass.factors.axes import require_kind
    >>> coin = CategoricalCPD(Variable("coin", states=("h", "t")), (), [0.25, 0.75])
    >>> require_kind(coin, coin.variable, "discrete")
    """
    if variable.kind != kind:
        raise FactorError(
            f"{factor}: {variable.name!r} is {variable.kind}, expected a {kind} variable"
        )


def as_numbers(factor: Factor, what: str, numbers: Any) -> Floats:
    """Return a copy of a factor's parameters as an array.

    Parameters
    ----------
    factor : Factor
    what : str
        Names the parameters, for the message.
    numbers : array-like

    Returns
    -------
    ndarray, float64
        In C order.

    Raises
    ------
    FactorError
        If the parameters are ragged or no numbers.

    Examples
    --------
    >>> from bnclass import CategoricalCPD, Variable
    >>> from bnclass.factors.axes import as_numbers
    >>> coin = CategoricalCPD(Variable("coin", states=("h", "t")), (), [0.25, 0.75])
    >>> as_numbers(coin, "table", [1, 0])
    array([1., 0.])
    """
    try:
        return np.array(numbers, dtype=np.float64, order="C")
    except (TypeError, ValueError):
        raise FactorError(f"{factor}: the {what} is ragged or holds more than numbers") from None


def cells(factor: Factor, values: Values, axes: Sequence[Variable]) -> Cells:
    """Return codes as an index into a table with these axes.

    Parameters
    ----------
    factor : Factor
    values : mapping of name to ndarray
    axes : sequence of Variable
        Discrete ones.

    Returns
    -------
    tuple of ndarray of int

    Raises
    ------
    FactorError
        If a code stands for no state; numpy would read -1 as the last one.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass import CategoricalCPD, Variable
    >>> from bnclass.factors.axes import cells
    >>> coin = CategoricalCPD(Variable("coin", states=("h", "t")), (), [0.25, 0.75])
    >>> coin.table[cells(coin, {"coin": np.array([1, 1, 0])}, [coin.variable])]
    array([0.75, 0.75, 0.25])
    """
    index = tuple(np.asarray(values[v.name]) for v in axes)
    for v, code in zip(axes, index, strict=True):
        if code.size and not 0 <= code.min() <= code.max() < v.card:
            raise FactorError(
                f"{factor}: codes of {v.name!r} reach from {code.min()} to {code.max()}, "
                f"expected 0 to {v.card - 1}"
            )
    return index


def state_labels(variable: Variable) -> "pd.Index[Any]":
    """Return the states of a variable as the labels of an axis.

    Parameters
    ----------
    variable : Variable

    Returns
    -------
    pandas.Index of object

    Examples
    --------
    >>> from bnclass import Variable
    >>> from bnclass.factors.axes import state_labels
    >>> state_labels(Variable("coin", states=("h", "t")))
    Index(['h', 't'], dtype='object', name='coin')
    """
    states = list(variable.states)
    return pd.Index(states, name=variable.name, dtype=object, tupleize_cols=False)


def configuration_labels(parents: Sequence[Variable]) -> Any:
    """Return the configurations of discrete parents as the labels of rows.

    Parameters
    ----------
    parents : sequence of Variable

    Returns
    -------
    pandas.Index
        One empty label without parents, the states of one parent, a `pandas.MultiIndex`
        of several; the last parent runs fastest.

    Examples
    --------
    >>> from bnclass import Variable
    >>> from bnclass.factors.axes import configuration_labels
    >>> rain, cold = (Variable(name, states=("no", "yes")) for name in ("rain", "cold"))
    >>> configuration_labels([rain, cold]).tolist()
    [('no', 'no'), ('no', 'yes'), ('yes', 'no'), ('yes', 'yes')]
    """
    if not parents:
        return pd.Index([""], dtype=object)
    if len(parents) == 1:
        return state_labels(parents[0])
    return pd.MultiIndex.from_product([state_labels(p) for p in parents])
