"""Classifiers that average networks: their bases, AODE and ATAN."""

from collections.abc import Hashable, Sequence
from typing import Any, Literal, get_args

from bnclass.classifiers.incremental import IncrementalClassifier, Learned
from bnclass.data.encoder import TableEncoder
from bnclass.data.variables import Variable
from bnclass.exceptions import BnclassError
from bnclass.factors.regression import VariancePolicy
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.network.ensemble import Average, NetworkEnsemble
from bnclass.network.joint import JointModel
from bnclass.network.membership import SuperparentSeen
from bnclass.network.plan import require_room_for
from bnclass.network.subsumption import Subsumption
from bnclass.scores.information import Information, quantise
from bnclass.statistics.smoothing import Smoothing
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.structure.base import possible_superparents
from bnclass.structure.constraints import Constraints
from bnclass.structure.one_dependence import NaiveBayesLearner, SPODELearner
from bnclass.structure.tan import TANLearner

MemberWeights = Literal["uniform", "mutual-information"]

_SUBSUMPTION_FREQUENCY = 100


class AveragedClassifier(IncrementalClassifier):
    """Base of the classifiers that average networks.

    Attributes
    ----------
    ensemble_ : NetworkEnsemble
    """

    ensemble_ = Learned[NetworkEnsemble]()

    @property
    def _model(self) -> JointModel:
        return self.ensemble_


class SuperparentAverage(AveragedClassifier):
    """Base of those that average superparent one-dependence networks."""

    constraints: Constraints | None

    def _learner(self) -> SPODELearner:
        return SPODELearner(constraints=self._constraints)

    def _takes(self, superparent: Variable, statistics: SufficientStatistics) -> bool:
        """Return whether the network under a superparent is a member."""
        return not superparent.is_continuous

    def _fitted(
        self,
        statistics: SufficientStatistics,
        smoothing: Smoothing,
        variance: VariancePolicy = "conditional",
    ) -> tuple[list[BayesianNetwork], BayesianNetwork]:
        """Return the members in column order, and the naive Bayes network to fall back to."""
        schema = statistics.schema
        superparents = [schema.attributes[i] for i in possible_superparents(schema)]
        spodes = zip(superparents, self._learner().learn_all(statistics), strict=True)
        structures = [spode for parent, spode in spodes if self._takes(parent, statistics)]
        structures.append(NaiveBayesLearner().learn(statistics))
        require_room_for(structures, statistics)
        *members, naive_bayes = (
            BayesianNetwork.fit(s, statistics, smoothing, variance) for s in structures
        )
        return members, naive_bayes


class AODE(SuperparentAverage):
    """AODE: the average of all superparent one-dependence networks.

    Parameters
    ----------
    min_count : float, default=1
        A superparent serves a row if the row's value of it was seen in training rows of at
        least this weight; a row that none serves falls back to naive Bayes.
    subsumption : None, True or float, default=None
        Subsumption resolution [SR]: an attribute of a row is left out, as superparent and as
        child, if another of the row's values implies it, one seen in training rows of at
        least this weight. True means 100, 1 means 1.
    smoothing : float, MEstimate, Laplace or BDeu, default=1.0
        How counts become probabilities; a number is the m of the m-estimate.
    continuous : "mdl" or transformer, default="mdl"
        How numbers become states: MDL cuts learned inside `fit`, or a transformer that
        returns one discrete column for each numeric one. GAODE and HAODE keep numbers.
    categorical_features : "from_dtype", "all", mask or sequence of names, default="from_dtype"
        Columns to take as discrete whatever their dtype; bool, text, category and object
        columns always are.
    missing : {"marginalize", "state", "impute", "error"}, default="marginalize"
        Missing cells are summed out; or get a state of their own; or become the mode
        or mean; or are refused.
    unknown : {"missing", "error"}, default="missing"
        In a row to predict, a value not seen in training counts as a missing cell, or is
        refused.
    constraints : Constraints, optional
        Arcs between attributes that may not be: every network leaves out its own. Required
        arcs are refused, for one network alone could have them.

    Attributes
    ----------
    ensemble_ : NetworkEnsemble
        One network an attribute, in column order.
    classes_ : ndarray of shape (n_classes,)
        Class labels in sorted order, in the dtype of y.
    schema_ : Schema
        The variables of the model.
    missing_counts_ : dict of column name to int
        Training cells that were missing; columns without any are not in it.
    unknown_counts_ : dict of column name to int
        Likewise, cells of rows to predict that held values not seen in training, since `fit`.

    References
    ----------
    Webb, Boughton, Wang, Not So Naive Bayes, Machine Learning 58 (2005).

    Zheng, Webb, Suraweera, Zhu, Subsumption Resolution, Machine Learning 87 (2012).

    Examples
    --------
    >>> from bnclass import AODE, load_dataset
    >>> X, y = load_dataset("monks-1")
    >>> model = AODE().fit(X, y)
    >>> model.ensemble_
    NetworkEnsemble(members=6, membership=SuperparentSeen(min_count=1, members=6))
    >>> AODE(subsumption=True).fit(X, y).ensemble_.subsumption
    Subsumption(min_frequency=100, attributes=6)
    """

    def __init__(
        self,
        min_count: float = 1,
        subsumption: float | None = None,
        *,
        smoothing: Any = 1.0,
        continuous: Any = "mdl",
        categorical_features: Any = "from_dtype",
        missing: str = "marginalize",
        unknown: str = "missing",
        constraints: Constraints | None = None,
    ) -> None:
        super().__init__(
            smoothing=smoothing,
            continuous=continuous,
            categorical_features=categorical_features,
            missing=missing,
            unknown=unknown,
        )
        self.min_count = min_count
        self.subsumption = subsumption
        self.constraints = constraints

    def _encoder(self) -> TableEncoder:
        if isinstance(self.continuous, str) and self.continuous == "gaussian":
            raise BnclassError(
                "AODE's superparents are discrete, found continuous='gaussian'; use GAODE for "
                "numbers and HAODE for numbers and states"
            )
        return super()._encoder()

    def _learn(self, statistics: SufficientStatistics, smoothing: Smoothing) -> None:
        members, naive_bayes = self._fitted(statistics, smoothing)
        self.ensemble_ = NetworkEnsemble(
            members,
            membership=SuperparentSeen.from_statistics(statistics, self.min_count),
            fallback=naive_bayes,
            subsumption=self._subsumption(statistics),
        )

    def _subsumption(self, statistics: SufficientStatistics) -> Subsumption | None:
        if self.subsumption is None:
            return None
        frequency = _SUBSUMPTION_FREQUENCY if self.subsumption is True else self.subsumption
        return Subsumption.from_statistics(statistics, frequency)


