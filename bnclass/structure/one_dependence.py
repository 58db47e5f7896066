"""Naive Bayes and the superparent one-dependence family."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import ClassVar

from bnclass.scores.information import Information, quantise
from bnclass.statistics.moments import Order
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.structure.base import (
    StructureLearner,
    augmented_naive_bayes,
    possible_superparents,
    superparent_place,
)
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
        column on ties. Where there are discrete attributes, it is one of them: a discrete
        node never has a continuous parent.

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
            If the superparent is no attribute, or continuous beside discrete attributes.
        """
        information, schema = Information(statistics), statistics.schema
        if self.superparent is not None:
            return _spode(information, superparent_place(schema, self.superparent, "superparent"))
        if not schema.attributes:
            return augmented_naive_bayes(information, {})
        possible = possible_superparents(schema)
        return _spode(information, possible[quantise(information.with_class[possible]).argmax()])

    def learn_all(self, statistics: SufficientStatistics) -> tuple[Structure, ...]:
        """Return one structure for every possible superparent, in column order.

        A discretised view is one for all columns but its own.

        Parameters
        ----------
        statistics : SufficientStatistics

        Returns
        -------
        tuple of Structure
        """
        information = Information(statistics)
        return tuple(_spode(information, j) for j in possible_superparents(statistics.schema))


def _spode(information: Information, superparent: int) -> Structure:
    attributes = information.statistics.schema.attributes
    own = attributes[superparent].column
    children = [i for i, v in enumerate(attributes) if not v.is_view and v.column != own]
    return augmented_naive_bayes(information, {i: [superparent] for i in children}, superparent)
