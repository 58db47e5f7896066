"""Partial correlations: what a third number leaves of the dependence between two."""

from typing import NamedTuple

import numpy as np

from bnclass.data.memory import require_memory
from bnclass.scores.gaussian import floors_of, independence, information_of
from bnclass.statistics.family import Floats, ratio
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.statistics.triple_moments import TripleMoments


class Regressions(NamedTuple):
    """Of all attributes i on one attribute p, in the rows of each mask in which both are seen."""

    slope: Floats
    """b at [mask, group, i]."""
    left: Floats
    """Centred sum of squares of the residuals at [mask, group, i]."""


class Residuals(NamedTuple):
    """What one attribute p leaves of every two others i and l, at [group, i, l]."""

    n: Floats
    """Weight of the rows in which the three are observed."""
    cross: Floats
    """Centred sum of products of the residuals."""
    independence: Floats
    """1 - ρ² of the partial correlation, within its bounds; 1 where two of the three are the
    same."""


def regressions_on(triples: TripleMoments, floors: Floats, p: int) -> Regressions:
    """Regress every attribute on one of them: b = s_ip / max(s_pp, floor_p), 0 for a constant p.

    Parameters
    ----------
    triples : TripleMoments
    floors : ndarray of shape (n,), float64
    p : int

    Returns
    -------
    Regressions

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import SufficientStatistics, TableEncoder
    >>> from bnclass.scores.gaussian import floors_of
    >>> from bnclass.scores.gaussian_triples import regressions_on
    >>> from bnclass.statistics.triple_moments import TripleMoments
    >>> frame = pd.DataFrame({"x": [0.0, 1, 2], "z": [0.0, 4, 2]})
    >>> table = TableEncoder(continuous="gaussian").fit_transform(frame, [0, 0, 0])
    >>> statistics = SufficientStatistics.from_table(table)
    >>> triples = TripleMoments.from_statistics(statistics)
    >>> found = regressions_on(triples, floors_of(statistics), 0)
    >>> found.slope, found.left  # z = 2 + (x - 1), and 8 - 2 is left
    (array([[[1., 1.]]]), array([[[0., 6.]]]))
    """
    n, scatter = triples.pairs.n[..., p], triples.pairs.scatter[..., p, :, :]
    own, cross, parent = (scatter[..., a, b] for a, b in ((0, 0), (0, 1), (1, 1)))
    slope = ratio(cross, np.maximum(parent, n * floors[p]))
    return Regressions(slope, own - slope * cross)


def residuals_given(triples: TripleMoments, floors: Floats, p: int) -> Residuals:
    """Return what is left of every two attributes, given a third.

    Parameters
    ----------
    triples : TripleMoments
    floors : ndarray of shape (n,), float64
    p : int

    Returns
    -------
    Residuals
    """
    slope, left = (_by_other(a, triples) for a in regressions_on(triples, floors, p))
    with_p = _by_other(triples.pairs.scatter[..., p, 0, 1], triples)
    of_pairs = triples.pairs.at(triples.masks[p])
    explained = slope * with_p.swapaxes(1, 2)
    # Both halves are s_ip s_lp / s_pp: their mean is symmetric to the bit.
    cross = of_pairs.scatter[..., 0, 1] - (explained + explained.swapaxes(1, 2)) / 2
    found = independence(of_pairs.n, left, left.swapaxes(1, 2), cross, floors)
    found[:, p, :] = found[:, :, p] = 1.0
    found[:, np.eye(len(floors), dtype=np.bool_)] = 1.0
    return Residuals(of_pairs.n, cross, found)


def _by_other(of_masks: Floats, triples: TripleMoments) -> Floats:
    """Return [group, i, l] from [mask, group, i], in the rows in which l is observed."""
    return np.moveaxis(of_masks[triples.masks], 0, -1)


def gaussian_triples(statistics: SufficientStatistics, by_class: bool = True) -> Floats:
    """Return I(X_i; X_l | X_p, Y) = -½ Σ_y P(y) ln(1 - ρ²_y) of all triples of numbers.

    ρ_y is the partial correlation of X_i and X_l given X_p within class y, over the rows in
    which the three are observed. 1 - ρ²_y is bounded as that of pairs, the residuals'
    variances in the place of the variances.

    Parameters
    ----------
    statistics : SufficientStatistics
        All attributes continuous.
    by_class : bool, default=True
        Otherwise I(X_i; X_l | X_p), from one normal of all rows.

    Returns
    -------
    ndarray of shape (n, n, n), float64
        At [p, i, l], in nats; 0 where two of them are the same.

    Raises
    ------
    DataError
        If moments of pairs were not taken, or rows are needed and not here.
    MemoryLimitError
        If the measures would not fit.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import SufficientStatistics, TableEncoder
    >>> from bnclass.scores.gaussian_triples import gaussian_triples
    >>> frame = pd.DataFrame({"x": [0.0, 0, 1, 1], "z": [0.0, 1, 0, 1], "v": [0.0, 1, 1, 3]})
    >>> table = TableEncoder(continuous="gaussian").fit_transform(frame, [0] * 4)
    >>> statistics = SufficientStatistics.from_table(table)
    >>> gaussian_triples(statistics)[2].round(6)  # x and z are dependent given v
    array([[0.      , 0.777685, 0.      ],
           [0.777685, 0.      , 0.      ],
           [0.      , 0.      , 0.      ]])
    """
    n = len(statistics.schema.attributes)
    require_memory(n**3, f"dependences of all triples of {n} attributes")
    triples, floors = TripleMoments.from_statistics(statistics, by_class), floors_of(statistics)
    measures = np.zeros((n, n, n))
    for p in range(n):
        residuals = residuals_given(triples, floors, p)
        measures[p] = information_of(residuals.independence, residuals.n)
    return measures