class ATAN(AveragedClassifier):
    """ATAN: the average of the trees of strongest dependences from all roots.

    Posteriors are averaged, not joints, so there is no ``predict_joint_log_proba``.

    Parameters
    ----------
    weights : {"uniform", "mutual-information"}, default="uniform"
        Of the networks: equal, or I(X_r; Y) for the root X_r (WATAN). A root for which that
        is 0 then has no network; if it is 0 for all roots, weights are equal.
    smoothing : float, MEstimate, Laplace or BDeu, default=1.0
        How counts become probabilities; a number is the m of the m-estimate.
    continuous : "mdl", "gaussian" or transformer, default="mdl"
        How numbers become states: MDL cuts learned inside `fit`, or a transformer that
        returns one discrete column for each numeric one. With "gaussian" they stay
        numbers, and their nodes carry normal densities, linear in numeric parents.
    categorical_features : "from_dtype", "all", mask or sequence of names, default="from_dtype"
        Columns to take as discrete whatever their dtype; bool, text, category and object
        columns always are.
    missing : {"marginalize", "state", "impute", "error"}, default="marginalize"
        Missing cells are summed out; or get a state of their own; or become the mode
        or mean; or are refused.
    unknown : {"missing", "error"}, default="missing"
        In a row to predict, a value not seen in training counts as a missing cell, or is
        refused.
    constraints : Constraints, optional
        Arcs between attributes that must be in every tree, and arcs that may not; roots that
        leave no tree with them are left out where others leave one.

    Attributes
    ----------
    ensemble_ : NetworkEnsemble
        One network a root, in column order. Roots are the discrete attributes where there
        are some, otherwise the numbers.
    classes_ : ndarray of shape (n_classes,)
        Class labels in sorted order, in the dtype of y.
    schema_ : Schema
        The variables of the model.
    missing_counts_ : dict of column name to int
        Training cells that were missing; columns without any are not in it.
    unknown_counts_ : dict of column name to int
        Likewise, cells of rows to predict that held values not seen in training, since `fit`.

    References
    ----------
    Jiang, Cai, Wang, Zhang, Improving Tree Augmented Naive Bayes for Class Probability
    Estimation, Knowledge-Based Systems 26 (2012).

    Examples
    --------
    >>> from bnclass import ATAN, load_dataset
    >>> X, y = load_dataset("iris")
    >>> ATAN().fit(X, y).ensemble_
    NetworkEnsemble(members=4, average='posterior')
    >>> ATAN("mutual-information").fit(X, y).ensemble_.weights.round(3)
    array([0.452, 0.267, 0.94 , 0.955])
    """

    def __init__(
        self,
        weights: MemberWeights = "uniform",
        *,
        smoothing: Any = 1.0,
        continuous: Any = "mdl",
        categorical_features: Any = "from_dtype",
        missing: str = "marginalize",
        unknown: str = "missing",
        constraints: Constraints | None = None,
    ) -> None:
        super().__init__(
            smoothing=smoothing,
            continuous=continuous,
            categorical_features=categorical_features,
            missing=missing,
            unknown=unknown,
        )
        self.weights = weights
        self.constraints = constraints

    @property
    def _averages(self) -> Average:
        return "posterior"

    def _encoder(self) -> TableEncoder:
        choices = get_args(MemberWeights)
        if not (isinstance(self.weights, str) and self.weights in choices):
            raise BnclassError(f"weights is {self.weights!r}, expected one of {choices!r}")
        return super()._encoder()

    def _learn(self, statistics: SufficientStatistics, smoothing: Smoothing) -> None:
        trees = TANLearner(constraints=self._constraints).learn_by_root(statistics)
        weights = self._weights_by_root(statistics, list(trees))
        naive_bayes = NaiveBayesLearner().learn(statistics)
        require_room_for([*trees.values(), naive_bayes], statistics)
        self.ensemble_ = NetworkEnsemble(
            [BayesianNetwork.fit(trees[root], statistics, smoothing) for root in weights],
            list(weights.values()),
            fallback=BayesianNetwork.fit(naive_bayes, statistics, smoothing),
            average=self._averages,
        )

    def _weights_by_root(
        self, statistics: SufficientStatistics, roots: Sequence[Hashable]
    ) -> dict[Hashable, float]:
        """Return the weights of the members, without those of weight 0."""
        weights = dict.fromkeys(roots, 1.0)
        if self.weights == "uniform":
            return weights
        names, measures = statistics.schema.names, Information(statistics).with_class
        informative = quantise(measures) > 0
        places = [i for i, name in enumerate(names) if name in weights and informative[i]]
        return {names[i]: float(measures[i]) for i in places} or weights
