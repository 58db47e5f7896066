"""What the user knows of a structure before it is learned."""

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np

from bnclass.exceptions import StructureError
from bnclass.structure.dag import Arc


@dataclass(frozen=True)
class Constraints:
    """Which arcs between attributes there must be, and which there may not be.

    The class is the parent of every attribute; its arcs are not subject to constraints. What
    contradicts itself is refused here, what does not fit the columns before learning.

    Parameters
    ----------
    required : sequence of pairs (from, to), optional
        Arcs that are in every structure.
    forbidden : sequence of pairs (from, to), optional
        Arcs that are in none; the opposite ones may be.
    root : hashable, optional
        An attribute without attribute parents; the root of TAN.
    order : sequence of hashable, optional
        No attribute listed has one listed later as its parent. Others are free.
    max_parents : int, optional
        Attribute parents at most; the class does not count.

    Raises
    ------
    StructureError
        If an arc is no pair of two attributes, is required and forbidden, or required and
        leads to the root; if required arcs form a cycle, lead backwards in the order or are
        more than `max_parents` into one attribute; if the order repeats an attribute.

    Examples
    --------
    >>> from bnclass import TAN, Constraints, load_dataset
    >>> X, y = load_dataset("monks-1")
    >>> constraints = Constraints(required=[("a2", "a1")], forbidden=[("a2", "a3")])
    >>> TAN(constraints=constraints).fit(X, y).network_.structure.parents("a1")
    ('class', 'a2')
    """

    required: Sequence[Arc] = ()
    forbidden: Sequence[Arc] = ()
    root: Hashable | None = None
    order: Sequence[Hashable] = ()
    max_parents: int | None = None

    def __post_init__(self) -> None:
        set_once = object.__setattr__
        set_once(self, "required", _arcs("required", self.required))
        set_once(self, "forbidden", _arcs("forbidden", self.forbidden))
        set_once(self, "order", _names_once(self.order))
        _require_hashable("root", self.root)
        _check_max_parents(self.max_parents)
        _require_no_contradiction(self)

    @property
    def names(self) -> frozenset[Hashable]:
        """All attributes that they name."""
        in_arcs = (name for arc in (*self.required, *self.forbidden) for name in arc)
        root = () if self.root is None else (self.root,)
        return frozenset((*in_arcs, *self.order, *root))

    def among(self, attributes: Collection[Hashable]) -> "Constraints":
        """Return what they say of some attributes alone, as if there were no others.

        Parameters
        ----------
        attributes : collection of hashable
            Names.

        Returns
        -------
        Constraints

        Examples
        --------
        >>> from bnclass import Constraints
        >>> Constraints(required=[("a", "b"), ("b", "c")], order=list("abc")).among({"a", "c"})
        Constraints(required=(), forbidden=(), root=None, order=('a', 'c'), max_parents=None)
        """

        def kept(arcs: Sequence[Arc]) -> list[Arc]:
            return [(u, v) for u, v in arcs if u in attributes and v in attributes]

        root = self.root if self.root in attributes else None
        order = [name for name in self.order if name in attributes]
        required, forbidden = kept(self.required), kept(self.forbidden)
        return Constraints(required, forbidden, root, order, self.max_parents)


def shown_arcs(arcs: Iterable[Arc]) -> str:
    """Return arcs for a message.

    Parameters
    ----------
    arcs : iterable of pairs

    Returns
    -------
    str

    Examples
    --------
    >>> from bnclass.structure.constraints import shown_arcs
    >>> shown_arcs([("a", "b"), ("b", 3)])
    "'a' -> 'b', 'b' -> 3"
    """
    return ", ".join(f"{u!r} -> {v!r}" for u, v in arcs)


# ---------------------------------------------------------------- what constraints hold


def _arcs(role: str, given: Any) -> tuple[Arc, ...]:
    return tuple(_arc(role, item) for item in _items(role, given, "pairs (from, to)"))


