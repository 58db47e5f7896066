"""A training table in plain Python, and the one count every formula is made of.

The oracle is a second, slow and literal reading of the formulas. It imports nothing but the
standard library and shares no line with the package. All arithmetic on counts is exact: weights
are integers or fractions, so that a zero is a zero and a sum of probabilities is 1 without
tolerance.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import wraps
from typing import Any

Value = Hashable
Row = tuple[Value | None, ...]  # one state per attribute, None where missing
Number = int | Fraction

Y = "the class"  # names the class in F, where attributes are named by their column number


@dataclass(frozen=True, eq=False)
class Table:
    """Training rows with positive weight, the declared states and the observed classes."""

    rows: list[Row]
    labels: list[Value]
    weights: list[Number]
    domains: list[tuple[Value, ...]]
    classes: tuple[Value, ...]
    memo: dict[Any, Any] = field(default_factory=dict, repr=False)

    @property
    def n(self) -> int:
        """Number of attributes."""
        return len(self.domains)

    def size(self, variable: Value) -> int:
        """Number of declared states of an attribute; of the class: K."""
        return len(self.classes) if variable == Y else len(self.domains[variable])


def make_table(
    rows: Sequence[Sequence[Value | None]],
    labels: Sequence[Value],
    weights: Sequence[float] | None = None,
    domains: Sequence[Sequence[Value] | None] | None = None,
) -> Table:
    """Build a table; an attribute without a declared domain gets its observed values ascending."""
    weights = [1] * len(rows) if weights is None else weights
    # Rows of weight 0 go before everything else: they add no class and no state.
    kept = [(tuple(r), y, exact(w)) for r, y, w in zip(rows, labels, weights, strict=True) if w]
    declared = [None] * len(kept[0][0]) if domains is None else domains
    table = Table(
        rows=[row for row, _, _ in kept],
        labels=[label for _, label, _ in kept],
        weights=[weight for _, _, weight in kept],
        domains=[
            tuple(sorted({row[i] for row, _, _ in kept} - {None}))
            if states is None
            else tuple(states)
            for i, states in enumerate(declared)
        ],
        classes=tuple(sorted({label for _, label, _ in kept})),
    )
    for row in table.rows:
        if any(x is not None and x not in table.domains[i] for i, x in enumerate(row)):
            raise ValueError(f"training row {row!r} holds an undeclared state")
    return table


def exact(number: float) -> Number:
    """Return a weight or a smoothing parameter without rounding, as an int where it is one."""
    fraction = number if isinstance(number, Fraction) else Fraction(float(number))
    return fraction.numerator if fraction.denominator == 1 else fraction


def remembered(function: Callable[..., Any]) -> Callable[..., Any]:
    """Keep the results of a function of (table, ...) in the table."""

    @wraps(function)
    def wrapper(table: Table, *arguments: Hashable) -> Any:
        key = (function.__module__, function.__qualname__, arguments)
        if key not in table.memo:
            table.memo[key] = function(table, *arguments)
        return table.memo[key]

    return wrapper


def F(table: Table, *named: tuple[Value, Value]) -> Number:  # noqa: N802 - the formulas' name
    """Weight of the rows in which every variable named is observed and has the named value.

    Example: ``F(table, (0, "young"), (Y, "soft"))``; ``F(table)`` is t.
    """
    variables = tuple(variable for variable, _ in named)
    values = tuple(value for _, value in named)
    return contingency(table, variables).get(values, 0)


@remembered
def contingency(table: Table, variables: tuple[Value, ...]) -> dict[tuple[Value, ...], Number]:
    """Weights of all value combinations, from the rows in which all the variables are observed."""
    counts: dict[tuple[Value, ...], Number] = {}
    for row, label, weight in zip(table.rows, table.labels, table.weights, strict=True):
        values = tuple(label if variable == Y else row[variable] for variable in variables)
        if None not in values:
            counts[values] = counts.get(values, 0) + weight
    return counts


def known(table: Table, row: Sequence[Value | None]) -> Row:
    """Return a query row in which a value outside the declared states counts as missing."""
    return tuple(x if x in table.domains[i] else None for i, x in enumerate(row))


def without_wholly_missing(table: Table) -> tuple[Table, tuple[int, ...]]:
    """Leave out the attributes no training row has observed; also return the columns kept."""
    kept = tuple(i for i in range(table.n) if contingency(table, (i,)))
    smaller = Table(
        rows=[project(row, kept) for row in table.rows],
        labels=table.labels,
        weights=table.weights,
        domains=[table.domains[i] for i in kept],
        classes=table.classes,
    )
    return smaller, kept


def project(row: Sequence[Value | None], columns: Sequence[int]) -> Row:
    """Return the cells of the given columns."""
    return tuple(row[i] for i in columns)
