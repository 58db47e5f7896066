"""Mixed tables: the cells of some columns are states, those of others numbers.

A column of numbers has the marker CONTINUOUS for its domain, and exact fractions in its cells. All
else is the table of the discrete oracle, so that its counts and its smoothing hold here too.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from oracle.mdl import mdl_cuts
from oracle.missing import mode, with_missing_state
from oracle.tables import Row, Table, Value, known, make_table, remembered


class Continuous:
    """The domain of a column of numbers; every number belongs to it."""

    def __contains__(self, cell: Value | None) -> bool:
        return cell is not None

    def __repr__(self) -> str:
        return "CONTINUOUS"


CONTINUOUS = Continuous()

Domain = Continuous | Sequence[Value] | None
Cuts = tuple[float, ...]
Encoder = Callable[[Sequence[Value | None]], Row]


def make_mixed_table(
    rows: Sequence[Sequence[Value | None]],
    labels: Sequence[Value],
    weights: Sequence[float] | None = None,
    *,
    domains: Sequence[Domain],
) -> Table:
    """Build a table; a domain is CONTINUOUS, the declared states, or None for the observed ones."""
    declared = [() if domain is CONTINUOUS else domain for domain in domains]
    cells = [exact_cells(domains, row) for row in rows]
    states = [
        tuple(None if domain is CONTINUOUS else x for x, domain in zip(row, domains, strict=True))
        for row in cells
    ]
    table = make_table(states, labels, weights, declared)
    kept = cells if weights is None else [r for r, w in zip(cells, weights, strict=True) if w]
    found = [
        CONTINUOUS if domain is CONTINUOUS else observed
        for domain, observed in zip(domains, table.domains, strict=True)
    ]
    return with_domains(table, found, kept)


def with_domains(table: Table, domains: list[Domain], rows: list[Row] | None = None) -> Table:
    """Return the table with other domains (and rows), and nothing remembered."""
    return replace(table, domains=domains, rows=table.rows if rows is None else rows, memo={})


def exact_cells(domains: Sequence[Domain], row: Sequence[Value | None]) -> Row:
    """Turn the numbers of a row into fractions, nan into None; infinities are refused."""
    return tuple(
        exact_number(x) if domain is CONTINUOUS else x
        for x, domain in zip(row, domains, strict=True)
    )


def exact_number(number: float | Fraction | None) -> Fraction | None:
    """Return the fraction a float stands for exactly; None for None and nan."""
    if number is None or math.isnan(number):
        return None
    return number if isinstance(number, Fraction) else Fraction(float(number))


def query(table: Table, row: Sequence[Value | None]) -> Row:
    """Return a query row in exact cells, unknown states missing."""
    return known(table, exact_cells(table.domains, row))


def is_continuous(table: Table, i: int) -> bool:
    """Tell whether an attribute holds numbers."""
    return table.domains[i] is CONTINUOUS


def continuous_columns(table: Table) -> list[int]:
    """Return the columns of numbers."""
    return [i for i in range(table.n) if is_continuous(table, i)]


def discrete_columns(table: Table) -> list[int]:
    """Return the columns of states."""
    return [i for i in range(table.n) if not is_continuous(table, i)]


# --- bins ---------------------------------------------------------------------------------------


@remembered
def mdl_cuts_of(table: Table, i: int) -> Cuts:
    """Return the MDL cuts of a column of numbers, from the rows in which it is observed."""
    rows = zip(table.rows, table.labels, table.weights, strict=True)
    seen = [(row[i], label, weight) for row, label, weight in rows if row[i] is not None]
    return mdl_cuts(*zip(*seen, strict=True))


def bin_of(number: Fraction, cuts: Cuts) -> int:
    """Return the number of the bin (a, b] that holds a number, from 0."""
    return sum(number > cut for cut in cuts)


@remembered
def binned(table: Table, i: int, cuts: Cuts) -> Table:
    """Return the table in which the numbers of column i have become the numbers of their bins."""
    domains = [*table.domains]
    domains[i] = tuple(range(len(cuts) + 1))
    rows = [
        row if row[i] is None else (*row[:i], bin_of(row[i], cuts), *row[i + 1 :])
        for row in table.rows
    ]
    return with_domains(table, domains, rows)


# --- missing cells ------------------------------------------------------------------------------


def training_mean(table: Table, i: int) -> Fraction:
    """Return the mean of the observed numbers of a column, as the nearest double."""
    rows = zip(table.rows, table.weights, strict=True)
    seen = [(row[i], weight) for row, weight in rows if row[i] is not None]
    return Fraction(float(Fraction(sum(x * w for x, w in seen)) / sum(w for _, w in seen)))


def mean_filled(table: Table) -> tuple[Table, Encoder]:
    """Put the training mean into the missing cells of numbers, in training and in queries."""
    return filled(table, {i: training_mean(table, i) for i in continuous_columns(table)})


def mixed_imputed(table: Table) -> tuple[Table, Encoder]:
    """missing="impute": the training mean for numbers, the mode for states."""
    means = {i: training_mean(table, i) for i in continuous_columns(table)}
    return filled(table, means | {i: mode(table, i) for i in discrete_columns(table)})


def mixed_with_missing_state(table: Table) -> tuple[Table, Encoder]:
    """missing="state": the training mean for numbers, one more state where states are missing."""
    without_holes, fill = mean_filled(table)
    extended, encode = with_missing_state(without_holes)
    return extended, lambda row: encode(fill(row))


def filled(table: Table, values: dict[int, Value]) -> tuple[Table, Encoder]:
    """Put a value of its column's own into every missing or unknown cell of the columns named."""

    def encode(row: Sequence[Value | None]) -> Row:
        return tuple(values.get(i) if x is None else x for i, x in enumerate(query(table, row)))

    return with_domains(table, table.domains, [encode(row) for row in table.rows]), encode
