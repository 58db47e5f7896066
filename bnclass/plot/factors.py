"""`plot_factor`: one node's distribution as a picture."""

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from bnclass.classifiers.inspect import network_of
from bnclass.factors.categorical import CategoricalCPD
from bnclass.factors.linear_gaussian import CLGCPD
from bnclass.factors.sparse import SparseCategoricalCPD
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.plot.density_picture import draw_constant, draw_densities
from bnclass.plot.easel import Drawing
from bnclass.plot.question import Question
from bnclass.plot.rugs import rug_of
from bnclass.plot.table_picture import draw_table_picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.image import AxesImage
    from matplotlib.lines import Line2D


class FactorDisplay:
    """The distribution of one node, drawn.

    Made by `plot_factor` or `FactorDisplay.from_estimator`.

    Parameters
    ----------
    network : BayesianNetwork
    node, data, given
        As for `plot_factor`.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
    figure_ : matplotlib.figure.Figure
    curves_ : dict of class state to matplotlib.lines.Line2D
        The densities of a continuous node.
    ticks_ : dict of class state to matplotlib.collections.LineCollection
        The quantiles of the data, under ``None`` those of rows of no known class.
    image_ : matplotlib.image.AxesImage or None
        The table of a discrete node.

    Examples
    --------
    >>> from bnclass import TAN, load_dataset
    >>> from bnclass.plot.factors import FactorDisplay
    >>> from matplotlib.figure import Figure
    >>> model = TAN().fit(*load_dataset("monks-1"))
    >>> display = FactorDisplay.from_estimator(model, "a2", ax=Figure().subplots())
    >>> display.image_.get_array().shape  # 2 classes x 3 states of a1, 3 states of a2
    (6, 3)
    """

    ax_: "Axes"
    figure_: "Figure | SubFigure"
    curves_: "dict[Hashable, Line2D]"
    ticks_: "dict[Hashable, LineCollection]"
    image_: "AxesImage | None"

    def __init__(
        self,
        network: BayesianNetwork,
        node: Hashable,
        data: Any = None,
        *,
        given: Mapping[Hashable, Any] | None = None,
    ) -> None:
        self.network, self.node, self.data = network, node, data
        self.given = {} if given is None else dict(given)

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        node: Hashable,
        data: Any = None,
        *,
        given: Mapping[Hashable, Any] | None = None,
        ax: "Axes | None" = None,
        title: str | None = None,
    ) -> "FactorDisplay":
        """Draw the distribution of a node of a model.

        Parameters
        ----------
        model, node, data, given, ax, title
            As for `plot_factor`.

        Returns
        -------
        FactorDisplay

        Raises
        ------
        BnclassError
            As for `plot_factor`.
        """
        return cls(network_of(model), node, data, given=given).plot(ax, title=title)

    def plot(self, ax: "Axes | None" = None, *, title: str | None = None) -> "FactorDisplay":
        """Draw the distribution, again or elsewhere.

        Parameters
        ----------
        ax, title
            As for `plot_factor`.

        Returns
        -------
        FactorDisplay
            Itself.

        Raises
        ------
        BnclassError
            As for `plot_factor`.
        """
        drawing = self._drawn(ax)
        self.ax_, self.figure_ = drawing.ax, drawing.ax.figure
        self.curves_, self.ticks_, self.image_ = drawing.curves, drawing.ticks, drawing.image
        if title is not None:
            self.ax_.set_title(title)
        return self

    def _drawn(self, ax: "Axes | None") -> Drawing:
        question = Question(self.network, self.node, self.given)
        factor = self.network.factors[self.node]
        if isinstance(factor, (CategoricalCPD, SparseCategoricalCPD)):
            return draw_table_picture(question, factor, ax)
        assert isinstance(factor, CLGCPD)
        has_data = self.data is not None
        rug = rug_of(self.data, factor.variable, self.network.target) if has_data else None
        if factor.is_constant:
            return draw_constant(question, np.unique(factor.intercept), rug, ax)
        return draw_densities(question, rug, ax)


def plot_factor(
    model: Any,
    node: Hashable,
    data: Any = None,
    *,
    given: Mapping[Hashable, Any] | None = None,
    ax: "Axes | None" = None,
    title: str | None = None,
) -> FactorDisplay:
    """Draw the distribution of one node: densities of a number, a heat map of states.

    Parameters
    ----------
    model : fitted classifier or BayesianNetwork
    node : hashable
    data : table, optional
        Where it has the column of a continuous node: 101 quantiles are drawn as ticks under
        the densities, class by class if it has the class column too. A heat map needs none.
    given : mapping of parent to state or number, optional
        What is known of the node's parents. A heat map then has the other parents' rows
        only.
    ax : matplotlib.axes.Axes, optional
        Where to draw. By default a new pyplot figure, as large as needed.
    title : str, optional

    Returns
    -------
    FactorDisplay
        With `ax_`, `figure_` and the artists.

    Raises
    ------
    BnclassError
        If the model is not fitted or holds no single network; there is no such node; a name
        in `given` is no parent, or its value none of that parent; a density is asked for
        with the class given, or sums more than 1024 configurations out; a table has more
        than 64 rows or 40 columns.

    Notes
    -----
    The densities are p(x | y), and p(x | y, given), of the network itself: the node's other
    parents, and what they depend on, are summed and integrated out exactly, not set to some
    typical value. They are mixtures of normal densities. With all parents given they are the
    node's own factor.

    More than ten classes are drawn one below the other, on one scale.

    Examples
    --------
    >>> from bnclass import TAN, load_dataset
    >>> from bnclass.plot.factors import plot_factor
    >>> from matplotlib.figure import Figure
    >>> model = TAN().fit(*load_dataset("monks-1"))
    >>> ax = Figure().subplots()
    >>> display = plot_factor(model, "a2", given={"a1": "3"}, ax=ax)
    >>> display.image_.get_array().shape  # 2 classes, 3 states of a2
    (2, 3)
    """
    return FactorDisplay.from_estimator(model, node, data, given=given, ax=ax, title=title)
