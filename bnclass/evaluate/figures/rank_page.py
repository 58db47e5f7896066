"""Where everything stands in a critical-difference diagram: numbers only."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

# In inches of the natural size: of the axis of ranks, from shortest to longest.
TRACK, TRACK_A_RANK, NARROWEST_TRACK = (3.2, 5.6), 0.5, 1.6
# Between the axis' ends and the names, where ranks are written; between line and name.
LEAD, NAME_GAP, MARGIN = 0.45, 0.06, 0.06
TOP, BAR_GAP, ROW_GAP, CAPTION_LINE = 0.8, 0.12, 0.25, 0.175
# From the axis to the first bar, from the last bar to the first row, from rows to the caption.
TO_BARS, TO_ROWS, TO_CAPTION = 0.16, 0.22, 0.22


@dataclass(frozen=True)
class RankPage:
    r"""A critical-difference diagram's measures: x in ranks, y in inches, the axis at 0.

    Attributes
    ----------
    n_methods : int
    last_rank : float
        Where the lines of the worse half turn to their names: behind the axis' end, if the
        critical difference is longer than the axis.
    n_levels : int
        Of bars, one below the other.
    caption : str
        What stands below.
    names : (float, float)
        Widths of the widest name on the left and on the right, in inches.

    Examples
    --------
    >>> from bnclass.evaluate.figures.rank_page import RankPage
    >>> page = RankPage(5, 5.0, 1, "two\nlines", (0.5, 0.7))
    >>> round(page.width, 2), round(page.height, 2), page.scale(10.0, 10.0)
    (5.54, 2.31, 1.0)
    """

    n_methods: int
    last_rank: float
    n_levels: int
    caption: str
    names: tuple[float, float]

    @property
    def margins(self) -> tuple[float, float]:
        """What the names and the lines to them need left and right of the ranks, in inches."""
        left, right = (LEAD + NAME_GAP + width + MARGIN for width in self.names)
        return left, right

    @property
    def width(self) -> float:
        """Natural width, in inches."""
        track = min(TRACK[1], max(TRACK[0], TRACK_A_RANK * (self.n_methods - 1)))
        return sum(self.margins) + track

    @property
    def height(self) -> float:
        """Natural height, in inches."""
        caption = CAPTION_LINE * (1 + self.caption.count("\n"))
        return TOP - self.caption_top + caption + MARGIN

    @property
    def caption_top(self) -> float:
        """Upper edge of the caption."""
        return self.row((self.n_methods - 1) // 2) - TO_CAPTION

    def bar(self, level: int) -> float:
        """Return the height at which the bars of a level are."""
        return -TO_BARS - BAR_GAP * level

    def row(self, i: int) -> float:
        """Return the height at which the i-th names of both sides are."""
        return -TO_BARS - BAR_GAP * max(0, self.n_levels - 1) - TO_ROWS - ROW_GAP * i

    def scale(self, width: float, height: float) -> float:
        """Return the size of letters and rows in axes of some inches, over the natural size."""
        return min(1.0, height / self.height, width / (sum(self.margins) + NARROWEST_TRACK))

    def ranks_an_inch(self, width: float) -> float:
        """Return how many ranks an inch has, in a picture as wide as some natural inches."""
        return (self.last_rank - 1) / (width - sum(self.margins))


def sides(n_methods: int) -> list[tuple[bool, int]]:
    """Return whether each method is named on the left, and in which row.

    The better half is on the left, its best in the first row; the other's worst is in the
    first row on the right: so that no line crosses another.

    Parameters
    ----------
    n_methods : int

    Returns
    -------
    list of (bool, int)
        Best first.

    Examples
    --------
    >>> from bnclass.evaluate.figures.rank_page import sides
    >>> sides(3)
    [(True, 0), (True, 1), (False, 0)]
    """
    half = (n_methods + 1) // 2
    return [(i < half, i if i < half else n_methods - 1 - i) for i in range(n_methods)]


def levels(spans: Iterable[tuple[float, float]], gap: float) -> list[int]:
    """Return a level for each of several bars, so that none touches another of its level.

    Parameters
    ----------
    spans : iterable of (float, float)
        In the order of their starts.
    gap : float
        The least distance of two bars of a level.

    Returns
    -------
    list of int
        From 0, as few as possible.

    Examples
    --------
    >>> from bnclass.evaluate.figures.rank_page import levels
    >>> levels([(1, 3), (2, 4), (3.5, 5)], gap=0.1)
    [0, 1, 0]
    """
    ends: list[float] = []
    found = []
    for start, end in spans:
        free = (level for level, taken in enumerate(ends) if taken + gap < start)
        level = next(free, len(ends))
        ends[level : level + 1] = [end]
        found.append(level)
    return found


def ticks(n_methods: int, inches_a_rank: float) -> Sequence[int]:
    """Return the ranks that are written at the axis: all, or the first and every 5th, 10th, ….

    Parameters
    ----------
    n_methods : int
    inches_a_rank : float

    Returns
    -------
    sequence of int

    Examples
    --------
    >>> from bnclass.evaluate.figures.rank_page import ticks
    >>> ticks(3, 1.0), ticks(11, 0.1)
    (range(1, 4), [1, 5, 10])
    """
    if inches_a_rank >= 0.2:
        return range(1, n_methods + 1)
    step = 5
    while step * inches_a_rank < 0.3:
        step *= 2
    return [1, *range(step, n_methods + 1, step)]
