"""Sparse tables as flat arrays for the prediction kernel."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bnclass.factors.base import Factor, Floats
from bnclass.factors.sparse import SparseCategoricalCPD
from bnclass.statistics.configurations import Configurations, Level

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class _Rows:
    """The rows of one table by the configuration of its attribute parents."""

    levels: tuple[Level, ...]
    columns: tuple[int, ...]
    child: int
    unseen: float
    n_rows: Ints  # of each configuration
    classes: Ints
    log_others: Floats
    n_cells: Ints  # of each row
    states: Ints
    log_probabilities: Floats


def flatten_sparse(
    factors: Sequence[tuple[Factor, Hashable | None]], place: Mapping[Hashable, int]
) -> Any:
    """Return the sparse tables among some factors, one after another, in their order.

    Parameters
    ----------
    factors : sequence of (Factor, class node or None)
    place : mapping of hashable to int
        The column of each attribute.

    Returns
    -------
    bnclass.network.sparse_kernels.SparseTables
    """
    from bnclass.network.sparse_kernels import SparseTables

    tables = [_rows(f, y, place) for f, y in factors if isinstance(f, SparseCategoricalCPD)]
    levels = [(level, table) for table in tables for level in table.levels]
    slots = [_slots(level.keys) for level, _ in levels]
    return SparseTables(
        unseen=np.array([t.unseen for t in tables], dtype=np.float64),
        children=_ints([t.child for t in tables]),
        level_starts=_starts([len(t.levels) for t in tables]),
        radices=_ints([level.radix for level, _ in levels]),
        column_starts=_starts([len(level.variables) for level, _ in levels]),
        columns=_ints([t.columns[i] for level, t in levels for i in level.variables]),
        strides=_joined([level.strides for level, _ in levels]),
        slot_starts=_starts([len(keys) for keys, _ in slots]),
        slot_keys=_joined([keys for keys, _ in slots]),
        slot_places=_joined([places for _, places in slots]),
        first_places=_starts([len(t.n_rows) for t in tables]),
        row_starts=_starts(_joined([t.n_rows for t in tables])),
        classes=_joined([t.classes for t in tables]),
        log_others=_joined([t.log_others for t in tables], np.float64),
        cell_starts=_starts(_joined([t.n_cells for t in tables])),
        states=_joined([t.states for t in tables]),
        log_probabilities=_joined([t.log_probabilities for t in tables], np.float64),
    )


def _rows(
    cpd: SparseCategoricalCPD, class_node: Hashable | None, place: Mapping[Hashable, int]
) -> _Rows:
    names = [p.name for p in cpd.parents]
    attributes = [i for i, name in enumerate(names) if name != class_node]
    codes = cpd.configurations.T
    which = np.zeros(len(cpd.others), dtype=np.int64)
    levels: tuple[Level, ...] = ()
    n = 1  # the one configuration of no attributes
    if attributes:
        cards = [cpd.parents[i].card for i in attributes]
        found, which = Configurations.of_rows([codes[i] for i in attributes], cards)
        levels, n = found.levels, len(found)
    order = np.argsort(which, kind="stable")
    classes = np.full(len(which), -1)
    if class_node in names:
        classes = codes[names.index(class_node)][order].astype(np.int64)
    n_cells = np.bincount(cpd.cells[:, 0], minlength=len(which))
    cells = np.argsort(np.argsort(order)[cpd.cells[:, 0]], kind="stable")
    is_class = cpd.variable.name == class_node
    return _Rows(
        levels,
        tuple(place[names[i]] for i in attributes),
        -1 if is_class else place[cpd.variable.name],
        float(cpd.log_others[-1]),
        np.bincount(which, minlength=n),
        classes,
        cpd.log_others[:-1][order],
        n_cells[order],
        cpd.cells[cells, 1].astype(np.int64),
        cpd.log_probabilities[cells],
    )


def _slots(keys: Ints) -> tuple[Ints, Ints]:
    """Return a hash table of keys and their places, at most half full."""
    from bnclass.network.sparse_kernels import EMPTY, fill_slots

    n_slots = 2 ** (2 * len(keys)).bit_length()
    slot_keys, slot_places = np.full(n_slots, EMPTY), np.zeros(n_slots, dtype=np.int64)
    fill_slots(keys, slot_keys, slot_places)
    return slot_keys, slot_places


def _starts(lengths: Any) -> Ints:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64)


def _ints(values: Sequence[int]) -> Ints:
    return np.array(values, dtype=np.int64)


def _joined(parts: Sequence[npt.NDArray[Any]], dtype: Any = np.int64) -> Any:
    return np.concatenate([np.empty(0, dtype), *parts]).astype(dtype, copy=False)
