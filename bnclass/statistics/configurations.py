"""Configurations of discrete variables, numbered and looked up without a table of all."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bnclass.exceptions import DataError

Ints = npt.NDArray[np.int64]
Columns = Sequence[npt.NDArray[np.integer]]

_LARGEST_KEY = 2**63 - 1


class Level(NamedTuple):
    """Some variables in a row, read as the digits of one number behind the number so far.

    A key is (place among the keys of the level before) · radix + Σ code · stride. There is
    more than one level only where the product of all cards would pass 2⁶³.
    """

    variables: range
    strides: Ints
    radix: int
    keys: Ints


class Configurations:
    """Distinct configurations in lexicographic order, to be found by their codes.

    Parameters
    ----------
    codes : array-like of shape (n, n_variables), int
        Distinct, in lexicographic order, the first variable first.
    cards : sequence of int
        Number of states of each variable.

    Attributes
    ----------
    codes : ndarray of shape (n, n_variables), int32
        Read-only.
    cards : tuple of int
    levels : tuple of Level

    Raises
    ------
    DataError
        If a code is none of its variable's, or configurations are out of order or repeated.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.statistics.configurations import Configurations
    >>> seen = Configurations([[0, 1], [2, 0]], (3, 2))
    >>> seen.find([np.array([2, 2]), np.array([0, 1])])
    array([ 1, -1])
    """

    def __init__(self, codes: Any, cards: Sequence[int]) -> None:
        self.cards = tuple(int(card) for card in cards)
        self.codes = _checked(codes, self.cards)
        self.levels, numbers, n_found = _numbered(list(self.codes.T), self.cards)
        if n_found != len(self.codes) or (numbers[1:] < numbers[:-1]).any():
            raise DataError("configurations are repeated or out of order")

    @classmethod
    def of_rows(cls, columns: Columns, cards: Sequence[int]) -> "tuple[Configurations, Ints]":
        """Return the configurations that occur in rows, and the place of each row's.

        Parameters
        ----------
        columns : sequence of ndarray of shape (n_rows,), int
            One at least.
        cards : sequence of int

        Returns
        -------
        configurations : Configurations
        which : ndarray of shape (n_rows,), int64

        Examples
        --------
        >>> import numpy as np
        >>> from bnclass.statistics.configurations import Configurations
        >>> seen, which = Configurations.of_rows([np.array([2, 0, 2])], [3])
        >>> seen.codes.ravel().tolist(), which.tolist()
        ([0, 2], [1, 0, 1])
        """
        _, which, n_found = _numbered(columns, cards)
        first = np.empty(n_found, dtype=np.int64)
        first[which[::-1]] = np.arange(len(which))[::-1]
        return cls(np.stack([column[first] for column in columns], axis=1), cards), which

    def __len__(self) -> int:
        return len(self.codes)

    def find(self, columns: Columns) -> Ints:
        """Return the place of each configuration, -1 for one that is not among these.

        Parameters
        ----------
        columns : sequence of ndarray, int
            Codes of each variable, from 0; they are broadcast together.

        Returns
        -------
        ndarray of the broadcast shape, int64
        """
        if not len(self):
            return np.full(np.broadcast_shapes(*(c.shape for c in columns)), -1, dtype=np.int64)
        place: Any = np.int64(0)
        found: Any = np.bool_(True)
        for level in self.levels:
            key = place * level.radix
            for i, stride in zip(level.variables, level.strides, strict=True):
                key = key + columns[i].astype(np.int64) * stride
            place = np.searchsorted(level.keys, key).clip(max=len(level.keys) - 1)
            found = found & (level.keys[place] == key)
        places: Ints = np.where(found, place, -1)
        return places


def _checked(codes: Any, cards: tuple[int, ...]) -> npt.NDArray[np.int32]:
    array = np.asarray(codes)
    if not array.size:
        array = array.reshape(len(array), len(cards)).astype(np.int32)
    if array.dtype.kind not in "iu" or array.ndim != 2 or array.shape[1] != len(cards):
        raise DataError(
            f"configurations of shape {array.shape} and dtype {array.dtype}, expected "
            f"{len(cards)} columns of whole numbers"
        )
    if array.size and ((array < 0) | (array >= cards)).any():
        raise DataError(f"found a code that is none of its variable's, expected below {cards!r}")
    locked = np.array(array, dtype=np.int32, order="C")
    locked.setflags(write=False)
    return locked


def _numbered(columns: Columns, cards: Sequence[int]) -> tuple[tuple[Level, ...], Ints, int]:
    """Return the levels, each row's number in lexicographic order, and how many there are."""
    n_rows = len(columns[0]) if len(columns) else 0
    numbers, n_found = np.zeros(n_rows, dtype=np.int64), min(n_rows, 1)
    levels, begin = [], 0
    while begin < len(cards):
        end, radix = _longest_group(cards, begin, n_found)
        strides = np.ones(end - begin, dtype=np.int64)
        strides[:-1] = np.cumprod(cards[end - 1 : begin : -1], dtype=np.int64)[::-1]
        key = numbers * radix
        for i, stride in zip(range(begin, end), strides, strict=True):
            key += columns[i].astype(np.int64) * stride
        keys, numbers = np.unique(key, return_inverse=True)
        levels.append(Level(range(begin, end), strides, radix, keys))
        begin, n_found = end, len(keys)
    return tuple(levels), numbers, n_found


def _longest_group(cards: Sequence[int], begin: int, n_found: int) -> tuple[int, int]:
    """Return where the variables end that fit into one key, and their number of values."""
    end, radix = begin + 1, int(cards[begin])
    while end < len(cards) and max(n_found, 1) * radix * int(cards[end]) <= _LARGEST_KEY:
        radix *= int(cards[end])
        end += 1
    return end, radix
