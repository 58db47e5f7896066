"""The compiled prediction loop; importing this module loads numba."""

import numba
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@numba.njit(nogil=True, cache=True, error_model="numpy")
def log_joint(
    codes: npt.NDArray[np.int32],
    tables: Floats,
    factor_offsets: Ints,
    factor_starts: Ints,
    columns: Ints,
    strides: Ints,
    member_starts: Ints,
    log_weights: Floats,
    gate_columns: Ints,
    gate_starts: Ints,
    gates: npt.NDArray[np.bool_],
    result: Floats,
) -> None:
    """Write ln Σ_m w_m P_m(y, x) / Σ_m w_m over the members that serve each row.

    Graph twins: `bnclass.network.inference.log_joint` for one network and
    `NetworkEnsemble.log_joint(engine="graph")` for several. A factor with a missing cell is
    skipped, which is exact where missing nodes are barren; other rows never come here.

    Parameters
    ----------
    codes : ndarray of shape (n_rows, n_attributes), int32
    tables : ndarray of shape (n_cells, n_classes), float64
        Log tables of all factors one after another, the class last.
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
        The attribute whose value decides whether the member serves a row; -1 for always.
    gate_starts : ndarray of shape (n_members,), int64
        Where in `gates` the values of that attribute begin.
    gates : ndarray of bool
    result : ndarray of shape (n_rows, n_classes), float64
        Written; a row that no member serves becomes NaN.
    """
    n_classes = tables.shape[1]
    peak, total, sums = np.empty(n_classes), np.empty(n_classes), np.empty(n_classes)
    for r in range(codes.shape[0]):
        row = codes[r]
        weight = 0.0
        peak[:] = -np.inf
        total[:] = 0.0
        for m in range(len(log_weights)):
            if gate_columns[m] >= 0:
                value = row[gate_columns[m]]
                if value < 0 or not gates[gate_starts[m] + value]:
                    continue
            weight += np.exp(log_weights[m])
            sums[:] = log_weights[m]
            for f in range(member_starts[m], member_starts[m + 1]):
                cell = factor_offsets[f]
                known = True
                for p in range(factor_starts[f], factor_starts[f + 1]):
                    value = row[columns[p]]
                    known = known and value >= 0
                    cell += value * strides[p]
                if known:
                    for c in range(n_classes):
                        sums[c] += tables[cell, c]
            for c in range(n_classes):
                if sums[c] > peak[c]:
                    total[c] = total[c] * np.exp(peak[c] - sums[c]) + 1.0
                    peak[c] = sums[c]
                elif sums[c] > -np.inf:
                    total[c] += np.exp(sums[c] - peak[c])
        for c in range(n_classes):
            if weight == 0.0:
                result[r, c] = np.nan
            else:
                result[r, c] = peak[c] + np.log(total[c]) - np.log(weight)
