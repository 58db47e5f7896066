"""`MDLDiscretizer`, the scikit-learn transformer around `bnclass.data.mdl`."""

from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags

# The only way to learn which container `set_output` or `set_config` asked for.
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import (
    _check_sample_weight,
    check_array,
    check_consistent_length,
    check_is_fitted,
    validate_data,
)

from bnclass.data.columns import MISSING, Codes, Floats, as_frame, bin_codes, numeric_values
from bnclass.data.columns import value_kind
from bnclass.data.labels import encode_labels
from bnclass.data.mdl import bin_labels, mdl_cuts
from bnclass.exceptions import DataError, DataTypeError


class MDLDiscretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Cut numbers into bins that tell about the class, by minimum description length.

    Every column is cut on its own, see `bnclass.data.mdl.mdl_cuts`. A column that tells
    nothing about the class keeps one bin, called "all".

    Parameters
    ----------
    missing_bin : bool, default=False
        If true, a column with missing training cells gets one more bin, the last one,
        called "missing". Otherwise, and in all other columns, missing cells stay missing.

    Attributes
    ----------
    cut_points_ : list of ndarray of shape (n_cuts,), float64
        The ascending cuts of each column; bin ``i`` is ``(cuts[i-1], cuts[i]]`` and the
        bins at the ends are open.
    n_bins_ : ndarray of shape (n_features_in_,), int
        Number of bins of each column, the one for missing cells included.
    labels_ : list of tuple of str
        Names of the bins of each column: "(-inf, a]", "(a, b]", "(b, inf)"; "all";
        "missing".
    representatives_ : list of ndarray of shape (n_bins,), float64
        The number that stands for each bin: the midpoint of the smallest and the largest
        training value in it, NaN for missing cells.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,), object
        Only if all column names are text.

    Notes
    -----
    ``set_output(transform="pandas")`` makes `transform` return ordered categories named
    as in `labels_`; every other output holds the codes of the bins.

    References
    ----------
    U. M. Fayyad, K. B. Irani, "Multi-interval discretization of continuous-valued
    attributes for classification learning", IJCAI 1993, pp. 1022-1027.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from bnclass import MDLDiscretizer
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> discretizer = MDLDiscretizer().fit(X, y)
    >>> discretizer.labels_[2]
    ('(-inf, 2.45]', '(2.45, 4.75]', '(4.75, inf)')
    >>> discretizer.transform(X)[[0, 50, 100], 2]
    array([0., 1., 2.])
    >>> discretizer.set_output(transform="pandas").transform(X).iloc[0, 2]
    '(-inf, 2.45]'
    """

    cut_points_: list[Floats]
    n_bins_: npt.NDArray[np.int_]
    labels_: list[tuple[str, ...]]
    representatives_: list[Floats]

    def __init__(self, *, missing_bin: bool = False) -> None:
        self.missing_bin = missing_bin

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the cuts of every column.

        Parameters
        ----------
        X : array-like or data frame of shape (n_rows, n_features)
            Numbers; NaN, None and NA are missing.
        y : array-like of shape (n_rows,)
            Class labels.
        sample_weight : array-like of shape (n_rows,), optional
            Non-negative; they replace counts everywhere, rows of weight 0 are left out.

        Returns
        -------
        MDLDiscretizer

        Raises
        ------
        DataError
            For an infinite cell, a missing label, a negative weight, or no row of
            positive weight.
        DataTypeError
            For a column that does not hold numbers.
        """
        if y is None:
            raise DataError("MDLDiscretizer requires y to be passed, but the target y is None")
        numbers = self._numbers(X, reset=True)
        check_consistent_length(numbers, y)
        weights = _positive_weights(sample_weight, numbers)
        kept = slice(None) if weights is None else weights > 0
        _, codes = encode_labels(_rows(y, kept))
        self._learn(numbers[kept], codes, None if weights is None else weights[kept])
        return self
