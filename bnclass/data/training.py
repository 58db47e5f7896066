"""Training rows as they come in: a frame, labels and weights that belong together."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.utils.validation import check_consistent_length

from bnclass.data.columns import Floats
from bnclass.data.frames import as_frame
from bnclass.data.labels import plain_labels
from bnclass.data.missing import free_name
from bnclass.data.weights import checked_weights
from bnclass.exceptions import warn


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """Raw rows with their labels.

    Parameters
    ----------
    frame : pandas.DataFrame of n_rows
    labels : ndarray of shape (n_rows,)
    weights : ndarray of shape (n_rows,), float64, or None
        ``None`` is one a row.
    name : hashable or None
        What the labels are called.

    Examples
    --------
    >>> from bnclass.data.training import TrainingRows
    >>> rows = TrainingRows.read([["a"], ["b"]], [0, 1], [1, 0])
    >>> rows.of_positive_weight().labels
    array([0])
    """

    frame: pd.DataFrame
    labels: npt.NDArray[Any]
    weights: Floats | None
    name: Hashable | None

    @classmethod
    def read(cls, X: Any, y: Any, sample_weight: Any = None) -> "TrainingRows":
        """Check that there is one of everything a row.

        Parameters
        ----------
        X : pandas.DataFrame, polars.DataFrame or array-like of shape (n_rows, n_columns)
        y : array-like of shape (n_rows,)
        sample_weight : array-like of shape (n_rows,), optional

        Returns
        -------
        TrainingRows

        Raises
        ------
        DataError
            For rows, labels or weights that cannot be used.
        ValueError
            For negative weights, or not one of everything a row (scikit-learn's messages).
        """
        frame, labels = as_frame(X), plain_labels(y)
        check_consistent_length(frame, labels)
        weights = None
        if len(frame):
            weights = checked_weights(sample_weight, frame, none_may_count=True)
        return cls(frame, labels, weights, getattr(y, "name", None))

    def of_positive_weight(self) -> "TrainingRows":
        """Return the rows that count.

        Returns
        -------
        TrainingRows
        """
        if self.weights is None or (self.weights > 0).all():
            return self
        kept = self.weights > 0
        return replace(
            self, frame=self.frame[kept], labels=self.labels[kept], weights=self.weights[kept]
        )

    def class_name(self) -> Hashable:
        """Return the name of the labels if it is text and free, else "class", "class_", ….

        Returns
        -------
        hashable
        """
        free = isinstance(self.name, str) and self.name != ""  # polars: ""
        if free and self.name not in self.frame.columns:
            return str(self.name)
        return free_name("class", self.frame.columns)

    def warn_of_labels_among_columns(self) -> None:
        """Warn if a column holds the labels themselves."""
        if isinstance(self.name, str) and self.name in self.frame.columns:
            same = pd.Series(self.labels, self.frame.index, dtype=object)
            if same.equals(self.frame[self.name].astype(object)):
                warn(f"column {self.name!r} of X holds the labels themselves; leave it out of X")


def empty_columns(frame: pd.DataFrame) -> list[Hashable]:
    """Return the columns in which every cell is missing.

    Parameters
    ----------
    frame : pandas.DataFrame
        With one row at least.

    Returns
    -------
    list of hashable

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.data.training import empty_columns
    >>> empty_columns(pd.DataFrame({"a": [None, None], "b": [None, 1]}))
    ['a']
    """
    doubtful = frame.loc[:, frame.iloc[0].isna().to_numpy()]  # the others have a first cell
    return list(doubtful.columns[doubtful.isna().all()].tolist())


def varies(numbers: Floats) -> bool:
    """Return whether there is a second number.

    Parameters
    ----------
    numbers : ndarray of shape (n_rows,), float64
        NaN where missing; one at least is observed.

    Returns
    -------
    bool

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.data.training import varies
    >>> varies(np.array([1.0, np.nan, 1.0]))
    False
    """
    return bool(np.nanmin(numbers) < np.nanmax(numbers))
