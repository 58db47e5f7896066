"""The nearest neighbour, with all that are equally near."""

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from bnclass.data.columns import Floats

# Distances are equal up to one part in 2⁴⁰: sums of the same numbers may differ by rounding.
_SLACK = 2.0**-40
_ROWS_AT_ONCE = 1024


class NearestNeighborClassifier(ClassifierMixin, BaseEstimator):
    """Classify a row as most of the training rows nearest to it are.

    On discrete columns many rows are equally near, and all of them vote, as in Weka's IBk;
    scikit-learn's ``KNeighborsClassifier(1)`` asks one of them, whichever it finds. On
    tic-tac-toe that is the difference between 1 % and 32 % of wrong labels.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        In sorted order.
    points_ : ndarray of shape (n_points, n_columns), float64
        The different training rows.
    counts_ : ndarray of shape (n_points, n_classes), float64
        How many training rows of each class are there.
    n_features_in_ : int

    Notes
    -----
    Distances are Euclidean, and equal if they agree to one part in 2⁴⁰. Of n training rows n_y
    are of class y, of v nearest ones v_y: P(y | x) is (v_y + n_y/n²) / (v + 1/n). So the more
    frequent class wins where as many vote for either, and no class is impossible.

    Examples
    --------
    >>> from bnclass import NearestNeighborClassifier
    >>> model = NearestNeighborClassifier().fit([[0, 0], [0, 2], [2, 0]], ["b", "a", "a"])
    >>> model.predict([[1, 1], [0, 0]]).tolist()
    ['a', 'b']
    >>> model.predict_proba([[1, 1]])  # (2 + 2/9) / (3 + 1/3) and (1 + 1/9) / (3 + 1/3)
    array([[0.66666667, 0.33333333]])
    """

    classes_: npt.NDArray[Any]
    points_: Floats
    counts_: Floats
    n_features_in_: int

    def fit(self, X: Any, y: Any) -> "NearestNeighborClassifier":
        """Keep the training rows.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_columns)
            Finite numbers.
        y : array-like of shape (n_rows,)

        Returns
        -------
        self
        """
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.points_, places = np.unique(X, axis=0, return_inverse=True)
        self.counts_ = np.zeros((len(self.points_), len(self.classes_)))
        np.add.at(self.counts_, (places.ravel(), codes), 1)
        return self

    def predict_proba(self, X: Any) -> Floats:
        """Return the share of the nearest training rows that are of each class, smoothed.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_columns)

        Returns
        -------
        ndarray of shape (n_rows, n_classes), float64
        """
        from sklearn.neighbors import KDTree

        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        tree = KDTree(self.points_)
        starts = range(0, len(X), _ROWS_AT_ONCE)
        votes = np.vstack([self._votes(tree, X[i : i + _ROWS_AT_ONCE]) for i in starts])
        prior = self.counts_.sum(axis=0) / self.counts_.sum() ** 2
        smoothed = votes + prior
        shares: Floats = smoothed / smoothed.sum(axis=1, keepdims=True)
        return shares

    def _votes(self, tree: Any, rows: Floats) -> Floats:
        nearest = tree.query(rows)[0][:, 0]
        found = tree.query_radius(rows, nearest * (1 + _SLACK))
        return np.array([self.counts_[places].sum(axis=0) for places in found])

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the most probable class of every row, the first on ties.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_columns)

        Returns
        -------
        ndarray of shape (n_rows,), the dtype of ``classes_``
        """
        most_probable = self.predict_proba(X).argmax(axis=1)
        labels: npt.NDArray[Any] = self.classes_[most_probable]
        return labels
