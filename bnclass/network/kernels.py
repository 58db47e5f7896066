"""The compiled prediction loop; importing this module loads numba.

Rows are worked off in small blocks, one factor at a time: the factor's table and the
block's codes then stay in the fastest cache, and the inner loops run over rows that do
not depend on each other.
"""

import numba
import numpy as np
import numpy.typing as npt

from bnclass.network.compiled_arrays import CLASS, N_DENSITY, ZERO_CELL, Factors, Members
from bnclass.network.hidden_kernels import add_hidden
from bnclass.network.sparse_kernels import SparseTables, add_sparse_table

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]

_BLOCK = 256


@numba.njit(nogil=True, cache=True)
def _load_block(
    codes: Codes, numbers: Floats, start: int, values: Codes, reals: Floats, holes: Bools
) -> None:
    """Copy a block of rows, and note which attributes have missing cells in it."""
    n_rows = values.shape[1]
    for i in range(codes.shape[0]):
        smallest = 0
        for r in range(n_rows):
            values[i, r] = codes[i, start + r]
            smallest = min(smallest, values[i, r])
        holes[i] = smallest < 0
    for i in range(numbers.shape[0]):
        for r in range(n_rows):
            x = numbers[i, start + r]
            reals[i, r] = x if x == x else 0.0


@numba.njit(nogil=True, cache=True)
def _open_gate(values: Codes, gate: Bools, log_weight: float, weight: Floats, sums: Floats) -> None:
    """Start a member's sums: its log weight where it serves the row, else -inf."""
    for r in range(sums.shape[1]):
        serves = len(gate) == 0 or (values[r] >= 0 and gate[values[r]])
        if serves:
            weight[r] += np.exp(log_weight)
        for c in range(sums.shape[0]):
            sums[c, r] = log_weight if serves else -np.inf


@numba.njit(nogil=True, cache=True)
def _find_cells(
    values: Codes, holes: Bools, offset: int, columns: Ints, strides: Ints, cells: Ints
) -> bool:
    """Write where each row's parameters begin; return whether that is the same for all rows.

    It is for a density under the class and numbers alone: see `_add_density`.
    """
    n_rows = len(cells)
    cells[:] = offset
    uniform = True
    for p in range(len(columns)):
        column, stride = values[columns[p]], strides[p]
        if stride > 0:
            uniform = False
            for r in range(n_rows):
                cells[r] += column[r] * stride
    for p in range(len(columns)):
        if holes[columns[p]]:
            uniform = False
            column = values[columns[p]]
            for r in range(n_rows):
                if column[r] < 0:
                    cells[r] = ZERO_CELL
    return uniform


@numba.njit(nogil=True, cache=True)
def _note_hidden(values: Codes, holes: Bools, columns: Ints, child: int, hidden: Bools) -> None:
    """Mark the rows in which a known child has a missing parent; in others those are barren."""
    for p in columns:
        if holes[p] and p != child:
            parent = values[p]
            for r in range(len(hidden)):
                hidden[r] |= (parent[r] < 0) & (child == CLASS or values[child, r] >= 0)


@numba.njit(nogil=True, cache=True)
def _add_table(parameters: Floats, cells: Ints, sums: Floats) -> None:
    """Add a table's log probabilities to a member's sums."""
    for c in range(sums.shape[0]):
        total, table = sums[c], parameters[c]
        for r in range(sums.shape[1]):
            total[r] += table[cells[r]]


@numba.njit(nogil=True, cache=True)
def _add_density(
    parameters: Floats, cells: Ints, uniform: bool, reals: Floats, family: Ints, sums: Floats
) -> None:
    """Add a linear Gaussian's log densities to a member's sums, child first in `family`."""
    n_rows = sums.shape[1]
    deviation = np.empty(n_rows)
    for c in range(sums.shape[0]):
        total, table = sums[c], parameters[c]
        child = reals[family[0]]
        if uniform:
            # Parameters that are the same for all rows stay in registers and the loops become
            # vector instructions: GAODE predicts in about half the time.
            start = cells[0]
            height, precision, intercept = table[start], table[start + 1], table[start + 2]
            for r in range(n_rows):
                deviation[r] = child[r] - intercept
            for p in range(1, len(family)):
                parent, slope = reals[family[p]], table[start + N_DENSITY + p - 1]
                for r in range(n_rows):
                    deviation[r] -= slope * parent[r]
            for r in range(n_rows):
                total[r] += height + precision * deviation[r] * deviation[r]
        else:
            for r in range(n_rows):
                deviation[r] = child[r] - table[cells[r] + 2]
            for p in range(1, len(family)):
                parent = reals[family[p]]
                for r in range(n_rows):
                    deviation[r] -= table[cells[r] + N_DENSITY + p - 1] * parent[r]
            for r in range(n_rows):
                start = cells[r]
                total[r] += table[start] + table[start + 1] * deviation[r] * deviation[r]