def _arc(role: str, item: Any) -> Arc:
    if not isinstance(item, (tuple, list)) or len(item) != 2:
        raise StructureError(f"{role} holds {item!r}, expected pairs (from, to)")
    u, v = item
    _require_hashable(role, u)
    _require_hashable(role, v)
    if u == v:
        raise StructureError(f"{role} holds {u!r} -> {v!r}, expected two different attributes")
    return u, v


def _names_once(given: Any) -> tuple[Hashable, ...]:
    names = _items("order", given, "names of attributes")
    for i, name in enumerate(names):
        _require_hashable("order", name)
        if name in names[:i]:
            raise StructureError(f"order lists {name!r} twice, expected each attribute once")
    return names


def _items(role: str, given: Any, expected: str) -> tuple[Any, ...]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise StructureError(f"{role} is {given!r}, expected a sequence of {expected}")
    return tuple(given)


def _require_hashable(role: str, name: Any) -> None:
    try:
        hash(name)
    except TypeError:
        raise StructureError(f"{role} holds {name!r}, expected the name of an attribute") from None


def _check_max_parents(most: Any) -> None:
    whole = isinstance(most, (int, np.integer)) and not isinstance(most, bool)
    if most is not None and not (whole and most >= 0):
        raise StructureError(f"max_parents is {most!r}, expected None or an integer of at least 0")


# ---------------------------------------------------------------- contradictions


def _require_no_contradiction(constraints: Constraints) -> None:
    required = constraints.required
    both = [arc for arc in required if arc in constraints.forbidden]
    if both:
        raise StructureError(f"arcs {shown_arcs(both)} are both required and forbidden")
    into = [arc for arc in required if constraints.root is not None and arc[1] == constraints.root]
    if into:
        raise StructureError(
            f"root is {constraints.root!r}, and the required arcs {shown_arcs(into)} give it a "
            f"parent; expected none"
        )
    require_room(constraints, constraints.max_parents)
    cycle = _cycle(required)
    if cycle:
        raise StructureError(f"required arcs {shown_arcs(cycle)} form a cycle, expected none")
    order = list(pairwise(constraints.order))
    back = [arc for arc in _cycle([*required, *order]) if arc in required]
    if back:
        raise StructureError(
            f"required arcs {shown_arcs(back)} lead backwards in the order "
            f"{list(constraints.order)!r}"
        )


def _cycle(arcs: Sequence[Arc]) -> list[Arc]:
    """Return the arcs of a cycle, or none."""
    try:
        return [(u, v) for u, v, *_ in nx.find_cycle(nx.DiGraph(list(arcs)))]
    except nx.NetworkXNoCycle:
        return []


def require_room(constraints: Constraints, most: int | None) -> None:
    """Raise if required arcs give an attribute more attribute parents than it may have.

    Parameters
    ----------
    constraints : Constraints
    most : int or None

    Raises
    ------
    StructureError
        Naming the arcs.

    Examples
    --------
    >>> from bnclass import Constraints
    >>> from bnclass.structure.constraints import require_room
    >>> require_room(Constraints(required=[("a", "b")]), 1)
    """
    for child, arcs in arcs_by_child(constraints.required).items():
        if most is not None and len(arcs) > most:
            raise StructureError(
                f"required arcs {shown_arcs(arcs)} give {child!r} {len(arcs)} attribute "
                f"parent{'s' * (len(arcs) > 1)}, expected at most {most}"
            )


def arcs_by_child(arcs: Iterable[Arc]) -> dict[Hashable, list[Arc]]:
    """Return the arcs into each child, each once, in the order given.

    Parameters
    ----------
    arcs : iterable of pairs

    Returns
    -------
    dict of hashable to list of pairs

    Examples
    --------
    >>> from bnclass.structure.constraints import arcs_by_child
    >>> arcs_by_child([("a", "b"), ("c", "b")])
    {'b': [('a', 'b'), ('c', 'b')]}
    """
    found: dict[Hashable, list[Arc]] = {}
    for arc in dict.fromkeys(arcs):
        found.setdefault(arc[1], []).append(arc)
    return found
