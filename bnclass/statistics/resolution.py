"""How finely a column of numbers is resolved: the floor of its variances."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bnclass.statistics.threads import in_spans, share_of

Floats = npt.NDArray[np.float64]

_MOST_VALUES = 2**16


@dataclass(frozen=True, eq=False)
class DistinctValues:
    """The distinct numbers of one column, kept up to 2¹⁶; beyond that their range alone.

    Two of them merge, so chunks and machines can collect apart: the outcome does not depend
    on how the rows were divided.

    Parameters
    ----------
    collected : ndarray of shape (n_distinct,), float64, or None
        In any order; ``None`` if there are more than 2¹⁶. Read-only.
    minimum, maximum : float
        NaN if there is no value.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.statistics.resolution import DistinctValues
    >>> column = DistinctValues.from_numbers(np.array([3.0, 0.0, np.nan, 1.0, 3.0]))
    >>> column.values
    array([0., 1., 3.])
    >>> column.resolution, column.floor
    (1.5, 0.0625)
    """

    collected: Floats | None
    minimum: float
    maximum: float

    def __post_init__(self) -> None:
        if self.collected is not None:
            view = self.collected.view()  # leaves the caller's own array as it is
            view.setflags(write=False)
            object.__setattr__(self, "collected", view)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update({key: value for key, value in state.items() if key != "values"})
        self.__post_init__()  # unpickled arrays can be written to

    @classmethod
    def from_numbers(cls, column: Floats) -> "DistinctValues":
        """Collect the distinct numbers of one column.

        Parameters
        ----------
        column : ndarray of shape (n_rows,), float64
            NaN where missing; -0.0 is 0.0.

        Returns
        -------
        DistinctValues
        """
        return distinct_values(column[:, np.newaxis])[0]

    @cached_property
    def values(self) -> Floats | None:
        """The distinct numbers, ascending; ``None`` if there are more than 2¹⁶."""
        if self.collected is None:
            return None
        values = np.sort(self.collected)  # only those who look need them sorted
        values.setflags(write=False)
        return values

    @property
    def n_distinct(self) -> int | None:
        """How many distinct numbers there are; ``None`` if more than 2¹⁶."""
        return None if self.collected is None else len(self.collected)

    @property
    def constant(self) -> bool:
        """Whether there is no second value; true of a column without any."""
        return self.collected is not None and len(self.collected) < 2

    @property
    def resolution(self) -> float:
        """The mean gap between neighbouring distinct values, r; 0 for a constant column.

        With more than 2¹⁶ values, the range divided by 2¹⁶.
        """
        if self.constant:
            return 0.0
        gaps = _MOST_VALUES if self.collected is None else len(self.collected) - 1
        return (self.maximum - self.minimum) / gaps

    @property
    def floor(self) -> float:
        """The least variance, (r/6)², in squared units of the column."""
        return (self.resolution / 6.0) ** 2

    def merge(self, other: "DistinctValues") -> "DistinctValues":
        """Return the distinct numbers of both.

        Parameters
        ----------
        other : DistinctValues

        Returns
        -------
        DistinctValues

        Examples
        --------
        >>> import numpy as np
        >>> from bnclass.statistics.resolution import DistinctValues
        >>> one = DistinctValues.from_numbers(np.array([0.0, 1.0]))
        >>> one.merge(DistinctValues.from_numbers(np.array([3.0, 1.0]))).values
        array([0., 1., 3.])
        """
        if self.collected is not None and other.collected is not None:
            return DistinctValues.from_numbers(np.concatenate([self.collected, other.collected]))
        return _of_range(
            np.array([self.minimum, other.minimum]), np.array([self.maximum, other.maximum])
        )


def distinct_values(numbers: Floats) -> tuple[DistinctValues, ...]:
    """Collect the distinct numbers of every column.

    Parameters
    ----------
    numbers : ndarray of shape (n_rows, n_columns), float64
        NaN where missing.

    Returns
    -------
    tuple of DistinctValues
        One a column.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.statistics.resolution import distinct_values
    >>> [d.resolution for d in distinct_values(np.array([[1.0, 5.0], [4.0, 5.0]]))]
    [3.0, 0.0]
    """
    columns = np.ascontiguousarray(numbers.T)
    collected: list[DistinctValues] = [_NOTHING] * len(columns)

    def collect(begin: int, end: int) -> None:
        collected[begin:end] = _collect(columns[begin:end])

    in_spans(len(columns), share_of(len(columns), len(numbers)), collect)
    return tuple(collected)


def _collect(columns: Floats) -> list[DistinctValues]:
    """Collect column by column, in one and the same room."""
    from bnclass.statistics.distinct_kernel import distinct  # loads numba

    most = min(columns.shape[1], _MOST_VALUES)
    log2_slots = max(2 * most - 1, 1).bit_length()  # at most half of the slots is taken
    slots, found = np.empty(2**log2_slots, np.uint64), np.empty(most, np.uint64)
    collected = []
    for column in columns:
        n = distinct(column.view(np.uint64), slots, log2_slots, found)
        values = found[: max(n, 0)].view(np.float64).copy()
        collected.append(_of_range(column, column) if n < 0 else _of_collected(values))
    return collected


def _of_collected(values: Floats) -> DistinctValues:
    if not len(values):
        return DistinctValues(values, np.nan, np.nan)
    return DistinctValues(values, float(values.min()), float(values.max()))


def _of_range(low: Floats, high: Floats) -> DistinctValues:
    # fmin and fmax pass over NaN; adding 0 makes 0 of -0.
    return DistinctValues(None, float(np.fmin.reduce(low)) + 0.0, float(np.fmax.reduce(high)) + 0.0)


_NOTHING = DistinctValues(None, np.nan, np.nan)
