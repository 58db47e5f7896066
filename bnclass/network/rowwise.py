"""`RowwiseEnsemble`: networks of all rows, averaged with one that is made for every row [KST]."""

from collections.abc import Iterable, Iterator
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from bnclass.data.table import EncodedTable
from bnclass.data.variables import Variable
from bnclass.exceptions import StructureError
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.network.ensemble import Average, positive_weights
from bnclass.network.joint import Engine, Floats, JointModel, log_normalised
from bnclass.network.row_member import RowMember


class RowwiseEnsemble(JointModel):
    """The average of networks that answer every row, and of one made for the row.

    With ``average="joint"`` P(y, x) = Σ_m w_m P_m(y, x) / Σ_m w_m. With
    ``average="posterior"`` the same mean is taken of P_m(y | x), without the members for
    which every class has probability 0; there is no joint then.

    Parameters
    ----------
    networks : iterable of BayesianNetwork
        Over the local member's attributes and class; can be none.
    local : RowMember
        Makes the row's own network: a `LocalMember` or a `LocalGaussianMember`.
    weights : array-like of shape (n_networks + 1,), optional
        Positive, the local member's last; equal by default.
    average : {"joint", "posterior"}, default="joint"
        What is averaged.

    Attributes
    ----------
    networks : tuple of BayesianNetwork
    local : RowMember
    weights : ndarray of shape (n_networks + 1,), float64
        As given; only their ratios matter.
    average : {"joint", "posterior"}

    Raises
    ------
    StructureError
        If networks have other variables than the local member, weights are not positive
        numbers, or `average` is neither.

    Examples
    --------
    >>> from bnclass import KST, load_dataset
    >>> X, y = load_dataset("monks-1")
    >>> ensemble = KST(k=1).fit(X, y).ensemble_
    >>> ensemble
    RowwiseEnsemble(networks=1, local=LocalMember(k=1, dependence='class-conditional'))
    >>> ensemble[0]
    BayesianNetwork(class_node='class', nodes=7, arcs=11, parameters=53)
    >>> ensemble.weights
    array([0.5, 0.5])
    """

    networks: tuple[BayesianNetwork, ...]
    local: RowMember
    weights: Floats
    average: Average

    def __init__(
        self,
        networks: Iterable[BayesianNetwork],
        local: RowMember,
        weights: Any = None,
        average: Average = "joint",
    ) -> None:
        networks = tuple(networks)
        schema = local.statistics.schema
        for m, network in enumerate(networks):
            if (network.attributes, network.target) != (schema.attributes, schema.target):
                raise StructureError(f"network {m} differs from the local member in its variables")
        if average not in get_args(Average):
            raise StructureError(f"average is {average!r}, expected 'joint' or 'posterior'")
        object.__setattr__(self, "networks", networks)
        object.__setattr__(self, "local", local)
        object.__setattr__(self, "weights", positive_weights(weights, len(networks) + 1))
        object.__setattr__(self, "average", average)

    @property
    def attributes(self) -> tuple[Variable, ...]:
        """The attribute variables, in column order."""
        return self.local.statistics.schema.attributes

    @property
    def target(self) -> Variable:
        """The class variable."""
        return self.local.statistics.schema.target

    def network_at(self, row: npt.ArrayLike) -> BayesianNetwork:
        """Return the network that is made for one row.

        Parameters
        ----------
        row : array-like of shape (n_attributes,)
            In column order: codes, -1 where missing, or numbers, NaN where missing.

        Returns
        -------
        BayesianNetwork
            Over the class and the attributes that the row has.

        Raises
        ------
        DataError
            If a cell of the row is none of its attribute's.
        """
        return self.local.network_at(row)

    def log_joint(self, data: Any, *, engine: Engine = "compiled") -> Floats:
        """Return ln of the averaged joint of every row and class.

        Parameters
        ----------
        data : EncodedTable, or table with the ensemble's columns
        engine : {"compiled", "graph"}, default="compiled"
            The graph walk makes the explicit network of every row.

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
        members = [network.log_joint(table, engine=engine) for network in self.networks]
        members.append(self._local_log_joint(table, engine))
        if self.average == "posterior":
            members = [log_normalised(log_joint) for log_joint in members]
        largest = self.weights.max()  # divided by first, so that no sum overflows
        log_shares = np.log(self.weights) - np.log(largest)
        log_shares -= np.log(np.sum(self.weights / largest))
        weighted = [w + logs for w, logs in zip(log_shares, members, strict=True)]
        total: Floats = np.logaddexp.reduce(weighted)
        return total

    def _local_log_joint(self, table: EncodedTable, engine: Engine) -> Floats:
        if engine == "graph":
            return self.local.walk(table)
        if engine != "compiled":
            raise StructureError(f"engine is {engine!r}, expected 'compiled' or 'graph'")
        return self.local.log_joint(self.local.cells(table))

    def __len__(self) -> int:
        return len(self.networks)

    def __iter__(self) -> Iterator[BayesianNetwork]:
        return iter(self.networks)

    def __getitem__(self, m: int) -> BayesianNetwork:
        return self.networks[m]

    def __eq__(self, other: object) -> bool:
        """Equal ensembles have equal networks, local members, weights and averages."""
        return (
            isinstance(other, RowwiseEnsemble)
            and self.networks == other.networks
            and self.local == other.local
            and np.array_equal(self.weights, other.weights)
            and self.average == other.average
        )

    __hash__ = None  # type: ignore[assignment]

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a RowwiseEnsemble never changes; cannot set {name!r}")

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.weights.setflags(write=False)

    def __repr__(self) -> str:
        average = "" if self.average == "joint" else f", average={self.average!r}"
        return f"RowwiseEnsemble(networks={len(self)}, local={self.local!r}{average})"
