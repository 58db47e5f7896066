"""The k-dependence spanning tree [KST], of all rows and of one."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bnclass.exceptions import StructureError
from bnclass.scores.criteria import maximum_correlation, minimum_dependence
from bnclass.scores.dependence import Dependences, is_class_conditional
from bnclass.scores.information import Information
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.statistics.triples import Dependence
from bnclass.structure.base import StructureLearner, augmented_naive_bayes
from bnclass.structure.dag import Arc, Structure


@dataclass(frozen=True)
class KSTLearner(StructureLearner):
    """KST: attributes in order of maximum correlation, each under its k best earlier ones.

    `learn` looks at all rows, `learn_at` at the values of one row: the same procedure with
    local measures. Attributes must be of one kind, states or numbers.

    Parameters
    ----------
    k : int, default=2
        Attribute parents at most; 0 is naive Bayes.
    dependence : {"class-conditional", "pairwise"}, default="class-conditional"
        What measures the dependence that a parent leaves open: I(X_i; X_l | X_p, Y), which
        the derivation (eqs. 9 and 10) asks for, or I(X_i; X_l | X_p), eq. 11 to the letter.

    References
    ----------
    A novel approach to fully representing the diversity in conditional dependencies for
    learning Bayesian network classifier.

    Examples
    --------
    >>> from bnclass import SufficientStatistics, TableEncoder, load_dataset
    >>> from bnclass.structure.kst import KSTLearner
    >>> table = TableEncoder().fit_transform(*load_dataset("monks-1"))
    >>> statistics = SufficientStatistics.from_table(table)
    >>> KSTLearner(k=2).learn(statistics)
    Structure(class_node='class', nodes=7, arcs=15)
    >>> KSTLearner(k=1).learn_at(statistics, [0, 0, -1, -1, 0, -1]).attributes
    ('a1', 'a2', 'a5')
    """

    k: int = 2
    dependence: Dependence = "class-conditional"

    def __post_init__(self) -> None:
        whole = isinstance(self.k, (int, np.integer)) and not isinstance(self.k, bool)
        if not (whole and self.k >= 0):
            raise StructureError(f"k is {self.k!r}, expected an integer of at least 0")
        is_class_conditional(self.dependence)  # refuses others

    def learn(self, statistics: SufficientStatistics) -> Structure:
        """Return the structure of all rows.

        Parameters
        ----------
        statistics : SufficientStatistics
            With its rows, all attributes of one kind.

        Returns
        -------
        Structure

        Raises
        ------
        DataError
            If some attributes are discrete and some continuous, or the statistics hold no rows
            where they are needed.
        MemoryLimitError
            If the measures of all triples would not fit.
        """
        dependences = Dependences.from_statistics(statistics, self.dependence)
        return augmented_naive_bayes(Information(statistics), self._parents(dependences))

    def learn_at(self, statistics: SufficientStatistics, row: npt.ArrayLike) -> Structure:
        """Return the structure of one row's values.

        Arcs between attributes carry the local I(x_i; x_j | Y) as their score, in nats and
        unrounded; arcs from the class have none.

        Parameters
        ----------
        statistics : SufficientStatistics
            With its rows, all attributes of one kind.
        row : array-like of shape (n_attributes,)
            In column order: codes, -1 where missing, or numbers, NaN where missing.

        Returns
        -------
        Structure
            Of the class and the attributes that the row has; missing ones are not in it.

        Raises
        ------
        DataError
            If some attributes are discrete and some continuous, the statistics hold no rows
            where they are needed, or a cell of the row is none of its attribute's.
        """
        dependences = Dependences.of_row(statistics, row, self.dependence)
        names = [statistics.schema.names[i] for i in dependences.attributes]
        target = statistics.schema.target.name
        arcs: dict[Arc, float | None] = {(target, name): None for name in names}
        for i, earlier in self._parents(dependences).items():
            for j in earlier:
                arcs[names[j], names[i]] = float(dependences.given_class[j, i])
        return Structure.from_arcs([target, *names], arcs, target)

    def _parents(self, dependences: Dependences) -> dict[int, list[int]]:
        """Return every attribute's parents, as places among the attributes measured."""
        order = np.argsort(-maximum_correlation(dependences), kind="stable").tolist()
        parents = {}
        for position, i in enumerate(order):
            earlier = order[:position]
            parents[i] = earlier if position <= self.k else self._best(dependences, i, earlier)
        return parents

    def _best(self, dependences: Dependences, child: int, earlier: list[int]) -> list[int]:
        """Return the k attributes given which the child depends least on the other earlier ones."""
        parents: list[int] = []
        candidates = list(earlier)
        for _ in range(self.k):
            shared = minimum_dependence(dependences, child, candidates, parents)
            parents.append(candidates.pop(int(shared.argmin())))
        return parents
