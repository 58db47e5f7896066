"""The best structures under constraints, by trying all of them; attributes are places.

KST, whose choice is greedy, is the procedure to the letter.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from oracle.kst_measures import Measures
from oracle.kst_structures import correlation_order, minimum_dependence
from oracle.structures import Parents

Arc = tuple[int, int]


@dataclass(frozen=True)
class Wanted:
    """Constraints on the attributes 0 to n - 1; arcs are (parent, child)."""

    n: int
    required: tuple[Arc, ...] = ()
    forbidden: tuple[Arc, ...] = ()
    root: int | None = None
    order: tuple[int, ...] = ()
    max_parents: int | None = None
    continuous: tuple[int, ...] = ()

    def may_be(self, parent: int, child: int) -> bool:
        """Whether there may be an arc, by itself."""
        later = self.order[self.order.index(child) + 1 :] if child in self.order else ()
        by_kind = parent not in self.continuous or child in self.continuous
        forbidden = (parent, child) in self.forbidden or child == self.root or parent in later
        return parent != child and by_kind and not forbidden

    def required_parents(self, child: int) -> list[int]:
        """Return the required parents of a child, ascending."""
        return sorted({u for u, v in self.required if v == child})

    def limit(self, limit: int | None) -> int:
        """Return the smaller of the limits on attribute parents."""
        return min(x for x in (limit, self.max_parents, self.n) if x is not None)

    def contradictory(self, limit: int | None = None) -> bool:
        """Whether no structure can keep them, under a learner's limit."""
        reached = _reached(self.n, self.required)
        listed = itertools.combinations(self.order, 2)
        return (
            any(not self.may_be(*arc) for arc in self.required)
            or any(i in reached[i] for i in range(self.n))
            or any(earlier in reached[later] for earlier, later in listed)
            or any(len(self.required_parents(i)) > self.limit(limit) for i in range(self.n))
        )


def _reached(n: int, arcs: tuple[Arc, ...]) -> list[set[int]]:
    """Return the nodes below each node."""
    below = [{v for u, v in arcs if u == i} for i in range(n)]
    for _ in range(n):
        below = [set().union(found, *(below[j] for j in found)) for found in below]
    return below


def forests(wanted: Wanted) -> list[dict[int, int]]:
    """Return all forests of at most one parent each that keep the constraints."""
    options = [_parent_options(wanted, child) for child in range(wanted.n)]
    found = (
        {c: p for c, p in enumerate(ps) if p is not None} for ps in itertools.product(*options)
    )
    return [parents for parents in found if _is_acyclic(parents)]


def _parent_options(wanted: Wanted, child: int) -> list[int | None]:
    required = wanted.required_parents(child)
    if required:
        return list(required)
    if wanted.limit(1) == 0:
        return [None]
    return [None, *(p for p in range(wanted.n) if wanted.may_be(p, child))]


def _is_acyclic(parents: dict[int, int]) -> bool:
    for start in parents:
        at, steps = start, 0
        while at in parents:
            at, steps = parents[at], steps + 1
            if steps > len(parents):
                return False
    return True


def quality(parents: dict[int, int], weights: list[list[int]]) -> tuple[int, int]:
    """Return what the best forest has most of: arcs, then weight."""
    return len(parents), sum(weights[p][c] for c, p in parents.items())


def placed_order(wanted: Wanted, order: list[int]) -> list[int]:
    """Place one after the other the first that waits for none that is still to come."""
    waits = [*wanted.required]
    waits += [pair for pair in itertools.combinations(wanted.order, 2) if _can_wait(wanted, pair)]
    left, placed = list(order), []
    while left:
        following = next(i for i in left if not any(v == i and u in left for u, v in waits))
        left.remove(following)
        placed.append(following)
    return placed


def _can_wait(wanted: Wanted, pair: Arc) -> bool:
    earlier, later = pair
    return earlier not in wanted.continuous or later in wanted.continuous


def kdb(
    wanted: Wanted, order: list[int], weights: list[list[int]], k: int | None
) -> dict[int, tuple[int, ...]]:
    """Return the best parents of each attribute among all sets of those before it."""
    parents = {}
    placed = placed_order(wanted, order)
    for position, child in enumerate(placed):
        best = (-1, -1)
        for size in range(min(wanted.limit(k), position) + 1):
            for chosen in itertools.combinations(placed[:position], size):
                value = size, sum(weights[child][p] for p in chosen)
                if value > best and _keeps(wanted, chosen, child):
                    best, parents[child] = value, tuple(sorted(chosen))
    return parents


def _keeps(wanted: Wanted, chosen: tuple[int, ...], child: int) -> bool:
    allowed = all(wanted.may_be(p, child) for p in chosen)
    return allowed and set(wanted.required_parents(child)) <= set(chosen)


def kst(wanted: Wanted, measures: Measures, k: int) -> Parents:
    """Return the parents of each attribute measured; the others and their constraints are gone."""
    here = among(wanted, measures.columns)
    placed = placed_order(here, correlation_order(measures))
    parents: Parents = {}
    for position, child in enumerate(placed):
        parents[child] = tuple(sorted(_kst_parents(here, measures, k, child, placed[:position])))
    return parents


def among(wanted: Wanted, columns: Sequence[int]) -> Wanted:
    """Return what is wanted of some attributes alone."""
    return replace(
        wanted,
        required=tuple((u, v) for u, v in wanted.required if u in columns and v in columns),
        forbidden=tuple((u, v) for u, v in wanted.forbidden if u in columns and v in columns),
        root=wanted.root if wanted.root in columns else None,
        order=tuple(i for i in wanted.order if i in columns),
    )


def _kst_parents(
    wanted: Wanted, measures: Measures, k: int, child: int, earlier: Sequence[int]
) -> list[int]:
    """Take the required parents, then while there is room the allowed one of smallest D."""
    chosen = wanted.required_parents(child)
    remaining = [j for j in earlier if j not in chosen]
    while len(chosen) < wanted.limit(k):
        allowed = [j for j in remaining if wanted.may_be(j, child)]
        if not allowed:
            break
        # min takes the first of equals, the earlier in the order.
        best = min(allowed, key=lambda j: minimum_dependence(measures, child, chosen, remaining, j))
        chosen.append(best)
        remaining.remove(best)
    return chosen
