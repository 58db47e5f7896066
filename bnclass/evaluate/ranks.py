"""Average ranks over data sets, and the tests that stand on them [D]."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import scipy.stats
from scipy.special import chdtrc, fdtrc

from bnclass.evaluate.losses import checked_losses, real, row_ranks
from bnclass.exceptions import BnclassError

# scipy makes its distributions at import, where type checkers do not see them.
studentized_range: Any = vars(scipy.stats)["studentized_range"]

ALL_EQUAL = "all methods are equal on every data set"
PERFECT = "all data sets rank the methods alike"


@dataclass(frozen=True, eq=False)
class FriedmanResult:
    """Friedman's test of whether all methods are alike, and Iman and Davenport's form of it.

    Attributes
    ----------
    statistic : float
        χ²_F, corrected for ties.
    df : int
        Its degrees of freedom, k - 1.
    p_value : float
        By the χ² distribution.
    iman_davenport : float
        F_F = (N - 1) χ²_F / (N (k - 1) - χ²_F).
    iman_davenport_df : tuple of two int
        k - 1 and (k - 1)(N - 1).
    iman_davenport_p_value : float
        By the F distribution.
    n_methods, n_datasets : int
        k and N.
    note : str
        What is special, or "". Where all methods are equal on every data set, both statistics
        count as 0 and both p-values as 1; where all data sets rank the methods alike, F_F is
        inf and its p-value 0.

    Examples
    --------
    >>> from bnclass import friedman_test, published_table
    >>> friedman_test(published_table("kst_bias").losses).to_frame().round(3)
                 test  statistic  df  df_within  p_value note
    0        Friedman     73.558   7       <NA>      0.0
    1  Iman-Davenport     13.896   7        273      0.0
    """

    statistic: float
    df: int
    p_value: float
    iman_davenport: float
    iman_davenport_df: tuple[int, int]
    iman_davenport_p_value: float
    n_methods: int
    n_datasets: int
    note: str

    def to_frame(self) -> pd.DataFrame:
        """Return both tests as rows: test, statistic, df, df_within, p_value, note."""
        between, within = self.iman_davenport_df
        return pd.DataFrame(
            {
                "test": ["Friedman", "Iman-Davenport"],
                "statistic": [self.statistic, self.iman_davenport],
                "df": [self.df, between],
                "df_within": pd.array([None, within], dtype="Int64"),
                "p_value": [self.p_value, self.iman_davenport_p_value],
                "note": [self.note] * 2,
            }
        )


@dataclass(frozen=True, eq=False)
class NemenyiResult:
    """Which methods differ by more than Nemenyi's critical difference of average ranks.

    Attributes
    ----------
    average_ranks : Series of shape (n_methods,)
        Best first; equal ranks in the order of the columns.
    critical_difference : float
    alpha : float
    n_datasets : int
    p_values : DataFrame of shape (n_methods, n_methods)
        Of every two methods, in the order of `average_ranks`.
    groups : tuple of tuple of hashable
        The largest sets of two or more methods next to each other in rank, none of which
        differ: the bars of a critical-difference diagram. Best first.

    Examples
    --------
    >>> from bnclass import nemenyi_test, published_table
    >>> result = nemenyi_test(published_table("kst_bias").losses)
    >>> result
    NemenyiResult(KST 2.9, KDB 3.8, AODE 3.8625, TAN 4.225, ATAN 4.225, KNN 4.625, NB 5.2625,
                  SVM 7.1; critical difference 1.6601 at 0.05, 40 data sets)
    >>> result.groups
    (('KST', 'KDB', 'AODE', 'TAN', 'ATAN'), ('KDB', 'AODE', 'TAN', 'ATAN', 'KNN', 'NB'))
    >>> result.to_frame().tail(1)
       method other  rank_difference   p_value  differs
    27     NB   SVM           1.8375  0.018081     True
    """

    average_ranks: "pd.Series[float]"
    critical_difference: float
    alpha: float
    n_datasets: int
    p_values: pd.DataFrame
    groups: tuple[tuple[Any, ...], ...]

    def to_frame(self) -> pd.DataFrame:
        """Return a row for every two methods, the better ranked one first."""
        names, ranks = self.average_ranks.index, self.average_ranks.to_numpy()
        better, other = np.triu_indices(len(names), 1)
        gaps = ranks[other] - ranks[better]
        return pd.DataFrame(
            {
                "method": names[better],
                "other": names[other],
                "rank_difference": gaps,
                "p_value": self.p_values.to_numpy()[better, other],
                "differs": gaps > self.critical_difference,
            }
        )

    def __repr__(self) -> str:
        ranks = ", ".join(f"{name} {rank:.6g}" for name, rank in self.average_ranks.items())
        return (
            f"NemenyiResult({ranks}; critical difference {self.critical_difference:.4f} at "
            f"{self.alpha:g}, {self.n_datasets} data sets)"
        )


def average_ranks(losses: pd.DataFrame) -> "pd.Series[float]":
    """Return the mean rank of every method over the data sets; 1 is the best.

    Parameters
    ----------
    losses : DataFrame of shape (n_datasets, n_methods)
        Rows are data sets, columns methods; lower is better. Losses that are equal up to one
        part in 2⁴⁰ share the mean of their ranks.

    Returns
    -------
    Series of shape (n_methods,), float64
        In the order of the columns. The ranks sum to k(k + 1)/2 for k methods.

    Raises
    ------
    DataError
        If a loss is missing, or there are fewer than two methods or no data set.

    Examples
    --------
    >>> from bnclass import average_ranks, published_table
    >>> average_ranks(published_table("kst_zero_one_loss").losses)["KST"]  # printed: 2.5250
    np.float64(2.625)
    """
    return row_ranks(checked_losses(losses)).mean().rename("average_rank")


def friedman_test(losses: pd.DataFrame) -> FriedmanResult:
    """Test whether all methods are alike, by their ranks on every data set.

    Parameters
    ----------
    losses : DataFrame of shape (n_datasets, n_methods)
        As for `average_ranks`. With two methods it is allowed, but `wilcoxon_test` sees more.

    Returns
    -------
    FriedmanResult

    Raises
    ------
    DataError
        If a loss is missing, or there are fewer than two methods or two data sets.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import friedman_test
    >>> frame = pd.DataFrame({"A": [0.1, 0.1, 0.3], "B": [0.2, 0.2, 0.2], "C": [0.3, 0.4, 0.4]})
    >>> result = friedman_test(frame)
    >>> round(result.statistic, 6), round(result.iman_davenport, 6)
    (4.666667, 7.0)
    """
    table = checked_losses(losses, min_datasets=2)
    n, k = table.shape
    # Twice the ranks are whole numbers, so that nothing below is rounded but the last division.
    ranks = np.rint(2 * row_ranks(table).to_numpy()).astype(np.int64)
    between = int(((ranks.sum(axis=0) - n * (k + 1)) ** 2).sum())
    total = int(((ranks - (k + 1)) ** 2).sum())
    df = (k - 1, (k - 1) * (n - 1))
    if not total:
        return FriedmanResult(0.0, k - 1, 1.0, 0.0, df, 1.0, k, n, ALL_EQUAL)
    statistic = (k - 1) * between / total
    within = n * total - between
    quotient = (n - 1) * between / within if within else math.inf
    return FriedmanResult(
        statistic=statistic,
        df=k - 1,
        p_value=float(chdtrc(k - 1, statistic)),
        iman_davenport=quotient,
        iman_davenport_df=df,
        iman_davenport_p_value=float(fdtrc(*df, quotient)) if within else 0.0,
        n_methods=k,
        n_datasets=n,
        note="" if within else PERFECT,
    )


def nemenyi_quantile(n_methods: int, alpha: float = 0.05) -> float:
    """Return q_α: the studentised range's upper quantile at infinite df, over √2.

    Parameters
    ----------
    n_methods : int
        At least 2.
    alpha : float, default=0.05
        Between 0 and 1.

    Returns
    -------
    float

    Raises
    ------
    BnclassError
        If a parameter is out of range.

    Examples
    --------
    >>> from bnclass import nemenyi_quantile
    >>> [round(nemenyi_quantile(k), 3) for k in (2, 5, 10)]
    [1.96, 2.728, 3.164]
    """
    _whole(n_methods, "n_methods")
    if not real(alpha) or not 0 < alpha < 1:
        raise BnclassError(f"alpha is {alpha!r}, expected a number between 0 and 1")
    return float(studentized_range.ppf(1 - alpha, n_methods, np.inf)) / math.sqrt(2)


def critical_difference(n_methods: int, n_datasets: int, alpha: float = 0.05) -> float:
    """Return Nemenyi's critical difference of average ranks, q_α √(k(k + 1) / (6N)).

    Parameters
    ----------
    n_methods, n_datasets : int
        k and N, at least 2.
    alpha : float, default=0.05

    Returns
    -------
    float

    Raises
    ------
    BnclassError
        If a parameter is out of range.

    Examples
    --------
    >>> from bnclass import critical_difference
    >>> round(critical_difference(8, 40), 4)
    1.6601
    """
    _whole(n_datasets, "n_datasets")
    return nemenyi_quantile(n_methods, alpha) * _standard_error(n_methods, n_datasets)


def nemenyi_test(losses: pd.DataFrame, alpha: float = 0.05) -> NemenyiResult:
    """Compare every two methods by their average ranks, after `friedman_test` found a difference.

    Parameters
    ----------
    losses : DataFrame of shape (n_datasets, n_methods)
        As for `average_ranks`.
    alpha : float, default=0.05

    Returns
    -------
    NemenyiResult

    Raises
    ------
    DataError
        If a loss is missing, or there are fewer than two methods or two data sets.
    BnclassError
        If `alpha` is not between 0 and 1.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import nemenyi_test
    >>> frame = pd.DataFrame({"A": [0.1] * 9, "B": [0.2] * 9})
    >>> nemenyi_test(frame)
    NemenyiResult(A 1, B 2; critical difference 0.6533 at 0.05, 9 data sets)
    """
    table = checked_losses(losses, min_datasets=2)
    n, k = table.shape
    ranks = average_ranks(table).sort_values(kind="stable")
    difference = critical_difference(k, n, alpha)
    return NemenyiResult(
        ranks, difference, alpha, n, _p_values(ranks, n), _groups(ranks, difference)
    )


def _standard_error(k: int, n: int) -> float:
    return math.sqrt(k * (k + 1) / (6 * n))


def _p_values(ranks: "pd.Series[float]", n: int) -> pd.DataFrame:
    k, values = len(ranks), ranks.to_numpy()
    gaps = np.abs(values[:, None] - values[None, :])
    distinct, places = np.unique(gaps, return_inverse=True)
    ranges = distinct * math.sqrt(2) / _standard_error(k, n)
    # The integral behind it is 1 at 0 but for its own error.
    tails = np.where(distinct > 0, np.clip(studentized_range.sf(ranges, k, np.inf), 0, 1), 1.0)
    return pd.DataFrame(tails[places].reshape(k, k), ranks.index, ranks.index)


def _groups(ranks: "pd.Series[float]", difference: float) -> tuple[tuple[Any, ...], ...]:
    values, names = ranks.to_numpy(), ranks.index.tolist()
    groups: list[tuple[Any, ...]] = []
    reached = 0
    for start in range(len(values)):
        end = int(np.sum(values - values[start] <= difference))
        if end > reached and end - start > 1:
            groups.append(tuple(names[start:end]))
        reached = max(reached, end)
    return tuple(groups)


def _whole(number: Any, name: str) -> None:
    if not isinstance(number, (int, np.integer)) or isinstance(number, bool) or number < 2:
        raise BnclassError(f"{name} is {number!r}, expected a whole number of at least 2")
