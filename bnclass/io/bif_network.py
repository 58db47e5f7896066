"""From the blocks and notes of a BIF file to a network."""

from collections.abc import Hashable, Iterable, Sequence
from itertools import product
from math import prod
from typing import Any, NamedTuple

import numpy as np

from bnclass.data.memory import require_memory
from bnclass.data.variables import Variable
from bnclass.exceptions import FileFormatError, warn
from bnclass.factors.categorical import CategoricalCPD
from bnclass.io.bif_blocks import Entry, Pieces, TableBlock, VariableBlock, named
from bnclass.io.checks import part, require_keys, require_mixed_hashes, require_type, shown
from bnclass.io.codec import Codec
from bnclass.io.parts import VARIABLE
from bnclass.io.strictjson import Json
from bnclass.io.tables import Floats, reordered
from bnclass.io.values import VALUES
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.structure.dag import Arc, Structure

CODEC = Codec((*VALUES, VARIABLE))
"""What the notes hold."""

FORMAT = 1
"""The format of the notes, by the rule of `bnclass.io.json`."""

_EXACT, _PRINTED = 1e-9, 0.02
"""How far a row may miss the sum 1: taken as it is, and as an effect of few digits."""

_COPIES = 3  # of a table while it is read: as in the file, checked, and in the order of columns

_NOTE_KEYS = {
    "network": ("format", "class_node", "joint_family"),
    "variable": ("token", "states", "variable"),
    "scores": ("token", "scores"),
}


class _Node(NamedTuple):
    """A variable and the places of its states, which have their names of the file."""

    variable: Variable
    places: dict[str, int]


_Nodes = dict[str, _Node]


def assembled(
    name: str,
    variables: Iterable[VariableBlock],
    tables: Iterable[TableBlock],
    notes: Iterable[tuple[str, int, Json]],
) -> BayesianNetwork:
    """Return the network that the blocks and notes of a file describe.

    Parameters
    ----------
    name : str
        Of the file, for a warning.
    variables : iterable of VariableBlock
    tables : iterable of TableBlock
    notes : iterable of (kind, line, JSON)

    Returns
    -------
    BayesianNetwork

    Raises
    ------
    BnclassError
        If they describe none; the message has the line.

    Examples
    --------
    >>> from bnclass.io.bif_blocks import read_blocks
    >>> from bnclass.io.bif_network import assembled
    >>> from bnclass.io.bif_words import split_words
    >>> variable = "variable a { type discrete [ 2 ] { x, y }; }"
    >>> text = variable + "probability ( a ) { default 0.5, 0.5; }"
    >>> assembled("a.bif", *read_blocks(split_words(text, [])), [])
    BayesianNetwork(class_node=None, nodes=1, arcs=0, parameters=1)
    """
    noted = _checked_notes(notes)
    nodes = _nodes(variables, noted["variable"])
    cpds = _cpds(name, tables, nodes)
    structure = _structure(nodes, cpds, noted)
    ordered = [reordered(cpd, structure.parents(cpd.variable.name)) for cpd in cpds]
    return BayesianNetwork(structure, ordered)


def _checked_notes(notes: Iterable[tuple[str, int, Json]]) -> dict[str, dict[str, Json]]:
    """Return the notes by kind and token."""
    noted: dict[str, dict[str, Json]] = {kind: {} for kind in _NOTE_KEYS}
    for kind, line, data in notes:
        with part(f"line {line}"):
            if kind not in _NOTE_KEYS:
                raise FileFormatError(f"found a note {kind!r}, expected one of {list(_NOTE_KEYS)}")
            require_keys(data, _NOTE_KEYS[kind])
            noted[kind][require_type(data.get("token", ""), str)] = data
            if data.get("format", FORMAT) != FORMAT:
                raise FileFormatError(f"found the format {data['format']!r}, expected {FORMAT}")
    return noted


# ---------------------------------------------------------------- variables


def _nodes(blocks: Iterable[VariableBlock], notes: dict[str, Json]) -> _Nodes:
    nodes: _Nodes = {}
    for block in blocks:
        with part(f"line {block.line}"):
            if block.name in nodes:
                raise FileFormatError(f"found the variable {block.name!r} a second time")
            nodes[block.name] = _node(block, notes.get(block.name))
    for token in notes:
        _name(nodes, token)
    return nodes


def _node(block: VariableBlock, note: Json) -> _Node:
    if note is None:
        return _Node(Variable(block.name, states=block.states), _places(block))
    variable: Variable = CODEC.decode_as(Variable, note["variable"])
    filled = variable.card == 1 and len(block.states) == 2
    if note["states"] != list(block.states) or not (filled or variable.card == len(block.states)):
        raise FileFormatError(
            f"found the states {list(block.states)!r}, expected {shown(note['states'])} as in the "
            f"note on {block.name!r}"
        )
    return _Node(variable, _places(block))


def _places(block: VariableBlock) -> dict[str, int]:
    return {state: place for place, state in enumerate(block.states)}


# ---------------------------------------------------------------- structure


