"""`NetworkEnsemble`: networks whose joints are averaged, row by row."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bnclass.data.table import EncodedTable
from bnclass.data.variables import Variable
from bnclass.exceptions import DataError, StructureError
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.network.compiled import CompiledJoint
from bnclass.network.joint import Engine, Floats, JointModel
from bnclass.network.membership import SuperparentSeen


class NetworkEnsemble(JointModel):
    """Several networks over the same variables, averaged on the joint scale.

    P(y, x) = Σ_m w_m P_m(y, x) / Σ_m w_m over the members m that serve the row; a row
    that none serves goes to the fall-back network. Members at probability 0 drop out of
    the sum by themselves.

    Parameters
    ----------
    networks : iterable of BayesianNetwork
        Over the same attributes and class. None at all leaves every row to the fall-back.
    weights : array-like of shape (n_members,), optional
        Positive; equal by default.
    membership : SuperparentSeen, optional
        Which members serve a row; all by default.
    fallback : BayesianNetwork, optional
        Needed with a membership policy.

    Attributes
    ----------
    networks : tuple of BayesianNetwork
    weights : ndarray of shape (n_members,), float64
    membership : SuperparentSeen or None
    fallback : BayesianNetwork or None

    Raises
    ------
    StructureError
        If there is no network at all, members differ in their variables, weights are not positive
        numbers, or a policy comes without a fall-back or counts other states.

    Examples
    --------
    >>> from bnclass import AODE, load_dataset
    >>> ensemble = AODE().fit(*load_dataset("monks-1")).ensemble_
    >>> ensemble
    NetworkEnsemble(members=6, membership=SuperparentSeen(min_count=1, members=6))
    >>> ensemble[0].structure.joint_family
    ('class', 'a1')
    """

    networks: tuple[BayesianNetwork, ...]
    weights: Floats
    membership: SuperparentSeen | None
    fallback: BayesianNetwork | None

    def __init__(
        self,
        networks: Iterable[BayesianNetwork],
        weights: Any = None,
        membership: SuperparentSeen | None = None,
        fallback: BayesianNetwork | None = None,
    ) -> None:
        networks = tuple(networks)
        if not networks and fallback is None:
            raise StructureError("an ensemble of no networks, expected one or a fall-back")
        _require_same_variables((*networks, *([fallback] if fallback else [])))
        _require_fitting_policy(networks, membership, fallback)
        object.__setattr__(self, "networks", networks)
        object.__setattr__(self, "weights", _checked_weights(weights, len(networks)))
        object.__setattr__(self, "membership", membership)
        object.__setattr__(self, "fallback", fallback)

    @property
    def attributes(self) -> tuple[Variable, ...]:
        """The attribute variables, in column order."""
        return self.representative.attributes

    @property
    def target(self) -> Variable | None:
        """The class variable."""
        return self.representative.target

    @property
    def representative(self) -> BayesianNetwork:
        """A network of the ensemble: the first member, or the fall-back if there is none."""
        return next(n for n in (*self.networks, self.fallback) if n is not None)

    def log_joint(self, data: Any, *, engine: Engine = "compiled") -> Floats:
        """Return ln of the averaged joint of every row and class.

        Parameters
        ----------
        data : EncodedTable, or table with the ensemble's columns
        engine : {"compiled", "graph"}, default="compiled"

        Returns
        -------
        ndarray of shape (n_rows, n_classes), float64
            In nats.
        """
        table = self.encode(data)
        table = EncodedTable(self.attributes, table.codes_of([v.name for v in self.attributes]))
        if engine == "graph":
            return self._walk(table)
        if engine != "compiled":
            raise DataError(f"engine is {engine!r}, expected 'compiled' or 'graph'")
        exact = self._compiled.exact(table.codes)
        if exact.all():
            return self._with_fallback(self._compiled.log_joint(table.codes), table, engine)
        result = np.empty((len(table), self._n_classes))
        some = table.rows(exact)
        result[exact] = self._with_fallback(self._compiled.log_joint(some.codes), some, engine)
        result[~exact] = self._walk(table.rows(~exact))
        return result

    @property
    def _n_classes(self) -> int:
        return 1 if self.target is None else self.target.card

    @cached_property
    def _compiled(self) -> CompiledJoint:
        names = tuple(v.name for v in self.attributes)
        members = tuple((n.structure, tuple(n.factors.values())) for n in self.networks)
        return CompiledJoint(names, members, self.weights, self._n_classes, self.membership)

    def _walk(self, table: EncodedTable) -> Floats:
        """Average the members' graph walks, one member at a time."""
        total = np.full((len(table), self._n_classes), -np.inf)
        weight = np.zeros(len(table))
        served = np.full((len(table), len(self)), True)
        if self.membership is not None:
            served = self.membership.serves(table)
        for m, network in enumerate(self.networks):
            rows = np.flatnonzero(served[:, m])
            log_joint = network.log_joint(table.rows(rows), engine="graph")
            total[rows] = np.logaddexp(total[rows], np.log(self.weights[m]) + log_joint)
            weight[rows] += self.weights[m]
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = total - np.log(weight)[:, np.newaxis]  # NaN where no member serves
        return self._with_fallback(mean, table, "graph")

    def _with_fallback(self, log_joint: Floats, table: EncodedTable, engine: Engine) -> Floats:
        unserved = np.isnan(log_joint[:, 0])
        if unserved.any() and self.fallback is not None:
            log_joint[unserved] = self.fallback.log_joint(table.rows(unserved), engine=engine)
        return log_joint

    def __len__(self) -> int:
        return len(self.networks)

    def __iter__(self) -> Iterator[BayesianNetwork]:
        return iter(self.networks)

    def __getitem__(self, m: int) -> BayesianNetwork:
        return self.networks[m]

    def __eq__(self, other: object) -> bool:
        """Equal ensembles have equal members, weights, policy and fall-back."""
        return (
            isinstance(other, NetworkEnsemble)
            and self.networks == other.networks
            and np.array_equal(self.weights, other.weights)
            and (self.membership, self.fallback) == (other.membership, other.fallback)
        )

    __hash__ = None  # type: ignore[assignment]

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a NetworkEnsemble never changes; cannot set {name!r}")

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if k != "_compiled"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.weights.setflags(write=False)

    def __repr__(self) -> str:
        policy = "" if self.membership is None else f", membership={self.membership!r}"
        return f"NetworkEnsemble(members={len(self)}{policy})"


