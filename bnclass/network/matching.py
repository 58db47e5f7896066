"""Whether factors belong to a structure."""

from collections.abc import Hashable, Iterable, Mapping

from bnclass.exceptions import StructureError
from bnclass.factors.base import Factor
from bnclass.structure.dag import Structure


def matched(structure: Structure, factors: Iterable[Factor]) -> tuple[Factor, ...]:
    """Return the factors in node order, after checking that they are the structure's.

    Parameters
    ----------
    structure : Structure
    factors : iterable of Factor

    Returns
    -------
    tuple of Factor
        One for each node.

    Raises
    ------
    StructureError
        If there is no node, a node lacks its factor or has two, a factor its node, or
        parents do not match.

    Examples
    --------
    >>> from bnclass import CategoricalCPD, Structure, Variable
    >>> from bnclass.network.matching import matched
    >>> y, a = Variable("class", states=("n", "y")), Variable("a", states=("u", "v"))
    >>> factors = [CategoricalCPD(a, (), [0.5, 0.5]), CategoricalCPD(y, (), [0.5, 0.5])]
    >>> matched(Structure.from_arcs(["class", "a"], [], "class"), factors)
    (CategoricalCPD('class'), CategoricalCPD('a'))
    """
    by_node = _one_a_node(factors)
    _require_matching(structure, by_node)
    return tuple(by_node[n] for n in structure.nodes)


def _one_a_node(factors: Iterable[Factor]) -> dict[Hashable, Factor]:
    by_node: dict[Hashable, Factor] = {}
    for factor in factors:
        name = factor.variable.name
        if name in by_node:
            raise StructureError(f"node {name!r} has more than one factor, expected one")
        by_node[name] = factor
    return by_node


def _require_matching(structure: Structure, factors: Mapping[Hashable, Factor]) -> None:
    if not structure.nodes:
        raise StructureError("a structure without nodes, expected at least one")
    for node in structure.nodes:
        if node not in factors:
            raise StructureError(f"node {node!r} has no factor, expected one")
        found = tuple(p.name for p in factors[node].parents)
        if found != structure.parents(node):
            raise StructureError(
                f"node {node!r}: factor with parents {found!r}, "
                f"expected {structure.parents(node)!r}"
            )
    if structure.class_node is not None and factors[structure.class_node].variable.is_continuous:
        raise StructureError(
            f"class node {structure.class_node!r} is continuous, expected a discrete variable"
        )
    for node, factor in factors.items():
        if node not in structure.graph:
            raise StructureError(f"factor of {node!r}, which is no node of the structure")
        for parent in factor.parents:
            if parent != factors[parent.name].variable:
                raise StructureError(
                    f"node {node!r}: its parent {parent.name!r} differs from the node of that name"
                )
