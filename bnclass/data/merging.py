"""Two encoders of the same columns as one."""

from collections.abc import Hashable, Mapping
from copy import copy
from typing import Any

import joblib
import numpy as np
import pandas as pd

from bnclass.data.columns import value_kind
from bnclass.data.encoder import TableEncoder
from bnclass.data.growth import united, with_hole
from bnclass.data.variables import Schema, Variable
from bnclass.exceptions import DataError


def merged_encoders(one: TableEncoder, other: TableEncoder) -> TableEncoder:
    """Return an encoder whose domains take in those of two.

    Parameters
    ----------
    one, other : TableEncoder
        Fitted with the same parameters.

    Returns
    -------
    TableEncoder

    Raises
    ------
    DataError
        If the columns or the name of the class differ, or a column's kind, its cuts, or what
        its missing cells become.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import TableEncoder
    >>> from bnclass.data.merging import merged_encoders
    >>> one, other = TableEncoder(), TableEncoder()
    >>> table = one.fit_transform(pd.DataFrame({"a": ["u"]}), ["no"])
    >>> table = other.fit_transform(pd.DataFrame({"a": ["v"]}), ["yes"])
    >>> merged = merged_encoders(one, other)
    >>> merged.schema_["a"].states, merged.classes_.tolist()
    (('u', 'v'), ['no', 'yes'])
    """
    _require_same("columns", one.columns_, other.columns_)
    _require_same("the class called", one.schema_.target.name, other.schema_.target.name)
    _require_same_classes(one, other)
    if one.binning_ and other.binning_ and not same(one.discretizer_, other.discretizer_):
        raise DataError(
            "the transformers of numbers were fitted to different rows, expected the same "
            "fitted one, such as sklearn.frozen.FrozenEstimator(fitted)"
        )
    for name in [*one.means_] if one.binning_ else []:
        mean = f"missing cells of column {name!r} that become"
        _require_same(mean, one.means_[name], other.means_.get(name, one.means_[name]))
    merged = copy(one)
    merged.classes_ = np.union1d(one.classes_, other.classes_)
    merged.declared_ = tuple(dict.fromkeys((*one.declared_, *other.declared_)))
    merged.means_ = {**other.means_, **one.means_}
    merged.binning_ = one.binning_ or other.binning_
    counts = [encoder.missing_counts_ for encoder in (one, other)]
    total = ((name, sum(c.get(name, 0) for c in counts)) for name in one.columns_)
    merged.missing_counts_ = {name: n for name, n in total if n}
    attributes = _united(merged, *({v.name: v for v in e.schema_.attributes} for e in (one, other)))
    target = Variable(one.schema_.target.name, states=tuple(merged.classes_.tolist()))
    merged.schema_ = Schema(tuple(attributes), target)
    merged.views_ = tuple(
        _united(merged, *({v.source: v for v in e.all_views} for e in (one, other)))
    )
    merged.idle_views_ = ()
    return merged


def same(one: Any, other: Any) -> bool:
    """Return whether two parameters, or fitted transformers, are equal in all they hold.

    Parameters
    ----------
    one, other : object

    Returns
    -------
    bool

    Examples
    --------
    >>> from bnclass import MDLDiscretizer
    >>> from bnclass.data.merging import same
    >>> same(MDLDiscretizer(), MDLDiscretizer()), same(1.0, 2.0)
    (True, False)
    """
    if one is other:
        return True
    if type(one) is not type(other):
        return type(one) in (int, float) and type(other) in (int, float) and one == other
    equal = one == other
    return equal is True or _digest(one) == _digest(other)


def _digest(value: Any) -> str | None:
    digest: str | None = joblib.hash(value)
    return digest


def _united(
    merged: TableEncoder, one: Mapping[Any, Variable], other: Mapping[Any, Variable]
) -> list[Variable]:
    """Return the variable of every column that either has, in column order."""
    return [
        united(one[n], other[n], declared=n in merged.declared_, missing=merged.missing)
        if n in one and n in other
        else with_hole(one.get(n) or other[n], merged.missing)
        for n in merged.columns_
        if n in one or n in other
    ]


def _require_same(what: str, one: Hashable, other: Hashable) -> None:
    if one != other:
        raise DataError(
            f"found {what} {one!r} in one and {other!r} in the other, expected the same"
        )


def _require_same_classes(one: TableEncoder, other: TableEncoder) -> None:
    kinds = [value_kind(pd.Series(encoder.classes_)) for encoder in (one, other)]
    _require_same("classes of kind", *kinds)
