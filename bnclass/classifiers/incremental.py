"""Classifiers that learn from rows in chunks, and from one another."""

from copy import copy
from typing import Any, Generic, Self, TypeVar, overload

import numpy as np
import numpy.typing as npt
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from bnclass.classifiers.base import BayesianNetworkClassifier
from bnclass.data.cells import refuse_tiny_spread
from bnclass.data.encoder import TableEncoder
from bnclass.data.labels import plain_classes
from bnclass.data.merging import merged_encoders, same
from bnclass.data.weights import checked_weights
from bnclass.exceptions import BnclassError, warn
from bnclass.statistics.recoding import recoded, without
from bnclass.statistics.smoothing import as_smoothing
from bnclass.statistics.sufficient import SufficientStatistics

T = TypeVar("T")


class Learned(Generic[T]):
    """An attribute that is learned from ``statistics_`` when it is first asked for.

    `fit` sets it at once; `partial_fit` takes it away, so that a chain of chunks is learned
    from once, when someone looks.

    Examples
    --------
    >>> from bnclass import NaiveBayes
    >>> hasattr(NaiveBayes(), "network_")
    False
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: Any, owner: type) -> T: ...
    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        if "statistics_" not in vars(instance):
            raise AttributeError(f"{owner.__name__!r} object has no attribute {self._name!r}")
        state, learner = vars(instance), copy(instance)
        learner._learn_from_statistics()
        # Another thread may have added rows meanwhile; what is learned is of the old state.
        state.update({n: vars(learner)[n] for n in _learned_names(owner) if n in vars(learner)})
        return vars(learner)[self._name]


def _grows(classifier: Any) -> bool:
    classifier._require_growing()
    return True


class IncrementalClassifier(BayesianNetworkClassifier):
    """Base of the classifiers that are functions of single values and pairs of values.

    Their statistics add up, so that chunks of rows can be counted one after the other, or
    apart. A subclass declares what `_learn` sets as `Learned` attributes.

    Attributes
    ----------
    statistics_ : SufficientStatistics
        The counts and moments of all training rows, without the rows.
    """

    statistics_: SufficientStatistics

    def _require_growing(self) -> None:
        """Raise an `AttributeError` if the model takes more than counts of pairs."""

    def _keep(self, encoder: TableEncoder) -> None:
        super()._keep(encoder)
        vars(self).pop("statistics_", None)  # those of other domains

    def _learn_from(self, statistics: SufficientStatistics) -> None:
        super()._learn_from(without(statistics, [v.name for v in self.encoder_.idle_views_]))
        if hasattr(self, "partial_fit"):
            self.statistics_ = recoded(statistics, statistics.schema)

    def _learn_from_statistics(self) -> None:
        self._learn_from(self.statistics_)

    @available_if(_grows)  # type: ignore[untyped-decorator]
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> "IncrementalClassifier":
        """Learn from more rows; all chunks together are as good as one table.

        New values become states. Where numbers are cut, and what missing cells become, is
        fixed by the first rows that have a value in the column. If anything is refused, the
        model stays as it was. The network is learned when it is first asked for.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            With the columns of the first call.
        y : array-like of shape (n_rows,)
        classes : array-like of shape (n_classes,), optional
            All classes that there are; needed at the first call, unless `fit` went before.
        sample_weight : array-like of shape (n_rows,), optional
            As in `fit`; rows of weight 0 are as if they were not there.

        Returns
        -------
        self

        Raises
        ------
        BnclassError
            For anything that cannot be used, such as a label that is none of the classes.

        Examples
        --------
        >>> from bnclass import TAN, load_dataset
        >>> X, y = load_dataset("tic-tac-toe")
        >>> model = TAN().partial_fit(X[::2], y[::2], classes=["negative", "positive"])
        >>> model.partial_fit(X[1::2], y[1::2]).network_ == TAN().fit(X, y).network_
        True
        """
        grown = copy(self)
        if hasattr(self, "encoder_"):
            grown._take_more(X, y, classes, sample_weight)
        else:
            grown._take_first(X, y, classes, sample_weight)
        self.__dict__ = grown.__dict__  # all or nothing
        return self

    @available_if(_grows)  # type: ignore[untyped-decorator]
    def merge(self, other: "IncrementalClassifier") -> "IncrementalClassifier":
        """Return the model of the rows of two fitted models, which stay as they are.

        Parameters
        ----------
        other : classifier
            Of the same class, with the same parameters, and fitted to the same columns; either
            may have states and classes that the other has not.

        Returns
        -------
        classifier

        Raises
        ------
        BnclassError
            If they differ in a parameter, in their columns, in where a number is cut, or in
            what missing cells become.

        Examples
        --------
        >>> from bnclass import AODE, load_dataset
        >>> X, y = load_dataset("tic-tac-toe")
        >>> one, other = AODE().fit(X[::2], y[::2]), AODE().fit(X[1::2], y[1::2])
        >>> one.merge(other).ensemble_ == AODE().fit(X, y).ensemble_
        True
        """
        self._require_like(other)
        merged = copy(self)
        merged.unknown_counts_ = {}
        encoder = merged_encoders(self.encoder_, other.encoder_)
        merged._add(encoder, self.statistics_, other.statistics_)
        return merged

    def _take_first(self, X: Any, y: Any, classes: Any, sample_weight: Any) -> None:
        if classes is None:
            raise BnclassError("classes must be passed on the first call to partial_fit")
        as_smoothing(self.smoothing)  # refuses what is none, before any row is read
        frame = self._checked_frame(X, reset=True)
        self._require_labels(y)
        self._fit(frame, y, checked_weights(sample_weight, frame), classes)
        self._warn_of_one_class()

    def _take_more(self, X: Any, y: Any, classes: Any, sample_weight: Any) -> None:
        self._require_statistics()
        frame = self._checked_frame(X)
        self._require_labels(y)
        if classes is not None and not _same_classes(classes, self.classes_):
            raise BnclassError(
                f"classes are {plain_classes(classes).tolist()!r}, expected "
                f"{self.classes_.tolist()!r} as before"
            )
        weights = checked_weights(sample_weight, frame, none_may_count=True)
        encoder, table = self.encoder_.grown(frame, y, weights)
        order: Any = 1 if self.statistics_.pair_counts is None else 2
        told = self.missing_counts_
        self._add(encoder, self.statistics_, SufficientStatistics.from_table(table, order))
        self._tell_missing(told)

    def _add(
        self, encoder: TableEncoder, one: SufficientStatistics, other: SufficientStatistics
    ) -> None:
        """Keep the sum of two statistics under the domains that take in both."""
        schema = encoder.counted_schema
        new = len(schema) > min(len(one.schema), len(other.schema))
        blank = encoder.blank_row() if new else None
        statistics = recoded(one, schema, blank).merge(recoded(other, schema, blank))
        numbers = [v.name for v in schema.attributes if v.is_continuous]
        for name, distinct in zip(numbers, statistics.distinct, strict=True):
            refuse_tiny_spread(name, distinct.maximum - distinct.minimum)
        encoder.rest_views(statistics.is_constant)
        self._keep(encoder)
        self.statistics_ = statistics
        for name in _learned_names(type(self)):
            vars(self).pop(name, None)
        if schema.names != one.schema.names:  # which the structure may be impossible with
            self._learn_from(statistics)

    def _warn_of_one_class(self) -> None:
        """Warn if cuts, which stay, were learned from rows of one class."""
        binned = [v.column for v in self.encoder_.counted_schema.attributes if v.cuts is not None]
        one_class = np.count_nonzero(self.statistics_.class_counts) == 1
        if binned and one_class and len(self.classes_) > 1:
            warn(
                f"the first rows are all of one class, so the numbers {binned!r} are not cut, now "
                f"or later; begin with rows of several classes, or give a fitted transformer"
            )

    def _require_statistics(self) -> None:
        check_is_fitted(self, "encoder_")
        if not hasattr(self, "statistics_"):
            raise BnclassError(
                f"this {type(self).__name__} has no statistics_ to add to, as models have that "
                f"were read from a file without them (save(model, path, statistics=True)); "
                f"fit it again"
            )

    def _require_like(self, other: Any) -> None:
        """Refuse a model whose statistics are of other things."""
        if type(other) is not type(self):
            raise BnclassError(f"found a {type(other).__name__}, expected a {type(self).__name__}")
        for model in (self, other):
            model._require_statistics()
        ours, theirs = (
            m.get_params(deep=False)  # type: ignore[no-untyped-call]
            for m in (self, other)
        )
        for name, value in ours.items():
            if not same(value, theirs[name]):
                raise BnclassError(
                    f"{name} is {value!r} in one and {theirs[name]!r} in the other, expected "
                    f"the same"
                )


def _learned_names(cls: type) -> list[str]:
    return [n for c in cls.__mro__ for n, value in vars(c).items() if isinstance(value, Learned)]


def _same_classes(classes: Any, known: npt.NDArray[Any]) -> bool:
    return bool(np.array_equal(plain_classes(classes), known))
