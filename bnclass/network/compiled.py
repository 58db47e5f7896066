"""A network or an ensemble as flat arrays for the prediction kernel."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any, NamedTuple

import numpy as np

from bnclass.data.table import EncodedTable
from bnclass.data.variables import Variable
from bnclass.exceptions import FactorError
from bnclass.factors.base import Factor
from bnclass.factors.categorical import CategoricalCPD
from bnclass.factors.linear_gaussian import CLGCPD, log_height
from bnclass.factors.sparse import SparseCategoricalCPD
from bnclass.network.compiled_arrays import CLASS, N_DENSITY, Bools, Factors, Floats, Ints, Members
from bnclass.network.compiled_sparse import flatten_sparse
from bnclass.network.membership import SuperparentSeen
from bnclass.statistics.threads import in_spans
from bnclass.structure.dag import Structure

_ROWS_A_BLOCK = 4096


class _Flat(NamedTuple):
    """One factor as the kernel reads it."""

    parameters: Floats
    n_cells: int
    columns: list[int]
    strides: list[int]
    numbers: list[int]
    child: int


@dataclass(frozen=True)
class CompiledJoint:
    """Members, factors and gates, flattened.

    Parameters
    ----------
    attributes : tuple of Variable
        The columns that codes must have, in order; the continuous ones are those of numbers.
    members : tuple of (Structure, tuple of factors)
    weights : ndarray of shape (n_members,), float64
    n_classes : int
        1 without a class node.
    membership : SuperparentSeen, optional
    resolutions : mapping of hashable to float, optional
        What the density of each of these nodes is multiplied by.
    of_posteriors : bool, default=False
        Whether members' posteriors are averaged, and not their joints.

    Notes
    -----
    The graph twin of a single member is `bnclass.network.inference.log_joint`.
    """

    attributes: tuple[Variable, ...]
    members: tuple[tuple[Structure, tuple[Factor, ...]], ...]
    weights: Floats
    n_classes: int
    membership: SuperparentSeen | None = None
    resolutions: Mapping[Hashable, float] = field(default_factory=dict)
    of_posteriors: bool = False

    def log_mean(self, table: EncodedTable) -> tuple[Floats, Bools]:
        """Return ln of the weighted mean of the members that serve each row.

        Parameters
        ----------
        table : EncodedTable
            With the attributes in their order.

        Returns
        -------
        log_mean : ndarray of shape (n_rows, n_classes), float64
            NaN in a row that no member serves. Posteriors still want to be normalised, as
            a member that makes every class impossible adds nothing.
        left : ndarray of shape (n_rows,), bool
            The rows that the graph walk must see to: missing numbers want to be integrated
            out, or too many missing states hang together.
        """
        from bnclass.network import kernels  # loads numba, so only for a prediction

        codes, arrays = np.ascontiguousarray(table.codes.T), self._arrays
        assert table.numbers is not None
        numbers = np.ascontiguousarray(table.numbers.T)
        result, left = np.empty((self.n_classes, len(table))), np.zeros(len(table), np.bool_)

        def run(begin: int, end: int) -> None:
            arguments: Any = (codes, numbers, begin, end, *arrays, result, left)
            kernels.log_mean(*arguments)

        in_spans(len(table), _ROWS_A_BLOCK, run)
        return result.T, left

    @cached_property
    def _place(self) -> dict[Hashable, int]:
        return {v.name: i for i, v in enumerate(self.attributes)}

    @cached_property
    def _number_place(self) -> dict[Hashable, int]:
        continuous = (v.name for v in self.attributes if v.is_continuous)
        return {name: i for i, name in enumerate(continuous)}

    @cached_property
    def _arrays(self) -> tuple[Factors, Any, Members, bool]:
        """The kernel's arguments between the rows and the result."""
        listed = [(f, structure.class_node) for structure, fs in self.members for f in fs]
        tables = flatten_sparse(listed, self._place)
        return self._factors(listed), tables, self._members(), self.of_posteriors

    def _factors(self, listed: Sequence[tuple[Factor, Hashable | None]]) -> Factors:
        factors = [self._flatten(factor, class_node) for factor, class_node in listed]
        sparse = np.array([isinstance(factor, SparseCategoricalCPD) for factor, _ in listed])
        zeros = np.zeros((self.n_classes, max([f.n_cells for f in factors], default=1)))
        parameters = [zeros, *(f.parameters for f in factors)]
        return Factors(
            parameters=np.concatenate(parameters, axis=1),
            offsets=_starts([table.shape[1] for table in parameters])[1:-1],
            starts=_starts([len(f.columns) for f in factors]),
            columns=_joined([f.columns for f in factors]),
            strides=_joined([f.strides for f in factors]),
            density_starts=_starts([len(f.numbers) for f in factors]),
            density_columns=_joined([f.numbers for f in factors]),
            sparse=np.where(sparse, np.cumsum(sparse) - 1, -1).astype(np.int64),
            children=np.array([f.child for f in factors], np.int64),
            cards=np.array([0 if v.is_continuous else v.card for v in self.attributes], np.int64),
        )

    def _members(self) -> Members:
        starts = _starts([len(factors) for _, factors in self.members])
        with np.errstate(divide="ignore"):
            log_weights = np.log(self.weights)
        orders = [_children_first(*member) for member in self.members]
        return Members(
            starts,
            np.concatenate([np.empty(0, np.int64), *map(np.add, orders, starts)]),
            log_weights,
            *self._gates(),
        )

    def _flatten(self, factor: Factor, class_node: Hashable | None) -> _Flat:
        """Return a factor's parameters with the class first, and the columns they go by."""
        if isinstance(factor, SparseCategoricalCPD):
            return self._family_alone(factor)
        table, numbers = _cells_of(factor, self.resolutions.get(factor.variable.name, 1.0))
        axes = [v for v in (*factor.parents, factor.variable) if not v.is_continuous]
        names = [v.name for v in axes]
        if class_node in names:
            table = np.moveaxis(table, names.index(class_node), 0)
            names.remove(class_node)
        else:
            table = np.broadcast_to(table, (self.n_classes, *table.shape))
        strides = [prod(table.shape[i + 2 :]) for i in range(len(names))]
        return _Flat(
            table.reshape(self.n_classes, -1),
            table.shape[-1],
            [self._place[n] for n in (*names, *numbers)],
            [*strides, *(0 for _ in numbers)],
            [self._number_place[n] for n in numbers],
            self._place.get(factor.variable.name, CLASS),
        )

    def _family_alone(self, factor: SparseCategoricalCPD) -> _Flat:
        """Return a factor without parameters; see `flatten_sparse` for these."""
        names = [v.name for v in (*factor.parents, factor.variable)]
        columns = [self._place[n] for n in names if n in self._place]
        child = self._place.get(factor.variable.name, CLASS)
        return _Flat(np.empty((self.n_classes, 0)), 1, columns, [0] * len(columns), [], child)

    def _gates(self) -> tuple[Ints, Ints, Bools]:
        """Return each member's gate column, where its gate begins, and all gates in a row."""
        none = np.empty(0, dtype=np.bool_)
        if self.membership is None:
            n = len(self.members)
            return np.full(n, len(self.attributes), np.int64), _starts([0] * n), none
        gates = self.membership.gates
        columns = np.array([self._place[s] for s in self.membership.superparents], dtype=np.int64)
        return columns, _starts([len(g) for g in gates]), np.concatenate([none, *gates])


