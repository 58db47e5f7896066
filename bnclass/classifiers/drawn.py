"""The classifier on a structure that the user drew."""

from collections.abc import Hashable
from typing import Any, cast

import networkx as nx
import pandas as pd

from bnclass.classifiers.single import SingleNetworkClassifier
from bnclass.data.variables import Schema
from bnclass.exceptions import StructureError
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.scores.information import Information
from bnclass.statistics.moments import Order
from bnclass.statistics.smoothing import Smoothing
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.structure.base import scored
from bnclass.structure.dag import Structure
from bnclass.structure.one_dependence import NaiveBayesLearner


class StructureClassifier(SingleNetworkClassifier):
    """Parameters only, on a structure that the user drew.

    Parameters
    ----------
    structure : Structure or networkx.DiGraph, optional
        Its nodes are all the columns and one more, the class; ``None`` is naive Bayes.
    smoothing : float, MEstimate, Laplace or BDeu, default=1.0
        How counts become probabilities; a number is the m of the m-estimate.
    continuous : "mdl", "gaussian" or transformer, default="mdl"
        How numbers become states: MDL cuts learned inside `fit`, or a transformer that
        returns one discrete column for each numeric one. With "gaussian" they stay
        numbers, and their nodes carry normal densities, linear in numeric parents.
    categorical_features : "from_dtype", "all", mask or sequence of names, default="from_dtype"
        Columns to take as discrete whatever their dtype; bool, text, category and object
        columns always are.
    missing : {"marginalize", "state", "impute", "error"}, default="marginalize"
        Missing cells are summed out; or get a state of their own; or become the mode
        or mean; or are refused.
    unknown : {"missing", "error"}, default="missing"
        In a row to predict, a value not seen in training counts as a missing cell, or is
        refused.

    Attributes
    ----------
    network_ : BayesianNetwork
        The learned network.
    classes_ : ndarray of shape (n_classes,)
        Class labels in sorted order, in the dtype of y.
    schema_ : Schema
        The variables of the model.
    missing_counts_ : dict of column name to int
        Training cells that were missing; columns without any are not in it.
    unknown_counts_ : dict of column name to int
        Likewise, cells of rows to predict that held values not seen in training, since `fit`.

    Examples
    --------
    >>> import networkx as nx
    >>> from bnclass import StructureClassifier, load_dataset
    >>> X, y = load_dataset("balance-scale")
    >>> graph = nx.DiGraph([("class", name) for name in X.columns])
    >>> graph.add_edge("left-weight", "left-distance")
    >>> StructureClassifier(graph).fit(X, y).network_.arcs()[["from", "to"]].tail(2).values.tolist()
    [['class', 'right-weight'], ['class', 'right-distance']]
    """

    def __init__(
        self,
        structure: "Structure | nx.DiGraph[Hashable] | None" = None,
        *,
        smoothing: Any = 1.0,
        continuous: Any = "mdl",
        categorical_features: Any = "from_dtype",
        missing: str = "marginalize",
        unknown: str = "missing",
    ) -> None:
        super().__init__(
            smoothing=smoothing,
            continuous=continuous,
            categorical_features=categorical_features,
            missing=missing,
            unknown=unknown,
        )
        self.structure = structure

    def _require_growing(self) -> None:
        if self.structure is None:
            return
        drawn = _as_structure(self.structure)
        fitted = self.schema_.target.name if hasattr(self, "schema_") else drawn.class_node
        classes = drawn.nodes if fitted is None else [fitted]
        if not any(_is_of_pairs(drawn, node) for node in classes):
            raise AttributeError(
                "the structure has families of three attributes and more, which need all rows at "
                "once; expected the class and at most two to learn from chunks"
            )

    def _class_name(self, frame: pd.DataFrame) -> Hashable | None:
        if self.structure is None:
            return None
        drawn = _as_structure(self.structure)
        return _node_without_column(drawn, frame)

    def _order(self) -> Order:
        return 1 if self.structure is None else 2

    def _learn(self, statistics: SufficientStatistics, smoothing: Smoothing) -> None:
        if self.structure is None:
            structure = NaiveBayesLearner().learn(statistics)
        else:
            drawn = self._with_learned_columns(_as_structure(self.structure), statistics.schema)
            structure = scored(drawn, Information(statistics))
        self.network_ = BayesianNetwork.fit(structure, statistics, smoothing)

    def _with_learned_columns(self, drawn: Structure, schema: Schema) -> Structure:
        """Return the structure in column order, without the columns wholly missing."""
        columns = self.encoder_.columns_
        absent = [name for name in columns if name not in drawn.graph]
        if absent:
            raise StructureError(
                f"columns {absent!r} are no nodes of the structure; add them as nodes, with or "
                f"without arcs, or leave the columns out of X"
            )
        graph = drawn.to_networkx()
        graph.remove_nodes_from([name for name in columns if name not in schema])
        kept = drawn.joint_family if drawn.joint_family and drawn.joint_family[1] in graph else None
        return Structure.from_graph(graph, schema, kept)


def _is_of_pairs(drawn: Structure, class_node: Hashable) -> bool:
    """Return whether every family is of two attributes at most, beside the class."""
    families = ({node, *drawn.graph.predecessors(node)} for node in drawn.graph)
    return all(len(family - {class_node}) <= 2 for family in families)


def _as_structure(drawn: object) -> Structure:
    if isinstance(drawn, Structure):
        return drawn
    if isinstance(drawn, nx.Graph):  # also of the kinds that Structure refuses
        return Structure(cast("nx.DiGraph[Hashable]", drawn))
    raise StructureError(
        f"structure is a {type(drawn).__name__}, expected a Structure, such as "
        f"network_.structure, or a networkx.DiGraph"
    )


def _node_without_column(drawn: Structure, frame: pd.DataFrame) -> Hashable:
    """Return the class of a drawn structure: the one node that is no column."""
    others = [node for node in drawn.nodes if node not in frame.columns]
    if len(others) != 1 or drawn.class_node not in (None, others[0]):
        expected = "the class" if drawn.class_node is None else f"the class {drawn.class_node!r}"
        raise StructureError(
            f"nodes {others!r} are no columns of X, expected exactly one such node, {expected}"
        )
    return others[0]
