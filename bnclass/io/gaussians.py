"""Gaussian factors as nested lists of numbers, one axis a discrete parent."""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bnclass.data.variables import Variable
from bnclass.exceptions import FileFormatError
from bnclass.factors.gaussian import GaussianCPD
from bnclass.factors.linear_gaussian import CLGCPD
from bnclass.io.checks import part, shown
from bnclass.io.strictjson import Json

Floats = npt.NDArray[np.float64]

GAUSSIAN_ARRAYS: dict[type, tuple[str, ...]] = {
    GaussianCPD: ("mean", "variance"),
    CLGCPD: ("intercept", "coefficients", "variance"),
}
"""The arrays that make up a factor, in the order in which its constructor takes them."""


def arrays_of(cpd: CLGCPD) -> dict[str, Json]:
    """Return a Gaussian factor's arrays as nested lists, by name.

    Parameters
    ----------
    cpd : CLGCPD or GaussianCPD

    Returns
    -------
    dict of str to JSON
        An array without axes is a number.

    Examples
    --------
    >>> from bnclass import GaussianCPD, Variable
    >>> from bnclass.io.gaussians import arrays_of
    >>> x, y = Variable("x", "continuous"), Variable("y", states=("n", "y"))
    >>> arrays_of(GaussianCPD(x, (y,), [0.5, 1.5], [1.0, 4.0]))
    {'mean': [0.5, 1.5], 'variance': [1.0, 4.0]}
    """
    return {name: getattr(cpd, name).tolist() for name in GAUSSIAN_ARRAYS[type(cpd)]}


def gaussian_from_arrays(
    kind: type[CLGCPD], variable: Variable, parents: Sequence[Variable], data: dict[str, Json]
) -> CLGCPD:
    """Return the factor whose arrays are given, or refuse arrays of another shape.

    Parameters
    ----------
    kind : type
        `CLGCPD` or `GaussianCPD`.
    variable : Variable
    parents : sequence of Variable
        In the order of the arrays' axes and, if continuous, of the coefficients.
    data : dict of str to JSON
        Has the keys `GAUSSIAN_ARRAYS` of that type; others are not looked at.

    Returns
    -------
    CLGCPD or GaussianCPD

    Raises
    ------
    BnclassError

    Examples
    --------
    >>> from bnclass import CLGCPD, Variable
    >>> from bnclass.io.gaussians import gaussian_from_arrays
    >>> x, z = Variable("x", "continuous"), Variable("z", "continuous")
    >>> arrays = {"intercept": 1.0, "coefficients": [0.5], "variance": 2.0}
    >>> gaussian_from_arrays(CLGCPD, x, (z,), arrays).coefficients
    array([0.5])
    """
    axes = [parent.card for parent in parents if not parent.is_continuous]
    n_coefficients = len(parents) - len(axes)
    arrays = {}
    for name in GAUSSIAN_ARRAYS[kind]:
        shape = (*axes, n_coefficients) if name == "coefficients" else tuple(axes)
        with part(name):
            arrays[name] = _array(data[name], shape)
    return kind(variable, tuple(parents), **arrays)


def _array(data: Json, shape: tuple[int, ...]) -> Floats:
    # The lists are walked before anything is allocated: a shape may be a lie.
    return np.array(_numbers(data, shape), dtype=np.float64).reshape(shape)


def _numbers(data: Json, shape: tuple[int, ...]) -> list[float]:
    if not shape:
        if type(data) not in (int, float):
            raise FileFormatError(f"found {shown(data)}, expected a number")
        return [float(data)]
    if type(data) is not list or len(data) != shape[0]:
        raise FileFormatError(f"found {shown(data)}, expected a list of {shape[0]} items")
    return [number for item in data for number in _numbers(item, shape[1:])]


def turned(cpd: CLGCPD, parents: Sequence[Hashable]) -> CLGCPD:
    """Return a Gaussian factor with its parents in another order.

    Parameters
    ----------
    cpd : CLGCPD or GaussianCPD
    parents : sequence of hashable
        The names of its parents.

    Returns
    -------
    CLGCPD or GaussianCPD

    Examples
    --------
    >>> from bnclass import CLGCPD, Variable
    >>> from bnclass.io.gaussians import turned
    >>> x, z, w = (Variable(name, "continuous") for name in "xzw")
    >>> turned(CLGCPD(x, (z, w), 0.0, [1.0, 2.0], 1.0), ("w", "z")).coefficients
    array([2., 1.])
    """
    by_name = {parent.name: parent for parent in cpd.parents}
    axes = _places(parents, cpd.discrete_parents)
    columns = _places(parents, cpd.continuous_parents)
    arrays: dict[str, Floats] = {}
    for name in GAUSSIAN_ARRAYS[type(cpd)]:
        array: Any = getattr(cpd, name)
        if name == "coefficients":
            arrays[name] = array.transpose([*axes, len(axes)])[..., columns]
        else:
            arrays[name] = array.transpose(axes)
    return type(cpd)(cpd.variable, tuple(by_name[name] for name in parents), **arrays)


def _places(order: Sequence[Hashable], variables: Sequence[Variable]) -> list[int]:
    """Return the places of some variables in the order of their names."""
    places = {variable.name: i for i, variable in enumerate(variables)}
    return [places[name] for name in order if name in places]
