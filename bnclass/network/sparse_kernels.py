"""The compiled loops over sparse tables; importing this module loads numba."""

from typing import NamedTuple

import numba
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]

UNSEEN, MISSING = -1, -2

EMPTY = -1
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2⁶⁴ / golden ratio, odd
_HALF, _ONE = np.uint64(32), np.uint64(1)


class SparseTables(NamedTuple):
    """All sparse tables of a model, one after another.

    A table is found by the configuration of its attribute parents, and has for each of
    them rows: one for every class that was seen with it, or one for all classes.
    """

    unseen: Floats
    """Log probability of a configuration that was not seen, by table."""
    children: Ints
    """The child's attribute, by table; -1 if the child is the class."""
    level_starts: Ints
    """Where each table's levels begin; see `bnclass.statistics.configurations`."""
    radices: Ints
    """By level."""
    column_starts: Ints
    """Where each level's columns and strides begin."""
    columns: Ints
    """Attributes."""
    strides: Ints
    slot_starts: Ints
    """Where each level's hash table begins; its length is a power of two."""
    slot_keys: Ints
    """EMPTY where there is none."""
    slot_places: Ints
    """The place of each slot's key among the keys of its level."""
    first_places: Ints
    """Where in `row_starts` each table begins."""
    row_starts: Ints
    """Where the rows of each configuration begin."""
    classes: Ints
    """The class of each row, -1 for all classes."""
    log_others: Floats
    """Log probability of a state without a cell, by row."""
    cell_starts: Ints
    """Where each row's cells begin."""
    states: Ints
    """Ascending in each row."""
    log_probabilities: Floats
    """By cell."""


@numba.njit(nogil=True, cache=True)
def _slot(key: int, mask: np.uint64) -> np.uint64:
    """Return where a key's search begins in a hash table of mask + 1 slots."""
    mixed = np.uint64(key) * _GOLDEN
    return (mixed ^ (mixed >> _HALF)) & mask


@numba.njit(nogil=True, cache=True)
def fill_slots(keys: Ints, slot_keys: Ints, slot_places: Ints) -> None:
    """Enter keys and their places into a hash table with open addressing.

    Parameters
    ----------
    keys : ndarray of shape (n,), int64
        Distinct, none of them EMPTY.
    slot_keys, slot_places : ndarray of shape (n_slots,), int64
        More slots than keys, a power of two; keys EMPTY; changed in place.
    """
    mask = np.uint64(len(slot_keys) - 1)
    for place in range(len(keys)):
        slot = _slot(keys[place], mask)
        while slot_keys[slot] != EMPTY:
            slot = (slot + _ONE) & mask
        slot_keys[slot] = keys[place]
        slot_places[slot] = place


@numba.njit(nogil=True, cache=True)
def _look_up(slot_keys: Ints, slot_places: Ints, keys: Ints, places: Ints) -> None:
    """Write the place of each row's key, UNSEEN if there is none; rows with a place go on."""
    mask = np.uint64(len(slot_keys) - 1)
    for r in range(len(keys)):
        if places[r] >= 0:
            key = keys[r]
            slot = _slot(key, mask)
            while slot_keys[slot] != key and slot_keys[slot] != EMPTY:
                slot = (slot + _ONE) & mask
            places[r] = slot_places[slot] if slot_keys[slot] == key else UNSEEN


@numba.njit(nogil=True, cache=True)
def _find_places(tables: SparseTables, table: int, values: Codes, keys: Ints, places: Ints) -> None:
    """Write the place of each row's configuration in a table, UNSEEN or MISSING."""
    places[:] = 0
    for level in range(tables.level_starts[table], tables.level_starts[table + 1]):
        for r in range(len(keys)):
            keys[r] = max(places[r], 0) * tables.radices[level]
        for p in range(tables.column_starts[level], tables.column_starts[level + 1]):
            column, stride = values[tables.columns[p]], tables.strides[p]
            for r in range(len(keys)):
                keys[r] += column[r] * stride
        slots = slice(tables.slot_starts[level], tables.slot_starts[level + 1])
        _look_up(tables.slot_keys[slots], tables.slot_places[slots], keys, places)


@numba.njit(nogil=True, cache=True)
def _mark_missing(column: Codes, places: Ints) -> None:
    for r in range(len(places)):
        if column[r] < 0:
            places[r] = MISSING


@numba.njit(nogil=True, cache=True)
def _cell(states: Ints, begin: int, end: int, state: int) -> int:
    """Return where in an ascending stretch a state is, -1 for nowhere."""
    stop = end
    while begin < end:
        middle = (begin + end) >> 1
        if states[middle] < state:
            begin = middle + 1
        else:
            end = middle
    return begin if begin < stop and states[begin] == state else -1


@numba.njit(nogil=True, cache=True)
def add_sparse_table(
    tables: SparseTables, table: int, values: Codes, holes: Bools, logs: Floats, sums: Floats
) -> None:
    """Add a sparse table's log probabilities to a member's sums.

    Graph twin: `bnclass.SparseCategoricalCPD.log_prob`. A row with a missing cell in the
    family adds nothing.

    Parameters
    ----------
    tables : SparseTables
    table : int
    values : ndarray of shape (n_attributes, n_rows), int32
        A block of rows.
    holes : ndarray of shape (n_attributes,), bool
        Which attributes have missing cells in the block.
    logs : ndarray of shape (n_classes, n_rows), float64
        Overwritten.
    sums : ndarray of shape (n_classes, n_rows), float64
        Changed in place.
    """
    n_classes, n_rows = sums.shape
    keys, places = np.empty(n_rows, np.int64), np.empty(n_rows, np.int64)
    child, first_place = tables.children[table], tables.first_places[table]
    row_starts, classes, cell_starts = tables.row_starts, tables.classes, tables.cell_starts
    states, log_others = tables.states, tables.log_others
    log_probabilities = tables.log_probabilities
    _find_places(tables, table, values, keys, places)
    first, last = tables.level_starts[table], tables.level_starts[table + 1]
    for p in range(tables.column_starts[first], tables.column_starts[last]):
        if holes[tables.columns[p]]:
            _mark_missing(values[tables.columns[p]], places)
    if child >= 0 and holes[child]:
        _mark_missing(values[child], places)
    logs[:] = tables.unseen[table]
    for r in range(n_rows):
        if places[r] == MISSING:
            for c in range(n_classes):
                logs[c, r] = 0.0
        elif places[r] >= 0:
            at = first_place + places[r]
            for row in range(row_starts[at], row_starts[at + 1]):
                y, begin, end = classes[row], cell_starts[row], cell_starts[row + 1]
                for c in range(n_classes if y < 0 else 1):
                    state = values[child, r] if child >= 0 else c
                    cell = _cell(states, begin, end, state)
                    log_prob = log_others[row] if cell < 0 else log_probabilities[cell]
                    logs[c if y < 0 else y, r] = log_prob
    for c in range(n_classes):
        for r in range(n_rows):
            sums[c, r] += logs[c, r]
