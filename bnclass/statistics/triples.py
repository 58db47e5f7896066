"""What passes over triples of values need: every cell's value, and the groups of rows."""

from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from bnclass.data.codes import MISSING
from bnclass.exceptions import DataError
from bnclass.statistics.sufficient import SufficientStatistics

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
Dependence = Literal["class-conditional", "pairwise"]
"""Whether I(X_i; X_l | X_p, Y) or I(X_i; X_l | X_p) measures what a parent leaves open."""


class ValueRows(NamedTuple):
    """Rows as the compiled loops over triples read them."""

    values: Codes
    """Index of each cell's value among those of all attributes, (n_rows, n_attributes)."""
    labels: Codes
    """Class of each row, (n_rows,); 0 for all if classes are not told apart."""
    weights: Floats
    """(n_rows,)"""
    firsts: Ints
    """First value of each attribute, and the number of values, (n_attributes + 1,)."""
    n_classes: int


def value_rows(statistics: SufficientStatistics, by_class: bool = True) -> ValueRows:
    """Return the rows of statistics, missing cells as one value past the last.

    Parameters
    ----------
    statistics : SufficientStatistics
        With its rows, all attributes discrete.
    by_class : bool, default=True
        Whether classes are told apart.

    Returns
    -------
    ValueRows

    Raises
    ------
    DataError
        If the statistics hold no rows or an attribute is continuous.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import SufficientStatistics, TableEncoder
    >>> from bnclass.statistics.triples import value_rows
    >>> frame = pd.DataFrame({"a": ["u", "v"], "b": ["p", None]})
    >>> table = TableEncoder().fit_transform(frame, [0, 1])
    >>> value_rows(SufficientStatistics.from_table(table)).values
    array([[0, 2],
           [1, 3]], dtype=int32)
    """
    require_discrete_rows(statistics)
    table, firsts = statistics.table, statistics.offsets
    assert table is not None
    assert table.labels is not None
    values = np.where(table.codes == MISSING, firsts[-1], table.codes + firsts[:-1])
    n_classes = len(statistics.class_counts) if by_class else 1
    labels = table.labels if by_class else np.zeros_like(table.labels)
    return ValueRows(
        np.ascontiguousarray(values, np.int32), labels, table.row_weights, firsts, n_classes
    )


def are_numbers(statistics: SufficientStatistics) -> bool:
    """Return whether all attributes are numbers; they must be of one kind.

    Parameters
    ----------
    statistics : SufficientStatistics

    Returns
    -------
    bool
        False if there are none.

    Raises
    ------
    DataError
        If some are discrete and some continuous.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import SufficientStatistics, TableEncoder
    >>> from bnclass.statistics.triples import are_numbers
    >>> frame = pd.DataFrame({"x": [1.0, 2.0]})
    >>> table = TableEncoder(continuous="gaussian").fit_transform(frame, [0, 1])
    >>> are_numbers(SufficientStatistics.from_table(table))
    True
    """
    attributes = statistics.schema.attributes
    discrete = [v.name for v in attributes if not v.is_continuous]
    if discrete and len(discrete) < len(attributes):
        raise DataError(
            f"dependences of triples: columns {discrete!r} are discrete and the others numbers, "
            f"expected one kind; continuous='mdl' makes states of numbers"
        )
    return bool(attributes) and not discrete


def require_discrete_rows(statistics: SufficientStatistics) -> None:
    """Raise unless statistics hold their rows and every attribute is discrete.

    Parameters
    ----------
    statistics : SufficientStatistics

    Raises
    ------
    DataError

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import SufficientStatistics, TableEncoder
    >>> from bnclass.statistics.triples import require_discrete_rows
    >>> table = TableEncoder().fit_transform(pd.DataFrame({"a": ["u", "v"]}), [0, 1])
    >>> require_discrete_rows(SufficientStatistics.from_table(table))
    """
    for variable in statistics.schema.attributes:
        if variable.is_continuous:
            raise DataError(
                f"dependences of triples: {variable.name!r} is continuous, expected discrete "
                f"attributes"
            )
    if statistics.table is None:
        raise DataError("merged statistics hold pairs only, expected rows for triples")
