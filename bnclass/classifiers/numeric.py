"""Classifiers that average networks over numbers: GAODE and HAODE [GAODE]."""

from typing import Any, get_args

import pandas as pd

from bnclass.classifiers.averaged import SuperparentAverage
from bnclass.data.encoder import TableEncoder
from bnclass.data.variables import Variable
from bnclass.exceptions import BnclassError
from bnclass.factors.regression import VariancePolicy
from bnclass.network.ensemble import NetworkEnsemble
from bnclass.network.membership import SuperparentSeen
from bnclass.statistics.smoothing import Smoothing
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.structure.constraints import Constraints

_VARIANCES = get_args(VariancePolicy)


class GAODE(SuperparentAverage):
    """GAODE: the average of all superparent one-dependence networks over numbers.

    Every attribute is a normal density given the class, and linear in the superparent.

    Parameters
    ----------
    variance : {"conditional", "hugin", "pooled"}, default="conditional"
        The variance of an attribute given class and superparent: what the superparent leaves
        unexplained; or all of the attribute's variance in the class, about an uncentred
        mean, as the Hugin tool has it (for comparison with it: a poor classifier); or the
        first, pooled over the classes.
    smoothing : float, MEstimate, Laplace or BDeu, default=1.0
        How class counts become probabilities; a number is the m of the m-estimate.
    missing : {"marginalize", "state", "impute", "error"}, default="marginalize"
        Missing cells are integrated out; or become the mean (the second and third); or are
        refused.
    unknown : {"missing", "error"}, default="missing"
        Numbers are never unknown; the parameter is there because the others have it.
    constraints : Constraints, optional
        Arcs between attributes that may not be: every network leaves out its own. Required
        arcs are refused, for one network alone could have them.

    Attributes
    ----------
    ensemble_ : NetworkEnsemble
        One network for every attribute that is not constant, in column order.
    classes_ : ndarray of shape (n_classes,)
        Class labels in sorted order, in the dtype of y.
    schema_ : Schema
        The variables of the model.
    missing_counts_ : dict of column name to int
        Training cells that were missing; columns without any are not in it.
    unknown_counts_ : dict of column name to int
        Likewise, cells of rows to predict that held values not seen in training, since `fit`.

    See Also
    --------
    HAODE : For discrete attributes, or both kinds.

    References
    ----------
    Flores, Gámez, Martínez, Puerta, GAODE and HAODE: two proposals based on AODE to deal
    with continuous variables, ICML 2009, equation 8.

    Examples
    --------
    >>> from bnclass import GAODE, load_dataset
    >>> X, y = load_dataset("iris")
    >>> model = GAODE().fit(X, y)
    >>> model.ensemble_
    NetworkEnsemble(members=4)
    >>> model.ensemble_[0].describe("petal width (cm)").round(3)
    petal width (cm)  intercept  sepal length (cm)  standard deviation
    class
    setosa               -0.170              0.083               0.100
    versicolor            0.083              0.209               0.164
    virginica             1.226              0.121               0.261
    """

    def __init__(
        self,
        variance: VariancePolicy = "conditional",
        *,
        smoothing: Any = 1.0,
        missing: str = "marginalize",
        unknown: str = "missing",
        constraints: Constraints | None = None,
    ) -> None:
        self.variance = variance
        self.smoothing = smoothing
        self.missing = missing
        self.unknown = unknown
        self.constraints = constraints

    def _encoder(self) -> TableEncoder:
        if not (isinstance(self.variance, str) and self.variance in _VARIANCES):
            raise BnclassError(f"variance is {self.variance!r}, expected one of {_VARIANCES!r}")
        return TableEncoder(continuous="gaussian", missing=self.missing, unknown=self.unknown)

    def _checked_frame(self, X: Any, *, reset: bool = False) -> pd.DataFrame:
        # Numbers in a column of objects can be nothing else here.
        return super()._checked_frame(X, reset=reset).infer_objects()

    def _learn(self, statistics: SufficientStatistics, smoothing: Smoothing) -> None:
        require_numbers(statistics, "GAODE", "HAODE, which takes both")
        members, naive_bayes = self._fitted(statistics, smoothing, self.variance)
        self.ensemble_ = NetworkEnsemble(members, fallback=naive_bayes)

    def _takes(self, superparent: Variable, statistics: SufficientStatistics) -> bool:
        return not statistics.is_constant(superparent.name)


