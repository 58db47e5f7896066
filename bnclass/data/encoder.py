"""From raw rows to an `EncodedTable`, once: kinds, domains, cuts and fills are learned here."""

import warnings
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
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
from bnclass.data.variables import LARGEST_NUMBER, Schema, Variable
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
    continuous : "mdl", "gaussian" or transformer, default="mdl"
        How numbers become states: MDL cuts, or any scikit-learn transformer that
        returns one discrete column for each numeric one. It gets NaN where a cell is
        missing, unless `missing` fills it before. With "gaussian" numbers stay numbers.
    missing : {"marginalize", "state", "impute", "error"}, default="marginalize"
    views : "mdl" or transformer, optional
        With ``continuous="gaussian"``: every number that is not constant also gets a
        discretised view, made like this. HAODE's superparents are such views.

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
    views_ : tuple of Variable
        The discretised views, in column order; each follows its number in encoded tables.

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
    views_: tuple[Variable, ...]

    def __init__(
        self,
        *,
        categorical_features: Any = "from_dtype",
        continuous: Any = "mdl",
        missing: str = "marginalize",
        views: Any = None,
    ) -> None:
        if missing not in MISSING_POLICIES:
            raise BnclassError(f"missing is {missing!r}, expected one of {MISSING_POLICIES!r}")
        _require_choice("continuous", continuous, ("mdl", "gaussian"))
        if views is not None:
            _require_choice("discretizer", views, ("mdl",))
        self.categorical_features = categorical_features
        self.continuous = continuous
        self.missing = missing
        self.views = views

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
        binned = frame
        if self.discretizer_ is not None:
            binned = self._discretized(frame, self.discretizer_.transform)
        table = EncodedTable.from_columns(self._columns(frame, binned), len(frame))
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
        binned = self._fit_discretizer(frame, numeric, labels, weights)
        numbers = numeric if self._keeps_numbers else []
        attributes = tuple(
            Variable(name, "continuous", fill=self.means_.get(name))
            if name in numbers
            else self._states_of(name, binned[name], name in numeric, labels, ones)
            for name in names
        )
        variable = Variable(target, states=tuple(self.classes_.tolist()))
        self.schema_ = Schema(attributes, variable)
        changing = [n for n in numbers if self.views is not None and frame[n].nunique() > 1]
        self.views_ = self._views(binned, changing, labels, ones)
        columns = self._columns(frame, binned)
        table = EncodedTable.from_columns(columns, len(frame), variable, labels, weights)
        _require_spread(numbers, table.numbers_of(numbers))
        return table

    def _columns(
        self, frame: pd.DataFrame, binned: pd.DataFrame
    ) -> list[tuple[Variable, "pd.Series[Any]"]]:
        """Return each variable, views after their numbers, with the raw column it reads."""
        views = {v.source: v for v in self.views_}
        both = ((v, views.get(v.name)) for v in self.schema_.attributes)
        variables = [v for pair in both for v in pair if v is not None]
        return [(v, (frame if v.is_continuous else binned)[v.column]) for v in variables]

    @property
    def _keeps_numbers(self) -> bool:
        return isinstance(self.continuous, str) and self.continuous == "gaussian"

    @property
    def _discretizer(self) -> Any:
        """How numbers become states: "mdl", a transformer, or ``None`` if they do not."""
        return self.views if self._keeps_numbers else self.continuous

    def _means(
        self, frame: pd.DataFrame, numeric: Sequence[Hashable], weights: Floats
    ) -> dict[Hashable, float]:
        if self.missing not in ("state", "impute"):
            return {}
        return {n: mean_of_observed(numeric_values(frame[n]), weights) for n in numeric}

    def _states_of(
        self,
        name: Hashable,
        column: "pd.Series[Any]",
        numeric: bool,
        labels: Codes,
        weights: Floats,
    ) -> Variable:
        if numeric and self.discretizer_ is None:
            return self._binned(name, column, labels, weights)
        return self._discrete(name, column, weights)

    def _views(
        self,
        binned: pd.DataFrame,
        names: Sequence[Hashable],
        labels: Codes,
        weights: Floats,
    ) -> tuple[Variable, ...]:
        views: list[Variable] = []
        for name in names:
            variable = self._states_of(name, binned[name], True, labels, weights)
            taken = [*binned.columns, self.schema_.target.name, *(v.name for v in views)]
            own = free_name(f"{name} (binned)", taken)
            views.append(replace(variable, name=own, source=name))
        return tuple(views)

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
        if self._discretizer is None or isinstance(self._discretizer, str) or not numeric:
            return frame
        transformer = clone(self._discretizer)
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


def _require_choice(parameter: str, value: Any, choices: tuple[str, ...]) -> None:
    if not (isinstance(value, str) and value in choices) and not hasattr(value, "transform"):
        listed = ", ".join(map(repr, choices))
        raise BnclassError(f"{parameter} is {value!r}, expected {listed} or a transformer")


def _require_spread(names: Sequence[Hashable], numbers: Floats) -> None:
    """Refuse numbers so close together that their squared differences vanish."""
    for name, column in zip(names, numbers.T, strict=True):
        spread = float(np.fmax.reduce(column) - np.fmin.reduce(column))
        if 0 < spread < 1 / LARGEST_NUMBER:
            raise DataError(
                f"column {name!r} spreads over {spread:.3g} only, expected 0 or at least "
                f"{1 / LARGEST_NUMBER:g}; multiply it by a constant"
            )


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
