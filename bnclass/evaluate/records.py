"""Wins, draws and losses over data sets, and what they say."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import bdtrc

from bnclass.evaluate.losses import SLACK, Floats, checked_losses, real, refuse_cells, two_of
from bnclass.exceptions import BnclassError, DataError


@dataclass(frozen=True, eq=False)
class WinDrawLoss:
    """How often each method wins, draws and loses against each other one.

    Attributes
    ----------
    wins, draws : DataFrame of shape (n_methods, n_methods), int64
        Number of data sets on which the method of the row wins over, or draws with, that of
        the column. A method draws with itself everywhere.
    margin : float
        How far below the other's loss a win must be, over that loss.
    n_datasets : int

    Examples
    --------
    >>> from bnclass import published_table, win_draw_loss
    >>> record = win_draw_loss(published_table("kst_zero_one_loss").losses[["NB", "TAN", "KST"]])
    >>> record
    WinDrawLoss(3 methods, 40 data sets, margin 0.05)
    >>> record.to_matrix()
             NB      TAN      KST
    NB           11/8/21   5/9/26
    TAN  21/8/11           2/9/29
    KST   26/9/5   29/9/2
    >>> record.to_frame().tail(1)
      method against  wins  draws  losses  goal_difference       p_value
    5    KST     TAN    29      9       2               27  2.314337e-07
    """

    wins: pd.DataFrame
    draws: pd.DataFrame
    margin: float
    n_datasets: int

    @property
    def losses(self) -> pd.DataFrame:
        """Number of data sets on which the method of the row loses against the column's."""
        return self.wins.T

    @property
    def goal_differences(self) -> pd.DataFrame:
        """Wins less losses of the row against the column."""
        return self.wins - self.wins.T

    @property
    def p_values(self) -> pd.DataFrame:
        """One-tailed `sign_test` of whether the row is better than the column."""
        wins = self.wins.to_numpy()
        tests = [list(map(sign_test, won, lost)) for won, lost in zip(wins, wins.T, strict=True)]
        return pd.DataFrame(tests, self.wins.index, self.wins.columns)

    def record(self, method: Hashable, against: Hashable) -> tuple[int, int, int]:
        """Return the wins, draws and losses of a method against another one.

        Parameters
        ----------
        method, against : hashable

        Returns
        -------
        tuple of three int

        Raises
        ------
        DataError
            If there is no such method.
        """
        for name in (method, against):
            if name not in self.wins.columns:
                known = ", ".join(map(repr, self.wins.columns))
                raise DataError(f"there is no method {name!r}, expected one of {known}")
        row, column = (self.wins.columns.get_loc(name) for name in (method, against))
        wins = self.wins.to_numpy()
        draws = int(self.draws.to_numpy()[row, column])
        return int(wins[row, column]), draws, int(wins[column, row])

    def to_matrix(self) -> pd.DataFrame:
        """Return the records as text, "wins/draws/losses" of the row against the column."""
        names = self.wins.columns
        cells = [
            ["" if a == b else "{}/{}/{}".format(*self.record(a, b)) for b in names] for a in names
        ]
        return pd.DataFrame(cells, index=names, columns=names)

    def to_frame(self) -> pd.DataFrame:
        """Return a row for every two methods, in both orders."""
        names = self.wins.columns
        rows = []
        for a, b in ((a, b) for a in names for b in names if a != b):
            wins, draws, losses = self.record(a, b)
            rows.append((a, b, wins, draws, losses, wins - losses, sign_test(wins, losses)))
        columns = ["method", "against", "wins", "draws", "losses", "goal_difference", "p_value"]
        return pd.DataFrame(rows, columns=columns)

    def __repr__(self) -> str:
        return (
            f"WinDrawLoss({len(self.wins)} methods, {self.n_datasets} data sets, "
            f"margin {self.margin!r})"
        )


