"""Normal densities whose mean is linear in the continuous parents."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from bnclass.data.variables import Variable
from bnclass.exceptions import FactorError
from bnclass.factors.axes import (
    as_numbers,
    cells,
    configuration_labels,
    require_distinct,
    require_kind,
    signature,
)
from bnclass.factors.base import Floats, Values
from bnclass.factors.estimation import gaussian_parameters
from bnclass.factors.regression import VariancePolicy
from bnclass.statistics.sufficient import SufficientStatistics

SMALLEST_VARIANCE = 1e-250
"""Smaller ones have a precision beyond doubles."""


@dataclass(frozen=True, eq=False, repr=False)
class CLGCPD:
    """A conditional linear Gaussian density p(variable | parents).

    In the configuration u of the discrete parents, and with the continuous ones at z,
    X ~ N(intercept(u) + Σ_j coefficients_j(u) z_j, variance(u)).

    Below, D are the discrete and C the continuous parents, each in the order of `parents`.

    Parameters
    ----------
    variable : Variable
        The child, continuous.
    parents : tuple of Variable
        Of both kinds; the class first, then in column order.
    intercept : array-like of shape (card(D1), …), float64
        In the child's unit.
    coefficients : array-like of shape (card(D1), …, len(C)), float64
        In the child's unit for one unit of each continuous parent.
    variance : array-like of shape (card(D1), …), float64
        In the child's unit, squared. At least 1e-250; or 0 everywhere, with all coefficients
        0, for a constant column: a point mass, which has no say in any posterior.

    Raises
    ------
    FactorError
        If the child is discrete, a variable is named twice, a shape does not fit, a
        parameter is not a finite number, or the variances are none.

    Examples
    --------
    >>> from bnclass import Variable
    >>> from bnclass.factors.linear_gaussian import CLGCPD
    >>> sex = Variable("sex", states=("f", "m"))
    >>> height, weight = (Variable(name, kind="continuous") for name in ("height", "weight"))
    >>> cpd = CLGCPD(weight, (sex, height), [-40, -50], [[0.6], [0.7]], [36, 49])
    >>> cpd.describe()
    weight  intercept  height  standard deviation
    sex
    f           -40.0     0.6                 6.0
    m           -50.0     0.7                 7.0

    References
    ----------
    Flores, Gámez, Martínez, Puerta, GAODE and HAODE: two proposals based on AODE to deal
    with continuous variables, ICML 2009, eq. 3.
    """

    variable: Variable
    parents: tuple[Variable, ...]
    intercept: Floats
    coefficients: Floats
    variance: Floats

    _location = "intercept"  # what the intercept is called in tables and messages

    def __post_init__(self) -> None:
        object.__setattr__(self, "parents", tuple(self.parents))
        require_distinct(self)
        require_kind(self, self.variable, "continuous")
        shape = tuple(p.card for p in self.discrete_parents)
        self._store("intercept", self._location, shape)
        self._store("coefficients", "coefficients", (*shape, len(self.continuous_parents)))
        self._store("variance", "variance", shape)
        _require_variances(self)
        self._lock()

    @classmethod
    def from_statistics(
        cls,
        variable: Variable,
        parents: Iterable[Variable],
        statistics: SufficientStatistics,
        variance: VariancePolicy = "conditional",
    ) -> "CLGCPD":
        """Estimate the parameters from moments.

        Parameters
        ----------
        variable : Variable
        parents : iterable of Variable
        statistics : SufficientStatistics
        variance : {"conditional", "hugin", "pooled"}, default="conditional"
            Residual variances; or the child's own ones with uncentred parents; or residual
            variances pooled over the classes.

        Returns
        -------
        CLGCPD

        Examples
        --------
        >>> import pandas as pd
        >>> from bnclass import CLGCPD, SufficientStatistics, TableEncoder
        >>> frame = pd.DataFrame({"x": [0.0, 2, 4, 6], "z": [0.0, 1, 2, 3]})
        >>> table = TableEncoder(continuous="gaussian").fit_transform(frame, [0] * 4)
        >>> statistics = SufficientStatistics.from_table(table)
        >>> x, z = statistics.schema.attributes
        >>> CLGCPD.from_statistics(x, [statistics.schema.target, z], statistics).coefficients
        array([[2.]])
        """
        parents = tuple(parents)
        found = gaussian_parameters(variable, parents, statistics, variance)
        return cls(variable, parents, found.intercept, found.coefficients, found.variance)

    def _store(self, field: str, what: str, shape: tuple[int, ...]) -> None:
        numbers = as_numbers(self, what, getattr(self, field))
        if numbers.shape != shape:
            raise FactorError(f"{self}: {what} of shape {numbers.shape}, expected {shape}")
        if not np.isfinite(numbers).all():
            raise FactorError(f"{self}: found a number in the {what} that is not finite")
        object.__setattr__(self, field, numbers)

    def _lock(self) -> None:
        for array in (self.intercept, self.coefficients, self.variance):
            array.setflags(write=False)

    @property
    def discrete_parents(self) -> tuple[Variable, ...]:
        """The discrete parents, in the order of `parents`."""
        return tuple(p for p in self.parents if p.kind == "discrete")

    @property
    def continuous_parents(self) -> tuple[Variable, ...]:
        """The continuous parents, in the order of `parents`."""
        return tuple(p for p in self.parents if p.kind == "continuous")

    @property
    def is_constant(self) -> bool:
        """Whether this is the point mass of a constant column."""
        return not self.variance.any()

    @property
    def n_parameters(self) -> int:
        """Number of free parameters: all numbers in the tables; none for a constant."""
        if self.is_constant:
            return 0
        return self.intercept.size + self.coefficients.size + self.variance.size

    def given(self, values: Values) -> tuple[Floats, Floats, Floats]:
        """Return intercept, coefficients and variance in given configurations.

        Parameters
        ----------
        values : mapping of name to ndarray of int
            One array for each discrete parent; they are broadcast together.

        Returns
        -------
        intercept : ndarray of the broadcast shape, float64
        coefficients : ndarray of the broadcast shape and an axis of length len(C), float64
        variance : ndarray of the broadcast shape, float64

        Raises
        ------
        FactorError
            If a code stands for no state.

        Examples
        --------
        >>> import numpy as np
        >>> from bnclass import Variable
        >>> from bnclass.factors.gaussian import GaussianCPD
        >>> sex = Variable("sex", states=("f", "m"))
        >>> cpd = GaussianCPD(Variable("height", kind="continuous"), (sex,), [165, 178], [36, 49])
        >>> cpd.given({"sex": np.array([1, 0])})[0]
        array([178., 165.])
        """
        u = cells(self, values, self.discrete_parents)
        return self.intercept[u], self.coefficients[u], self.variance[u]

    def log_prob(self, values: Values) -> Floats:
        """Return ln p(x | u, z), the log density in nats.

        Parameters
        ----------
        values : mapping of name to ndarray
            Codes of the discrete members of the family, float64 numbers of the continuous
            ones; they are broadcast together.

        Returns
        -------
        ndarray of the broadcast shape, float64
            0 for a constant, whatever the number: one that training never saw is unknown.

        Raises
        ------
        FactorError
            If a code stands for no state or a number is not finite; a missing cell has no
            density of its own.

        Examples
        --------
        >>> import numpy as np
        >>> from bnclass import Variable
        >>> from bnclass.factors.gaussian import GaussianCPD
        >>> cpd = GaussianCPD(Variable("height", kind="continuous"), (), 170, 100)
        >>> cpd.log_prob({"height": np.array([170.0, 190.0])}).round(4)
        array([-3.2215, -5.2215])
        """
        x = _finite(self, values, self.variable)
        mean, variance = self._moments(values)
        if self.is_constant:
            return np.zeros(np.broadcast_shapes(x.shape, mean.shape))
        return log_normal(x - mean, variance)

    def _moments(self, values: Values) -> tuple[Floats, Floats]:
        """Return mean and variance of the child, given its parents' values."""
        mean, coefficients, variance = self.given(values)
        for j, parent in enumerate(self.continuous_parents):
            mean = mean + coefficients[..., j] * _finite(self, values, parent)
        return mean, variance

    def sample(self, values: Values, rng: np.random.Generator) -> Floats:
        """Draw the child for each row, given the parents' values.

        Parameters
        ----------
        values : mapping of name to ndarray of shape (n_rows,)
            The parents' codes and numbers; for a root any array of that length under its own
            name.
        rng : numpy.random.Generator

        Returns
        -------
        ndarray of shape (n_rows,), float64

        Raises
        ------
        FactorError
            If a parent's code stands for no state or its number is not finite.

        Examples
        --------
        >>> import numpy as np
        >>> from bnclass import Variable
        >>> from bnclass.factors.gaussian import GaussianCPD
        >>> always = GaussianCPD(Variable("x", kind="continuous"), (), 3, 0)
        >>> always.sample({"x": np.empty(2)}, np.random.default_rng(0))
        array([3., 3.])
        """
        size = len(next(iter(values.values())))
        mean, variance = self._moments(values)
        return rng.normal(mean, np.sqrt(variance), size)

    def describe(self) -> pd.DataFrame:
        """Return the parameters, labelled.

        Returns
        -------
        pandas.DataFrame
            One row a configuration of the discrete parents. Columns "intercept", one under
            the name of each continuous parent (its coefficient), "standard deviation".
        """
        names = [self._location, *(p.name for p in self.continuous_parents), "standard deviation"]
        columns = pd.Index(names, name=self.variable.name, dtype=object, tupleize_cols=False)
        tables = [self.intercept, *np.moveaxis(self.coefficients, -1, 0), np.sqrt(self.variance)]
        numbers = np.stack([table.ravel() for table in tables], axis=1)
        return pd.DataFrame(numbers, configuration_labels(self.discrete_parents), columns)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, CLGCPD)
            and (self.variable, self.parents) == (other.variable, other.parents)
            and np.array_equal(self.intercept, other.intercept)
            and np.array_equal(self.coefficients, other.coefficients)
            and np.array_equal(self.variance, other.variance)
        )

    __hash__ = None  # type: ignore[assignment]

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock()

    def __repr__(self) -> str:
        return signature(self)


