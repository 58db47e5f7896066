"""The key below a network: to the widths of arcs and the shapes of nodes."""

from collections.abc import Sequence
from math import floor, log10
from typing import TYPE_CHECKING, Any, NamedTuple

from bnclass.plot.artists import ABSENT_STYLE, ARC, BOX, CONTINUOUS_BOX, INK, OUTLINE
from bnclass.plot.sheet import FONT_SIZE as LABEL_SIZE
from bnclass.plot.sheet import text_width
from bnclass.plot.widths import scaled_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.legend import Legend
    from matplotlib.patches import FancyBboxPatch

FONT_SIZE = 8.5
# In inches.
SCORES_WIDTH, KINDS_WIDTH = 3.0, 2.1
# Of a sample with the free space about it.
SAMPLE_WIDTH = 0.6
# Radius of corners over the height of a sample box.
_SQUARE, _ROUND = 0.2, 0.5


class Entry(NamedTuple):
    """A sample and what it means.

    Attributes
    ----------
    sample : matplotlib.artist.Artist
    text : str
    is_math : bool, default=False
        Whether what stands between dollars in the text is mathematics.
    """

    sample: Any
    text: str
    is_math: bool = False


def key_entries(largest: float, scale: float, *, has_class: bool, has_kinds: bool) -> list[Entry]:
    """Return what explains a network: samples of scores and of kinds, where there are any.

    Parameters
    ----------
    largest : float
        The largest score.
    scale : float
        Size on the page over natural size.
    has_class : bool
        Whether scores are given the class.
    has_kinds : bool
        Whether some nodes are numbers and some are not.

    Returns
    -------
    list of Entry
    """
    entries = score_entries(largest, scale, has_class=has_class) if largest > 0 else []
    return entries + (kind_entries(scale) if has_kinds else [])


def key_width(largest: float, *, has_kinds: bool) -> float:
    """Return the width of the key of `key_entries`.

    Parameters
    ----------
    largest : float
    has_kinds : bool

    Returns
    -------
    float
        In inches; 0 if there is no key.
    """
    return SCORES_WIDTH * (largest > 0) + KINDS_WIDTH * has_kinds


def score_entries(largest: float, scale: float, *, has_class: bool) -> list[Entry]:
    """Return sample lines of round scores.

    Parameters
    ----------
    largest : float
        The largest score, above 0.
    scale : float
        Size on the page over natural size.
    has_class : bool
        Whether scores are given the class.

    Returns
    -------
    list of Entry
    """
    from matplotlib.lines import Line2D

    given = r" \mid Y" if has_class else ""
    meaning = rf"$I(X_i; X_j{given})$ in nats"
    top = round_below(largest)
    lines = [
        line_entry(scaled_width(score, largest) * scale, ARC, "-", f"{score:.3g}")
        for score in (top / 2, top)
    ]
    return [Entry(Line2D([], [], linestyle="none"), meaning, is_math=True), *lines]


def kind_entries(scale: float) -> list[Entry]:
    """Return sample boxes of both kinds of nodes.

    Parameters
    ----------
    scale : float
        Size on the page over natural size.

    Returns
    -------
    list of Entry
    """
    style = {"edgecolor": ARC, "linewidth": OUTLINE * scale}
    return [
        Entry(_box((0, 0), 1, 1, _SQUARE, facecolor=BOX, **style), "discrete"),
        Entry(_box((0, 0), 1, 1, _ROUND, facecolor=CONTINUOUS_BOX, **style), "continuous"),
    ]


def line_entry(width: float, color: str, dashes: str, text: str) -> Entry:
    """Return a sample line.

    Parameters
    ----------
    width : float
        In points on the page.
    color, dashes, text : str

    Returns
    -------
    Entry
    """
    from matplotlib.lines import Line2D

    style: dict[str, Any] = {"linewidth": width, "color": color, "linestyle": dashes}
    return Entry(Line2D([], [], **style), text)


def absent_entry(scale: float) -> Entry:
    """Return a sample box of a node that is not there.

    Parameters
    ----------
    scale : float
        Size on the page over natural size.

    Returns
    -------
    Entry
    """
    style: dict[str, Any] = {**ABSENT_STYLE, "linewidth": OUTLINE * scale}
    return Entry(_box((0, 0), 1, 1, _SQUARE, **style), "not in this network")


def entries_width(entries: Sequence[Entry]) -> float:
    """Return the width of a key.

    Parameters
    ----------
    entries : sequence of Entry
        Without mathematics.

    Returns
    -------
    float
        In inches, at natural size.
    """
    letters = sum(text_width(entry.text) for entry in entries) * FONT_SIZE / LABEL_SIZE
    return letters + len(entries) * SAMPLE_WIDTH


def draw_key(
    place: "Axes | Figure | SubFigure",
    entries: Sequence[Entry],
    scale: float,
    *,
    sample_length: float = 1.6,
) -> "Legend":
    """Draw samples side by side at the lower edge.

    Parameters
    ----------
    place : matplotlib.axes.Axes, Figure or SubFigure
    entries : sequence of Entry
    scale : float
        Size on the page over natural size.
    sample_length : float, default=1.6
        In widths of a letter.

    Returns
    -------
    matplotlib.legend.Legend
    """
    from matplotlib.legend_handler import HandlerPatch
    from matplotlib.patches import FancyBboxPatch

    key = place.legend(
        [entry.sample for entry in entries],
        [entry.text for entry in entries],
        loc="lower center",
        ncols=len(entries),
        frameon=False,
        fontsize=FONT_SIZE * scale,
        labelcolor=INK,
        borderaxespad=0.2,
        handlelength=sample_length,
        columnspacing=1.0,
        handler_map={FancyBboxPatch: HandlerPatch(_fitted_box)},
    )
    for entry, text in zip(entries, key.get_texts(), strict=True):
        text.set_parse_math(entry.is_math)
    return key


def _fitted_box(
    *, orig_handle: Any, xdescent: float, ydescent: float, width: float, height: float, **_: Any
) -> "FancyBboxPatch":
    """Give a sample box the place that the legend has for it; its colours follow."""
    rounding = orig_handle.get_boxstyle().rounding_size * height
    return _box((-xdescent, -ydescent), width, height, rounding)


def _box(
    corner: tuple[float, float], width: float, height: float, rounding: float, **style: Any
) -> "FancyBboxPatch":
    from matplotlib.patches import FancyBboxPatch

    shape = f"round,pad=0,rounding_size={rounding}"
    return FancyBboxPatch(corner, width, height, boxstyle=shape, **style)


def round_below(value: float) -> float:
    """Return the largest 1, 2 or 5 times a power of ten that is not above a value.

    Parameters
    ----------
    value : float
        Above 0.

    Returns
    -------
    float

    Examples
    --------
    >>> from bnclass.plot.key import round_below
    >>> round_below(0.137), round_below(7.0)
    (0.1, 5.0)
    """
    power = 10.0 ** floor(log10(value))
    return max(step * power for step in (1, 2, 5) if step * power <= value)
