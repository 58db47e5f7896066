"""The protocol that every conditional distribution follows."""

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
import pandas as pd

from bnclass.data.variables import Variable

Codes = Mapping[object, npt.NDArray[np.integer]]
Floats = npt.NDArray[np.float64]


@runtime_checkable
class Factor(Protocol):
    """One conditional distribution P(variable | parents).

    A factor is valid by construction and never changes. It sees neither graph nor score.
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

    def log_prob(self, codes: Codes) -> Floats:
        """Return ln P(x | u), broadcast over the code arrays of the family, by name."""
        ...

    def sample(self, codes: Codes, rng: np.random.Generator) -> npt.NDArray[np.int32]:
        """Draw one code of the child for each row of the parents' codes."""
        ...

    def describe(self) -> pd.DataFrame:
        """Return the distribution as a labelled frame."""
        ...
