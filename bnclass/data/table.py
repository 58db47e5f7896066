"""A table of integer codes: all that statistics, factors and networks see of data."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from bnclass.data.columns import Codes, Floats, as_frame, encode_column
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
        """
        place = {v.name: i for i, v in enumerate(self.variables)}
        if list(place) == list(names):
            return self.codes
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
