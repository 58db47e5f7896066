"""From statistics to the factors of a whole structure."""

from collections.abc import Hashable

from bnclass.data.variables import Variable
from bnclass.factors.base import Factor
from bnclass.factors.categorical import CategoricalCPD, joint_cpds
from bnclass.factors.gaussian import GaussianCPD
from bnclass.factors.linear_gaussian import CLGCPD
from bnclass.factors.regression import VariancePolicy
from bnclass.factors.sparse import SparseCategoricalCPD
from bnclass.network.plan import is_sparse, require_room_for
from bnclass.statistics.smoothing import Smoothing
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.structure.dag import Structure, require_discrete_parents


def fit_factors(
    structure: Structure,
    statistics: SufficientStatistics,
    smoothing: Smoothing,
    variance: VariancePolicy,
) -> tuple[Factor, ...]:
    """Estimate every node's distribution on a given structure.

    Parameters
    ----------
    structure : Structure
    statistics : SufficientStatistics
    smoothing : Smoothing
        Of the tables.
    variance : {"conditional", "hugin", "pooled"}
        Of the Gaussians, see `bnclass.factors.regression.regress`.

    Returns
    -------
    tuple of Factor
        One for each node.

    Raises
    ------
    MemoryLimitError
        If the tables would not fit together.
    StructureError
        If a discrete node has a continuous parent.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import MEstimate, Structure, SufficientStatistics, TableEncoder
    >>> from bnclass.network.fitting import fit_factors
    >>> frame = pd.DataFrame({"a": ["u", "v"], "x": [1.0, 3.0]})
    >>> table = TableEncoder(continuous="gaussian").fit_transform(frame, [0, 1])
    >>> structure = Structure.from_arcs(["class", "a", "x"], [("a", "x")], "class")
    >>> statistics = SufficientStatistics.from_table(table)
    >>> fit_factors(structure, statistics, MEstimate(1.0), "conditional")
    (CategoricalCPD('class'), CategoricalCPD('a'), GaussianCPD('x' | 'a'))
    """
    schema = statistics.schema
    require_discrete_parents(structure, schema)
    require_room_for([structure], statistics)
    factors: dict[Hashable, Factor] = {}
    if structure.joint_family is not None:
        pair = [schema[name] for name in structure.joint_family]
        for cpd in joint_cpds(pair[0], pair[1], statistics, smoothing):
            factors[cpd.variable.name] = cpd
    for node in structure.nodes:
        if node not in factors:
            parents = tuple(schema[p] for p in structure.parents(node))
            factors[node] = _fitted(schema[node], parents, statistics, smoothing, variance)
    return tuple(factors.values())


def _fitted(
    variable: Variable,
    parents: tuple[Variable, ...],
    statistics: SufficientStatistics,
    smoothing: Smoothing,
    variance: VariancePolicy,
) -> Factor:
    if not variable.is_continuous:
        if is_sparse(variable, parents, statistics):
            return SparseCategoricalCPD.from_statistics(variable, parents, statistics, smoothing)
        return CategoricalCPD.from_statistics(variable, parents, statistics, smoothing)
    if any(p.is_continuous for p in parents):
        return CLGCPD.from_statistics(variable, parents, statistics, variance)
    return GaussianCPD.from_statistics(variable, parents, statistics, variance)
