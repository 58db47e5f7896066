"""To pgmpy, in memory."""

from typing import TYPE_CHECKING

from bnclass.classifiers.inspect import network_of
from bnclass.factors.categorical import CategoricalCPD
from bnclass.io.tables import cpds_of

if TYPE_CHECKING:
    from pgmpy.factors.discrete import TabularCPD
    from pgmpy.models import DiscreteBayesianNetwork


def to_pgmpy(network: object) -> "DiscreteBayesianNetwork":
    """Return a network as pgmpy's `DiscreteBayesianNetwork`.

    Parameters
    ----------
    network : BayesianNetwork, or fitted classifier with one network

    Returns
    -------
    pgmpy.models.DiscreteBayesianNetwork
        Nodes and states are the originals, of any type: pgmpy takes integers, tuples and
        text of every shape. Probabilities are the same doubles. Which node is the class, and
        the scores of the arcs, pgmpy does not hold.

    Raises
    ------
    BnclassError
        If there is not exactly one network.
    FileFormatError
        If a factor is no table.

    Notes
    -----
    pgmpy's own file writers do not take every name and state that its networks take; for
    files use `write_bif`.

    Examples
    --------
    >>> import bnclass as bc
    >>> model = bc.TAN().fit(*bc.load_dataset("iris"))
    >>> exported = bc.to_pgmpy(model)
    >>> bool(exported.check_model())
    True
    >>> exported.get_cpds("petal width (cm)").state_names["petal width (cm)"]
    ['(-inf, 0.8]', '(0.8, 1.75]', '(1.75, inf)']
    """
    network = network_of(network)
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
