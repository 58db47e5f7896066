"""The domain of one discrete column, learned from training rows: states, cuts and fill."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from bnclass.data.codes import Codes, bin_codes, encode_column
from bnclass.data.columns import Floats, numeric_values, observed_states, value_kind
from bnclass.data.mdl import bin_labels, mdl_cuts
from bnclass.data.missing import states_and_fill
from bnclass.data.variables import Variable
from bnclass.exceptions import warn

_FEW_STATES = 20


@dataclass(frozen=True, eq=False)
class TrainingColumns:
    """What the domain of every column is learned by, besides its own cells.

    Parameters
    ----------
    labels : ndarray of shape (n_rows,), int32
        Class of each row.
    weights : ndarray of shape (n_rows,), float64
        Positive.
    missing : {"marginalize", "state", "impute", "error"}
    means : mapping of column name to float
        What stands in for missing numbers; columns that are not in it have nothing.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from bnclass.data.domains import TrainingColumns
    >>> training = TrainingColumns(np.zeros(3, np.int32), np.ones(3), "state", {})
    >>> training.states("size", pd.Series(["s", None, "l"])).states
    ('l', 's', 'missing')
    """

    labels: Codes
    weights: Floats
    missing: str
    means: Mapping[Hashable, float]

    # A column's own name may be numpy's integer where the user's is Python's.
    def states(self, name: Hashable, column: "pd.Series[Any]") -> Variable:
        """Return the variable of a column whose values are its states.

        Parameters
        ----------
        name : hashable
        column : pandas.Series of length n_rows

        Returns
        -------
        Variable
        """
        states = observed_states(column)
        _warn_of_key(name, column, len(states))
        _warn_of_numbers(name, column, states)
        codes = encode_column(column, Variable(name, states=states))
        states, fill = states_and_fill(self.missing, states, codes, self.weights)
        return Variable(name, states=states, fill=fill)

    def cut(self, name: Hashable, column: "pd.Series[Any]") -> Variable:
        """Return the variable of a column of numbers, cut into bins by MDL.

        Parameters
        ----------
        name : hashable
        column : pandas.Series of length n_rows

        Returns
        -------
        Variable
        """
        values, mean = numeric_values(column), self.means.get(name)
        if mean is not None:
            values = np.where(np.isnan(values), mean, values)
        cuts = mdl_cuts(values, self.labels, self.weights)
        fill = None if mean is None else int(bin_codes(np.array([mean]), cuts)[0])
        return Variable(name, states=bin_labels(cuts, values), cuts=cuts, fill=fill)


def _warn_of_key(name: Hashable, column: "pd.Series[Any]", n_states: int) -> None:
    """Warn of a column that looks like a key: nearly every row has a value of its own."""
    declared = isinstance(column.dtype, pd.CategoricalDtype)
    if not declared and n_states > max(_FEW_STATES, len(column) / 2):
        warn(
            f"column {name!r} has {n_states} different values in {len(column)} rows, each a state "
            f"of its own; leave it out if it is a key"
        )


def _warn_of_numbers(
    name: Hashable, column: "pd.Series[Any]", states: tuple[Hashable, ...]
) -> None:
    """Warn of a column of objects that are many different numbers."""
    objects = column.dtype == object and len(states) > _FEW_STATES
    if objects and value_kind(column) == "number":
        warn(
            f"column {name!r} holds {len(states)} different numbers as objects, each a state of "
            f"its own; convert it (astype(float)) if they are amounts"
        )
