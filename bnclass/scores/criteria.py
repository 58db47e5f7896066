"""The two criteria of the k-dependence spanning tree [KST], on integer measures."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bnclass.scores.dependence import Dependences

Ints = npt.NDArray[np.int64]


def maximum_correlation(dependences: Dependences) -> Ints:
    """Return C(i) = Σ_{j≠i} I(X_i; X_j | Y) of every attribute ([KST], eq. 8).

    The attribute with the largest C comes first in the order of the spanning tree.

    Parameters
    ----------
    dependences : Dependences
        Of all rows, or of one row's values.

    Returns
    -------
    ndarray of shape (m,), int64
        In units of 2⁻⁴⁰ nats, sums of integers: equal sums are equal.

    Examples
    --------
    >>> from bnclass import SufficientStatistics, TableEncoder, load_dataset
    >>> from bnclass.scores.criteria import maximum_correlation
    >>> from bnclass.scores.dependence import Dependences
    >>> table = TableEncoder().fit_transform(*load_dataset("monks-1"))
    >>> dependences = Dependences.from_statistics(SufficientStatistics.from_table(table))
    >>> (maximum_correlation(dependences) / 2**40).round(3)  # a1 and a2 stand out
    array([0.318, 0.318, 0.   , 0.   , 0.   , 0.   ])
    """
    correlation: Ints = dependences.pairs.sum(axis=1)
    return correlation


def minimum_dependence(
    dependences: Dependences, child: int, candidates: Sequence[int], parents: Sequence[int] = ()
) -> Ints:
    """Return D of every candidate for the next parent of an attribute ([KST], eq. 11).

    D(j) = Σ_{l∈R∖{j}} [ I(X_i; X_l | Y) + Σ_{p∈Π∪{j}} I(X_i; X_l | X_p) ] is what the child
    i would still share with the other candidates R, given the parents Π and j. The
    candidate with the smallest D is the best. By default I(X_i; X_l | X_p, Y) takes the
    place of the last term, as `dependences` holds it.

    Parameters
    ----------
    dependences : Dependences
        Of all rows, or of one row's values.
    child : int
        Place of i among `dependences.attributes`, as all that follow.
    candidates : sequence of int
        R.
    parents : sequence of int, optional
        Π, the parents chosen so far.

    Returns
    -------
    ndarray of shape (len(candidates),), int64
        In units of 2⁻⁴⁰ nats, sums of integers: equal sums are equal.

    Examples
    --------
    >>> from bnclass import SufficientStatistics, TableEncoder, load_dataset
    >>> from bnclass.scores.criteria import minimum_dependence
    >>> from bnclass.scores.dependence import Dependences
    >>> table = TableEncoder().fit_transform(*load_dataset("monks-1"))
    >>> dependences = Dependences.from_statistics(SufficientStatistics.from_table(table))
    >>> (minimum_dependence(dependences, 1, [0, 2, 3]) / 2**40).round(3)  # a1 explains a2
    array([0.   , 0.637, 0.637])
    """
    pairs, triples = dependences.pairs[child], dependences.triples[:, child]
    # Row j: what the child shares with each candidate, given the parents and j.
    shared = (
        pairs[candidates]
        + triples[np.ix_(parents, candidates)].sum(axis=0)
        + triples[np.ix_(candidates, candidates)]
    )
    dependence: Ints = shared.sum(axis=1) - shared.diagonal()
    return dependence
