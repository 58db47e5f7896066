"""A table of integer codes and numbers: all that statistics, factors and networks see of data."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from bnclass.data.codes import MISSING, Codes, encode_column, encode_number
from bnclass.data.columns import Floats
from bnclass.data.frames import as_frame
from bnclass.data.variables import Variable
from bnclass.exceptions import DataError


@dataclass(frozen=True, eq=False)
class EncodedTable:
    """Rows as integer codes and, for continuous attributes, numbers.

    Parameters
    ----------
    variables : tuple of Variable
        The attributes, one a column of `codes`.
    codes : ndarray of shape (n_rows, n_attributes), int32
        States of the attributes; -1 is missing or unknown. A continuous attribute has 0
        where there is a number.
    target : Variable, optional
        The class variable.
    labels : ndarray of shape (n_rows,), int32, optional
        Codes of the class, -1 where it is unknown.
    weights : ndarray of shape (n_rows,), float64, optional
        Positive row weights; ``None`` is one a row.
    numbers : ndarray of shape (n_rows, n_continuous), float64, optional
        The continuous attributes' numbers, in their order, NaN where missing. May be left
        out if there are none.

    Raises
    ------
    DataError
        If the shapes do not fit together, a code is none of its variable's, a number is
        missing where its code says otherwise, or a weight is not a positive number.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import EncodedTable, Variable
    >>> frame = pd.DataFrame({"a": ["u", "v", None]})
    >>> EncodedTable.from_frame(frame, [Variable("a", states=("u", "v"))]).codes.ravel()
    array([ 0,  1, -1], dtype=int32)
    """

    variables: tuple[Variable, ...]
    codes: Codes
    target: Variable | None = None
    labels: Codes | None = None
    weights: Floats | None = None
    numbers: Floats | None = None

    def __post_init__(self) -> None:
        # The counting loops index with these numbers unchecked.
        if self.codes.ndim != 2 or self.codes.shape[1] != len(self.variables):
            raise DataError(
                f"codes of shape {self.codes.shape}, expected a column for each of "
                f"{len(self.variables)} variables"
            )
        _require_codes(self.codes, self.variables)
        self._require_numbers()
        if self.labels is not None and self.target is not None:
            self._require_row_each("labels", self.labels)
            _require_codes(self.labels[:, np.newaxis], (self.target,))
        if self.weights is not None:
            self._require_row_each("weights", self.weights)
            _require_positive(self.weights)

    def _require_numbers(self) -> None:
        places = [i for i, v in enumerate(self.variables) if v.is_continuous]
        if self.numbers is None:
            object.__setattr__(self, "numbers", np.full((len(self), len(places)), np.nan))
        assert self.numbers is not None
        if self.numbers.shape != (len(self), len(places)):
            raise DataError(
                f"numbers of shape {self.numbers.shape}, expected {(len(self), len(places))}: a "
                f"column for each continuous variable"
            )
        for place, number in zip(places, self.numbers.T, strict=True):
            wrong = (self.codes[:, place] == MISSING) != np.isnan(number)
            if wrong.any():
                row = int(wrong.argmax())
                raise DataError(
                    f"variable {self.variables[place].name!r}, row {row}: found the number "
                    f"{number[row]}, expected one where the code is 0, NaN where it is -1"
                )

    def _require_row_each(self, what: str, numbers: npt.NDArray[Any]) -> None:
        if numbers.shape != (len(self),):
            raise DataError(f"{what} of shape {numbers.shape}, expected ({len(self)},), one a row")

    @classmethod
    def from_frame(
        cls, X: Any, variables: Iterable[Variable], target: Variable | None = None
    ) -> "EncodedTable":
        """Encode a raw table under known variables.

        Parameters
        ----------
        X : pandas.DataFrame, polars.DataFrame or array-like of shape (n_rows, n_columns)
            Must have the column of every variable; others are ignored.
        variables : iterable of Variable
        target : Variable, optional
            If given, its column is read as the class.

        Returns
        -------
        EncodedTable

        Raises
        ------
        DataError
            If a column is not there, or holds values of another kind than its states.
        """
        frame = as_frame(X)
        columns = [(v, _column(frame, v)) for v in variables]
        labels = None if target is None else encode_column(_column(frame, target), target)
        return cls.from_columns(columns, len(frame), target, labels)

    @classmethod
    def from_columns(
        cls,
        columns: Iterable[tuple[Variable, "pd.Series[Any]"]],
        n_rows: int,
        target: Variable | None = None,
        labels: Codes | None = None,
        weights: Floats | None = None,
    ) -> "EncodedTable":
        """Encode raw columns, each under its variable.

        Parameters
        ----------
        columns : iterable of (Variable, pandas.Series of length n_rows)
        n_rows : int
        target, labels, weights
            As for the class.

        Returns
        -------
        EncodedTable

        Raises
        ------
        DataError
            If a column holds values of another kind than its variable.
        """
        columns = list(columns)
        # Column by column in memory: that is how they are filled, and read for predictions.
        codes = np.empty((n_rows, len(columns)), dtype=np.int32, order="F")
        numbers = np.empty((n_rows, sum(v.is_continuous for v, _ in columns)), order="F")
        place = 0
        for i, (variable, column) in enumerate(columns):
            if variable.is_continuous:
                numbers[:, place] = encode_number(column, variable)
                missing = np.isnan(numbers[:, place])
                codes[:, i] = 0
                codes[missing, i] = MISSING
                place += 1
            else:
                codes[:, i] = encode_column(column, variable)
        variables = tuple(v for v, _ in columns)
        return cls(variables, codes, target, labels, weights, numbers)

    def __len__(self) -> int:
        return int(self.codes.shape[0])

    @property
    def row_weights(self) -> Floats:
        """Weight of each row, ones if none were given; ndarray of shape (n_rows,)."""
        return np.ones(len(self)) if self.weights is None else self.weights

    def codes_of(self, names: Sequence[Hashable]) -> Codes:
        """Return the codes of some attributes, in the order asked for.

        Parameters
        ----------
        names : sequence of hashable

        Returns
        -------
        ndarray of shape (n_rows, len(names)), int32

        Raises
        ------
        DataError
            If the table has no such attribute.
        """
        return _picked(self.codes, [v.name for v in self.variables], names)

    def numbers_of(self, names: Sequence[Hashable]) -> Floats:
        """Return the numbers of some continuous attributes, in the order asked for.

        Parameters
        ----------
        names : sequence of hashable

        Returns
        -------
        ndarray of shape (n_rows, len(names)), float64
            NaN where missing.

        Raises
        ------
        DataError
            If the table has no such continuous attribute.
        """
        assert self.numbers is not None
        return _picked(self.numbers, [v.name for v in self.variables if v.is_continuous], names)

    def select(self, names: Sequence[Hashable]) -> "EncodedTable":
        """Return the table of some attributes, in the order asked for.

        Parameters
        ----------
        names : sequence of hashable

        Returns
        -------
        EncodedTable

        Raises
        ------
        DataError
            If the table has no such attribute.
        """
        codes = self.codes_of(names)
        if codes is self.codes:
            return self
        by_name = {v.name: v for v in self.variables}
        variables = tuple(by_name[name] for name in names)
        numbers = self.numbers_of([v.name for v in variables if v.is_continuous])
        return replace(self, variables=variables, codes=codes, numbers=numbers)

    def rows(self, which: npt.NDArray[Any] | slice) -> "EncodedTable":
        """Return the table of some rows.

        Parameters
        ----------
        which : ndarray of bool or int, or slice

        Returns
        -------
        EncodedTable
        """
        labels = None if self.labels is None else self.labels[which]
        weights = None if self.weights is None else self.weights[which]
        assert self.numbers is not None
        codes, numbers = self.codes[which], self.numbers[which]
        return replace(self, codes=codes, labels=labels, weights=weights, numbers=numbers)


def _column(frame: pd.DataFrame, variable: Variable) -> "pd.Series[Any]":
    if variable.column not in frame.columns and variable.name in frame.columns:
        return frame[variable.name]  # the names of a view's bins, as `sample` draws them
    if variable.column not in frame.columns:
        raise DataError(
            f"no column {variable.column!r} in the table, found {frame.columns.tolist()!r}"
        )
    return frame[variable.column]


def _picked(
    columns: npt.NDArray[Any], found: list[Hashable], names: Sequence[Hashable]
) -> npt.NDArray[Any]:
    """Return the columns of some names; all of them in their order are not copied."""
    if found == list(names):
        return columns
    place = {name: i for i, name in enumerate(found)}
    for name in names:
        if name not in place:
            raise DataError(f"no attribute {name!r} in the table, found {found!r}")
    return columns[:, [place[name] for name in names]]


def _require_codes(codes: Codes, variables: tuple[Variable, ...]) -> None:
    smallest, largest = int(codes.min(initial=0)), codes.max(axis=0, initial=MISSING)
    if smallest < MISSING:
        raise DataError(f"found code {smallest}, expected codes from 0 on, -1 where missing")
    for v, code in zip(variables, largest.tolist(), strict=True):
        highest = 0 if v.is_continuous else v.card - 1
        if code > highest:
            raise DataError(f"variable {v.name!r}: found code {code}, expected at most {highest}")


def _require_positive(weights: Floats) -> None:
    bad = ~((weights > 0) & (weights < np.inf))
    if bad.any():
        row = int(bad.argmax())
        raise DataError(f"row {row}: found weight {weights[row]}, expected a positive number")
