"""`MDLDiscretizer`, the scikit-learn transformer around `bnclass.data.mdl`."""

from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
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

from bnclass.data.codes import MISSING, Codes, bin_codes
from bnclass.data.columns import Floats, numeric_values, value_kind
from bnclass.data.frames import as_frame
from bnclass.data.labels import encode_labels, plain_labels
from bnclass.data.mdl import bin_labels, mdl_cuts, midpoint
from bnclass.exceptions import DataError, DataTypeError

_NUMERIC = "biufc"
"""Kinds of numpy dtypes that are numbers or bools."""


class MDLDiscretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
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

    n_features_in_: int
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
        numbers, labels = self._numbers(X, reset=True), plain_labels(y)
        check_consistent_length(numbers, labels)
        weights = _checked_weights(sample_weight, numbers)
        kept = weights > 0
        if not kept.any():
            raise DataError("no rows (of positive weight), expected at least one")
        _, codes = encode_labels(labels[kept])
        self._learn(numbers[kept], codes, weights[kept])
        return self

    def transform(self, X: Any) -> Any:
        """Return the bin of every cell.

        Parameters
        ----------
        X : array-like or data frame of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows, n_features), float64
            Codes from 0 on, NaN where missing; with pandas output a frame of ordered
            categories. Values beyond the training range fall into the bins at the ends.

        Raises
        ------
        DataError
            For an infinite cell.
        DataTypeError
            For a column that does not hold numbers.
        """
        check_is_fitted(self)
        codes = self._codes(self._numbers(X, reset=False))
        if _get_output_config("transform", self)["dense"] == "pandas":
            return self._named(codes, X.index if isinstance(X, pd.DataFrame) else None)
        return np.where(codes == MISSING, np.nan, codes)

    def inverse_transform(self, X: Any) -> Floats:
        """Return the number that stands for each bin, see `representatives_`.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features), or data frame of categories
            Codes or named bins, as `transform` returns them.

        Returns
        -------
        ndarray of shape (n_rows, n_features), float64
            NaN where the code is NaN or stands for missing cells.

        Raises
        ------
        DataError
            For a code or a category that is no bin of its column.
        """
        check_is_fitted(self)
        codes = check_array(self._plain_codes(X), dtype=np.float64, ensure_all_finite=False)
        if codes.shape[1] != self.n_features_in_:
            raise DataError(
                f"X has {codes.shape[1]} columns of codes, expected {self.n_features_in_}"
            )
        columns = [self._numbers_of_bins(j, codes[:, j]) for j in range(codes.shape[1])]
        return np.column_stack(columns)

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()  # type: ignore[no-untyped-call]
        tags.target_tags.required = True
        tags.input_tags.allow_nan = True
        return tags

    def _numbers(self, X: Any, *, reset: bool) -> Floats:
        """Return the table as finite numbers and NaN; learn or check its columns."""
        array: Floats = validate_data(
            self, _as_numbers(X), dtype=np.float64, ensure_all_finite=False, reset=reset
        )
        for name, column in zip(self._names(), array.T, strict=True):
            numeric_values(pd.Series(column, name=name, copy=False))  # refuses infinities
        return array

    def _names(self) -> list[str]:
        """Return the names of the columns; text, as scikit-learn asks."""
        numbered = [f"x{j}" for j in range(self.n_features_in_)]
        return list(getattr(self, "feature_names_in_", numbered))

    def _learn(self, numbers: Floats, codes: Codes, weights: Floats) -> None:
        cuts = [mdl_cuts(column, codes, weights) for column in numbers.T]
        missing = [self.missing_bin and bool(np.isnan(column).any()) for column in numbers.T]
        self.cut_points_ = [np.array(c, dtype=np.float64) for c in cuts]
        self.labels_ = [
            bin_labels(c, column) + ("missing",) * extra
            for c, column, extra in zip(cuts, numbers.T, missing, strict=True)
        ]
        self.n_bins_ = np.array([len(labels) for labels in self.labels_])
        self.representatives_ = [
            _middles(column, bin_codes(column, c), n_bins)
            for c, column, n_bins in zip(cuts, numbers.T, self.n_bins_, strict=True)
        ]

    def _codes(self, numbers: Floats) -> Codes:
        codes = np.empty(numbers.shape, dtype=np.int32)
        for j, (cuts, n_bins) in enumerate(zip(self.cut_points_, self.n_bins_, strict=True)):
            codes[:, j] = bin_codes(numbers[:, j], tuple(cuts.tolist()))
            if n_bins > len(cuts) + 1:
                codes[codes[:, j] == MISSING, j] = n_bins - 1
        return codes

    def _named(self, codes: Codes, index: "pd.Index[Any] | None") -> pd.DataFrame:
        columns: dict[str, Any] = {
            name: pd.Categorical.from_codes(column, categories=pd.Index(labels), ordered=True)
            for name, column, labels in zip(self._names(), codes.T, self.labels_, strict=True)
        }
        return pd.DataFrame(columns, index=index)

    def _plain_codes(self, X: Any) -> Any:
        """Return a frame's categories as the codes of the bins that they name."""
        if not isinstance(X, pd.DataFrame):
            return X
        frame = X.copy(deep=False)
        for name, labels in zip(X.columns, self.labels_, strict=False):
            if isinstance(X[name].dtype, pd.CategoricalDtype):
                frame[name] = _codes_of_names(X[name], labels)
        return frame

    def _numbers_of_bins(self, j: int, codes: Floats) -> Floats:
        known = np.isin(codes, np.arange(self.n_bins_[j])) | np.isnan(codes)
        if not known.all():
            row = int(known.argmin())
            raise DataError(
                f"column {self._names()[j]!r}, row {row}: found code {codes[row]:g}, "
                f"expected a whole number from 0 to {self.n_bins_[j] - 1}"
            )
        padded = np.append(self.representatives_[j], np.nan)
        numbers: Floats = padded[np.where(np.isnan(codes), -1, codes).astype(np.intp)]
        return numbers


