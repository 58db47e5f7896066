"""Which rows are tested in which fold of which round."""

import re
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bnclass.data.codes import Codes
from bnclass.data.memory import require_memory
from bnclass.exceptions import BnclassError, DataError


@dataclass(frozen=True)
class Resampling:
    """Repeated stratified cross-validation: every row is tested once in each round.

    Parameters
    ----------
    rounds : int
        At least 1.
    folds : int
        At least 2.

    Examples
    --------
    >>> from bnclass.evaluate.experiment.resampling import Resampling
    >>> Resampling.of("5x2")
    Resampling(rounds=5, folds=2)
    >>> str(Resampling.of(10))
    '1x10'
    """

    rounds: int
    folds: int

    def __post_init__(self) -> None:
        for name, least in (("rounds", 1), ("folds", 2)):
            number = getattr(self, name)
            if not isinstance(number, int) or isinstance(number, bool) or number < least:
                raise BnclassError(
                    f"{name} is {number!r}, expected a whole number of at least {least}"
                )

    @classmethod
    def of(cls, resampling: Any) -> "Resampling":
        """Return what a text such as "10x10" or a number of folds means.

        Parameters
        ----------
        resampling : str, int or Resampling
            "10x3" is 10 rounds of 3 folds; 10 and "10" are one round of 10 folds.

        Returns
        -------
        Resampling

        Raises
        ------
        BnclassError
            If it is none of these, or a number is too small.
        """
        if isinstance(resampling, cls):
            return resampling
        found = re.fullmatch(r"(?:([0-9]{1,6})[x×])?([0-9]{1,6})", str(resampling))
        if not found or not isinstance(resampling, (str, int, np.integer)):
            raise BnclassError(
                f"resampling is {resampling!r}, expected rounds x folds, such as '10x10' or '5x2', "
                "or a number of folds"
            )
        return cls(int(found[1] or 1), int(found[2]))

    def __str__(self) -> str:
        return f"{self.rounds}x{self.folds}"

    def tested_in(self, codes: Codes, random_state: int) -> npt.NDArray[np.int32]:
        """Return the fold in which every row is tested, round by round.

        Parameters
        ----------
        codes : ndarray of int, shape (n_rows,)
            Of the classes: every fold has its share of each class, as far as there are enough
            rows of it.
        random_state : int
            More rounds with the same seed begin with the same rounds.

        Returns
        -------
        ndarray of int32, shape (n_rows, rounds)
            Folds count from 0.

        Raises
        ------
        DataError
            If no class has a row for each fold.
        MemoryLimitError
            If there are too many rounds.

        Examples
        --------
        >>> import numpy as np
        >>> from bnclass.evaluate.experiment.resampling import Resampling
        >>> folds = Resampling(5, 2).tested_in(np.array([0, 0, 1, 1]), random_state=0)
        >>> folds.shape, folds.sum(axis=0).tolist()
        ((4, 5), [2, 2, 2, 2, 2])
        """
        from sklearn.model_selection import RepeatedStratifiedKFold

        if np.bincount(codes).max() < self.folds:
            raise DataError(
                f"no class has more than {np.bincount(codes).max()} rows, expected one with a row "
                f"for each of {self.folds} folds"
            )
        require_memory(len(codes) * self.rounds, f"{self} folds of {len(codes)} rows")
        splitter = RepeatedStratifiedKFold(
            n_splits=self.folds, n_repeats=self.rounds, random_state=random_state
        )
        folds = np.empty((len(codes), self.rounds), dtype=np.int32)
        with warnings.catch_warnings():
            # Rare classes are in some folds only, which is the best that can be done.
            warnings.filterwarnings("ignore", message="The least populated class")
            for i, (_, tested) in enumerate(splitter.split(codes, codes)):
                folds[tested, i // self.folds] = i % self.folds
        return folds
