"""What a network and an ensemble have in common: a joint over classes, row by row."""

from abc import ABC, abstractmethod
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from bnclass.data.columns import MISSING
from bnclass.data.table import EncodedTable
from bnclass.data.variables import Variable
from bnclass.exceptions import StructureError

Floats = npt.NDArray[np.float64]
Engine = Literal["compiled", "graph"]


class JointModel(ABC):
    """A model of P(y, x): networks and ensembles.

    Subclasses give their variables and `log_joint`; posteriors follow.
    """

    @property
    @abstractmethod
    def attributes(self) -> tuple[Variable, ...]:
        """The attribute variables, in column order."""

    @property
    @abstractmethod
    def target(self) -> Variable | None:
        """The class variable, if there is one."""

    @abstractmethod
    def log_joint(self, data: Any, *, engine: Engine = "compiled") -> Floats:
        """Return ln P(y, x) of every row and class."""

    def encode(self, data: Any) -> EncodedTable:
        """Return raw rows under the model's own variables; an `EncodedTable` stays itself.

        Parameters
        ----------
        data : EncodedTable, or table with the model's columns
            The class column is read if it is there.

        Returns
        -------
        EncodedTable
        """
        if isinstance(data, EncodedTable):
            return data
        has_target = self.target is not None and self.target.name in getattr(data, "columns", ())
        return EncodedTable.from_frame(data, self.attributes, self.target if has_target else None)

    def log_posterior(self, data: Any, *, engine: Engine = "compiled") -> Floats:
        """Return ln P(y | x) of every row and class, in nats.

        Where every class has probability 0 (possible without smoothing), the answer is
        the class prior.

        Parameters
        ----------
        data : EncodedTable, or table with the model's columns
        engine : {"compiled", "graph"}, default="compiled"

        Returns
        -------
        ndarray of shape (n_rows, n_classes), float64

        Raises
        ------
        StructureError
            If the model has no class node.
        """
        if self.target is None:
            raise StructureError("the network has no class node, expected one for a posterior")
        log_joint = self.log_joint(data, engine=engine)
        impossible = np.isneginf(log_joint).all(axis=1)
        if impossible.any():
            log_joint[impossible] = self._log_prior()
        log_posterior: Floats = log_joint - log_sum_exp(log_joint, axis=1)[:, np.newaxis]
        return log_posterior

    def posterior(self, data: Any, *, engine: Engine = "compiled") -> Floats:
        """Return P(y | x) of every row and class.

        Parameters
        ----------
        data : EncodedTable, or table with the model's columns
        engine : {"compiled", "graph"}, default="compiled"

        Returns
        -------
        ndarray of shape (n_rows, n_classes), float64
            Rows sum to 1.
        """
        posterior: Floats = np.exp(self.log_posterior(data, engine=engine))
        return posterior

    def _log_prior(self) -> Floats:
        """Return ln P(y): the joint of a row of which nothing is known."""
        nothing = np.full((1, len(self.attributes)), MISSING, dtype=np.int32)
        return self.log_joint(EncodedTable(self.attributes, nothing), engine="graph")[0]


def log_sum_exp(logs: Floats, axis: int) -> Floats:
    """Return ln Σ exp(logs) along an axis, -inf where all of it is -inf.

    Parameters
    ----------
    logs : ndarray, float64
    axis : int

    Returns
    -------
    ndarray with `axis` removed, float64

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.network.joint import log_sum_exp
    >>> log_sum_exp(np.log([[0.25, 0.25], [0.0, 0.0]]), axis=1)  # doctest: +SKIP
    array([-0.69314718,        -inf])
    """
    peak = logs.max(axis=axis, keepdims=True)
    peak = np.where(np.isneginf(peak), 0.0, peak)
    with np.errstate(divide="ignore"):
        total: Floats = np.log(np.exp(logs - peak).sum(axis=axis)) + peak.squeeze(axis)
    return total
