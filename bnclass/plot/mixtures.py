"""Mixtures of normal densities, and the points at which to draw them."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bnclass.factors.linear_gaussian import log_normal

Floats = npt.NDArray[np.float64]

# A curve is drawn over so many standard deviations to either side of its components ...
REACH = 4.0
# ... that together hold all but so much of it.
LEFT_OUT = 1e-4
# Points for one component alone; where there are many, each gets its share.
MOST_POINTS, ALL_POINTS, FEWEST_POINTS = 161, 4000, 9
_CELLS_AT_ONCE = 2**20


@dataclass(frozen=True)
class Mixture:
    """A weighted sum of normal densities.

    Parameters
    ----------
    weights : ndarray of shape (n_components,), float64
        They sum to 1.
    means : ndarray of shape (n_components,), float64
    variances : ndarray of shape (n_components,), float64
        Positive.

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.plot.mixtures import Mixture
    >>> two = Mixture(np.array([0.5, 0.5]), np.array([0.0, 3.0]), np.array([1.0, 4.0]))
    >>> x, p = two.curve()
    >>> round(float(np.trapezoid(p, x)), 3)
    1.0
    """

    weights: Floats
    means: Floats
    variances: Floats

    def density(self, x: Floats) -> Floats:
        """Return the density at points.

        Parameters
        ----------
        x : ndarray of shape (n_points,), float64

        Returns
        -------
        ndarray of shape (n_points,), float64
        """
        n_chunks = 1 + len(x) * len(self.weights) // _CELLS_AT_ONCE
        chunks = (chunk[:, np.newaxis] for chunk in np.array_split(x, n_chunks))
        parts = [np.exp(log_normal(c - self.means, self.variances)) @ self.weights for c in chunks]
        return np.concatenate(parts)

    def curve(self) -> tuple[Floats, Floats]:
        """Return the density as a polyline that shows every component in its own width.

        Returns
        -------
        points : ndarray of shape (n_points,), float64
            Ascending. Components that together weigh less than 1e-4 get none of their own.
        densities : ndarray of shape (n_points,), float64
        """
        points = self._points()
        return points, self.density(points)

    def _points(self) -> Floats:
        heaviest = np.argsort(-self.weights, kind="stable")
        before = np.cumsum(self.weights[heaviest]) - self.weights[heaviest]
        shown = heaviest[before < 1 - LEFT_OUT]
        n_points = np.clip(ALL_POINTS // len(shown), FEWEST_POINTS, MOST_POINTS)
        steps = np.linspace(-REACH, REACH, n_points)
        deviations = np.sqrt(self.variances[shown])
        return np.unique(self.means[shown] + steps[:, np.newaxis] * deviations)
