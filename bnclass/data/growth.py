"""Domains that take in more values: of more rows of a column, or of another table's."""

from collections.abc import Hashable, Iterable
from dataclasses import replace
from typing import Any

import pandas as pd

from bnclass.data.columns import kinds_of, observed_states, plain, require_kind
from bnclass.data.missing import free_name
from bnclass.data.variables import Variable
from bnclass.exceptions import DataError


def with_values(
    variable: Variable, column: "pd.Series[Any]", *, declared: bool, missing: str
) -> Variable:
    """Return a variable that has the values of more rows among its states.

    Parameters
    ----------
    variable : Variable
        Numbers, and the bins that numbers are cut into, stay as they are.
    column : pandas.Series
        Raw.
    declared : bool
        Whether the states stand in an order of their own, so that new ones follow them;
        otherwise all are in ascending order.
    missing : {"marginalize", "state", "impute", "error"}

    Returns
    -------
    Variable

    Raises
    ------
    DataError
        If the column holds another kind of value than the states are.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import Variable
    >>> from bnclass.data.growth import with_values
    >>> size, column = Variable("size", states=("m", "s")), pd.Series(["l", None, "s"])
    >>> with_values(size, column, declared=False, missing="state").states
    ('l', 'm', 's', 'missing')
    """
    if variable.is_continuous or variable.cuts is not None:
        return variable
    found, kinds = observed_states(column), kinds_of(_own_states(variable, missing))
    if not kinds_of(found) <= kinds:
        require_kind(column, kinds.pop())
    hole = missing == "state" and bool(column.isna().any())
    return _with_states(variable, found, hole, declared, missing)


def with_hole(variable: Variable, missing: str) -> Variable:
    """Return the variable of a column that is missing in some other rows.

    Parameters
    ----------
    variable : Variable
    missing : {"marginalize", "state", "impute", "error"}

    Returns
    -------
    Variable
        Under "state", and if its cells are states themselves, with one for missing cells.

    Examples
    --------
    >>> from bnclass import Variable
    >>> from bnclass.data.growth import with_hole
    >>> with_hole(Variable("size", states=("l", "m")), "state").states
    ('l', 'm', 'missing')
    """
    if missing != "state" or variable.is_continuous or variable.cuts is not None:
        return variable
    return _with_states(variable, (), True, True, missing)


def united(one: Variable, other: Variable, *, declared: bool, missing: str) -> Variable:
    """Return the variable of one column, as two tables have it.

    Parameters
    ----------
    one, other : Variable
        Of one name.
    declared, missing
        As in `with_values`.

    Returns
    -------
    Variable

    Raises
    ------
    DataError
        If one is a number and the other is not, or they differ in the kind of their states,
        in their cuts, or in what missing cells become.

    Examples
    --------
    >>> from bnclass import Variable
    >>> from bnclass.data.growth import united
    >>> one, other = Variable("size", states=("m",)), Variable("size", states=("l", "m"))
    >>> united(one, other, declared=False, missing="marginalize").states
    ('l', 'm')
    """
    _require_same(one, "kind", one.kind, other.kind)
    _require_same(one, "cuts", one.cuts, other.cuts)
    states = [_own_states(v, missing) for v in (one, other)]
    if one.cuts is None and not one.is_continuous:
        _require_same(one, "states of kind", *(sorted(kinds_of(own)) for own in states))
    if missing != "state" or one.is_continuous:
        _require_same(one, "missing cells that become", _filled(one), _filled(other))
    if one.is_continuous or one.cuts is not None:
        return one
    hole = missing == "state" and other.fill is not None
    return _with_states(one, states[1], hole, declared, missing)


def _own_states(variable: Variable, missing: str) -> tuple[Hashable, ...]:
    """Return the states without the one for missing cells."""
    added = missing == "state" and variable.cuts is None and variable.fill is not None
    return variable.states[:-1] if added else variable.states


def _filled(variable: Variable) -> Any:
    """Return what a missing cell becomes, as the user would say it."""
    if variable.fill is None or variable.is_continuous:
        return variable.fill
    return variable.states[int(variable.fill)]


def _with_states(
    variable: Variable, found: Iterable[Hashable], hole: bool, declared: bool, missing: str
) -> Variable:
    own = _own_states(variable, missing)
    known = dict.fromkeys(own)
    new = [state for state in found if state not in known]
    states = (*own, *new) if declared or not new else _ascending([*own, *new])
    if missing == "state":
        if not hole and variable.fill is None:
            return replace(variable, states=states)
        return replace(variable, states=(*states, free_name("missing", states)), fill=len(states))
    fill = None if variable.fill is None else states.index(own[int(variable.fill)])
    return replace(variable, states=states, fill=fill)


def _ascending(states: list[Hashable]) -> tuple[Hashable, ...]:
    # As in one column: inferring makes floats of whole numbers beside others.
    values: list[Any] = pd.Series(states, dtype=object).infer_objects().tolist()
    return tuple(sorted(map(plain, values)))


def _require_same(variable: Variable, what: str, one: object, other: object) -> None:
    if one != other:
        raise DataError(
            f"column {variable.column!r} has {what} {one!r} in one and {other!r} in "
            f"the other, expected the same"
        )
