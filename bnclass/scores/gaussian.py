"""Information measures of numbers, from moments alone, in nats.

Variances are maximum-likelihood ones, at least the attribute's floor (resolution / 6)². What
involves a constant attribute is 0.
"""

import numpy as np
import numpy.typing as npt

from bnclass.data.weights import reaches
from bnclass.statistics.family import FEWEST_ROWS, FamilyMoments
from bnclass.statistics.sufficient import SufficientStatistics

Floats = npt.NDArray[np.float64]

_LEAST_INDEPENDENCE = 1e-12


def gaussian_information_with_class(statistics: SufficientStatistics) -> Floats:
    """Return I(X; Y) = ½ ln σ² - ½ Σ_y P(y) ln σ²_y of every continuous attribute [PLI].

    Parameters
    ----------
    statistics : SufficientStatistics
        With continuous attributes.

    Returns
    -------
    ndarray of shape (n_continuous,), float64
        At least 0, in nats.

    References
    ----------
    Pérez, Larrañaga, Inza, IJAR 43 (2006).

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import SufficientStatistics, TableEncoder
    >>> from bnclass.scores.gaussian import gaussian_information_with_class
    >>> frame = pd.DataFrame({"x": [1.0, 3.0, 5.0, 7.0]})  # variances 5 in all, 1 by class
    >>> table = TableEncoder(continuous="gaussian").fit_transform(frame, [0, 0, 1, 1])
    >>> gaussian_information_with_class(SufficientStatistics.from_table(table))  # ½ ln 5
    array([0.80471896])
    """
    assert statistics.moments is not None
    floors, singles = floors_of(statistics), statistics.moments.singles
    left = _variances(singles, floors) / _variances(singles.collapse([0]), floors)
    return np.maximum(-0.5 * _weighted_mean(np.log(left), singles.n), 0.0)


def gaussian_cmi_matrix(statistics: SufficientStatistics) -> Floats:
    """Return I(X; Z | Y) = -½ Σ_y P(y) ln(1 - ρ²_y) of every pair of continuous attributes.

    1 - ρ²_y is at least the share of a floor in its variance, and 1e-12; classes of fewer
    than two rows have ρ_y = 0.

    Parameters
    ----------
    statistics : SufficientStatistics
        With continuous attributes and moments of pairs.

    Returns
    -------
    ndarray of shape (n_continuous, n_continuous), float64
        Symmetric, in nats; the diagonal is 0.

    Raises
    ------
    DataError
        If moments of pairs were not taken.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import SufficientStatistics, TableEncoder
    >>> from bnclass.scores.gaussian import gaussian_cmi_matrix
    >>> frame = pd.DataFrame({"x": [0.0, 1, 2, 3], "z": [1.0, 0, 3, 2]})  # ρ = 0.6
    >>> table = TableEncoder(continuous="gaussian").fit_transform(frame, [0] * 4)
    >>> gaussian_cmi_matrix(SufficientStatistics.from_table(table)).round(6)  # -½ ln 0.64
    array([[0.      , 0.223144],
           [0.223144, 0.      ]])
    """
    assert statistics.moments is not None
    pairs, floors = statistics.moments.all_pairs, floors_of(statistics)
    own, other, cross = (pairs.scatter[..., a, b] for a, b in ((0, 0), (1, 1), (0, 1)))
    matrix = information_of(independence(pairs.n, own, other, cross, floors), pairs.n)
    lower = np.tril(matrix, -1)
    return lower + lower.T


def independence(n: Floats, own: Floats, other: Floats, cross: Floats, floors: Floats) -> Floats:
    """Return 1 - ρ² of pairs of numbers within its bounds, 1 where there is no telling.

    It is at least the share of a floor in its variance, at least 1e-12, and at most 1. There
    is no telling from fewer than two rows, or without variance.

    Parameters
    ----------
    n : ndarray of shape (n_groups, n_columns, n_columns), float64
        Weights.
    own, other, cross : ndarray of shape (n_groups, n_columns, n_columns), float64
        Centred sums of squares of i and of j, and of products, at [y, i, j].
    floors : ndarray of shape (n_columns,), float64

    Returns
    -------
    ndarray of shape (n_groups, n_columns, n_columns), float64

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.scores.gaussian import independence
    >>> n, square, product = np.full((1, 1, 1), 2.0), np.ones((1, 1, 1)), np.full((1, 1, 1), 0.6)
    >>> independence(n, square, square, product, np.array([0.01])).item()
    0.64
    """
    usable = reaches(n, FEWEST_ROWS) & (own > 0) & (other > 0)
    slopes = [cross / np.where(usable, variance, 1.0) for variance in (own, other)]
    left = np.where(usable, 1.0 - slopes[0] * slopes[1], 1.0)
    least = np.maximum(
        _share(floors[:, np.newaxis] * n, own, usable), _share(floors * n, other, usable)
    )
    return np.clip(left, np.maximum(least, _LEAST_INDEPENDENCE), 1.0)


