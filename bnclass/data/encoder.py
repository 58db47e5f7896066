"""From raw rows to an `EncodedTable`, once: kinds, domains, cuts and fills are learned here."""

import warnings
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import clone
from sklearn.utils.validation import check_consistent_length, has_fit_parameter

from bnclass.data.columns import (
    MISSING,
    Codes,
    Floats,
    as_frame,
    bin_codes,
    column_kind,
    encode_column,
    numeric_values,
    observed_states,
)
from bnclass.data.labels import encode_labels, plain_labels
from bnclass.data.mdl import bin_labels, mdl_cuts
from bnclass.data.missing import (
    MISSING_POLICIES,
    free_name,
    mean_of_observed,
    refuse_missing,
    states_and_fill,
)
from bnclass.data.table import EncodedTable
from bnclass.data.variables import Schema, Variable
from bnclass.exceptions import BnclassError, BnclassWarning, DataError


class TableEncoder:
    """Learn the domain of every column and encode tables under it.

    Parameters
    ----------
    categorical_features : "from_dtype", "all", mask, or sequence of names, default="from_dtype"
        Columns to take as discrete whatever their dtype. Bool, text, category and object
        columns always are.
    continuous : "mdl" or transformer, default="mdl"
        How numbers become states: MDL cuts, or any scikit-learn transformer that
        returns one discrete column for each numeric one.
    missing : {"marginalize", "state", "impute", "error"}, default="marginalize"

    Attributes
    ----------
    schema_ : Schema
        The variables of the model, in column order; columns wholly missing in training
        are not among them.
    classes_ : ndarray of shape (n_classes,)
        The class labels in sorted order, in the dtype they came in.
    columns_ : tuple
        All column names seen in training.
    means_ : dict
        Training mean of each numeric column where it stands in for missing cells.
    discretizer_ : transformer or None
        The fitted transformer, if one was given.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import TableEncoder
    >>> frame = pd.DataFrame({"size": ["s", "l", "s"], "n": [1, 2, 1]})
    >>> encoder = TableEncoder(categorical_features=["n"])
    >>> table = encoder.fit_transform(frame, ["no", "yes", "no"])
    >>> encoder.schema_["n"].states
    (1, 2)
    >>> table.codes.tolist()
    [[1, 0], [0, 1], [1, 0]]
    """

    schema_: Schema
    classes_: npt.NDArray[Any]
    columns_: tuple[Hashable, ...]
    means_: dict[Hashable, float]
    discretizer_: Any

    def __init__(
        self,
        *,
        categorical_features: Any = "from_dtype",
        continuous: Any = "mdl",
        missing: str = "marginalize",
    ) -> None:
        if missing not in MISSING_POLICIES:
            raise BnclassError(f"missing is {missing!r}, expected one of {MISSING_POLICIES!r}")
        if continuous != "mdl" and not hasattr(continuous, "fit_transform"):
            raise BnclassError(f"continuous is {continuous!r}, expected 'mdl' or a transformer")
        self.categorical_features = categorical_features
        self.continuous = continuous
        self.missing = missing

    def fit_transform(
        self,
        X: Any,
        y: Any,
        sample_weight: Floats | None = None,
        target: Hashable | None = None,
    ) -> EncodedTable:
        """Learn the domains from training rows and return the rows encoded.

        Parameters
        ----------
        X : pandas.DataFrame, polars.DataFrame or array-like of shape (n_rows, n_columns)
        y : array-like of shape (n_rows,)
        sample_weight : ndarray of shape (n_rows,), float64, optional
            Non-negative; rows of weight 0 are left out before everything else.
        target : hashable, optional
            Name of the class node; by default the name of `y` if it is text and free,
            else "class".

        Returns
        -------
        EncodedTable

        Raises
        ------
        DataError
            For anything in the rows that cannot be encoded.
        """
        frame, labels = as_frame(X), plain_labels(y)
        check_consistent_length(frame, labels)
        if target is None:
            target = _class_name(getattr(y, "name", None), frame)
        if sample_weight is not None:
            kept = sample_weight > 0
            frame, labels, sample_weight = frame[kept], labels[kept], sample_weight[kept]
        if not len(frame):
            raise DataError("no rows (of positive weight), expected at least one")
        self.classes_, codes = encode_labels(labels)
        return self._learn(frame, codes, sample_weight, target)

    def transform(self, X: Any) -> EncodedTable:
        """Encode rows under the learned domains.

        Parameters
        ----------
        X : pandas.DataFrame, polars.DataFrame or array-like of shape (n_rows, n_columns)
            Columns in the order of training.

        Returns
        -------
        EncodedTable
            Without labels.

        Raises
        ------
        DataError
            If a column holds another kind of value than in training, or, under
            ``missing="error"``, if a cell is missing or unknown.
        """
        frame = as_frame(X).set_axis(list(self.columns_), axis=1)
        if self.discretizer_ is not None:
            frame = self._discretized(frame, self.discretizer_.transform)
        table = EncodedTable.from_frame(frame, self.schema_.attributes)
        if self.missing == "error":
            _refuse_missing_codes(table)
        return table

    def _learn(
        self, frame: pd.DataFrame, labels: Codes, weights: Floats | None, target: Hashable
    ) -> EncodedTable:
        if self.missing == "error":
            refuse_missing(frame)
        self.columns_ = tuple(frame.columns)
        discrete = _discrete_columns(frame, self.categorical_features)
        frame = _without_empty_columns(frame)
        numeric = [name for name in frame.columns if not discrete[name]]
        ones = np.ones(len(frame)) if weights is None else weights
        self.means_ = self._means(frame, numeric, ones)
        frame = self._fit_discretizer(frame, numeric, labels, weights)
        binned = set(numeric) if self.discretizer_ is None else set()
        variables = tuple(
            self._binned(frame[name], labels, ones)
            if name in binned
            else self._discrete(frame[name], ones)
            for name in frame.columns
        )
        self.schema_ = Schema(variables, Variable(target, states=tuple(self.classes_.tolist())))
        table = EncodedTable.from_frame(frame, variables)
        return EncodedTable(variables, table.codes, self.schema_.target, labels, weights)

    def _means(
        self, frame: pd.DataFrame, numeric: Sequence[Hashable], weights: Floats
    ) -> dict[Hashable, float]:
        if self.missing not in ("state", "impute"):
            return {}
        return {n: mean_of_observed(numeric_values(frame[n]), weights) for n in numeric}

    def _discrete(self, column: "pd.Series[Any]", weights: Floats) -> Variable:
        states = observed_states(column)
        codes = encode_column(column, Variable(column.name, states=states))
        states, fill = states_and_fill(self.missing, states, codes, weights)
        return Variable(column.name, states=states, fill=fill)

    def _binned(self, column: "pd.Series[Any]", labels: Codes, weights: Floats) -> Variable:
        values, mean = numeric_values(column), self.means_.get(column.name)
        if mean is not None:
            values = np.where(np.isnan(values), mean, values)
        cuts = mdl_cuts(values, labels, weights)
        fill = None if mean is None else int(bin_codes(np.array([mean]), cuts)[0])
        return Variable(column.name, states=bin_labels(cuts, values), cuts=cuts, fill=fill)

    def _fit_discretizer(
        self,
        frame: pd.DataFrame,
        numeric: Sequence[Hashable],
        labels: Codes,
        weights: Floats | None,
    ) -> pd.DataFrame:
        self.discretizer_ = None
        if isinstance(self.continuous, str) or not numeric:
            return frame
        transformer = clone(self.continuous)
        weighted = weights is not None and has_fit_parameter(transformer, "sample_weight")
        keywords = {"sample_weight": weights} if weighted else {}
        self.discretizer_, self._numeric = transformer, numeric
        return self._discretized(
            frame, lambda X: transformer.fit(X, labels, **keywords).transform(X)
        )

    def _discretized(
        self, frame: pd.DataFrame, transform: Callable[[pd.DataFrame], Any]
    ) -> pd.DataFrame:
        """Return the frame with its numeric columns replaced by what `transform` makes of them."""
        numbers = pd.DataFrame({n: numeric_values(frame[n]) for n in self._numeric})
        result = as_frame(transform(numbers.fillna(self.means_)))
        if result.shape[1] != len(self._numeric):
            raise DataError(
                f"the transformer made {result.shape[1]} columns of {len(self._numeric)}, "
                f"expected one for each"
            )
        discretized = frame.copy(deep=False)
        for j, name in enumerate(self._numeric):
            discretized[name] = result.iloc[:, j].array
        return discretized


