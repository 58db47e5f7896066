"""`plot_ensemble`: the networks of an ensemble side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bnclass.exceptions import BnclassError
from bnclass.network.ensemble import NetworkEnsemble
from bnclass.plot.artists import Pen
from bnclass.plot.board import ASPECT, Board, BoardPlan, make_board
from bnclass.plot.drawn import DrawnNetwork, Subject, arc_styles, draw_network, row_gap, subject_of
from bnclass.plot.key import Entry, draw_key, key_entries, key_width
from bnclass.plot.layout import Layout, layered_layout
from bnclass.plot.members import (
    ensemble_of,
    has_equal_weights,
    heaviest_members,
    member_caption,
    places_of,
)
from bnclass.plot.page import Page, common_page, page_of, show_page
from bnclass.plot.sheet import Sheet, fit_sheet
from bnclass.plot.widths import arc_widths, largest_score

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

# Size of a member over that of a network by itself.
SHRINK = 0.5
# In inches: what a note takes, and a figure at most, unless more members are asked for.
NOTE_WIDTH, LARGEST = 4.5, (24.0, 16.0)


class EnsembleDisplay:
    """The networks of an ensemble drawn small, one beside the other.

    Made by `plot_ensemble` or `EnsembleDisplay.from_estimator`.

    Parameters
    ----------
    ensemble : NetworkEnsemble
    max_members, members
        As for `plot_ensemble`.

    Attributes
    ----------
    figure_ : matplotlib.figure.Figure
    members_ : dict of int to DrawnNetwork
        The axes and artists of each network drawn, by its place in the ensemble.
    n_left_out_ : int
        Number of networks that were not drawn.

    Examples
    --------
    >>> from bnclass import AODE, load_dataset
    >>> from bnclass.plot.ensemble import EnsembleDisplay
    >>> from matplotlib.figure import Figure
    >>> model = AODE().fit(*load_dataset("monks-1"))
    >>> display = EnsembleDisplay.from_estimator(model, figure=Figure())
    >>> [drawn.ax.get_title() for drawn in display.members_.values()]
    ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']
    """

    figure_: "Figure | SubFigure"
    members_: dict[int, DrawnNetwork]
    n_left_out_: int

    def __init__(
        self,
        ensemble: NetworkEnsemble,
        max_members: int | None = None,
        members: Sequence[int] | None = None,
    ) -> None:
        self.ensemble = ensemble
        self.max_members = max_members
        self.members = members

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        *,
        max_members: int | None = None,
        members: Sequence[int] | None = None,
        class_arcs: bool = False,
        figure: "Figure | SubFigure | None" = None,
        title: str | None = None,
    ) -> "EnsembleDisplay":
        """Draw the networks of a model.

        Parameters
        ----------
        model, max_members, members, class_arcs, figure, title
            As for `plot_ensemble`.

        Returns
        -------
        EnsembleDisplay

        Raises
        ------
        BnclassError
            As for `plot_ensemble`.
        """
        display = cls(ensemble_of(model), max_members, members)
        return display.plot(figure, class_arcs=class_arcs, title=title)

    @property
    def axes_(self) -> "tuple[Axes, ...]":
        """The axes of the networks drawn."""
        return tuple(drawn.ax for drawn in self.members_.values())

    def plot(
        self,
        figure: "Figure | SubFigure | None" = None,
        *,
        class_arcs: bool = False,
        title: str | None = None,
    ) -> "EnsembleDisplay":
        """Draw the networks, again or elsewhere.

        Parameters
        ----------
        figure, class_arcs, title
            As for `plot_ensemble`.

        Returns
        -------
        EnsembleDisplay
            Itself.

        Raises
        ------
        BnclassError
            As for `plot_ensemble`.
        """
        chosen, draft = self._chosen(has_title=title is not None)
        self.n_left_out_ = len(self.ensemble) - len(chosen)
        captions = [member_caption(self.ensemble, m) for m in chosen]
        board = make_board(self._plan(draft, captions, has_title=title is not None), figure)
        self.figure_ = board.figure
        drawn = _draw(board, draft, captions, class_arcs=class_arcs)
        self.members_ = dict(zip(chosen, drawn, strict=True))
        if draft.has_key:
            draw_key(board.figure, draft.entries(board.scale), board.scale)
        if self.n_left_out_:
            board.note(self._note(), line=int(draft.has_key))
        if title is not None:
            board.title(title)
        return self

    def _chosen(self, *, has_title: bool) -> tuple[list[int], "_Draft"]:
        """Return the places of the members to draw, and these laid out."""
        if self.members is not None and self.max_members is not None:
            raise BnclassError(
                f"found members and max_members={self.max_members!r}, expected one of them"
            )
        if self.members is not None:
            places = places_of(self.ensemble, self.members)
            return places, self._draft(places)
        places = heaviest_members(self.ensemble, self.max_members)
        draft = self._draft(places)
        if self.max_members is None:
            n = self._n_fitting(draft, len(places), has_title=has_title)
            if n < len(places):
                places = heaviest_members(self.ensemble, n)
                draft = self._draft(places)
        return places, draft

    def _draft(self, places: list[int]) -> "_Draft":
        return _draft([subject_of(self.ensemble[m]) for m in places])

    def _n_fitting(self, draft: "_Draft", most: int, *, has_title: bool) -> int:
        """Return how many members fit on the largest figure, one at least."""
        caption = member_caption(self.ensemble, 0)
        for n in range(most, 1, -1):
            width, height = self._plan(draft, [caption] * n, has_title=has_title).size(ASPECT)
            if width <= LARGEST[0] and height <= LARGEST[1]:
                return n
        return 1

    def _plan(self, draft: "_Draft", captions: list[str], *, has_title: bool) -> BoardPlan:
        has_note = len(captions) < len(self.ensemble)
        return BoardPlan(
            draft.page,
            len(captions),
            SHRINK,
            caption_lines=captions[0].count("\n") + 1,
            foot_lines=draft.has_key + has_note,
            foot_width=max(draft.key_width, NOTE_WIDTH * has_note),
            has_title=has_title,
        )

    def _note(self) -> str:
        n = len(self.members_)
        left_out = f"{self.n_left_out_} of {len(self.ensemble)} networks are left out"
        if self.members is not None:
            return left_out
        these = f"first {n}" if has_equal_weights(self.ensemble) else f"{n} of largest weight"
        return f"{left_out}; these are the {these}"


@dataclass(frozen=True)
class _Draft:
    """Networks laid out on one sheet, all at one scale."""

    subjects: list[Subject]
    sheet: Sheet
    layouts: list[Layout]
    page: Page
    largest: float

    @property
    def has_kinds(self) -> bool:
        return any(subject.has_both_kinds for subject in self.subjects)

    @property
    def key_width(self) -> float:
        return key_width(self.largest, has_kinds=self.has_kinds)

    @property
    def has_key(self) -> bool:
        return self.key_width > 0

    def entries(self, scale: float) -> list[Entry]:
        """Return the key, its lines as wide as those of the networks."""
        has_class = self.subjects[0].structure.class_node is not None
        scale = scale * SHRINK
        return key_entries(self.largest, scale, has_class=has_class, has_kinds=self.has_kinds)


def _draft(subjects: list[Subject]) -> _Draft:
    nodes = dict.fromkeys(node for subject in subjects for node in subject.structure.nodes)
    sheet = fit_sheet(nodes, subjects[0].structure.class_node)
    gap = row_gap(sheet)
    layouts = [layered_layout(subject.structure, row_gap=gap) for subject in subjects]
    page = common_page(page_of(layout, sheet) for layout in layouts)
    largest = largest_score(subject.structure for subject in subjects)
    return _Draft(subjects, sheet, layouts, page, largest)


def _draw(
    board: Board, draft: _Draft, captions: list[str], *, class_arcs: bool
) -> list[DrawnNetwork]:
    drawn = []
    for i, (subject, layout) in enumerate(zip(draft.subjects, draft.layouts, strict=True)):
        pen = Pen(board.axes[i], draft.sheet, show_page(board.axes[i], draft.page))
        widths = arc_widths(subject.structure, draft.largest)
        styles = arc_styles(subject.structure, widths, class_arcs=class_arcs)
        drawn.append(draw_network(pen, subject, layout, styles))
        board.caption(i, captions[i])
    return drawn


def plot_ensemble(
    model: Any,
    *,
    max_members: int | None = None,
    members: Sequence[int] | None = None,
    class_arcs: bool = False,
    figure: "Figure | SubFigure | None" = None,
    title: str | None = None,
) -> EnsembleDisplay:
    """Draw the networks of an ensemble small, one beside the other.

    Parameters
    ----------
    model : NetworkEnsemble or fitted classifier that averages networks
        AODE, ATAN, GAODE, HAODE.
    max_members : int, optional
        Draw so many at most: those of largest weight, the first of equals. By default as
        many as fit on 24 × 16 inches, and no more than 64. The picture says how many are
        left out.
    members : sequence of int, optional
        Draw these and no others, by their places in the ensemble: ``members=range(8, 16)``
        is the next page after the first eight. The figure is as large as they need.
    class_arcs : bool, default=False
        Draw the arcs of the class, thin and grey.
    figure : matplotlib.figure.Figure or SubFigure, optional
        Where to draw, all sizes fitted to it as it is now. By default a new pyplot figure,
        as large as the networks need.
    title : str, optional

    Returns
    -------
    EnsembleDisplay
        With `figure_`, `axes_`, `n_left_out_`, and `members_` with the artists of each.

    Raises
    ------
    BnclassError
        If the model is not fitted, holds a single network or none, or makes one for every
        row (KST: see `plot_comparison`); if `max_members` is no positive integer, `members`
        are no places, or both are given.

    Notes
    -----
    Above each network stands its superparent or root ("member 3" for one without) and,
    where they differ, its weight. All networks have one scale, for boxes and for the width
    of arcs, so that they compare; the key is that of `plot_network`.

    Examples
    --------
    >>> from bnclass import AODE, load_dataset
    >>> from bnclass.plot.ensemble import plot_ensemble
    >>> from matplotlib.figure import Figure
    >>> model = AODE().fit(*load_dataset("monks-1"))
    >>> display = plot_ensemble(model, max_members=4, figure=Figure())
    >>> len(display.axes_), display.n_left_out_
    (4, 2)
    """
    return EnsembleDisplay.from_estimator(
        model,
        max_members=max_members,
        members=members,
        class_arcs=class_arcs,
        figure=figure,
        title=title,
    )
