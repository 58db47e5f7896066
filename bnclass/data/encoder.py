"""From raw rows to an `EncodedTable`, once: kinds, domains, cuts and fills are learned here."""

from collections.abc import Hashable, Iterable, Sequence
from copy import copy
from typing import Any

import pandas as pd

from bnclass.data.cells import (
    UNKNOWN_POLICIES,
    described,
    missing_counts,
    refuse_missing_codes,
    require_spread,
    unknown_rows,
)
from bnclass.data.codes import Codes
from bnclass.data.columns import Floats, plain
from bnclass.data.frames import array_names, as_frame
from bnclass.data.labels import encode_labels, label_codes, plain_classes
from bnclass.data.learning import DomainLearner
from bnclass.data.missing import MISSING_POLICIES
from bnclass.data.table import EncodedTable
from bnclass.data.training import TrainingRows, empty_columns
from bnclass.data.variables import Schema, Variable
from bnclass.exceptions import BnclassError, DataError, warn


class TableEncoder(DomainLearner):
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
    unknown : {"missing", "error"}, default="missing"
        What `transform` does with a value not seen in training: it counts as a missing cell,
        or is refused.
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
    declared_ : tuple
        The columns whose states were declared, as the levels of a category are.
    missing_counts_ : dict
        How many training cells of a column were missing; columns without any are not in it.
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
    idle_views_ : tuple of Variable
        Views of numbers without a second value so far: counted in training rows, since later
        rows may bring one, but in no model.

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

    def __init__(
        self,
        *,
        categorical_features: Any = "from_dtype",
        continuous: Any = "mdl",
        missing: str = "marginalize",
        unknown: str = "missing",
        views: Any = None,
    ) -> None:
        _require_policy("missing", missing, MISSING_POLICIES)
        _require_policy("unknown", unknown, UNKNOWN_POLICIES)
        _require_choice("continuous", continuous, ("mdl", "gaussian"))
        if views is not None:
            _require_choice("discretizer", views, ("mdl",))
        self.categorical_features = categorical_features
        self.continuous = continuous
        self.missing = missing
        self.unknown = unknown
        self.views = views

    def fit_transform(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        target: Hashable | None = None,
        classes: Any = None,
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
        classes : array-like, optional
            All classes that there are, those of later rows too; by default the labels in `y`.

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
        rows = TrainingRows.read(X, y, sample_weight)
        rows.warn_of_labels_among_columns()
        if target is None:
            target = rows.class_name()
        rows = rows.of_positive_weight()
        if not len(rows.frame):
            raise DataError("no rows (of positive weight), expected at least one")
        if classes is None:
            self.classes_, codes = encode_labels(rows.labels)
        else:
            self.classes_ = plain_classes(classes)
            codes = label_codes(rows.labels, self.classes_)
        self.columns_ = tuple(rows.frame.columns.tolist())
        self.schema_ = Schema((), Variable(target, states=tuple(self.classes_.tolist())))
        _warn_of_empty_columns(
            rows.frame, "" if classes is None else " until later rows have values"
        )
        binned = self._learn(rows.frame, codes, rows.weights)
        table = self._encoded(rows.frame, binned, codes, rows.weights)
        require_spread(table)
        return table

    def grown(
        self, X: Any, y: Any, sample_weight: Any = None
    ) -> tuple["TableEncoder", EncodedTable]:
        """Return an encoder that has learned from more rows, and these rows as it encodes them.

        New values become states. What numbers are cut at, and what missing cells become, stays;
        a column without any value so far gets them now if it has one.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit_transform`.

        Returns
        -------
        encoder : TableEncoder
        table : EncodedTable
            Without rows if none has a positive weight.

        Raises
        ------
        DataError
            For anything in the rows that cannot be encoded; a label that is none of
            ``classes_`` is.
        """
        rows = TrainingRows.read(X, y, sample_weight).of_positive_weight()
        frame = self._with_trained_names(rows.frame)
        codes = label_codes(rows.labels, self.classes_)
        encoder = copy(self)
        binned = encoder._grow(frame, codes, rows.weights, first=False) if len(frame) else frame
        return encoder, encoder._encoded(frame, binned, codes, rows.weights)

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
            value, or, under ``missing="error"``, if a cell is missing or unknown, or,
            under ``unknown="error"``, if one is unknown.
        """
        return self.transform_counting(X)[0]

    def transform_counting(self, X: Any) -> tuple[EncodedTable, dict[Hashable, int]]:
        """Do what `transform` does, and count the cells that hold no known value.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)

        Returns
        -------
        table : EncodedTable
        unknown_counts : dict of column name to int
            Columns without such a cell are not in it.
        """
        frame = self._with_trained_names(as_frame(X))
        columns = self._columns(frame, self._binned(frame), self.views_)
        table = EncodedTable.from_columns(columns, len(frame))
        unknown = [
            (column, unknown_rows(variable, column, codes))
            for (variable, column), codes in zip(columns, table.codes.T, strict=True)
            if not variable.is_view
        ]
        unknown = [(column, rows) for column, rows in unknown if len(rows)]
        if unknown and self.unknown == "error":
            found = "; ".join(described(rows, column) for column, rows in unknown)
            raise DataError(
                f"values not seen in training ({found}), expected none because unknown='error'"
            )
        if self.missing == "error":
            refuse_missing_codes(table)
        return table, {plain(column.name): len(rows) for column, rows in unknown}

    def blank_row(self) -> EncodedTable:
        """Return a row of missing cells as it would be counted: what missing cells become.

        Returns
        -------
        EncodedTable
        """
        frame = pd.DataFrame([[None] * len(self.columns_)], columns=list(self.columns_))
        columns = self._columns(frame, self._binned(frame), self.all_views)
        return EncodedTable.from_columns(columns, 1)

    @property
    def counted_schema(self) -> Schema:
        """The variables of encoded training rows: the attributes, and all views after theirs."""
        views = {v.source: v for v in self.all_views}
        both = ((v, views.get(v.name)) for v in self.schema_.attributes)
        return Schema(tuple(v for pair in both for v in pair if v), self.schema_.target)

    @property
    def discretizer_(self) -> Any:
        """The fitted transformer, or ``None`` if none was given."""
        return None if self.binning_ is None else self.binning_.transformer

    def _with_trained_names(self, frame: pd.DataFrame) -> pd.DataFrame:
        trained, names = list(self.columns_), frame.columns.tolist()
        by_place = _is_unnamed(names) or _is_unnamed(trained)
        same_width = len(names) == len(trained)
        if names != trained and not (by_place and same_width and set(names).isdisjoint(trained)):
            raise DataError(f"found columns {names!r}, expected {trained!r} as in training")
        return frame.set_axis(trained, axis=1)

    def _encoded(
        self, frame: pd.DataFrame, binned: pd.DataFrame, labels: Codes, weights: Floats | None
    ) -> EncodedTable:
        """Return training rows as they are counted, idle views among them."""
        columns, target = self._columns(frame, binned, self.all_views), self.schema_.target
        table = EncodedTable.from_columns(columns, len(frame), target, labels, weights)
        missing = missing_counts(frame, self.schema_.attributes, table)
        total = ((n, self.missing_counts_.get(n, 0) + missing[n]) for n in self.columns_)
        self.missing_counts_ = {name: n for name, n in total if n}
        return table

    def _columns(
        self, frame: pd.DataFrame, binned: pd.DataFrame, views: Iterable[Variable]
    ) -> list[tuple[Variable, "pd.Series[Any]"]]:
        """Return each variable, views after their numbers, with the raw column it reads."""
        by_source = {v.source: v for v in views}
        both = ((v, by_source.get(v.name)) for v in self.schema_.attributes)
        variables = [v for pair in both for v in pair if v is not None]
        return [(v, (frame if v.is_continuous else binned)[v.column]) for v in variables]


def _require_policy(parameter: str, value: object, policies: tuple[str, ...]) -> None:
    if not (isinstance(value, str) and value in policies):
        raise BnclassError(f"{parameter} is {value!r}, expected one of {policies!r}")


def _require_choice(parameter: str, value: Any, choices: tuple[str, ...]) -> None:
    if not (isinstance(value, str) and value in choices) and not hasattr(value, "transform"):
        listed = ", ".join(map(repr, choices))
        raise BnclassError(f"{parameter} is {value!r}, expected {listed} or a transformer")


def _is_unnamed(names: Sequence[Hashable]) -> bool:
    """Return whether names are only what numpy or pandas gave columns without any."""
    return list(names) in (array_names(len(names)), list(range(len(names))))


def _warn_of_empty_columns(frame: pd.DataFrame, until: str) -> None:
    empty = empty_columns(frame)
    if empty:
        warn(f"columns {empty!r} are wholly missing in training and stay out of the model{until}")
