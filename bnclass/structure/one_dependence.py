"""Naive Bayes and the superparent one-dependence family."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import ClassVar

from bnclass.scores.information import Information, quantise
from bnclass.statistics.sufficient import Order, SufficientStatistics
from bnclass.structure.base import StructureLearner, attribute_place, augmented_naive_bayes
from bnclass.structure.dag import Structure


@dataclass(frozen=True)
class NaiveBayesLearner(StructureLearner):
    """Naive Bayes: the class points at every attribute, and there is no other arc.

    Examples
    --------
    >>> from bnclass import NaiveBayesLearner, SufficientStatistics, TableEncoder, load_dataset
    >>> table = TableEncoder().fit_transform(*load_dataset("monks-1"))
    >>> NaiveBayesLearner().learn(SufficientStatistics.from_table(table))
    Structure(class_node='class', nodes=7, arcs=6)
    """

    order: ClassVar[Order] = 1

    def learn(self, statistics: SufficientStatistics) -> Structure:
        """Return the naive Bayes structure.

        Parameters
        ----------
        statistics : SufficientStatistics

        Returns
        -------
        Structure
        """
        return augmented_naive_bayes(Information(statistics), {})


@dataclass(frozen=True)
class SPODELearner(StructureLearner):
    """SPODE: one attribute, the superparent, points at all others [AODE].

    Parameters
    ----------
    superparent : hashable, optional
        Name of the attribute; by default the one with the largest I(X_j; Y), the first
        column on ties.

    Examples
    --------
    >>> from bnclass import SPODELearner, SufficientStatistics, TableEncoder, load_dataset
    >>> table = TableEncoder().fit_transform(*load_dataset("monks-1"))
    >>> SPODELearner().learn(SufficientStatistics.from_table(table)).joint_family
    ('class', 'a5')
    """

    superparent: Hashable | None = None

    def learn(self, statistics: SufficientStatistics) -> Structure:
        """Return the structure with one superparent.

        Parameters
        ----------
        statistics : SufficientStatistics

        Returns
        -------
        Structure
            Of the class alone where every column was left out.

        Raises
        ------
        StructureError
            If the superparent is no attribute.
        """
        information = Information(statistics)
        if self.superparent is None and not statistics.schema.attributes:
            return augmented_naive_bayes(information, {})
        if self.superparent is None:
            return _spode(information, int(quantise(information.with_class).argmax()))
        place = attribute_place(statistics.schema, self.superparent, "superparent")
        return _spode(information, place)

    def learn_all(self, statistics: SufficientStatistics) -> tuple[Structure, ...]:
        """Return one structure for every attribute as the superparent, in column order.

        Parameters
        ----------
        statistics : SufficientStatistics

        Returns
        -------
        tuple of Structure
        """
        information = Information(statistics)
        return tuple(_spode(information, j) for j in range(len(statistics.schema.attributes)))


def _spode(information: Information, superparent: int) -> Structure:
    n = len(information.statistics.schema.attributes)
    parents = {i: [superparent] for i in range(n) if i != superparent}
    return augmented_naive_bayes(information, parents, superparent)
