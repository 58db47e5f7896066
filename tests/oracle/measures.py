"""Information measures of discrete variables, and their integers."""

import math
from fractions import Fraction

from oracle.tables import Table, Y, contingency, remembered


@remembered
def mutual_information(table: Table, i: int) -> float:
    """I(Xi;Y) in nats, from the rows in which Xi is observed."""
    cells = contingency(table, (i, Y))
    t = sum(cells.values())
    terms = []
    for (x, y), weight in cells.items():
        f_x = sum(w for (a, _), w in cells.items() if a == x)
        f_y = sum(w for (_, b), w in cells.items() if b == y)
        # P(x,y) / (P(x) P(y)) with the counts brought over one bar
        terms.append(float(Fraction(weight, t)) * math.log(Fraction(weight * t, f_x * f_y)))
    return max(math.fsum(terms), 0.0)


@remembered
def conditional_mutual_information(table: Table, i: int, j: int) -> float:
    """I(Xi;Xj|Y) in nats, from the rows in which both are observed."""
    cells = contingency(table, (i, j, Y))
    t = sum(cells.values())
    f_iy, f_jy, f_y = {}, {}, {}
    for (a, b, y), weight in cells.items():
        f_iy[a, y] = f_iy.get((a, y), 0) + weight
        f_jy[b, y] = f_jy.get((b, y), 0) + weight
        f_y[y] = f_y.get(y, 0) + weight
    terms = []
    for (a, b, y), weight in cells.items():
        # P(a,b|y) / (P(a|y) P(b|y)) = F(a,b,y) F(y) / (F(a,y) F(b,y))
        quotient = Fraction(weight * f_y[y], f_iy[a, y] * f_jy[b, y])
        terms.append(float(Fraction(weight, t)) * math.log(quotient))
    return max(math.fsum(terms), 0.0)


def quantise(information: float) -> int:
    """Return the integer every comparison of information measures is made with."""
    return round(information * 2**40)


def class_scores(table: Table) -> list[int]:
    """Quantised I(Xi;Y) of every attribute."""
    return [quantise(mutual_information(table, i)) for i in range(table.n)]


def pair_scores(table: Table) -> list[list[int]]:
    """Quantised I(Xi;Xj|Y) of every two attributes; the diagonal is never looked at."""
    scores = [[0] * table.n for _ in range(table.n)]
    for i in range(table.n):
        for j in range(i + 1, table.n):
            scores[i][j] = quantise(conditional_mutual_information(table, i, j))
            scores[j][i] = scores[i][j]
    return scores
