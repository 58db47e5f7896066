"""A table of integer codes: all that statistics, factors and networks see of data."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from bnclass.data.columns import MISSING, Codes, Floats, encode_column
from bnclass.data.frames import as_frame
from bnclass.data.variables import Variable
from bnclass.exceptions import DataError


@dataclass(frozen=True, eq=False)
class EncodedTable:
    """Rows as integer codes.

    Parameters
    ----------
    variables : tuple of Variable
        The attributes, one a column of `codes`.
    codes : ndarray of shape (n_rows, n_attributes), int32
        States of the attributes; -1 is missing or unknown.
    target : Variable, optional
        The class variable.
    labels : ndarray of shape (n_rows,), int32, optional
        Codes of the class, -1 where it is unknown.
    weights : ndarray of shape (n_rows,), float64, optional
        Positive row weights; ``None`` is one a row.

    Raises
    ------
    DataError
        If the shapes do not fit together, a code is none of its variable's, or a weight is
        not a positive number.

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

    def __post_init__(self) -> None:
        # The counting loops index with these numbers unchecked.
        if self.codes.ndim != 2 or self.codes.shape[1] != len(self.variables):
            raise DataError(
                f"codes of shape {self.codes.shape}, expected a column for each of "
                f"{len(self.variables)} variables"
            )
        _require_codes(self.codes, self.variables)
        if self.labels is not None and self.target is not None:
            self._require_row_each("labels", self.labels)
            _require_codes(self.labels[:, np.newaxis], (self.target,))
        if self.weights is not None:
            self._require_row_each("weights", self.weights)
            _require_positive(self.weights)

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
        variables = tuple(variables)
        columns = [encode_column(_column(frame, v), v) for v in variables]
        codes = np.stack(columns, axis=1) if columns else np.empty((len(frame), 0), np.int32)
        labels = None if target is None else encode_column(_column(frame, target), target)
        return cls(variables, np.ascontiguousarray(codes), target, labels)

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
        place = {v.name: i for i, v in enumerate(self.variables)}
        if list(place) == list(names):
            return self.codes
        for name in names:
            if name not in place:
                raise DataError(f"no attribute {name!r} in the table, found {list(place)!r}")
        return self.codes[:, [place[name] for name in names]]

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
        return replace(self, codes=self.codes[which], labels=labels, weights=weights)


def _column(frame: pd.DataFrame, variable: Variable) -> "pd.Series[Any]":
    if variable.column not in frame.columns:
        raise DataError(
            f"no column {variable.column!r} in the table, found {frame.columns.tolist()!r}"
        )
    return frame[variable.column]


def _require_codes(codes: Codes, variables: tuple[Variable, ...]) -> None:
    smallest, largest = int(codes.min(initial=0)), codes.max(axis=0, initial=MISSING)
    if smallest < MISSING:
        raise DataError(f"found code {smallest}, expected codes from 0 on, -1 where missing")
    for v, code in zip(variables, largest.tolist(), strict=True):
        if code >= v.card:
            raise DataError(
                f"variable {v.name!r}: found code {code}, expected at most {v.card - 1}"
            )


def _require_positive(weights: Floats) -> None:
    bad = ~((weights > 0) & (weights < np.inf))
    if bad.any():
        row = int(bad.argmax())
        raise DataError(f"row {row}: found weight {weights[row]}, expected a positive number")
