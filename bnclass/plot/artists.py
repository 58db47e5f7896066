"""Boxes and arrows on matplotlib's axes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bnclass.plot.layout import Point
from bnclass.plot.sheet import FONT_SIZE, Label, Sheet

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import FancyBboxPatch, PathPatch
    from matplotlib.path import Path
    from matplotlib.text import Text

INK, ARC, CLASS_ARC = "#1d3148", "#2f6690", "#b9c0c8"
BOX, CONTINUOUS_BOX, CLASS_BOX = "#eef3f8", "#f1f7ea", "#c9591f"
ABSENT = "#7d858d"
CLASS_STYLE: dict[str, Any] = {"facecolor": CLASS_BOX, "edgecolor": CLASS_BOX}
ABSENT_STYLE: dict[str, Any] = {"facecolor": "white", "edgecolor": ABSENT, "linestyle": "--"}
CLASS_ARC_ORDER, ARC_ORDER, BOX_ORDER, TEXT_ORDER = 1.0, 2.0, 3.0, 4.0
# Radius of the corners: of a number's box, half its height up to a limit.
ROUNDING, LARGEST_ROUNDING = 0.09, 0.24
OUTLINE = 1.1
# In points; in inches from one line to the next, and from an arc.
SCORE_SIZE, SCORE_HEIGHT, SCORE_OFFSET = 7.5, 0.13, 0.06
# Length of a curve's handles over its height: above 1/2 it bends less near its ends.
BEND = 0.6


@dataclass(frozen=True)
class Pen:
    """Draws what a layout places, its units turned into inches of the natural size.

    The limits of the axes are to be set already: no artist is measured for them.

    Attributes
    ----------
    ax : matplotlib.axes.Axes
    sheet : Sheet
    scale : float
        Size on the page over natural size, for what matplotlib measures in points.
    """

    ax: "Axes"
    sheet: Sheet
    scale: float

    def box(
        self,
        centre: Point,
        *,
        is_class: bool,
        is_continuous: bool = False,
        is_absent: bool = False,
    ) -> "FancyBboxPatch":
        """Draw the box of a node, its ends round if it is a number.

        Parameters
        ----------
        centre : (float, float)
            In units of the layout.
        is_class : bool
        is_continuous : bool, default=False
        is_absent : bool, default=False
            Draw a dashed outline only, whatever the node is.

        Returns
        -------
        matplotlib.patches.FancyBboxPatch
        """
        from matplotlib.patches import FancyBboxPatch

        x, y = self._inches(centre)
        width, height = self.sheet.width, self.sheet.height
        rounding = min(height / 2, LARGEST_ROUNDING) if is_continuous else ROUNDING
        style: dict[str, Any] = {
            "facecolor": CONTINUOUS_BOX if is_continuous else BOX,
            "edgecolor": ARC,
        }
        box = FancyBboxPatch(
            (x - width / 2, y - height / 2),
            width,
            height,
            boxstyle=f"round,pad=0,rounding_size={rounding}",
            linewidth=OUTLINE * self.scale,
            **(ABSENT_STYLE if is_absent else CLASS_STYLE if is_class else style),
            zorder=BOX_ORDER,
        )
        self.ax.add_artist(box)
        return box

    def label(
        self, centre: Point, label: Label, *, is_class: bool, is_absent: bool = False
    ) -> "Text":
        """Write the name of a node, every character as it is.

        Parameters
        ----------
        centre : (float, float)
            In units of the layout.
        label : Label
        is_class : bool
        is_absent : bool, default=False

        Returns
        -------
        matplotlib.text.Text
        """
        return self.ax.text(
            *self._inches(centre),
            label.text,
            fontsize=FONT_SIZE * label.shrink * self.scale,
            color=ABSENT if is_absent else "white" if is_class else INK,
            weight="bold" if is_class else "normal",
            ha="center",
            va="center",
            linespacing=1.1,
            parse_math=False,
            usetex=False,
            zorder=TEXT_ORDER,
        )

    def arc(
        self,
        route: tuple[Point, ...],
        width: float,
        color: str,
        zorder: float,
        dashes: str = "-",
    ) -> "PathPatch":
        """Draw an arrow along a route.

        Parameters
        ----------
        route : tuple of (float, float)
            In units of the layout.
        width : float
            In points at natural size.
        color : str
        zorder : float
        dashes : str, default="-"
            Of the line, as matplotlib writes them.

        Returns
        -------
        matplotlib.patches.PathPatch
            The line; its head is a patch of its own.
        """
        from matplotlib.patches import PathPatch, Polygon

        way = 1 if route[-1][1] > route[0][1] else -1
        x, y = self._inches(route[-1])
        length, half = way * (5 + 0.8 * width) / 72, (2.6 + 0.8 * width) / 72
        line = PathPatch(
            self._curve(route, way, abs(length) / self.sheet.height),
            facecolor="none",
            edgecolor=color,
            linewidth=width * self.scale,
            linestyle=dashes,
            capstyle="butt",
            zorder=zorder,
        )
        corners = [(x, y), (x - half, y - length), (x + half, y - length)]
        self.ax.add_artist(line)
        self.ax.add_artist(Polygon(corners, facecolor=color, edgecolor="none", zorder=zorder))
        return line

    def scores(self, ends: Sequence[tuple[Point, float]]) -> None:
        """Write the scores of the arcs that end at one box over their heads.

        Parameters
        ----------
        ends : sequence of ((float, float), float)
            Where each arc ends, in units of the layout, and its score.
        """
        ends = sorted(ends)
        for i, (end, score) in enumerate(ends):
            from_right = len(ends) - 1 - i
            # Outwards from the heads, the outermost lowest, so that none covers another;
            # one in the middle covers its own arc, but not where it meets the head.
            level, side = min(i, from_right), (i > from_right) - (i < from_right)
            x, y = self._inches(end)
            self.ax.text(
                x + SCORE_OFFSET * side,
                y + SCORE_HEIGHT * (level + (1.4 if side else 2.2)),
                f"{score:.3g}",
                fontsize=SCORE_SIZE * self.scale,
                color=INK,
                ha=("center", "left", "right")[side],
                va="center",
                bbox={"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none"},
                zorder=TEXT_ORDER,
            )

    def _curve(self, route: tuple[Point, ...], way: int, head: float) -> "Path":
        """Run upright past every row of boxes and into the head, bend only between rows."""
        from matplotlib.path import Path

        vertices, codes = [route[0]], [Path.MOVETO]
        for i, (x, y) in enumerate(route[1:], start=2):
            x0, y0 = vertices[-1]
            is_last = i == len(route)
            y1, end = (
                (y - way * head, y - way * 0.3 * head) if is_last else (y - way / 2, y + way / 2)
            )
            lean = BEND * (y1 - y0)
            vertices += [(x0, y0 + lean), (x, y1 - lean), (x, y1), (x, end)]
            codes += [Path.CURVE4] * 3 + [Path.LINETO]
        return Path([self._inches(vertex) for vertex in vertices], codes)

    def _inches(self, point: Point) -> Point:
        return point[0] * self.sheet.width, point[1] * self.sheet.height
