"""How the domains of all columns are learned from rows, and take in more of them."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from bnclass.data.codes import Codes
from bnclass.data.columns import Floats, numeric_values
from bnclass.data.domains import TrainingColumns
from bnclass.data.growth import with_hole, with_values
from bnclass.data.missing import free_name, mean_of_observed, refuse_missing
from bnclass.data.selection import discrete_columns
from bnclass.data.training import empty_columns, varies
from bnclass.data.transformers import Binning
from bnclass.data.variables import Schema, Variable
from bnclass.exceptions import DataError


class DomainLearner:
    """The half of a `TableEncoder` that learns; its parameters and attributes are there.

    What is learned is replaced, never changed in place, so that a shallow copy can go on
    learning and leave the original as it was.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import TableEncoder
    >>> encoder = TableEncoder()
    >>> table = encoder.fit_transform(pd.DataFrame({"a": ["u", "v"]}), [0, 1])
    >>> wider, table = encoder.grown(pd.DataFrame({"a": ["t"]}), [1])
    >>> encoder.schema_["a"].states, wider.schema_["a"].states
    (('u', 'v'), ('t', 'u', 'v'))
    """

    categorical_features: Any
    continuous: Any
    missing: str
    views: Any
    schema_: Schema
    classes_: npt.NDArray[Any]
    columns_: tuple[Hashable, ...]
    means_: dict[Hashable, float]
    declared_: tuple[Hashable, ...]
    missing_counts_: dict[Hashable, int]
    binning_: Binning | None
    views_: tuple[Variable, ...]
    idle_views_: tuple[Variable, ...]

    def rest_views(self, is_constant: Callable[[Hashable], bool]) -> None:
        """Leave out of models the views of numbers without a second value, and only these.

        Parameters
        ----------
        is_constant : callable
            Says of the name of a number whether it has no second value.
        """
        views = self.all_views
        self.views_ = tuple(v for v in views if not is_constant(v.source))
        self.idle_views_ = tuple(v for v in views if is_constant(v.source))

    @property
    def all_views(self) -> tuple[Variable, ...]:
        """All views, the idle ones among them, in column order."""
        place = {name: i for i, name in enumerate(self.columns_)}
        return tuple(sorted((*self.views_, *self.idle_views_), key=lambda v: place[v.source]))

    def _learn(self, frame: pd.DataFrame, labels: Codes, weights: Floats | None) -> pd.DataFrame:
        """Learn the domains of the first rows, and return the rows with numbers binned."""
        self.means_, self.missing_counts_, self.binning_ = {}, {}, None
        self.declared_ = self.views_ = self.idle_views_ = ()
        binned = self._grow(frame, labels, weights, first=True)
        numbers = [v.name for v in self.schema_.attributes if v.is_continuous]
        varying = [name for name in numbers if varies(numeric_values(frame[name]))]
        self.rest_views(lambda name: name not in varying)
        return binned

    def _grow(
        self, frame: pd.DataFrame, labels: Codes, weights: Floats | None, *, first: bool
    ) -> pd.DataFrame:
        """Take the values of rows into the domains, and return the rows with numbers binned."""
        if self.missing == "error":
            refuse_missing(frame)
        discrete = discrete_columns(frame, self.categorical_features)
        absent = set(empty_columns(frame))
        new = [n for n in self.columns_ if n not in self.schema_.names and n not in absent]
        numeric = [name for name in new if not discrete[name]]
        ones = np.ones(len(frame)) if weights is None else weights
        self.means_ = {**self.means_, **self._means(frame, numeric, ones)}
        self._fit_binning(frame, numeric, labels, weights)
        training = TrainingColumns(labels, ones, self.missing, self.means_)
        binned = self._binned(frame)
        known = self._grown_attributes(binned)
        self.declared_ += tuple(n for n in new if _declares_states(binned[n]))
        known |= {n: self._attribute(n, binned[n], n in numeric, training) for n in new}
        if not first:  # missing in all rows before
            known |= {n: with_hole(known[n], self.missing) for n in new if n not in numeric}
        self._grow_views(binned, training, known)
        columns = [known[name] for name in self.columns_ if name in known]
        self.schema_ = Schema(tuple(columns), self.schema_.target)
        return binned

    def _grown_attributes(self, binned: pd.DataFrame) -> dict[Hashable, Variable]:
        return {v.name: self._with_values(v, binned[v.name]) for v in self.schema_.attributes}

    def _with_values(self, variable: Variable, column: "pd.Series[Any]") -> Variable:
        declared = variable.column in self.declared_
        return with_values(variable, column, declared=declared, missing=self.missing)

    def _attribute(
        self, name: Hashable, column: "pd.Series[Any]", numeric: bool, training: TrainingColumns
    ) -> Variable:
        if numeric and self._keeps_numbers:
            return Variable(name, "continuous", fill=self.means_.get(name))
        return self._states_of(name, column, numeric, training)

    def _grow_views(
        self,
        binned: pd.DataFrame,
        training: TrainingColumns,
        attributes: Mapping[Hashable, Variable],
    ) -> None:
        """Take the values of rows into the views, and give new numbers one."""
        if self.views is None:
            return
        self.views_ = tuple(self._with_values(v, binned[v.source]) for v in self.views_)
        self.idle_views_ = tuple(self._with_values(v, binned[v.source]) for v in self.idle_views_)
        sources = {v.source for v in self.all_views}
        for name in [n for n, v in attributes.items() if v.is_continuous and n not in sources]:
            variable = self._states_of(name, binned[name], True, training)
            taken = [*self.columns_, self.schema_.target.name, *(v.name for v in self.all_views)]
            own = free_name(f"{name} (binned)", taken)
            self.views_ = (*self.views_, replace(variable, name=own, source=name))
        idle = {v.source for v in self.idle_views_}
        self.rest_views(idle.__contains__)  # in column order

    def _states_of(
        self, name: Hashable, column: "pd.Series[Any]", numeric: bool, training: TrainingColumns
    ) -> Variable:
        if numeric and self.binning_ is None:
            return training.cut(name, column)
        return training.states(name, column)

    def _means(
        self, frame: pd.DataFrame, numeric: Sequence[Hashable], weights: Floats
    ) -> dict[Hashable, float]:
        if self.missing not in ("state", "impute"):
            return {}
        return {n: mean_of_observed(numeric_values(frame[n]), weights) for n in numeric}

    def _fit_binning(
        self,
        frame: pd.DataFrame,
        numeric: Sequence[Hashable],
        labels: Codes,
        weights: Floats | None,
    ) -> None:
        if self._discretizer is None or isinstance(self._discretizer, str) or not numeric:
            return
        if self.binning_ is not None:
            raise DataError(
                f"columns {list(numeric)!r} had no value before, expected those that the "
                f"transformer was fitted to, {list(self.binning_.names)!r}"
            )
        self.binning_ = Binning.fit(self._discretizer, frame, numeric, self.means_, labels, weights)

    @property
    def _keeps_numbers(self) -> bool:
        return isinstance(self.continuous, str) and self.continuous == "gaussian"

    @property
    def _discretizer(self) -> Any:
        """How numbers become states: "mdl", a transformer, or ``None`` if they do not."""
        return self.views if self._keeps_numbers else self.continuous

    def _binned(self, frame: pd.DataFrame) -> pd.DataFrame:
        return frame if self.binning_ is None else self.binning_.binned(frame)


def _declares_states(column: "pd.Series[Any]") -> bool:
    return isinstance(column.dtype, pd.CategoricalDtype)
