"""Many small pictures of one size on a figure, with a title above and a key below."""

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from bnclass.plot.artists import INK
from bnclass.plot.page import Page
from bnclass.plot.sheet import FONT_SIZE, text_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

# Width over height of the figure that is aimed at.
ASPECT = 1.5
# In inches: free space between pictures, the least width of one, and lines of text.
GAP, LEAST_WIDTH, LINE_HEIGHT, TITLE_HEIGHT, FOOT_LINE = 0.15, 1.3, 0.17, 0.4, 0.35
# In points.
CAPTION_SIZE, TITLE_SIZE, NOTE_SIZE = 9.0, 12.0, 9.5


@dataclass(frozen=True)
class BoardPlan:
    """What stands on a board, in inches at its usual size.

    Attributes
    ----------
    page : Page
        What each picture shows, at natural size.
    n : int
        Number of pictures, at least 1.
    shrink : float
        Usual size of a picture over its natural size.
    n_columns : int or None
        Pictures in a row; ``None`` for as many as suit the figure.
    caption_lines : int
        Lines of text above each picture.
    foot_lines : int
        Lines of text below all of them.
    foot_width : float
        Width of the widest of those.
    has_title : bool
    """

    page: Page
    n: int
    shrink: float
    n_columns: int | None = None
    caption_lines: int = 1
    foot_lines: int = 0
    foot_width: float = 0.0
    has_title: bool = False

    @property
    def cell(self) -> tuple[float, float]:
        """Width and height of a picture with its caption and the free space about it."""
        captions = LINE_HEIGHT * self.caption_lines
        width = max(LEAST_WIDTH, self.page.width * self.shrink)
        return width + GAP, self.page.height * self.shrink + captions + GAP

    def shape(self, aspect: float) -> tuple[int, int]:
        """Return the numbers of rows and columns that show the pictures largest.

        Parameters
        ----------
        aspect : float
            Width over height of the figure.

        Returns
        -------
        rows, columns : int
        """
        width, height = self.cell
        candidates = range(1, self.n + 1) if self.n_columns is None else [self.n_columns]
        shapes = [(ceil(self.n / columns), columns) for columns in candidates]
        return max(shapes, key=lambda s: (min(aspect / (s[1] * width), 1 / (s[0] * height)), -s[1]))

    def size(self, aspect: float) -> tuple[float, float]:
        """Return width and height of the board.

        Parameters
        ----------
        aspect : float
            As for `shape`.

        Returns
        -------
        width, height : float
        """
        rows, columns = self.shape(aspect)
        height = rows * self.cell[1] + GAP + TITLE_HEIGHT * self.has_title
        return max(columns * self.cell[0], self.foot_width), height + FOOT_LINE * self.foot_lines


@dataclass(frozen=True)
class Board:
    """A figure with one axes a picture.

    Attributes
    ----------
    figure : matplotlib.figure.Figure or SubFigure
    axes : tuple of matplotlib.axes.Axes
        Row by row.
    scale : float
        Size on the figure over usual size.
    line : float
        Height of a foot line over that of the figure.
    """

    figure: "Figure | SubFigure"
    axes: "tuple[Axes, ...]"
    scale: float
    line: float

    def caption(self, i: int, text: str) -> None:
        """Write above a picture, every character as it is, no wider than the picture.

        Parameters
        ----------
        i : int
        text : str
        """
        ax = self.axes[i]
        room = ax.get_window_extent().width / ax.figure.dpi
        size = CAPTION_SIZE * self.scale
        wide = max(text_width(line) for line in text.split("\n")) * size / FONT_SIZE
        size *= min(1.0, room / max(wide, 1e-9))
        style: dict[str, Any] = {"parse_math": False, "usetex": False, "color": INK}
        ax.set_title(text, fontsize=size, pad=3 * self.scale, **style)

    def title(self, text: str) -> None:
        """Write above all pictures.

        Parameters
        ----------
        text : str
        """
        at = 1 - 0.5 * TITLE_HEIGHT / FOOT_LINE * self.line
        self.figure.text(0.5, at, text, fontsize=TITLE_SIZE * self.scale, ha="center", va="center")

    def note(self, text: str, line: int) -> None:
        """Write below all pictures.

        Parameters
        ----------
        text : str
        line : int
            From 0 at the lower edge.
        """
        size = NOTE_SIZE * self.scale
        at = (line + 0.5) * self.line
        self.figure.text(0.5, at, text, fontsize=size, color=INK, ha="center", va="center")


def make_board(plan: BoardPlan, figure: "Figure | SubFigure | None" = None) -> Board:
    """Place axes on a figure.

    Parameters
    ----------
    plan : BoardPlan
    figure : matplotlib.figure.Figure or SubFigure, optional
        By default a new pyplot figure of the board's usual size.

    Returns
    -------
    Board
    """
    if figure is None:
        import matplotlib.pyplot as plt

        aspect = ASPECT
        figure = plt.figure(figsize=plan.size(aspect), layout="none")
    else:
        aspect = figure.bbox.width / figure.bbox.height
    size = figure.bbox.width / figure.dpi, figure.bbox.height / figure.dpi
    scale = min(size[0] / plan.size(aspect)[0], size[1] / plan.size(aspect)[1])
    unit = scale / size[0], scale / size[1]
    axes = tuple(figure.add_axes(box) for box in _boxes(plan, plan.shape(aspect), unit))
    return Board(figure, axes, scale, FOOT_LINE * unit[1])


def _boxes(
    plan: BoardPlan, shape: tuple[int, int], unit: tuple[float, float]
) -> list[tuple[float, float, float, float]]:
    """Left, bottom, width and height of the pictures, in shares of the figure."""
    (rows, columns), (width, height) = shape, plan.cell
    free = 1 / unit[0] - columns * width, 1 / unit[1] - rows * height
    left = free[0] / 2
    # Below the title, in the middle of what the lines at the lower edge leave.
    title, foot = TITLE_HEIGHT * plan.has_title, FOOT_LINE * plan.foot_lines
    top = 1 / unit[1] - title - (free[1] - title - foot) / 2
    inner = width - GAP, height - GAP - LINE_HEIGHT * plan.caption_lines
    return [
        (
            (left + i % columns * width + GAP / 2) * unit[0],
            (top - (i // columns + 1) * height + GAP / 2) * unit[1],
            inner[0] * unit[0],
            inner[1] * unit[1],
        )
        for i in range(plan.n)
    ]
