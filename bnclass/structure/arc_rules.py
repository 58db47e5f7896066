"""Constraints on the columns of one table: what structure learners ask of them."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import networkx as nx
import numpy as np
import numpy.typing as npt

from bnclass.data.variables import Schema
from bnclass.exceptions import StructureError
from bnclass.structure.constraints import Constraints, arcs_by_child, require_room, shown_arcs
from bnclass.structure.dag import Arc

Bools = npt.NDArray[np.bool_]
Places = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class ArcRules:
    """Constraints on the columns of one table, by place, as learners ask for them.

    The CLG rule is among them: no discrete node under a continuous one.

    Parameters
    ----------
    allowed : ndarray of shape (n_attributes, n_attributes), bool
        Whether the attribute of the row may be a parent of the attribute of the column. A
        child that has all the parents it may have by required arcs is open to no other.
    required : mapping of int to tuple of int
        From child to required parents, in column order.
    before : tuple of pairs of int
        Which attribute comes before which in a learner's order.
    root : int or None
    max_parents : int or None
        Attribute parents at most, by the constraints and the learner.

    Examples
    --------
    >>> from bnclass import Constraints, Schema, Variable
    >>> from bnclass.structure.arc_rules import arc_rules
    >>> a, b, c, y = (Variable(name, states=(0, 1)) for name in "abcy")
    >>> schema = Schema((a, b, c), y)
    >>> rules = arc_rules(Constraints(required=[("c", "a")]), schema, 2)
    >>> rules.required, rules.adjusted_order([0, 1, 2]).tolist()
    ({0: (2,)}, [1, 2, 0])
    >>> rules.open_parents(0, [1, 2]).tolist(), rules.room(0)
    ([1], 1)
    """

    allowed: Bools
    required: Mapping[int, tuple[int, ...]]
    before: tuple[tuple[int, int], ...]
    root: int | None
    max_parents: int | None

    def open_parents(self, child: int, candidates: Sequence[int] | Places) -> Places:
        """Return the candidates that the child may have as parents and need not have.

        Parameters
        ----------
        child : int
        candidates : sequence of int
            Places of attributes in any order, which is kept.

        Returns
        -------
        ndarray of intp
        """
        places = np.asarray(candidates, dtype=np.intp)
        needed = np.isin(places, self.required.get(child, ()))
        found: Places = places[self.allowed[places, child] & ~needed]
        return found

    def room(self, child: int) -> int | None:
        """Return how many parents the child may have beside the required ones.

        Parameters
        ----------
        child : int

        Returns
        -------
        int or None
            ``None`` without a limit.
        """
        if self.max_parents is None:
            return None
        return self.max_parents - len(self.required.get(child, ()))

    def adjusted_order(self, order: Sequence[int] | Places) -> Places:
        """Return an order in which required arcs and the constraints' order point forwards.

        Next is always the first attribute of the order given that waits for no other.

        Parameters
        ----------
        order : sequence of int
            Places of attributes, each once; discrete ones before continuous ones.

        Returns
        -------
        ndarray of intp
            The order itself if it is right already.
        """
        position = {int(place): i for i, place in enumerate(order)}
        graph: nx.DiGraph[int] = nx.DiGraph()
        graph.add_nodes_from(position)
        graph.add_edges_from(self.before)
        found = nx.lexicographical_topological_sort(graph, key=position.__getitem__)
        return np.fromiter(found, np.intp, len(position))


def arc_rules(
    constraints: Constraints | None, schema: Schema, limit: int | None = None
) -> ArcRules:
    """Return what constraints mean for the columns of a table, or refuse what does not fit.

    Parameters
    ----------
    constraints : Constraints or None
        ``None`` is no constraint.
    schema : Schema
        Constraints name columns; a discretised view stands for its column as a parent.
    limit : int, optional
        The learner's own limit on attribute parents.

    Returns
    -------
    ArcRules

    Raises
    ------
    StructureError
        If a constraint names the class or no column, or a required arc makes a continuous
        attribute the parent of a discrete one or is one too many for the learner.

    Examples
    --------
    >>> from bnclass import Schema, Variable
    >>> from bnclass.structure.arc_rules import arc_rules
    >>> number, state = Variable("n", "continuous"), Variable("s", states=(0, 1))
    >>> arc_rules(None, Schema((number, state), Variable("y", states=(0,)))).allowed
    array([[False, False],
           [ True, False]])
    """
    if constraints is None:
        constraints = Constraints()
    if not isinstance(constraints, Constraints):
        raise StructureError(
            f"constraints is a {type(constraints).__name__}, expected Constraints or None"
        )
    _require_columns(constraints, schema)
    _require_discrete_parents(constraints, schema)
    caps = [cap for cap in (constraints.max_parents, limit) if cap is not None]
    most = min(caps, default=None)
    require_room(constraints, most)
    place = {v.name: i for i, v in enumerate(schema.attributes) if not v.is_view}
    required = _parents_by_place(constraints, place)
    allowed = _allowed(constraints, schema)
    if most is not None:
        _close_full_children(allowed, required, most)
    return ArcRules(
        allowed=allowed,
        required=required,
        before=_before(constraints, schema, place),
        root=None if constraints.root is None else place[constraints.root],
        max_parents=most,
    )


# ---------------------------------------------------------------- what does not fit


def _require_columns(constraints: Constraints, schema: Schema) -> None:
    columns = [v.name for v in schema.attributes if not v.is_view]
    named = [(f"arc {shown_arcs([arc])}", name) for arc in _all_arcs(constraints) for name in arc]
    named += [("order", name) for name in constraints.order]
    named += [("root", constraints.root)] if constraints.root is not None else []
    for role, name in named:
        if name == schema.target.name:
            raise StructureError(f"constraints, {role}: {name!r} is the class; expected attributes")
        if name not in columns:
            raise StructureError(
                f"constraints, {role}: no attribute {name!r}, expected one of {columns!r}"
            )


def _all_arcs(constraints: Constraints) -> tuple[Arc, ...]:
    return (*constraints.required, *constraints.forbidden)


def _require_discrete_parents(constraints: Constraints, schema: Schema) -> None:
    wrong = [
        (u, v)
        for u, v in constraints.required
        if schema[u].is_continuous and not schema[v].is_continuous
    ]
    if wrong:
        raise StructureError(
            f"required arcs {shown_arcs(wrong)}: a discrete node with a continuous parent, "
            f"expected none; turn them round or discretise the parent (continuous='mdl')"
        )


# ---------------------------------------------------------------- what there may and must be


def _allowed(constraints: Constraints, schema: Schema) -> Bools:
    """Return [parent, child], whether there may be the arc, whatever the number of parents."""
    attributes = schema.attributes
    number: dict[Hashable, int] = {}
    column = np.array([number.setdefault(v.column, len(number)) for v in attributes], np.intp)
    continuous = np.array([v.is_continuous for v in attributes], np.bool_)
    allowed: Bools = (column[:, None] != column) & ~(continuous[:, None] & ~continuous)
    allowed[:, [v.is_view for v in attributes]] = False
    for u, v in constraints.forbidden:
        allowed[np.ix_(column == number[u], column == number[v])] = False
    rank = np.full(len(attributes), -1)
    for i, name in enumerate(constraints.order):
        rank[column == number[name]] = i
    allowed &= (rank[:, None] <= rank) | (rank < 0)
    if constraints.root is not None:
        allowed[:, column == number[constraints.root]] = False
    return allowed


def _parents_by_place(
    constraints: Constraints, place: Mapping[Hashable, int]
) -> dict[int, tuple[int, ...]]:
    """Return the required parents of each child that has some."""
    return {
        place[child]: tuple(sorted(place[u] for u, _ in arcs))
        for child, arcs in arcs_by_child(constraints.required).items()
    }


def _close_full_children(
    allowed: Bools, required: Mapping[int, tuple[int, ...]], most: int
) -> None:
    """Allow a child that has as many required parents as it may have no others."""
    for child in range(len(allowed)):
        needed = required.get(child, ())
        if len(needed) >= most:
            allowed[:, child] = False
            allowed[list(needed), child] = True


def _before(
    constraints: Constraints, schema: Schema, place: Mapping[Hashable, int]
) -> tuple[tuple[int, int], ...]:
    # A continuous attribute need not wait before a discrete one: no arc could join them, and
    # discrete ones come first.
    ordered = [
        (u, v)
        for u, v in combinations(constraints.order, 2)
        if not (schema[u].is_continuous and not schema[v].is_continuous)
    ]
    return tuple((place[u], place[v]) for u, v in [*constraints.required, *ordered])
