"""AODE with subsumption resolution, lazily per row."""

from collections.abc import Sequence

from oracle.posteriors import Joint, aode_joint, aode_posterior
from oracle.smoothing import Smoothing
from oracle.tables import F, Row, Table, Value, known


def is_subsumed(table: Table, row: Row, j: int, min_frequency: float) -> bool:
    """Tell whether some other value of the row implies xj, and is the one to keep."""
    for i in range(table.n):
        if i == j or row[i] is None or row[j] is None:
            continue
        f_i, f_j = F(table, (i, row[i])), F(table, (j, row[j]))
        implied = f_i == F(table, (i, row[i]), (j, row[j]))
        if implied and f_i >= min_frequency and (f_j != f_i or i < j):
            return True
    return False


def subsumed(table: Table, row: Sequence[Value | None], min_frequency: float = 100) -> set[int]:
    """Return the attributes that neither parent nor child may be in this row.

    All are judged against the whole row: also by values that are themselves dropped.
    """
    cells = known(table, row)
    return {j for j in range(table.n) if is_subsumed(table, cells, j, min_frequency)}


def resolved(table: Table, row: Sequence[Value | None], min_frequency: float = 100) -> Row:
    """Return the row with its subsumed values missing: in AODE a missing value has no say."""
    dropped = subsumed(table, row, min_frequency)
    return tuple(None if j in dropped else x for j, x in enumerate(known(table, row)))


def aode_sr_joint(
    table: Table,
    smoothing: Smoothing,
    row: Sequence[Value | None],
    min_frequency: float = 100,
    min_count: float = 1,
) -> Joint:
    """P(y, x) of AODE on the attributes that remain; naive Bayes on them if none can be parent."""
    return aode_joint(table, smoothing, resolved(table, row, min_frequency), min_count)


def aode_sr_posterior(
    table: Table,
    smoothing: Smoothing,
    row: Sequence[Value | None],
    min_frequency: float = 100,
    min_count: float = 1,
) -> list[float]:
    """P(y | x) in class order."""
    return aode_posterior(table, smoothing, resolved(table, row, min_frequency), min_count)