def win_draw_loss(losses: pd.DataFrame, margin: float = 0.05) -> WinDrawLoss:
    """Return how often each method wins, draws and loses against each other one.

    A method wins on a data set where its loss is below (1 - `margin`) times the other's, and
    loses where the other wins. At exactly that threshold, up to rounding, it is a draw.

    Parameters
    ----------
    losses : DataFrame of shape (n_datasets, n_methods)
        Rows are data sets, columns methods; lower is better. Infinite losses draw with each
        other and lose against all others.
    margin : float, default=0.05
        At least 0 and below 1. 0 counts all differences but those by rounding.

    Returns
    -------
    WinDrawLoss

    Raises
    ------
    DataError
        If a loss is missing or negative, of which no share can be taken, or there are fewer
        than two methods or no data set.
    BnclassError
        If the margin is out of range.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import win_draw_loss
    >>> frame = pd.DataFrame({"A": [0.10, 0.20, 0.30], "B": [0.20, 0.20, 0.31]})
    >>> win_draw_loss(frame).record("A", "B")
    (1, 2, 0)
    """
    table = checked_losses(losses)
    cells = _not_negative(table)
    wins = sum(_wins(row[:, None], row[None, :], margin).astype(np.int64) for row in cells)
    draws = len(cells) - wins - np.transpose(wins)
    names = table.columns
    return WinDrawLoss(
        pd.DataFrame(wins, names, names), pd.DataFrame(draws, names, names), margin, len(cells)
    )


def sign_test(wins: int, losses: int) -> float:
    """Return the probability of at least so many wins if each is as likely as a loss.

    The one-tailed binomial sign test. Draws are left out.

    Parameters
    ----------
    wins, losses : int

    Returns
    -------
    float
        1 where there are no wins; so without any win or loss, too.

    Raises
    ------
    BnclassError
        If a number is negative or not whole.

    Examples
    --------
    >>> from bnclass import sign_test
    >>> sign_test(3, 1)
    0.3125
    """
    for name, number in (("wins", wins), ("losses", losses)):
        if not isinstance(number, (int, np.integer)) or isinstance(number, bool) or number < 0:
            raise BnclassError(f"{name} is {number!r}, expected a whole number of at least 0")
    if wins == 0:
        return 1.0
    return float(bdtrc(int(wins) - 1, int(wins) + int(losses), 0.5))


def goal_difference_curve(
    losses: pd.DataFrame,
    method: Hashable,
    other: Hashable,
    sizes: "Mapping[Any, Any] | pd.Series[Any] | None" = None,
    margin: float = 0.05,
) -> pd.DataFrame:
    """Return wins less losses of one method against another, over data sets by their size.

    Parameters
    ----------
    losses : DataFrame of shape (n_datasets, n_methods)
        As for `win_draw_loss`. Of columns other than the two, anything goes.
    method, other : hashable
        Names of two columns.
    sizes : Series or dict, optional
        The number of rows of every data set, by name. Equal sizes keep the order of `losses`.
        By default the rows of `losses` are taken in their own order, in which [KST] has them
        by size.
    margin : float, default=0.05
        As for `win_draw_loss`.

    Returns
    -------
    DataFrame of shape (n_datasets, 4)
        Columns dataset, size (without `sizes`: not there), outcome (1 won, 0 drawn, -1 lost)
        and goal_difference, the sum of the outcomes so far.

    Raises
    ------
    DataError
        As `win_draw_loss`; or if there is no such method, or a data set has no size.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import goal_difference_curve
    >>> frame = pd.DataFrame({"A": [0.3, 0.1], "B": [0.2, 0.2]}, index=["wine", "iris"])
    >>> goal_difference_curve(frame, "A", "B", sizes={"iris": 150, "wine": 178})
      dataset  size  outcome  goal_difference
    0    iris   150        1                1
    1    wine   178       -1                0
    """
    table = two_of(losses, method, other)
    one, two = _not_negative(table).T
    outcomes = _wins(one, two, margin).astype(np.int64) - _wins(two, one, margin)
    curve = pd.DataFrame({"dataset": table.index, "outcome": outcomes})
    if sizes is not None:
        of_each = pd.Series(sizes, dtype=object).to_dict()
        curve.insert(1, "size", [_size(of_each, name) for name in table.index])
        curve = curve.sort_values("size", kind="stable", ignore_index=True)
    curve["goal_difference"] = curve["outcome"].cumsum()
    return curve


def _wins(one: Floats, two: Floats, margin: float) -> npt.NDArray[np.bool_]:
    """Return where a loss is more than the margin below another, by more than rounding."""
    if not real(margin) or not 0 <= margin < 1:
        raise BnclassError(f"margin is {margin!r}, expected a number of at least 0 and below 1")
    return np.asarray(one < (1 - margin - SLACK) * two)


def _not_negative(table: pd.DataFrame) -> Floats:
    cells = table.to_numpy()
    refuse_cells(table, cells < 0, "at least 0: wins are shares of a loss")
    return cells


def _size(sizes: dict[Hashable, Any], name: Hashable) -> Any:
    size: Any = sizes.get(name)
    if not real(size) or not 0 <= size < np.inf:
        raise DataError(
            f"the size of the data set {name!r} is {size!r}, expected its number of rows"
        )
    return size
