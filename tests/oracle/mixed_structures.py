"""Structures over states and numbers: no discrete attribute has a continuous parent.

Naive Bayes is oracle.structures.naive_bayes, which does not look at the cells.
"""

from oracle.gaussian_measures import mixed_class_scores, mixed_pair_scores
from oracle.mixed import discrete_columns
from oracle.structures import Parents, spode
from oracle.tables import Table


def legal_roots(table: Table) -> list[int]:
    """Return the attributes that may be parent of all others: the discrete ones if any."""
    return discrete_columns(table) or list(range(table.n))


def checked(table: Table, attribute: int) -> int:
    """Refuse a root or superparent that would be a continuous parent of a discrete attribute."""
    if attribute not in legal_roots(table):
        raise ValueError(f"attribute {attribute} is continuous and others are discrete")
    return attribute


def mixed_default_superparent(table: Table) -> int:
    """Return the legal attribute with the largest I(Xj;Y)."""
    scores = mixed_class_scores(table)
    return max(legal_roots(table), key=lambda j: scores[j])  # max() keeps the first of equals


def mixed_spode(table: Table, superparent: int | None = None) -> Parents:
    """One attribute is parent of all others."""
    if superparent is None:
        superparent = mixed_default_superparent(table)
    return spode(table, checked(table, superparent))


def mixed_tan(table: Table, root: int | None = None) -> Parents:
    """Maximum spanning tree on I(Xi;Xj|Y), the discrete attributes joined first."""
    root = legal_roots(table)[0] if root is None else checked(table, root)
    return two_stage_prim(mixed_pair_scores(table), root, discrete_columns(table))


def two_stage_prim(scores: list[list[int]], root: int, discrete: list[int]) -> Parents:
    """Grow the tree by the heaviest edge to a discrete attribute, then to a continuous one.

    Ties between edges: the new attribute with the lower column, then the old one with the lower.
    """
    parents: Parents = {root: ()}
    while len(parents) < len(scores):
        outside = [i for i in range(len(scores)) if i not in parents]
        candidates = [i for i in outside if i in discrete] or outside
        edges = [(new, old) for new in candidates for old in sorted(parents)]
        new, old = max(edges, key=lambda edge: scores[edge[0]][edge[1]])
        parents[new] = (old,)
    return parents


def mixed_order(table: Table) -> list[int]:
    """Return KDB's order: the discrete by decreasing I(Xi;Y), then the continuous likewise."""
    scores = mixed_class_scores(table)
    discrete = discrete_columns(table)
    return sorted(range(table.n), key=lambda i: (i not in discrete, -scores[i]))


def mixed_kdb(table: Table, k: int | None = 2) -> Parents:
    """Up to k parents each among the earlier attributes; with k=None all of them (Full)."""
    order, scores = mixed_order(table), mixed_pair_scores(table)
    parents: Parents = {}
    for position, i in enumerate(order):
        ranked = sorted(order[:position], key=lambda j, i=i: -scores[i][j])
        parents[i] = tuple(sorted(ranked[:k]))
    return parents


def mixed_full(table: Table) -> Parents:
    """Every attribute has all earlier ones as parents."""
    return mixed_kdb(table, None)
