"""A conditional probability table as a picture: darker is more probable."""

from collections.abc import Hashable, Mapping, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from bnclass.data.variables import Variable
from bnclass.exceptions import BnclassError
from bnclass.factors.categorical import CategoricalCPD
from bnclass.factors.sparse import SparseCategoricalCPD
from bnclass.plot.artists import INK
from bnclass.plot.captions import one_line
from bnclass.plot.mixtures import Floats
from bnclass.plot.sheet import text_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage

Table = CategoricalCPD | SparseCategoricalCPD

MOST_ROWS, MOST_COLUMNS = 64, 40
LONGEST_STATE = 20
SEPARATOR = "  ·  "
# In points.
LARGEST_NUMBERS, SMALLEST_NUMBERS = 9.0, 5.0
LABEL_SIZE, SMALLEST_LABEL = 10.0, 4.5
# Height of a line of labels over the size of its letters.
LABEL_HEIGHT = 1.15
# In degrees.
SLANT = 40
# Width of the widest number, and height of a line, over the size of its letters.
NUMBER_WIDTH, NUMBER_HEIGHT = 2.6, 1.4
WHITE_ON = 0.55


def table_rows(
    factor: Table, known: Mapping[Hashable, int]
) -> tuple[Floats, list[tuple[Hashable, ...]]]:
    """Return the rows of a table in which some parents have known states.

    Parameters
    ----------
    factor : CategoricalCPD or SparseCategoricalCPD
    known : mapping of parent to int
        Codes.

    Returns
    -------
    table : ndarray of shape (n_rows, card(child)), float64
    states : list of tuple
        The states of the other parents, one tuple a row.

    Raises
    ------
    BnclassError
        If there are more than 64 rows or more than 40 columns.

    Examples
    --------
    >>> from bnclass import CategoricalCPD, Variable
    >>> from bnclass.plot.heatmap import table_rows
    >>> a, b = (Variable(n, states=("u", "v")) for n in "ab")
    >>> cpd = CategoricalCPD(a, (b,), [[0.9, 0.1], [0.2, 0.8]])
    >>> table_rows(cpd, {"b": 1})
    (array([[0.2, 0.8]]), [()])
    """
    shown = [p for p in factor.parents if p.name not in known]
    _require_legible(factor, shown)
    axes = [v for v in (*factor.parents, factor.variable) if v.name not in known]
    values: dict[object, Any] = {name: np.array(code) for name, code in known.items()}
    values |= zip((v.name for v in axes), np.ix_(*(np.arange(v.card) for v in axes)), strict=True)
    table = factor.prob(values)
    return table.reshape(-1, factor.variable.card), list(product(*(p.states for p in shown)))


def _require_legible(factor: Table, shown: Sequence[Variable]) -> None:
    n_rows, n_columns = prod(p.card for p in shown), factor.variable.card
    if n_columns > MOST_COLUMNS:
        raise BnclassError(
            f"node {factor.variable.name!r} has {n_columns} states, expected at most "
            f"{MOST_COLUMNS} for a picture"
        )
    if n_rows > MOST_ROWS:
        raise BnclassError(
            f"node {factor.variable.name!r}: {n_rows} configurations of "
            f"{[p.name for p in shown]!r}, expected at most {MOST_ROWS} for a picture; fix some, "
            f"such as given={{{shown[-1].name!r}: {shown[-1].states[0]!r}}}"
        )


def row_names(states: Sequence[tuple[Hashable, ...]]) -> list[str]:
    """Return the label of every row.

    Parameters
    ----------
    states : sequence of tuple
        Of the parents.

    Returns
    -------
    list of str
    """
    return [SEPARATOR.join(one_line(s, LONGEST_STATE) for s in row) for row in states]


def column_names(variable: Variable) -> list[str]:
    """Return the label of every column.

    Parameters
    ----------
    variable : Variable
        The child.

    Returns
    -------
    list of str
    """
    return [one_line(state, LONGEST_STATE) for state in variable.states]


