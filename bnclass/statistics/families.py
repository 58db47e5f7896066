"""Families larger than a pair: their counts and moments are taken from the rows themselves."""

from collections.abc import Hashable, Sequence
from math import prod

import numpy as np
import numpy.typing as npt

from bnclass.data.codes import MISSING
from bnclass.data.memory import require_memory
from bnclass.data.table import EncodedTable
from bnclass.data.variables import Schema
from bnclass.exceptions import DataError, MemoryLimitError
from bnclass.statistics.counting import weighted_bincount
from bnclass.statistics.family import FamilyMoments

Floats = npt.NDArray[np.float64]

_MOST_AXES = 64  # of a numpy array


def count_rows(table: EncodedTable, attributes: Sequence[int]) -> Floats:
    """Return the counts of the class and some attributes, over rows with all of them observed.

    Parameters
    ----------
    table : EncodedTable
        With labels.
    attributes : sequence of int
        Places of discrete attributes among the columns.

    Returns
    -------
    ndarray of shape (n_classes, card(attribute 1), …), float64

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import TableEncoder
    >>> from bnclass.statistics.families import count_rows
    >>> frame = pd.DataFrame({"a": ["u", "v", "u"], "b": ["p", "p", "q"]})
    >>> table = TableEncoder().fit_transform(frame, [0, 0, 0])
    >>> count_rows(table, [0, 1])
    array([[[1., 1.],
            [1., 0.]]])
    """
    seen = (table.codes[:, attributes] != MISSING).all(axis=1)
    cells, shape = _cells(table, attributes, seen)
    return weighted_bincount(cells, table.row_weights[seen], prod(shape)).reshape(shape)


def moments_of_rows(
    table: EncodedTable, names: Sequence[Hashable], attributes: Sequence[int]
) -> FamilyMoments:
    """Return the moments of numbers by class and discrete attributes, over fully observed rows.

    Parameters
    ----------
    table : EncodedTable
        With labels.
    names : sequence of hashable
        Names of continuous attributes.
    attributes : sequence of int
        Places of discrete attributes among the columns.

    Returns
    -------
    FamilyMoments
        Axes (n_classes, card(attribute 1), …); the numbers in the order of `names`.

    Raises
    ------
    MemoryLimitError
        If there would be too many axes for numpy, or the sums of products would not fit.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import TableEncoder
    >>> from bnclass.statistics.families import moments_of_rows
    >>> frame = pd.DataFrame({"x": [1.0, 3.0, 5.0], "a": ["u", "u", "v"]})
    >>> table = TableEncoder(continuous="gaussian").fit_transform(frame, [0, 0, 0])
    >>> moments_of_rows(table, ["x"], [1]).mean
    array([[[2.],
            [5.]]])
    """
    cards = [table.variables[i].card for i in attributes]
    parents = [*names[1:], *(table.variables[i].name for i in attributes)]
    what = f"the moments of {names[0]!r} with the parents {listed(parents)}"
    n_classes = 1 if table.target is None else table.target.card
    require_room(what, [n_classes, *cards, len(names), len(names)])
    numbers = table.numbers_of(names)
    seen = (table.codes[:, attributes] != MISSING).all(axis=1) & ~np.isnan(numbers).any(axis=1)
    cells, shape = _cells(table, attributes, seen)
    return FamilyMoments.from_rows(cells, shape, numbers[seen], table.row_weights[seen])


def _cells(
    table: EncodedTable, attributes: Sequence[int], seen: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.int64], tuple[int, ...]]:
    """Return the configuration of class and attributes of some rows, and the shape of all."""
    assert table.target is not None
    assert table.labels is not None
    cards = [table.variables[i].card for i in attributes]
    cells = table.labels[seen].astype(np.int64)
    for card, column in zip(cards, table.codes[seen][:, attributes].T, strict=True):
        cells = cells * card + column
    return cells, (table.target.card, *cards)


def require_discrete(child: Hashable, parents: Sequence[Hashable], schema: Schema) -> None:
    """Refuse a family that has no table.

    Parameters
    ----------
    child : hashable
    parents : sequence of hashable
    schema : Schema

    Raises
    ------
    DataError
        If a variable is unknown, continuous or named twice.

    Examples
    --------
    >>> from bnclass import Schema, Variable
    >>> from bnclass.statistics.families import require_discrete
    >>> a, y = Variable("a", states=("u", "v")), Variable("class", states=("n", "y"))
    >>> require_discrete("a", ["class"], Schema((a,), y))
    """
    family = [*parents, child]
    if len(set(family)) < len(family):
        raise DataError(f"a family of {family!r}, expected each variable once")
    for variable in [schema[name] for name in family]:
        if variable.is_continuous:
            raise DataError(
                f"counts of {child!r}: {variable.name!r} is continuous, expected discrete variables"
            )


def require_countable(child: Hashable, parents: Sequence[Hashable], schema: Schema) -> None:
    """Refuse a family without a table, or whose table cannot be held, before it is counted.

    Parameters
    ----------
    child : hashable
    parents : sequence of hashable
    schema : Schema

    Raises
    ------
    DataError
        If a variable is unknown, continuous or named twice.
    MemoryLimitError
        If the table, by class too, would have too many axes for numpy or would not fit.

    Examples
    --------
    >>> from bnclass import Schema, Variable
    >>> from bnclass.statistics.families import require_countable
    >>> a, y = Variable("a", states=("u", "v")), Variable("class", states=("n", "y"))
    >>> require_countable("a", ["class"], Schema((a,), y))
    """
    require_discrete(child, parents, schema)
    counted = dict.fromkeys([schema.target.name, *parents, child])
    cards = [schema[name].card for name in counted]
    require_room(f"the table of {child!r} with the parents {listed(parents)}", cards)


def require_room(what: str, shape: Sequence[int]) -> None:
    """Refuse an array that numpy or the memory cannot hold.

    Parameters
    ----------
    what : str
        Names it, for the message.
    shape : sequence of int

    Raises
    ------
    MemoryLimitError

    Examples
    --------
    >>> from bnclass.statistics.families import require_room
    >>> require_room("a small table", [2, 3])
    """
    if len(shape) > _MOST_AXES:
        raise MemoryLimitError(f"{what} has {len(shape)} axes, expected at most {_MOST_AXES}")
    require_memory(prod(shape), what)


def listed(names: Sequence[Hashable], most: int = 6) -> str:
    """Return names for a message, the first of many.

    Parameters
    ----------
    names : sequence of hashable
    most : int, default=6

    Returns
    -------
    str

    Examples
    --------
    >>> from bnclass.statistics.families import listed
    >>> listed(["a", "b", 3], most=2)
    "'a', 'b', … (3 in all)"
    """
    shown = ", ".join(map(repr, names[:most]))
    return shown if len(names) <= most else f"{shown}, … ({len(names)} in all)"
