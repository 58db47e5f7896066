"""Tree-augmented naive Bayes [TAN]."""

from collections.abc import Hashable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from bnclass.data.variables import Schema
from bnclass.exceptions import StructureError, warn
from bnclass.scores.information import Information, quantise
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.structure.arborescence import maximum_branching
from bnclass.structure.arc_rules import ArcRules, arc_rules
from bnclass.structure.base import (
    StructureLearner,
    augmented_naive_bayes,
    possible_superparents,
    require_room_for_arcs,
    superparent_place,
)
from bnclass.structure.constraints import Constraints
from bnclass.structure.dag import Structure

_NO_EDGE = -1  # below every weight


@dataclass(frozen=True)
class TANLearner(StructureLearner):
    """TAN: the maximum spanning tree on I(X_i; X_j | Y), directed away from a root.

    Edges of weight zero stay in the tree and show the weight 0. Discrete attributes join
    the tree before continuous ones, so that none gets a continuous parent.

    Parameters
    ----------
    root : hashable, optional
        Name of the root attribute; by default the first column, the first discrete one
        where there are discrete attributes, that no constraint gives a parent.
    constraints : Constraints, optional
        The tree is the heaviest of those that keep them; a forest where they leave no tree.
        It is the tree of the pairs that may be joined if that one keeps them, and otherwise
        found by `maximum_branching`, whose ties decide, and whose root is free unless given.

    References
    ----------
    Friedman, Geiger, Goldszmidt, Bayesian Network Classifiers, Machine Learning 29
    (1997), section 4.

    Examples
    --------
    >>> from bnclass import SufficientStatistics, TableEncoder, TANLearner, load_dataset
    >>> table = TableEncoder().fit_transform(*load_dataset("iris"))
    >>> tan = TANLearner().learn(SufficientStatistics.from_table(table))
    >>> tan.parents("petal width (cm)")
    ('class', 'petal length (cm)')
    """

    root: Hashable | None = None
    constraints: Constraints | None = None

    def learn(self, statistics: SufficientStatistics) -> Structure:
        """Return the tree-augmented structure.

        Parameters
        ----------
        statistics : SufficientStatistics

        Returns
        -------
        Structure

        Raises
        ------
        StructureError
            If the root is the class or no column, or continuous beside discrete attributes;
            if the constraints contradict it, do not fit the columns, or require two
            attribute parents of one attribute.
        """
        schema, information = statistics.schema, Information(statistics)
        rules = arc_rules(self._constraints_with_root(schema), schema, limit=1)
        tree = _tree(information, rules)
        _warn_of_forest(schema, tree, rules)
        return _structure(information, tree)

    def learn_all(self, statistics: SufficientStatistics) -> tuple[Structure, ...]:
        """Return the trees from all roots, in column order; see `learn_by_root`.

        Parameters
        ----------
        statistics : SufficientStatistics

        Returns
        -------
        tuple of Structure

        Raises
        ------
        StructureError
            If the constraints do not fit the columns.
        """
        return tuple(self.learn_by_root(statistics).values())

    def learn_by_root(self, statistics: SufficientStatistics) -> dict[Hashable, Structure]:
        """Return the tree from every attribute that may be its root [ATAN].

        Those are the discrete attributes where there are some; the learner's own root is not
        looked at. Of roots that leave fewer attributes a parent than others, as constraints
        can, none is among them.

        Parameters
        ----------
        statistics : SufficientStatistics

        Returns
        -------
        dict of hashable to Structure
            By the root's name, in column order.

        Raises
        ------
        StructureError
            If the constraints do not fit the columns.

        Examples
        --------
        >>> from bnclass import SufficientStatistics, TableEncoder, TANLearner, load_dataset
        >>> table = TableEncoder().fit_transform(*load_dataset("iris"))
        >>> trees = TANLearner().learn_by_root(SufficientStatistics.from_table(table))
        >>> trees["petal width (cm)"].parents("petal length (cm)")
        ('class', 'petal width (cm)')
        """
        schema, information = statistics.schema, Information(statistics)
        rules = arc_rules(self.constraints, schema, limit=1)
        roots = _possible_roots(schema, rules)
        n_arcs = 2 * len(roots) * len(schema.attributes)
        require_room_for_arcs(n_arcs, f"trees from each of {len(roots)} roots")
        own = Constraints() if self.constraints is None else self.constraints
        trees = {
            i: _tree(information, arc_rules(replace(own, root=schema.names[i]), schema, limit=1))
            for i in roots
        }
        most = max(map(len, trees.values()), default=0)
        best = {i: tree for i, tree in trees.items() if len(tree) == most}
        for tree in list(best.values())[:1]:  # one warning for all
            _warn_of_forest(schema, tree, rules)
        return {schema.names[i]: _structure(information, tree) for i, tree in best.items()}

    def _constraints_with_root(self, schema: Schema) -> Constraints | None:
        """Return the constraints, the learner's own root among them."""
        given = Constraints() if self.constraints is None else self.constraints
        if self.root is None or not isinstance(given, Constraints):
            return self.constraints
        superparent_place(schema, self.root, "root")
        if given.root not in (None, self.root):
            raise StructureError(f"root is {self.root!r}, and {given.root!r} in the constraints")
        return replace(given, root=self.root)


