"""Networks with discrete and continuous nodes, made by hand."""

import itertools

import numpy as np
from builders import CLASS, random_cpd, variable

from bnclass import BayesianNetwork, CategoricalCPD, Structure, Variable
from bnclass.factors.gaussian import GaussianCPD
from bnclass.factors.linear_gaussian import CLGCPD


def number(name):
    """Return a continuous variable."""
    return Variable(name, kind="continuous")


def two_class_network(*factors, prior=(0.5, 0.5), names=("n", "p")):
    """Return the network of some factors under a class "class" without parents."""
    target = Variable(CLASS, states=names)
    factors = [CategoricalCPD(target, (), list(prior)), *factors]
    arcs = [(p.name, f.variable.name) for f in factors for p in f.parents]
    nodes = [f.variable.name for f in factors]
    return BayesianNetwork(Structure.from_arcs(nodes, arcs, CLASS), factors)


def random_clg(rng, child, parents):
    """Draw a conditional linear Gaussian density."""
    shape = [p.card for p in parents if not p.is_continuous]
    n_slopes = sum(p.is_continuous for p in parents)
    slopes = rng.normal(0, 1, (*shape, n_slopes))
    return CLGCPD(child, parents, rng.normal(0, 3, shape), slopes, rng.uniform(0.1, 4, shape))


def random_mixed_network(rng, n_discrete, n_continuous, *, with_class=True, zeros=0.0):
    """Draw a network on a random acyclic graph that obeys the rule of CLG networks."""
    discrete = [f"d{i}" for i in range(n_discrete)] + [CLASS] * with_class
    continuous = [f"x{i}" for i in range(n_continuous)]
    order = [*rng.permutation(discrete).tolist(), *rng.permutation(continuous).tolist()]
    arcs = [pair for pair in itertools.combinations(order, 2) if rng.random() < 0.6]
    structure = Structure.from_arcs(
        sorted(discrete + continuous), arcs, CLASS if with_class else None
    )
    variables = {n: variable(n, int(rng.integers(2, 4))) for n in discrete}
    variables |= {n: number(n) for n in continuous}
    factors = []
    for node in structure.nodes:
        parents = tuple(variables[p] for p in structure.parents(node))
        if node in continuous:
            factors.append(random_clg(rng, variables[node], parents))
        else:
            factors.append(random_cpd(rng, variables[node], parents, zeros))
    return BayesianNetwork(structure, factors)


def regressed_network(frame, target):
    """Return the network with all arcs in column order, fitted by least squares in each class."""
    attributes = [name for name in frame.columns if name != target]
    states = tuple(sorted(frame[target].unique()))
    y = Variable(target, states=states)
    factors = [CategoricalCPD(y, (), [1 / len(states)] * len(states))]
    for i, name in enumerate(attributes):
        above = attributes[:i]
        fits = [_least_squares(frame[frame[target] == s], name, above) for s in states]
        intercepts, slopes, variances = (list(part) for part in zip(*fits, strict=True))
        if above:
            parents = (y, *map(number, above))
            factors.append(CLGCPD(number(name), parents, intercepts, slopes, variances))
        else:
            factors.append(GaussianCPD(number(name), (y,), intercepts, variances))
    arcs = [(p.name, f.variable.name) for f in factors for p in f.parents]
    return BayesianNetwork(Structure.from_arcs([target, *attributes], arcs, target), factors)


def _least_squares(rows, child, parents):
    design = np.column_stack([np.ones(len(rows)), rows[parents]])
    solution = np.linalg.lstsq(design, rows[child], rcond=None)[0]
    return solution[0], solution[1:], np.mean((rows[child] - design @ solution) ** 2)
