"""What a structure learner is, and how all of them build their result."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from typing import ClassVar

import networkx as nx

from bnclass.data.memory import require_memory
from bnclass.data.variables import Schema, Variable
from bnclass.exceptions import StructureError
from bnclass.scores.information import Information
from bnclass.statistics.moments import Order
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.structure.dag import Arc, Structure

_CELLS_AN_ARC = 150  # with its share of the graph, the factor and the prediction, measured


class StructureLearner(ABC):
    """Maps statistics to a structure; never sees rows or a factor.

    Attributes
    ----------
    order : {1, 2}
        What statistics must have counted: single values or pairs.

    Examples
    --------
    >>> from bnclass import TANLearner
    >>> from bnclass.structure.base import StructureLearner
    >>> isinstance(TANLearner(), StructureLearner)
    True
    """

    order: ClassVar[Order] = 2

    @abstractmethod
    def learn(self, statistics: SufficientStatistics) -> Structure:
        """Return the structure.

        Parameters
        ----------
        statistics : SufficientStatistics

        Returns
        -------
        Structure
        """

    def learn_all(self, statistics: SufficientStatistics) -> tuple[Structure, ...]:
        """Return every structure of the learner's family; by default the one of `learn`.

        Parameters
        ----------
        statistics : SufficientStatistics

        Returns
        -------
        tuple of Structure
        """
        return (self.learn(statistics),)


def augmented_naive_bayes(
    information: Information,
    parents: Mapping[int, Sequence[int]],
    superparent: int | None = None,
) -> Structure:
    """Return the structure in which the class points at every attribute, and some at others.

    Discretised views take no part, unless one is the superparent: it then stands in the
    place of its column.

    Class arcs carry I(X_i; Y) as their score, arcs between attributes I(X_i; X_j | Y),
    in nats and unrounded.

    Parameters
    ----------
    information : Information
    parents : mapping of int to sequence of int
        Attribute parents of each attribute, as places among the columns; an attribute
        that is not a key has none.
    superparent : int, optional
        The attribute whose table is estimated together with the class's, if it is discrete.

    Returns
    -------
    Structure

    Examples
    --------
    >>> from bnclass import SufficientStatistics, TableEncoder, load_dataset
    >>> from bnclass.scores.information import Information
    >>> from bnclass.structure.base import augmented_naive_bayes
    >>> table = TableEncoder().fit_transform(*load_dataset("monks-1"))
    >>> information = Information(SufficientStatistics.from_table(table))
    >>> augmented_naive_bayes(information, {1: [0]}).arcs[:2]
    (('class', 'a1'), ('class', 'a2'))
    """
    schema = information.statistics.schema
    names, target = schema.names, schema.target.name
    own = None if superparent is None else schema.attributes[superparent]
    nodes = [target, *_standing(schema, own)]
    arcs = [(target, node) for node in nodes[1:]]
    arcs += [(names[j], names[i]) for i, earlier in parents.items() for j in earlier]
    joint_family = None if own is None or own.is_continuous else (target, own.name)
    return scored(Structure.from_arcs(nodes, arcs, target, joint_family), information)


def require_room_for_arcs(n_arcs: int, what: str) -> None:
    """Raise if networks of so many arcs would not fit into memory.

    Parameters
    ----------
    n_arcs : int
    what : str
        Names the networks, for the message.

    Raises
    ------
    MemoryLimitError

    Examples
    --------
    >>> from bnclass.structure.base import require_room_for_arcs
    >>> require_room_for_arcs(1000, "a small network")
    """
    require_memory(n_arcs * _CELLS_AN_ARC, f"{what}, of {n_arcs} arcs,")


def _standing(schema: Schema, view: Variable | None) -> list[Hashable]:
    """Return the columns' names, that of a view in place of its column's."""
    columns = [v.name for v in schema.attributes if not v.is_view]
    return [view.name if view is not None and view.column == name else name for name in columns]


def scored(structure: Structure, information: Information) -> Structure:
    """Return the structure with every arc that has no score carrying its measure.

    That is I(X_i; Y) for an arc from or to the class, I(X_i; X_j | Y) between attributes,
    in nats and unrounded.

    Parameters
    ----------
    structure : Structure
    information : Information

    Returns
    -------
    Structure
    """
    schema = information.statistics.schema
    place = {name: i for i, name in enumerate(schema.names)}
    scores = nx.get_edge_attributes(structure.graph, "score")
    arcs: dict[Arc, float | None] = {}
    for u, v in structure.arcs:
        between = [place[node] for node in (u, v) if node in place]
        measure = information.with_class if len(between) == 1 else information.given_class
        arcs[u, v] = scores.get((u, v), float(measure[tuple(between)]))
    return Structure.from_arcs(structure.nodes, arcs, structure.class_node, structure.joint_family)


def possible_superparents(schema: Schema) -> list[int]:
    """Return the places of the attributes that may point at all others.

    A discrete node never has a continuous parent: where there are discrete attributes, only
    they may.

    Parameters
    ----------
    schema : Schema

    Returns
    -------
    list of int
        In column order.

    Examples
    --------
    >>> from bnclass import Schema, Variable
    >>> from bnclass.structure.base import possible_superparents
    >>> a, y = Variable("a", states=(0, 1)), Variable("class", states=(0, 1))
    >>> possible_superparents(Schema((Variable("n", "continuous"), a), y))
    [1]
    """
    discrete = [i for i, v in enumerate(schema.attributes) if not v.is_continuous]
    return discrete or list(range(len(schema.attributes)))


def superparent_place(schema: Schema, name: Hashable, role: str) -> int:
    """Return the place of a named attribute that is to point at all others.

    Parameters
    ----------
    schema : Schema
    name : hashable
    role : str
        What the attribute is wanted for, for the message.

    Returns
    -------
    int

    Raises
    ------
    StructureError
        If it is the class or no column, or continuous beside discrete attributes.

    Examples
    --------
    >>> from bnclass import Schema, Variable
    >>> from bnclass.structure.base import superparent_place
    >>> n, y = Variable("n", "continuous"), Variable("class", states=(0, 1))
    >>> superparent_place(Schema((n,), y), "n", "root")
    0
    """
    if name == schema.target.name:
        raise StructureError(f"{role} is {name!r}, the class; expected an attribute")
    if name not in schema.names:
        raise StructureError(f"{role} is {name!r}, expected one of {list(schema.names)!r}")
    place, possible = schema.names.index(name), possible_superparents(schema)
    if place not in possible:
        raise StructureError(
            f"{role} is {name!r}, a continuous attribute, and a discrete one never has a "
            f"continuous parent; expected one of {[schema.names[i] for i in possible]!r}"
        )
    return place