def _tree(information: Information, rules: ArcRules) -> dict[int, int]:
    schema = information.statistics.schema
    root = next(iter(_possible_roots(schema, rules)), 0)
    late = np.array([v.is_continuous for v in schema.attributes], dtype=np.bool_)
    return _best_tree(quantise(information.given_class), root, late, rules)


def _structure(information: Information, tree: dict[int, int]) -> Structure:
    return augmented_naive_bayes(information, {child: [p] for child, p in tree.items()})


def _possible_roots(schema: Schema, rules: ArcRules) -> list[int]:
    """Return the places of the root that is given, or of all that may be one."""
    if rules.root is not None:
        return [superparent_place(schema, schema.names[rules.root], "root")]
    return [i for i in possible_superparents(schema) if i not in rules.required]


def _best_tree(
    weights: npt.NDArray[np.int64], root: int, late: npt.NDArray[np.bool_], rules: ArcRules
) -> dict[int, int]:
    """Return the parents in the heaviest tree or forest that keeps the rules.

    A tree from arcs that are allowed in one direction at least is as heavy as any that keeps
    the rules; so if it keeps them itself, it is the one.
    """
    allowed = rules.allowed
    tree = maximum_spanning_tree(weights, root, late, allowed | allowed.T)
    if all(allowed[parent, child] for child, parent in tree.items()) and all(
        child in tree for child in rules.required
    ):
        return tree
    free = np.array([i not in rules.required for i in range(len(weights))], dtype=np.bool_)
    return maximum_branching(weights, allowed, free)


def _warn_of_forest(schema: Schema, tree: dict[int, int], rules: ArcRules) -> None:
    roots = [name for i, name in enumerate(schema.names) if i not in tree]
    if len(roots) > 1 and rules.max_parents != 0:
        warn(f"the constraints leave no single tree: {roots!r} are roots of trees of their own")


def maximum_spanning_tree(
    weights: npt.NDArray[np.int64],
    root: int,
    late: npt.NDArray[np.bool_],
    joined: npt.NDArray[np.bool_] | None = None,
) -> dict[int, int]:
    """Return the parent of every node but the root, by Prim's algorithm from the root.

    The heaviest edge into the tree is taken next; of equal ones the child with the lower
    index, then the parent with the lower index. Where no edge leads on, the first node
    outside is the root of a tree of its own.

    Parameters
    ----------
    weights : ndarray of shape (n_nodes, n_nodes), int64
        Symmetric.
    root : int
    late : ndarray of shape (n_nodes,), bool
        Nodes that join only once all others have.
    joined : ndarray of shape (n_nodes, n_nodes), bool, optional
        Symmetric; which edges there are. By default all.

    Returns
    -------
    dict of int to int

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.structure.tan import maximum_spanning_tree
    >>> weights = np.array([[0, 1, 5], [1, 0, 3], [5, 3, 0]])
    >>> maximum_spanning_tree(weights, 0, np.array([False, False, False]))
    {2: 0, 1: 2}
    >>> maximum_spanning_tree(weights, 0, np.array([False, False, True]))
    {1: 0, 2: 0}
    """
    n = len(weights)
    if n == 0:
        return {}
    outside, parent = np.full(n, True), np.full(n, root)
    outside[root] = False
    if joined is not None:
        weights = np.where(joined, weights, _NO_EDGE)
    best = weights[root].copy()
    tree: dict[int, int] = {}
    for _ in range(n - 1):
        early = outside & ~late
        candidates = early if early.any() else outside
        child = int(np.where(candidates, best, _NO_EDGE - 1).argmax())
        if best[child] > _NO_EDGE:
            tree[child] = int(parent[child])
        outside[child] = False
        closer = (weights[child] > best) | ((weights[child] == best) & (child < parent))
        parent[closer], best[closer] = child, weights[child][closer]
    return tree
