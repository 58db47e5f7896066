"""`plot_comparison`: two networks side by side, with what differs marked."""

from typing import TYPE_CHECKING, Any

from bnclass.exceptions import BnclassError
from bnclass.plot.artists import ARC_ORDER, CLASS_ARC, CLASS_ARC_ORDER, Pen
from bnclass.plot.board import BoardPlan, make_board
from bnclass.plot.drawn import ArcStyle, DrawnNetwork, Subject, draw_network, row_gap, subject_of
from bnclass.plot.key import Entry, absent_entry, draw_key, entries_width, kind_entries, line_entry
from bnclass.plot.page import page_of, show_page
from bnclass.plot.sheet import fit_sheet
from bnclass.plot.union import class_of_both, nodes_of_both, union_layout
from bnclass.plot.widths import CLASS_ARC as CLASS_WIDTH
from bnclass.structure.dag import Arc, Structure

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure

# Size over that of a network by itself.
SHRINK = 0.7
# Of a line in the key: dashes must show.
SAMPLE_LENGTH = 3.0
COMMON = ArcStyle(1.6, "#70787f", ARC_ORDER)
# Colours that differ for every kind of colour vision, and over the common arcs.
ONLY_IN = (
    ArcStyle(2.4, "#d55e00", ARC_ORDER + 0.1, "--"),
    ArcStyle(2.4, "#0072b2", ARC_ORDER + 0.1, "-."),
)
OF_CLASS = ArcStyle(CLASS_WIDTH, CLASS_ARC, CLASS_ARC_ORDER)


class ComparisonDisplay:
    """Two networks side by side: nodes at the same places, differing arcs marked.

    Made by `plot_comparison` or `ComparisonDisplay.from_estimators`.

    Parameters
    ----------
    left, right : Subject

    Attributes
    ----------
    figure_ : matplotlib.figure.Figure
    left_, right_ : DrawnNetwork
        The axes and artists of each network. The boxes are those of all nodes of both; of a
        node that is not in this one there is an outline.
    only_left_, only_right_ : tuple of arc
        The arcs that are in one of them only.

    Examples
    --------
    >>> from bnclass import KDB, TAN, load_dataset
    >>> from bnclass.plot.comparison import ComparisonDisplay
    >>> from matplotlib.figure import Figure
    >>> X, y = load_dataset("monks-1")
    >>> models = TAN().fit(X, y), KDB(k=1).fit(X, y)
    >>> display = ComparisonDisplay.from_estimators(*models, figure=Figure())
    >>> set(display.only_left_) & set(models[1].network_.graph.edges)
    set()
    """

    figure_: "Figure | SubFigure"
    left_: DrawnNetwork
    right_: DrawnNetwork

    def __init__(self, left: Subject, right: Subject) -> None:
        self.left, self.right = left, right
        self.class_node = class_of_both(left.structure, right.structure)
        self.nodes = nodes_of_both(left.structure, right.structure)
        self.only_left_ = _only_in(left.structure, right.structure)
        self.only_right_ = _only_in(right.structure, left.structure)

    @classmethod
    def from_estimators(
        cls,
        left: Any,
        right: Any,
        *,
        titles: tuple[str, str] = ("global", "local"),
        class_arcs: bool = False,
        figure: "Figure | SubFigure | None" = None,
    ) -> "ComparisonDisplay":
        """Draw the networks of two models.

        Parameters
        ----------
        left, right, titles, class_arcs, figure
            As for `plot_comparison`.

        Returns
        -------
        ComparisonDisplay

        Raises
        ------
        BnclassError
            As for `plot_comparison`.
        """
        display = cls(subject_of(left), subject_of(right))
        return display.plot(figure, titles=titles, class_arcs=class_arcs)

    def plot(
        self,
        figure: "Figure | SubFigure | None" = None,
        *,
        titles: tuple[str, str] = ("global", "local"),
        class_arcs: bool = False,
    ) -> "ComparisonDisplay":
        """Draw the networks, again or elsewhere.

        Parameters
        ----------
        figure, titles, class_arcs
            As for `plot_comparison`.

        Returns
        -------
        ComparisonDisplay
            Itself.

        Raises
        ------
        BnclassError
            If there are not two titles.
        """
        _require_two(titles)
        sheet = fit_sheet(self.nodes, self.class_node)
        layout = union_layout(self.left.structure, self.right.structure, row_gap(sheet))
        page = page_of(layout, sheet)
        width = entries_width(self._entries(titles, 1.0))
        plan = BoardPlan(page, 2, SHRINK, n_columns=2, foot_lines=1, foot_width=width)
        board = make_board(plan, figure)
        drawn = []
        for i, subject in enumerate((self.left, self.right)):
            pen = Pen(board.axes[i], sheet, show_page(board.axes[i], page))
            absent = [node for node in self.nodes if node not in subject.structure.graph]
            styles = self._styles(i, class_arcs=class_arcs)
            drawn.append(draw_network(pen, subject, layout, styles, absent))
            board.caption(i, titles[i])
        self.figure_, (self.left_, self.right_) = board.figure, drawn
        entries = self._entries(titles, SHRINK * board.scale)
        draw_key(board.figure, entries, board.scale, sample_length=SAMPLE_LENGTH)
        return self

    def _styles(self, i: int, *, class_arcs: bool) -> dict[Arc, ArcStyle]:
        """Return the looks of the arcs of the i-th network; what differs is always drawn."""
        structure = (self.left, self.right)[i].structure
        differing = (self.only_left_, self.only_right_)[i]
        styles = {}
        for arc in structure.arcs:
            if arc in differing:
                styles[arc] = ONLY_IN[i]
            elif self.class_node is None or self.class_node not in arc:
                styles[arc] = COMMON
            elif class_arcs:
                styles[arc] = OF_CLASS
        return styles

    def _entries(self, titles: tuple[str, str], scale: float) -> list[Entry]:
        """Return the key: what kinds of arcs and nodes there are."""
        common = sum(s == COMMON for s in self._styles(0, class_arcs=False).values())
        counts = (common, len(self.only_left_), len(self.only_right_))
        texts = ("in both", *(f"only in {title}" for title in titles))
        entries = [
            line_entry(style.width * scale, style.color, style.dashes, f"{text} ({n})")
            for style, text, n in zip((COMMON, *ONLY_IN), texts, counts, strict=True)
            if n > 0
        ]
        if any(len(s.structure.nodes) < len(self.nodes) for s in (self.left, self.right)):
            entries.append(absent_entry(scale))
        has_kinds = self.left.has_both_kinds or self.right.has_both_kinds
        return entries + (kind_entries(scale) if has_kinds else [])


