"""From raw rows to an `EncodedTable`, once: kinds, domains, cuts and fills are learned here."""

import warnings
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import clone
from sklearn.utils.validation import (
    check_consistent_length,
    has_fit_parameter,
)

from bnclass.data.columns import (
    MISSING,
    Codes,
    Floats,
    bin_codes,
    encode_column,
    numeric_values,
    observed_states,
    require_kind,
)
from bnclass.data.frames import array_names, as_frame
from bnclass.data.labels import encode_labels, plain_labels
from bnclass.data.mdl import bin_labels, mdl_cuts
from bnclass.data.missing import (
    MISSING_POLICIES,
    free_name,
    mean_of_observed,
    refuse_missing,
    states_and_fill,
)
from bnclass.data.selection import discrete_columns
from bnclass.data.table import EncodedTable
from bnclass.data.variables import Schema, Variable
from bnclass.data.weights import checked_weights
from bnclass.exceptions import BnclassError, BnclassWarning, DataError

_FEW_STATES = 20


class TableEncoder:
    """Learn the domain of every column and encode tables under it.

    Parameters
    ----------
    categorical_features : "from_dtype", "all", mask, or names or positions, default="from_dtype"
        Columns to take as discrete whatever their dtype. Bool, text, category and object
        columns always are.
    continuous : "mdl" or transformer, default="mdl"
        How numbers become states: MDL cuts, or any scikit-learn transformer that
        returns one discrete column for each numeric one. It gets NaN where a cell is
        missing, unless `missing` fills it before.
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
        if not (isinstance(continuous, str) and continuous == "mdl") and not hasattr(
            continuous, "transform"
        ):
            raise BnclassError(f"continuous is {continuous!r}, expected 'mdl' or a transformer")
        self.categorical_features = categorical_features
        self.continuous = continuous
        self.missing = missing

    def fit_transform(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        target: Hashable | None = None,
    ) -> EncodedTable:
        """Learn the domains from training rows and return the rows encoded.

        Parameters
        ----------
        X : pandas.DataFrame, polars.DataFrame or array-like of shape (n_rows, n_columns)
        y : array-like of shape (n_rows,)
        sample_weight : array-like of shape (n_rows,), optional
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
        ValueError
            For negative weights, or not one of everything a row (scikit-learn's messages).
        """
        frame, labels = as_frame(X), plain_labels(y)
        check_consistent_length(frame, labels)
        weights = checked_weights(sample_weight, frame) if len(frame) else None
        name = getattr(y, "name", None)
        _warn_of_labels_among_columns(frame, name, labels)
        if target is None:
            target = _class_name(name, frame)
        if weights is not None:
            kept = weights > 0
            frame, labels, weights = frame[kept], labels[kept], weights[kept]
        if not len(frame):
            raise DataError("no rows (of positive weight), expected at least one")
        self.classes_, codes = encode_labels(labels)
        return self._learn(frame, codes, weights, target)

    def transform(self, X: Any) -> EncodedTable:
        """Encode rows under the learned domains.

        Parameters
        ----------
        X : pandas.DataFrame, polars.DataFrame or array-like of shape (n_rows, n_columns)
            With the columns of training in their order; where either table has no names
            of its own, they are told by their places.

        Returns
        -------
        EncodedTable
            Without labels.

        Raises
        ------
        DataError
            If the columns are others than in training, if one holds another kind of
            value, or, under ``missing="error"``, if a cell is missing or unknown.
        """
        frame = self._with_trained_names(as_frame(X))
        if self.discretizer_ is not None:
            frame = self._discretized(frame, self.discretizer_.transform)
        table = EncodedTable.from_frame(frame, self.schema_.attributes)
        if self.missing == "error":
            _refuse_missing_codes(table)
        return table

    def _with_trained_names(self, frame: pd.DataFrame) -> pd.DataFrame:
        trained, names = list(self.columns_), frame.columns.tolist()
        by_place = _is_unnamed(names) or _is_unnamed(trained)
        same_width = len(names) == len(trained)
        if names != trained and not (by_place and same_width and set(names).isdisjoint(trained)):
            raise DataError(f"found columns {names!r}, expected {trained!r} as in training")
        return frame.set_axis(trained, axis=1)

    def _learn(
        self, frame: pd.DataFrame, labels: Codes, weights: Floats | None, target: Hashable
    ) -> EncodedTable:
        if self.missing == "error":
            refuse_missing(frame)
        self.columns_ = tuple(frame.columns.tolist())
        discrete = discrete_columns(frame, self.categorical_features)
        frame = _without_empty_columns(frame)
        names = frame.columns.tolist()
        numeric = [name for name in names if not discrete[name]]
        ones = np.ones(len(frame)) if weights is None else weights
        self.means_ = self._means(frame, numeric, ones)
        frame = self._fit_discretizer(frame, numeric, labels, weights)
        binned = set(numeric) if self.discretizer_ is None else set()
        variables = tuple(
            self._binned(name, frame[name], labels, ones)
            if name in binned
            else self._discrete(name, frame[name], ones)
            for name in names
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

    # A column's own name may be numpy's integer where the user's is Python's.
    def _discrete(self, name: Hashable, column: "pd.Series[Any]", weights: Floats) -> Variable:
        states = observed_states(column)
        _warn_of_key(name, column, len(states))
        codes = encode_column(column, Variable(name, states=states))
        states, fill = states_and_fill(self.missing, states, codes, weights)
        return Variable(name, states=states, fill=fill)

    def _binned(
        self, name: Hashable, column: "pd.Series[Any]", labels: Codes, weights: Floats
    ) -> Variable:
        values, mean = numeric_values(column), self.means_.get(name)
        if mean is not None:
            values = np.where(np.isnan(values), mean, values)
        cuts = mdl_cuts(values, labels, weights)
        fill = None if mean is None else int(bin_codes(np.array([mean]), cuts)[0])
        return Variable(name, states=bin_labels(cuts, values), cuts=cuts, fill=fill)

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
        if weights is not None and not weighted and np.ptp(weights) > 0:
            warnings.warn(
                f"{type(transformer).__name__} takes no weights, so all rows count alike for it",
                BnclassWarning,
                stacklevel=5,
            )
        keywords = {"sample_weight": weights} if weighted else {}
        self.discretizer_, self._numeric = transformer, list(numeric)
        return self._discretized(
            frame, lambda X: transformer.fit(X, labels, **keywords).transform(X)
        )

    def _discretized(
        self, frame: pd.DataFrame, transform: Callable[[pd.DataFrame], Any]
    ) -> pd.DataFrame:
        """Return the frame with its numeric columns replaced by what `transform` makes of them."""
        for name in self._numeric:
            require_kind(frame[name], "number")
        numbers = pd.DataFrame({n: numeric_values(frame[n]) for n in self._numeric})
        result = as_frame(transform(numbers.fillna(self.means_)))
        if result.shape != numbers.shape:
            raise DataError(
                f"the transformer made a table of shape {result.shape}, expected "
                f"{numbers.shape}: a discrete column for each numeric one"
            )
        discretized = frame.copy(deep=False)
        for j, name in enumerate(self._numeric):
            discretized[name] = result.iloc[:, j].array
        return discretized


def _warn_of_key(name: Hashable, column: "pd.Series[Any]", n_states: int) -> None:
    """Warn of a column that looks like a key: nearly every row has a value of its own."""
    declared = isinstance(column.dtype, pd.CategoricalDtype)
    if not declared and n_states > max(_FEW_STATES, len(column) / 2):
        warnings.warn(
            f"column {name!r} has {n_states} different values in {len(column)} rows, each a state "
            f"of its own; leave it out if it is a key",
            BnclassWarning,
            stacklevel=6,
        )


def _class_name(name: Any, frame: pd.DataFrame) -> Hashable:
    free = isinstance(name, str) and name != "" and name not in frame.columns  # polars: ""
    return str(name) if free else free_name("class", frame.columns)


def _warn_of_labels_among_columns(frame: pd.DataFrame, name: Any, labels: npt.NDArray[Any]) -> None:
    if isinstance(name, str) and name in frame.columns:
        same = pd.Series(labels, frame.index, dtype=object)
        if same.equals(frame[name].astype(object)):
            warnings.warn(
                f"column {name!r} of X holds the labels themselves; leave it out of X",
                BnclassWarning,
                stacklevel=4,
            )


def _is_unnamed(names: Sequence[Hashable]) -> bool:
    """Return whether names are only what numpy or pandas gave columns without any."""
    return list(names) in (array_names(len(names)), list(range(len(names))))


def _without_empty_columns(frame: pd.DataFrame) -> pd.DataFrame:
    empty = frame.columns[frame.isna().all()]
    if len(empty):
        warnings.warn(
            f"columns {empty.tolist()!r} are wholly missing in training and stay out of the model",
            BnclassWarning,
            stacklevel=5,
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
