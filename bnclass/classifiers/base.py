"""The estimator that every classifier is: encode, count, learn, and ask the model."""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from bnclass.data.cells import listed_counts
from bnclass.data.encoder import TableEncoder
from bnclass.data.frames import validated_frame
from bnclass.data.table import EncodedTable
from bnclass.data.variables import Schema
from bnclass.data.weights import checked_weights, reaches
from bnclass.exceptions import (
    BnclassError,
    MissingCellsWarning,
    UnknownValuesWarning,
    warn,
    warn_once,
)
from bnclass.network.ensemble import Average
from bnclass.network.joint import JointModel
from bnclass.statistics.moments import Order
from bnclass.statistics.smoothing import Smoothing, as_smoothing
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.structure.constraints import Constraints

Floats = npt.NDArray[np.float64]

_BECOME = {
    "marginalize": "are left out of the counts that need them",
    "state": "have a state of their own, or become the mean of a number",
    "impute": "become the mode or mean of their column",
}


def _has_joint(classifier: Any) -> bool:
    return classifier._averages == "joint"  # type: ignore[no-any-return]


class BayesianNetworkClassifier(ClassifierMixin, BaseEstimator):
    """Base of all classifiers: a scikit-learn estimator around a network or an ensemble.

    A subclass says what statistics it needs (`_order`) and turns them into a model
    (`_learn`), which it keeps as ``network_`` or ``ensemble_``. One that averages posteriors
    says so in `_averages`: it has no joint.
    """

    classes_: npt.NDArray[Any]
    schema_: Schema
    missing_counts_: dict[Hashable, int]
    unknown_counts_: dict[Hashable, int]
    encoder_: TableEncoder
    n_features_in_: int

    def __init__(
        self,
        *,
        smoothing: Any = 1.0,
        continuous: Any = "mdl",
        categorical_features: Any = "from_dtype",
        missing: str = "marginalize",
        unknown: str = "missing",
    ) -> None:
        self.smoothing = smoothing
        self.continuous = continuous
        self.categorical_features = categorical_features
        self.missing = missing
        self.unknown = unknown

    @property
    def _averages(self) -> Average:
        return "joint"

    @abstractmethod
    def _learn(self, statistics: SufficientStatistics, smoothing: Smoothing) -> None:
        """Set the fitted model."""

    @property
    @abstractmethod
    def _model(self) -> JointModel:
        """The fitted network or ensemble."""

    def _order(self) -> Order:
        """Return what `_learn` needs counted: 1 for single attributes, 2 for pairs."""
        return 2

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "BayesianNetworkClassifier":
        """Learn the model from rows.

        Parameters
        ----------
        X : pandas.DataFrame, polars.DataFrame or array-like of shape (n_rows, n_columns)
            Bool, text, category and object columns are discrete, numbers continuous: those
            become bins, or Gaussians with ``continuous="gaussian"``.
        y : array-like of shape (n_rows,)
            Class labels of any one kind; none may be missing.
        sample_weight : array-like of shape (n_rows,), optional
            Non-negative; 2 counts as two rows, 0 as none. Weights are numbers of rows:
            if they sum to 1, the model sees one row of data.

        Returns
        -------
        self

        Raises
        ------
        BnclassError
            For anything in the rows or parameters that cannot be used; the message names it.
        """
        as_smoothing(self.smoothing)  # refuses what is none, before any row is read
        frame = self._checked_frame(X, reset=True)
        self._require_labels(y)
        self._fit(frame, y, checked_weights(sample_weight, frame))
        return self

    def _require_labels(self, y: Any) -> None:
        if y is None:
            raise BnclassError(
                f"{type(self).__name__} requires y to be passed, but the target y is None"
            )

    def _fit(
        self, frame: pd.DataFrame, y: Any, weights: Floats | None, classes: Any = None
    ) -> None:
        """Learn from the first rows: all there are, or a chunk if the classes are given."""
        encoder = self._encoder()
        target = self._class_name(frame)
        table = encoder.fit_transform(frame, y, weights, target, classes)
        _warn_of_little_data(encoder.classes_, weights)
        statistics = SufficientStatistics.from_table(table, self._order())
        if classes is not None:  # later chunks will not have these rows
            statistics = replace(statistics, table=None)
        self._keep(encoder)
        self.unknown_counts_ = {}
        self._learn_from(statistics)
        self._tell_missing({})

    @property
    def _constraints(self) -> Any:
        """The constraints, but for what columns without a value in training keep anyway.

        Forbidden arcs and the order say nothing of them; arcs that must be are refused.
        """
        constraints = getattr(self, "constraints", None)
        if not isinstance(constraints, Constraints) or not hasattr(self, "encoder_"):
            return constraints
        attributes = {v.column for v in self.encoder_.counted_schema.attributes}
        empty = set(self.encoder_.columns_) - attributes
        rest = constraints.among(constraints.names - empty)
        return replace(rest, required=constraints.required, root=constraints.root)

    def _keep(self, encoder: TableEncoder) -> None:
        """Take over the domains that an encoder has learned."""
        self.encoder_, self.schema_ = encoder, encoder.schema_
        self.classes_, self.missing_counts_ = encoder.classes_, encoder.missing_counts_

    def _learn_from(self, statistics: SufficientStatistics) -> None:
        """Set the fitted model, from the statistics of all training rows."""
        self._learn(statistics, as_smoothing(self.smoothing))

    def _encoder(self) -> TableEncoder:
        """Return the encoder for training rows, not yet fitted."""
        return TableEncoder(
            categorical_features=self.categorical_features,
            continuous=self.continuous,
            missing=self.missing,
            unknown=self.unknown,
        )

    def _class_name(self, frame: pd.DataFrame) -> Hashable | None:
        """Return a name for the class node, or ``None`` to take it from y."""
        return None

    @available_if(_has_joint)  # type: ignore[untyped-decorator]
    def predict_joint_log_proba(self, X: Any) -> Floats:
        """Return ln P(y, x) of every row and class, in nats.

        Absent where posteriors are averaged.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)

        Returns
        -------
        ndarray of shape (n_rows, n_classes), float64
            Columns in the order of ``classes_``.
        """
        table = self._encoded(X)
        return self._answers(self._model.log_joint, table)

    def predict_log_proba(self, X: Any) -> Floats:
        """Return ln P(y | x) of every row and class, in nats.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)

        Returns
        -------
        ndarray of shape (n_rows, n_classes), float64
        """
        table = self._encoded(X)
        return self._answers(self._model.log_posterior, table)

    def predict_proba(self, X: Any) -> Floats:
        """Return P(y | x) of every row and class.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            Missing cells, and values not seen in training, are summed or integrated out.

        Returns
        -------
        ndarray of shape (n_rows, n_classes), float64
            Columns in the order of ``classes_``; rows sum to 1.
        """
        table = self._encoded(X)
        return self._answers(self._model.posterior, table)

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the most probable class of every row, the first on ties.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)

        Returns
        -------
        ndarray of shape (n_rows,), the dtype of ``classes_``
        """
        # Of probabilities, not their logarithms: those may tell apart what is equal as printed.
        most_probable = self.predict_proba(X).argmax(axis=1)
        labels: npt.NDArray[Any] = self.classes_[most_probable]
        return labels

    def _encoded(self, X: Any) -> EncodedTable:
        check_is_fitted(self)
        table, unknown = self.encoder_.transform_counting(self._checked_frame(X))
        self.tell_unknown(unknown)
        return table

    def _tell_missing(self, told: Mapping[Hashable, int]) -> None:
        """Warn of missing training cells, of each column once; of empty ones others have."""
        columns = [n for n in self.missing_counts_ if n not in told and n in self.schema_]
        if columns:
            counts = listed_counts({name: self.missing_counts_[name] for name in columns})
            become = _BECOME[self.encoder_.missing]
            message = f"missing cells in training ({counts}) {become}"
            warn_once(message, MissingCellsWarning, tuple(columns))

    def tell_unknown(self, unknown: Mapping[Hashable, int]) -> None:
        """Count the cells to predict that hold unknown values; warn of each column once.

        Parameters
        ----------
        unknown : mapping of column name to int
            As `TableEncoder.transform_counting` returns it.
        """
        if not unknown:
            return
        known = self.unknown_counts_
        new = {name: n for name, n in unknown.items() if name not in known}
        self.unknown_counts_ = known | {n: known.get(n, 0) + unknown[n] for n in unknown}
        if new:
            message = f"values not seen in training ({listed_counts(new)}) count as missing cells"
            warn_once(message, UnknownValuesWarning, tuple(new))

    def _answers(self, ask: Callable[[EncodedTable], Floats], table: EncodedTable) -> Floats:
        """Return what the model says of all rows."""
        return ask(table)

    def _checked_frame(self, X: Any, *, reset: bool = False) -> pd.DataFrame:
        return validated_frame(self, X, reset=reset)

    def __sklearn_tags__(self) -> Any:
        tags: Any = super().__sklearn_tags__()  # type: ignore[no-untyped-call]
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags


def _warn_of_little_data(classes: npt.NDArray[Any], weights: Floats | None) -> None:
    if len(classes) == 1:
        warn(
            f"only one class, {classes.tolist()[0]!r}, in training: "
            f"every row gets it with probability 1"
        )
    if weights is not None and not reaches(weights.sum(), 2 * len(classes)):
        warn(
            f"weights sum to {weights.sum():.6g}, which counts as that many rows for "
            f"{len(classes)} classes; multiply them if they were normalised"
        )
