"""The compiled prediction loop; importing this module loads numba.

Rows are worked off in small blocks, one factor at a time: the factor's table and the
block's codes then stay in the fastest cache, and the inner loops run over rows that do
not depend on each other.
"""

import numba
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]

ZERO_CELL = 0
"""The cell of every log table row that holds 0: a factor with a missing cell adds nothing."""

_BLOCK = 256


@numba.njit(nogil=True, cache=True)
def _load_block(codes: Codes, values: Codes, holes: Bools) -> None:
    """Turn a block of rows on its side, and note which attributes have missing cells in it."""
    holes[:] = False
    for r in range(codes.shape[0]):
        for i in range(codes.shape[1]):
            values[i, r] = codes[r, i]
            holes[i] |= codes[r, i] < 0


@numba.njit(nogil=True, cache=True)
def _open_gate(
    values: Codes, gates: Bools, log_weight: float, weight: Floats, sums: Floats
) -> None:
    """Start a member's sums: its log weight where it serves the row, else -inf."""
    for r in range(sums.shape[1]):
        serves = len(gates) == 0 or (values[r] >= 0 and gates[values[r]])
        if serves:
            weight[r] += np.exp(log_weight)
        for c in range(sums.shape[0]):
            sums[c, r] = log_weight if serves else -np.inf


@numba.njit(nogil=True, cache=True)
def _add_factor(
    values: Codes,
    holes: Bools,
    offset: int,
    columns: Ints,
    strides: Ints,
    tables: Floats,
    cells: Ints,
    sums: Floats,
) -> None:
    """Add one factor's log probabilities to a member's sums."""
    n_rows = sums.shape[1]
    cells[:] = offset
    for p in range(len(columns)):
        column, stride = values[columns[p]], strides[p]
        for r in range(n_rows):
            cells[r] += column[r] * stride
    for p in range(len(columns)):
        if holes[columns[p]]:
            column = values[columns[p]]
            for r in range(n_rows):
                if column[r] < 0:
                    cells[r] = ZERO_CELL
    for c in range(sums.shape[0]):
        total, table = sums[c], tables[c]
        for r in range(n_rows):
            total[r] += table[cells[r]]


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


@numba.njit(nogil=True, cache=True, error_model="numpy")
def log_joint(
    codes: Codes,
    tables: Floats,
    factor_offsets: Ints,
    factor_starts: Ints,
    columns: Ints,
    strides: Ints,
    member_starts: Ints,
    log_weights: Floats,
    gate_columns: Ints,
    gate_starts: Ints,
    gates: Bools,
    result: Floats,
) -> None:
    """Write ln Σ_m w_m P_m(y, x) / Σ_m w_m over the members that serve each row.

    Graph twins: `bnclass.network.inference.log_joint` for one network and
    `NetworkEnsemble.log_joint(engine="graph")` for several. A factor with a missing cell is
    skipped, which is exact where missing nodes are barren; other rows never come here.

    Parameters
    ----------
    codes : ndarray of shape (n_rows, n_attributes), int32
    tables : ndarray of shape (n_classes, n_cells), float64
        Log tables of all factors one after another; cell 0 is `ZERO_CELL`.
    factor_offsets : ndarray of shape (n_factors,), int64
        First cell of each factor.
    factor_starts : ndarray of shape (n_factors + 1,), int64
        Where the columns and strides of each factor begin.
    columns, strides : ndarray of int64
        The attributes of each factor's family and their strides in its table.
    member_starts : ndarray of shape (n_members + 1,), int64
        Where the factors of each member begin.
    log_weights : ndarray of shape (n_members,), float64
    gate_columns : ndarray of shape (n_members,), int64
        The attribute whose value decides whether the member serves a row.
    gate_starts : ndarray of shape (n_members + 1,), int64
        Where in `gates` the values of that attribute begin; an empty span serves always.
    gates : ndarray of bool
    result : ndarray of shape (n_rows, n_classes), float64
        Written; a row that no member serves becomes NaN.
    """
    n_classes, n_attributes = tables.shape[0], codes.shape[1]
    for start in range(0, codes.shape[0], _BLOCK):
        block = codes[start : start + _BLOCK]
        n_rows = block.shape[0]
        # One row more than attributes, so that a member without a gate has a column to ignore.
        values = np.zeros((n_attributes + 1, n_rows), np.int32)
        holes = np.empty(n_attributes, np.bool_)
        cells, weight = np.empty(n_rows, np.int64), np.zeros(n_rows)
        sums, total = np.empty((n_classes, n_rows)), np.zeros((n_classes, n_rows))
        peak = np.full((n_classes, n_rows), -np.inf)
        _load_block(block, values, holes)
        for m in range(len(log_weights)):
            gate = gates[gate_starts[m] : gate_starts[m + 1]]
            _open_gate(values[gate_columns[m]], gate, log_weights[m], weight, sums)
            for f in range(member_starts[m], member_starts[m + 1]):
                family = slice(factor_starts[f], factor_starts[f + 1])
                _add_factor(
                    values,
                    holes,
                    factor_offsets[f],
                    columns[family],
                    strides[family],
                    tables,
                    cells,
                    sums,
                )
            _fold_member(sums, peak, total)
        for r in range(n_rows):
            for c in range(n_classes):
                mean = peak[c, r] + np.log(total[c, r]) - np.log(weight[r])
                result[start + r, c] = mean if weight[r] > 0.0 else np.nan
