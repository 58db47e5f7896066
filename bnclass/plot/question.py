"""What a picture of a factor is asked for: a node, and what is known of its parents."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bnclass.data.codes import MISSING, bin_codes
from bnclass.data.variables import LARGEST_NUMBER, Variable
from bnclass.exceptions import BnclassError, StructureError
from bnclass.network.bayesian_network import BayesianNetwork


@dataclass(frozen=True)
class Question:
    """A node of a network, and values of some of its parents.

    Parameters
    ----------
    network : BayesianNetwork
    node : hashable
    given : mapping of parent to state or number
        A discretised parent takes one of its bins or a number in it.

    Raises
    ------
    BnclassError
        If there is no such node, a name is no parent of it, or a value none of its parent.

    Examples
    --------
    >>> from bnclass import TAN, load_dataset
    >>> from bnclass.plot.question import Question
    >>> network = TAN().fit(*load_dataset("monks-1")).network_
    >>> network.structure.parents("a2")
    ('class', 'a1')
    >>> Question(network, "a2", {"a1": "3"}).known
    {'a1': 2}
    """

    network: BayesianNetwork
    node: Hashable
    given: Mapping[Hashable, Any]

    def __post_init__(self) -> None:
        nodes = self.network.structure.nodes
        if self.node not in nodes:
            raise StructureError(f"no node {self.node!r}, expected one of {list(nodes)!r}")
        parents = self.network.structure.parents(self.node)
        for name in self.given:
            if name not in parents:
                raise BnclassError(
                    f"given: {name!r} is no parent of {self.node!r}, "
                    f"expected some of {list(parents)!r}"
                )
        self.known  # noqa: B018 - refuses a value that is none

    @property
    def variable(self) -> Variable:
        """The node's variable."""
        return self.network.factors[self.node].variable

    @cached_property
    def known(self) -> dict[Hashable, int | float]:
        """Codes of states and numbers, in the order of the node's parents."""
        parents = self.network.factors[self.node].parents
        return {p.name: _encoded(p, self.given[p.name]) for p in parents if p.name in self.given}

    @property
    def unknown(self) -> list[Hashable]:
        """The parents but the class of which nothing is known."""
        known = {self.network.structure.class_node, *self.given}
        return [p for p in self.network.structure.parents(self.node) if p not in known]


def _encoded(variable: Variable, value: Any) -> int | float:
    code = _number(value) if variable.is_continuous else _code(variable, value)
    if code is None:
        expected = "a number" if variable.is_continuous else f"one of {list(variable.states)!r}"
        raise BnclassError(f"given: {variable.name!r} is {value!r}, expected {expected}")
    return code


def _number(value: Any) -> float | None:
    is_number = isinstance(value, (int, float, np.integer, np.floating))
    if not is_number or isinstance(value, bool):
        return None
    number = float(value)
    return number if abs(number) <= LARGEST_NUMBER else None


def _code(variable: Variable, value: Any) -> int | None:
    if value in variable.states:
        return variable.states.index(value)
    number = None if variable.cuts is None else _number(value)
    if variable.cuts is None or number is None:
        return None
    code = int(bin_codes(np.array([number]), variable.cuts)[0])
    return None if code == MISSING else code
