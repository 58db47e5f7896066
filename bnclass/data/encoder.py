"""From raw rows to an `EncodedTable`, once: kinds, domains, cuts and fills are learned here."""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.utils.validation import check_consistent_length

from bnclass.data.codes import MISSING, Codes
from bnclass.data.columns import Floats, numeric_values
from bnclass.data.domains import TrainingColumns
from bnclass.data.frames import array_names, as_frame
from bnclass.data.labels import encode_labels, plain_labels
from bnclass.data.missing import MISSING_POLICIES, free_name, mean_of_observed, refuse_missing
from bnclass.data.selection import discrete_columns
from bnclass.data.table import EncodedTable
from bnclass.data.transformers import Binning
from bnclass.data.variables import LARGEST_NUMBER, Schema, Variable
from bnclass.data.weights import checked_weights
from bnclass.exceptions import BnclassError, DataError, warn


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
    binning_ : Binning or None
        The fitted transformer, if one was given, and the columns that it turns into states.
    discretizer_ : transformer or None
        The fitted transformer alone.
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
    binning_: Binning | None
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
        table = EncodedTable.from_columns(self._columns(frame, self._binned(frame)), len(frame))
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
        numeric = [name for name in frame.columns.tolist() if not discrete[name]]
        ones = np.ones(len(frame)) if weights is None else weights
        self.means_ = self._means(frame, numeric, ones)
        self.binning_ = self._fitted_binning(frame, numeric, labels, weights)
        binned = self._binned(frame)
        training = TrainingColumns(labels, ones, self.missing, self.means_)
        variable = Variable(target, states=tuple(self.classes_.tolist()))
        self.schema_ = Schema(self._attributes(binned, numeric, training), variable)
        self.views_ = self._views(frame, binned, training)
        columns = self._columns(frame, binned)
        table = EncodedTable.from_columns(columns, len(frame), variable, labels, weights)
        _require_spread(table)
        return table

    def _binned(self, frame: pd.DataFrame) -> pd.DataFrame:
        return frame if self.binning_ is None else self.binning_.binned(frame)

    def _attributes(
        self, binned: pd.DataFrame, numeric: Sequence[Hashable], training: TrainingColumns
    ) -> tuple[Variable, ...]:
        numbers = numeric if self._keeps_numbers else ()
        return tuple(
            Variable(name, "continuous", fill=self.means_.get(name))
            if name in numbers
            else self._states_of(name, binned[name], name in numeric, training)
            for name in binned.columns.tolist()
        )

    def _columns(
        self, frame: pd.DataFrame, binned: pd.DataFrame
    ) -> list[tuple[Variable, "pd.Series[Any]"]]:
        """Return each variable, views after their numbers, with the raw column it reads."""
        views = {v.source: v for v in self.views_}
        both = ((v, views.get(v.name)) for v in self.schema_.attributes)
        variables = [v for pair in both for v in pair if v is not None]
        return [(v, (frame if v.is_continuous else binned)[v.column]) for v in variables]

    @property
    def discretizer_(self) -> Any:
        """The fitted transformer, or ``None`` if none was given."""
        return None if self.binning_ is None else self.binning_.transformer

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
        self, name: Hashable, column: "pd.Series[Any]", numeric: bool, training: TrainingColumns
    ) -> Variable:
        if numeric and self.binning_ is None:
            return training.cut(name, column)
        return training.states(name, column)

    def _views(
        self, frame: pd.DataFrame, binned: pd.DataFrame, training: TrainingColumns
    ) -> tuple[Variable, ...]:
        """Return the views of all numbers that are not constant."""
        if self.views is None:
            return ()
        numbers = [v.name for v in self.schema_.attributes if v.is_continuous]
        views: list[Variable] = []
        for name in [n for n in numbers if _varies(frame[n])]:
            variable = self._states_of(name, binned[name], True, training)
            taken = [*binned.columns, self.schema_.target.name, *(v.name for v in views)]
            own = free_name(f"{name} (binned)", taken)
            views.append(replace(variable, name=own, source=name))
        return tuple(views)

    def _fitted_binning(
        self,
        frame: pd.DataFrame,
        numeric: Sequence[Hashable],
        labels: Codes,
        weights: Floats | None,
    ) -> Binning | None:
        if self._discretizer is None or isinstance(self._discretizer, str) or not numeric:
            return None
        return Binning.fit(self._discretizer, frame, numeric, self.means_, labels, weights)


def _require_choice(parameter: str, value: Any, choices: tuple[str, ...]) -> None:
    if not (isinstance(value, str) and value in choices) and not hasattr(value, "transform"):
        listed = ", ".join(map(repr, choices))
        raise BnclassError(f"{parameter} is {value!r}, expected {listed} or a transformer")


def _varies(column: "pd.Series[Any]") -> bool:
    values = numeric_values(column)
    return bool(np.nanmin(values) < np.nanmax(values))


def _require_spread(table: EncodedTable) -> None:
    """Refuse numbers so close together that their squared differences vanish."""
    names = [v.name for v in table.variables if v.is_continuous]
    for name, column in zip(names, table.numbers_of(names).T, strict=True):
        spread = float(np.fmax.reduce(column) - np.fmin.reduce(column))
        if 0 < spread < 1 / LARGEST_NUMBER:
            raise DataError(
                f"column {name!r} spreads over {spread:.3g} only, expected 0 or at least "
                f"{1 / LARGEST_NUMBER:g}; multiply it by a constant"
            )


def _class_name(name: Any, frame: pd.DataFrame) -> Hashable:
    free = isinstance(name, str) and name != "" and name not in frame.columns  # polars: ""
    return str(name) if free else free_name("class", frame.columns)


def _warn_of_labels_among_columns(frame: pd.DataFrame, name: Any, labels: npt.NDArray[Any]) -> None:
    if isinstance(name, str) and name in frame.columns:
        same = pd.Series(labels, frame.index, dtype=object)
        if same.equals(frame[name].astype(object)):
            warn(f"column {name!r} of X holds the labels themselves; leave it out of X")


def _is_unnamed(names: Sequence[Hashable]) -> bool:
    """Return whether names are only what numpy or pandas gave columns without any."""
    return list(names) in (array_names(len(names)), list(range(len(names))))


def _without_empty_columns(frame: pd.DataFrame) -> pd.DataFrame:
    doubtful = frame.loc[:, frame.iloc[0].isna().to_numpy()]  # the others have a first cell
    empty = doubtful.columns[doubtful.isna().all()]
    if len(empty):
        warn(f"columns {empty.tolist()!r} are wholly missing in training and stay out of the model")
    return frame.drop(columns=empty)


def _refuse_missing_codes(table: EncodedTable) -> None:
    counts = (table.codes == MISSING).sum(axis=0)
    if counts.any():
        listed = ", ".join(
            f"{v.name!r}: {n}"
            for v, n in zip(table.variables, counts, strict=True)
            if n and not v.is_view
        )
        raise DataError(
            f"missing or unknown cells ({listed}), expected none because missing='error'"
        )
