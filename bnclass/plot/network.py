"""`plot_network`: a network as a picture."""

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any

from bnclass.classifiers.inspect import network_of
from bnclass.plot.artists import ARC, ARC_ORDER, CLASS_ARC, CLASS_ARC_ORDER, Pen
from bnclass.plot.key import KINDS_WIDTH, SCORES_WIDTH, draw_key, kind_entries, score_entries
from bnclass.plot.layout import Layout, layered_layout
from bnclass.plot.page import new_axes, page_of, show_page
from bnclass.plot.sheet import fit_sheet
from bnclass.plot.widths import arc_widths, attribute_scores, is_class_arc
from bnclass.structure.dag import Arc, Structure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.patches import FancyBboxPatch, PathPatch
    from matplotlib.text import Text

# Least free space between rows, in inches: arcs to wide boxes run further sideways.
ROW_GAP, ROW_GAP_PER_WIDTH, ROOM_FOR_SCORES = 0.16, 0.2, 0.14


class NetworkDisplay:
    """A network drawn in layers: the class on top, attributes below their parents.

    Made by `plot_network` or `NetworkDisplay.from_estimator`.

    Parameters
    ----------
    structure : Structure
    continuous : iterable of node, default=()
        The nodes that are numbers: their boxes have round ends.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
    figure_ : matplotlib.figure.Figure
    nodes_ : dict of node to matplotlib.patches.FancyBboxPatch
        The boxes.
    labels_ : dict of node to matplotlib.text.Text
        The names in them.
    arcs_ : dict of arc to matplotlib.patches.PathPatch
        The lines of the arcs drawn.

    Examples
    --------
    >>> from bnclass import TAN, load_dataset
    >>> from bnclass.plot.network import NetworkDisplay
    >>> from matplotlib.figure import Figure
    >>> model = TAN().fit(*load_dataset("monks-1"))
    >>> display = NetworkDisplay.from_estimator(model, ax=Figure().subplots())
    >>> len(display.nodes_), len(display.arcs_)
    (7, 11)
    """

    ax_: "Axes"
    figure_: "Figure | SubFigure"
    nodes_: "dict[Hashable, FancyBboxPatch]"
    labels_: "dict[Hashable, Text]"
    arcs_: "dict[Arc, PathPatch]"

    def __init__(self, structure: Structure, continuous: Iterable[Hashable] = ()) -> None:
        self.structure = structure
        self.continuous = frozenset(continuous)

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        *,
        ax: "Axes | None" = None,
        class_arcs: bool = True,
        scores: bool = False,
        title: str | None = None,
    ) -> "NetworkDisplay":
        """Draw the network of a model.

        Parameters
        ----------
        model : fitted classifier, BayesianNetwork or Structure
        ax, class_arcs, scores, title
            As for `plot_network`.

        Returns
        -------
        NetworkDisplay

        Raises
        ------
        BnclassError
            If the model is not fitted or holds no single network.
        """
        if isinstance(model, Structure):
            display = cls(model)
        else:
            network = network_of(model)
            numbers = (n for n, f in network.factors.items() if f.variable.is_continuous)
            display = cls(network.structure, numbers)
        return display.plot(ax, class_arcs=class_arcs, scores=scores, title=title)

    def plot(
        self,
        ax: "Axes | None" = None,
        *,
        class_arcs: bool = True,
        scores: bool = False,
        title: str | None = None,
    ) -> "NetworkDisplay":
        """Draw the network, again or elsewhere.

        Parameters
        ----------
        ax, class_arcs, scores, title
            As for `plot_network`.

        Returns
        -------
        NetworkDisplay
            Itself.
        """
        structure, known = self.structure, attribute_scores(self.structure)
        sheet = fit_sheet(structure.nodes, structure.class_node)
        gap = ROW_GAP + ROW_GAP_PER_WIDTH * sheet.width + (ROOM_FOR_SCORES if scores else 0.0)
        layout = layered_layout(structure, row_gap=gap / sheet.height)
        largest = max(known.values(), default=0.0)
        has_kinds = 0 < len(self.continuous) < len(structure.nodes)
        key_width = SCORES_WIDTH * (largest > 0) + KINDS_WIDTH * has_kinds
        page = page_of(layout, sheet, key_width)
        self.ax_ = new_axes(page, with_title=title is not None) if ax is None else ax
        self.figure_ = self.ax_.figure
        pen = Pen(self.ax_, sheet, show_page(self.ax_, page))
        self._draw_nodes(pen, layout)
        self._draw_arcs(pen, layout, class_arcs=class_arcs)
        if scores:
            self._write_scores(pen, layout, known)
        entries = score_entries(largest, self._meaning, pen.scale) if largest > 0 else []
        entries += kind_entries(pen.scale) if has_kinds else []
        if entries:
            draw_key(self.ax_, entries, pen.scale)
        if title is not None:
            self.ax_.set_title(title)
        return self

    def _draw_nodes(self, pen: Pen, layout: Layout) -> None:
        self.nodes_, self.labels_ = {}, {}
        for node, centre in layout.centres.items():
            is_class = node == self.structure.class_node
            is_number = node in self.continuous
            self.nodes_[node] = pen.box(centre, is_class=is_class, is_continuous=is_number)
            self.labels_[node] = pen.label(centre, pen.sheet.labels[node], is_class=is_class)

    def _draw_arcs(self, pen: Pen, layout: Layout, *, class_arcs: bool) -> None:
        self.arcs_ = {}
        widths = arc_widths(self.structure)
        # Wide ones first: a thin arc that shares their way stays visible.
        for arc in sorted(layout.routes, key=lambda arc: -widths[arc]):
            route, width = layout.routes[arc], widths[arc]
            if not is_class_arc(self.structure, arc):
                self.arcs_[arc] = pen.arc(route, width, ARC, ARC_ORDER)
            elif class_arcs:
                self.arcs_[arc] = pen.arc(route, width, CLASS_ARC, CLASS_ARC_ORDER)

    def _write_scores(self, pen: Pen, layout: Layout, known: dict[Arc, float]) -> None:
        for node in self.structure.nodes:
            arcs = [(u, node) for u in self.structure.parents(node) if (u, node) in known]
            pen.scores([(layout.routes[arc][-1], known[arc]) for arc in arcs])

    @property
    def _meaning(self) -> str:
        """What the scores measure."""
        given = r" \mid Y" if self.structure.class_node is not None else ""
        return rf"$I(X_i; X_j{given})$ in nats"


