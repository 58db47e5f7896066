"""To pgmpy, in memory."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from bnclass.classifiers.inspect import network_of
from bnclass.data.variables import Variable
from bnclass.exceptions import BnclassError, FileFormatError
from bnclass.factors.categorical import CategoricalCPD
from bnclass.factors.linear_gaussian import CLGCPD
from bnclass.io.tables import cpds_of
from bnclass.network.bayesian_network import BayesianNetwork

if TYPE_CHECKING:
    from pgmpy.factors.continuous import LinearGaussianCPD
    from pgmpy.factors.discrete import TabularCPD
    from pgmpy.models import DiscreteBayesianNetwork, LinearGaussianBayesianNetwork


@overload
def to_pgmpy(network: object, given: None = None) -> "DiscreteBayesianNetwork": ...
@overload
def to_pgmpy(network: object, given: Mapping[Any, object]) -> "LinearGaussianBayesianNetwork": ...


def to_pgmpy(
    network: object, given: Mapping[Any, object] | None = None
) -> "DiscreteBayesianNetwork | LinearGaussianBayesianNetwork":
    """Return a network as pgmpy's, which are all of tables or all of numbers.

    Parameters
    ----------
    network : BayesianNetwork, or fitted classifier with one network
    given : mapping of the class to one of its labels, optional
        Needed if the attributes are continuous: what comes back is their network in that
        class. Empty if there is no class node.

    Returns
    -------
    pgmpy.models.DiscreteBayesianNetwork or, with `given`, LinearGaussianBayesianNetwork
        Nodes and states are the originals, of any type: pgmpy takes integers, tuples and
        text of every shape. Probabilities, intercepts and coefficients are the same doubles,
        standard deviations the roots of the variances. Which node is the class, and the
        scores of the arcs, pgmpy does not hold.

    Raises
    ------
    BnclassError
        If there is not exactly one network, or `given` does not fit it.
    FileFormatError
        If the network has both kinds of attributes, or a factor that pgmpy does not know.

    Notes
    -----
    pgmpy's own file writers do not take every name and state that its networks take; for
    files use `write_bif`.

    The column of a constant has the standard deviation 0, so that the joint normal
    distribution has no density. pgmpy rounds that distribution to eight decimals.

    Examples
    --------
    >>> import bnclass as bc
    >>> model = bc.TAN().fit(*bc.load_dataset("iris"))
    >>> exported = bc.to_pgmpy(model)
    >>> bool(exported.check_model())
    True
    >>> exported.get_cpds("petal width (cm)").state_names["petal width (cm)"]
    ['(-inf, 0.8]', '(0.8, 1.75]', '(1.75, inf)']

    One class of a network of numbers:

    >>> sex = bc.Variable("sex", states=("f", "m"))
    >>> height, weight = (bc.Variable(n, kind="continuous") for n in ("height", "weight"))
    >>> arcs = [("sex", "height"), ("sex", "weight"), ("height", "weight")]
    >>> network = bc.BayesianNetwork(
    ...     bc.Structure.from_arcs(["sex", "height", "weight"], arcs, "sex"),
    ...     [
    ...         bc.CategoricalCPD(sex, (), [0.5, 0.5]),
    ...         bc.GaussianCPD(height, (sex,), [165, 178], [36, 49]),
    ...         bc.CLGCPD(weight, (sex, height), [-40, -50], [[0.6], [0.7]], [36, 49]),
    ...     ],
    ... )
    >>> print(bc.to_pgmpy(network, given={"sex": "m"}).get_cpds("weight"))
    P(weight | height) = N(0.7*height + -50.0; 7.0)
    """
    network = network_of(network)
    if not any(factor.variable.is_continuous for factor in network.factors.values()):
        if given is not None:
            raise BnclassError(f"given is {given!r}, but no node is continuous; leave it out")
        return _discrete(network)
    cpds = _gaussians_of(network)
    return _linear(network, cpds, _code(network.target, given))


# ---------------------------------------------------------------- networks of tables


def _discrete(network: BayesianNetwork) -> "DiscreteBayesianNetwork":
    cpds = cpds_of(network)
    from pgmpy.models import DiscreteBayesianNetwork

    exported = DiscreteBayesianNetwork()
    exported.add_nodes_from(network.structure.nodes)
    exported.add_edges_from(network.structure.arcs)
    exported.add_cpds(*map(_tabular, cpds.values()))
    return exported


def _tabular(cpd: CategoricalCPD) -> "TabularCPD":
    """Return the table in pgmpy's layout: the child's states down, the parents' across."""
    from pgmpy.factors.discrete import TabularCPD

    return TabularCPD(
        cpd.variable.name,
        cpd.variable.card,
        cpd.table.reshape(-1, cpd.variable.card).T,
        evidence=[parent.name for parent in cpd.parents],
        evidence_card=[parent.card for parent in cpd.parents],
        state_names={v.name: list(v.states) for v in (cpd.variable, *cpd.parents)},
    )


# ---------------------------------------------------------------- networks of numbers


def _gaussians_of(network: BayesianNetwork) -> list[CLGCPD]:
    """Return the attributes' factors, all of which must be Gaussian."""
    cpds = []
    for name in network.structure.attributes:
        factor = network.factors[name]
        if not isinstance(factor, CLGCPD):
            raise FileFormatError(
                f"attribute {name!r} has a {type(factor).__name__} beside continuous nodes, and "
                f"pgmpy holds no network of both; expected continuous attributes only, or "
                f"none, as continuous='mdl' gives"
            )
        cpds.append(factor)
    return cpds


def _code(target: Variable | None, given: Mapping[Any, object] | None) -> int:
    """Return the code of the given label; any, where there is no class."""
    example = {} if target is None else {target.name: target.states[0]}
    if not isinstance(given, Mapping) or list(given) != list(example):
        raise BnclassError(
            f"given is {given!r} for a network with continuous nodes, expected the class and a "
            f"label; write to_pgmpy(network, given={example!r})"
        )
    if target is None:
        return 0
    if given[target.name] not in target.states:
        raise BnclassError(
            f"class {target.name!r} has no label {given[target.name]!r}, expected one of "
            f"{target.states!r}"
        )
    return target.states.index(given[target.name])


def _linear(
    network: BayesianNetwork, cpds: list[CLGCPD], code: int
) -> "LinearGaussianBayesianNetwork":
    """Return the network over the attributes in one class."""
    from pgmpy.models import LinearGaussianBayesianNetwork

    kept = set(network.structure.attributes)
    exported = LinearGaussianBayesianNetwork()
    exported.add_nodes_from(network.structure.attributes)
    exported.add_edges_from(arc for arc in network.structure.arcs if arc[0] in kept)
    exported.add_cpds(*(_linear_gaussian(cpd, code) for cpd in cpds))
    return exported


def _linear_gaussian(cpd: CLGCPD, code: int) -> "LinearGaussianCPD":
    from pgmpy.factors.continuous import LinearGaussianCPD

    codes = {parent.name: np.array(code) for parent in cpd.discrete_parents}
    intercept, coefficients, variance = cpd.given(codes)
    # pgmpy declares a method abstract that it does not write.
    return LinearGaussianCPD(  # type: ignore[abstract]
        cpd.variable.name,
        [float(intercept), *coefficients.tolist()],
        math.sqrt(variance),
        [parent.name for parent in cpd.continuous_parents],
    )