def _structure(
    nodes: _Nodes, cpds: Iterable[CategoricalCPD], noted: dict[str, dict[str, Json]]
) -> Structure:
    names = [node.variable.name for node in nodes.values()]
    require_mixed_hashes(names)
    if len(set(names)) != len(names):
        raise FileFormatError(f"found the names {shown(names)}, expected each once")
    arcs: dict[Arc, float | None] = {
        (parent.name, cpd.variable.name): None for cpd in cpds for parent in cpd.parents
    }
    for note in noted["scores"].values():
        for token, score in require_type(note["scores"], dict).items():
            arc = (_name(nodes, token), _name(nodes, note["token"]))
            if arc not in arcs:
                raise FileFormatError(f"found a score of {arc[0]!r} -> {arc[1]!r}, but no such arc")
            arcs[arc] = CODEC.decode_as(float, score)
    roles = noted["network"].get("", {"class_node": None, "joint_family": None})
    target: Any = None if roles["class_node"] is None else _name(nodes, roles["class_node"])
    family: Any = roles["joint_family"]
    if family is not None:
        family = tuple(_name(nodes, token) for token in require_type(family, list))
    return Structure.from_arcs(names, arcs, target, family)


def _name(nodes: _Nodes, token: Json) -> Hashable:
    if not isinstance(token, str) or token not in nodes:
        raise FileFormatError(f"found no variable {shown(token)}, expected one of {list(nodes)!r}")
    return nodes[token].variable.name


# ---------------------------------------------------------------- tables


def _cpds(name: str, blocks: Iterable[TableBlock], nodes: _Nodes) -> list[CategoricalCPD]:
    cpds: dict[str, CategoricalCPD] = {}
    rounded: dict[str, float] = {}
    n_cells = 0
    for block in blocks:
        with part(f"line {block.line}"):
            child, *parents = _family(block, nodes)
            if child in cpds:
                raise FileFormatError(f"found the table of {child!r} a second time")
        family = [nodes[token] for token in (*parents, child)]
        rows = _rows(block.entries, family[:-1])
        with part(f"line {block.line}"):
            _require_complete(rows, family[:-1])
            n_cells += prod(len(node.places) for node in family)
            require_memory(_COPIES * n_cells, "the tables up to here")
        table = _filled(rows, family)
        with part(f"line {block.line}"):
            cpds[child], miss = _cpd(table, family)
        if miss > _EXACT:
            rounded[child] = miss
    _warn_of_rounding(name, rounded)
    return list(cpds.values())


def _family(block: TableBlock, nodes: _Nodes) -> list[str]:
    """Return the child and its parents; names with blanks may stand unquoted."""
    family: list[str] = []
    for piece in block.family:
        family += [" ".join(piece)] if " ".join(piece) in nodes else piece
    for name in family:
        _name(nodes, name)
    return family


_Rows = dict[str | tuple[int, ...], Entry]
"""The entries of a table by "table", "default", or the places of the parents' states."""


def _rows(entries: Iterable[Entry], parents: Sequence[_Node]) -> _Rows:
    rows: _Rows = {}
    for entry in entries:
        with part(f"line {entry.line}"):
            row = entry.label if isinstance(entry.label, str) else _index(entry.label, parents)
            if row in rows or "table" in rows or (row == "table" and rows):
                raise FileFormatError("found two entries for one row, expected one")
            rows[row] = entry
    return rows


def _require_complete(rows: _Rows, parents: Sequence[_Node]) -> None:
    """Name the first row that is not there, before there is a table of all."""
    if "table" in rows or "default" in rows:
        return
    for row in product(*(range(len(node.places)) for node in parents)):
        if row not in rows:
            states = [list(node.places)[i] for node, i in zip(parents, row, strict=True)]
            raise FileFormatError(f"found no row for the parents' states {states!r}")


def _filled(rows: _Rows, family: Sequence[_Node]) -> Floats:
    """Return a table with its numbers: parents as in the file, then the child."""
    table = np.empty([len(node.places) for node in family])
    for row, entry in sorted(rows.items(), key=lambda item: item[0] != "default"):
        with part(f"line {entry.line}"):
            if row == "table":  # which has the child first
                child_first = np.moveaxis(table, -1, 0)
                child_first[...] = np.reshape(_counted(entry, table.size), child_first.shape)
            else:
                table[row if isinstance(row, tuple) else ()] = _counted(entry, table.shape[-1])
    return table


def _counted(entry: Entry, n: int) -> tuple[float, ...]:
    if len(entry.numbers) != n:
        raise FileFormatError(f"found {len(entry.numbers)} numbers, expected {n}")
    return entry.numbers


def _index(label: Pieces, parents: Sequence[_Node]) -> tuple[int, ...]:
    states = named(label, len(parents))
    if len(states) != len(parents):
        raise FileFormatError(f"found {len(states)} states, expected one for each parent")
    for state, node in zip(states, parents, strict=True):
        if state not in node.places:
            expected = shown(list(node.places))
            raise FileFormatError(f"found the state {state!r}, expected one of {expected}")
    return tuple(node.places[s] for s, node in zip(states, parents, strict=True))


def _cpd(table: Floats, family: Sequence[_Node]) -> tuple[CategoricalCPD, float]:
    """Return a full table without its fillers, and by how much its rows missed the sum 1."""
    *parents, child = family
    table = table[tuple(slice(node.variable.card) for node in family)]
    sums = table.sum(axis=-1, keepdims=True)
    miss = float(np.abs(sums - 1).max())
    if _EXACT < miss <= _PRINTED:
        table = table / sums
    return CategoricalCPD(child.variable, tuple(p.variable for p in parents), table), miss


def _warn_of_rounding(name: str, rounded: dict[str, float]) -> None:
    if rounded:
        warn(
            f"{name}: rows of the tables of {list(rounded)!r} miss the sum 1 by up to "
            f"{max(rounded.values()):.3g}; they were divided by their sums"
        )
