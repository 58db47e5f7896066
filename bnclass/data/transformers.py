"""Scikit-learn transformers that turn numeric columns into discrete ones."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.utils.validation import has_fit_parameter

from bnclass.data.codes import Codes
from bnclass.data.columns import Floats, numeric_values, require_kind
from bnclass.data.frames import as_frame
from bnclass.exceptions import DataError, warn


@dataclass(frozen=True)
class Binning:
    """A fitted transformer, and what it gets to see of a frame.

    Parameters
    ----------
    transformer : scikit-learn transformer
        Fitted; makes one discrete column of each numeric one.
    names : tuple of hashable
        Of the numeric columns.
    means : mapping of name to float
        What missing cells become; NaN in columns that are not in it.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from bnclass import MDLDiscretizer
    >>> from bnclass.data.transformers import Binning
    >>> frame = pd.DataFrame({"n": np.arange(4.0), "s": list("abab")})
    >>> cuts = MDLDiscretizer().fit(frame[["n"]], [0, 0, 1, 1])
    >>> Binning(cuts, ("n",), {}).binned(frame)["s"].tolist()
    ['a', 'b', 'a', 'b']
    """

    transformer: Any
    names: tuple[Hashable, ...]
    means: Mapping[Hashable, float]

    @classmethod
    def fit(
        cls,
        transformer: Any,
        frame: pd.DataFrame,
        names: Sequence[Hashable],
        means: Mapping[Hashable, float],
        labels: Codes,
        weights: Floats | None,
    ) -> "Binning":
        """Fit a clone of a transformer to the numeric columns of training rows.

        Parameters
        ----------
        transformer : scikit-learn transformer
        frame : pandas.DataFrame of n_rows
        names, means
            As in `Binning`.
        labels : ndarray of shape (n_rows,), int32
        weights : ndarray of shape (n_rows,), float64, or None

        Returns
        -------
        Binning

        Raises
        ------
        DataError
            If a column holds anything but numbers, or an infinite one.
        """
        numbers = numbers_of(frame, names, means)
        fitted = fit_transformer(transformer, numbers, labels, weights)
        return cls(fitted, tuple(names), means)

    def binned(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return a frame with its numeric columns replaced by what the transformer makes of them.

        Parameters
        ----------
        frame : pandas.DataFrame
            Stays as it is.

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        DataError
            If a column holds anything but numbers, or an infinite one, or if the transformer
            makes a table of another shape.
        """
        numbers = numbers_of(frame, self.names, self.means)
        return with_states(frame, self.names, self.transformer.transform(numbers))


def numbers_of(
    frame: pd.DataFrame, names: Sequence[Hashable], means: Mapping[Hashable, float]
) -> pd.DataFrame:
    """Return what a transformer gets to see of a frame.

    Parameters
    ----------
    frame : pandas.DataFrame
    names : sequence of hashable
        Of the numeric columns.
    means : mapping of name to float
        What missing cells become; NaN in columns that are not in it.

    Returns
    -------
    pandas.DataFrame
        float64 columns.

    Raises
    ------
    DataError
        If a column holds anything but numbers, or an infinite one.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.data.transformers import numbers_of
    >>> frame = pd.DataFrame({"n": [1, None], "s": ["a", "b"]})
    >>> numbers_of(frame, ["n"], {"n": 4.0})["n"].tolist()
    [1.0, 4.0]
    """
    for name in names:
        require_kind(frame[name], "number")
    numbers = pd.DataFrame({n: numeric_values(frame[n]) for n in names})
    return numbers.fillna(dict(means))


def fit_transformer(
    transformer: Any, numbers: pd.DataFrame, labels: Codes, weights: Floats | None
) -> Any:
    """Return a fitted clone of a transformer.

    Parameters
    ----------
    transformer : scikit-learn transformer
        Gets the weights if it takes any; a warning tells if it takes none and they differ.
        A `FrozenEstimator` stays as it was fitted.
    numbers : pandas.DataFrame of shape (n_rows, n_numeric)
    labels : ndarray of shape (n_rows,), int32
    weights : ndarray of shape (n_rows,), float64, or None

    Returns
    -------
    transformer

    Raises
    ------
    DataError
        If a `FrozenEstimator` was fitted to other columns.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from bnclass import MDLDiscretizer
    >>> from bnclass.data.transformers import fit_transformer
    >>> numbers, labels = pd.DataFrame({"n": np.arange(8.0)}), np.repeat([0, 1], 4)
    >>> fit_transformer(MDLDiscretizer(), numbers, labels, None).cut_points_
    [array([3.5])]
    """
    fitted = clone(transformer)
    if isinstance(fitted, FrozenEstimator):
        _require_its_columns(fitted, numbers)
        return fitted
    weighted = weights is not None and has_fit_parameter(fitted, "sample_weight")
    if weights is not None and not weighted and np.ptp(weights) > 0:
        warn(f"{type(fitted).__name__} takes no weights, so all rows count alike for it")
    return fitted.fit(numbers, labels, **({"sample_weight": weights} if weighted else {}))


def _require_its_columns(fitted: Any, numbers: pd.DataFrame) -> None:
    known, found = getattr(fitted, "feature_names_in_", None), numbers.columns.tolist()
    if known is not None and list(known) != found:
        raise DataError(
            f"the numeric columns with values are {found!r}, expected {list(known)!r}, to which "
            f"the transformer was fitted"
        )


def with_states(frame: pd.DataFrame, names: Sequence[Hashable], made: Any) -> pd.DataFrame:
    """Return a frame with its numeric columns replaced by what a transformer made of them.

    Parameters
    ----------
    frame : pandas.DataFrame of n_rows
        Stays as it is.
    names : sequence of hashable
        Of the numeric columns.
    made : table of shape (n_rows, len(names))

    Returns
    -------
    pandas.DataFrame

    Raises
    ------
    DataError
        If the table is of another shape.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.data.transformers import with_states
    >>> frame = pd.DataFrame({"n": [-3.0, 2.0], "s": ["a", "b"]})
    >>> with_states(frame, ["n"], [["low"], ["high"]]).values.tolist()
    [['low', 'a'], ['high', 'b']]
    """
    result, expected = as_frame(made), (len(frame), len(names))
    if result.shape != expected:
        raise DataError(
            f"the transformer made a table of shape {result.shape}, expected "
            f"{expected}: a discrete column for each numeric one"
        )
    discretized = frame.copy(deep=False)
    for j, name in enumerate(names):
        discretized[name] = result.iloc[:, j].array
    return discretized
