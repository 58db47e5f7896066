"""Lines and letters of a critical-difference diagram."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bnclass.evaluate.figures import rank_page
from bnclass.evaluate.figures.lettering import AS_IS, NUMBER_SIZE, short
from bnclass.evaluate.figures.rank_page import RankPage
from bnclass.plot.artists import ARC, INK
from bnclass.plot.sheet import FONT_SIZE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D
    from matplotlib.text import Text

# In points.
LINE_WIDTH, BAR_WIDTH, RANK_SIZE, TICK = 0.9, 3.6, 7.5, 4.0
# In inches: of the bar of the critical difference over the axis, and of letters over a line.
DIFFERENCE_BAR, OVER_LINE = 0.52, 0.03
_LINES, _BARS = 2, 3


@dataclass(frozen=True)
class RankPen:
    """Draws a critical-difference diagram into axes of some size.

    Attributes
    ----------
    ax : matplotlib.axes.Axes
    page : RankPage
    size : (float, float)
        Width and height of the axes, in inches.
    """

    ax: "Axes"
    page: RankPage
    size: tuple[float, float]

    @property
    def scale(self) -> float:
        """Size of letters and rows over their natural size."""
        return self.page.scale(*self.size)

    @property
    def inch(self) -> float:
        """Ranks in an inch of natural size."""
        return self.page.ranks_an_inch(self.size[0] / self.scale)

    def axis(self) -> None:
        """Draw the axis of ranks, and let the axes show the page, in the middle of its height."""
        ax, page = self.ax, self.page
        left, right = page.margins
        above = rank_page.TOP + (self.size[1] / self.scale - page.height) / 2
        ax.set_xlim(1 - left * self.inch, page.last_rank + right * self.inch)
        ax.set_ylim(above - self.size[1] / self.scale, above)
        for side in ("left", "right", "bottom"):
            ax.spines[side].set_visible(False)
        ax.spines["top"].set_position(("data", 0))
        ax.spines["top"].set_bounds(1, page.n_methods)
        ax.spines["top"].set(color=INK, linewidth=1.1 * self.scale)
        self._ticks()

    def _ticks(self) -> None:
        written = rank_page.ticks(self.page.n_methods, 1 / self.inch)
        whole = range(1, self.page.n_methods + 1)
        between = [rank + 0.5 for rank in whole[:-1]] if written == whole else whole
        self.ax.set_yticks([])
        self.ax.set_xticks(written, [str(rank) for rank in written])
        self.ax.set_xticks(between, minor=True)
        self.ax.xaxis.set_ticks_position("top")
        style: dict[str, Any] = {"color": INK, "labelcolor": INK, "pad": 2 * self.scale}
        style["labelsize"] = NUMBER_SIZE * self.scale
        self.ax.tick_params(axis="x", which="major", length=TICK * self.scale, **style)
        self.ax.tick_params(axis="x", which="minor", length=TICK / 2 * self.scale, color=INK)

    def bar(self, span: tuple[float, float], level: int) -> "Line2D":
        """Join methods by a bar.

        Parameters
        ----------
        span : (float, float)
            The first and the last rank.
        level : int

        Returns
        -------
        matplotlib.lines.Line2D
        """
        y = self.page.bar(level)
        # A mark at each end, so that a bar of methods of one rank is seen, too.
        width = BAR_WIDTH * self.scale
        (line,) = self.ax.plot(
            span,
            (y, y),
            color=ARC,
            linewidth=width,
            solid_capstyle="butt",
            marker="o",
            markersize=width,
            markeredgewidth=0,
            zorder=_BARS,
        )
        return line

    def method(self, name: Hashable, rank: float, place: tuple[bool, int]) -> "tuple[Line2D, Text]":
        """Draw a line from a rank to the name of its method, and write the rank on it.

        Parameters
        ----------
        name : hashable
        rank : float
        place : (bool, int)
            Whether it is on the left, and in which row.

        Returns
        -------
        line : matplotlib.lines.Line2D
        name : matplotlib.text.Text
        """
        is_left, row = place
        y, way = self.page.row(row), -1 if is_left else 1
        end = (1 if is_left else self.page.last_rank) + way * rank_page.LEAD * self.inch
        style: dict[str, Any] = {
            "color": INK,
            "linewidth": LINE_WIDTH * self.scale,
            "zorder": _LINES,
        }
        (line,) = self.ax.plot((rank, rank, end), (0, y, y), solid_joinstyle="miter", **style)
        above: dict[str, Any] = {"va": "bottom", "color": INK, "fontsize": RANK_SIZE * self.scale}
        self.ax.text(end, y + OVER_LINE, f"{rank:.3f}", ha="left" if is_left else "right", **above)
        text = self.ax.text(
            end + way * rank_page.NAME_GAP * self.inch,
            y,
            short(name),
            fontsize=FONT_SIZE * self.scale,
            ha="right" if is_left else "left",
            va="center_baseline",
            **AS_IS,
        )
        return line, text

    def difference(self, length: float) -> "Line2D":
        """Draw the critical difference over the axis, from its start on.

        Parameters
        ----------
        length : float

        Returns
        -------
        matplotlib.lines.Line2D
        """
        y, width = DIFFERENCE_BAR, 1.4 * self.scale
        (line,) = self.ax.plot(
            (1, 1 + length),
            (y, y),
            color=INK,
            linewidth=width,
            marker="|",
            markersize=7 * self.scale,
            markeredgewidth=width,
            solid_capstyle="butt",
        )
        above: dict[str, Any] = {"va": "bottom", "color": INK, "fontsize": NUMBER_SIZE * self.scale}
        self.ax.text(1, y + 2 * OVER_LINE, f"CD = {length:.4f}", ha="left", **above)
        return line

    def caption(self) -> None:
        """Write below the names."""
        middle = sum(self.ax.get_xlim()) / 2
        style = AS_IS | {"fontsize": NUMBER_SIZE * self.scale, "linespacing": 1.3}
        top = self.page.caption_top
        self.ax.text(middle, top, self.page.caption, ha="center", va="top", **style)
