"""Tree-augmented naive Bayes [TAN]."""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bnclass.scores.information import Information, quantise
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.structure.base import StructureLearner, attribute_place, augmented_naive_bayes
from bnclass.structure.dag import Structure


@dataclass(frozen=True)
class TANLearner(StructureLearner):
    """TAN: the maximum spanning tree on I(X_i; X_j | Y), directed away from a root.

    Edges of weight zero stay in the tree and show the weight 0.

    Parameters
    ----------
    root : hashable, optional
        Name of the root attribute; by default the first column.

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
            If the root is the class or no column.
        """
        root = 0
        if self.root is not None:
            root = attribute_place(statistics.schema, self.root, "root")
        information = Information(statistics)
        tree = maximum_spanning_tree(quantise(information.given_class), root)
        return augmented_naive_bayes(information, {child: [p] for child, p in tree.items()})


def maximum_spanning_tree(weights: npt.NDArray[np.int64], root: int) -> dict[int, int]:
    """Return the parent of every node but the root, by Prim's algorithm from the root.

    The heaviest edge into the tree is taken next; of equal ones the child with the lower
    index, then the parent with the lower index.

    Parameters
    ----------
    weights : ndarray of shape (n_nodes, n_nodes), int64
        Symmetric.
    root : int

    Returns
    -------
    dict of int to int

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.structure.tan import maximum_spanning_tree
    >>> maximum_spanning_tree(np.array([[0, 1, 5], [1, 0, 3], [5, 3, 0]]), 0)
    {2: 0, 1: 2}
    """
    n = len(weights)
    if n == 0:
        return {}
    outside, parent = np.full(n, True), np.full(n, root)
    outside[root] = False
    best = weights[root].copy()
    tree: dict[int, int] = {}
    for _ in range(n - 1):
        child = int(np.where(outside, best, -1).argmax())
        tree[child] = int(parent[child])
        outside[child] = False
        closer = (weights[child] > best) | ((weights[child] == best) & (child < parent))
        parent[closer], best[closer] = child, weights[child][closer]
    return tree
