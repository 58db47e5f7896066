"""The graph walk: exact joints by multiplying factors and summing missing cells out.

This module defines every number; the compiled kernel only repeats it faster. Rows are
grouped by their pattern of missing cells. Nodes that are missing and have no known
descendant are barren and drop out; the other missing nodes are eliminated one by one.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bnclass.data.columns import MISSING
from bnclass.data.table import EncodedTable
from bnclass.factors.base import Factor
from bnclass.network.joint import log_sum_exp
from bnclass.statistics.memory import require_memory
from bnclass.structure.dag import Structure

Floats = npt.NDArray[np.float64]

_CELLS_AT_ONCE = 2**22


@dataclass(frozen=True)
class _Potential:
    """A log table over rows, classes and the missing nodes in its scope, in that order."""

    scope: tuple[Hashable, ...]
    logs: Floats


def log_joint(
    structure: Structure, factors: Mapping[Hashable, Factor], table: EncodedTable
) -> Floats:
    """Return ln P(y, observed cells) of every row and class, missing cells summed out exactly.

    Parameters
    ----------
    structure : Structure
    factors : mapping of node to Factor
    table : EncodedTable
        Its labels are not looked at.

    Returns
    -------
    ndarray of shape (n_rows, n_classes), float64
        One column for a network without a class.

    Raises
    ------
    MemoryLimitError
        If eliminating the missing cells needs a table that would not fit.
    """
    codes = table.codes_of(structure.attributes)
    n_classes = 1 if structure.class_node is None else _card(factors, structure.class_node)
    result = np.empty((len(table), n_classes))
    for rows, missing in _patterns(codes, structure.attributes):
        walk = _Walk(structure, factors, missing)
        for chunk in np.array_split(rows, -(-len(rows) // walk.rows_at_once(n_classes))):
            result[chunk] = walk.log_joint(codes[chunk], n_classes)
    return result


def _card(factors: Mapping[Hashable, Factor], node: Hashable) -> int:
    return factors[node].variable.card


def _patterns(
    codes: npt.NDArray[np.int32], names: Sequence[Hashable]
) -> Iterator[tuple[npt.NDArray[np.int64], set[Hashable]]]:
    """Yield the rows of each pattern of missing cells, and the names missing in it."""
    if not len(codes):
        return
    packed = np.packbits(codes == MISSING, axis=1)
    patterns, which = np.unique(packed, axis=0, return_inverse=True)
    order = np.argsort(which.ravel(), kind="stable")
    ends = np.cumsum(np.bincount(which.ravel(), minlength=len(patterns)))
    for rows in np.split(order, ends[:-1]):
        holes = codes[rows[0]] == MISSING
        yield rows, {name for name, hole in zip(names, holes, strict=True) if hole}


class _Walk:
    """The plan for one pattern: which factors matter, which nodes to eliminate in what order."""

    def __init__(
        self,
        structure: Structure,
        factors: Mapping[Hashable, Factor],
        missing: set[Hashable],
    ) -> None:
        known = [n for n in structure.nodes if n not in missing]
        needed = _upwards(structure, known)
        self._structure = structure
        self._factors = [factors[n] for n in structure.topological_order if n in needed]
        hidden = [n for n in structure.nodes if n in missing and n in needed]
        self._cards = {n: _card(factors, n) for n in hidden}
        self._order, self._peak = self._plan(hidden)

    def _scope(self, factor: Factor) -> tuple[Hashable, ...]:
        family = {v.name for v in (factor.variable, *factor.parents)}
        return tuple(n for n in self._cards if n in family)

    def _plan(self, hidden: list[Hashable]) -> tuple[list[Hashable], int]:
        """Return an elimination order, smallest resulting table first, and the largest table."""
        scopes = [set(self._scope(f)) for f in self._factors]
        peak, order = 1, []
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
        require_memory(self._peak * n_classes, f"summing out the missing cells {self._order!r}")
        return max(1, _CELLS_AT_ONCE // (self._peak * n_classes))

    def log_joint(self, codes: npt.NDArray[np.int32], n_classes: int) -> Floats:
        columns = dict(zip(self._structure.attributes, codes.T, strict=True))
        potentials = [self._potential(f, columns, n_classes) for f in self._factors]
        for node in self._order:
            potentials = self._eliminate(potentials, node)
        total = np.zeros((len(codes), n_classes))
        for potential in potentials:
            total += potential.logs
        return total

    def _potential(
        self, factor: Factor, columns: dict[Hashable, npt.NDArray[np.int32]], n_classes: int
    ) -> _Potential:
        """Look the factor up for every row, class and value of the missing nodes in its family."""
        scope = self._scope(factor)
        ndim = 2 + len(scope)
        codes: dict[object, npt.NDArray[np.integer]] = {}
        for name in (v.name for v in (factor.variable, *factor.parents)):
            if name == self._structure.class_node:
                codes[name] = _along(np.arange(n_classes), 1, ndim)
            elif name in scope:
                codes[name] = _along(np.arange(self._cards[name]), 2 + scope.index(name), ndim)
            else:
                codes[name] = _along(columns[name], 0, ndim)
        return _Potential(scope, factor.log_prob(codes))

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


def _upwards(structure: Structure, nodes: Sequence[Hashable]) -> set[Hashable]:
    """Return the nodes and all their ancestors."""
    found, pending = set(nodes), list(nodes)
    while pending:
        above = [p for p in structure.parents(pending.pop()) if p not in found]
        found.update(above)
        pending.extend(above)
    return found


def _along(values: npt.NDArray[np.integer], axis: int, ndim: int) -> npt.NDArray[np.integer]:
    """Return a vector as an array of `ndim` axes that runs along one of them."""
    shape = [1] * ndim
    shape[axis] = -1
    return values.reshape(shape)
