"""Classifiers of scikit-learn beside ours: encoded alike, and some by name."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sklearn.base import BaseEstimator, is_classifier
from sklearn.utils import get_tags

from bnclass.classifiers.base import BayesianNetworkClassifier
from bnclass.evaluate.neighbors import NearestNeighborClassifier
from bnclass.evaluate.vectors import VectorEncoder
from bnclass.exceptions import BnclassError

if TYPE_CHECKING:
    # It loads all of sklearn.preprocessing, which nothing else here needs.
    from sklearn.pipeline import Pipeline


def encoded(classifier: Any, *, categorical_features: Any = "from_dtype") -> "Pipeline":
    """Return a scikit-learn classifier that takes raw tables, as bnclass' estimators do.

    Parameters
    ----------
    classifier : scikit-learn classifier
        Not fitted, and not changed: the pipeline holds it as its last step, "classifier".
    categorical_features : "from_dtype", "all", mask, or names or positions, default="from_dtype"
        Columns to take as discrete whatever their dtype, as for our estimators.

    Returns
    -------
    sklearn.pipeline.Pipeline
        A `VectorEncoder` called "encoder", and the classifier.

    Raises
    ------
    BnclassError
        If it is no classifier, or one that takes raw tables itself.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.svm import SVC
    >>> from bnclass import encoded
    >>> frame = pd.DataFrame({"size": ["s", "l", None, "s"], "n": [1, 2, 3, None]})
    >>> model = encoded(SVC(C=10)).fit(frame, ["a", "b", "b", "a"])
    >>> model.predict(frame).tolist()
    ['a', 'b', 'b', 'a']
    >>> model.get_params()["classifier__C"]
    10
    """
    from sklearn.pipeline import Pipeline

    if not _is_sklearn_classifier(classifier):
        raise BnclassError(
            f"found {classifier!r}, expected a scikit-learn classifier to encode for"
        )
    if not needs_encoding(classifier):
        name = type(classifier).__name__
        raise BnclassError(f"{name} reads raw tables itself, expected one that needs an encoder")
    encoder = VectorEncoder(categorical_features=categorical_features)
    return Pipeline([("encoder", encoder), ("classifier", classifier)])


def needs_encoding(estimator: Any) -> bool:
    """Return whether a classifier takes arrays of numbers only.

    Parameters
    ----------
    estimator : object

    Returns
    -------
    bool
        False for ours, for pipelines, for what holds one of these (a grid search over a
        pipeline, say), for what says of itself that it reads text, and for what is no
        scikit-learn classifier: these are left to do their own encoding.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> from bnclass import TAN, encoded, needs_encoding
    >>> needs_encoding(SVC()), needs_encoding(encoded(SVC())), needs_encoding(TAN())
    (True, False, False)
    """
    from sklearn.pipeline import Pipeline

    if not _is_sklearn_classifier(estimator) or get_tags(estimator).input_tags.string:
        return False
    held = [estimator, *estimator.get_params(deep=True).values()]
    return not any(isinstance(part, (Pipeline, BayesianNetworkClassifier)) for part in held)


def _is_sklearn_classifier(estimator: Any) -> bool:
    return isinstance(estimator, BaseEstimator) and bool(is_classifier(estimator))


def _nearest_neighbour() -> BaseEstimator:
    return NearestNeighborClassifier()


def _support_vectors() -> BaseEstimator:
    from sklearn.svm import SVC

    return SVC()


def _random_forest() -> BaseEstimator:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier()


def _gradient_boosting() -> BaseEstimator:
    from sklearn.ensemble import HistGradientBoostingClassifier

    # By default leaves hold 20 rows, and fewer than 40 rows in all are never split.
    return HistGradientBoostingClassifier(min_samples_leaf=5)


# What the command line calls them. Not seeded, and not encoded yet.
BASELINES: Mapping[str, Callable[[], Any]] = MappingProxyType(
    {
        "gb": _gradient_boosting,
        "knn": _nearest_neighbour,
        "rf": _random_forest,
        "svm": _support_vectors,
    }
)
