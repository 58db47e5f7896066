"""How wide arcs are drawn: in proportion to their score."""

from collections.abc import Iterable
from math import isfinite

from bnclass.structure.dag import Arc, Structure

# In points. An arc is never thinner than a hairline, so that all can be seen.
WIDEST, HAIRLINE = 6.0, 0.7
WITHOUT_SCORE, CLASS_ARC = 1.8, 0.8


def attribute_scores(structure: Structure) -> dict[Arc, float]:
    """Return the scores of the arcs that do not touch the class.

    Parameters
    ----------
    structure : Structure

    Returns
    -------
    dict of arc to float
        Arcs without a finite score are left out.

    Examples
    --------
    >>> from bnclass import Structure
    >>> from bnclass.plot.widths import attribute_scores
    >>> arcs = {("y", "a"): 0.9, ("y", "b"): 0.8, ("a", "b"): 0.1}
    >>> attribute_scores(Structure.from_arcs("yab", arcs, "y"))
    {('a', 'b'): 0.1}
    """
    scores = {}
    for arc in structure.arcs:
        score = structure.graph.edges[arc].get("score")
        if not is_class_arc(structure, arc) and score is not None and isfinite(score):
            scores[arc] = float(score)
    return scores


def largest_score(structures: Iterable[Structure]) -> float:
    """Return the largest score of an arc that does not touch the class.

    Parameters
    ----------
    structures : iterable of Structure

    Returns
    -------
    float
        0 if there is none.

    Examples
    --------
    >>> from bnclass import Structure
    >>> from bnclass.plot.widths import largest_score
    >>> largest_score([Structure.from_arcs("ab", {("a", "b"): s}) for s in (0.1, 0.2, None)])
    0.2
    """
    scores = (score for s in structures for score in attribute_scores(s).values())
    return max(scores, default=0.0)


def arc_widths(structure: Structure, largest: float | None = None) -> dict[Arc, float]:
    """Return the width of every arc.

    Parameters
    ----------
    structure : Structure
    largest : float, optional
        The score that is drawn `WIDEST`; by default the largest of the structure.

    Returns
    -------
    dict of arc to float
        In points. Between attributes widths are in proportion to scores, though never
        thinner than `HAIRLINE`; arcs without a score and arcs of the class have a fixed
        width.

    Examples
    --------
    >>> from bnclass import Structure
    >>> from bnclass.plot.widths import arc_widths
    >>> arcs = {("a", "b"): 0.5, ("a", "c"): 0.25, ("a", "d"): 0.0}
    >>> arc_widths(Structure.from_arcs("abcd", arcs))
    {('a', 'b'): 6.0, ('a', 'c'): 3.0, ('a', 'd'): 0.7}
    """
    scores = attribute_scores(structure)
    if largest is None:
        largest = largest_score([structure])
    widths = {}
    for arc in structure.arcs:
        widths[arc] = CLASS_ARC if is_class_arc(structure, arc) else WITHOUT_SCORE
        if arc in scores:
            widths[arc] = scaled_width(scores[arc], largest)
    return widths


def scaled_width(score: float, largest: float) -> float:
    """Return the width of an arc next to one of the largest score.

    Parameters
    ----------
    score, largest : float

    Returns
    -------
    float
        In points.
    """
    return max(HAIRLINE, WIDEST * score / largest) if largest > 0 else HAIRLINE


def is_class_arc(structure: Structure, arc: Arc) -> bool:
    """Return whether an arc comes from the class or leads to it.

    Parameters
    ----------
    structure : Structure
    arc : tuple of two nodes

    Returns
    -------
    bool
    """
    return structure.class_node is not None and structure.class_node in arc
