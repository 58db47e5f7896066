"""`NetworkEnsemble`: networks whose joints or posteriors are averaged, row by row."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, get_args

import numpy as np

from bnclass.data.codes import MISSING
from bnclass.data.table import EncodedTable
from bnclass.data.variables import Variable
from bnclass.exceptions import StructureError
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.network.compiled import CompiledJoint
from bnclass.network.joint import Engine, Floats, TwoEngineModel, log_normalised
from bnclass.network.membership import SuperparentSeen
from bnclass.network.subsumption import Subsumption

Average = Literal["joint", "posterior"]


class NetworkEnsemble(TwoEngineModel):
    """Several networks over the same variables, and the average of what they say.

    With ``average="joint"`` P(y, x) = Σ_m w_m P_m(y, x) / Σ_m w_m over the members m that
    serve the row. Members at probability 0 drop out of the sum by themselves. With
    ``average="posterior"`` the same mean is taken of P_m(y | x), without the members for
    which every class has probability 0; there is no joint then. A row that no member serves
    goes to the fall-back network.

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
    resolutions : mapping of hashable to float, optional
        Width of a cell of continuous nodes, in their units. Members that have different
        nodes discretised lack different densities; with the density of every observed
        number times its resolution all of them are probabilities of cells [GAODE, eq. 9].
    average : {"joint", "posterior"}, default="joint"
        What is averaged.
    subsumption : Subsumption, optional
        Which cells of a row count as missing, for all members and the fall-back.

    Attributes
    ----------
    networks : tuple of BayesianNetwork
    weights : ndarray of shape (n_members,), float64
    membership : SuperparentSeen or None
    fallback : BayesianNetwork or None
    resolutions : mapping of hashable to float
        Read-only; empty if densities stay densities.
    average : {"joint", "posterior"}
    subsumption : Subsumption or None

    Raises
    ------
    StructureError
        If there is no network at all, members differ in their class or the states of an
        attribute, weights or resolutions are not positive numbers, a policy comes without
        a fall-back or counts other states, or members without a class are to have posteriors.

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
    resolutions: Mapping[Hashable, float]
    average: Average
    subsumption: Subsumption | None

    def __init__(
        self,
        networks: Iterable[BayesianNetwork],
        weights: Any = None,
        membership: SuperparentSeen | None = None,
        fallback: BayesianNetwork | None = None,
        resolutions: Mapping[Hashable, float] | None = None,
        average: Average = "joint",
        subsumption: Subsumption | None = None,
    ) -> None:
        networks = tuple(networks)
        if not networks and fallback is None:
            raise StructureError("an ensemble of no networks, expected one or a fall-back")
        _require_same_variables((*networks, *([fallback] if fallback else [])))
        _require_fitting_policy(networks, membership, fallback)
        object.__setattr__(self, "networks", networks)
        object.__setattr__(self, "weights", positive_weights(weights, len(networks)))
        object.__setattr__(self, "membership", membership)
        object.__setattr__(self, "fallback", fallback)
        object.__setattr__(self, "resolutions", _checked_resolutions(resolutions or {}, self))
        object.__setattr__(self, "average", _checked_average(average, self))
        _require_fitting_subsumption(subsumption, self.attributes)
        object.__setattr__(self, "subsumption", subsumption)

    @property
    def attributes(self) -> tuple[Variable, ...]:
        """All attribute variables: the fall-back's or first member's, then others' own views."""
        return self._attributes

    @cached_property
    def _attributes(self) -> tuple[Variable, ...]:
        networks = (self.representative, *self.networks)
        return tuple(dict.fromkeys(v for n in networks for v in n.attributes))

    @property
    def target(self) -> Variable | None:
        """The class variable."""
        return self.representative.target

    @property
    def representative(self) -> BayesianNetwork:
        """A network of the ensemble: the fall-back, or the first member if there is none."""
        return self.networks[0] if self.fallback is None else self.fallback

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

        Raises
        ------
        StructureError
            If posteriors are averaged.
        """
        if self.average != "joint":
            raise StructureError(
                "an average of posteriors has no joint, expected average='joint'; see posterior"
            )
        return self._log_shares(data, engine)

    def _log_shares(self, data: Any, engine: Engine) -> Floats:
        """Return ln of the mean joint, or of the mean posterior up to a number a row."""
        table = self.encode(data).select([v.name for v in self.attributes])
        if self.subsumption is not None:
            table = self.subsumption.resolve(table)
        shares = self._by_engine(table, engine)
        unserved = np.isnan(shares[:, 0])
        if unserved.any() and self.fallback is not None:
            shares[unserved] = self._member(self.fallback, table.rows(unserved), engine)
        return shares

    @cached_property
    def _compiled(self) -> CompiledJoint:
        members = tuple((n.structure, tuple(n.factors.values())) for n in self.networks)
        return CompiledJoint(
            self.attributes,
            members,
            self.weights,
            self._n_classes,
            self.membership,
            self.resolutions,
            self.average == "posterior",
        )

    def _member(self, network: BayesianNetwork, table: EncodedTable, engine: Engine) -> Floats:
        """Return a network's joint, the densities of observed numbers times their resolutions."""
        log_joint = network.log_joint(table, engine=engine)
        for v in network.attributes:
            if v.name in self.resolutions:
                seen = table.codes_of([v.name]) != MISSING
                log_joint = log_joint + seen * np.log(self.resolutions[v.name])
        return log_joint

    def _walk(self, table: EncodedTable) -> Floats:
        """Average the members' graph walks, one member at a time."""
        total = np.full((len(table), self._n_classes), -np.inf)
        weight = np.zeros(len(table))
        served = np.full((len(table), len(self)), True)
        if self.membership is not None:
            served = self.membership.serves(table)
        for m, network in enumerate(self.networks):
            rows = np.flatnonzero(served[:, m])
            shares = self._member(network, table.rows(rows), "graph")
            if self.average == "posterior":
                shares = log_normalised(shares)
            total[rows] = np.logaddexp(total[rows], np.log(self.weights[m]) + shares)
            weight[rows] += self.weights[m]
        with np.errstate(divide="ignore", invalid="ignore"):
            return total - np.log(weight)[:, np.newaxis]  # NaN where no member serves

    def __len__(self) -> int:
        return len(self.networks)

    def __iter__(self) -> Iterator[BayesianNetwork]:
        return iter(self.networks)

    def __getitem__(self, m: int) -> BayesianNetwork:
        return self.networks[m]

    def __eq__(self, other: object) -> bool:
        """Equal ensembles have equal members, weights, policies, fall-back and average."""
        return (
            isinstance(other, NetworkEnsemble)
            and self.networks == other.networks
            and np.array_equal(self.weights, other.weights)
            and (self.membership, self.fallback) == (other.membership, other.fallback)
            and self.resolutions == other.resolutions
            and (self.average, self.subsumption) == (other.average, other.subsumption)
        )

    __hash__ = None  # type: ignore[assignment]

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a NetworkEnsemble never changes; cannot set {name!r}")

    def __getstate__(self) -> dict[str, Any]:
        kept = {k: v for k, v in self.__dict__.items() if k != "_compiled"}
        return {**kept, "resolutions": dict(self.resolutions)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, resolutions=MappingProxyType(state["resolutions"]))
        self.weights.setflags(write=False)

    def __repr__(self) -> str:
        unusual = {
            "membership": self.membership,
            "average": None if self.average == "joint" else self.average,
            "subsumption": self.subsumption,
        }
        shown = "".join(f", {k}={v!r}" for k, v in unusual.items() if v is not None)
        return f"NetworkEnsemble(members={len(self)}{shown})"