def _children_first(structure: Structure, factors: Sequence[Factor]) -> Ints:
    place = {factor.variable.name: f for f, factor in enumerate(factors)}
    return np.array([place[n] for n in reversed(structure.topological_order)], np.int64)


def _starts(lengths: Sequence[int]) -> Ints:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64)


def _joined(parts: Sequence[Sequence[int]]) -> Ints:
    return np.array([value for part in parts for value in part], dtype=np.int64)


def _cells_of(factor: Factor, resolution: float) -> tuple[Floats, list[Hashable]]:
    """Return what the kernel reads in each configuration, last axis, and the numbers it needs."""
    if isinstance(factor, CategoricalCPD):
        return factor.log_table[..., np.newaxis], []
    if not isinstance(factor, CLGCPD):
        raise FactorError(f"{factor!r}: the compiled kernel serves tables and Gaussians only")
    numbers = [v.name for v in (factor.variable, *factor.continuous_parents)]
    if factor.is_constant:
        return np.zeros((*factor.variance.shape, N_DENSITY + len(numbers) - 1)), numbers
    height = np.log(resolution) + log_height(factor.variance)
    parts = np.stack([height, -0.5 / factor.variance, factor.intercept], axis=-1)
    return np.concatenate([parts, factor.coefficients], axis=-1), numbers
