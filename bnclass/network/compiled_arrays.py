"""The arrays that the compiled prediction loops read, grouped by what they are for."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]

CLASS = -1
"""Stands for the class among the columns of children."""


ZERO_CELL = 0
"""Where the parameters begin with zeros, so that a factor with a missing cell adds nothing."""

N_DENSITY = 3
"""Log height, minus half the precision, and intercept of a density; coefficients follow."""


class Factors(NamedTuple):
    """The factors of all members, one after another."""

    parameters: Floats
    """From a first run of zeros at `ZERO_CELL` on, (n_classes, n_cells): log probabilities of
    a table; of a density `N_DENSITY` numbers and the coefficients for each configuration."""
    offsets: Ints
    """First cell of each factor, (n_factors,)."""
    starts: Ints
    """Where the columns and strides of each factor begin, (n_factors + 1,)."""
    columns: Ints
    """The attributes of each factor's family."""
    strides: Ints
    """Their strides among its cells, 0 for a continuous one."""
    density_starts: Ints
    """Where the continuous columns of each factor begin, (n_factors + 1,); none for a table."""
    density_columns: Ints
    """The columns of numbers of each density, the child first."""
    sparse: Ints
    """Which sparse table each factor is, -1 for none, (n_factors,)."""
    children: Ints
    """Whose distribution each factor is: an attribute, or `CLASS`, (n_factors,)."""
    cards: Ints
    """Number of states of each attribute, 0 for a continuous one, (n_attributes,)."""


class Members(NamedTuple):
    """The members, and which of them serve a row."""

    starts: Ints
    """Where the factors of each member begin, (n_members + 1,)."""
    order: Ints
    """The factors of each member, children before their parents, (n_factors,)."""
    log_weights: Floats
    gate_columns: Ints
    """The attribute whose value decides whether the member serves a row, (n_members,)."""
    gate_starts: Ints
    """Where in `gates` the values of that attribute begin; an empty span serves always."""
    gates: Bools
