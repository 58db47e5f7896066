"""Raw tables as vectors of numbers, which classifiers that know no states take."""

import math
from collections.abc import Hashable
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from bnclass.data.columns import Floats
from bnclass.data.encoder import TableEncoder
from bnclass.data.frames import validated_frame
from bnclass.data.memory import require_memory
from bnclass.data.missing import mean_of_observed
from bnclass.data.table import EncodedTable

Places = npt.NDArray[np.intp]

# Two different states are √(½ + ½) apart.
_HALF = 1 / math.sqrt(2)
_FARTHEST = 1e30


class VectorEncoder(TransformerMixin, BaseEstimator):
    """Encode raw tables, as bnclass' estimators take them, as float64 arrays without a hole.

    The columns that `TableEncoder` takes as discrete become one column for every value seen in
    training, and one for missing cells if training has any: 1/√2 where the cell holds it, else
    0. A value not seen in training is 0 throughout. Numbers are scaled so that training rows
    span 0 to 1, missing ones become the training mean.

    So two rows that differ in a discrete column are as far apart there as the smallest number
    of another column is from its largest: the distance of Weka's IBk, but for missing numbers,
    and for test rows, which do not stretch the scale here. An unseen value is equally far from
    every value seen, and changes no order of neighbours. Trees do not see the scale, and
    kernels and penalties see all columns on one.

    Parameters
    ----------
    categorical_features : "from_dtype", "all", mask, or names or positions, default="from_dtype"
        Columns to take as discrete whatever their dtype, as for our estimators. Bool, text,
        category and object columns always are.

    Attributes
    ----------
    encoder_ : TableEncoder
        Knows the columns; those wholly missing in training are left out, with a warning. If
        none is left, rows become a single 0.
    means_, lows_, spans_ : ndarray of shape (n_numbers,), float64
        Training mean, smallest number, and largest less smallest, of each numeric column.
    kept_ : list of ndarray of int, one a discrete column
        Codes of the values seen in training; the last code of all, of missing cells, is the
        number of states.
    n_features_in_ : int

    Raises
    ------
    DataError
        From `fit` and `transform`, for what our estimators refuse too, such as dates,
        infinite numbers, and other columns than in training.
    MemoryLimitError
        If the array would pass the limit of `set_max_memory`.

    Notes
    -----
    Numbers more than 1e30 spans away from training rows count as 1e30 spans away: forests
    compute in single precision, which holds no greater ones. A constant column is 0, whatever
    later rows hold.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import VectorEncoder
    >>> frame = pd.DataFrame({"size": ["s", "l", None], "n": [10, 20, None]})
    >>> encoder = VectorEncoder().fit(frame)  # the columns are l, s, missing, and n
    >>> encoder.transform(frame).round(3)
    array([[0.   , 0.707, 0.   , 0.   ],
           [0.707, 0.   , 0.   , 1.   ],
           [0.   , 0.   , 0.707, 0.5  ]])
    >>> encoder.transform(pd.DataFrame({"size": ["xl"], "n": [25]}))
    array([[0. , 0. , 0. , 1.5]])
    """

    encoder_: TableEncoder
    means_: Floats
    lows_: Floats
    spans_: Floats
    kept_: list[Places]
    n_features_in_: int

    def __init__(self, *, categorical_features: Any = "from_dtype") -> None:
        self.categorical_features = categorical_features

    def fit(self, X: Any, y: Any = None) -> "VectorEncoder":
        """Learn the columns, their values and the scale of numbers from training rows.

        Parameters
        ----------
        X : pandas.DataFrame, polars.DataFrame or array-like of shape (n_rows, n_columns)
        y : object, optional
            Has no say.

        Returns
        -------
        self
        """
        frame = validated_frame(self, X, reset=True)
        encoder = TableEncoder(
            categorical_features=self.categorical_features, continuous="gaussian"
        )
        table = encoder.fit_transform(frame, np.zeros(len(frame), np.int64))
        self.encoder_ = encoder
        self.kept_ = [np.unique(codes) for codes in self._codes(frame, table)]
        assert table.numbers is not None
        ones = np.ones(len(frame))
        self.means_ = np.array([mean_of_observed(x, ones) for x in table.numbers.T])
        self.lows_ = np.fmin.reduce(table.numbers, axis=0)
        self.spans_ = np.fmax.reduce(table.numbers, axis=0) - self.lows_
        return self

    def transform(self, X: Any) -> Floats:
        """Return rows as vectors.

        Parameters
        ----------
        X : pandas.DataFrame, polars.DataFrame or array-like of shape (n_rows, n_columns)

        Returns
        -------
        ndarray of shape (n_rows, n_values + n_numbers), float64
            Discrete columns first, then numbers, each in column order; finite.
        """
        check_is_fitted(self)
        frame = validated_frame(self, X, reset=False)
        table = self.encoder_.transform(frame)
        width = sum(map(len, self.kept_)) + len(self.means_)
        require_memory(len(frame) * width, f"vectors of {width} numbers for {len(frame)} rows")
        columns = self._codes(frame, table)
        hot = [codes[:, None] == kept for codes, kept in zip(columns, self.kept_, strict=True)]
        vectors = np.hstack([np.empty((len(frame), 0), bool), *hot]) * _HALF
        return np.hstack([vectors, self._scaled(table)]) if width else np.zeros((len(frame), 1))

    def _codes(self, frame: pd.DataFrame, table: EncodedTable) -> list[npt.NDArray[np.int32]]:
        """Return the codes of discrete columns: missing cells have one, unseen values -1."""
        place: dict[Hashable, int] = {n: i for i, n in enumerate(self.encoder_.columns_)}
        columns = []
        for variable, codes in zip(table.variables, table.codes.T, strict=True):
            if not variable.is_continuous:
                missing = frame.iloc[:, place[variable.column]].isna().to_numpy()
                columns.append(np.where(missing, np.int32(variable.card), codes))
        return columns

    def _scaled(self, table: EncodedTable) -> Floats:
        assert table.numbers is not None
        numbers = np.where(np.isnan(table.numbers), self.means_, table.numbers)
        varied = self.spans_ > 0
        scaled = (numbers - self.lows_) / np.where(varied, self.spans_, 1.0)
        return np.where(varied, np.clip(scaled, -_FARTHEST, _FARTHEST), 0.0)

    def __sklearn_tags__(self) -> Any:
        tags: Any = super().__sklearn_tags__()  # type: ignore[no-untyped-call]
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags
