"""The class column: labels to codes and back, in the type they came in."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from bnclass.data.codes import Codes
from bnclass.data.columns import value_kind
from bnclass.exceptions import DataError


def encode_labels(y: Any) -> tuple[npt.NDArray[Any], Codes]:
    """Return the sorted classes and the code of every row's label.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        Bools, numbers or text; categories and object arrays of one of these.

    Returns
    -------
    classes : ndarray of shape (n_classes,)
        The observed classes in sorted order, in the dtype of `y`.
    codes : ndarray of shape (n_rows,), int32
        ``classes[codes]`` equals `y`.

    Raises
    ------
    DataError
        If a label is missing (the rows are named) or labels are of mixed kinds.
    DataTypeError
        If labels are dates, complex numbers or anything else.

    Examples
    --------
    >>> from bnclass.data.labels import encode_labels
    >>> classes, codes = encode_labels(["yes", "no", "yes"])
    >>> classes, codes
    (array(['no', 'yes'], dtype='<U3'), array([1, 0, 1], dtype=int32))
    """
    labels = plain_labels(y)
    check_classification_targets(labels)
    if labels.dtype.kind in "biuf" and labels.dtype.isnative:  # without sorting the rows
        codes, classes = pd.factorize(labels, sort=True)
    else:
        classes, codes = np.unique(labels, return_inverse=True)
    return np.asarray(classes), codes.astype(np.int32)


def label_codes(labels: npt.NDArray[Any], classes: npt.NDArray[Any]) -> Codes:
    """Return the code of every label among known classes.

    Parameters
    ----------
    labels : ndarray of shape (n_rows,)
        As `plain_labels` returns them.
    classes : ndarray of shape (n_classes,)
        In sorted order.

    Returns
    -------
    ndarray of shape (n_rows,), int32

    Raises
    ------
    DataError
        If a label is none of the classes, or of another kind; the message names label and row.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.data.labels import label_codes
    >>> label_codes(np.array(["yes", "no"]), np.array(["maybe", "no", "yes"]))
    array([2, 1], dtype=int32)
    """
    if len(labels):
        check_classification_targets(labels)
        expected, found = (value_kind(pd.Series(a, name="y")) for a in (classes, labels))
        if found != expected:
            raise DataError(f"y holds {found}, expected {expected} as the classes are")
    codes = np.searchsorted(classes, labels).astype(np.int32)
    others = np.flatnonzero(classes[np.minimum(codes, len(classes) - 1)] != labels)
    if others.size:
        row, known = int(others[0]), ", ".join(map(repr, classes[:10].tolist()))
        raise DataError(
            f"y, row {row}: found the class {labels[row : row + 1].tolist()[0]!r}, expected one "
            f"of the {len(classes)} classes {known}{', …' if len(classes) > 10 else ''}"
        )
    return codes


def plain_classes(classes: Any) -> npt.NDArray[Any]:
    """Return given classes once each, in sorted order, in the dtype they came in.

    Parameters
    ----------
    classes : array-like of shape (n,)
        Of one kind, as labels are; repeats count once.

    Returns
    -------
    ndarray of shape (n_classes,)

    Raises
    ------
    DataError
        If they are no sequence of labels, or there is none.

    Examples
    --------
    >>> from bnclass.data.labels import plain_classes
    >>> plain_classes(["yes", "no", "yes"])
    array(['no', 'yes'], dtype='<U3')
    """
    given = np.asarray(classes, dtype=object)
    if given.ndim != 1 or not len(given):
        raise DataError(f"classes is {classes!r}, expected a sequence of at least one label")
    ordered: npt.NDArray[Any] = np.unique(plain_labels(classes, "classes"))
    return ordered


def plain_labels(y: Any, name: str = "y") -> npt.NDArray[Any]:
    """Return labels as an array whose dtype says what they are.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
    name : str, default="y"
        What messages call them.

    Returns
    -------
    ndarray of shape (n_rows,)

    Raises
    ------
    DataError
        If a label is missing or labels are of mixed kinds.
    DataTypeError
        If labels are dates, complex numbers or anything else.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.data.labels import plain_labels
    >>> plain_labels(np.array([1, 0], dtype=object))
    array([1, 0])
    """
    if isinstance(y, str):
        raise DataError(f"{name} is the text {y!r}, expected the labels, such as frame[{y!r}]")
    if isinstance(y, (list, tuple)):
        # numpy alone would read ["a", 1] as two texts.
        _refuse_bad(column_or_1d(np.array(y, dtype=object)), name)
    array = column_or_1d(y.to_numpy() if hasattr(y, "to_numpy") else y, warn=True)
    kind = _refuse_bad(array, name)
    if array.dtype.kind != "O" or kind == "text":
        return np.asarray(array)
    plain: npt.NDArray[Any] = pd.Series(array, dtype=object).infer_objects().to_numpy()
    return plain


def _refuse_bad(labels: npt.NDArray[Any], name: str) -> str | None:
    """Return the kind of the labels; raise if they have none, or one of them is missing."""
    _refuse_missing(labels, name)
    if labels.dtype.kind == "U":
        return "text"
    dtype = object if labels.dtype.kind == "O" else None  # pandas would guess at objects
    return value_kind(pd.Series(labels, name=name, dtype=dtype))


def _refuse_missing(labels: npt.NDArray[Any], name: str) -> None:
    _refuse_rows(pd.isna(labels), "missing labels (NaN or None)", name)
    if labels.dtype.kind == "f":
        _refuse_rows(np.isinf(labels), "infinite labels (inf)", name)


def _refuse_rows(refused: npt.NDArray[np.bool_], what: str, name: str) -> None:
    rows = np.flatnonzero(refused)
    if rows.size:
        shown = ", ".join(map(str, rows[:5])) + (", …" if rows.size > 5 else "")
        raise DataError(
            f"{name} has {rows.size} {what} in rows {shown}, expected a class in every row"
        )
