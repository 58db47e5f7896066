"""KST: the k-dependence spanning tree of all rows, averaged with the one of each row."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from bnclass.classifiers.base import BayesianNetworkClassifier, Floats
from bnclass.classifiers.numeric import require_numbers
from bnclass.data.encoder import TableEncoder
from bnclass.data.frames import as_frame
from bnclass.data.table import EncodedTable
from bnclass.exceptions import BnclassError
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.network.ensemble import Average, NetworkEnsemble, positive_weights
from bnclass.network.joint import JointModel
from bnclass.network.local import LocalMember
from bnclass.network.local_gaussian import LocalGaussianMember
from bnclass.network.row_member import RowMember
from bnclass.network.rowwise import RowwiseEnsemble
from bnclass.statistics.smoothing import Smoothing
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.statistics.triples import Dependence, are_numbers
from bnclass.structure.constraints import Constraints
from bnclass.structure.kst import KSTLearner

Members = Literal["both", "global", "local"]

_ROWS_A_STEP = 1024


class KST(BayesianNetworkClassifier):
    """KST: a network of all rows averaged with one that is made for each row.

    Both are k-dependence spanning trees: the attribute of largest correlation comes first,
    and every other depends on the class and on the k earlier ones that leave the least
    dependence between it and the others. The local one measures the values of its row.

    Parameters
    ----------
    k : int, default=2
        Attribute parents at most; 0 is naive Bayes.
    members : {"both", "global", "local"}, default="both"
        What answers: the network of all rows, the one made for the row, or their average.
    dependence : {"class-conditional", "pairwise"}, default="class-conditional"
        What measures the dependence that a parent leaves open: I(X_i; X_l | X_p, Y), which
        the derivation (eqs. 9 and 10) asks for, or I(X_i; X_l | X_p), eq. 11 to the letter.
    weights : sequence of two floats, default=(0.5, 0.5)
        Of the global and the local member; positive. Only their ratio matters.
    average : {"joint", "posterior"}, default="joint"
        What is averaged: P(y, x), or P(y | x); then there is no joint.
    smoothing : float, MEstimate, Laplace or BDeu, default=1.0
        How counts become probabilities; a number is the m of the m-estimate. The local
        measures always take Laplace estimates.
    continuous : "mdl", "gaussian" or transformer, default="mdl"
        How numbers become states: MDL cuts learned inside `fit`, or a transformer that
        returns one discrete column for each numeric one. With "gaussian" they stay numbers,
        and all columns must be numbers.
    categorical_features : "from_dtype", "all", mask or sequence of names, default="from_dtype"
        Columns to take as discrete whatever their dtype; bool, text, category and object
        columns always are.
    missing : {"marginalize", "state", "impute", "error"}, default="marginalize"
        Missing cells are summed out, and take no part in the row's local network; or get a
        state of their own; or become the mode or mean; or are refused.
    unknown : {"missing", "error"}, default="missing"
        In a row to predict, a value not seen in training counts as a missing cell, or is
        refused.
    verbose : int, default=0
        Above 0, long predictions show a progress bar.
    constraints : Constraints, optional
        Arcs between attributes that must be in both networks, and arcs that may not. The
        network of a row keeps what they say of the attributes that the row has.

    Attributes
    ----------
    ensemble_ : RowwiseEnsemble, or NetworkEnsemble with ``members="global"``
        Holds the global network, and knows that the local one is made for each row.
    classes_ : ndarray of shape (n_classes,)
        Class labels in sorted order, in the dtype of y.
    schema_ : Schema
        The variables of the model.
    missing_counts_ : dict of column name to int
        Training cells that were missing; columns without any are not in it.
    unknown_counts_ : dict of column name to int
        Likewise, cells of rows to predict that held values not seen in training, since `fit`.

    Notes
    -----
    The counts behind a local network are those of the training rows, which the model
    therefore keeps, and `save` writes: the distinct ones, encoded, with their weights.

    The figures that the paper prints are nearest with ``dependence="pairwise"`` and
    ``average="posterior"``, as `reproduce` takes it.

    References
    ----------
    A novel approach to fully representing the diversity in conditional dependencies for
    learning Bayesian network classifier.

    Examples
    --------
    >>> from bnclass import KST, load_dataset
    >>> X, y = load_dataset("monks-1")
    >>> model = KST(k=1).fit(X, y)
    >>> model.ensemble_
    RowwiseEnsemble(networks=1, local=LocalMember(k=1, dependence='class-conditional'))
    >>> model.network_at(X.iloc[0])
    BayesianNetwork(class_node='class', nodes=7, arcs=11, parameters=71)
    """

    ensemble_: RowwiseEnsemble | NetworkEnsemble

    def __init__(
        self,
        k: int = 2,
        members: Members = "both",
        dependence: Dependence = "class-conditional",
        weights: Sequence[float] = (0.5, 0.5),
        average: Average = "joint",
        *,
        smoothing: Any = 1.0,
        continuous: Any = "mdl",
        categorical_features: Any = "from_dtype",
        missing: str = "marginalize",
        unknown: str = "missing",
        verbose: int = 0,
        constraints: Constraints | None = None,
    ) -> None:
        super().__init__(
            smoothing=smoothing,
            continuous=continuous,
            categorical_features=categorical_features,
            missing=missing,
            unknown=unknown,
        )
        self.k = k
        self.members = members
        self.dependence = dependence
        self.weights = weights
        self.average = average
        self.verbose = verbose
        self.constraints = constraints

    @property
    def _averages(self) -> Average:
        return self.average

    @property
    def _model(self) -> JointModel:
        return self.ensemble_

    @property
    def _keeps_numbers(self) -> bool:
        return isinstance(self.continuous, str) and self.continuous == "gaussian"

    def _checked_frame(self, X: Any, *, reset: bool = False) -> pd.DataFrame:
        frame = super()._checked_frame(X, reset=reset)
        # Numbers in a column of objects can be nothing else where all columns are numbers.
        return frame.infer_objects() if self._keeps_numbers else frame

    def _learner(self) -> KSTLearner:
        return KSTLearner(self.k, self.dependence, self._constraints)

    def _encoder(self) -> TableEncoder:
        self._require_choices()
        return super()._encoder()

    def _require_choices(self) -> None:
        """Refuse parameters before any row is read."""
        for name, choices in (("members", get_args(Members)), ("average", get_args(Average))):
            value = getattr(self, name)
            if not (isinstance(value, str) and value in choices):
                raise BnclassError(f"{name} is {value!r}, expected one of {choices!r}")
        positive_weights(self.weights, 2)
        self._learner()  # refuses what is no k and no dependence

    def _learn(self, statistics: SufficientStatistics, smoothing: Smoothing) -> None:
        if self._keeps_numbers:
            instead = "continuous='mdl', which makes states of numbers"
            require_numbers(statistics, "KST with continuous='gaussian'", instead)
        networks = []
        if self.members != "local":
            structure = self._learner().learn(statistics)
            networks = [BayesianNetwork.fit(structure, statistics, smoothing)]
        if self.members == "global":
            self.ensemble_ = NetworkEnsemble(networks, average=self.average)
            return
        weights = self.weights if self.members == "both" else None
        local = self._local(statistics, smoothing)
        self.ensemble_ = RowwiseEnsemble(networks, local, weights, self.average)

    def _local(self, statistics: SufficientStatistics, smoothing: Smoothing) -> RowMember:
        """Return the local member on the distinct rows, as a loaded model has it to the bit."""
        member = LocalGaussianMember if are_numbers(statistics) else LocalMember
        local = member(statistics, smoothing, self.k, self.dependence, self._constraints)
        return replace(local, statistics=SufficientStatistics.from_table(local.distinct_rows))

    def _answers(self, ask: Callable[[EncodedTable], Floats], table: EncodedTable) -> Floats:
        if not self.verbose or len(table) <= _ROWS_A_STEP:
            return ask(table)
        from tqdm import tqdm

        parts = []
        with tqdm(total=len(table), desc=type(self).__name__, unit="row") as bar:
            for begin in range(0, len(table), _ROWS_A_STEP):
                rows = np.arange(begin, min(begin + _ROWS_A_STEP, len(table)))
                parts.append(ask(table.rows(rows)))
                bar.update(len(rows))
        return np.concatenate(parts)

    def network_at(self, row: Any) -> BayesianNetwork:
        """Return the network that is made for one row.

        Parameters
        ----------
        row : table of one row, pandas.Series, mapping of name to value, or sequence of values
            Raw, as for `predict`. Columns of a Series or a mapping are found by name, a
            sequence has them in the order of training.

        Returns
        -------
        BayesianNetwork
            Over the class and the attributes that the row has: where a cell is missing, or
            holds a value not seen in training, the attribute is not in it.

        Raises
        ------
        BnclassError
            If it is not one row of the model's columns, or with ``members="global"``.

        Examples
        --------
        >>> from bnclass import KST, load_dataset
        >>> model = KST(k=1).fit(*load_dataset("monks-1"))
        >>> row = {"a1": "1", "a2": "1", "a3": None, "a4": None, "a5": "1", "a6": None}
        >>> model.network_at(row).structure.attributes
        ('a1', 'a2', 'a5')
        """
        check_is_fitted(self)
        if not isinstance(self.ensemble_, RowwiseEnsemble):
            raise BnclassError(
                f"members is {self.members!r}, which makes no network for a row, expected "
                f"'both' or 'local'; the network of all rows is ensemble_[0]"
            )
        frame = _one_row(row, self.encoder_.columns_)
        table = self.encoder_.transform(frame.infer_objects() if self._keeps_numbers else frame)
        return self.ensemble_.network_at(self.ensemble_.local.cells(table)[0])


def _one_row(row: Any, columns: Sequence[Any]) -> pd.DataFrame:
    """Return one raw row, however it comes, as a frame."""
    if hasattr(row, "columns"):
        frame = as_frame(row)
    elif isinstance(row, (pd.Series, Mapping)):
        cells = dict(row.items())
        names = list(columns if cells.keys() == set(columns) else cells)
        frame = as_frame([[cells[name] for name in names]]).set_axis(names, axis=1)
    elif isinstance(row, str) or not isinstance(row, Iterable):
        raise BnclassError(f"row is {row!r}, expected the cells of a row, such as X.iloc[0]")
    else:
        values = list(row)
        frame = as_frame([values] if np.ndim(values) == 1 else values)
        if frame.shape[1] != len(columns):
            raise BnclassError(f"found a row of {frame.shape[1]} values, expected {len(columns)}")
        frame = frame.set_axis(list(columns), axis=1)
    if len(frame) != 1:
        raise BnclassError(f"found {len(frame)} rows, expected one")
    return frame
