"""Tests of two methods: over data sets, and on one by 5×2 cross-validation."""

import math
from collections.abc import Hashable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import fdtrc

from bnclass.evaluate.losses import SLACK, Floats, numbers_of, refuse_cells, tied_ranks, two_of
from bnclass.exceptions import DataError

NO_DIFFERENCE = "there is no difference anywhere"
CONSTANT = "the differences are the same in both folds of every round"


@dataclass(frozen=True)
class WilcoxonResult:
    """Wilcoxon's test of two methods by the signed ranks of their differences.

    Attributes
    ----------
    statistic : float
        T, the smaller of the two rank sums.
    rank_sum, other_rank_sum : float
        Sums of the ranks of the differences in favour of the method (its loss is lower), and
        of the other one. Each has half of the ranks of zero differences.
    z : float
        T as [D] takes it for normal; 0 without any difference.
    p_value : float
        Two-sided and exact, for these ranks, ties and zeros.
    n_used, n_zero : int
        Data sets whose ranks count, and how many of all differ in nothing. If these are odd in
        number, one of them does not count.
    note : str
        "there is no difference anywhere", where that is so, or "". The p-value is 1 then.

    Examples
    --------
    >>> from bnclass import published_table, wilcoxon_test
    >>> losses = published_table("kst_zero_one_loss").losses
    >>> wilcoxon_test(losses, "ATAN", "TAN").to_frame().round(3)
       statistic  rank_sum  other_rank_sum      z  p_value  n_used  n_zero note
    0      276.0     276.0           504.0 -1.591    0.094      39      19
    """

    statistic: float
    rank_sum: float
    other_rank_sum: float
    z: float
    p_value: float
    n_used: int
    n_zero: int
    note: str

    def to_frame(self) -> pd.DataFrame:
        """Return the fields as a frame of one row."""
        return pd.DataFrame([asdict(self)])


@dataclass(frozen=True)
class FiveByTwoResult:
    """The 5×2cv F test of two methods on one data set.

    Attributes
    ----------
    statistic : float
        f, on (10, 5) degrees of freedom.
    p_value : float
    mean_difference : float
        Mean of the other's loss less the method's: above 0 the method is better.
    note : str
        What is special, or "". Without any difference f counts as 0 and p as 1. Where the
        differences are the same in both folds of every round, but not 0, f is inf and p 0.

    Examples
    --------
    >>> from bnclass import five_by_two_test
    >>> five_by_two_test([[0.1, 0.2]] * 5, [[0.1, 0.2]] * 5).to_frame()
       statistic  p_value  mean_difference                             note
    0        0.0      1.0              0.0  there is no difference anywhere
    """

    statistic: float
    p_value: float
    mean_difference: float
    note: str

    def to_frame(self) -> pd.DataFrame:
        """Return the fields as a frame of one row."""
        return pd.DataFrame([asdict(self)])


def wilcoxon_test(losses: pd.DataFrame, method: Hashable, other: Hashable) -> WilcoxonResult:
    """Test whether two methods differ, by the signed ranks of the differences of their losses.

    Ranks of zero differences are split evenly between the two; if they are odd in number, one
    is left out first [D]. The p-value is exact: every other rank is in favour of one or the
    other with probability ½. Two differences are equal, or zero, if they are so up to one part
    in 2⁴⁰ of the greatest loss.

    Parameters
    ----------
    losses : DataFrame of shape (n_datasets, n_methods)
        Rows are data sets, columns methods; lower is better. Of columns other than the two,
        anything goes.
    method, other : hashable
        Names of two columns.

    Returns
    -------
    WilcoxonResult

    Raises
    ------
    DataError
        If a loss is missing or infinite, there is no data set, or no such method.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import wilcoxon_test
    >>> frame = pd.DataFrame({"A": [0.1, 0.1, 0.1, 0.3], "B": [0.2, 0.3, 0.4, 0.3]})
    >>> result = wilcoxon_test(frame, "A", "B")
    >>> result.rank_sum, result.other_rank_sum, result.p_value
    (6.0, 0.0, 0.25)
    """
    table = two_of(losses, method, other)
    one, two = _finite(table).T
    differences = two - one
    slack = SLACK * float(np.abs(table.to_numpy()).max())
    zero = np.abs(differences) <= slack
    n_zero = int(zero.sum())
    differences = np.concatenate([np.zeros(n_zero - n_zero % 2), differences[~zero]])
    # The zeros are first now, and so are their ranks.
    ranks = tied_ranks(np.abs(differences), slack)
    half = float(ranks[differences == 0].sum()) / 2
    ours, theirs = (half + float(ranks[s * differences > 0].sum()) for s in (1, -1))
    n = len(differences)
    return WilcoxonResult(
        statistic=min(ours, theirs),
        rank_sum=ours,
        other_rank_sum=theirs,
        z=_z(min(ours, theirs), n),
        p_value=_two_sided(ranks[differences != 0], min(ours, theirs) - half),
        n_used=n,
        n_zero=n_zero,
        note=NO_DIFFERENCE if zero.all() else "",
    )


