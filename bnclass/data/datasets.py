"""Data sets by name: built in and offline, or through OpenML."""

import warnings
from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd

from bnclass.data.rules import make_balance_scale, make_monks, make_tic_tac_toe, make_waveform
from bnclass.exceptions import BnclassError, DataError

Dataset = tuple[pd.DataFrame, pd.Series]


def dataset_names() -> tuple[str, ...]:
    """Return the names of the built-in data sets, in alphabetical order.

    Returns
    -------
    tuple of str
        The names that `load_dataset` serves without a network.

    Examples
    --------
    >>> dataset_names()[:3]
    ('balance-scale', 'breast-cancer', 'digits')
    """
    return tuple(sorted(_BUILT_IN))


def load_dataset(
    name: str, *, random_state: int | np.random.Generator | None = 0
) -> tuple[pd.DataFrame, pd.Series]:
    """Load a data set by its name.

    Built in are, with numeric attributes, balance-scale (all 625 rows by rule),
    breast-cancer, digits, iris and wine (scikit-learn's copies) and waveform (5000
    generated rows); with text attributes, monks-1, monks-2 and monks-3 (all 432 rows by
    rule, without noise) and tic-tac-toe (all 958 end boards). Any other name is looked up
    on OpenML, where the active version of that data set is loaded and kept in
    scikit-learn's cache.

    Parameters
    ----------
    name : str
        One of `dataset_names`, or a name on OpenML.
    random_state : int, numpy Generator or None, default=0
        Seed of the waveform generator; the other data sets are fixed.

    Returns
    -------
    X : DataFrame of shape (n_samples, n_features)
        The attributes.
    y : Series of shape (n_samples,)
        The class labels, named "class" (OpenML: by the data set): text, but int64 for
        digits (0-9) and waveform (0-2).

    Raises
    ------
    DataError
        If the name is not text, or OpenML has no such data set with one class column.
    BnclassError
        If the data set is not built in and OpenML cannot be reached.

    See Also
    --------
    bnclass.data.rules.make_waveform : Any number of rows of the waveform problem.

    Examples
    --------
    >>> X, y = load_dataset("iris")
    >>> X.shape, y.name, sorted(set(y))
    ((150, 4), 'class', ['setosa', 'versicolor', 'virginica'])
    """
    if not isinstance(name, str):
        raise DataError(f"the data set's name is {name!r}, expected text")
    if name == "waveform":
        return make_waveform(random_state=random_state)
    if name in _BUILT_IN:
        return _BUILT_IN[name]()
    return _from_openml(name)


def _from_sklearn(loader: str) -> Dataset:
    import sklearn.datasets

    data = getattr(sklearn.datasets, loader)(as_frame=True)
    labels = data.target_names.tolist()  # names as str, digits as int
    return data.data, pd.Series([labels[code] for code in data.target], name="class")


def _from_openml(name: str) -> Dataset:
    from sklearn.datasets import fetch_openml

    built_in = ", ".join(dataset_names())
    try:
        with warnings.catch_warnings():
            # It warns before it tries again; what comes of that is said below.
            warnings.filterwarnings("ignore", message="A network error occurred")
            data = fetch_openml(name, as_frame=True, parser="auto", n_retries=1)
    except OSError as error:
        problem = getattr(error, "reason", error)
        raise BnclassError(
            f"data set {name!r} is not built in and OpenML cannot be reached ({problem}), "
            f"expected one of {built_in}"
        ) from None
    except ValueError as error:
        problem = str(error).partition("\n")[0]
        raise DataError(
            f"data set {name!r} is neither built in nor loaded from OpenML ({problem}), "
            f"expected a name there or one of {built_in}"
        ) from None
    if not isinstance(data.target, pd.Series):
        raise DataError(f"data set {name!r} on OpenML has no single class column, expected one")
    return data.data, data.target


_BUILT_IN: dict[str, Callable[[], Dataset]] = {
    "balance-scale": make_balance_scale,
    "breast-cancer": partial(_from_sklearn, "load_breast_cancer"),
    "digits": partial(_from_sklearn, "load_digits"),
    "iris": partial(_from_sklearn, "load_iris"),
    "monks-1": partial(make_monks, 1),
    "monks-2": partial(make_monks, 2),
    "monks-3": partial(make_monks, 3),
    "tic-tac-toe": make_tic_tac_toe,
    "waveform": make_waveform,
    "wine": partial(_from_sklearn, "load_wine"),
}
