"""From moments to the parameters of a linear Gaussian: back-off, regression, variance floor."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from bnclass.data.weights import reaches
from bnclass.statistics.family import FEWEST_ROWS, FamilyMoments, outer

Floats = npt.NDArray[np.float64]

VariancePolicy = Literal["conditional", "hugin", "pooled"]

_SMALLEST_SINGULAR_VALUE = 1e-10


@dataclass(frozen=True)
class LinearGaussian:
    """X | u, z ~ N(intercept(u) + Σ_j coefficients_j(u) z_j, variance(u)).

    Parameters
    ----------
    intercept : ndarray of shape (*configurations,), float64
    coefficients : ndarray of shape (*configurations, n_parents), float64
    variance : ndarray of shape (*configurations,), float64
    """

    intercept: Floats
    coefficients: Floats
    variance: Floats


def regress(
    moments: FamilyMoments,
    floors: Floats,
    scales: Floats,
    policy: VariancePolicy,
) -> LinearGaussian:
    """Return the regression of the first variable on the others in every configuration.

    A configuration of fewer than two rows takes the moments of its class; a class of fewer
    than two rows the pooled within-class variance, no coefficients, and its own mean, or
    the grand mean if it has no row at all.

    Parameters
    ----------
    moments : FamilyMoments
        Axes (class, other discrete parents …), the child first among the variables. There
        must be a row.
    floors : ndarray of shape (1 + n_parents,), float64
        Variance floor of the child and of each parent; 0 for a constant.
    scales : ndarray of shape (n_parents,), float64
        Standard deviation of each parent over all training rows.
    policy : {"conditional", "hugin", "pooled"}
        Residual variances; the child's own ones with uncentred parents; or residual
        variances pooled over all configurations.

    Returns
    -------
    LinearGaussian

    References
    ----------
    Flores, Gámez, Martínez, Puerta, GAODE and HAODE, ICML 2009, equations 3-6 [GAODE];
    Pérez, Larrañaga, Inza, IJAR 43 (2006) for the pooled variance [PLI].

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.factors.regression import regress
    >>> from bnclass.statistics.family import FamilyMoments
    >>> n, mean = np.array([4.0]), np.array([[1.0, 2.0]])  # one class, x and its parent z
    >>> scatter = np.array([[[8.0, 4.0], [4.0, 4.0]]])
    >>> moments = FamilyMoments(n, mean, scatter)
    >>> found = regress(moments, np.full(2, 0.01), np.ones(1), "conditional")
    >>> found.intercept, found.coefficients, found.variance  # x = 1 + (z - 2), 2 - 1
    (array([-1.]), array([[1.]]), array([1.]))
    """
    if floors[0] == 0:
        return _constant(moments)
    mean, covariance = _backed_off(moments)
    slopes, residual = _slopes(covariance, floors[1:], scales)
    variance = residual
    centre = mean[..., 1:]
    if policy == "hugin":
        variance, centre = covariance[..., 0, 0], np.zeros_like(centre)
    elif policy == "pooled":
        raw = np.where(~reaches(moments.n, FEWEST_ROWS), moments.covariance[..., 0, 0], residual)
        variance = np.full(raw.shape, np.average(raw, weights=moments.n))
    intercept = mean[..., 0] - (slopes * centre).sum(axis=-1)
    return LinearGaussian(intercept, slopes, np.maximum(variance, floors[0]))


def regress_by_class(moments: FamilyMoments, floors: Floats, scales: Floats) -> LinearGaussian:
    """Return the regressions of many families by class, as `regress` does for one.

    Parameters
    ----------
    moments : FamilyMoments
        Axes (class, family), the child first among the variables. Every family has a row.
    floors : ndarray of shape (n_families, 1 + n_parents), float64
        Variance floor of the child, not 0, and of each parent; 0 for a constant.
    scales : ndarray of shape (n_families, n_parents), float64
        Standard deviation of each parent over all training rows.

    Returns
    -------
    LinearGaussian
        Axes (class, family).

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.factors.regression import regress_by_class
    >>> from bnclass.statistics.family import FamilyMoments
    >>> n, mean = np.array([[4.0]]), np.array([[[1.0, 2.0]]])  # x and its parent z
    >>> scatter = np.array([[[[8.0, 4.0], [4.0, 4.0]]]])
    >>> moments = FamilyMoments(n, mean, scatter)
    >>> regress_by_class(moments, np.full((1, 2), 0.01), np.ones((1, 1))).intercept
    array([[-1.]])
    """
    mean, covariance = _class_moments(moments)
    slopes, residual = _slopes(covariance, floors[:, 1:], scales)
    intercept = mean[..., 0] - (slopes * mean[..., 1:]).sum(axis=-1)
    return LinearGaussian(intercept, slopes, np.maximum(residual, floors[:, 0]))


def _constant(moments: FamilyMoments) -> LinearGaussian:
    shape = moments.n.shape
    value = moments.collapse(range(len(shape))).mean[0]
    n_parents = moments.mean.shape[-1] - 1
    return LinearGaussian(np.full(shape, value), np.zeros((*shape, n_parents)), np.zeros(shape))


def _backed_off(moments: FamilyMoments) -> tuple[Floats, Floats]:
    """Return mean and covariance of every configuration, those of few rows from its class."""
    few = ~reaches(moments.n, FEWEST_ROWS)
    if not few.any():
        return moments.mean, moments.covariance
    class_mean, class_covariance = _class_moments(moments.collapse(range(1, few.ndim)))
    around = (slice(None), *[np.newaxis] * (few.ndim - 1))
    mean = np.where(few[..., np.newaxis], class_mean[around], moments.mean)
    few_matrices = few[..., np.newaxis, np.newaxis]
    return mean, np.where(few_matrices, class_covariance[around], moments.covariance)


def _class_moments(by_class: FamilyMoments) -> tuple[Floats, Floats]:
    """Return mean and covariance of every class, the first axis, or what few rows fall back to."""
    few, none = ~reaches(by_class.n, FEWEST_ROWS), by_class.n == 0
    if not few.any():
        return by_class.mean, by_class.covariance
    pooled = np.zeros(by_class.scatter.shape[1:])
    pooled[..., 0, 0] = by_class.scatter[..., 0, 0].sum(axis=0) / by_class.n.sum(axis=0)
    mean = np.where(none[..., np.newaxis], by_class.collapse((0,)).mean, by_class.mean)
    return mean, np.where(few[..., np.newaxis, np.newaxis], pooled, by_class.covariance)


def _slopes(covariance: Floats, floors: Floats, scales: Floats) -> tuple[Floats, Floats]:
    """Return b = Σ_ZZ⁺ σ_ZX and σ²_X - bᵀ Σ_ZZ b of every configuration."""
    n_parents = floors.shape[-1]
    if not n_parents:
        return np.empty((*covariance.shape[:-2], 0)), covariance[..., 0, 0]
    with_child, among = covariance[..., 1:, 0], covariance[..., 1:, 1:].copy()
    own = np.arange(n_parents)
    among[..., own, own] = np.maximum(among[..., own, own], floors)
    if n_parents == 1:
        slopes = np.divide(
            with_child, among[..., 0], out=np.zeros_like(with_child), where=floors > 0
        )
    else:
        inverse = np.linalg.pinv(
            among / outer(scales, scales), rcond=_SMALLEST_SINGULAR_VALUE, hermitian=True
        )
        slopes = (inverse @ (with_child / scales)[..., np.newaxis])[..., 0] / scales
    # σ²_X - 2 bᵀ σ_ZX + bᵀ Σ_ZZ b: the same, and least sensitive to rounding in b.
    explained = np.einsum("...i,...ij,...j->...", slopes, among, slopes)
    residual = covariance[..., 0, 0] - 2.0 * np.vecdot(slopes, with_child) + explained
    return slopes, residual