def _as_numbers(X: Any) -> Any:
    """Return a frame or an array of objects with its columns as float64, text refused.

    Left to itself scikit-learn would read text such as "12" as a number.
    """
    if hasattr(X, "columns"):
        return _number_columns(as_frame(X))
    if hasattr(X, "dtype") and X.dtype.kind in _NUMERIC:  # sparse matrices have one too
        return X
    array = np.asarray(X)
    if array.dtype.kind in _NUMERIC or array.ndim != 2:
        return X  # `validate_data` takes it or says what is wrong with it
    return _number_columns(as_frame(array)).to_numpy()


def _number_columns(frame: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(
        {name: _number_column(frame[name]) for name in frame.columns}, index=frame.index
    )


def _number_column(column: "pd.Series[Any]") -> Floats:
    if value_kind(column) == "text":
        raise DataTypeError(
            f"column {column.name!r} has dtype {column.dtype} and holds no numbers, "
            f"expected numbers"
        )
    return numeric_values(column)


def _checked_weights(sample_weight: Any, numbers: Floats) -> Floats:
    weights: Floats = _check_sample_weight(
        sample_weight, numbers, dtype=np.float64, ensure_non_negative=True
    )
    return weights


def _middles(column: Floats, codes: Codes, n_bins: int) -> Floats:
    """Return the midpoint of the observed range in each bin, NaN where nothing is observed."""
    middles = np.full(n_bins, np.nan)
    for i in np.unique(codes[codes != MISSING]):
        values = column[codes == i]
        middles[i] = midpoint(float(values.min()), float(values.max()))
    return middles


def _codes_of_names(column: "pd.Series[Any]", labels: tuple[str, ...]) -> Floats:
    unknown = set(column.dropna()) - set(labels)
    if unknown:
        raise DataError(
            f"column {column.name!r} holds categories {sorted(unknown, key=str)!r}, "
            f"expected bins among {list(labels)!r}"
        )
    codes = pd.Index(labels).get_indexer(pd.Index(column.astype(object)))
    return np.where(codes == -1, np.nan, codes)
