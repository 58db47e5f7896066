"""Random networks over states and numbers, and their joints in closed form."""

import itertools
import math

import numpy as np
from builders import CLASS, random_cpd, variable
from scipy.special import logsumexp
from scipy.stats import multivariate_normal

from bnclass import BayesianNetwork, EncodedTable, Structure, Variable
from bnclass.factors.gaussian import GaussianCPD
from bnclass.factors.linear_gaussian import CLGCPD


def number(name):
    """Return a continuous variable."""
    return Variable(name, kind="continuous")


def random_clg(rng, child, parents, constants=()):
    """Draw a factor; constants are point masses and have no say in their children."""
    shape = tuple(p.card for p in parents if p.kind == "discrete")
    continuous = [p for p in parents if p.kind == "continuous"]
    coefficients = rng.normal(size=(*shape, len(continuous)))
    coefficients[..., [p.name in constants for p in continuous]] = 0
    if child.name in constants:
        return CLGCPD(child, parents, np.full(shape, 3.0), 0 * coefficients, np.zeros(shape))
    mean, variance = rng.normal(size=shape), rng.uniform(0.2, 2, shape)
    if not continuous:
        return GaussianCPD(child, parents, mean, variance)
    return CLGCPD(child, parents, mean, coefficients, variance)


def random_mixed_network(
    rng, n_discrete, n_continuous, *, with_class=True, density=0.5, constants=0.0, zeros=0.0
):
    """Draw a network on a random acyclic graph with no arc from a number to a state.

    Attributes are "x0", "x1", …; which of them are numbers is drawn, and so is the graph's
    direction, apart from the column order. The class may stand anywhere among the states.
    """
    names = [f"x{i}" for i in rng.permutation(n_discrete + n_continuous)]
    discrete = names[:n_discrete] + [CLASS] * with_class
    variables = {n: variable(n, int(rng.integers(1, 4))) for n in discrete}
    variables |= {n: number(n) for n in names[n_discrete:]}
    direction = [discrete[i] for i in rng.permutation(len(discrete))] + names[n_discrete:]
    arcs = [pair for pair in itertools.combinations(direction, 2) if rng.random() < density]
    structure = Structure.from_arcs(sorted(variables), arcs, CLASS if with_class else None)
    constant = {n for n in names[n_discrete:] if rng.random() < constants}
    return with_random_factors(rng, structure, variables, constant, zeros)


def with_random_factors(rng, structure, variables, constants=(), zeros=0.0):
    """Return a network with random factors on a structure."""
    factors = []
    for node in structure.nodes:
        parents = tuple(variables[p] for p in structure.parents(node))
        if variables[node].kind == "discrete":
            factors.append(random_cpd(rng, variables[node], parents, zeros))
        else:
            factors.append(random_clg(rng, variables[node], parents, constants))
    return BayesianNetwork(structure, factors)


def random_mixed_rows(rng, model, n_rows, holes=0.0):
    """Draw rows under a model's attributes; each cell is missing with that chance."""
    columns = [
        rng.normal(scale=2, size=n_rows)
        if v.kind == "continuous"
        else rng.integers(0, v.card, n_rows)
        for v in model.attributes
    ]
    cells = np.array(columns, dtype=np.float64).T.reshape(n_rows, len(model.attributes))
    cells[rng.random(cells.shape) < holes] = np.nan
    return mixed_table(model, cells)


def mixed_table(model, cells):
    """Return rows of codes and numbers, NaN where missing, as a table."""
    cells = np.array(cells, dtype=np.float64).reshape(len(cells), len(model.attributes))
    continuous = np.array([v.kind == "continuous" for v in model.attributes], dtype=bool)
    codes = np.where(np.isnan(cells), -1, np.where(continuous, 0, cells)).astype(np.int32)
    return EncodedTable(model.attributes, codes, numbers=np.ascontiguousarray(cells[:, continuous]))


def cells_of(table):
    """Return a table's rows as `mixed_table` takes them."""
    cells = np.where(table.codes < 0, np.nan, table.codes)
    cells[:, [v.kind == "continuous" for v in table.variables]] = table.numbers
    return cells


# ---------------------------------------------------------------- closed form


def joint_normal(network, codes):
    """Return names, mean and covariance of the numbers, given codes of all discrete nodes.

    Solved at once for all of them: x = a + B x + e, so that x = (I - B)^-1 (a + e).
    """
    factors = [f for f in network.factors.values() if f.variable.kind == "continuous"]
    names = [f.variable.name for f in factors]
    a, d, b = np.zeros(len(names)), np.zeros(len(names)), np.zeros((len(names), len(names)))
    for i, factor in enumerate(factors):
        u = tuple(codes[p.name] for p in factor.parents if p.kind == "discrete")
        a[i], d[i] = factor.intercept[u], factor.variance[u]
        others = [p.name for p in factor.parents if p.kind == "continuous"]
        for j, name in enumerate(others):
            b[i, names.index(name)] = factor.coefficients[(*u, j)]
    spread = np.linalg.inv(np.eye(len(names)) - b)
    return names, spread @ a, spread @ np.diag(d) @ spread.T


def log_density(network, codes, numbers):
    """Return the log density of known numbers, given codes of all discrete nodes."""
    names, mean, covariance = joint_normal(network, codes)
    known = [i for i, name in enumerate(names) if name in numbers and covariance[i, i] > 1e-12]
    if not known:
        return 0.0
    x = [numbers[names[i]] for i in known]
    return multivariate_normal.logpdf(x, mean[known], covariance[np.ix_(known, known)])


def log_mixed_joint(network, cells):
    """Return ln p(y, known cells) of every class: normals, summed over the missing states."""
    known = {v.name: x for v, x in zip(network.attributes, cells, strict=True) if x == x}
    numbers = {n: x for n, x in known.items() if network.factors[n].variable.kind == "continuous"}
    free = [v for v in network.attributes if v.kind == "discrete"]
    options = [[int(known[v.name])] if v.name in known else range(v.card) for v in free]
    classes = [None] if network.target is None else range(network.target.card)
    joint = []
    for y in classes:
        terms = [-math.inf]
        for states in itertools.product(*options):
            codes = {**dict(zip([v.name for v in free], states, strict=True)), CLASS: y}
            mass = discrete_mass(network, codes)
            if mass > 0:
                terms.append(math.log(mass) + log_density(network, codes, numbers))
        joint.append(logsumexp(terms))
    return joint


def discrete_mass(network, codes):
    """Return the product of all tables at one assignment of codes to all discrete nodes."""
    tables = [f for f in network.factors.values() if f.variable.kind == "discrete"]
    return math.prod(
        float(f.table[(*(codes[p.name] for p in f.parents), codes[f.variable.name])])
        for f in tables
    )