def plot_network(
    model: Any,
    *,
    ax: "Axes | None" = None,
    class_arcs: bool = True,
    scores: bool = False,
    title: str | None = None,
) -> NetworkDisplay:
    """Draw a network: the class on top, attributes in layers below their parents.

    Parameters
    ----------
    model : fitted classifier, BayesianNetwork or Structure
    ax : matplotlib.axes.Axes, optional
        Where to draw, all sizes fitted to it as it is now. By default a new pyplot figure,
        as large as the network needs.
    class_arcs : bool, default=True
        Draw the arcs of the class, thin and grey.
    scores : bool, default=False
        Write their scores on the arcs between attributes.
    title : str, optional

    Returns
    -------
    NetworkDisplay
        With `ax_`, `figure_` and the artists of nodes and arcs.

    Raises
    ------
    BnclassError
        If the model is not fitted or holds no single network.

    Notes
    -----
    Arcs between attributes are as wide as their score, I(X_i; X_j | Y), though never thinner
    than a hairline; the key below the network gives the scale. All arcs that leave a node
    leave it at one point and may run together before they part.

    Continuous nodes have round ends, discrete ones (discretised numbers among them) have
    corners; a bare `Structure` does not know its nodes' kinds.

    Examples
    --------
    >>> from bnclass import TAN, load_dataset
    >>> from bnclass.plot.network import plot_network
    >>> from matplotlib.figure import Figure
    >>> model = TAN().fit(*load_dataset("monks-1"))
    >>> display = plot_network(model, ax=Figure().subplots(), class_arcs=False)
    >>> display.labels_["class"].get_text()
    'class'
    """
    return NetworkDisplay.from_estimator(
        model, ax=ax, class_arcs=class_arcs, scores=scores, title=title
    )
