"""Normal densities by discrete parents alone."""

from collections.abc import Iterable

import numpy as np

from bnclass.data.variables import Variable
from bnclass.factors.axes import require_kind
from bnclass.factors.base import Floats
from bnclass.factors.estimation import gaussian_parameters
from bnclass.factors.linear_gaussian import CLGCPD
from bnclass.factors.regression import VariancePolicy
from bnclass.statistics.sufficient import SufficientStatistics


class GaussianCPD(CLGCPD):
    """A normal density in each configuration of discrete parents.

    Parameters
    ----------
    variable : Variable
        The child, continuous.
    parents : tuple of Variable
        Discrete; the class first, then in column order.
    mean : array-like of shape (card(parent 1), …, card(parent m)), float64
        In the child's unit.
    variance : array-like of the same shape, float64
        In the child's unit, squared. Positive, or 0 everywhere for a constant column.

    Raises
    ------
    FactorError
        As for `CLGCPD`, and if a parent is continuous.

    Examples
    --------
    >>> from bnclass import Variable
    >>> from bnclass.factors.gaussian import GaussianCPD
    >>> sex = Variable("sex", states=("f", "m"))
    >>> GaussianCPD(Variable("height", kind="continuous"), (sex,), [165, 178], [36, 49]).describe()
    height   mean  standard deviation
    sex
    f       165.0                 6.0
    m       178.0                 7.0
    """

    _location = "mean"

    @classmethod
    def from_statistics(
        cls,
        variable: Variable,
        parents: Iterable[Variable],
        statistics: SufficientStatistics,
        variance: VariancePolicy = "conditional",
    ) -> "GaussianCPD":
        """Estimate the parameters from moments.

        Parameters
        ----------
        variable : Variable
        parents : iterable of Variable
        statistics : SufficientStatistics
        variance : {"conditional", "hugin", "pooled"}, default="conditional"
            The last is the variance pooled over the classes, the others are the same here.

        Returns
        -------
        GaussianCPD

        Examples
        --------
        >>> import pandas as pd
        >>> from bnclass import GaussianCPD, SufficientStatistics, TableEncoder
        >>> frame = pd.DataFrame({"x": [1.0, 3.0, 4.0, 8.0]})
        >>> table = TableEncoder(continuous="gaussian").fit_transform(frame, [0, 0, 1, 1])
        >>> statistics = SufficientStatistics.from_table(table)
        >>> x, target = statistics.schema["x"], statistics.schema.target
        >>> GaussianCPD.from_statistics(x, [target], statistics).variance
        array([1., 4.])
        """
        parents = tuple(parents)
        found = gaussian_parameters(variable, parents, statistics, variance)
        return cls(variable, parents, found.intercept, found.variance)

    def __init__(
        self,
        variable: Variable,
        parents: tuple[Variable, ...],
        mean: Floats,
        variance: Floats,
    ) -> None:
        parents = tuple(parents)
        no_coefficients = np.empty((*(p.card for p in parents), 0))
        super().__init__(variable, parents, mean, no_coefficients, variance)

    def __post_init__(self) -> None:
        for parent in self.parents:
            require_kind(self, parent, "discrete")
        super().__post_init__()

    @property
    def mean(self) -> Floats:
        """Mean in each configuration; the intercept under its usual name."""
        return self.intercept
