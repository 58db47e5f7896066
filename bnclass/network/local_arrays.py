"""The arrays that the compiled loops of the local member read, grouped by what they are for."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint64]
Bools = npt.NDArray[np.bool_]


class Model(NamedTuple):
    """What every row needs."""

    k: int
    """Attribute parents at most."""
    firsts: Ints
    """First value of each attribute among those of all, and their number, (n + 1,)."""
    log_prior: Floats
    """ln P(y), (n_classes,)"""
    pairs: Ints
    """round(I·2⁴⁰) of the local I(x_i; x_l | Y), (n_values, n_values)."""
    pseudo_counts: Floats
    """What smoothing adds to F(u): s/q + a|X| + m, as (s, a, m)."""
    factor: float
    """What a measure given a third attribute is multiplied by: 1, or K if "pairwise"."""


class Rules(NamedTuple):
    """Constraints by place among all attributes; empty arrays without any."""

    allowed: Bools
    """Whether [p, i] may be an arc, however many parents i has, (n, n)."""
    required: Bools
    """Whether the arc [p, i] must be if a row has both, (n, n)."""
    before: Bools
    """Whether p comes before i in the order of every row that has both at [p, i], (n, n)."""


class PairCounts(NamedTuple):
    """Counts of pairs of values, by class or, if "pairwise", by one group of all rows."""

    counts: Floats
    """F(v, w, y), (n_values, n_values, n_groups); single values on the diagonal."""
    totals: Floats
    """F(v, y) over the rows with attribute i observed, (n_values, n_attributes, n_groups)."""


class TripleTable(NamedTuple):
    """What is looked up for triples of values; empty arrays where it would not fit."""

    measures: Ints
    """round(I·2⁴⁰) of the local I(x_i; x_l | x_p, Y) at [x_i, x_p, x_l]."""
    families: Floats
    """ln P(x_i | x_p, x_q, y) at [x_p, x_q, x_i, y], the later attribute of p and q first.
    One parent stands at [x_p, x_p, x_i], none at [x_i, x_i, x_i]."""


class RowSets(NamedTuple):
    """For every value the set of training rows that have it, as bits; classes one by one."""

    masks: Bits
    """(n_values, n_words)"""
    seen: Bits
    """The rows in which an attribute is observed, (n_attributes, n_words)."""
    starts: Ints
    """First word of each class, and the number of words, (n_classes + 1,)."""
    weights: Floats
    """Weight of the row of each bit; empty if all are 1."""
    holes: Bools
    """Which attributes have missing cells in training, (n_attributes,)."""
