"""The data sets of an experiment, checked before the first model is fitted."""

import csv
import os
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy.typing as npt
import pandas as pd

from bnclass.data.codes import Codes
from bnclass.data.datasets import dataset_names, load_dataset
from bnclass.data.frames import as_frame
from bnclass.data.labels import encode_labels
from bnclass.data.readers import read_table
from bnclass.evaluate.labels import true_labels
from bnclass.exceptions import BnclassError, DataError, DataTypeError

CLASS_COLUMN = "class"


@dataclass(frozen=True, eq=False)
class Dataset:
    """A named table with its class labels.

    Attributes
    ----------
    name : str
    X : DataFrame of shape (n_rows, n_columns)
    y : ndarray of shape (n_rows,)
    classes : ndarray of shape (n_classes,)
        The distinct labels, sorted.
    codes : ndarray of int32, shape (n_rows,)
        The place of every row's label in `classes`.
    """

    name: str
    X: pd.DataFrame
    y: npt.NDArray[Any]
    classes: npt.NDArray[Any]
    codes: Codes

    @classmethod
    def of(cls, name: str, X: Any, y: Any) -> "Dataset":
        """Return a data set from any table and labels.

        Parameters
        ----------
        name : str
        X : table of shape (n_rows, n_columns)
            What estimators take.
        y : array-like of shape (n_rows,)

        Returns
        -------
        Dataset

        Raises
        ------
        DataError
            If there is no row or column, a label is missing, or lengths differ.
        """
        try:
            frame, labels = as_frame(X), true_labels(y)
            if len(frame) != len(labels):
                raise DataError(f"X has {len(frame)} rows, y has {len(labels)}, expected as many")
            if not frame.shape[1]:
                raise DataError("X has no columns, expected at least one")
            classes, codes = encode_labels(labels)
            if len(classes) < 2:
                raise DataError(f"y has the class {classes.tolist()[0]!r} only, expected two")
        except (TypeError, ValueError) as error:
            kind = type(error) if isinstance(error, BnclassError) else DataError
            raise kind(f"data set {name!r}: {error}") from None
        return cls(name, frame, labels, classes, codes)

    def digest(self) -> str:
        """Return a text that tells these rows, names, types and labels from any others."""
        digest = sha256()
        for frame in (self.X, pd.DataFrame({CLASS_COLUMN: self.y})):
            # Quotes tell text from numbers; an empty text and a missing cell look alike.
            cells = frame.to_csv(index=False, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
            digest.update(repr(_names_and_levels(frame)).encode())
            digest.update(cells.encode("utf-8", "surrogatepass"))
            digest.update(frame.isna().to_numpy().tobytes())
        return digest.hexdigest()


def datasets_of(given: Any) -> list[Dataset]:
    """Return data sets from what `compare` takes.

    Parameters
    ----------
    given : mapping of str to (X, y) or str or path, or iterable of str or path
        A text or path is a built-in data set or a file, see `read_dataset`. In an iterable a
        file is named by its stem.

    Returns
    -------
    list of Dataset

    Raises
    ------
    DataError, DataTypeError
        If there is none, a name occurs twice or is no line of text, or a table is refused.

    Examples
    --------
    >>> from bnclass.evaluate.experiment.datasets import datasets_of
    >>> [(data.name, data.X.shape) for data in datasets_of(["iris", "wine"])]
    [('iris', (150, 4)), ('wine', (178, 13))]
    """
    names = isinstance(given, (Mapping, Iterable)) and not hasattr(given, "shape")
    if isinstance(given, (str, os.PathLike)) or not names:
        found = f"a {type(given).__name__}" if hasattr(given, "shape") else repr(given)
        raise DataTypeError(
            f"datasets is {found}, expected a dict of names to (X, y), or a list of names or files"
        )
    sources = given if isinstance(given, Mapping) else named_sources(given)
    checked_names(sources, "datasets")
    return [_dataset(name, source) for name, source in sources.items()]


def named_sources(sources: Iterable[Any]) -> dict[str, Any]:
    """Return built-in data sets under their names, and files under their stems.

    Parameters
    ----------
    sources : iterable of str or path

    Returns
    -------
    dict of str to (str or path)

    Raises
    ------
    DataError
        If two have the same name.
    DataTypeError
        If one is neither text nor a path.

    Examples
    --------
    >>> from bnclass.evaluate.experiment.datasets import named_sources
    >>> named_sources(["iris", "data/heart.arff.gz"])
    {'iris': 'iris', 'heart': 'data/heart.arff.gz'}
    """
    pairs = [(_stem(source), source) for source in sources]
    checked_names([name for name, _ in pairs], "datasets")
    return dict(pairs)


def read_dataset(source: Any) -> tuple[pd.DataFrame, "pd.Series[Any]"]:
    """Return the table and labels of a built-in data set or of a file.

    Parameters
    ----------
    source : str or path
        One of `dataset_names`, or a file that `read_table` reads. The class of a file is its
        column "class"; of an ARFF file without one it is the last column, as for Weka.

    Returns
    -------
    X : DataFrame of shape (n_rows, n_columns)
    y : Series of shape (n_rows,)

    Raises
    ------
    DataError
        If a file of another format has no column "class".
    FileFormatError
        If the file cannot be read.

    Examples
    --------
    >>> from bnclass.evaluate.experiment.datasets import read_dataset
    >>> X, y = read_dataset("monks-1")
    >>> X.shape, y.name
    ((432, 6), 'class')
    """
    if source in dataset_names():
        return load_dataset(source)
    if not Path(source).suffix and not Path(source).exists():
        raise DataError(
            f"{source}: no such file and no built-in data set, expected a path or one of "
            f"{', '.join(dataset_names())}"
        )
    return without_class(read_table(source), source, "one, or the data as (X, y)")


def without_class(
    frame: pd.DataFrame, source: Any, expected: str = "one"
) -> tuple[pd.DataFrame, "pd.Series[Any]"]:
    """Return the attributes of a file and its class, the column "class".

    Parameters
    ----------
    frame : DataFrame of shape (n_rows, n_columns + 1)
    source : str or path
        The file's name. In an ARFF file without such a column the class is the last one.
    expected : str, default="one"
        What is said to do, if there is no class.

    Returns
    -------
    X : DataFrame of shape (n_rows, n_columns)
    y : Series of shape (n_rows,)

    Raises
    ------
    DataError
        If there is no class.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.evaluate.experiment.datasets import without_class
    >>> frame = pd.DataFrame({"hair": ["yes"], "type": ["mammal"]})
    >>> without_class(frame, "zoo.arff")[1].name
    'type'
    """
    names = frame.columns.tolist()
    if CLASS_COLUMN in names:
        target: Hashable = CLASS_COLUMN
    elif names and str(source).lower().endswith((".arff", ".arff.gz")):
        target = names[-1]
    else:
        raise DataError(f"{source}: found no column {CLASS_COLUMN!r}, expected {expected}")
    return frame.drop(columns=target), frame[target]


def checked_names(names: Iterable[Any], what: str) -> None:
    """Refuse names that no line of a file could hold, or that occur twice.

    Parameters
    ----------
    names : iterable
    what : str
        What has the names.

    Raises
    ------
    DataError
        If there is no name, one occurs twice, or is no line of text.

    Examples
    --------
    >>> from bnclass.evaluate.experiment.datasets import checked_names
    >>> checked_names(["iris", "iris"], "datasets")
    Traceback (most recent call last):
        ...
    bnclass.exceptions.DataError: datasets has the name 'iris' more than once
    """
    seen: set[str] = set()
    for name in names:
        if not isinstance(name, str) or not name.strip() or not name.isprintable():
            raise DataError(f"{what} has the name {name!r}, expected one line of text")
        if name in seen:
            raise DataError(f"{what} has the name {name!r} more than once")
        seen.add(name)
    if not seen:
        raise DataError(f"{what} is empty, expected at least one")


def _names_and_levels(frame: pd.DataFrame) -> list[tuple[Any, ...]]:
    """Return the names of columns, with the levels of those that declare some."""
    dtypes = zip(frame.columns.tolist(), frame.dtypes, strict=True)
    return [
        (name, dtype.categories.tolist(), dtype.ordered)
        if isinstance(dtype, pd.CategoricalDtype)
        else (name,)
        for name, dtype in dtypes
    ]


def _dataset(name: str, source: Any) -> Dataset:
    if isinstance(source, (str, os.PathLike)):
        return Dataset.of(name, *read_dataset(source))
    if not isinstance(source, tuple) or len(source) != 2:
        raise DataTypeError(
            f"data set {name!r} is a {type(source).__name__}, expected (X, y), or the name of a "
            "built-in data set or file"
        )
    return Dataset.of(name, *source)


def _stem(source: Any) -> Any:
    if not isinstance(source, (str, os.PathLike)):
        raise DataTypeError(
            f"datasets holds a {type(source).__name__}, expected names or files, or a dict of "
            "names to (X, y)"
        )
    if source in dataset_names():
        return source
    name = Path(source).name
    return name.removesuffix(".gz").rpartition(".")[0] or name
