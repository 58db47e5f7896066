"""`plot_bias_variance`: of which parts the losses of methods are made."""

from collections.abc import Hashable
from math import radians, sin
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from bnclass.evaluate.figures.lettering import NUMBER_SIZE, names_below, settled_size, short
from bnclass.evaluate.losses import checked_losses, refuse_cells
from bnclass.exceptions import DataError
from bnclass.plot.artists import ARC, INK
from bnclass.plot.easel import axes_of_size, label_axes
from bnclass.plot.heatmap import SLANT
from bnclass.plot.sheet import text_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.container import BarContainer
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.patches import Rectangle
    from matplotlib.text import Annotation

VARIANCE = "#e0a070"
# In inches: of a figure of its own, its least width, of a bar with the space about it.
MARGIN, NARROWEST, BAR_WIDTH, HEIGHT = 1.0, 4.0, 0.62, 4.2
# Of a sum's digits; of them and the legend over the highest bar.
NUMBER_WIDTH, OVER_BARS = 0.45, 0.55
THICKNESS = 0.7


class BiasVarianceDisplay:
    """Mean bias and variance of methods as stacked bars.

    Made by `plot_bias_variance`.

    Parameters
    ----------
    bias, variance : Series of shape (n_methods,)
        Means over data sets, of the same methods in the same order.
    n_datasets : int

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
    figure_ : matplotlib.figure.Figure
    bias_, variance_ : dict of method to matplotlib.patches.Rectangle
        The lower and the upper part of the bars.
    sums_ : dict of method to matplotlib.text.Annotation
        Written on top.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import BiasVarianceDisplay
    >>> from matplotlib.figure import Figure
    >>> bias, variance = pd.Series({"A": 0.25, "B": 0.125}), pd.Series({"A": 0.125, "B": 0.25})
    >>> display = BiasVarianceDisplay(bias, variance, 10).plot(Figure().subplots())
    >>> display.sums_["A"].get_text()
    '0.375'
    """

    ax_: "Axes"
    figure_: "Figure | SubFigure"
    bias_: "dict[Hashable, Rectangle]"
    variance_: "dict[Hashable, Rectangle]"
    sums_: "dict[Hashable, Annotation]"

    def __init__(
        self, bias: "pd.Series[float]", variance: "pd.Series[float]", n_datasets: int
    ) -> None:
        self.bias, self.variance, self.n_datasets = bias, variance, n_datasets

    def plot(self, ax: "Axes | None" = None) -> "BiasVarianceDisplay":
        """Draw the bars, again or elsewhere.

        Parameters
        ----------
        ax
            As for `plot_bias_variance`.

        Returns
        -------
        BiasVarianceDisplay
            Itself.
        """
        methods = self.bias.index
        names = [short(name) for name in methods]
        ax = axes_of_size(ax, _figure_size(names))
        lower, upper = self._bars(ax)
        label_axes(ax, [f"means over {self.n_datasets} data sets"], "loss")
        names_below(ax, names)
        self.ax_, self.figure_ = ax, ax.figure
        self.bias_ = dict(zip(methods, lower, strict=True))
        self.variance_ = dict(zip(methods, upper, strict=True))
        self.sums_ = dict(zip(methods, self._sums(ax, upper), strict=True))
        return self

    def _bars(self, ax: "Axes") -> "tuple[BarContainer, BarContainer]":
        places, lower = range(len(self.bias)), self.bias.to_numpy()
        style: dict[str, Any] = {"width": THICKNESS, "edgecolor": "white", "linewidth": 0.6}
        bias = ax.bar(places, lower, color=ARC, label="bias", **style)
        upper = self.variance.to_numpy()
        variance = ax.bar(places, upper, bottom=lower, color=VARIANCE, label="variance", **style)
        ax.set_xlim(-0.6, len(places) - 0.4)
        ax.legend(
            handles=[bias, variance],
            loc="upper right",
            ncols=2,
            fontsize=9,
            frameon=False,
            labelcolor=INK,
        )
        return bias, variance

    def _sums(self, ax: "Axes", upper: "BarContainer") -> "list[Annotation]":
        """Write the sums, and leave room for them and the legend over the highest bar."""
        sums = (self.bias + self.variance).to_numpy()
        width, height = settled_size(ax)
        ax.set_ylim(0, float(sums.max()) / (1 - min(0.5, OVER_BARS / height)) or 1.0)
        size = NUMBER_SIZE * min(1.0, width / (len(sums) + 0.2) / NUMBER_WIDTH)
        texts = [f"{total:#.3g}".rstrip(".") for total in sums]
        return ax.bar_label(upper, texts, padding=2, fontsize=size, color=INK)


def _figure_size(names: list[str]) -> tuple[float, float]:
    """Return the size at which names below the bars leave them theirs, in inches."""
    longest = max(map(text_width, names))
    drop = longest * sin(radians(SLANT)) if longest > BAR_WIDTH else 0.0
    return max(NARROWEST, MARGIN + BAR_WIDTH * len(names)), HEIGHT + drop


def plot_bias_variance(
    bias: pd.DataFrame, variance: pd.DataFrame, ax: "Axes | None" = None
) -> BiasVarianceDisplay:
    """Draw the mean bias and variance of methods as stacked bars, their sum on top [KW].

    Parameters
    ----------
    bias, variance : DataFrame of shape (n_datasets, n_methods)
        Of the same data sets and methods. Methods are drawn in the order of `bias`.
    ax : matplotlib.axes.Axes, optional
        Where to draw. By default a new pyplot figure, as large as needed.

    Returns
    -------
    BiasVarianceDisplay
        With `ax_`, `figure_` and the artists.

    Raises
    ------
    DataError
        If a part is missing, negative or infinite, one frame has a data set or a method that
        the other has not, or there are fewer than two methods or no data set.

    Examples
    --------
    >>> from bnclass import plot_bias_variance, published_table
    >>> from matplotlib.figure import Figure
    >>> bias, variance = (published_table(f"kst_{part}").losses for part in ("bias", "variance"))
    >>> display = plot_bias_variance(bias, variance, Figure().subplots())
    >>> display.sums_["KST"].get_text()
    '0.193'
    """
    lower, upper = _part(bias, "bias"), _part(variance, "variance")
    _refuse_different(lower.columns, upper.columns, "method")
    _refuse_different(lower.index, upper.index, "data set")
    upper = upper.loc[lower.index, lower.columns]
    return BiasVarianceDisplay(lower.mean(), upper.mean(), len(lower)).plot(ax)


def _part(cells: Any, what: str) -> pd.DataFrame:
    try:
        part = checked_losses(cells)
    except DataError as error:
        raise type(error)(f"{what}: {error}") from None
    cells = part.to_numpy()
    refuse_cells(part, (cells < 0) | np.isinf(cells), "a finite number of at least 0", what)
    return part


def _refuse_different(lower: "pd.Index[Any]", upper: "pd.Index[Any]", what: str) -> None:
    for owner, other, names in (
        ("bias", "variance", lower.difference(upper, sort=False)),
        ("variance", "bias", upper.difference(lower, sort=False)),
    ):
        if len(names):
            raise DataError(
                f"{owner} has the {what} {names.tolist()[0]!r}, but {other} has not, expected "
                f"the same {what}s in both"
            )
