"""Naive Bayes and the superparent one-dependence family."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bnclass.data.variables import Schema
from bnclass.exceptions import StructureError
from bnclass.scores.information import Information, quantise
from bnclass.statistics.moments import Order
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.structure.arc_rules import ArcRules, arc_rules
from bnclass.structure.base import (
    StructureLearner,
    augmented_naive_bayes,
    possible_superparents,
    require_room_for_arcs,
    superparent_place,
)
from bnclass.structure.constraints import Constraints, shown_arcs
from bnclass.structure.dag import Structure


@dataclass(frozen=True)
class NaiveBayesLearner(StructureLearner):
    """Naive Bayes: the class points at every attribute, and there is no other arc.

    Parameters
    ----------
    constraints : Constraints, optional
        Those of required arcs are refused, others have no effect.

    Examples
    --------
    >>> from bnclass import NaiveBayesLearner, SufficientStatistics, TableEncoder, load_dataset
    >>> table = TableEncoder().fit_transform(*load_dataset("monks-1"))
    >>> NaiveBayesLearner().learn(SufficientStatistics.from_table(table))
    Structure(class_node='class', nodes=7, arcs=6)
    """

    order: ClassVar[Order] = 1

    constraints: Constraints | None = None

    def learn(self, statistics: SufficientStatistics) -> Structure:
        """Return the naive Bayes structure.

        Parameters
        ----------
        statistics : SufficientStatistics

        Returns
        -------
        Structure

        Raises
        ------
        StructureError
            If the constraints require an arc, or do not fit the columns.
        """
        arc_rules(self.constraints, statistics.schema, limit=0)
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
    constraints : Constraints, optional
        Required arcs must all start at the superparent, and decide which it is by default.
        Arcs that may not be are left out.

    Examples
    --------
    >>> from bnclass import SPODELearner, SufficientStatistics, TableEncoder, load_dataset
    >>> table = TableEncoder().fit_transform(*load_dataset("monks-1"))
    >>> SPODELearner().learn(SufficientStatistics.from_table(table)).joint_family
    ('class', 'a5')
    """

    superparent: Hashable | None = None
    constraints: Constraints | None = None

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
            If the superparent is no attribute, or continuous beside discrete attributes; if
            the constraints do not fit the columns, or require arcs from another attribute.
        """
        information, schema = Information(statistics), statistics.schema
        rules = arc_rules(self.constraints, schema, limit=1)
        superparent = self._superparent(schema, rules)
        if superparent is not None:
            return _spode(information, superparent, rules)
        if not schema.attributes:
            return augmented_naive_bayes(information, {})
        possible = possible_superparents(schema)
        best = possible[quantise(information.with_class[possible]).argmax()]
        return _spode(information, best, rules)

    def _superparent(self, schema: Schema, rules: ArcRules) -> int | None:
        """Return the place of the superparent that is given, or that required arcs start at."""
        place = None
        if self.superparent is not None:
            place = superparent_place(schema, self.superparent, "superparent")
        possible = possible_superparents(schema)
        for (start,) in rules.required.values():
            if start not in possible or place not in (None, start):
                expected = possible if place is None else [place]
                raise StructureError(
                    f"required arcs {self._required_arcs()} do not all start at a superparent, "
                    f"expected one of {[schema.names[i] for i in expected]!r}"
                )
            place = start
        return place

    def _required_arcs(self) -> str:
        return shown_arcs(self.constraints.required if self.constraints else ())

    def learn_all(self, statistics: SufficientStatistics) -> tuple[Structure, ...]:
        """Return one structure for every possible superparent, in column order.

        A discretised view is one for all columns but its own.

        Parameters
        ----------
        statistics : SufficientStatistics

        Returns
        -------
        tuple of Structure

        Raises
        ------
        StructureError
            If the constraints do not fit the columns, or require arcs: every structure but
            one would lack them.
        """
        information, schema = Information(statistics), statistics.schema
        possible = possible_superparents(schema)
        n_arcs = 2 * len(possible) * len(schema.attributes)
        require_room_for_arcs(n_arcs, f"networks under each of {len(possible)} superparents")
        rules = arc_rules(self.constraints, schema, limit=1)
        if rules.required:
            raise StructureError(
                f"required arcs {self._required_arcs()}: only one of the superparents has them, "
                f"expected none for structures of all superparents"
            )
        return tuple(_spode(information, j, rules) for j in possible)


def _spode(information: Information, superparent: int, rules: ArcRules) -> Structure:
    children = np.flatnonzero(rules.allowed[superparent]).tolist()
    return augmented_naive_bayes(information, {i: [superparent] for i in children}, superparent)
