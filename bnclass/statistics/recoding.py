"""Statistics under another schema: of more states, classes and attributes, or fewer."""

from collections.abc import Collection, Hashable
from dataclasses import dataclass, replace
from math import prod

import numpy as np
import numpy.typing as npt

from bnclass.data.codes import MISSING
from bnclass.data.memory import require_memory
from bnclass.data.table import EncodedTable
from bnclass.data.variables import Schema, Variable
from bnclass.exceptions import DataError
from bnclass.statistics.family import FamilyMoments
from bnclass.statistics.moments import Moments
from bnclass.statistics.resolution import DistinctValues
from bnclass.statistics.sufficient import SufficientStatistics

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]


def recoded(
    statistics: SufficientStatistics, schema: Schema, blank: EncodedTable | None = None
) -> SufficientStatistics:
    """Return the statistics that the same rows have under a schema of wider domains.

    A state that is new has count 0. In an attribute that is new all cells were missing.

    Parameters
    ----------
    statistics : SufficientStatistics
    schema : Schema
        Has every attribute of the statistics, in their order, with all of its states, and all
        of the classes. A state that missing cells take stays that.
    blank : EncodedTable, optional
        One row under the schema, whose raw cells were missing: what missing cells become.
        Needed if there are new attributes.

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
    filled = _Filled.of(statistics, schema, blank)
    n_classes, pairs = schema.target.card, None
    classes = _spread(statistics.class_counts, (n_classes,), (y,))
    values = _spread(statistics.value_counts, (n_classes, width), (y, v))
    values[:, filled.values] = classes[:, np.newaxis]
    if statistics.pair_counts is not None:
        require_memory(n_classes * width**2, f"counts of all pairs of {width} values")
        pairs = _spread(statistics.pair_counts, (n_classes, width, width), (y, v, v))
        for w in filled.values:  # every row has this value, so that pairs are singles
            pairs[:, w, : w + 1], pairs[:, w:, w] = values[:, : w + 1], values[:, w:]
    return SufficientStatistics(
        schema,
        classes,
        values,
        pairs,
        moments=_spread_moments(statistics, schema, places, filled, classes, values),
        distinct=_distinct(statistics, schema, filled),
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


@dataclass(frozen=True)
class _Filled:
    """What all earlier rows have in the attributes that are new."""

    values: list[int]
    """Places among all values."""
    numbers: dict[int, float]
    """By place among the continuous attributes."""

    @classmethod
    def of(
        cls, statistics: SufficientStatistics, schema: Schema, blank: EncodedTable | None
    ) -> "_Filled":
        if blank is None or not statistics.n_rows:
            return cls([], {})
        new = [a not in statistics.schema for a in schema.names]
        firsts = np.cumsum([0, *(a.card for a in schema.attributes)])
        codes = blank.codes_of(schema.names)[0]
        continuous = [a.is_continuous for a in schema.attributes]
        values = [
            int(first + code)
            for first, code, is_new, number in zip(firsts, codes, new, continuous, strict=False)
            if is_new and code != MISSING and not number
        ]
        names = [a.name for a in schema.attributes if a.is_continuous]
        row = blank.numbers_of(names)[0]
        numbers = {i: float(x) for i, x in enumerate(row) if not np.isnan(x)}
        return cls(values, {i: x for i, x in numbers.items() if names[i] not in statistics.schema})


def _distinct(
    statistics: SufficientStatistics, schema: Schema, filled: _Filled
) -> tuple[DistinctValues, ...]:
    continuous = [a.name for a in schema.attributes if a.is_continuous]
    return tuple(
        statistics.distinct[statistics.number_place(name)]
        if name in statistics.schema
        else DistinctValues.from_numbers(np.array([filled.numbers.get(i, np.nan)]))
        for i, name in enumerate(continuous)
    )


class _Parts:
    """The arrays of moments under the wider schema, while they are filled."""

    def __init__(
        self, moments: FamilyMoments, shape: tuple[int, ...], places: tuple[Places, ...]
    ) -> None:
        require_memory(6 * prod(shape), "moments")
        self.n = _spread(moments.n, shape, places)
        self.mean = _spread(moments.mean, shape, places)
        self.scatter = _spread(moments.scatter, shape, places)
        self.rounding = _spread(moments.rounding, shape, places)

    def frozen(self) -> FamilyMoments:
        return FamilyMoments(self.n, self.mean, self.scatter, self.rounding)


def _spread_moments(
    statistics: SufficientStatistics,
    schema: Schema,
    places: _Places,
    filled: _Filled,
    class_counts: Floats,
    value_counts: Floats,
) -> Moments | None:
    c = sum(a.is_continuous for a in schema.attributes)
    if not c:
        return None
    (k, width), y, x = value_counts.shape, places.classes, places.numbers
    old = statistics.moments or _no_moments(statistics)
    singles = _Parts(old.singles, (k, c), (y, x))
    for i, number in filled.numbers.items():
        singles.n[:, i] = class_counts
        singles.mean[:, i, 0] = np.where(class_counts > 0, number, 0.0)
    if old.pairs is None or old.cells is None:
        return Moments(singles.frozen(), None, None)
    pairs = _Parts(old.pairs, (k, c, c), (y, x, x))
    for i in filled.numbers:
        _fill_pairs(pairs, singles, i)
    cells = _Parts(old.cells, (k, width, c), (y, places.values, x))
    for i, number in filled.numbers.items():
        cells.n[:, :, i] = value_counts
        cells.mean[:, :, i, 0] = np.where(value_counts > 0, number, 0.0)
    for w in filled.values:
        for part in ("n", "mean", "scatter", "rounding"):
            getattr(cells, part)[:, w] = getattr(singles, part)
    return Moments(singles.frozen(), pairs.frozen(), cells.frozen())


def _fill_pairs(pairs: _Parts, singles: _Parts, i: int) -> None:
    """Set the moments of a number that is the same in all rows with every other number."""
    for own, other, at in ((0, 1, np.s_[:, i]), (1, 0, np.s_[:, :, i])):
        pairs.n[at] = singles.n
        pairs.mean[at][..., own] = np.where(singles.n > 0, singles.mean[:, i], 0.0)
        pairs.mean[at][..., other] = singles.mean[..., 0]
        pairs.rounding[at][..., other] = singles.rounding[..., 0]
        pairs.scatter[at][..., other, other] = singles.scatter[..., 0, 0]


def _no_moments(statistics: SufficientStatistics) -> Moments:
    """Return the moments of no numbers."""
    k, v = statistics.value_counts.shape
    singles = _zeros((k, 0), 1)
    if statistics.pair_counts is None:
        return Moments(singles, None, None)
    return Moments(singles, _zeros((k, 0, 0), 2), _zeros((k, v, 0), 1))


def _zeros(shape: tuple[int, ...], p: int) -> FamilyMoments:
    return FamilyMoments(np.zeros(shape), np.zeros((*shape, p)), np.zeros((*shape, p, p)))
