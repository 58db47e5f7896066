"""From counts to probabilities: m-estimate, Laplace, BDeu."""

from dataclasses import dataclass
from math import prod
from numbers import Real
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from bnclass.exceptions import BnclassError

Floats = npt.NDArray[np.float64]

_SMALLEST_SHARE = 1e-290


@runtime_checkable
class Smoothing(Protocol):
    """What a smoothing policy does: one method, from counts to conditional probabilities."""

    def probabilities(self, counts: Floats, n_configurations: int | None = None) -> Floats:
        """Return P(x | u) from counts F(x, u); the last axis is x and sums to 1.

        `n_configurations` is that of all u, where the counts are of some.
        """
        ...


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Divide; 0/0, a configuration never seen and not smoothed, is uniform."""
    unseen = denominator == 0
    if not unseen.any():
        return numerator / denominator
    uniform = np.ones_like(numerator) / numerator.shape[-1]
    return np.where(unseen, uniform, numerator / np.where(unseen, 1.0, denominator))


def _require_strength(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= float(value) < np.inf:
        raise BnclassError(f"{name} is {value!r}, expected a finite number of at least 0")


@dataclass(frozen=True)
class MEstimate:
    """m-estimate: P(x|u) = (F(x,u) + m/|X|) / (F(u) + m).

    Parameters
    ----------
    m : float, default=1.0
        Weight of the uniform prior, in rows.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass import MEstimate
    >>> MEstimate(1.0).probabilities(np.array([3.0, 0.0]))
    array([0.875, 0.125])
    """

    m: float = 1.0

    def __post_init__(self) -> None:
        _require_strength("m", self.m)
        object.__setattr__(self, "m", float(self.m))

    def probabilities(self, counts: Floats, n_configurations: int | None = None) -> Floats:
        """Return P(x | u).

        Parameters
        ----------
        counts : ndarray of shape (…, card), float64
            F(x, u), the child on the last axis.
        n_configurations : int, optional
            Has no effect.

        Returns
        -------
        ndarray of the same shape, float64
        """
        total = counts.sum(axis=-1, keepdims=True)
        return _ratio(counts + self.m / counts.shape[-1], total + self.m)


@dataclass(frozen=True)
class Laplace:
    """Laplace: P(x|u) = (F(x,u) + a) / (F(u) + a|X|).

    Parameters
    ----------
    a : float, default=1.0
        Rows added to every cell.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass import Laplace
    >>> Laplace(1.0).probabilities(np.array([3.0, 0.0]))
    array([0.8, 0.2])
    """

    a: float = 1.0

    def __post_init__(self) -> None:
        _require_strength("a", self.a)
        object.__setattr__(self, "a", float(self.a))

    def probabilities(self, counts: Floats, n_configurations: int | None = None) -> Floats:
        """Return P(x | u).

        Parameters
        ----------
        counts : ndarray of shape (…, card), float64
            F(x, u), the child on the last axis.
        n_configurations : int, optional
            Has no effect.

        Returns
        -------
        ndarray of the same shape, float64
        """
        total = counts.sum(axis=-1, keepdims=True)
        return _ratio(counts + self.a, total + self.a * counts.shape[-1])


@dataclass(frozen=True)
class BDeu:
    """BDeu: P(x|u) = (F(x,u) + s/(q|X|)) / (F(u) + s/q), q parent configurations.

    Parameters
    ----------
    ess : float, default=1.0
        Equivalent sample size s, in rows, shared by all configurations.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass import BDeu
    >>> BDeu(2.0).probabilities(np.array([[3.0, 0.0], [1.0, 1.0]]))
    array([[0.875, 0.125],
           [0.5  , 0.5  ]])
    """

    ess: float = 1.0

    def __post_init__(self) -> None:
        _require_strength("ess", self.ess)
        object.__setattr__(self, "ess", float(self.ess))

    def probabilities(self, counts: Floats, n_configurations: int | None = None) -> Floats:
        """Return P(x | u).

        Parameters
        ----------
        counts : ndarray of shape (card(parent 1), …, card(child)), float64
            F(x, u), the child on the last axis.
        n_configurations : int, optional
            q, where the counts are of some configurations only.

        Returns
        -------
        ndarray of the same shape, float64
        """
        share = _share(self.ess, n_configurations or prod(counts.shape[:-1]))
        total = counts.sum(axis=-1, keepdims=True)
        return _ratio(counts + share / counts.shape[-1], total + share)


def _share(ess: float, q: int) -> float:
    """Return s/q, and 0 where it is so small that halves of it would be rounded."""
    share = ess / q if q < 2**1000 else 0.0
    return share if share > _SMALLEST_SHARE else 0.0


DEFAULT_SMOOTHING: Smoothing = MEstimate(1.0)
"""The m-estimate with m = 1."""


def as_smoothing(value: Any) -> Smoothing:
    """Return a policy: a number is the m of the m-estimate, a policy stays itself.

    Parameters
    ----------
    value : float or Smoothing

    Returns
    -------
    Smoothing

    Raises
    ------
    BnclassError
        For anything else.

    Examples
    --------
    >>> from bnclass.statistics.smoothing import as_smoothing
    >>> as_smoothing(2.0)
    MEstimate(m=2.0)
    """
    if isinstance(value, (MEstimate, Laplace, BDeu)):
        return value
    if isinstance(value, Real) and not isinstance(value, bool):
        return MEstimate(float(value))
    raise BnclassError(
        f"smoothing is {value!r}, expected a number (the m of the m-estimate), "
        f"MEstimate, Laplace or BDeu"
    )
