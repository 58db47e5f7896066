"""The measures KST is learned from: of the training rows (global) and of one row (local)."""

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from oracle.measures import conditional_mutual_information, quantise
from oracle.tables import F, Number, Row, Table, Value, Y, contingency, known, remembered

DEPENDENCES = ("class-conditional", "pairwise")

Cell = tuple[Value, Value]  # a variable and its value


class Measures(NamedTuple):
    """The attributes a structure is learned over, and their quantised measures."""

    columns: tuple[int, ...]
    pair: Callable[[int, int], int]
    """(i, j): I(Xi;Xj|Y)."""
    triple: Callable[[int, int, int], int]
    """(i, l, p): I(Xi;Xl|Xp,Y), or I(Xi;Xl|Xp) if the dependence is pairwise."""


def conditions(dependence: str, p: int) -> tuple[Value, ...]:
    """Return what stands right of the bar when Xp is a parent."""
    if dependence not in DEPENDENCES:
        raise ValueError(f"dependence {dependence!r} is none of {DEPENDENCES}")
    return (p, Y) if dependence == "class-conditional" else (p,)


# --- global -------------------------------------------------------------------------------------


def global_measures(table: Table, dependence: str = "class-conditional") -> Measures:
    """Return the measures of the training rows, over all attributes."""

    def pair(i: int, j: int) -> int:
        return quantise(conditional_mutual_information(table, i, j))

    def triple(i: int, other: int, p: int) -> int:
        return quantise(information(table, i, other, conditions(dependence, p)))

    return Measures(tuple(range(table.n)), pair, triple)


@remembered
def information(table: Table, i: int, j: int, given: tuple[Value, ...]) -> float:
    """I(Xi;Xj|given) in nats, from the rows in which all of the variables are observed."""
    cells = contingency(table, (i, j, *given))
    t = sum(cells.values())
    f_i, f_j, f_u = {}, {}, {}
    for (a, b, *u), weight in cells.items():
        u = tuple(u)
        f_i[a, u] = f_i.get((a, u), 0) + weight
        f_j[b, u] = f_j.get((b, u), 0) + weight
        f_u[u] = f_u.get(u, 0) + weight
    terms = []
    for (a, b, *u), weight in cells.items():
        u = tuple(u)
        # P(a,b|u) / (P(a|u) P(b|u)) = F(a,b,u) F(u) / (F(a,u) F(b,u))
        quotient = Fraction(weight * f_u[u], f_i[a, u] * f_j[b, u])
        terms.append(float(Fraction(weight, t)) * math.log(quotient))
    return max(math.fsum(terms), 0.0)


# --- local --------------------------------------------------------------------------------------


def local_measures(
    table: Table, row: Sequence[Value | None], dependence: str = "class-conditional"
) -> Measures:
    """Return the measures of one row, over the attributes it has a known value of."""
    cells = known(table, row)

    def pair(i: int, j: int) -> int:
        return quantise(local_information(table, cells, i, j, (Y,)))

    def triple(i: int, other: int, p: int) -> int:
        return quantise(local_information(table, cells, i, other, conditions(dependence, p)))

    return Measures(tuple(i for i in range(table.n) if cells[i] is not None), pair, triple)


def local_information(table: Table, row: Row, i: int, j: int, given: tuple[Value, ...]) -> float:
    """I(xi;xj|given) in nats: one logarithm per class, without weights; it can be negative."""
    logarithms = []
    for y in table.classes:
        values = tuple((v, y if v == Y else row[v]) for v in given)
        logarithms.append(math.log(local_quotient(table, (i, row[i]), (j, row[j]), values)))
    return math.fsum(logarithms)


@remembered
def local_quotient(
    table: Table, x: Cell, z: Cell, given: tuple[Cell, ...], a: Number = 1
) -> Fraction:
    """P(x,z|given) / (P(x|given) P(z|given)) of Laplace(a) estimates."""
    both = laplace(table, (x, z), given, a)
    return both / (laplace(table, (x,), given, a) * laplace(table, (z,), given, a))


@remembered
def laplace(table: Table, left: tuple[Cell, ...], given: tuple[Cell, ...], a: Number) -> Fraction:
    """P(left|given), over the rows in which the variables left and right are observed."""
    variables = [variable for variable, _ in left]
    total = cells = 0
    for values in product(*(table.domains[variable] for variable in variables)):
        total += F(table, *sorted_cells(zip(variables, values, strict=True), given))
        cells += 1
    return Fraction(F(table, *sorted_cells(left, given)) + a, total + a * cells)


def sorted_cells(left: Iterable[Cell], given: Iterable[Cell]) -> list[Cell]:
    """Return the cells, attributes ascending and the class last: one contingency serves all."""
    return sorted((*left, *given), key=lambda cell: (cell[0] == Y, cell[0] != Y and cell[0]))
