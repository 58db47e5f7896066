"""What networks and ensembles have in common: a joint over classes, row by row."""

from abc import ABC, abstractmethod
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from bnclass.data.codes import MISSING
from bnclass.data.frames import as_frame
from bnclass.data.table import EncodedTable
from bnclass.data.variables import Variable
from bnclass.exceptions import DataError, StructureError
from bnclass.network.compiled import CompiledJoint

Floats = npt.NDArray[np.float64]
Engine = Literal["compiled", "graph"]


class JointModel(ABC):
    """A model of P(y, x), or of P(y | x) alone: networks and ensembles.

    Subclasses give their variables and joints; posteriors follow.
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

    @property
    def _n_classes(self) -> int:
        return 1 if self.target is None else self.target.card

    def encode(self, data: Any) -> EncodedTable:
        """Return raw rows under the model's own variables; an `EncodedTable` stays itself.

        Parameters
        ----------
        data : EncodedTable, or table with the model's columns
            The class column is read if it is there.

        Returns
        -------
        EncodedTable

        Raises
        ------
        DataError
            If a column is not there, or an `EncodedTable` has it under other states, or a label
            is none of the classes.
        """
        if isinstance(data, EncodedTable):
            _require_same_states(data, self.attributes)
            return data
        frame = as_frame(data)
        has_target = self.target is not None and self.target.column in frame.columns
        table = EncodedTable.from_frame(frame, self.attributes, self.target if has_target else None)
        if self.target is not None and table.labels is not None:
            _require_known_labels(frame[self.target.column], self.target, table.labels)
        return table

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
        shares = self._possible_log_shares(data, engine)
        log_posterior: Floats = shares - log_sum_exp(shares, axis=1)[:, np.newaxis]
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
            Rows sum to 1; classes of equal joint get equal probabilities.

        Raises
        ------
        StructureError
            If the model has no class node.
        """
        log_shares = self._possible_log_shares(data, engine)
        shares: Floats = np.exp(log_shares - log_shares.max(axis=1, keepdims=True))
        posterior: Floats = shares / shares.sum(axis=1, keepdims=True)
        return posterior

    def _log_shares(self, table: EncodedTable, engine: Engine) -> Floats:
        """Return ln of what posteriors are proportional to: of the joint, if there is one.

        What all classes of a row have in common may be left out.
        """
        return self.log_joint(table, engine=engine)

    def _possible_log_shares(self, data: Any, engine: Engine) -> Floats:
        """Return the shares, or the prior where every class has probability 0."""
        if self.target is None:
            raise StructureError("the network has no class node, expected one for a posterior")
        log_shares = self._log_shares(self.encode(data), engine)
        lost = np.isnan(log_shares).any(axis=1)
        if lost.any():
            raise DataError(
                f"row {int(lost.argmax())}: densities are beyond double precision, expected "
                f"parameters and numbers nearer to each other"
            )
        impossible = np.isneginf(log_shares).all(axis=1)
        if impossible.any():
            log_shares[impossible] = self._log_prior()
        return log_shares

    def _log_prior(self) -> Floats:
        """Return ln P(y): the shares of a row of which nothing is known."""
        codes = np.full((1, len(self.attributes)), MISSING, dtype=np.int32)
        nothing = EncodedTable(self.attributes, codes)
        prior: Floats = self._log_shares(nothing, "graph")[0]
        return prior


class TwoEngineModel(JointModel):
    """A model that one compiled loop repeats: a graph walk defines its numbers.

    Subclasses give the graph walk and its compiled twin.
    """

    @abstractmethod
    def _walk(self, table: EncodedTable) -> Floats:
        """Return ln P(y, x) by the graph walk, of a table with the model's attributes."""

    @property
    @abstractmethod
    def _compiled(self) -> CompiledJoint:
        """The same as flat arrays."""

    def _by_engine(self, table: EncodedTable, engine: Engine) -> Floats:
        """Return the kernels' numbers, and the graph walk's where they have none."""
        if engine == "graph":
            return self._walk(table)
        if engine != "compiled":
            raise DataError(f"engine is {engine!r}, expected 'compiled' or 'graph'")
        result, left = self._compiled.log_mean(table)
        if left.any():
            result[left] = self._walk(table.rows(left))
        return result


def _require_known_labels(
    column: "pd.Series[Any]", target: Variable, labels: npt.NDArray[np.int32]
) -> None:
    unknown = column[(labels == MISSING) & column.notna().to_numpy()]
    if len(unknown):
        raise DataError(
            f"class {target.name!r}: found {unknown.iloc[0]!r}, expected one of {target.states!r}, "
            f"or a missing cell"
        )


def _require_same_states(table: EncodedTable, variables: tuple[Variable, ...]) -> None:
    found = {v.name: v for v in table.variables}
    for variable in variables:
        if variable.name not in found:
            raise DataError(f"no column {variable.name!r} in the table, found {list(found)!r}")
        if found[variable.name].kind != variable.kind:
            raise DataError(
                f"column {variable.name!r} is {found[variable.name].kind} in the table, "
                f"expected {variable.kind}"
            )
        if found[variable.name].states != variable.states:
            raise DataError(
                f"column {variable.name!r} is encoded under the states "
                f"{found[variable.name].states!r}, expected {variable.states!r}"
            )


def log_normalised(log_joint: Floats) -> Floats:
    """Return ln P(y | x), and -inf throughout where every class has probability 0.

    Parameters
    ----------
    log_joint : ndarray of shape (n_rows, n_classes), float64

    Returns
    -------
    ndarray of shape (n_rows, n_classes), float64

    Examples
    --------
    >>> import numpy as np
    >>> from bnclass.network.joint import log_normalised
    >>> log_normalised(np.array([[-7.0, -np.inf], [-np.inf, -np.inf]]))
    array([[  0., -inf],
           [-inf, -inf]])
    """
    evidence = log_sum_exp(log_joint, axis=1)[:, np.newaxis]
    return log_joint - np.where(np.isneginf(evidence), 0.0, evidence)


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
    >>> log_sum_exp(np.array([[0.0, 0.0], [-np.inf, -np.inf]]), axis=1)  # ln 2 and ln 0
    array([0.69314718,       -inf])
    """
    peak = logs.max(axis=axis, keepdims=True)
    peak = np.where(np.isneginf(peak), 0.0, peak)
    with np.errstate(divide="ignore"):
        total: Floats = np.log(np.exp(logs - peak).sum(axis=axis)) + peak.squeeze(axis)
    return total
