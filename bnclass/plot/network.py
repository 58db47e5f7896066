"""`plot_network`: a network as a picture."""

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any

from bnclass.plot.artists import Pen
from bnclass.plot.drawn import Subject, arc_styles, draw_network, row_gap, subject_of
from bnclass.plot.key import draw_key, key_entries, key_width
from bnclass.plot.layout import Layout, layered_layout
from bnclass.plot.page import new_axes, page_of, show_page
from bnclass.plot.sheet import fit_sheet
from bnclass.plot.widths import arc_widths, attribute_scores, largest_score
from bnclass.structure.dag import Arc, Structure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.patches import FancyBboxPatch, PathPatch
    from matplotlib.text import Text

# More free space between rows, in inches, where scores are written there.
ROOM_FOR_SCORES = 0.14


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
        return cls(*subject_of(model)).plot(ax, class_arcs=class_arcs, scores=scores, title=title)

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
        subject = Subject(structure, self.continuous)
        sheet = fit_sheet(structure.nodes, structure.class_node)
        gap = row_gap(sheet, ROOM_FOR_SCORES if scores else 0.0)
        layout = layered_layout(structure, row_gap=gap)
        largest = largest_score([structure])
        page = page_of(layout, sheet, key_width(largest, has_kinds=subject.has_both_kinds))
        self.ax_ = new_axes(page, with_title=title is not None) if ax is None else ax
        self.figure_ = self.ax_.figure
        pen = Pen(self.ax_, sheet, show_page(self.ax_, page))
        styles = arc_styles(structure, arc_widths(structure, largest), class_arcs=class_arcs)
        drawn = draw_network(pen, subject, layout, styles)
        self.nodes_, self.labels_, self.arcs_ = drawn.nodes, drawn.labels, drawn.arcs
        if scores:
            self._write_scores(pen, layout, known)
        has_class = structure.class_node is not None
        entries = key_entries(
            largest, pen.scale, has_class=has_class, has_kinds=subject.has_both_kinds
        )
        if entries:
            draw_key(self.ax_, entries, pen.scale)
        if title is not None:
            self.ax_.set_title(title)
        return self

    def _write_scores(self, pen: Pen, layout: Layout, known: dict[Arc, float]) -> None:
        for node in self.structure.nodes:
            arcs = [(u, node) for u in self.structure.parents(node) if (u, node) in known]
            pen.scores([(layout.routes[arc][-1], known[arc]) for arc in arcs])


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