def log_height(variance: Floats) -> Floats:
    """Return the log density of a normal distribution at its mean, in nats.

    Parameters
    ----------
    variance : ndarray, float64
        Positive, however large.

    Returns
    -------
    ndarray, float64

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.factors.linear_gaussian import log_height
    >>> log_height(np.array([1.0, 1e308])).round(4)
    array([  -0.9189, -355.517 ])
    """
    height: Floats = -0.5 * (np.log(2 * np.pi) + np.log(variance))
    return height


def log_normal(deviation: Floats, variance: Floats) -> Floats:
    """Return the log density of a normal distribution, in nats.

    Parameters
    ----------
    deviation : ndarray, float64
        Distance from the mean.
    variance : ndarray, float64
        Positive; broadcast with `deviation`.

    Returns
    -------
    ndarray, float64
        -inf where the logarithm itself is beyond double precision.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.factors.linear_gaussian import log_normal
    >>> log_normal(np.array([0.0, 1.0]), np.array(1.0)).round(4)
    array([-0.9189, -1.4189])
    """
    with np.errstate(over="ignore"):
        logs: Floats = log_height(variance) - 0.5 * (deviation**2 / variance)
    return logs


def _finite(cpd: CLGCPD, values: Values, variable: Variable) -> Floats:
    numbers = np.asarray(values[variable.name], dtype=np.float64)
    bad = ~np.isfinite(numbers)
    if bad.any():
        raise FactorError(f"{cpd}: {variable.name!r} is {numbers[bad][0]}, expected a number")
    return numbers


def _require_variances(cpd: CLGCPD) -> None:
    smallest = cpd.variance.min()
    if smallest < 0:
        raise FactorError(f"{cpd}: found a variance of {smallest}, expected none below 0")
    if smallest < SMALLEST_VARIANCE and cpd.variance.any():
        raise FactorError(
            f"{cpd}: found a variance of {smallest}, expected at least {SMALLEST_VARIANCE:g}, or 0 "
            f"everywhere for a constant"
        )
    if cpd.is_constant and cpd.coefficients.any():
        raise FactorError(f"{cpd}: a constant with coefficients, expected all of them 0")
