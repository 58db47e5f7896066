"""k-dependence Bayesian classifiers [KDB]."""

from dataclasses import dataclass

import numpy as np

from bnclass.exceptions import StructureError
from bnclass.scores.information import Information, quantise
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.structure.arc_rules import arc_rules
from bnclass.structure.base import (
    StructureLearner,
    augmented_naive_bayes,
    require_room_for_arcs,
)
from bnclass.structure.constraints import Constraints
from bnclass.structure.dag import Structure


@dataclass(frozen=True)
class KDBLearner(StructureLearner):
    """KDB: attributes in order of I(X_i; Y), each under its k most related earlier ones.

    Attributes are ordered by decreasing I(X_i; Y); each takes as parents the min(k, its
    position) earlier ones with the largest I(X_i; X_j | Y). Ties keep the earlier.
    Discrete attributes come before continuous ones in the order, so that none gets a
    continuous parent.

    Parameters
    ----------
    k : int or None, default=2
        Attribute parents at most; 0 is naive Bayes, ``None`` the full network.
    constraints : Constraints, optional
        Next in the order is always the attribute with the largest I(X_i; Y) that waits for no
        other, by required arcs or the constraints' order. Each attribute takes its required
        parents first, then the most related of those allowed.

    References
    ----------
    Sahami, Learning Limited Dependence Bayesian Classifiers, KDD 1996.

    Examples
    --------
    >>> from bnclass import KDBLearner, SufficientStatistics, TableEncoder, load_dataset
    >>> table = TableEncoder().fit_transform(*load_dataset("monks-1"))
    >>> statistics = SufficientStatistics.from_table(table)
    >>> KDBLearner(k=2).learn(statistics)
    Structure(class_node='class', nodes=7, arcs=15)
    """

    k: int | None = 2
    constraints: Constraints | None = None

    def __post_init__(self) -> None:
        whole = isinstance(self.k, (int, np.integer)) and not isinstance(self.k, bool)
        if self.k is not None and not (whole and self.k >= 0):
            raise StructureError(f"k is {self.k!r}, expected None or an integer of at least 0")

    def learn(self, statistics: SufficientStatistics) -> Structure:
        """Return the k-dependence structure.

        Parameters
        ----------
        statistics : SufficientStatistics

        Returns
        -------
        Structure

        Raises
        ------
        MemoryLimitError
            If so many arcs would not fit.
        StructureError
            If the constraints do not fit the columns, or require more parents than `k`.
        """
        information, schema = Information(statistics), statistics.schema
        rules = arc_rules(self.constraints, schema, self.k)
        n = len(schema.attributes)
        n_arcs = n + sum(min(i, n if self.k is None else int(self.k)) for i in range(n))
        require_room_for_arcs(n_arcs, f"a network of {n} attributes with k={self.k}")
        if rules.max_parents == 0:
            return augmented_naive_bayes(information, {})
        late = np.array([v.is_continuous for v in schema.attributes], np.bool_)
        by_relevance = np.lexsort((-quantise(information.with_class), late))
        order, related = rules.adjusted_order(by_relevance), quantise(information.given_class)
        parents: dict[int, list[int]] = {}
        for position, i in enumerate(order.tolist()):
            earlier = rules.open_parents(i, order[:position])
            nearest = np.argsort(-related[i, earlier], kind="stable")[: rules.room(i)]
            parents[i] = [*rules.required.get(i, ()), *earlier[nearest].tolist()]
        return augmented_naive_bayes(information, parents)
