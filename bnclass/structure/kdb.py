"""k-dependence Bayesian classifiers [KDB]."""

from dataclasses import dataclass

import numpy as np

from bnclass.exceptions import StructureError
from bnclass.scores.information import Information, quantise
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.structure.base import StructureLearner, augmented_naive_bayes
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
        """
        information = Information(statistics)
        late = [v.is_continuous for v in statistics.schema.attributes]
        order = np.lexsort((-quantise(information.with_class), np.array(late, np.bool_)))
        if self.k == 0:
            return augmented_naive_bayes(information, {})
        related = quantise(information.given_class)
        parents = {}
        for position, i in enumerate(order):
            earlier = order[:position]
            nearest = np.argsort(-related[i, earlier], kind="stable")[: self.k]
            parents[int(i)] = earlier[nearest].tolist()
        return augmented_naive_bayes(information, parents)
