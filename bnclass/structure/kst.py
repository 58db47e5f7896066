"""The k-dependence spanning tree [KST], of all rows and of one."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bnclass.data.variables import Schema
from bnclass.exceptions import StructureError
from bnclass.scores.criteria import maximum_correlation, minimum_dependence
from bnclass.scores.dependence import Dependences, is_class_conditional
from bnclass.scores.information import Information
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.statistics.triples import Dependence
from bnclass.structure.arc_rules import ArcRules, arc_rules
from bnclass.structure.base import StructureLearner, augmented_naive_bayes
from bnclass.structure.constraints import Constraints
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
    constraints : Constraints, optional
        Next in the order is always the attribute of largest correlation that waits for no
        other, by required arcs or the constraints' order. Each attribute takes its required
        parents first, then the best of those allowed. A row's structure keeps what they say
        of the attributes that the row has.

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
    constraints: Constraints | None = None

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
        StructureError
            If the constraints do not fit the columns, or require more parents than `k`.
        """
        rules = arc_rules(self.constraints, statistics.schema, self.k)
        dependences = Dependences.from_statistics(statistics, self.dependence)
        return augmented_naive_bayes(Information(statistics), self._parents(dependences, rules))

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
        StructureError
            If the constraints do not fit the columns, or require more parents than `k`.
        """
        schema, constraints = statistics.schema, self.constraints
        arc_rules(constraints, schema, self.k)  # refuses what would fit some rows alone
        dependences = Dependences.of_row(statistics, row, self.dependence)
        present = Schema(tuple(schema.attributes[i] for i in dependences.attributes), schema.target)
        names, target = present.names, schema.target.name
        here = None if constraints is None else constraints.among(names)
        rules = arc_rules(here, present, self.k)
        arcs: dict[Arc, float | None] = {(target, name): None for name in names}
        for i, earlier in self._parents(dependences, rules).items():
            for j in earlier:
                arcs[names[j], names[i]] = float(dependences.given_class[j, i])
        return Structure.from_arcs([target, *names], arcs, target)

    def _parents(self, dependences: Dependences, rules: ArcRules) -> dict[int, list[int]]:
        """Return every attribute's parents, as places among the attributes measured."""
        by_correlation = np.argsort(-maximum_correlation(dependences), kind="stable")
        order = rules.adjusted_order(by_correlation).tolist()
        return {
            i: _parents_among(order[:position], i, dependences, rules)
            for position, i in enumerate(order)
        }


def _parents_among(
    earlier: list[int], child: int, dependences: Dependences, rules: ArcRules
) -> list[int]:
    """Return the required parents, and those given which the child depends least on the rest.

    What may be no parent still counts among the rest: the child depends on it all the same.
    """
    parents = list(rules.required.get(child, ()))
    rest = [j for j in earlier if j not in parents]
    candidates, room = rules.open_parents(child, rest).tolist(), rules.room(child)
    if room is None or len(candidates) <= room:
        return [*parents, *candidates]
    for _ in range(room):
        shared = minimum_dependence(dependences, child, rest, parents)
        best = min(candidates, key=dict(zip(rest, shared.tolist(), strict=True)).__getitem__)
        candidates.remove(best)
        rest.remove(best)
        parents.append(best)
    return parents
