"""Random training rows of states and numbers, as the package and as the oracle take them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st
from oracle import smoothing as oracle_smoothing
from oracle.mixed import CONTINUOUS, make_mixed_table
from oracle.tables import without_wholly_missing

import bnclass as bc

SMOOTHINGS = [
    (bc.MEstimate(1.0), oracle_smoothing.MEstimate(1)),
    (bc.MEstimate(0.0), oracle_smoothing.MEstimate(0)),
    (bc.Laplace(1.0), oracle_smoothing.Laplace(1)),
    (bc.BDeu(2.0), oracle_smoothing.BDeu(2)),
]


@dataclass(frozen=True)
class Case:
    """Training rows with labels and weights, the columns' domains, and rows to ask for."""

    rows: list[tuple[Any, ...]]
    labels: list[str]
    weights: list[float]
    domains: list[Any]  # CONTINUOUS or the declared states
    queries: list[tuple[Any, ...]]

    @property
    def frame(self):
        """Return the training rows: category columns with declared levels, and floats."""
        return frame_of(self.rows, self.domains, categories=True)

    @property
    def asked(self):
        """Return the query rows; states are objects, so that unknown ones get through."""
        return frame_of(self.queries, self.domains, categories=False)

    def table(self):
        """Return the oracle's table without wholly missing columns, and the columns kept."""
        if not any(self.weights):
            return None, ()
        table = make_mixed_table(self.rows, self.labels, self.weights, domains=self.domains)
        table, kept = without_wholly_missing(table)
        return (table, kept) if kept else (None, ())


def frame_of(rows, domains, *, categories):
    columns = {}
    for i, (cells, domain) in enumerate(zip(zip(*rows, strict=True), domains, strict=True)):
        if domain is CONTINUOUS:
            columns[f"x{i}"] = pd.Series(cells, dtype=np.float64)
        elif categories:
            columns[f"x{i}"] = pd.Categorical(cells, categories=list(domain))
        else:
            columns[f"x{i}"] = pd.Series(cells, dtype=object)
    return pd.DataFrame(columns)


# ---------------------------------------------------------------- strategies

SMALL = st.integers(-2, 4).map(float)
FINE = st.integers(-4000, 4000).map(lambda n: n / 1000)
WEIGHTS = {
    "ones": st.just(1),
    "whole": st.integers(0, 3),
    "fractions": st.sampled_from([0.25, 0.1, 1.5, 2.0, 0.0, 3.75]),
}


@st.composite
def number_columns(draw, t, earlier):
    """Draw a column of numbers: few values, many, one, or a multiple of an earlier column."""
    kind = draw(st.sampled_from(["small", "small", "fine", "constant", "collinear"]))
    if kind == "constant":
        return [draw(SMALL)] * t
    if kind == "collinear" and earlier:
        source, a = draw(st.sampled_from(earlier)), draw(st.sampled_from([1.0, -2.0, 0.5]))
        return [a * x + 1 for x in source]
    return draw(st.lists(SMALL if kind == "small" else FINE, min_size=t, max_size=t))


@st.composite
def cases(draw, kinds="ns", max_attributes=5, max_rows=10, offset=0.0):
    """Draw a `Case`; columns of small whole numbers may have the offset added."""
    n, t = draw(st.integers(1, max_attributes)), draw(st.integers(1, max_rows))
    domains, columns, numbers = [], [], []
    for _ in range(n):
        if draw(st.sampled_from(kinds)) == "n":
            domains.append(CONTINUOUS)
            numbers.append(draw(number_columns(t, numbers)))
            columns.append(in_other_units(draw, numbers[-1], offset))
        else:
            domains.append(tuple("abc"[: draw(st.integers(1, 3))]))
            states = st.sampled_from(domains[-1])
            columns.append(draw(st.lists(states, min_size=t, max_size=t)))
    queries = draw(st.lists(st.tuples(*map(cells_like, columns)), min_size=1, max_size=3))
    if draw(st.booleans()):
        columns = [[x if draw(st.integers(0, 4)) else None for x in c] for c in columns]
    weights = WEIGHTS[draw(st.sampled_from(list(WEIGHTS)))]
    return Case(
        list(zip(*columns, strict=True)),
        draw(st.lists(st.sampled_from("xyz"), min_size=t, max_size=t)),
        draw(st.lists(weights, min_size=t, max_size=t)),
        domains,
        queries,
    )


def in_other_units(draw, column, offset):
    """Return the column, sometimes in units of a thousand or with the offset added."""
    whole = all(x == round(x) for x in column)  # no digit is lost beside an offset of 1e6
    if offset and whole:
        return [x + offset for x in column]
    unit = draw(st.sampled_from([1.0, 1.0, 1e-3, 1e3]))
    return [x * unit for x in column]


def cells_like(column):
    """Return cells to ask for: those of training, missing ones, and others."""
    other = "unknown" if isinstance(column[0], str) else 2 * column[0] - column[-1] + 0.25
    return st.sampled_from([*column, None, other])


@st.composite
def drawn_structures(draw, case):
    """Draw arcs that obey the CLG rule; return them and the places the class points at."""
    n = len(case.domains)
    late = [domain is CONTINUOUS for domain in case.domains]
    order = sorted(draw(st.permutations(range(n))), key=lambda i: late[i])
    arcs = [
        (j, i)
        for position, i in enumerate(order)
        for j in order[:position]
        if late[i] >= late[j] and draw(st.booleans())
    ]
    pointed_at = [i for i in range(n) if draw(st.integers(0, 2))]
    return arcs, pointed_at
