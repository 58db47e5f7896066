"""How large boxes and letters are, in inches and points."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from bnclass.plot.labels import label_lines

FONT_SIZE = 10.0
LINE_HEIGHT = 1.25 * FONT_SIZE / 72
NARROWEST, WIDEST = 0.8, 1.7
# Space left and right of a label together, and above and below it.
PADDING = (0.2, 0.16)


@dataclass(frozen=True)
class Label:
    """A name in lines, and the share of the font size at which it fits its box.

    Attributes
    ----------
    text : str
    shrink : float
    """

    text: str
    shrink: float


@dataclass(frozen=True)
class Sheet:
    """Boxes of one size and what is written in them.

    Attributes
    ----------
    width, height : float
        Of every box, in inches.
    labels : dict of node to Label
    """

    width: float
    height: float
    labels: dict[Hashable, Label]


def fit_sheet(nodes: Iterable[Hashable], class_node: Hashable | None) -> Sheet:
    """Choose the size of the boxes so that the longest name fits.

    Parameters
    ----------
    nodes : iterable of hashable
    class_node : hashable or None
        Written in bold.

    Returns
    -------
    Sheet
        A name that needs more than the largest box is written smaller.

    Examples
    --------
    >>> from bnclass.plot.sheet import fit_sheet
    >>> fit_sheet(["a", "b"], None).width
    0.8
    """
    lines = {node: label_lines(node) for node in nodes}
    widths = {
        node: max(text_width(line, bold=node == class_node) for line in texts)
        for node, texts in lines.items()
    }
    width = min(WIDEST, max([NARROWEST, *(w + PADDING[0] for w in widths.values())]))
    height = max(map(len, lines.values()), default=1) * LINE_HEIGHT + PADDING[1]
    labels = {
        node: Label("\n".join(texts), min(1.0, (width - PADDING[0]) / max(widths[node], 1e-9)))
        for node, texts in lines.items()
    }
    return Sheet(width, height, labels)


def text_width(text: str, *, bold: bool = False) -> float:
    """Return the width of one line of text at `FONT_SIZE`.

    Parameters
    ----------
    text : str
    bold : bool, default=False

    Returns
    -------
    float
        In inches.
    """
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=FONT_SIZE, weight="bold" if bold else "normal")
    width, _, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return float(width) / 72
