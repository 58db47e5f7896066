"""Quantiles of a column, class by class: the ticks under densities."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from bnclass.data.codes import MISSING
from bnclass.data.frames import as_frame
from bnclass.data.table import EncodedTable
from bnclass.data.variables import Variable

Floats = npt.NDArray[np.float64]

N_QUANTILES = 101


@dataclass(frozen=True)
class Rug:
    """The quantiles of a number in the rows of a table.

    Attributes
    ----------
    quantiles : dict of class state to ndarray of shape (101,), float64
        Minimum, 100 equal steps, maximum; linear between values. Classes without a number
        have none. Under ``None``: the rows without a known class, which are all rows if the
        table has no class column.
    by_class : bool
        Whether the table has the class column.
    n_values, n_missing : int
        Rows with and without a number.
    """

    quantiles: dict[Hashable, Floats]
    by_class: bool
    n_values: int
    n_missing: int


def rug_of(data: Any, variable: Variable, target: Variable | None) -> Rug:
    """Return the quantiles of a continuous variable's column.

    Parameters
    ----------
    data : table with the variable's column and perhaps the class column
    variable : Variable
        Continuous.
    target : Variable or None

    Returns
    -------
    Rug

    Raises
    ------
    DataError
        If the column is not there or holds no numbers.

    Examples
    --------
    >>> from bnclass import Variable
    >>> from bnclass.plot.rugs import rug_of
    >>> y, x = Variable("y", states=("n", "p")), Variable("x", kind="continuous")
    >>> rug = rug_of({"x": [0.0, 50.0, 100.0], "y": ["n", "n", "p"]}, x, y)
    >>> rug.quantiles["n"][[0, 50, 100]]
    array([ 0., 25., 50.])
    """
    frame = as_frame(data)
    by_class = target is not None and target.column in frame.columns
    # A missing number is not in the data, whatever the model fills in for it.
    observed = replace(variable, fill=None)
    table = EncodedTable.from_frame(frame, [observed], target if by_class else None)
    numbers = table.numbers_of([variable.name])[:, 0]
    seen = ~np.isnan(numbers)
    labels = np.full(len(table), MISSING) if table.labels is None else table.labels
    states: dict[Hashable, int] = {None: MISSING}
    if target is not None:
        states = {state: y for y, state in enumerate(target.states)} | states
    groups = {state: numbers[seen & (labels == y)] for state, y in states.items()}
    quantiles = {state: _quantiles(group) for state, group in groups.items() if group.size}
    return Rug(quantiles, by_class, int(seen.sum()), int((~seen).sum()))


def _quantiles(values: Floats) -> Floats:
    quantiles: Floats = np.quantile(values, np.linspace(0, 1, N_QUANTILES))
    return quantiles