def information_of(left: Floats, n: Floats) -> Floats:
    """Return -½ Σ_y P(y) ln(1 - ρ²_y).

    Parameters
    ----------
    left : ndarray of shape (n_groups, ...), float64
        1 - ρ², as `independence` returns it.
    n : ndarray of shape (n_groups, ...), float64
        Weights.

    Returns
    -------
    ndarray of shape (...), float64
        At least 0, in nats; 0 where there is no weight.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.scores.gaussian import information_of
    >>> information_of(np.array([0.64, 1.0]), np.array([2.0, 2.0])).round(6)
    np.float64(0.111572)
    """
    return np.maximum(-0.5 * _weighted_mean(np.log(left), n), 0.0)


def mixed_cmi(statistics: SufficientStatistics, values: slice) -> Floats:
    """Return I(X; D | Y) of a discrete attribute D and every continuous attribute X.

    ½ Σ_y P(y) ln σ²_y - ½ Σ_{y,d} P(y,d) ln σ²_{y,d}; a cell of fewer than two rows has the
    variance of its class.

    Parameters
    ----------
    statistics : SufficientStatistics
        With continuous attributes and moments of cells.
    values : slice
        The discrete attribute's values among those of all attributes.

    Returns
    -------
    ndarray of shape (n_continuous,), float64
        At least 0, in nats.

    Raises
    ------
    DataError
        If moments of cells were not taken.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import SufficientStatistics, TableEncoder
    >>> from bnclass.scores.gaussian import mixed_cmi
    >>> frame = pd.DataFrame({"x": [1.0, 3.0, 5.0, 7.0], "d": ["u", "u", "v", "v"]})
    >>> table = TableEncoder(continuous="gaussian").fit_transform(frame, [0] * 4)
    >>> mixed_cmi(SufficientStatistics.from_table(table), slice(0, 2))  # ½ ln 5
    array([0.80471896])
    """
    assert statistics.moments is not None
    floors, cells = floors_of(statistics), statistics.moments.all_cells(values)
    by_class = _variances(cells.collapse([1]), floors)[:, np.newaxis]
    few = ~reaches(cells.n, FEWEST_ROWS)
    left = np.where(few, 1.0, _variances(cells, floors) / by_class)
    n_numbers = len(floors)
    mean = _weighted_mean(np.log(left).reshape(-1, n_numbers), cells.n.reshape(-1, n_numbers))
    return np.maximum(-0.5 * mean, 0.0)


def floors_of(statistics: SufficientStatistics) -> Floats:
    """Return the variance floors of all continuous attributes, 0 for constants.

    Parameters
    ----------
    statistics : SufficientStatistics

    Returns
    -------
    ndarray of shape (n_continuous,), float64
    """
    return np.array([d.floor for d in statistics.distinct])


def _variances(moments: FamilyMoments, floors: Floats) -> Floats:
    """Return max(σ², floor) of single numbers on the last axis, 1 for constants.

    The measures take logarithms of quotients of these, which know no units.
    """
    variances: Floats = np.maximum(moments.covariance[..., 0, 0], floors)
    return np.where(floors > 0, variances, 1.0)


def _weighted_mean(terms: Floats, n: Floats) -> Floats:
    """Return Σ n terms / Σ n along the first axis, 0 where there is no weight."""
    total = n.sum(axis=0)
    mean: Floats = (n * terms).sum(axis=0) / np.where(total > 0, total, 1.0)
    return mean


def _share(part: Floats, whole: Floats, usable: npt.NDArray[np.bool_]) -> Floats:
    share: Floats = np.where(usable, part, 1.0) / np.where(usable, whole, 1.0)
    return np.minimum(share, 1.0)
