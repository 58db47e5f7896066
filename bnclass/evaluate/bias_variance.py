"""Expected zero-one loss taken apart into bias and variance [KW]."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from bnclass.evaluate.labels import predicted_labels, true_labels
from bnclass.exceptions import DataError

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class BiasVariance:
    """Bias and variance of predictions that were made in several rounds.

    Attributes
    ----------
    exact_bias, exact_variance : Fraction
        Means over rows. They sum to the expected loss exactly; `bias`, `variance` and
        `expected_loss` are the floats nearest to them and to their sum.
    n_rows, n_rounds : int

    Examples
    --------
    >>> from bnclass import bias_variance
    >>> parts = bias_variance(["a", "b"], [["a", "b"], ["b", "b"]])
    >>> parts
    BiasVariance(bias=0.125, variance=0.125, expected_loss=0.25, n_rows=2, n_rounds=2)
    >>> parts.exact_bias + parts.exact_variance
    Fraction(1, 4)
    """

    exact_bias: Fraction
    exact_variance: Fraction
    n_rows: int
    n_rounds: int

    @property
    def bias(self) -> float:
        """Mean over rows of bias², as papers report it."""
        return float(self.exact_bias)

    @property
    def variance(self) -> float:
        """Mean over rows of the variance."""
        return float(self.exact_variance)

    @property
    def expected_loss(self) -> float:
        """Zero-one loss over all rows and rounds."""
        return float(self.exact_bias + self.exact_variance)

    def to_frame(self) -> pd.DataFrame:
        """Return bias, variance, expected loss and the two numbers as a frame of one row."""
        return pd.DataFrame([self._numbers()])

    def _numbers(self) -> dict[str, float | int]:
        return {
            "bias": self.bias,
            "variance": self.variance,
            "expected_loss": self.expected_loss,
            "n_rows": self.n_rows,
            "n_rounds": self.n_rounds,
        }

    def __repr__(self) -> str:
        numbers = ", ".join(f"{name}={value!r}" for name, value in self._numbers().items())
        return f"BiasVariance({numbers})"


def bias_variance(y: Any, predictions: Any) -> BiasVariance:
    """Return the bias and the variance of predictions, by Kohavi and Wolpert [KW].

    With P̂(y) the share of rounds that predict y for a row, its bias² is
    ½ Σ_y ([y is true] - P̂(y))² and its variance ½ (1 - Σ_y P̂(y)²). A row has one label, so
    there is no noise, and the two sum to the expected loss. One round has no variance.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        True labels.
    predictions : DataFrame or array-like of shape (n_rows, n_rounds)
        The label predicted for every row in every round, by a model that did not see it.

    Returns
    -------
    BiasVariance

    Raises
    ------
    DataError
        If there are no rows or rounds, or a label is missing or not of the kind of `y`.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import bias_variance
    >>> rounds = pd.DataFrame({"first": ["a", "b"], "second": ["a", "a"]})
    >>> bias_variance(["a", "a"], rounds).to_frame()
        bias  variance  expected_loss  n_rows  n_rounds
    0  0.125     0.125           0.25       2         2
    """
    labels = true_labels(y)
    rounds = _rounds(predictions, labels)
    n, r = len(labels), len(rounds)
    votes, of_truth = _votes(labels, rounds)
    squares = (votes**2).sum(axis=1)
    # Both parts times 2r², so that they are whole numbers.
    bias = int((r * r - 2 * r * of_truth + squares).sum())
    variance = int((r * r - squares).sum())
    whole = 2 * r * r * n
    return BiasVariance(Fraction(bias, whole), Fraction(variance, whole), n, r)


def _rounds(predictions: Any, labels: npt.NDArray[Any]) -> list[npt.NDArray[Any]]:
    frame = predictions
    if not isinstance(predictions, pd.DataFrame):
        cells = np.array(predictions, dtype=object)
        if cells.ndim != 2:
            raise DataError(
                f"predictions has {cells.ndim} dimensions, expected 2, a row for every row of y "
                "and a column a round"
            )
        frame = pd.DataFrame(cells)
    if not frame.shape[1]:
        raise DataError("predictions has no rounds, expected at least one column")
    return [
        predicted_labels(frame.iloc[:, i], labels, f"round {name!r} of the predictions")
        for i, name in enumerate(frame.columns)
    ]


def _votes(labels: npt.NDArray[Any], rounds: list[npt.NDArray[Any]]) -> tuple[Integers, Integers]:
    """Return how many rounds say each class in each row, and how many say the true one."""
    classes, codes = np.unique(np.concatenate([labels, *rounds]), return_inverse=True)
    truth, *said = codes.reshape(-1, len(labels))
    rows = np.arange(len(labels))
    votes = np.zeros((len(labels), len(classes)), dtype=np.int64)
    for code in said:
        votes[rows, code] += 1
    return votes, votes[rows, truth]
