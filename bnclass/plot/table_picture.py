"""The picture of a discrete node: its table as a heat map."""

from math import radians, sin
from typing import TYPE_CHECKING

from bnclass.plot import heatmap
from bnclass.plot.captions import conditional, equations, one_line, wrapped
from bnclass.plot.easel import Drawing, axes_of_size, label_axes
from bnclass.plot.question import Question
from bnclass.plot.sheet import LINE_HEIGHT, text_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# In inches: of a cell in a figure of its own, and around all cells.
CELL_HEIGHT, NARROWEST_CELL, WIDEST_CELL, CELL_PADDING = 0.3, 0.55, 1.2, 0.15
MARGIN = (0.4, 0.8)
NARROWEST = 2.4  # all columns together: the caption stands below them
# In letters.
HEADER_LENGTH = 40


def draw_table_picture(question: Question, factor: heatmap.Table, ax: "Axes | None") -> Drawing:
    """Draw P(x | parents), or what remains of it where the states of some parents are given.

    Parameters
    ----------
    question : Question
    factor : CategoricalCPD or SparseCategoricalCPD
        Of the node.
    ax : matplotlib.axes.Axes or None

    Returns
    -------
    Drawing

    Raises
    ------
    BnclassError
        If there are more rows or columns than can be read.
    """
    codes = {name: int(code) for name, code in question.known.items()}
    table, states = heatmap.table_rows(factor, codes)
    rows, columns = heatmap.row_names(states), heatmap.column_names(factor.variable)
    others = [one_line(p.name) for p in factor.parents if p.name not in codes]
    header = wrapped(heatmap.SEPARATOR.join(others), HEADER_LENGTH)
    if ax is None:
        width, height = _cell(columns)
        ax = axes_of_size(None, _figure_size(rows, columns, header, (width, height)))
    else:
        width, height = _cell_of(ax, table.shape)
    image = heatmap.draw_cells(ax, table)
    heatmap.label_rows(ax, rows, header, 72 * height)
    note = heatmap.label_columns(ax, columns, 72 * width)
    name = conditional("P", question.node, [p.name for p in factor.parents])
    given = f"given {equations(question.given)}" if codes else ""
    label_axes(ax, [name, given, note], "")
    if not heatmap.write_numbers(ax, table, (72 * width, 72 * height)):
        ax.figure.colorbar(image, ax=ax)
    return Drawing(ax, image=image)


def _cell(columns: list[str]) -> tuple[float, float]:
    """Width and height of a cell in a figure of its own, in inches."""
    wanted = max(map(text_width, columns)) + CELL_PADDING
    width = min(WIDEST_CELL, max(NARROWEST_CELL, wanted))
    return max(width, NARROWEST / len(columns)), CELL_HEIGHT


def _cell_of(ax: "Axes", shape: tuple[int, ...]) -> tuple[float, float]:
    """Width and height of a cell in given axes, in inches."""
    box, dpi = ax.get_window_extent(), ax.figure.dpi
    return box.width / dpi / shape[1], box.height / dpi / shape[0]


def _figure_size(
    rows: list[str], columns: list[str], header: str, cell: tuple[float, float]
) -> tuple[float, float]:
    """Return the size at which the cells get theirs, in inches."""
    beside = max(map(text_width, [*rows, *header.split("\n")]))
    longest = max(map(text_width, columns))
    below = longest * sin(radians(heatmap.SLANT)) if longest > cell[0] else 0.0
    above = LINE_HEIGHT * (1 + header.count("\n"))
    return (
        MARGIN[0] + beside + cell[0] * len(columns),
        MARGIN[1] + above + below + cell[1] * len(rows),
    )
