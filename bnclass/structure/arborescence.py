"""The heaviest forest of directed arcs, by the algorithm of Chu, Liu and Edmonds."""

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

_NEVER = -(2**62)  # below the weight of every arc
_LAST = 2**62  # above the number of every arc


def maximum_branching(weights: Ints, allowed: Bools, may_be_root: Bools) -> dict[int, int]:
    """Return the parent of every node that has one, in the heaviest of the largest forests.

    No node has two parents and there is no cycle. As many nodes as possible have a parent;
    of such forests the sum of the weights is the largest. Every node takes the heaviest arc
    into it; a cycle that arises becomes one node, whose arcs weigh what it gains or loses by
    them. Of equally heavy arcs the one from the lower parent counts, then the one to the
    lower child; so of equally good roots of one tree the lowest is taken.

    Parameters
    ----------
    weights : ndarray of shape (n_nodes, n_nodes), int64
        Of the arcs from the row to the column; at least 0 and below 2**60 / n_nodes.
    allowed : ndarray of shape (n_nodes, n_nodes), bool
        Which arcs there may be; none from a node to itself.
    may_be_root : ndarray of shape (n_nodes,), bool
        Nodes that need no parent. The others must get one; that there is such a forest is
        taken for granted.

    Returns
    -------
    dict of int to int
        From child to parent, by child.

    References
    ----------
    Edmonds, Optimum Branchings, Journal of Research of the National Bureau of Standards 71B
    (1967).

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.structure.arborescence import maximum_branching
    >>> weights = np.array([[0, 1, 5], [1, 0, 3], [5, 3, 0]])
    >>> allowed = ~np.eye(3, dtype=bool)
    >>> allowed[0, 2] = False
    >>> maximum_branching(weights, allowed, np.ones(3, dtype=bool))
    {0: 2, 2: 1}
    """
    n = len(weights)
    into, arcs = _with_arcs_to_roots(weights, allowed, may_be_root)
    place = np.arange(n + 1)  # of each node's component, in rows and columns of `into`
    chosen: dict[int, int] = {}
    gain = np.zeros(n, np.int64)
    opened: list[tuple[Ints, dict[int, int]]] = []
    pending = list(range(n))[::-1]
    while pending:
        at = pending.pop()
        gain[at], arc = _heaviest(into[:, at], arcs[:, at], axis=0)
        chosen[at] = int(arc)
        cycle = _cycle_through(at, chosen, place, n)
        if cycle:
            opened.append((place.copy(), {member: chosen.pop(member) for member in cycle}))
            _contract(into, arcs, cycle, gain)
            place[np.isin(place, cycle)] = cycle[0]
            pending.append(cycle[0])
    for before, closed in reversed(opened):
        entering = chosen[min(closed)]
        chosen.update(closed)
        chosen[int(before[entering % n])] = entering
    return {child: arc // n for child, arc in sorted(chosen.items()) if arc < n * n}


def _with_arcs_to_roots(weights: Ints, allowed: Bools, may_be_root: Bools) -> tuple[Ints, Ints]:
    """Return weights with a last row, a source that points at roots, and the arcs' numbers.

    An arc from the source outweighs all others together, downwards: there are as few roots
    as possible. Arc parent * n + child has the place of its parent and child at first.
    """
    n = len(weights)
    source = -n * int(weights.max(initial=0)) - 1
    into = np.full((n + 1, n), _NEVER, np.int64)
    into[:n][allowed] = weights[allowed]
    into[n, may_be_root] = source
    return into, np.arange(n * (n + 1)).reshape(n + 1, n)


def _heaviest(weights: Ints, arcs: Ints, axis: int) -> tuple[Ints, Ints]:
    """Return the largest weight along an axis, and the lowest number of an arc that has it."""
    largest = weights.max(axis=axis, keepdims=True)
    first = np.where(weights == largest, arcs, _LAST).min(axis=axis)
    return largest.squeeze(axis), first


def _cycle_through(start: int, chosen: dict[int, int], place: Ints, n: int) -> list[int]:
    """Return the components on the cycle of chosen arcs through one, the lowest first."""
    path = [start]
    while (at := int(place[chosen[path[-1]] // n])) in chosen and at != start:
        path.append(at)
    return sorted(path) if at == start else []


def _contract(into: Ints, arcs: Ints, cycle: list[int], gain: Ints) -> None:
    """Make one component of a cycle, at the place of its first."""
    first, others = cycle[0], cycle[1:]
    members = into[:, cycle]
    # Who enters the cycle at a member replaces the arc that the cycle has into it.
    members[members > _NEVER] -= np.broadcast_to(gain[cycle], members.shape)[members > _NEVER]
    into[:, first], arcs[:, first] = _heaviest(members, arcs[:, cycle], axis=1)
    into[first], arcs[first] = _heaviest(into[cycle], arcs[cycle], axis=0)
    into[first, first] = _NEVER
    into[others] = _NEVER
