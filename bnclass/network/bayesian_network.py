"""`BayesianNetwork`: one structure, and one factor for every node."""

from collections.abc import Hashable, Iterable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd

from bnclass.data.codes import MISSING
from bnclass.data.table import EncodedTable
from bnclass.data.variables import Variable
from bnclass.exceptions import DataError, StructureError
from bnclass.factors.base import Factor
from bnclass.factors.regression import VariancePolicy
from bnclass.network import inference, queries
from bnclass.network.compiled import CompiledJoint
from bnclass.network.fitting import fit_factors
from bnclass.network.joint import Engine, Floats, TwoEngineModel, log_sum_exp
from bnclass.network.matching import matched
from bnclass.network.sampling import as_column, draw
from bnclass.statistics.smoothing import DEFAULT_SMOOTHING, Smoothing
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.structure.dag import Structure


class BayesianNetwork(TwoEngineModel):
    """A Bayesian network: valid by construction, and it never changes.

    Parameters
    ----------
    structure : Structure
    factors : iterable of Factor
        One for each node; its parents are the node's parents in the structure's order.

    Attributes
    ----------
    structure : Structure
    factors : mapping of node to Factor
        Read-only, in node order.
    graph : networkx.DiGraph
        The structure's graph, frozen.

    Raises
    ------
    StructureError
        If there is no node, a node lacks its factor or has two, a factor its node, or
        parents do not match.

    Examples
    --------
    >>> from bnclass import BayesianNetwork, CategoricalCPD, Structure, Variable
    >>> y = Variable("class", states=("n", "y"))
    >>> a = Variable("a", states=("u", "v"))
    >>> network = BayesianNetwork(
    ...     Structure.from_arcs(["class", "a"], [("class", "a")], "class"),
    ...     [CategoricalCPD(y, (), [0.5, 0.5]), CategoricalCPD(a, (y,), [[0.9, 0.1], [0.3, 0.7]])],
    ... )
    >>> network
    BayesianNetwork(class_node='class', nodes=2, arcs=1, parameters=3)
    >>> network.posterior({"a": ["u"]}).round(2)
    array([[0.75, 0.25]])
    """

    def __init__(self, structure: Structure, factors: Iterable[Factor]) -> None:
        object.__setattr__(self, "structure", structure)
        object.__setattr__(self, "_factors", matched(structure, factors))

    structure: Structure
    _factors: tuple[Factor, ...]

    @classmethod
    def fit(
        cls,
        structure: Structure,
        statistics: SufficientStatistics,
        smoothing: Smoothing = DEFAULT_SMOOTHING,
        variance: VariancePolicy = "conditional",
    ) -> "BayesianNetwork":
        """Estimate every node's distribution on a given structure.

        Parameters
        ----------
        structure : Structure
        statistics : SufficientStatistics
        smoothing : Smoothing, default=MEstimate(1.0)
            Of the tables.
        variance : {"conditional", "hugin", "pooled"}, default="conditional"
            Of the Gaussians: residual variances; the nodes' own variances with uncentred
            parents; or residual variances pooled over the classes.

        Returns
        -------
        BayesianNetwork

        Raises
        ------
        MemoryLimitError
            If a table would not fit.
        StructureError
            If a discrete node has a continuous parent.
        """
        return cls(structure, fit_factors(structure, statistics, smoothing, variance))

    @property
    def factors(self) -> Mapping[Hashable, Factor]:
        """Every node's factor, read-only, in node order."""
        return self._by_node

    @cached_property
    def _by_node(self) -> Mapping[Hashable, Factor]:
        return MappingProxyType({f.variable.name: f for f in self._factors})

    @property
    def graph(self) -> "nx.DiGraph[Hashable]":
        """The frozen graph; arcs carry "score" where a learner gave one."""
        return self.structure.graph

    @property
    def attributes(self) -> tuple[Variable, ...]:
        """The attribute variables, in column order."""
        return tuple(self.factors[name].variable for name in self.structure.attributes)

    @property
    def target(self) -> Variable | None:
        """The class variable, if there is one."""
        node = self.structure.class_node
        return None if node is None else self.factors[node].variable

    @property
    def n_parameters(self) -> int:
        """Number of free parameters."""
        return sum(factor.n_parameters for factor in self._factors)

    def log_joint(self, data: Any, *, engine: Engine = "compiled") -> Floats:
        """Return ln P(y, x) of every row and class, missing cells summed or integrated out exactly.

        Parameters
        ----------
        data : EncodedTable, or table with the network's columns
        engine : {"compiled", "graph"}, default="compiled"
            The graph walk defines the numbers; the compiled kernel repeats them faster.

        Returns
        -------
        ndarray of shape (n_rows, n_classes), float64
            In nats. One column for a network without a class.
        """
        return self._by_engine(self.encode(data).select(self.structure.attributes), engine)

    def _walk(self, table: EncodedTable) -> Floats:
        return inference.log_joint(self.structure, self.factors, table)

    def _log_shares(self, table: EncodedTable, engine: Engine) -> Floats:
        # A number far out in a density without the class would drown all that tells classes apart.
        if not self._has_common_factor:
            return self.log_joint(table, engine=engine)
        table = table.select(self.structure.attributes)
        return inference.log_joint(self.structure, self.factors, table, common=False)

    @cached_property
    def _has_common_factor(self) -> bool:
        """Whether a continuous node stands apart from the class."""
        target = self.structure.class_node
        return any(
            f.variable.is_continuous and target not in [p.name for p in f.parents]
            for f in self._factors
        )

    @cached_property
    def _compiled(self) -> CompiledJoint:
        members = ((self.structure, self._factors),)
        return CompiledJoint(self.attributes, members, np.ones(1), self._n_classes)

    def log_prob(self, data: Any) -> Floats:
        """Return ln P(row) of every row, its class included where it is known.

        Parameters
        ----------
        data : EncodedTable, or table with the network's columns

        Returns
        -------
        ndarray of shape (n_rows,), float64
            In nats, a log density where nodes are continuous; missing cells are summed or
            integrated out.

        Raises
        ------
        DataError
            If an `EncodedTable` has the labels of another class.
        """
        table = self.encode(data)
        log_joint = self.log_joint(table)
        everywhere = log_sum_exp(log_joint, axis=1)
        if table.labels is None or self.target is None:
            return everywhere
        _require_labels_of(self.target, table)
        known = table.labels != MISSING
        there = log_joint[np.arange(len(table)), table.labels]
        return np.where(known, there, everywhere)

    def query(
        self, variables: Any, evidence: Mapping[Any, Any] | None = None
    ) -> "pd.Series[float]":
        """Return P(variables | evidence), all other nodes summed or integrated out exactly.

        Parameters
        ----------
        variables : hashable, or sequence of hashable
            One or more discrete nodes, the class among them or not.
        evidence : mapping of node to value, optional
            A state, a number, or a raw cell of the node's column; ``None`` and NaN say
            nothing, whatever the model does with missing cells.

        Returns
        -------
        pandas.Series
            Probabilities that sum to 1, by state, or by the states of each node in turn.

        Raises
        ------
        StructureError
            If a node is none of the network's, asked for twice, asked for and known at once,
            or asked for and continuous; or if the evidence has probability 0.
        DataError
            If a known value is none of its node's.
        MemoryLimitError
            If there are too many configurations.

        Examples
        --------
        >>> from bnclass import TAN, load_dataset
        >>> network = TAN().fit(*load_dataset("monks-1")).network_
        >>> network.query("a5", {"class": "1"}).round(3).to_dict()
        {'1': 0.497, '2': 0.168, '3': 0.168, '4': 0.168}
        """
        asked = queries.asked(self.factors, variables)
        known = {} if evidence is None else evidence
        shares = queries.query(self.structure, self.factors, asked, known)
        return queries.as_series(asked, shares)

    def log_likelihood(self, data: Any) -> float:
        """Return Σ ln P(row), each row times its weight, in nats.

        Parameters
        ----------
        data : EncodedTable, or table with the network's columns

        Returns
        -------
        float
        """
        table = self.encode(data)
        return float(self.log_prob(table) @ table.row_weights)

    def bic(self, data: Any) -> float:
        """Return the BIC score: log-likelihood - ½ ln(t) · number of parameters; larger is better.

        Parameters
        ----------
        data : EncodedTable, or table with the network's columns

        Returns
        -------
        float
            In nats.

        Raises
        ------
        DataError
            If there are no rows, or the class column is not among the columns.
        """
        table = self.encode(data)
        if not len(table):
            raise DataError("a table of no rows has no BIC, expected at least one row")
        if self.target is not None and table.labels is None:
            raise DataError(
                f"no class column {self.target.name!r} in the table, expected it for the BIC"
            )
        penalty = 0.5 * np.log(table.row_weights.sum()) * self.n_parameters
        return self.log_likelihood(table) - float(penalty)

    def sample(self, n: int, random_state: Any = None) -> pd.DataFrame:
        """Draw rows from the joint.

        Parameters
        ----------
        n : int
        random_state : int, numpy.random.Generator or None
            What `numpy.random.default_rng` takes.

        Returns
        -------
        pandas.DataFrame of shape (n, n_nodes)
            Attributes first, the class last: categorical columns with the declared states,
            float64 for continuous nodes.

        Raises
        ------
        BnclassError
            If `n` is negative or no integer.
        """
        drawn = draw(self.structure, self.factors, n, random_state)
        variables = [*self.attributes, *([self.target] if self.target else [])]
        return pd.DataFrame({v.name: as_column(drawn[v.name], v) for v in variables})

    def markov_blanket(self, node: Hashable) -> set[Hashable]:
        """Return the parents, the children and the children's other parents of a node.

        Parameters
        ----------
        node : hashable

        Returns
        -------
        set
        """
        return self.structure.markov_blanket(node)

    def arcs(self) -> pd.DataFrame:
        """Return all arcs with their scores.

        Returns
        -------
        pandas.DataFrame
            Columns "from", "to", "score": I(X_i; Y) for arcs from the class, I(X_i; X_j | Y)
            for others, in nats; NaN where no learner gave one.
        """
        arcs = self.structure.arcs
        scores = [self.graph.edges[arc].get("score", np.nan) for arc in arcs]
        return pd.DataFrame(
            {
                "from": pd.Series([u for u, _ in arcs], dtype=object),
                "to": pd.Series([v for _, v in arcs], dtype=object),
                "score": np.array(scores, dtype=np.float64),
            }
        )

    def describe(self, node: Hashable) -> pd.DataFrame:
        """Return a node's table, or a continuous node's parameters, labelled.

        Parameters
        ----------
        node : hashable

        Returns
        -------
        pandas.DataFrame
        """
        if node not in self.factors:
            raise StructureError(f"no node {node!r}, expected one of {self.structure.nodes!r}")
        return self.factors[node].describe()

    def to_networkx(self) -> "nx.DiGraph[Hashable]":
        """Return an editable copy of the graph; nodes carry "kind" and "states".

        Returns
        -------
        networkx.DiGraph
        """
        graph = self.structure.to_networkx()
        for node, factor in self.factors.items():
            graph.nodes[node].update(kind=factor.variable.kind, states=factor.variable.states)
        return graph

    def __eq__(self, other: object) -> bool:
        """Equal networks have equal structures and equal factors, to the last bit."""
        return (
            isinstance(other, BayesianNetwork)
            and self.structure == other.structure
            and dict(self.factors) == dict(other.factors)
        )

    __hash__ = None  # type: ignore[assignment]

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a BayesianNetwork never changes; cannot set {name!r}")

    def __getstate__(self) -> dict[str, Any]:
        return {"structure": self.structure, "_factors": self._factors}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def __repr__(self) -> str:
        inner = repr(self.structure)[len("Structure(") : -1]
        return f"BayesianNetwork({inner}, parameters={self.n_parameters})"


def _require_labels_of(target: Variable, table: EncodedTable) -> None:
    found = table.target
    if found is None or (found.name, found.states) != (target.name, target.states):
        raise DataError(f"the table's labels are of {found!r}, expected {target!r}")
