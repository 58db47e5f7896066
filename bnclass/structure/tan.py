"""Tree-augmented naive Bayes [TAN]."""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bnclass.scores.information import Information, quantise
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.structure.base import (
    StructureLearner,
    augmented_naive_bayes,
    possible_superparents,
    superparent_place,
)
from bnclass.structure.dag import Structure


@dataclass(frozen=True)
class TANLearner(StructureLearner):
    """TAN: the maximum spanning tree on I(X_i; X_j | Y), directed away from a root.

    Edges of weight zero stay in the tree and show the weight 0. Discrete attributes join
    the tree before continuous ones, so that none gets a continuous parent.

    Parameters
    ----------
    root : hashable, optional
        Name of the root attribute; by default the first column, the first discrete one
        where there are discrete attributes.

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
            If the root is the class or no column, or continuous beside discrete attributes.
        """
        schema, information = statistics.schema, Information(statistics)
        root = next(iter(possible_superparents(schema)), 0)
        if self.root is not None:
            root = superparent_place(schema, self.root, "root")
        late = np.array([v.is_continuous for v in schema.attributes], dtype=np.bool_)
        tree = maximum_spanning_tree(quantise(information.given_class), root, late)
        return augmented_naive_bayes(information, {child: [p] for child, p in tree.items()})


def maximum_spanning_tree(
    weights: npt.NDArray[np.int64], root: int, late: npt.NDArray[np.bool_]
) -> dict[int, int]:
    """Return the parent of every node but the root, by Prim's algorithm from the root.

    The heaviest edge into the tree is taken next; of equal ones the child with the lower
    index, then the parent with the lower index.

    Parameters
    ----------
    weights : ndarray of shape (n_nodes, n_nodes), int64
        Symmetric.
    root : int
    late : ndarray of shape (n_nodes,), bool
        Nodes that join only once all others have.

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
    best = weights[root].copy()
    tree: dict[int, int] = {}
    for _ in range(n - 1):
        early = outside & ~late
        candidates = early if early.any() else outside
        child = int(np.where(candidates, best, -1).argmax())
        tree[child] = int(parent[child])
        outside[child] = False
        closer = (weights[child] > best) | ((weights[child] == best) & (child < parent))
        parent[closer], best[closer] = child, weights[child][closer]
    return tree