@numba.njit(nogil=True, cache=True)
def _add_hidden(
    values: Codes,
    reals: Floats,
    hidden: Bools,
    order: Ints,
    factors: Factors,
    sums: Floats,
    left: Bools,
) -> None:
    """Add what was left out of a member in the marked rows, or note that it cannot be done."""
    n_attributes = len(factors.cards)
    for r in range(sums.shape[1]):
        if hidden[r] and not left[r] and sums[:, r].max() > -np.inf:
            row = values[:n_attributes, r].copy()
            left[r] = not add_hidden(row, reals[:, r], order, factors, sums[:, r])


@numba.njit(nogil=True, cache=True)
def _fold_member(sums: Floats, peak: Floats, total: Floats) -> None:
    """Add exp(sums) to the running total, kept as total · exp(peak) so that nothing underflows."""
    for c in range(sums.shape[0]):
        for r in range(sums.shape[1]):
            log = sums[c, r]
            if log > peak[c, r]:
                total[c, r] = total[c, r] * np.exp(peak[c, r] - log) + 1.0
                peak[c, r] = log
            elif log > -np.inf:
                total[c, r] += np.exp(log - peak[c, r])


@numba.njit(nogil=True, cache=True)
def _take_posterior(log_weight: float, sums: Floats) -> None:
    """Turn a member's weighted joint into its weighted posterior; all at -inf stays so."""
    for r in range(sums.shape[1]):
        peak, total = -np.inf, 0.0
        for c in range(sums.shape[0]):
            peak = max(peak, sums[c, r])
        if peak > -np.inf:
            for c in range(sums.shape[0]):
                total += np.exp(sums[c, r] - peak)
            evidence = peak + np.log(total) - log_weight
            for c in range(sums.shape[0]):
                sums[c, r] -= evidence


@numba.njit(nogil=True, cache=True, error_model="numpy")
def log_mean(
    codes: Codes,
    numbers: Floats,
    begin: int,
    end: int,
    factors: Factors,
    tables: SparseTables,
    members: Members,
    of_posteriors: bool,
    result: Floats,
    left: Bools,
) -> None:
    """Write ln Σ_m w_m P_m(y, x) / Σ_m w_m over the members that serve each row.

    With `of_posteriors` P_m(y | x) takes the place of P_m(y, x).

    Graph twins: `bnclass.network.inference.log_joint` for one network and
    `NetworkEnsemble` with ``engine="graph"`` for several.

    Parameters
    ----------
    codes : ndarray of shape (n_attributes, n_rows), int32
    numbers : ndarray of shape (n_continuous, n_rows), float64
    begin, end : int
        The rows to work off.
    factors : Factors
    tables : SparseTables
        The factors that are sparse tables; they have no parameters elsewhere.
    members : Members
    of_posteriors : bool
    result : ndarray of shape (n_classes, n_rows), float64
        Written; a row that no member serves becomes NaN.
    left : ndarray of shape (n_rows,), bool
        Set for the rows that the graph walk must see to.
    """
    n_classes, n_attributes = factors.parameters.shape[0], codes.shape[0]
    for start in range(begin, end, _BLOCK):
        n_rows = min(_BLOCK, end - start)
        # One row more than attributes, so that a member without a gate has a column to ignore.
        values = np.zeros((n_attributes + 1, n_rows), np.int32)
        reals = np.empty((numbers.shape[0], n_rows))
        holes, hidden = np.empty(n_attributes, np.bool_), np.empty(n_rows, np.bool_)
        cells, weight = np.empty(n_rows, np.int64), np.zeros(n_rows)
        sums, total = np.empty((n_classes, n_rows)), np.zeros((n_classes, n_rows))
        peak, logs = np.full((n_classes, n_rows), -np.inf), np.empty((n_classes, n_rows))
        _load_block(codes, numbers, start, values, reals, holes)
        for m in range(len(members.log_weights)):
            gate = members.gates[members.gate_starts[m] : members.gate_starts[m + 1]]
            log_weight = members.log_weights[m]
            hidden[:] = False
            _open_gate(values[members.gate_columns[m]], gate, log_weight, weight, sums)
            for f in range(members.starts[m], members.starts[m + 1]):
                family = slice(factors.starts[f], factors.starts[f + 1])
                columns, child = factors.columns[family], factors.children[f]
                _note_hidden(values, holes, columns, child, hidden)
                if factors.sparse[f] >= 0:
                    add_sparse_table(tables, factors.sparse[f], values, holes, logs, sums)
                    continue
                strides = factors.strides[family]
                uniform = _find_cells(values, holes, factors.offsets[f], columns, strides, cells)
                density = factors.density_columns[
                    factors.density_starts[f] : factors.density_starts[f + 1]
                ]
                if len(density) == 0:
                    _add_table(factors.parameters, cells, sums)
                else:
                    _add_density(factors.parameters, cells, uniform, reals, density, sums)
            order = members.order[members.starts[m] : members.starts[m + 1]]
            _add_hidden(values, reals, hidden, order, factors, sums, left[start : start + n_rows])
            if of_posteriors:
                _take_posterior(log_weight, sums)
            _fold_member(sums, peak, total)
        for c in range(n_classes):
            for r in range(n_rows):
                mean = peak[c, r] + np.log(total[c, r]) - np.log(weight[r])
                result[c, start + r] = mean if weight[r] > 0.0 else np.nan