def draw_cells(ax: "Axes", table: Floats) -> "AxesImage":
    """Draw the cells, without any letters.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    table : ndarray of shape (n_rows, n_columns), float64

    Returns
    -------
    matplotlib.image.AxesImage
    """
    image = ax.imshow(table, cmap="Blues", vmin=0, vmax=1, aspect="auto", interpolation="nearest")
    ax.tick_params(length=0)
    for edges, line in ((table.shape[1], ax.axvline), (table.shape[0], ax.axhline)):
        for at in range(1, edges):
            line(at - 0.5, color="white", linewidth=1.0)
    return image


def label_rows(ax: "Axes", names: Sequence[str], header: str, height: float) -> None:
    """Write the states of each row beside it and the names of the parents above them.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    names : sequence of str
    header : str
        Empty if there are no parents.
    height : float
        Of a row, in points. Where letters would be too small to be read, only the number of
        rows is written.
    """
    size = min(LABEL_SIZE, height / LABEL_HEIGHT)
    if size < SMALLEST_LABEL:
        header, names = f"{len(names)} rows, too close to name", [""] * len(names)
    ax.set_yticks(np.arange(len(names)), names, parse_math=False, color=INK, fontsize=size)
    ax.annotate(
        header,
        (0, 1),
        (-4, 5),
        xycoords="axes fraction",
        textcoords="offset points",
        ha="right" if size >= SMALLEST_LABEL else "left",
        va="bottom",
        fontsize=LABEL_SIZE,
        color=INK,
        parse_math=False,
    )


def label_columns(ax: "Axes", names: Sequence[str], width: float) -> str:
    """Write the state of each column below it, aslant where that needs less room.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    names : sequence of str
    width : float
        Of a column, in points.

    Returns
    -------
    str
        What to say if letters would be too small to be read and the states are left out.
    """
    is_slanted = 72 * max(map(text_width, names)) + LABEL_SIZE / 2 > width
    size = min(LABEL_SIZE, width / LABEL_HEIGHT) if is_slanted else LABEL_SIZE
    note = ""
    if size < SMALLEST_LABEL:
        note, names = f"{len(names)} states, too close to name", [""] * len(names)
    style: dict[str, Any] = {"parse_math": False, "color": INK, "fontsize": size}
    if is_slanted:
        style |= {"rotation": SLANT, "ha": "right", "rotation_mode": "anchor"}
    ax.set_xticks(np.arange(len(names)), names, **style)
    return note


def write_numbers(ax: "Axes", table: Floats, cell: tuple[float, float]) -> bool:
    """Write every probability into its cell, if they can be read there.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    table : ndarray of shape (n_rows, n_columns), float64
    cell : (float, float)
        Width and height of a cell, in points.

    Returns
    -------
    bool
        Whether they were written.
    """
    size = min(LARGEST_NUMBERS, cell[0] / NUMBER_WIDTH, cell[1] / NUMBER_HEIGHT)
    if size < SMALLEST_NUMBERS:
        return False
    for (i, j), p in np.ndenumerate(table):
        colour = "white" if p > WHITE_ON else INK
        ax.text(j, i, two_digits(p), fontsize=size, color=colour, ha="center", va="center")
    return True


def two_digits(p: float) -> str:
    """Return a probability to two digits; neither 0 nor 1 if it is not.

    Parameters
    ----------
    p : float

    Returns
    -------
    str

    Examples
    --------
    >>> from bnclass.plot.heatmap import two_digits
    >>> [two_digits(p) for p in (0.0, 0.001, 0.25, 0.999, 1.0)]
    ['0', '<.01', '0.25', '>.99', '1']
    """
    if p in (0, 1):
        return f"{p:g}"
    if p < 0.005:
        return "<.01"
    return ">.99" if p >= 0.995 else f"{p:.2f}"
