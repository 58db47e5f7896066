"""One pass over the rows: counts of values and of pairs of values, moments of numbers."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bnclass.data.codes import MISSING
from bnclass.data.memory import require_memory
from bnclass.data.table import EncodedTable
from bnclass.statistics.moments import Moments, Order

Floats = npt.NDArray[np.float64]


def weighted_bincount(cells: npt.NDArray[Any], weights: Floats, size: int) -> Floats:
    """Return the weight of the rows in each cell.

    Parameters
    ----------
    cells : ndarray of shape (n_rows,), int
    weights : ndarray of shape (n_rows,), float64
    size : int

    Returns
    -------
    ndarray of shape (size,), float64

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.statistics.counting import weighted_bincount
    >>> weighted_bincount(np.array([0, 2, 2]), np.ones(3), 4)
    array([1., 0., 2., 0.])
    """
    return np.bincount(cells, weights, minlength=size).astype(np.float64, copy=False)


def count_values(table: EncodedTable, order: Order) -> tuple[Floats, Floats | None]:
    """Count the values of all discrete attributes, and their pairs.

    Parameters
    ----------
    table : EncodedTable
        With labels.
    order : {1, 2}
        1 counts single values only.

    Returns
    -------
    value_counts : ndarray of shape (n_classes, n_values), float64
    pair_counts : ndarray of shape (n_classes, n_values, n_values), float64, or None
        The lower triangle.

    Raises
    ------
    MemoryLimitError
        If the pair counts would not fit.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import TableEncoder
    >>> from bnclass.statistics.counting import count_values
    >>> table = TableEncoder().fit_transform(pd.DataFrame({"a": ["u", "v", "u"]}), [0, 0, 1])
    >>> count_values(table, 1)[0]
    array([[1., 1.],
           [1., 0.]])
    """
    from bnclass.statistics import kernels  # loads numba, so only where rows are counted

    assert table.target is not None
    assert table.labels is not None
    slots, weights = _slots(table), table.row_weights
    n_classes, n_slots = table.target.card, len(slots.kept)
    if order == 1:
        singles = np.zeros((n_classes, n_slots))
        kernels.add_values(slots.cells, table.labels, weights, singles)
        return singles[:, slots.kept], None
    copies = 1 if slots.kept.all() else 3  # slots of missing cells are then taken out, by axis
    require_memory(copies * n_classes * n_slots**2, f"counts of all pairs of {n_slots} values")
    pairs = np.zeros((n_classes, n_slots, n_slots))
    row_order = np.argsort(table.labels, kind="stable")
    kernels.add_pairs(slots.cells, row_order, table.labels, weights, pairs)
    if not slots.kept.all():
        pairs = pairs.compress(slots.kept, axis=1).compress(slots.kept, axis=2)
    return np.ascontiguousarray(np.diagonal(pairs, axis1=1, axis2=2)), pairs


def take_moments(table: EncodedTable, order: Order) -> Moments:
    """Take the moments of all continuous attributes.

    Parameters
    ----------
    table : EncodedTable
        With labels.
    order : {1, 2}
        1 takes single attributes by class only; 2 pairs, and cells of discrete values, too.

    Returns
    -------
    Moments

    Raises
    ------
    MemoryLimitError
        If the moments of pairs or of cells would not fit.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import TableEncoder
    >>> from bnclass.statistics.counting import take_moments
    >>> frame = pd.DataFrame({"x": [1.0, 3.0]})
    >>> table = TableEncoder(continuous="gaussian").fit_transform(frame, [0, 0])
    >>> take_moments(table, 1).single(0).covariance
    array([[[1.]]])
    """
    assert table.target is not None
    assert table.labels is not None
    assert table.numbers is not None
    slots = _slots(table)
    value_of = np.where(slots.kept, np.cumsum(slots.kept) - 1, MISSING).astype(np.int32)
    return Moments.from_arrays(
        table.numbers,
        table.labels,
        table.row_weights,
        table.target.card,
        value_of[slots.cells],
        int(slots.kept.sum()),
        order,
    )


class _Slots(NamedTuple):
    """Where the discrete cells of a table are counted.

    An attribute with missing cells gets one slot for them after its values.
    """

    cells: npt.NDArray[np.int32]
    """Slot of each cell, of shape (n_rows, n_discrete)."""
    kept: npt.NDArray[np.bool_]
    """Which slots are values."""


def _slots(table: EncodedTable) -> _Slots:
    discrete = [i for i, v in enumerate(table.variables) if not v.is_continuous]
    codes = table.codes if len(discrete) == len(table.variables) else table.codes[:, discrete]
    cards = np.array([table.variables[i].card for i in discrete], dtype=np.int64)
    holes = (codes == MISSING).any(axis=0)
    ends = np.cumsum(cards + holes)
    starts = (ends - cards - holes).astype(np.int32)
    kept = np.full(int(ends[-1]) if len(ends) else 0, True)
    kept[(ends - 1)[holes]] = False
    cells = np.where(codes == MISSING, cards.astype(np.int32), codes) + starts
    return _Slots(np.ascontiguousarray(cells), kept)  # the kernels go by rows
