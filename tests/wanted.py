"""Random constraints, for the oracle and for the package."""

from hypothesis import strategies as st
from oracle import constrained
from oracle.kst_measures import Measures

from bnclass import Constraints


@st.composite
def wanted(draw, n, continuous=()):
    """Draw constraints, some of which contradict themselves."""
    arcs = [(u, v) for u in range(n) for v in range(n) if u != v]
    some = st.lists(st.sampled_from(arcs), max_size=n) if arcs else st.just([])
    few = st.lists(st.sampled_from(arcs), max_size=2) if arcs else st.just([])
    return constrained.Wanted(
        n,
        required=tuple(draw(few)),
        forbidden=tuple(draw(some)),
        root=draw(st.sampled_from([None, None, *range(n)])),
        order=tuple(draw(st.permutations(range(n)))[: draw(st.integers(0, n))]),
        max_parents=draw(st.sampled_from([None, None, None, 0, 1, 2])),
        continuous=continuous,
    )


def as_constraints(want):
    def named(arcs):
        return [(f"x{u}", f"x{v}") for u, v in arcs]

    root = None if want.root is None else f"x{want.root}"
    order = [f"x{i}" for i in want.order]
    return Constraints(named(want.required), named(want.forbidden), root, order, want.max_parents)


def as_measures(found):
    """Return the integers that the package compares; other tests hold these to the oracle's."""
    place = {i: a for a, i in enumerate(found.attributes)}
    return Measures(
        found.attributes,
        lambda i, j: int(found.pairs[place[i], place[j]]),
        lambda i, j, p: int(found.triples[place[p], place[i], place[j]]),
    )


def by_column(structure):
    """Return attribute parents by column of the table; names are "x0", "x1", …"""
    return {
        int(name[1:]): tuple(int(p[1:]) for p in structure.parents(name) if p != "class")
        for name in structure.attributes
    }
