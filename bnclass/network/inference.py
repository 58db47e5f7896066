"""The graph walk: exact joints by multiplying factors and taking missing cells out.

This module defines every number; the compiled kernel only repeats it faster. Rows are
grouped by their pattern of missing cells. Nodes that are missing and have no known
descendant are barren and drop out. Missing numbers are integrated out first, those that
hang together at once; the missing discrete nodes are then summed out one by one.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bnclass.data.codes import MISSING
from bnclass.data.memory import require_memory
from bnclass.data.table import EncodedTable
from bnclass.factors.base import Factor, Values
from bnclass.network.gaussian_walk import components
from bnclass.network.joint import log_sum_exp
from bnclass.structure.dag import Structure

Floats = npt.NDArray[np.float64]

_CELLS_AT_ONCE = 2**22
_COPIES = 5  # of a potential, while it is made or summed
_YES = np.full(1, True)


# Columns of rows by name: codes of the discrete attributes, numbers of the continuous ones.
Columns = Mapping[Hashable, npt.NDArray[Any]]


@dataclass(frozen=True)
class _Term:
    """What becomes one potential: a factor, or all that missing numbers tie together."""

    names: tuple[Hashable, ...]
    log_prob: Callable[[Values], Floats]
    child: Hashable = None  # whose missing cells leave the term out; components see to theirs
    width: int = 1  # cells of memory for each cell of the potential


@dataclass(frozen=True)
class _Potential:
    """A log table over rows, classes and the missing nodes in its scope, in that order."""

    scope: tuple[Hashable, ...]
    logs: Floats


def log_joint(
    structure: Structure,
    factors: Mapping[Hashable, Factor],
    table: EncodedTable,
    *,
    common: bool = True,
) -> Floats:
    """Return ln P(y, observed cells) of every row and class, missing cells taken out exactly.

    Parameters
    ----------
    structure : Structure
    factors : mapping of node to Factor
    table : EncodedTable
        Its labels are not looked at.
    common : bool, default=True
        Whether what all classes have in common counts; posteriors do without.

    Returns
    -------
    ndarray of shape (n_rows, n_classes), float64
        One column for a network without a class.

    Raises
    ------
    MemoryLimitError
        If eliminating the missing cells needs a table that would not fit.
    """
    names = structure.attributes
    continuous = [n for n in names if factors[n].variable.is_continuous]
    codes, numbers = table.codes_of(names), table.numbers_of(continuous)
    n_classes = 1 if structure.class_node is None else _card(factors, structure.class_node)
    result = np.empty((len(table), n_classes))
    for rows, hidden in _groups(structure, codes):
        seen = {n for n, code in zip(names, codes[rows].T, strict=True) if (code != MISSING).any()}
        walk = _Walk(structure, factors, hidden, seen)
        for chunk in np.array_split(rows, -(-len(rows) // walk.rows_at_once(n_classes))):
            values = _Rows(
                {
                    **dict(zip(names, codes[chunk].T.clip(min=0), strict=True)),
                    **dict(zip(continuous, numbers[chunk].T, strict=True)),
                },
                dict(zip(names, (codes[chunk] != MISSING).T, strict=True)),
            )
            result[chunk] = walk.log_joint(values, len(chunk), n_classes, common)
    return result


def log_table(
    structure: Structure,
    factors: Mapping[Hashable, Factor],
    known: Mapping[Hashable, int | float],
    kept: Sequence[Hashable],
) -> tuple[Floats, tuple[Hashable, ...]]:
    """Return ln P(y, kept nodes, known values), all other nodes taken out exactly.

    Parameters
    ----------
    structure : Structure
    factors : mapping of node to Factor
    known : mapping of node to code or number
        The class in it has no effect.
    kept : sequence of hashable
        Discrete attributes, none of them known.

    Returns
    -------
    logs : ndarray of shape (n_classes, card of each kept node in turn), float64
        One class for a network without a class node.
    axes : tuple of hashable
        The kept nodes in the order of the axes.

    Raises
    ------
    MemoryLimitError
        If it, or a table on the way, would not fit.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass import TAN, load_dataset
    >>> from bnclass.network.inference import log_table
    >>> network = TAN().fit(*load_dataset("monks-1")).network_
    >>> logs, axes = log_table(network.structure, network.factors, {"a5": 0}, ["a2", "a1"])
    >>> axes, logs.shape
    (('a1', 'a2'), (2, 3, 3))
    """
    names = structure.attributes
    seen = {n for n in names if n in known}
    is_known = np.array([[n in seen or n in kept for n in names]], np.bool_)
    below = _with_known_descendants(structure, is_known)[0]
    hidden = {n for n, is_above in zip(names, below, strict=True) if is_above} - seen
    walk = _Walk(structure, factors, hidden | set(kept), seen, kept)
    n_classes = 1 if structure.class_node is None else _card(factors, structure.class_node)
    walk.rows_at_once(n_classes)  # refuses what would not fit
    rows = _Rows({n: np.array([known[n]]) for n in seen}, {})
    return walk.log_joint(rows, 1, n_classes, common=True)[0], walk.kept


def _card(factors: Mapping[Hashable, Factor], node: Hashable) -> int:
    return factors[node].variable.card


def _groups(
    structure: Structure, codes: npt.NDArray[np.int32]
) -> Iterator[tuple[npt.NDArray[np.int64], set[Hashable]]]:
    """Yield rows that have the same missing nodes to take out, and these nodes.

    They are those with a known descendant; others are barren, and may differ in a group.
    """
    if not len(codes):
        return
    names = structure.attributes
    taken_out = _with_known_descendants(structure, codes != MISSING) & (codes == MISSING)
    patterns, which = np.unique(np.packbits(taken_out, axis=1), axis=0, return_inverse=True)
    order = np.argsort(which.ravel(), kind="stable")
    ends = np.cumsum(np.bincount(which.ravel(), minlength=len(patterns)))
    for rows in np.split(order, ends[:-1]):
        yield rows, {n for n, out in zip(names, taken_out[rows[0]], strict=True) if out}


def _with_known_descendants(
    structure: Structure, known: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """Return for each row which attributes have a known descendant; the class is known."""
    place = {name: i for i, name in enumerate(structure.attributes)}
    found = np.zeros_like(known)
    for node in reversed(structure.topological_order):
        for parent in structure.parents(node):
            if parent == structure.class_node:
                continue
            below = True if node not in place else known[:, place[node]] | found[:, place[node]]
            found[:, place[parent]] |= below
    return found


@dataclass(frozen=True)
class _Rows:
    """Columns of rows by name, and which of their cells are known.

    Codes of discrete attributes, 0 where missing; numbers of continuous ones, NaN where
    missing.
    """

    columns: Columns
    known: Mapping[Hashable, npt.NDArray[np.bool_]]


class _Walk:
    """The plan for a group of rows: which terms matter, which nodes to take out in what order.

    A node that is missing, but not taken out, is barren: in that row its factor is left out.
    Hidden nodes that are kept become axes of the answer, after those of rows and classes.
    """

    def __init__(
        self,
        structure: Structure,
        factors: Mapping[Hashable, Factor],
        hidden: set[Hashable],
        seen: set[Hashable],
        kept: Sequence[Hashable] = (),
    ) -> None:
        needed = hidden | seen | {structure.class_node}
        relevant = [factors[n] for n in structure.topological_order if n in needed]
        self._class_node = structure.class_node
        self._hidden = [n for n in structure.nodes if n in hidden]
        numbers = {n for n in self._hidden if factors[n].variable.is_continuous}
        self._cards = {n: _card(factors, n) for n in self._hidden if n not in numbers}
        self.kept = tuple(n for n in self._cards if n in kept)
        self._terms = _terms(relevant, numbers)
        self._order, peak = self._plan([n for n in self._cards if n not in kept])
        self._peak = max(peak, self._size(set(self.kept)))

    def _scope(self, term: _Term) -> tuple[Hashable, ...]:
        return tuple(n for n in self._cards if n in term.names)

    def _plan(self, hidden: list[Hashable]) -> tuple[list[Hashable], int]:
        """Return an elimination order, smallest resulting table first, and the largest table."""
        scopes = [set(self._scope(t)) for t in self._terms]
        widths = [t.width * self._size(s) for t, s in zip(self._terms, scopes, strict=True)]
        peak, order = max(widths, default=1), []
        while hidden:
            merged = {n: set().union(*(s for s in scopes if n in s)) for n in hidden}
            sizes = {n: self._size(merged[n]) for n in hidden}
            node = min(hidden, key=lambda n: sizes[n])
            scopes = [s for s in scopes if node not in s] + [merged[node] - {node}]
            peak = max(peak, sizes[node])
            order.append(node)
            hidden = [n for n in hidden if n != node]
        return order, peak

    def _size(self, scope: set[Hashable]) -> int:
        size = 1
        for node in scope:
            size *= self._cards[node]
        return size

    def rows_at_once(self, n_classes: int) -> int:
        require_memory(
            _COPIES * self._peak * n_classes, f"summing out the missing cells {self._hidden!r}"
        )
        return max(1, _CELLS_AT_ONCE // (self._peak * n_classes))

    def log_joint(self, rows: _Rows, n_rows: int, n_classes: int, common: bool) -> Floats:
        potentials = [self._potential(t, rows, n_classes) for t in self._terms]
        for node in self._order:
            potentials = self._eliminate(potentials, node)
        total = np.zeros((n_rows, n_classes, *(self._cards[n] for n in self.kept)))
        for potential in potentials:
            if common or potential.logs.shape[1] > 1:
                total += self._aligned(potential, self.kept)
        return total

    def _potential(self, term: _Term, rows: _Rows, n_classes: int) -> _Potential:
        """Ask a term for every row, class and value of the missing discrete nodes it names."""
        scope = self._scope(term)
        ndim = 2 + len(scope)
        values: dict[object, npt.NDArray[Any]] = {}
        for name in term.names:
            if name == self._class_node:
                values[name] = _along(np.arange(n_classes), 1, ndim)
            elif name in scope:
                values[name] = _along(np.arange(self._cards[name]), 2 + scope.index(name), ndim)
            else:
                values[name] = _along(rows.columns[name], 0, ndim)
        known = rows.known.get(term.child, _YES)
        if term.child in scope or known.all():
            return _Potential(scope, term.log_prob(values))
        values = {name: np.nan_to_num(value) for name, value in values.items()}
        logs = np.where(_along(known, 0, ndim), term.log_prob(values), 0.0)
        return _Potential(scope, logs)

    def _eliminate(self, potentials: list[_Potential], node: Hashable) -> list[_Potential]:
        involved = [p for p in potentials if node in p.scope]
        scope = tuple(n for n in self._cards if any(n in p.scope for p in involved))
        total: Floats = np.zeros((1,) * (2 + len(scope)))
        for potential in involved:
            total = total + self._aligned(potential, scope)
        summed = log_sum_exp(total, axis=2 + scope.index(node))
        rest = [p for p in potentials if node not in p.scope]
        return [*rest, _Potential(tuple(n for n in scope if n != node), summed)]

    @staticmethod
    def _aligned(potential: _Potential, scope: tuple[Hashable, ...]) -> Floats:
        absent = [2 + i for i, n in enumerate(scope) if n not in potential.scope]
        return np.expand_dims(potential.logs, absent)


def _terms(factors: Sequence[Factor], numbers: set[Hashable]) -> list[_Term]:
    """Return the factors as terms; those with a missing number in their family are tied."""
    families = [tuple(v.name for v in (f.variable, *f.parents)) for f in factors]
    plain = [
        _Term(family, factor.log_prob, factor.variable.name)
        for family, factor in zip(families, factors, strict=True)
        if numbers.isdisjoint(family)
    ]
    tied = components(factors, numbers)
    return plain + [_Term(c.names, c.log_prob, width=c.width) for c in tied]


def _along(values: npt.NDArray[Any], axis: int, ndim: int) -> npt.NDArray[Any]:
    """Return a vector as an array of `ndim` axes that runs along one of them."""
    shape = [1] * ndim
    shape[axis] = -1
    return values.reshape(shape)
