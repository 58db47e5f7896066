"""Statistics under another schema: of more states, classes and attributes, or fewer."""

from collections.abc import Collection, Hashable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from bnclass.data.variables import Schema, Variable
from bnclass.exceptions import DataError
from bnclass.statistics.family import FamilyMoments
from bnclass.statistics.memory import require_memory
from bnclass.statistics.moments import Moments
from bnclass.statistics.resolution import DistinctValues
from bnclass.statistics.sufficient import SufficientStatistics

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]

_NO_NUMBER = DistinctValues(np.empty(0), np.nan, np.nan)


def recoded(statistics: SufficientStatistics, schema: Schema) -> SufficientStatistics:
    """Return the statistics that the same rows have under a schema of wider domains.

    A state that is new has count 0, and an attribute that is new is missing in every row.

    Parameters
    ----------
    statistics : SufficientStatistics
    schema : Schema
        Has every attribute of the statistics, in their order, with all of its states, and all
        of the classes. A state that missing cells take stays that.

    Returns
    -------
    SufficientStatistics
        Without the rows themselves.

    Raises
    ------
    DataError
        If an attribute or a state is not in the schema.
    MemoryLimitError
        If the pair counts would not fit.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import Schema, SufficientStatistics, TableEncoder, Variable
    >>> from bnclass.statistics.recoding import recoded
    >>> table = TableEncoder().fit_transform(pd.DataFrame({"a": ["u", "v", "v"]}), [0, 0, 0])
    >>> more = Schema((Variable("a", states=("t", "u", "v")),), table.target)
    >>> recoded(SufficientStatistics.from_table(table), more).counts("a")
    array([0., 1., 2.])
    """
    if statistics.schema == schema:
        return replace(statistics, table=None)
    places = _Places.of(statistics.schema, schema)
    y, v, width = places.classes, places.values, sum(a.card for a in schema.attributes)
    n_classes, pairs = schema.target.card, None
    if statistics.pair_counts is not None:
        require_memory(n_classes * width**2, f"counts of all pairs of {width} values")
        pairs = _spread(statistics.pair_counts, (n_classes, width, width), (y, v, v))
    return SufficientStatistics(
        schema,
        _spread(statistics.class_counts, (n_classes,), (y,)),
        _spread(statistics.value_counts, (n_classes, width), (y, v)),
        pairs,
        moments=_spread_moments(statistics, schema, places),
        distinct=tuple(
            statistics.distinct[statistics.number_place(a.name)]
            if a.name in statistics.schema
            else _NO_NUMBER
            for a in schema.attributes
            if a.is_continuous
        ),
    )


def without(statistics: SufficientStatistics, names: Collection[Hashable]) -> SufficientStatistics:
    """Return the statistics of the other attributes.

    Parameters
    ----------
    statistics : SufficientStatistics
    names : collection of hashable
        Discrete attributes to leave out.

    Returns
    -------
    SufficientStatistics

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import SufficientStatistics, TableEncoder
    >>> from bnclass.statistics.recoding import without
    >>> frame = pd.DataFrame({"a": ["u", "v"], "b": ["p", "p"]})
    >>> statistics = SufficientStatistics.from_table(TableEncoder().fit_transform(frame, [0, 0]))
    >>> without(statistics, ["a"]).value_counts
    array([[2.]])
    """
    if not names:
        return statistics
    kept = [a for a in statistics.schema.attributes if a.name not in names]
    schema = Schema(tuple(kept), statistics.schema.target)
    y, v = np.arange(schema.target.card), _Places.of(schema, statistics.schema).values
    pairs, moments = statistics.pair_counts, statistics.moments
    if moments is not None and moments.cells is not None:
        moments = replace(moments, cells=moments.cells.at(slice(None), v))
    return replace(
        statistics,
        schema=schema,
        value_counts=statistics.value_counts[:, v],
        pair_counts=None if pairs is None else pairs[np.ix_(y, v, v)],
        table=statistics.table and statistics.table.select(schema.names),
        moments=moments,
    )


@dataclass(frozen=True)
class _Places:
    """Where the classes, the values and the numbers of one schema are in another."""

    classes: Places
    values: Places
    numbers: Places

    @classmethod
    def of(cls, old: Schema, new: Schema) -> "_Places":
        states = [_state_places(a, new[a.name]) for a in old.attributes]
        cards = [a.card for a in new.attributes]
        first = dict(zip(new.names, np.cumsum([0, *cards])[:-1], strict=True))
        continuous = [a.name for a in new.attributes if a.is_continuous]
        return cls(
            _state_places(old.target, new.target),
            np.concatenate(
                [np.empty(0, np.int64)]
                + [first[a.name] + own for a, own in zip(old.attributes, states, strict=True)]
            ),
            np.array([continuous.index(a.name) for a in old.attributes if a.is_continuous], int),
        )


def _state_places(old: Variable, new: Variable) -> Places:
    place = {state: i for i, state in enumerate(new.states)}
    # The state for missing cells may have the name of one that others have.
    places = [
        new.fill if i == old.fill and new.fill is not None else place.get(state)
        for i, state in enumerate(old.states)
    ]
    if None in places or old.kind != new.kind:
        raise DataError(f"{old!r} does not fit into {new!r}, expected all of its states there")
    return np.array(places, dtype=np.int64)


def _spread(array: Floats, shape: tuple[int, ...], places: tuple[Places, ...]) -> Floats:
    """Return an array of the shape, 0 but at the places that the cells of another go to."""
    spread = np.zeros(shape + array.shape[len(shape) :])
    spread[np.ix_(*places)] = array
    return spread


def _spread_moments(
    statistics: SufficientStatistics, schema: Schema, places: _Places
) -> Moments | None:
    c, width = (
        sum(a.is_continuous for a in schema.attributes),
        sum(a.card for a in schema.attributes),
    )
    if not c:
        return None
    old = statistics.moments or _no_moments(statistics)
    k, y, x = schema.target.card, places.classes, places.numbers
    return Moments(
        _spread_family(old.singles, (k, c), (y, x)),
        old.pairs and _spread_family(old.pairs, (k, c, c), (y, x, x)),
        old.cells and _spread_family(old.cells, (k, width, c), (y, places.values, x)),
    )


def _no_moments(statistics: SufficientStatistics) -> Moments:
    """Return the moments of no numbers."""
    k, v = statistics.value_counts.shape
    singles = _zeros((k, 0), 1)
    if statistics.pair_counts is None:
        return Moments(singles, None, None)
    return Moments(singles, _zeros((k, 0, 0), 2), _zeros((k, v, 0), 1))


def _zeros(shape: tuple[int, ...], p: int) -> FamilyMoments:
    return FamilyMoments(np.zeros(shape), np.zeros((*shape, p)), np.zeros((*shape, p, p)))


def _spread_family(
    moments: FamilyMoments, shape: tuple[int, ...], places: tuple[Places, ...]
) -> FamilyMoments:
    require_memory(6 * int(np.prod(shape)), "moments")
    parts = (moments.n, moments.mean, moments.scatter, moments.rounding)
    return FamilyMoments(*(_spread(part, shape, places) for part in parts))
