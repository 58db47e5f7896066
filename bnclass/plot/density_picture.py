"""The picture of a continuous node: its density in every class over the data's quantiles."""

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING

from bnclass.exceptions import BnclassError
from bnclass.plot import densities
from bnclass.plot.captions import conditional, equations, one_line
from bnclass.plot.conditionals import class_conditionals
from bnclass.plot.easel import Drawing, axes_of_size, label_axes
from bnclass.plot.mixtures import Floats
from bnclass.plot.palette import line_style
from bnclass.plot.question import Question
from bnclass.plot.rugs import N_QUANTILES, Rug

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# In inches.
WIDTH, HEIGHT, LINE_HEIGHT, STACK_MARGIN = 6.4, 4.2, 0.42, 1.2
# In letters.
LONGEST_NODE, LONGEST_CLASS = 60, 24

Curves = dict[Hashable, tuple[Floats, Floats]]


def draw_densities(question: Question, rug: Rug | None, ax: "Axes | None") -> Drawing:
    """Draw p(x | y, given) in every class: together, or one below the other if there are many.

    Parameters
    ----------
    question : Question
        Of a continuous node that is no constant.
    rug : Rug or None
    ax : matplotlib.axes.Axes or None

    Returns
    -------
    Drawing

    Raises
    ------
    BnclassError
        If what is given is impossible, or too many configurations would be summed out.
    """
    mixtures = class_conditionals(question)
    curves = {state: mixture.curve() for state, mixture in mixtures.items() if mixture}
    if not curves:
        raise BnclassError(f"given: {equations(question.given)} has probability 0 in every class")
    draw = _draw_stacked if len(mixtures) > densities.MOST_TOGETHER else _draw_together
    return draw(question, list(mixtures), curves, rug, ax)


def draw_constant(
    question: Question, values: Floats, rug: Rug | None, ax: "Axes | None"
) -> Drawing:
    """Draw where a constant stands, and say that it is one.

    Parameters
    ----------
    question : Question
    values : ndarray of shape (n_values,), float64
        One value, unless the network was made by hand.
    rug : Rug or None
    ax : matplotlib.axes.Axes or None

    Returns
    -------
    Drawing
    """
    ax = axes_of_size(ax, (WIDTH, HEIGHT))
    quantiles = _quantiles(rug)
    bands = densities.shared_bands([None], list(quantiles), 1.0)
    ax.vlines(values, 0, 1, color=line_style(0)[0], linewidth=densities.LINE_WIDTH)
    ticks = densities.draw_ticks(ax, quantiles, _states(question), bands)
    densities.trim_density_axis(ax, bands, 1.0)
    ax.set_yticks([])
    ax.margins(x=0.5)
    listed = ", ".join(f"{value:.10g}" for value in values)
    notes = [f"constant: {listed} in training, without a say in any prediction", _ticks_note(rug)]
    label_axes(ax, [_node(question), *notes], conditional("p", question.node, ()))
    return Drawing(ax, ticks=ticks)


def _draw_together(
    question: Question,
    states: list[Hashable],
    curves: Curves,
    rug: Rug | None,
    ax: "Axes | None",
) -> Drawing:
    has_own_figure = ax is None
    ax = axes_of_size(ax, (WIDTH, HEIGHT))
    peak, quantiles = _peak(curves), _quantiles(rug)
    bands = densities.shared_bands(states, list(quantiles), peak)
    drawing = _drawn(ax, curves, quantiles, states, bands)
    densities.trim_density_axis(ax, bands, peak)
    target = question.network.target
    if target is not None:
        has_unlabelled = rug is not None and rug.by_class and None in quantiles
        named = [*states, None] if has_unlabelled else states
        names = {state: _class_name(state, state in curves) for state in named}
        title = one_line(target.name, LONGEST_CLASS)
        densities.draw_legend(ax, drawing.curves, names, title, outside=has_own_figure)
    label_axes(ax, _notes(question, rug), _density(question))
    return drawing


def _draw_stacked(
    question: Question,
    states: list[Hashable],
    curves: Curves,
    rug: Rug | None,
    ax: "Axes | None",
) -> Drawing:
    quantiles = _quantiles(rug)
    lines = [*states, *(state for state in quantiles if state is None)]
    ax = axes_of_size(ax, (WIDTH, STACK_MARGIN + LINE_HEIGHT * len(lines)))
    bands = densities.stacked_bands(lines, _peak(curves))
    drawing = _drawn(ax, curves, quantiles, states, bands)
    densities.name_lines(ax, [_class_name(state, state in curves) for state in lines])
    left = f"{_density(question)}, all on one scale"
    label_axes(ax, _notes(question, rug), left)
    return drawing


def _drawn(
    ax: "Axes",
    curves: Curves,
    quantiles: Mapping[Hashable, Floats],
    states: list[Hashable],
    bands: Mapping[Hashable, densities.Band],
) -> Drawing:
    """Draw the curves and the ticks of all classes."""
    return Drawing(
        ax,
        densities.draw_curves(ax, curves, states, bands),
        densities.draw_ticks(ax, quantiles, states, bands),
    )


def _quantiles(rug: Rug | None) -> Mapping[Hashable, Floats]:
    return {} if rug is None else rug.quantiles


def _peak(curves: Curves) -> float:
    return max(float(density.max()) for _, density in curves.values())


def _states(question: Question) -> list[Hashable]:
    target = question.network.target
    return [] if target is None else list(target.states)


def _class_name(state: Hashable, is_possible: bool) -> str:
    if state is None:
        return "no known class"
    return one_line(state, LONGEST_CLASS) + ("" if is_possible else " (impossible)")


def _node(question: Question) -> str:
    return one_line(question.node, LONGEST_NODE)


def _density(question: Question) -> str:
    target = question.network.structure.class_node
    given = [*([] if target is None else [target]), *question.known]
    return f"density {conditional('p', question.node, given)}"


def _notes(question: Question, rug: Rug | None) -> list[str]:
    unknown = ", ".join(map(one_line, question.unknown))
    return [
        _node(question),
        f"given {equations(question.given)}" if question.given else "",
        f"averaged over {unknown}" if unknown else "",
        _ticks_note(rug),
    ]


def _ticks_note(rug: Rug | None) -> str:
    if rug is None:
        return ""
    per = f"{N_QUANTILES} quantiles of each class" if rug.by_class else f"{N_QUANTILES} quantiles"
    missing = f", {rug.n_missing} more without a value" if rug.n_missing else ""
    return f"ticks: {per}, {rug.n_values} rows{missing}"