def _require_same_variables(networks: tuple[BayesianNetwork, ...]) -> None:
    first = networks[0]
    for m, network in enumerate(networks):
        if (network.attributes, network.target) != (first.attributes, first.target):
            raise StructureError(f"network {m} differs from the first in its variables")


def _require_fitting_policy(
    networks: tuple[BayesianNetwork, ...],
    membership: SuperparentSeen | None,
    fallback: BayesianNetwork | None,
) -> None:
    if membership is None:
        return
    if len(membership.superparents) != len(networks):
        raise StructureError(
            f"a membership policy for {len(membership.superparents)} members, "
            f"expected {len(networks)}"
        )
    if fallback is None:
        raise StructureError("a membership policy without a fall-back network, expected one")
    cards = {v.name: v.card for v in fallback.attributes}
    for name, counts in zip(membership.superparents, membership.counts, strict=True):
        if counts.shape != (cards.get(name),):
            raise StructureError(
                f"membership policy: superparent {name!r} with counts of shape {counts.shape}, "
                f"expected an attribute and one count for each of its states"
            )


def _checked_weights(weights: Any, n_members: int) -> npt.NDArray[np.float64]:
    try:
        checked = np.array([1.0] * n_members if weights is None else weights, dtype=np.float64)
    except (TypeError, ValueError):
        checked = np.empty(0)
    if checked.shape != (n_members,) or not ((checked > 0) & np.isfinite(checked)).all():
        raise StructureError(f"weights are {weights!r}, expected {n_members} positive numbers")
    checked.setflags(write=False)
    return checked
