"""A network on axes: which boxes and arcs are drawn, and how each looks."""

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from bnclass.classifiers.inspect import network_of
from bnclass.plot.artists import ARC, ARC_ORDER, CLASS_ARC, CLASS_ARC_ORDER, Pen
from bnclass.plot.layout import Layout
from bnclass.plot.sheet import Sheet
from bnclass.plot.widths import is_class_arc
from bnclass.structure.dag import Arc, Structure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import FancyBboxPatch, PathPatch
    from matplotlib.text import Text

# Least free space between rows, in inches: arcs to wide boxes run further sideways.
ROW_GAP, ROW_GAP_PER_WIDTH = 0.16, 0.2


class Subject(NamedTuple):
    """What is drawn of a model.

    Attributes
    ----------
    structure : Structure
    continuous : frozenset of node
        The nodes that are numbers; a bare structure knows none.
    """

    structure: Structure
    continuous: frozenset[Hashable]

    @property
    def has_both_kinds(self) -> bool:
        """Whether some nodes are numbers and some are not."""
        return 0 < len(self.continuous) < len(self.structure.nodes)


class ArcStyle(NamedTuple):
    """How an arc looks.

    Attributes
    ----------
    width : float
        In points at natural size.
    color : str
    zorder : float
    dashes : str
    """

    width: float
    color: str
    zorder: float
    dashes: str = "-"


@dataclass(frozen=True)
class DrawnNetwork:
    """The artists of a network.

    Attributes
    ----------
    ax : matplotlib.axes.Axes
    nodes : dict of node to matplotlib.patches.FancyBboxPatch
        The boxes.
    labels : dict of node to matplotlib.text.Text
        The names in them.
    arcs : dict of arc to matplotlib.patches.PathPatch
        The lines of the arcs drawn.
    """

    ax: "Axes"
    nodes: "dict[Hashable, FancyBboxPatch]"
    labels: "dict[Hashable, Text]"
    arcs: "dict[Arc, PathPatch]"


def subject_of(model: Any) -> Subject:
    """Return what is drawn of a model with one network.

    Parameters
    ----------
    model : fitted classifier, BayesianNetwork or Structure

    Returns
    -------
    Subject

    Raises
    ------
    BnclassError
        If the model is not fitted or holds no single network.
    """
    if isinstance(model, Structure):
        return Subject(model, frozenset())
    network = network_of(model)
    numbers = (node for node, f in network.factors.items() if f.variable.is_continuous)
    return Subject(network.structure, frozenset(numbers))


def row_gap(sheet: Sheet, more: float = 0.0) -> float:
    """Return the least free space between two rows of boxes.

    Parameters
    ----------
    sheet : Sheet
    more : float, default=0.0
        What is wanted beyond the usual, in inches.

    Returns
    -------
    float
        In heights of a box.
    """
    return (ROW_GAP + ROW_GAP_PER_WIDTH * sheet.width + more) / sheet.height


def arc_styles(
    structure: Structure, widths: Mapping[Arc, float], *, class_arcs: bool
) -> dict[Arc, ArcStyle]:
    """Return the looks of the arcs of a network that is drawn by itself.

    Parameters
    ----------
    structure : Structure
    widths : mapping of arc to float
        In points.
    class_arcs : bool
        Whether arcs of the class are drawn.

    Returns
    -------
    dict of arc to ArcStyle
    """
    styles = {}
    for arc in structure.arcs:
        if not is_class_arc(structure, arc):
            styles[arc] = ArcStyle(widths[arc], ARC, ARC_ORDER)
        elif class_arcs:
            styles[arc] = ArcStyle(widths[arc], CLASS_ARC, CLASS_ARC_ORDER)
    return styles


def draw_network(
    pen: Pen,
    subject: Subject,
    layout: Layout,
    styles: Mapping[Arc, ArcStyle],
    absent: Collection[Hashable] = (),
) -> DrawnNetwork:
    """Draw the boxes of all nodes and some arcs.

    Parameters
    ----------
    pen : Pen
    subject : Subject
    layout : Layout
        Its nodes are those of the subject and the absent ones.
    styles : mapping of arc to ArcStyle
        The arcs to draw.
    absent : collection of node, default=()
        Nodes of which only a shadow is drawn.

    Returns
    -------
    DrawnNetwork
    """
    drawn = DrawnNetwork(pen.ax, {}, {}, {})
    for node, centre in layout.centres.items():
        looks = {"is_class": node == subject.structure.class_node, "is_absent": node in absent}
        is_number = node in subject.continuous
        drawn.nodes[node] = pen.box(centre, is_continuous=is_number, **looks)
        drawn.labels[node] = pen.label(centre, pen.sheet.labels[node], **looks)
    # Wide ones first: a thin arc that shares their way stays visible.
    for arc in sorted(styles, key=lambda arc: -styles[arc].width):
        drawn.arcs[arc] = pen.arc(layout.routes[arc], *styles[arc])
    return drawn
