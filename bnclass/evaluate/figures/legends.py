"""Legends of names, every character as it is."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bnclass.plot.sheet import FONT_SIZE, text_width

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.legend import Legend

SIZE = 9.0  # in points
# In inches: of a legend without its names, of a line of it, and what stands above its lines.
FRAME_WIDTH, LINE_HEIGHT, FRAME_HEIGHT = 0.75, 0.195, 0.5


def draw_legend(
    ax: "Axes",
    samples: "Sequence[Artist]",
    names: Sequence[str],
    title: str,
    *,
    outside: bool,
    **style: Any,
) -> "Legend":
    """Name what is drawn.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    samples : sequence of matplotlib.artist.Artist
    names : sequence of str
    title : str
    outside : bool
        Put it right of the axes; else where it covers least.
    **style
        For matplotlib's `legend`.

    Returns
    -------
    matplotlib.legend.Legend

    Examples
    --------
    >>> from bnclass.evaluate.figures.legends import draw_legend
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> legend = draw_legend(ax, ax.plot([1, 2]), ["_hidden_"], "$a_1$", outside=True)
    >>> legend.get_texts()[0].get_text(), legend.get_title().get_text()
    ('_hidden_', '$a_1$')
    """
    where = {"loc": "upper left", "bbox_to_anchor": (1.01, 1)} if outside else {"loc": "best"}
    # Names that begin with "_" would be left out, so they come in afterwards.
    legend = ax.legend(
        samples, ["name"] * len(samples), title="title", fontsize=SIZE, **(where | style)
    )
    for text, words in zip((legend.get_title(), *legend.get_texts()), (title, *names), strict=True):
        text.set(parse_math=False, usetex=False, text=words)
    return legend


def legend_size(names: Sequence[str], title: str) -> tuple[float, float]:
    """Return about how much room a legend of lines needs outside the axes.

    Parameters
    ----------
    names : sequence of str
    title : str

    Returns
    -------
    width, height : float
        In inches.

    Examples
    --------
    >>> from bnclass.evaluate.figures.legends import legend_size
    >>> narrow, wide = legend_size(["NB"], ""), legend_size(["a long name", "NB"], "")
    >>> narrow[0] < wide[0], narrow[1] < wide[1]
    (True, True)
    """
    letters = max(text_width(text) for text in (*names, title)) * SIZE / FONT_SIZE
    return FRAME_WIDTH + letters, FRAME_HEIGHT + LINE_HEIGHT * len(names)