def _only_in(one: Structure, other: Structure) -> tuple[Arc, ...]:
    """Return the arcs that only one has; the class's to a node that only it has are no news."""
    return tuple(
        arc
        for arc in one.arcs
        if not other.graph.has_edge(*arc)
        and (one.class_node not in arc or all(node in other.graph for node in arc))
    )


def _require_two(titles: Any) -> None:
    if isinstance(titles, str) or len(titles) != 2:
        raise BnclassError(f"titles are {titles!r}, expected two")


def plot_comparison(
    left: Any,
    right: Any,
    *,
    titles: tuple[str, str] = ("global", "local"),
    class_arcs: bool = False,
    figure: "Figure | SubFigure | None" = None,
) -> ComparisonDisplay:
    """Draw two networks side by side, with the arcs marked that only one of them has.

    Parameters
    ----------
    left, right : fitted classifier, BayesianNetwork or Structure
        Over nearly the same nodes.
    titles : tuple of two str, default=("global", "local")
        What the two are called, above them and in the key; written as they are.
    class_arcs : bool, default=False
        Draw the arcs of the class that both have, thin and grey. Those that differ are drawn
        in any case.
    figure : matplotlib.figure.Figure or SubFigure, optional
        Where to draw, all sizes fitted to it as it is now. By default a new pyplot figure,
        as large as the networks need.

    Returns
    -------
    ComparisonDisplay
        With `figure_`, `left_` and `right_` (axes and artists of each), `only_left_` and
        `only_right_` (the arcs marked).

    Raises
    ------
    BnclassError
        If a model is not fitted or holds no single network, the networks have different
        classes or no node in common, or there are not two titles.

    Notes
    -----
    Every node has the same place in both, found for the arcs of both together. An arc that is
    turned round is two arcs, each in one of them only. Where a network lacks a node, as the
    local one of a row with missing cells does, the node's outline stands in its place; the
    class's arc to it counts as no difference. Arcs are all of one width, whatever their
    scores: measures of all rows and of one do not compare.

    Examples
    --------
    >>> from bnclass import KDB, TAN, load_dataset
    >>> from bnclass.plot.comparison import plot_comparison
    >>> from matplotlib.figure import Figure
    >>> models = [m.fit(*load_dataset("monks-1")) for m in (TAN(), KDB(k=2))]
    >>> display = plot_comparison(*models, titles=("TAN", "KDB"), figure=Figure())
    >>> len(display.left_.arcs), len(display.right_.arcs)
    (5, 9)
    """
    return ComparisonDisplay.from_estimators(
        left, right, titles=titles, class_arcs=class_arcs, figure=figure
    )