def _require_same_variables(networks: tuple[BayesianNetwork, ...]) -> None:
    columns = {v.column for v in networks[0].attributes}
    known = {v.name: v for v in networks[0].attributes}
    for m, network in enumerate(networks):
        if network.target != networks[0].target:
            raise StructureError(f"network {m} differs from the first in its class")
        if {v.column for v in network.attributes} != columns:
            raise StructureError(f"network {m} differs from the first in its columns")
        for v in network.attributes:
            if known.setdefault(v.name, v) != v:
                raise StructureError(f"network {m} differs from another in its node {v.name!r}")


def _checked_resolutions(
    resolutions: Mapping[Hashable, float], ensemble: NetworkEnsemble
) -> Mapping[Hashable, float]:
    continuous = [v.name for v in ensemble.attributes if v.is_continuous]
    for name, r in resolutions.items():
        if name not in continuous or not 0 < r < np.inf:
            raise StructureError(
                f"resolution {r!r} of {name!r}, expected a positive number for one of the "
                f"continuous nodes {continuous!r}"
            )
    return MappingProxyType(dict(resolutions))


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
    cards = {v.name: v.card for n in (fallback, *networks) for v in n.attributes}
    for name, counts in zip(membership.superparents, membership.counts, strict=True):
        if counts.shape != (cards.get(name),):
            raise StructureError(
                f"membership policy: superparent {name!r} with counts of shape {counts.shape}, "
                f"expected an attribute and one count for each of its states"
            )


def _checked_average(average: Average, ensemble: NetworkEnsemble) -> Average:
    if average not in get_args(Average):
        raise StructureError(f"average is {average!r}, expected 'joint' or 'posterior'")
    if average == "posterior" and ensemble.target is None:
        raise StructureError("members without a class node have no posteriors to average")
    return average


def _require_fitting_subsumption(
    subsumption: Subsumption | None, attributes: tuple[Variable, ...]
) -> None:
    if subsumption is None:
        return
    cards = {v.name: v.card for v in attributes if not v.is_continuous}
    for name, counts in zip(subsumption.attributes, subsumption.counts, strict=True):
        if counts.shape != (cards.get(name),):
            raise StructureError(
                f"subsumption: attribute {name!r} with counts of shape {counts.shape}, "
                f"expected a discrete attribute and one count for each of its states"
            )


def positive_weights(weights: Any, n_members: int) -> Floats:
    """Return weights of members, known to be positive numbers; equal ones if there are none.

    Parameters
    ----------
    weights : array-like of shape (n_members,) or None
    n_members : int

    Returns
    -------
    ndarray of shape (n_members,), float64
        Read-only.

    Raises
    ------
    StructureError

    Examples
    --------
    >>> from bnclass.network.ensemble import positive_weights
    >>> positive_weights((1, 3), 2)
    array([1., 3.])
    """
    try:
        checked = np.array([1.0] * n_members if weights is None else weights, dtype=np.float64)
    except (TypeError, ValueError):
        checked = np.empty(0)
    if checked.shape != (n_members,) or not ((checked > 0) & np.isfinite(checked)).all():
        raise StructureError(f"weights are {weights!r}, expected {n_members} positive numbers")
    checked.setflags(write=False)
    return checked
