"""Data sets that are rules: complete tables by enumeration, and the waveform generator."""

from collections.abc import Callable
from itertools import product

import numpy as np
import pandas as pd

from bnclass.data.randomness import random_generator
from bnclass.exceptions import DataError

_SQUARES = [
    f"{row}-{column}-square"
    for row in ("top", "middle", "bottom")
    for column in ("left", "middle", "right")
]
_ROWS_OF_THREE = (
    *((3 * i, 3 * i + 1, 3 * i + 2) for i in range(3)),
    *((i, i + 3, i + 6) for i in range(3)),
    (0, 4, 8),
    (2, 4, 6),
)
_MONKS_VALUES = {"a1": "123", "a2": "123", "a3": "12", "a4": "123", "a5": "1234", "a6": "12"}
# Where the three triangular waves of height 6 and half-width 6 peak, and the two that each
# class mixes; the class numbers are those of the UCI files.
_PEAKS = np.array([7, 15, 11])
_MIXED_WAVES = np.array([[0, 1], [0, 2], [1, 2]])


def make_balance_scale() -> tuple[pd.DataFrame, pd.Series]:
    """Return all 625 settings of a balance, and the side to which it tips.

    Returns
    -------
    X : DataFrame of shape (625, 4)
        Weight and distance on the left and on the right, int64 from 1 to 5.
    y : Series of shape (625,)
        "L", "B" (balanced) or "R", by the greater torque weight x distance.

    References
    ----------
    R. S. Siegler, Three aspects of cognitive development, *Cognitive Psychology* 8 (1976),
    481-520; UCI data set "Balance Scale".

    Examples
    --------
    >>> X, y = make_balance_scale()
    >>> y.value_counts().to_dict()
    {'R': 288, 'L': 288, 'B': 49}
    """
    names = ["left-weight", "left-distance", "right-weight", "right-distance"]
    X = pd.DataFrame(list(product(range(1, 6), repeat=4)), columns=names)
    left, right = (X[f"{side}-weight"] * X[f"{side}-distance"] for side in ("left", "right"))
    tips = np.sign(left - right).map({1: "L", 0: "B", -1: "R"})
    return X, tips.rename("class")


def make_tic_tac_toe() -> tuple[pd.DataFrame, pd.Series]:
    """Return all 958 boards at which a game of tic-tac-toe ends, x having begun.

    Returns
    -------
    X : DataFrame of shape (958, 9)
        The squares, row by row: "x", "o" or "b" (blank).
    y : Series of shape (958,)
        "positive" where x has three in a row, else "negative".

    References
    ----------
    D. W. Aha, Incremental constructive induction, *ICML* 1991, 117-121; UCI data set
    "Tic-Tac-Toe Endgame".

    Examples
    --------
    >>> X, y = make_tic_tac_toe()
    >>> y.value_counts().to_dict()
    {'positive': 626, 'negative': 332}
    """
    boards = list(product("xob", repeat=9))
    won = [board for board in boards if _won_by_x(board)]
    lost = [board for board in boards if _won_by_o(board)]
    drawn = [board for board in boards if _drawn(board)]
    classes = ["positive"] * len(won) + ["negative"] * (len(lost) + len(drawn))
    return pd.DataFrame(won + lost + drawn, columns=_SQUARES), pd.Series(classes, name="class")


def _three_in_a_row(board: tuple[str, ...], player: str) -> bool:
    return any(all(board[square] == player for square in line) for line in _ROWS_OF_THREE)


# The winner moved last, and the game stopped there: the other player has no three in a row.
def _won_by_x(board: tuple[str, ...]) -> bool:
    last = board.count("x") == board.count("o") + 1
    return last and _three_in_a_row(board, "x") and not _three_in_a_row(board, "o")


def _won_by_o(board: tuple[str, ...]) -> bool:
    last = board.count("x") == board.count("o")
    return last and _three_in_a_row(board, "o") and not _three_in_a_row(board, "x")


def _drawn(board: tuple[str, ...]) -> bool:
    full = board.count("x") == 5 and board.count("o") == 4
    return full and not (_three_in_a_row(board, "x") or _three_in_a_row(board, "o"))


def _monks_1(a1: str, a2: str, a3: str, a4: str, a5: str, a6: str) -> bool:
    return a1 == a2 or a5 == "1"


