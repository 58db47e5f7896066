"""Which columns are discrete: by their dtype, or because `categorical_features` says so."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from bnclass.data.columns import column_kind
from bnclass.exceptions import BnclassError


def discrete_columns(frame: pd.DataFrame, chosen: Any) -> dict[Hashable, bool]:
    """Return for each column whether it is discrete.

    Parameters
    ----------
    frame : pandas.DataFrame
    chosen : "from_dtype", "all", mask, or sequence of names or positions, or None
        The columns to take as discrete whatever their dtype. An integer is a position
        only where no column has it for a name.

    Returns
    -------
    dict of name to bool
        In column order.

    Raises
    ------
    BnclassError
        If `chosen` is none of these, or names a column that is not there.
    DataTypeError
        If a column's dtype is neither discrete nor a number.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.data.selection import discrete_columns
    >>> frame = pd.DataFrame({"n": [1, 2], "m": [1, 2], "s": ["a", "b"]})
    >>> discrete_columns(frame, ["m"])
    {'n': False, 'm': True, 's': True}
    """
    names = frame.columns.tolist()
    by_choice = _chosen_columns(names, chosen)
    by_dtype = {name for name in names if column_kind(frame[name]) == "discrete"}
    return {name: name in by_choice or name in by_dtype for name in names}


def _chosen_columns(names: Sequence[Hashable], chosen: Any) -> set[Hashable]:
    if chosen is None or (isinstance(chosen, str) and chosen == "from_dtype"):
        return set()
    if isinstance(chosen, str) and chosen == "all":
        return set(names)
    if isinstance(chosen, str) or not isinstance(chosen, Iterable):
        raise BnclassError(
            f"categorical_features is {chosen!r}, expected 'from_dtype', 'all', a mask, or a "
            f"list of names or positions"
        )
    items = list(chosen)
    if items and all(isinstance(item, (bool, np.bool_)) for item in items):
        return _masked_columns(names, items)
    return {_named_column(names, item) for item in items}


def _masked_columns(names: Sequence[Hashable], mask: list[bool]) -> set[Hashable]:
    if len(mask) != len(names):
        raise BnclassError(
            f"categorical_features is a mask of {len(mask)}, expected {len(names)} entries"
        )
    return {name for name, on in zip(names, mask, strict=True) if on}


def _named_column(names: Sequence[Hashable], item: Any) -> Hashable:
    if isinstance(item, Hashable) and not isinstance(item, (bool, np.bool_)):
        if item in dict.fromkeys(names):
            return item
        if isinstance(item, (int, np.integer)) and 0 <= item < len(names):
            return names[int(item)]
    raise BnclassError(f"categorical_features names {item!r}, expected one of {list(names)!r}")
