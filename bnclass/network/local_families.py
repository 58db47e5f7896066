"""The densities of the families that rows of numbers meet, each estimated once."""

import numpy as np
import numpy.typing as npt

from bnclass.factors.estimation import class_families
from bnclass.factors.linear_gaussian import log_height
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.statistics.triple_moments import TripleMoments

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_ABSENT = -1
_MOST_KEPT = 2**18


class FamilyDensities:
    """Normal densities by class, linear in the numbers of parents, as a loop over rows reads them.

    Parameters
    ----------
    statistics : SufficientStatistics
        All attributes continuous.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass import SufficientStatistics, TableEncoder, load_dataset
    >>> from bnclass.network.local_families import FamilyDensities
    >>> table = TableEncoder(continuous="gaussian").fit_transform(*load_dataset("iris"))
    >>> families = FamilyDensities(SufficientStatistics.from_table(table))
    >>> places, densities = families.of(np.array([[0, -1], [1, 0], [0, -1]]))
    >>> places, densities.shape  # log density at the mean, half precision, intercept, slope
    (array([0, 1, 0]), (2, 3, 4))
    """

    def __init__(self, statistics: SufficientStatistics) -> None:
        self.statistics = statistics
        self._triples = TripleMoments.from_statistics(statistics)
        self._kept: dict[tuple[int, ...], Floats] = {}

    def of(self, families: Ints) -> tuple[Ints, Floats]:
        """Return the place of each family among the distinct ones, and their densities.

        Parameters
        ----------
        families : ndarray of shape (n_families, 1 + n_slots), int64
            Places of the child and its parents among the attributes, -1 after the last one.

        Returns
        -------
        places : ndarray of shape (n_families,), int64
        densities : ndarray of shape (n_distinct, n_classes, 3 + n_slots), float64
            Log of the density at the mean, half of the precision, intercept, coefficients.
        """
        n_slots, n_classes = families.shape[1] - 1, len(self.statistics.class_counts)
        first, places = _distinct(families, len(self.statistics.schema.attributes))
        keys = [tuple(family) for family in families[first].tolist()]
        kept = self._kept  # another thread may put others there at any time
        estimated = self._estimated([key for key in keys if key not in kept])
        everything = {**kept, **estimated}
        self._kept = everything if len(everything) <= _MOST_KEPT else estimated
        densities = np.empty((len(keys), n_classes, 3 + n_slots))
        for place, key in enumerate(keys):
            densities[place] = everything[key]
        return places, densities

    def _estimated(self, keys: list[tuple[int, ...]]) -> dict[tuple[int, ...], Floats]:
        """Estimate families, those of one size at a time."""
        by_size: dict[int, list[tuple[int, ...]]] = {}
        for key in keys:
            by_size.setdefault(sum(i != _ABSENT for i in key), []).append(key)
        estimated: dict[tuple[int, ...], Floats] = {}
        for size, alike in by_size.items():
            families = np.array(alike, np.int64)[:, :size]
            densities = self._densities(families, len(alike[0]))
            estimated.update(zip(alike, densities, strict=True))
        return estimated

    def _densities(self, families: Ints, width: int) -> Floats:
        found = class_families(self.statistics, self._triples, families)
        densities = np.zeros((*found.variance.shape, 2 + width))
        densities[..., 0] = log_height(found.variance)
        densities[..., 1] = 0.5 / found.variance
        densities[..., 2] = found.intercept
        densities[..., 3 : 3 + found.coefficients.shape[-1]] = found.coefficients
        return densities


def _distinct(families: Ints, n: int) -> tuple[Ints, Ints]:
    """Return where each distinct family stands first, and every family's place among them."""
    keys, size = np.zeros(len(families), np.int64), 1
    for column in families.T:
        if size > np.iinfo(np.int64).max // (n + 1):
            keys = np.unique(keys, return_inverse=True)[1]
            size = len(keys)
        keys, size = keys * (n + 1) + column + 1, size * (n + 1)
    _, first, places = np.unique(keys, return_index=True, return_inverse=True)
    return first, places
