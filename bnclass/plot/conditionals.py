"""The density of a continuous node given the class, exactly as a network has it.

In each configuration of discrete nodes the continuous ones are jointly normal. Each is kept
as a mean and its loadings on independent standard normal noises, one a node, so that no
variance is ever a difference: a child's loadings are the sum of its parents', times its
coefficients, and its own noise. What is known of a node is projected out of all loadings.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np
import numpy.typing as npt

from bnclass.data.codes import MISSING
from bnclass.data.memory import require_memory
from bnclass.data.table import EncodedTable
from bnclass.exceptions import BnclassError
from bnclass.factors.linear_gaussian import CLGCPD, log_normal
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.network.joint import log_sum_exp
from bnclass.plot.mixtures import Floats, Mixture
from bnclass.plot.question import Question
from bnclass.structure.dag import Structure

Known = Mapping[Hashable, int | float]

MOST_CONFIGURATIONS = 1024


def class_conditionals(question: Question) -> dict[Hashable, Mixture | None]:
    """Return p(x | y, known parents) of a continuous node, other nodes summed out.

    Parameters
    ----------
    question : Question
        Of a continuous node that is no constant.

    Returns
    -------
    dict of class state to Mixture or None
        ``None`` for a class under which what is known is impossible. The one key is
        ``None`` if the network has no class.

    Raises
    ------
    BnclassError
        If the class is given, or more than 1024 configurations of discrete nodes would have
        to be summed out.

    Examples
    --------
    >>> from bnclass import BayesianNetwork, CategoricalCPD, Structure, Variable
    >>> from bnclass.factors.gaussian import GaussianCPD
    >>> from bnclass.plot.conditionals import class_conditionals
    >>> from bnclass.plot.question import Question
    >>> y, x = Variable("y", states=("n", "p")), Variable("x", kind="continuous")
    >>> factors = [CategoricalCPD(y, (), [0.5, 0.5]), GaussianCPD(x, (y,), [0, 1], [1, 4])]
    >>> network = BayesianNetwork(Structure.from_arcs("yx", [("y", "x")], "y"), factors)
    >>> class_conditionals(Question(network, "x", {}))["p"].variances
    array([4.])
    """
    network, known = question.network, question.known
    if network.structure.class_node in known:
        raise BnclassError(
            f"given: {network.structure.class_node!r} is the class, expected other parents of "
            f"{question.node!r}; each class has its own density"
        )
    plan = _plan(question)
    configurations = _configurations(question, plan.switches)
    n_classes = 1 if network.target is None else network.target.card
    n_cells = len(configurations) * n_classes * len(plan.order) ** 2
    require_memory(n_cells, f"the joint densities of {question.node!r} and its ancestors")
    normals = _Normals(len(configurations), n_classes, plan)
    codes = _codes(network, plan.switches, configurations, known)
    log_weights = normals.run(network, codes, known)
    if not plan.all_known:
        log_weights = log_weights + _log_discrete(network, plan.switches, configurations, known)
    means, variances = normals.moments(question.node)
    states = (None,) if network.target is None else network.target.states
    return {
        state: _mixture(log_weights[:, y], means[:, y], variances[:, y])
        for y, state in enumerate(states)
    }


@dataclass(frozen=True)
class _Plan:
    """Which nodes matter.

    order: the continuous ones, parents before children; switches: the discrete parents of
    these that are neither the class nor known; all_known: given the node's parents, no
    other node matters.
    """

    order: tuple[Hashable, ...]
    switches: tuple[Hashable, ...]
    all_known: bool


def _plan(question: Question) -> _Plan:
    network, node, known = question.network, question.node, question.known
    structure, factors = network.structure, network.factors
    all_known = not question.unknown
    needed = set(structure.family(node)) if all_known else structure.with_ancestors([node])
    order = tuple(
        n for n in structure.topological_order if n in needed and factors[n].variable.is_continuous
    )
    fixed = known if all_known else ()
    above = {p.name for n in order if n not in fixed for p in _factor(network, n).discrete_parents}
    above -= {structure.class_node, *known}
    return _Plan(order, tuple(n for n in structure.nodes if n in above), all_known)


def _factor(network: BayesianNetwork, node: Hashable) -> CLGCPD:
    factor = network.factors[node]
    assert isinstance(factor, CLGCPD)
    return factor


def _configurations(question: Question, switches: Sequence[Hashable]) -> npt.NDArray[np.int32]:
    """Return all codes of the switches, of shape (n_configurations, n_switches)."""
    cards = [question.network.factors[n].variable.card for n in switches]
    if prod(cards) > MOST_CONFIGURATIONS:
        raise BnclassError(
            f"node {question.node!r}: its density given the class sums {prod(cards)} "
            f"configurations of {list(switches)!r} out, expected at most {MOST_CONFIGURATIONS}; "
            f"say in `given` what is known of its parents {question.unknown!r}"
        )
    codes = np.array(list(product(*map(range, cards))), dtype=np.int32)
    return codes.reshape(prod(cards), len(switches))


def _codes(
    network: BayesianNetwork,
    switches: Sequence[Hashable],
    configurations: npt.NDArray[np.int32],
    known: Known,
) -> dict[object, npt.NDArray[np.integer]]:
    """Return the codes of all discrete parents, to be broadcast to configurations x classes."""
    values: dict[object, npt.NDArray[np.integer]] = {
        name: configurations[:, [i]] for i, name in enumerate(switches)
    }
    for name, code in known.items():
        if not network.factors[name].variable.is_continuous:
            values[name] = np.array(code)
    if network.target is not None:
        values[network.target.name] = np.arange(network.target.card)
    return values


class _Normals:
    """The continuous nodes in every configuration and class: means, and loadings on noises."""

    def __init__(self, n_configurations: int, n_classes: int, plan: _Plan) -> None:
        self._plan = plan
        self._place = {name: i for i, name in enumerate(plan.order)}
        n_nodes = len(plan.order)
        self._means = np.zeros((n_configurations, n_classes, n_nodes))
        self._loadings = np.zeros((n_configurations, n_classes, n_nodes, n_nodes))

    def run(
        self,
        network: BayesianNetwork,
        values: Mapping[object, npt.NDArray[np.integer]],
        known: Known,
    ) -> Floats:
        """Add every node, and return the log density of what is known."""
        log_density: Floats = np.zeros(self._means.shape[:2])
        for name in self._plan.order:
            if name in known and self._plan.all_known:
                self._means[..., self._place[name]] = known[name]
                continue
            self._add(_factor(network, name), values)
            if name in known:
                log_density = log_density + self._absorb(self._place[name], known[name])
        return log_density

    def _add(self, factor: CLGCPD, values: Mapping[object, npt.NDArray[np.integer]]) -> None:
        i = self._place[factor.variable.name]
        above = [self._place[p.name] for p in factor.continuous_parents]
        intercept, coefficients, variance = factor.given(values)
        sums = (coefficients * self._means[..., above]).sum(axis=-1)
        self._means[..., i] = intercept + sums
        self._loadings[..., i, :] = np.einsum(
            "...j,...jk->...k", coefficients, self._loadings[..., above, :]
        )
        self._loadings[..., i, i] = np.sqrt(variance)

    def _absorb(self, i: int, value: float) -> Floats:
        """Condition all nodes on the value of one; return the log density of that value."""
        own = self._loadings[..., i, :].copy()
        variance: Floats = (own**2).sum(axis=-1)
        if not variance.any():
            return variance  # a constant: it has no say
        deviation = value - self._means[..., i]
        gain = (self._loadings @ own[..., np.newaxis])[..., 0] / variance[..., np.newaxis]
        self._means += gain * deviation[..., np.newaxis]
        self._loadings -= gain[..., np.newaxis] * own[..., np.newaxis, :]
        return log_normal(deviation, variance)

    def moments(self, node: Hashable) -> tuple[Floats, Floats]:
        """Return means and variances of a node, of shape (n_configurations, n_classes)."""
        i = self._place[node]
        return self._means[..., i], (self._loadings[..., i, :] ** 2).sum(axis=-1)


def _log_discrete(
    network: BayesianNetwork,
    switches: Sequence[Hashable],
    configurations: npt.NDArray[np.int32],
    known: Known,
) -> Floats:
    """Return ln P(y, configuration, known states), all other discrete nodes summed out."""
    factors = {n: f for n, f in network.factors.items() if not f.variable.is_continuous}
    if not factors:
        return np.zeros((1, 1))
    arcs = [arc for arc in network.structure.arcs if arc[1] in factors]
    structure = Structure.from_arcs(factors, arcs, network.structure.class_node)
    discrete = BayesianNetwork(structure, factors.values())
    codes = np.full((len(configurations), len(structure.attributes)), MISSING, dtype=np.int32)
    for i, name in enumerate(structure.attributes):
        if name in switches:
            codes[:, i] = configurations[:, switches.index(name)]
        elif name in known:
            codes[:, i] = known[name]
    return discrete.log_joint(EncodedTable(discrete.attributes, codes), engine="graph")


def _mixture(log_weights: Floats, means: Floats, variances: Floats) -> Mixture | None:
    total = log_sum_exp(log_weights, axis=0)
    if np.isneginf(total):
        return None
    weights = np.exp(log_weights - total)
    possible = weights > 0
    return Mixture(weights[possible], means[possible], variances[possible])