def five_by_two_test(losses: Any, other_losses: Any) -> FiveByTwoResult:
    """Test whether two methods differ on one data set, by 5×2 cross-validation [5x2].

    With p_ij the difference of the losses in fold j of round i, and s_i² the sum of their
    squared distances from the round's mean, f = Σ_i Σ_j p_ij² / (2 Σ_i s_i²). Differences that
    are equal up to one part in 2⁴⁰ of the greatest loss are equal.

    Parameters
    ----------
    losses, other_losses : array-like of shape (5, 2)
        The loss of each method in the two folds of the five rounds: the same folds for both.

    Returns
    -------
    FiveByTwoResult

    Raises
    ------
    DataError
        If a shape is another one, or a loss is missing or infinite.

    Examples
    --------
    >>> from bnclass import five_by_two_test
    >>> other = [[0.3, 0.2], [0.25, 0.3], [0.3, 0.25], [0.2, 0.25], [0.25, 0.25]]
    >>> five_by_two_test([[0.2, 0.2]] * 5, other).to_frame().round(3)
       statistic  p_value  mean_difference note
    0      2.429     0.17            0.055
    """
    one, two = _folds(losses, "losses"), _folds(other_losses, "other_losses")
    differences = two - one
    mean, slack = float(differences.mean()), SLACK * float(np.abs([one, two]).max())
    if (np.abs(differences) <= slack).all():
        return FiveByTwoResult(0.0, 1.0, 0.0, NO_DIFFERENCE)
    first, second = differences.T
    if (np.abs(first - second) <= slack).all():
        return FiveByTwoResult(math.inf, 0.0, mean, CONSTANT)
    # Of two numbers, s² is half the square of their difference.
    statistic = float((differences**2).sum() / ((first - second) ** 2).sum())
    return FiveByTwoResult(statistic, float(fdtrc(10, 5, statistic)), mean, "")


def _z(statistic: float, n: int) -> float:
    if not n:
        return 0.0
    return (statistic - n * (n + 1) / 4) / math.sqrt(n * (n + 1) * (2 * n + 1) / 24)


def _two_sided(ranks: Floats, smaller: float) -> float:
    """Return the probability of a rank sum as far from the middle as the smaller one.

    Twice the ranks are whole numbers: `chances` has the distribution of their sum.
    """
    steps = np.rint(2 * ranks).astype(np.int64)
    chances: npt.NDArray[np.float64] = np.zeros(int(steps.sum()) + 1)
    chances[0] = 1.0
    for step in steps:
        chances[step:] += chances[:-step].copy()
        chances /= 2
    return min(1.0, 2 * float(chances[: round(2 * smaller) + 1].sum()))


def _finite(table: pd.DataFrame) -> Floats:
    cells = table.to_numpy()
    refuse_cells(table, ~np.isfinite(cells), "a finite one: differences are ranked")
    return cells


def _folds(losses: Any, what: str) -> Floats:
    cells = numbers_of(losses, what)
    if cells.shape != (5, 2):
        raise DataError(f"{what} has the shape {cells.shape}, expected 5 rounds of 2 folds")
    rounds, folds = np.nonzero(~np.isfinite(cells))
    if rounds.size:
        raise DataError(
            f"{what}, round {rounds[0]}, fold {folds[0]}: found {cells[rounds[0], folds[0]]}, "
            "expected a finite loss"
        )
    return cells
