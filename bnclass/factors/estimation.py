"""From statistics to the parameters of a Gaussian or conditional linear Gaussian factor."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bnclass.data.variables import Variable
from bnclass.factors.regression import (
    LinearGaussian,
    VariancePolicy,
    regress,
    regress_by_class,
)
from bnclass.statistics.family import FamilyMoments
from bnclass.statistics.moments import Places
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.statistics.triple_moments import TripleMoments


def gaussian_parameters(
    variable: Variable,
    parents: Sequence[Variable],
    statistics: SufficientStatistics,
    policy: VariancePolicy,
) -> LinearGaussian:
    """Estimate the density of a continuous variable, given parents of both kinds.

    Moments are those of the rows in which the whole family is observed. If there is no such
    row, the variable depends on the class alone.

    Parameters
    ----------
    variable : Variable
    parents : sequence of Variable
        The class first if it is among them.
    statistics : SufficientStatistics
    policy : {"conditional", "hugin", "pooled"}
        See `bnclass.factors.regression.regress`.

    Returns
    -------
    LinearGaussian
        Axes (card(D1), …) of the discrete parents in their order.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import SufficientStatistics, TableEncoder
    >>> from bnclass.factors.estimation import gaussian_parameters
    >>> frame = pd.DataFrame({"x": [1.0, 3.0, 4.0, 8.0]})
    >>> table = TableEncoder(continuous="gaussian").fit_transform(frame, [0, 0, 1, 1])
    >>> statistics = SufficientStatistics.from_table(table)
    >>> x, target = statistics.schema["x"], statistics.schema.target
    >>> gaussian_parameters(x, [target], statistics, "conditional").intercept
    array([2., 6.])
    """
    discrete = [p.name for p in parents if not p.is_continuous]
    continuous = [p.name for p in parents if p.is_continuous]
    moments = statistics.family_moments([variable.name, *continuous], discrete)
    if not moments.n.any():
        return _by_class_alone(variable, parents, statistics, policy)
    shape = moments.n.shape
    if statistics.schema.target.name not in discrete:
        moments = moments.reshape((1, *shape))
    floors = np.array([statistics.variance_floor(n) for n in (variable.name, *continuous)])
    scales = np.array([statistics.standard_deviation(name) for name in continuous])
    found = regress(moments, floors, scales, policy)
    return LinearGaussian(
        found.intercept.reshape(shape),
        found.coefficients.reshape((*shape, len(continuous))),
        found.variance.reshape(shape),
    )


def _by_class_alone(
    variable: Variable,
    parents: Sequence[Variable],
    statistics: SufficientStatistics,
    policy: VariancePolicy,
) -> LinearGaussian:
    target = statistics.schema.target
    known = [p for p in parents if p.name == target.name]
    found = gaussian_parameters(variable, known, statistics, policy)
    shape = tuple(p.card for p in parents if not p.is_continuous)
    around = (..., *[np.newaxis] * (len(shape) - len(known)))
    n_continuous = sum(p.is_continuous for p in parents)
    return LinearGaussian(
        np.broadcast_to(found.intercept[around], shape),
        np.zeros((*shape, n_continuous)),
        np.broadcast_to(found.variance[around], shape),
    )


def class_families(
    statistics: SufficientStatistics, triples: TripleMoments, families: Places
) -> LinearGaussian:
    """Estimate the densities of many families of numbers, given class and numeric parents.

    They are those of `gaussian_parameters` with the "conditional" variance. Families of up to
    three numbers, and larger ones observed in the same rows, are worked off together.

    Parameters
    ----------
    statistics : SufficientStatistics
        All attributes continuous.
    triples : TripleMoments
        Of the same, by class.
    families : ndarray of shape (n_families, 1 + n_parents), int
        Places of the child, which is no constant, and of its parents among the attributes.

    Returns
    -------
    LinearGaussian
        Axes (n_families, n_classes).

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from bnclass import SufficientStatistics, TableEncoder
    >>> from bnclass.factors.estimation import class_families
    >>> from bnclass.statistics.triple_moments import TripleMoments
    >>> frame = pd.DataFrame({"x": [1.0, 3.0, 4.0, 8.0], "z": [0.0, 1.0, 0.0, 2.0]})
    >>> table = TableEncoder(continuous="gaussian").fit_transform(frame, [0, 0, 1, 1])
    >>> statistics = SufficientStatistics.from_table(table)
    >>> triples = TripleMoments.from_statistics(statistics)
    >>> class_families(statistics, triples, np.array([[0, 1]])).coefficients[0]
    array([[2.],
           [2.]])
    """
    assert statistics.moments is not None
    shape = (len(families), len(statistics.class_counts))
    found = LinearGaussian(
        np.empty(shape), np.empty((*shape, families.shape[1] - 1)), np.empty(shape)
    )
    if families.shape[1] <= 3:
        moments = triples.families(families)
        together = moments.n.any(axis=0)
        moments = moments.at(slice(None), np.flatnonzero(together))
    else:
        together = statistics.moments.all_complete(families)
        moments = statistics.moments.families(families[together])
    _set(found, together, _regressions(statistics, families[together], moments))
    attributes, target = statistics.schema.attributes, statistics.schema.target
    for place in np.flatnonzero(~together).tolist():
        child, *parents = (attributes[i] for i in families[place].tolist())
        one = gaussian_parameters(child, [target, *parents], statistics, "conditional")
        _set(found, place, one)
    return found


def _regressions(
    statistics: SufficientStatistics, families: Places, moments: FamilyMoments
) -> LinearGaussian:
    names = statistics.schema.names
    floors = np.array([statistics.variance_floor(name) for name in names])
    scales = np.array([statistics.standard_deviation(name) for name in names])
    found = regress_by_class(moments, floors[families], scales[families[:, 1:]])
    return LinearGaussian(
        found.intercept.swapaxes(0, 1),
        found.coefficients.swapaxes(0, 1),
        found.variance.swapaxes(0, 1),
    )


def _set(whole: LinearGaussian, place: Any, part: LinearGaussian) -> None:
    whole.intercept[place] = part.intercept
    whole.coefficients[place] = part.coefficients
    whole.variance[place] = part.variance
