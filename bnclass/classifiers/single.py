"""Classifiers that are one network: NaiveBayes, SPODE, TAN, KDB, StructureClassifier."""

from collections.abc import Hashable
from typing import Any

from bnclass.classifiers.incremental import IncrementalClassifier, Learned
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.network.joint import JointModel
from bnclass.statistics.moments import Order
from bnclass.statistics.smoothing import Smoothing
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.structure.base import StructureLearner
from bnclass.structure.constraints import Constraints
from bnclass.structure.kdb import KDBLearner
from bnclass.structure.one_dependence import NaiveBayesLearner, SPODELearner
from bnclass.structure.tan import TANLearner


class SingleNetworkClassifier(IncrementalClassifier):
    """Base of the classifiers that are one network.

    Attributes
    ----------
    network_ : BayesianNetwork
    """

    network_ = Learned[BayesianNetwork]()

    def _learner(self) -> StructureLearner:
        raise NotImplementedError

    def _order(self) -> Order:
        return self._learner().order

    def _learn(self, statistics: SufficientStatistics, smoothing: Smoothing) -> None:
        structure = self._learner().learn(statistics)
        self.network_ = BayesianNetwork.fit(structure, statistics, smoothing)

    @property
    def _model(self) -> JointModel:
        return self.network_


class NaiveBayes(SingleNetworkClassifier):
    """Naive Bayes: attributes are independent given the class.

    Parameters
    ----------
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
        Required arcs are refused, for there is none between attributes; others have no effect.

    Attributes
    ----------
    network_ : BayesianNetwork
        The learned network.
    classes_ : ndarray of shape (n_classes,)
        Class labels in sorted order, in the dtype of y.
    schema_ : Schema
        The variables of the model.
    missing_counts_ : dict of column name to int
        Training cells that were missing; columns without any are not in it.
    unknown_counts_ : dict of column name to int
        Likewise, cells of rows to predict that held values not seen in training, since `fit`.

    Examples
    --------
    >>> from bnclass import NaiveBayes, load_dataset
    >>> X, y = load_dataset("iris")
    >>> NaiveBayes().fit(X, y).predict(X[:2]).tolist()
    ['setosa', 'setosa']
    """

    def __init__(
        self,
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
        self.constraints = constraints

    def _learner(self) -> StructureLearner:
        return NaiveBayesLearner(self._constraints)


class SPODE(SingleNetworkClassifier):
    """SPODE: every attribute depends on the class and on one superparent.

    Parameters
    ----------
    superparent : hashable, optional
        Name of the superparent; by default the attribute with the largest I(X_j; Y), among
        the discrete ones where there are discrete and continuous ones.
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
        Arcs between attributes that must be there, which then start at the superparent, and
        arcs that may not.

    Attributes
    ----------
    network_ : BayesianNetwork
        The learned network.
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

    Examples
    --------
    >>> from bnclass import SPODE, load_dataset
    >>> X, y = load_dataset("tic-tac-toe")
    >>> SPODE().fit(X, y).network_.structure.joint_family
    ('class', 'middle-middle-square')
    """

    def __init__(
        self,
        superparent: Hashable | None = None,
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
        self.superparent = superparent
        self.constraints = constraints

    def _learner(self) -> StructureLearner:
        return SPODELearner(self.superparent, self._constraints)


class TAN(SingleNetworkClassifier):
    """TAN: the attributes form a tree of strongest dependences.

    Parameters
    ----------
    root : hashable, optional
        Name of the tree's root; by default the first column, the first discrete one where
        there are discrete and continuous ones.
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
        Arcs between attributes that must be there, and arcs that may not: the tree is the
        heaviest that keeps them, or a forest.

    Attributes
    ----------
    network_ : BayesianNetwork
        The learned network.
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
    Friedman, Geiger, Goldszmidt, Bayesian Network Classifiers, Machine Learning 29 (1997).

    Examples
    --------
    >>> from bnclass import TAN, load_dataset
    >>> X, y = load_dataset("iris")
    >>> model = TAN().fit(X, y)
    >>> model.network_
    BayesianNetwork(class_node='class', nodes=5, arcs=7, parameters=62)
    """

    def __init__(
        self,
        root: Hashable | None = None,
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
        self.root = root
        self.constraints = constraints

    def _learner(self) -> StructureLearner:
        return TANLearner(self.root, self._constraints)


class KDB(SingleNetworkClassifier):
    """KDB: every attribute depends on the class and on up to k earlier attributes.

    Parameters
    ----------
    k : int or None, default=2
        Attribute parents at most; 0 is naive Bayes, ``None`` the full network.
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
        Arcs between attributes that must be there, and arcs that may not; `max_parents` holds
        beside `k`.

    Attributes
    ----------
    network_ : BayesianNetwork
        The learned network.
    k_ : int
        The k in effect: min(k, n_attributes - 1), and at most the constraints' `max_parents`.
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
    Sahami, Learning Limited Dependence Bayesian Classifiers, KDD 1996.

    Examples
    --------
    >>> from bnclass import KDB, load_dataset
    >>> X, y = load_dataset("monks-1")
    >>> KDB(k=1).fit(X, y).network_
    BayesianNetwork(class_node='class', nodes=7, arcs=11, parameters=67)
    """

    def __init__(
        self,
        k: int | None = 2,
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
        self.k = k
        self.constraints = constraints

    k_ = Learned[int]()

    def _require_growing(self) -> None:
        most = self.constraints.max_parents if self.constraints else None
        limits = [k for k in (self.k, most) if k is not None]
        if not limits or min(limits) > 1:
            raise AttributeError(
                f"KDB(k={self.k!r}) counts families of three attributes and more, for which it "
                f"needs all rows at once; expected k of 0 or 1 to learn from chunks"
            )

    def _learner(self) -> StructureLearner:
        return KDBLearner(self.k, self._constraints)

    def _learn(self, statistics: SufficientStatistics, smoothing: Smoothing) -> None:
        super()._learn(statistics, smoothing)
        limits = [max(len(statistics.schema.attributes) - 1, 0), self.k]
        limits += [self.constraints.max_parents] if self.constraints else []
        self.k_ = min(int(limit) for limit in limits if limit is not None)