def _class_name(name: Any, frame: pd.DataFrame) -> Hashable:
    free = isinstance(name, str) and name not in frame.columns
    return str(name) if free else free_name("class", frame.columns)


def _discrete_columns(frame: pd.DataFrame, chosen: Any) -> dict[Hashable, bool]:
    """Return for each column whether it is discrete, by dtype or because it was chosen."""
    named = _chosen_columns(frame, chosen)
    return {name: name in named or column_kind(frame[name]) == "discrete" for name in frame.columns}


def _chosen_columns(frame: pd.DataFrame, chosen: Any) -> set[Hashable]:
    if isinstance(chosen, str):
        if chosen not in ("from_dtype", "all"):
            raise BnclassError(
                f"categorical_features is {chosen!r}, expected 'from_dtype', 'all', a mask or names"
            )
        return set(frame.columns) if chosen == "all" else set()
    items = np.asarray(chosen, dtype=object).ravel().tolist() if chosen is not None else []
    if items and all(isinstance(i, (bool, np.bool_)) for i in items):
        return _masked_columns(frame, items)
    return {_named_column(frame, item) for item in items}


def _masked_columns(frame: pd.DataFrame, mask: list[bool]) -> set[Hashable]:
    if len(mask) != frame.shape[1]:
        raise BnclassError(
            f"categorical_features is a mask of {len(mask)}, expected {frame.shape[1]} entries"
        )
    return {name for name, on in zip(frame.columns, mask, strict=True) if on}


def _named_column(frame: pd.DataFrame, item: Any) -> Hashable:
    """Return the column called `item`, or, for an integer that is no name, the one at its place."""
    if item in frame.columns:
        return item  # type: ignore[no-any-return]
    if isinstance(item, (int, np.integer)) and 0 <= item < frame.shape[1]:
        return frame.columns[int(item)]
    raise BnclassError(
        f"categorical_features names {item!r}, expected one of {frame.columns.tolist()!r}"
    )


def _without_empty_columns(frame: pd.DataFrame) -> pd.DataFrame:
    empty = frame.columns[frame.isna().all()]
    if len(empty):
        warnings.warn(
            f"columns {empty.tolist()!r} are wholly missing in training and stay out of the model",
            BnclassWarning,
            stacklevel=6,
        )
    return frame.drop(columns=empty)


def _refuse_missing_codes(table: EncodedTable) -> None:
    counts = (table.codes == MISSING).sum(axis=0)
    if counts.any():
        listed = ", ".join(
            f"{v.name!r}: {n}" for v, n in zip(table.variables, counts, strict=True) if n
        )
        raise DataError(
            f"missing or unknown cells ({listed}), expected none because missing='error'"
        )
