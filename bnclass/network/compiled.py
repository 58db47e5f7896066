"""A network or an ensemble as flat arrays for the prediction kernel."""

import os
from collections.abc import Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from bnclass.data.columns import MISSING
from bnclass.exceptions import FactorError
from bnclass.factors.base import Factor
from bnclass.factors.categorical import CategoricalCPD
from bnclass.network.membership import SuperparentSeen
from bnclass.structure.dag import Structure

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]

_ROWS_A_BLOCK = 4096


@dataclass(frozen=True)
class CompiledJoint:
    """Members, factors and gates, flattened.

    Parameters
    ----------
    attributes : tuple of hashable
        The columns that codes must have, in order.
    members : tuple of (Structure, tuple of factors)
    weights : ndarray of shape (n_members,), float64
    n_classes : int
        1 without a class node.
    membership : SuperparentSeen, optional

    Notes
    -----
    The graph twin of a single member is `bnclass.network.inference.log_joint`.
    """

    attributes: tuple[Hashable, ...]
    members: tuple[tuple[Structure, tuple[Factor, ...]], ...]
    weights: Floats
    n_classes: int
    membership: SuperparentSeen | None = None

    def log_joint(self, codes: Codes) -> Floats:
        """Return ln of the weighted mean joint of the members that serve each row.

        Parameters
        ----------
        codes : ndarray of shape (n_rows, n_attributes), int32
            Rows for which `exact` holds.

        Returns
        -------
        ndarray of shape (n_rows, n_classes), float64
            NaN in a row that no member serves.
        """
        from bnclass.network import kernels  # loads numba, so only for a prediction

        codes, arrays = np.ascontiguousarray(codes), self._arrays
        result = np.empty((len(codes), self.n_classes))
        blocks = [slice(i, i + _ROWS_A_BLOCK) for i in range(0, len(codes), _ROWS_A_BLOCK)]

        def run(block: slice) -> None:
            kernels.log_joint(*(codes[block], *arrays, result[block]))

        if len(blocks) < 2:
            for block in blocks:
                run(block)
            return result
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(run, blocks))
        return result

    def exact(self, codes: Codes) -> npt.NDArray[np.bool_]:
        """Return the rows whose missing cells are barren in every member that serves them.

        Skipping the factors of such cells is exact; other rows need the graph walk.

        Parameters
        ----------
        codes : ndarray of shape (n_rows, n_attributes), int32

        Returns
        -------
        ndarray of shape (n_rows,), bool
        """
        exact = np.full(len(codes), True)
        known = codes != MISSING
        if known.all():
            return exact
        columns = known.T.copy()
        for m, (structure, _) in enumerate(self.members):
            served = self._served(codes, m)
            exact &= ~served | self._barren(structure, columns)
        return exact

    def _served(self, codes: Codes, m: int) -> npt.NDArray[np.bool_]:
        if self.membership is None:
            return np.full(len(codes), True)
        code = codes[:, self._place[self.membership.superparents[m]]]
        served: npt.NDArray[np.bool_] = (code != MISSING) & self.membership.gates[m][code]
        return served

    def _barren(self, structure: Structure, known: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Return the rows in which no missing node has a known child, `known` by column.

        Then none has a known descendant either: on the way down to it, the last missing node
        would be the parent of a known one.
        """
        barren = np.full(known.shape[1], True)
        for parent, child in structure.arcs:
            if parent == structure.class_node:
                continue
            fine = known[self._place[parent]]
            if child != structure.class_node:  # the class is always known
                fine = fine | ~known[self._place[child]]
            barren &= fine
        return barren

    @cached_property
    def _place(self) -> dict[Hashable, int]:
        return {name: i for i, name in enumerate(self.attributes)}

    @cached_property
    def _arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """The kernel's arguments between the codes and the result."""
        from bnclass.network import kernels

        factors = [
            _flatten(factor, structure.class_node, self._place, self.n_classes)
            for structure, members in self.members
            for factor in members
        ]
        zero = np.zeros((self.n_classes, kernels.ZERO_CELL + 1))
        tables = [zero, *(table for table, _, _ in factors)]
        with np.errstate(divide="ignore"):
            log_weights = np.log(self.weights)
        return (
            np.concatenate(tables, axis=1),
            _starts([table.shape[1] for table in tables])[1:-1],
            _starts([len(columns) for _, columns, _ in factors]),
            _joined([columns for _, columns, _ in factors]),
            _joined([strides for _, _, strides in factors]),
            _starts([len(members) for _, members in self.members]),
            log_weights,
            *self._gates(),
        )

    def _gates(self) -> tuple[Ints, Ints, npt.NDArray[np.bool_]]:
        """Return each member's gate column, where its gate begins, and all gates in a row."""
        none = np.empty(0, dtype=np.bool_)
        if self.membership is None:
            n = len(self.members)
            return np.full(n, len(self.attributes), np.int64), _starts([0] * n), none
        gates = self.membership.gates
        columns = np.array([self._place[s] for s in self.membership.superparents], dtype=np.int64)
        return columns, _starts([len(g) for g in gates]), np.concatenate([none, *gates])


def _starts(lengths: Sequence[int]) -> Ints:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64)


def _joined(parts: Sequence[Sequence[int]]) -> Ints:
    return np.array([value for part in parts for value in part], dtype=np.int64)


def _flatten(
    factor: Factor, class_node: Hashable | None, place: dict[Hashable, int], n_classes: int
) -> tuple[Floats, list[int], list[int]]:
    """Return a factor's log table with the class first, and its attributes' columns and strides."""
    if not isinstance(factor, CategoricalCPD):
        raise FactorError(f"{factor!r}: the compiled kernel serves tables only")
    names = [v.name for v in (*factor.parents, factor.variable)]
    logs = factor.log_table
    if class_node in names:
        axis = names.index(class_node)
        logs = np.moveaxis(logs, axis, 0) if axis else logs
        names.pop(axis)
    else:
        logs = np.broadcast_to(logs, (n_classes, *logs.shape))
    strides = [prod(logs.shape[i + 2 :]) for i in range(len(names))]
    return logs.reshape(n_classes, -1), [place[n] for n in names], strides
