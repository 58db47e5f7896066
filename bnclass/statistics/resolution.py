"""How finely a column of numbers is resolved: the floor of its variances."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_MOST_VALUES = 2**16
_SLAB = 8  # columns turned on their side at once: a cache line


@dataclass(frozen=True, eq=False)
class DistinctValues:
    """The distinct numbers of one column, kept up to 2¹⁶; beyond that their range alone.

    Two of them merge, so chunks and machines can collect apart: the outcome does not depend
    on how the rows were divided.

    Parameters
    ----------
    values : ndarray of shape (n_distinct,), float64, or None
        Ascending; ``None`` if there are more than 2¹⁶. Read-only.
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

    values: Floats | None
    minimum: float
    maximum: float

    def __post_init__(self) -> None:
        if self.values is not None:
            view = self.values.view()  # leaves the caller's own array as it is
            view.setflags(write=False)
            object.__setattr__(self, "values", view)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
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

    @property
    def n_distinct(self) -> int | None:
        """How many distinct numbers there are; ``None`` if more than 2¹⁶."""
        return None if self.values is None else len(self.values)

    @property
    def constant(self) -> bool:
        """Whether there is no second value; true of a column without any."""
        return self.values is not None and len(self.values) < 2

    @property
    def resolution(self) -> float:
        """The mean gap between neighbouring distinct values, r; 0 for a constant column.

        With more than 2¹⁶ values, the range divided by 2¹⁶.
        """
        if self.constant:
            return 0.0
        gaps = _MOST_VALUES if self.values is None else len(self.values) - 1
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
        if self.values is not None and other.values is not None:
            union = np.union1d(self.values, other.values)
            if len(union) <= _MOST_VALUES:
                return _of_sorted(union)
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
    most = min(len(numbers), _MOST_VALUES)
    log2_slots = max(4 * most - 1, 1).bit_length()  # at most a quarter of the slots is taken
    slots, found = np.empty(2**log2_slots, np.uint64), np.empty(most, np.uint64)
    collected: list[DistinctValues] = []
    for start in range(0, numbers.shape[1], _SLAB):
        slab = np.ascontiguousarray(numbers[:, start : start + _SLAB].T)
        collected += [_distinct(column, slots, log2_slots, found) for column in slab]
    return tuple(collected)


def _distinct(
    column: Floats, slots: npt.NDArray[np.uint64], log2_slots: int, found: npt.NDArray[np.uint64]
) -> DistinctValues:
    from bnclass.statistics import moment_kernels as kernels  # loads numba

    n = kernels.distinct(column.view(np.uint64), slots, log2_slots, found)
    if n < 0:
        return _of_range(column, column)
    return _of_sorted(np.sort(found[:n].view(np.float64)))


def _of_sorted(values: Floats) -> DistinctValues:
    if not len(values):
        return DistinctValues(values, np.nan, np.nan)
    return DistinctValues(values, float(values[0]), float(values[-1]))


def _of_range(low: Floats, high: Floats) -> DistinctValues:
    # fmin and fmax pass over NaN; adding 0 makes 0 of -0.
    return DistinctValues(None, float(np.fmin.reduce(low)) + 0.0, float(np.fmax.reduce(high)) + 0.0)
