"""Integrating missing numbers out: a Kalman filter along the arcs of a network.

Linear Gaussian factors that share missing nodes belong together: a *component*. Given the
class and the discrete parents, the numbers of a component are jointly normal. The filter
visits its nodes, parents first, and keeps a belief: the normal distribution of the missing
nodes visited so far, given the known ones visited so far. A missing node joins the belief.
A known one adds its log density under the belief, which then takes notice of it. A node
leaves the belief once all its children have been visited.
"""

from collections.abc import Hashable, Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import chain

import networkx as nx
import numpy as np
import numpy.typing as npt

from bnclass.exceptions import FactorError
from bnclass.factors.base import Factor, Floats, Values
from bnclass.factors.linear_gaussian import CLGCPD, log_normal
from bnclass.statistics.family import outer


class Component:
    """Linear Gaussian factors that share missing nodes, as one density of what is known.

    Parameters
    ----------
    factors : sequence of CLGCPD
        Parents before their children.
    hidden : set of hashable
        The missing ones among the factors' continuous nodes.

    Attributes
    ----------
    names : tuple of hashable
        What `log_prob` needs the values of: the families without the missing nodes.
    width : int
        Number of cells of the largest covariance matrix on the way.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass import Variable
    >>> from bnclass.factors.gaussian import GaussianCPD
    >>> from bnclass.factors.linear_gaussian import CLGCPD
    >>> from bnclass.network.gaussian_walk import Component
    >>> x, z = (Variable(name, kind="continuous") for name in "xz")
    >>> component = Component([GaussianCPD(z, (), 0, 1), CLGCPD(x, (z,), 0, [1], 1)], {"z"})
    >>> component.names
    ('x',)
    >>> component.log_prob({"x": np.array([0.0])}).round(4)  # of N(0, 1 + 1)
    array([-1.2655])
    """

    def __init__(self, factors: Sequence[CLGCPD], hidden: Set[Hashable]) -> None:
        families = chain.from_iterable(_family(f) for f in factors)
        self.names = tuple(name for name in dict.fromkeys(families) if name not in hidden)
        self._steps = _steps(factors, hidden)
        self.width = _largest_belief(self._steps) ** 2

    def log_prob(self, values: Values) -> Floats:
        """Return the log density of the known numbers, the missing ones integrated out.

        Parameters
        ----------
        values : mapping of name to ndarray
            One array for each of `names`, all of as many axes; they are broadcast together.
            A child that is NaN in a row is barren there: its factor is left out.

        Returns
        -------
        ndarray of as many axes, float64
            In nats.
        """
        ndim = next(iter(values.values())).ndim
        belief, logs = _Belief.of_nothing(ndim), np.zeros((1,) * ndim)
        for step in self._steps:
            node, forecast = step.factor.variable.name, belief.forecast(step.factor, values)
            if step.is_hidden:
                belief = belief.joined_by(node, forecast)
            elif not step.factor.is_constant:
                known = ~np.isnan(values[node])
                surprise = np.where(known, values[node] - forecast.mean, 0.0)
                logs = logs + np.where(known, log_normal(surprise, forecast.variance), 0.0)
                belief = belief.updated(surprise, forecast, known)
            belief = belief.of(step.needed_later)
        return logs


def components(factors: Sequence[Factor], hidden: Set[Hashable]) -> list[Component]:
    """Group the factors that have a missing continuous node in their family.

    Parameters
    ----------
    factors : sequence of Factor
        Parents before their children.
    hidden : set of hashable
        The missing continuous nodes.

    Returns
    -------
    list of Component
        Factors without a missing continuous node are in none of them.

    Raises
    ------
    FactorError
        If one of the grouped factors is not linear Gaussian.

    Examples
    --------
    >>> from bnclass import Variable
    >>> from bnclass.factors.gaussian import GaussianCPD
    >>> from bnclass.factors.linear_gaussian import CLGCPD
    >>> from bnclass.network.gaussian_walk import components
    >>> x, z = (Variable(name, kind="continuous") for name in "xz")
    >>> factors = [GaussianCPD(z, (), 0, 1), CLGCPD(x, (z,), 0, [1], 1)]
    >>> len(components(factors, {"z"})), len(components(factors, set()))
    (1, 0)
    """
    graph = _arcs_from(hidden, factors)
    # Reversed, a depth-first post-order has parents first and every subtree in one piece.
    order = list(nx.dfs_postorder_nodes(graph))[::-1]
    by_node = {f.variable.name: f for f in factors}
    return [
        Component([_linear(by_node[n]) for n in order if n in group], hidden & group)
        for group in nx.weakly_connected_components(graph)
    ]


def _arcs_from(hidden: Set[Hashable], factors: Sequence[Factor]) -> "nx.DiGraph[Hashable]":
    """Return the missing nodes, their children, and the arcs between them.

    A node's missing children come before its known ones, of which nothing hangs: reversed,
    they stand right behind it, and the belief is small while it takes notice of them.
    """
    graph: nx.DiGraph[Hashable] = nx.DiGraph()
    graph.add_nodes_from(f.variable.name for f in factors if f.variable.name in hidden)
    for factor in sorted(factors, key=lambda f: f.variable.name not in hidden):
        child = factor.variable.name
        graph.add_edges_from((p.name, child) for p in factor.parents if p.name in hidden)
    return graph


