"""The protocol that every conditional distribution follows."""

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
import pandas as pd

from bnclass.data.variables import Variable

# By name: integer codes of a discrete variable, float64 numbers of a continuous one.
Values = Mapping[object, npt.NDArray[Any]]
Floats = npt.NDArray[np.float64]


@runtime_checkable
class Factor(Protocol):
    """One conditional distribution P(variable | parents), or density p(variable | parents).

    A factor is valid by construction and never changes. It sees neither graph nor score.
    Values are integer codes for discrete variables and float64 numbers for continuous ones.
    """

    @property
    def variable(self) -> Variable:
        """The child."""
        ...

    @property
    def parents(self) -> tuple[Variable, ...]:
        """The parents, the class first, then in column order."""
        ...

    @property
    def n_parameters(self) -> int:
        """Number of free parameters."""
        ...

    def log_prob(self, values: Values) -> Floats:
        """Return ln P(x | u), broadcast over the family's values, by name."""
        ...

    def sample(self, values: Values, rng: np.random.Generator) -> npt.NDArray[Any]:
        """Draw one value of the child for each row of the parents' values."""
        ...

    def describe(self) -> pd.DataFrame:
        """Return the distribution as a labelled frame."""
        ...
