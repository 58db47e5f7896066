"""Classifiers that average networks: their base, and AODE."""

from typing import Any

from bnclass.classifiers.base import BayesianNetworkClassifier
from bnclass.data.encoder import TableEncoder
from bnclass.data.variables import Variable
from bnclass.exceptions import BnclassError
from bnclass.factors.regression import VariancePolicy
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.network.ensemble import NetworkEnsemble
from bnclass.network.joint import JointModel
from bnclass.network.membership import SuperparentSeen
from bnclass.statistics.smoothing import Smoothing
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.structure.base import possible_superparents
from bnclass.structure.one_dependence import NaiveBayesLearner, SPODELearner


class AveragedClassifier(BayesianNetworkClassifier):
    """Base of the classifiers that average superparent one-dependence networks.

    Attributes
    ----------
    ensemble_ : NetworkEnsemble
    """

    ensemble_: NetworkEnsemble

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
        spodes = zip(superparents, SPODELearner().learn_all(statistics), strict=True)
        structures = [spode for parent, spode in spodes if self._takes(parent, statistics)]
        structures.append(NaiveBayesLearner().learn(statistics))
        *members, naive_bayes = (
            BayesianNetwork.fit(s, statistics, smoothing, variance) for s in structures
        )
        return members, naive_bayes

    @property
    def _model(self) -> JointModel:
        return self.ensemble_


class AODE(AveragedClassifier):
    """AODE: the average of all superparent one-dependence networks.

    Parameters
    ----------
    min_count : float, default=1
        A superparent serves a row if the row's value of it was seen in training rows of at
        least this weight; a row that none serves falls back to naive Bayes.
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
        or mean; or are refused. A value not seen in training counts as missing.

    Attributes
    ----------
    ensemble_ : NetworkEnsemble
        One network an attribute, in column order.
    classes_ : ndarray of shape (n_classes,)
        Class labels in sorted order, in the dtype of y.
    schema_ : Schema
        The variables of the model.

    References
    ----------
    Webb, Boughton, Wang, Not So Naive Bayes, Machine Learning 58 (2005).

    Examples
    --------
    >>> from bnclass import AODE, load_dataset
    >>> X, y = load_dataset("monks-1")
    >>> model = AODE().fit(X, y)
    >>> model.ensemble_
    NetworkEnsemble(members=6, membership=SuperparentSeen(min_count=1, members=6))
    """

    def __init__(
        self,
        min_count: float = 1,
        *,
        smoothing: Any = 1.0,
        continuous: Any = "mdl",
        categorical_features: Any = "from_dtype",
        missing: str = "marginalize",
    ) -> None:
        super().__init__(
            smoothing=smoothing,
            continuous=continuous,
            categorical_features=categorical_features,
            missing=missing,
        )
        self.min_count = min_count

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
        )