def _linear(factor: Factor) -> CLGCPD:
    if not isinstance(factor, CLGCPD):
        raise FactorError(f"{factor}: no CLGCPD, expected one to integrate missing numbers out")
    return factor


def _family(factor: Factor) -> tuple[Hashable, ...]:
    return tuple(v.name for v in (factor.variable, *factor.parents))


# ---------------------------------------------------------------- the visits


@dataclass(frozen=True)
class _Step:
    """One visit: a factor, whether its child is missing, and whom later visits ask for."""

    factor: CLGCPD
    is_hidden: bool
    needed_later: frozenset[Hashable]


def _steps(factors: Sequence[CLGCPD], hidden: Set[Hashable]) -> list[_Step]:
    steps, needed = [], frozenset[Hashable]()
    for factor in reversed(factors):
        steps.append(_Step(factor, factor.variable.name in hidden, needed))
        needed |= {p.name for p in factor.parents if p.name in hidden}
    return steps[::-1]


def _largest_belief(steps: Iterable[_Step]) -> int:
    largest, nodes = 0, set[Hashable]()
    for step in steps:
        nodes |= {step.factor.variable.name} if step.is_hidden else set()
        largest = max(largest, len(nodes))
        nodes &= step.needed_later
    return largest


# ---------------------------------------------------------------- the filter


@dataclass(frozen=True)
class _Forecast:
    """What a belief about z says of one more node x = … + weights · z + noise.

    `covariance` is that of x with each of z, shape (…, m); `noise` is a variance.
    """

    mean: Floats
    variance: Floats
    covariance: Floats
    weights: Floats
    noise: Floats


@dataclass(frozen=True)
class _Belief:
    """A normal distribution of m missing nodes, for every row, class and configuration.

    The mean has shape (…, m), the covariance (…, m, m), each of length 1 along the axes
    that it does not depend on.
    """

    nodes: tuple[Hashable, ...]
    mean: Floats
    covariance: Floats

    @classmethod
    def of_nothing(cls, ndim: int) -> "_Belief":
        return cls((), np.empty((1,) * ndim + (0,)), np.empty((1,) * ndim + (0, 0)))

    def forecast(self, factor: CLGCPD, values: Values) -> _Forecast:
        mean, coefficients, noise = factor.given(values)
        weights = np.zeros((*coefficients.shape[:-1], len(self.nodes)))
        for j, parent in enumerate(factor.continuous_parents):
            if parent.name in self.nodes:
                weights[..., self.nodes.index(parent.name)] = coefficients[..., j]
            else:
                mean = mean + coefficients[..., j] * values[parent.name]
        mean = mean + np.vecdot(weights, self.mean)
        covariance = np.vecdot(self.covariance, weights[..., np.newaxis, :])
        variance = noise + np.vecdot(weights, covariance)
        return _Forecast(mean, variance, covariance, weights, noise)

    def joined_by(self, node: Hashable, forecast: _Forecast) -> "_Belief":
        """Return the belief about its nodes and one more."""
        m = len(self.nodes)
        mean = np.empty((*forecast.mean.shape, m + 1))
        mean[..., :m], mean[..., m] = self.mean, forecast.mean
        covariance = np.empty((*forecast.variance.shape, m + 1, m + 1))
        covariance[..., :m, :m] = self.covariance
        covariance[..., :m, m] = covariance[..., m, :m] = forecast.covariance
        covariance[..., m, m] = forecast.variance
        return _Belief((*self.nodes, node), mean, covariance)

    def updated(
        self, surprise: Floats, forecast: _Forecast, known: npt.NDArray[np.bool_]
    ) -> "_Belief":
        """Return the belief after a node was found this far from its forecast, where known."""
        gain = forecast.covariance / forecast.variance[..., np.newaxis]
        gain = np.where(known[..., np.newaxis], gain, 0.0)
        mean = self.mean + gain * surprise[..., np.newaxis]
        # Joseph's form, a sum of squares: the shorter P - gain gain' S may cancel to nothing.
        kept = np.eye(len(self.nodes)) - outer(gain, forecast.weights)
        noise = gain * np.sqrt(forecast.noise)[..., np.newaxis]
        covariance = kept @ self.covariance @ kept.swapaxes(-1, -2) + outer(noise, noise)
        return _Belief(self.nodes, mean, covariance)

    def of(self, nodes: Set[Hashable]) -> "_Belief":
        """Return the belief about some of its nodes."""
        kept = [i for i, node in enumerate(self.nodes) if node in nodes]
        if len(kept) == len(self.nodes):
            return self
        mean, covariance = self.mean[..., kept], self.covariance[..., kept, :][..., kept]
        return _Belief(tuple(self.nodes[i] for i in kept), mean, covariance)