def _monks_2(a1: str, a2: str, a3: str, a4: str, a5: str, a6: str) -> bool:
    return [a1, a2, a3, a4, a5, a6].count("1") == 2


def _monks_3(a1: str, a2: str, a3: str, a4: str, a5: str, a6: str) -> bool:
    return (a5 == "3" and a4 == "1") or (a5 != "4" and a2 != "3")


_MONKS_RULES: dict[int, Callable[..., bool]] = {1: _monks_1, 2: _monks_2, 3: _monks_3}


def make_monks(problem: int) -> tuple[pd.DataFrame, pd.Series]:
    """Return one of the three monks problems: all 432 robots, classified by its rule.

    These are the complete grids (the test sets of the original problems), without the 5 %
    of wrong labels in the original training set of the third.

    Parameters
    ----------
    problem : {1, 2, 3}
        1: a1 = a2 or a5 = 1. 2: exactly two attributes have their first value.
        3: (a5 = 3 and a4 = 1) or (a5 is not 4 and a2 is not 3).

    Returns
    -------
    X : DataFrame of shape (432, 6)
        Attributes a1 to a6, text from "1".
    y : Series of shape (432,)
        "1" where the rule holds, else "0".

    References
    ----------
    S. B. Thrun et al., The MONK's problems: a performance comparison of different learning
    algorithms, Carnegie Mellon University, CMU-CS-91-197 (1991).

    Examples
    --------
    >>> X, y = make_monks(2)
    >>> y.value_counts().to_dict()
    {'0': 290, '1': 142}
    """
    rule = _MONKS_RULES[problem]
    robots = list(product(*_MONKS_VALUES.values()))
    classes = ["1" if rule(*robot) else "0" for robot in robots]
    return pd.DataFrame(robots, columns=list(_MONKS_VALUES)), pd.Series(classes, name="class")


def make_waveform(
    n_samples: int = 5000, *, random_state: int | np.random.Generator | None = 0
) -> tuple[pd.DataFrame, pd.Series]:
    """Draw rows of Breiman's waveform problem.

    A row mixes two of three triangular waves and adds noise:
    ``x_i = u h_a(i) + (1 - u) h_b(i) + e_i`` for i = 1..21, with u uniform on [0, 1], e_i
    standard normal, ``h(i) = max(6 - |i - peak|, 0)`` and peaks 7, 15 and 11. Class 0
    mixes the waves with peaks 7 and 15, class 1 those with 7 and 11, class 2 those with 15
    and 11; each class has probability 1/3. The Bayes error is about 0.14.

    Parameters
    ----------
    n_samples : int, default=5000
        Number of rows, at least 1.
    random_state : int, numpy Generator or None, default=0
        Seed or source of the random numbers; None draws new ones at every call.

    Returns
    -------
    X : DataFrame of shape (n_samples, 21)
        Columns x1 to x21, float64.
    y : Series of shape (n_samples,)
        The class, int64 0 to 2.

    Raises
    ------
    DataError
        If `n_samples` is not a positive whole number or `random_state` cannot be a seed.

    References
    ----------
    L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone, *Classification and Regression
    Trees*, Wadsworth, 1984, section 2.6.2.

    Examples
    --------
    >>> X, y = make_waveform(100)
    >>> X.shape, sorted(set(y))
    ((100, 21), [0, 1, 2])
    """
    if isinstance(n_samples, bool) or not isinstance(n_samples, int | np.integer) or n_samples < 1:
        raise DataError(f"n_samples is {n_samples!r}, expected a whole number of at least 1")
    rng = random_generator(random_state)
    i = np.arange(1, 22)
    waves = np.maximum(6.0 - np.abs(i - _PEAKS[:, np.newaxis]), 0.0)
    y = rng.integers(0, 3, size=n_samples, dtype=np.int64)
    first, second = waves[_MIXED_WAVES[y, 0]], waves[_MIXED_WAVES[y, 1]]
    u = rng.random((n_samples, 1))
    x = u * first + (1.0 - u) * second + rng.standard_normal((n_samples, i.size))
    return pd.DataFrame(x, columns=[f"x{j}" for j in i]), pd.Series(y, name="class")
