"""What `missing="state"` and `missing="impute"` do to discrete attributes.

Each returns the changed training table and the function that changes a query row alike.
An attribute no training row has observed must have been left out before.
"""

from collections.abc import Callable, Sequence

from oracle.tables import F, Row, Table, Value, known


class MissingState:
    """The one more state; unlike any value a column can hold."""

    def __repr__(self) -> str:
        return "<missing>"


MISSING = MissingState()

Encoder = Callable[[Sequence[Value | None]], Row]


def with_missing_state(table: Table) -> tuple[Table, Encoder]:
    """Give each attribute with missing training cells one more state, the last one.

    Missing and unknown cells of a query fall into it; in the other attributes they stay missing.
    """
    extended = [any(row[i] is None for row in table.rows) for i in range(table.n)]

    def encode(row: Sequence[Value | None]) -> Row:
        cells = zip(known(table, row), extended, strict=True)
        return tuple(MISSING if x is None and more else x for x, more in cells)

    domains = [
        (*states, MISSING) if more else states
        for states, more in zip(table.domains, extended, strict=True)
    ]
    return changed(table, encode, domains), encode


def imputed(table: Table) -> tuple[Table, Encoder]:
    """Put the mode in the place of every missing or unknown cell, in training and in queries."""
    modes = [mode(table, i) for i in range(table.n)]

    def encode(row: Sequence[Value | None]) -> Row:
        cells = zip(known(table, row), modes, strict=True)
        return tuple(most if x is None else x for x, most in cells)

    return changed(table, encode, table.domains), encode


def mode(table: Table, i: int) -> Value:
    """Return the state of the largest weight, the first declared one on ties."""
    return max(table.domains[i], key=lambda state: F(table, (i, state)))


def changed(table: Table, encode: Encoder, domains: list[tuple[Value, ...]]) -> Table:
    """Return the table with encoded rows and new domains."""
    return Table(
        rows=[encode(row) for row in table.rows],
        labels=table.labels,
        weights=table.weights,
        domains=domains,
        classes=table.classes,
    )