def require_numbers(statistics: SufficientStatistics, model: str, instead: str) -> None:
    """Refuse discrete columns by name.

    Parameters
    ----------
    statistics : SufficientStatistics
    model : str
        What takes numbers only, for the message.
    instead : str
        What takes both.

    Raises
    ------
    BnclassError
    """
    discrete = [v.name for v in statistics.schema.attributes if not v.is_continuous]
    if discrete:
        raise BnclassError(
            f"columns {discrete!r} are discrete, and {model} takes numbers only; use {instead}"
        )


class HAODE(SuperparentAverage):
    """HAODE: the average of superparent one-dependence networks over numbers and states.

    Superparents are discrete: a discrete attribute, or the discretised view of a number. The
    other attributes keep their numbers, as normal densities given class and superparent.

    Parameters
    ----------
    min_count : float, default=1
        A superparent serves a row if the row's value or bin of it was seen in training rows
        of at least this weight; a row that none serves falls back to naive Bayes.
    discretizer : transformer, optional
        Makes the views: one discrete column for each numeric one. By default MDL cuts.
    smoothing : float, MEstimate, Laplace or BDeu, default=1.0
        How counts become probabilities; a number is the m of the m-estimate.
    categorical_features : "from_dtype", "all", mask or sequence of names, default="from_dtype"
        Columns to take as discrete whatever their dtype; bool, text, category and object
        columns always are.
    missing : {"marginalize", "state", "impute", "error"}, default="marginalize"
        Missing cells are summed or integrated out; or get a state of their own; or become
        the mode; or are refused. In the middle two, missing numbers become the mean.
    unknown : {"missing", "error"}, default="missing"
        In a row to predict, a value not seen in training counts as a missing cell, or is
        refused.
    constraints : Constraints, optional
        Arcs between attributes that may not be: every network leaves out its own, also where
        they come from a view of the column named. Required arcs are refused, for one network
        alone could have them.

    Attributes
    ----------
    ensemble_ : NetworkEnsemble
        One network for every attribute but constant numbers, in column order.
    classes_ : ndarray of shape (n_classes,)
        Class labels in sorted order, in the dtype of y.
    schema_ : Schema
        The variables of the model; the views are in ``ensemble_``.
    missing_counts_ : dict of column name to int
        Training cells that were missing; columns without any are not in it.
    unknown_counts_ : dict of column name to int
        Likewise, cells of rows to predict that held values not seen in training, since `fit`.

    References
    ----------
    Flores, Gámez, Martínez, Puerta, GAODE and HAODE: two proposals based on AODE to deal
    with continuous variables, ICML 2009, equation 9.

    Examples
    --------
    >>> from bnclass import HAODE, load_dataset
    >>> X, y = load_dataset("iris")
    >>> member = HAODE().fit(X, y).ensemble_[3]
    >>> member.structure.parents("petal length (cm)")
    ('class', 'petal width (cm) (binned)')
    >>> member.factors["petal width (cm) (binned)"].variable.states
    ('(-inf, 0.8]', '(0.8, 1.75]', '(1.75, inf)')
    """

    def __init__(
        self,
        min_count: float = 1,
        discretizer: Any = None,
        *,
        smoothing: Any = 1.0,
        categorical_features: Any = "from_dtype",
        missing: str = "marginalize",
        unknown: str = "missing",
        constraints: Constraints | None = None,
    ) -> None:
        self.min_count = min_count
        self.discretizer = discretizer
        self.smoothing = smoothing
        self.categorical_features = categorical_features
        self.missing = missing
        self.unknown = unknown
        self.constraints = constraints

    def _encoder(self) -> TableEncoder:
        return TableEncoder(
            categorical_features=self.categorical_features,
            continuous="gaussian",
            missing=self.missing,
            unknown=self.unknown,
            views="mdl" if self.discretizer is None else self.discretizer,
        )

    def _learn(self, statistics: SufficientStatistics, smoothing: Smoothing) -> None:
        members, naive_bayes = self._fitted(statistics, smoothing)
        numbers = [v.name for v in statistics.schema.attributes if v.is_continuous]
        varying = [name for name in numbers if not statistics.is_constant(name)]
        self.ensemble_ = NetworkEnsemble(
            members,
            membership=SuperparentSeen.from_statistics(statistics, self.min_count),
            fallback=naive_bayes,
            resolutions={name: statistics.resolution(name) for name in varying},
        )
