"""Counts of values and of pairs of values by class."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bnclass.data.variables import Schema
from bnclass.exceptions import DataError
from bnclass.statistics.arrays import locked

Floats = npt.NDArray[np.float64]

_ARRAYS = ("class_counts", "value_counts", "pair_counts")


@dataclass(frozen=True, eq=False)
class ValueCounts:
    """Class-conditional counts of values and pairs of values.

    Every count is F of the methods page: the weight of the rows in which the variables
    named in it are observed and have the named values.

    Parameters
    ----------
    schema : Schema
    class_counts : ndarray of shape (n_classes,), float64
        F(y).
    value_counts : ndarray of shape (n_classes, n_values), float64
        F(y, x) for the values of all discrete attributes side by side.
    pair_counts : ndarray of shape (n_classes, n_values, n_values), float64, or None
        F(y, x, x') in the lower triangle (row attribute after column attribute), or
        ``None`` if only single values were counted.

    Notes
    -----
    The arrays are read-only, and so are the views that the methods return.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass import Schema, Variable
    >>> from bnclass.statistics.counts import ValueCounts
    >>> a, y = Variable("a", states=("u", "v")), Variable("class", states=("n", "y"))
    >>> counts = ValueCounts(Schema((a,), y), np.array([1, 2]), np.array([[1, 0], [1, 1]]), None)
    >>> counts.n_rows, counts.attribute_counts(0)[1]
    (3.0, array([1., 1.]))
    """

    schema: Schema
    class_counts: Floats
    value_counts: Floats
    pair_counts: Floats | None

    def __post_init__(self) -> None:
        for name in _ARRAYS:
            array = getattr(self, name)
            if array is not None:
                object.__setattr__(self, name, locked(array))

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()  # unpickled arrays can be written to

    @cached_property
    def offsets(self) -> npt.NDArray[np.int64]:
        """First value of each attribute, and the number of values; int64 (n_attributes + 1,)."""
        cards = [v.card for v in self.schema.attributes]
        return np.concatenate([[0], np.cumsum(cards, dtype=np.int64)])

    @property
    def n_rows(self) -> float:
        """Total weight of the rows, t."""
        return float(self.class_counts.sum())

    def attribute_counts(self, i: int) -> Floats:
        """Return F(y, x_i); ndarray of shape (n_classes, card_i).

        Parameters
        ----------
        i : int
            Place of the attribute among the columns.

        Returns
        -------
        ndarray
        """
        return self.value_counts[:, self.values_of(i)]

    def attribute_pair_counts(self, i: int, j: int) -> Floats:
        """Return F(y, x_i, x_j) over rows with both observed; shape (n_classes, card_i, card_j).

        Parameters
        ----------
        i, j : int
            Places of two different attributes among the columns.

        Returns
        -------
        ndarray

        Raises
        ------
        DataError
            If pairs were not counted.
        """
        if i < j:
            return self.attribute_pair_counts(j, i).swapaxes(1, 2)
        return self.earlier_pair_counts(i)[:, :, self.values_of(j)]

    def earlier_pair_counts(self, i: int) -> Floats:
        """Return F(y, x_i, x) for the values x of all attributes before i, side by side.

        Parameters
        ----------
        i : int
            Place of the attribute among the columns.

        Returns
        -------
        ndarray of shape (n_classes, card_i, offsets[i])

        Raises
        ------
        DataError
            If pairs were not counted.
        """
        if self.pair_counts is None:
            raise DataError("statistics of single values only, expected pair counts (order=2)")
        return self.pair_counts[:, self.values_of(i), : int(self.offsets[i])]

    def values_of(self, i: int) -> slice:
        """Return the place of an attribute's values among those of all attributes.

        Parameters
        ----------
        i : int
            Place of the attribute among the columns.

        Returns
        -------
        slice
            Empty for a continuous attribute.
        """
        return slice(int(self.offsets[i]), int(self.offsets[i + 1]))
