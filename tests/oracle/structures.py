"""Structures as {attribute: its attribute parents}; the class is a parent of all.

Parents are listed by ascending column. Every scan goes from left to right with a strict
comparison, so that the lower column wins a tie.
"""

from oracle.measures import class_scores, pair_scores
from oracle.tables import Table

Parents = dict[int, tuple[int, ...]]


def naive_bayes(table: Table) -> Parents:
    """No arcs but those from the class."""
    return dict.fromkeys(range(table.n), ())


def default_superparent(table: Table) -> int:
    """Return the attribute with the largest I(Xj;Y)."""
    scores = class_scores(table)
    return scores.index(max(scores))


def spode(table: Table, superparent: int) -> Parents:
    """One attribute is parent of all others."""
    return {i: () if i == superparent else (superparent,) for i in range(table.n)}


def tan(table: Table, root: int = 0) -> Parents:
    """Maximum spanning tree on I(Xi;Xj|Y), directed away from the root."""
    return prim(pair_scores(table), root)


def prim(scores: list[list[int]], root: int) -> Parents:
    """Grow the tree from the root by the heaviest edge that leaves it.

    Ties between edges: the new attribute with the lower column; for one new attribute, the
    attribute of the tree with the lower column (not the one that joined first).
    """
    parents: Parents = {root: ()}
    while len(parents) < len(scores):
        best = -1  # below every measure: an edge of weight 0 is an edge
        for new in range(len(scores)):
            if new in parents:
                continue
            for old in sorted(parents):
                if scores[new][old] > best:
                    best, chosen = scores[new][old], (new, old)
        new, old = chosen
        parents[new] = (old,)
    return parents


def kdb(table: Table, k: int | None = 2) -> Parents:
    """Up to k parents each among the attributes with more information on the class.

    With k=None all of them: the full network.
    """
    limit = table.n - 1 if k is None else k
    return k_dependence(class_scores(table), pair_scores(table), limit)


def k_dependence(relevance: list[int], scores: list[list[int]], k: int) -> Parents:
    """KDB from the quantised measures."""
    # sorted() is stable: of two equals the lower column, then the earlier position, stays first
    order = sorted(range(len(relevance)), key=lambda i: -relevance[i])
    parents: Parents = {}
    for position, i in enumerate(order):
        ranked = sorted(order[:position], key=lambda j, i=i: -scores[i][j])
        parents[i] = tuple(sorted(ranked[:k]))
    return parents
