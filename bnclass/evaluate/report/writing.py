"""A report on disk: Markdown, LaTeX, the losses as CSV, and pictures."""

import io
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from bnclass.evaluate.experiment.results import ExperimentResults
from bnclass.evaluate.figures.against import plot_losses
from bnclass.evaluate.figures.critical_difference import plot_critical_difference
from bnclass.evaluate.figures.goal_curves import MOST_CURVES, plot_goal_difference
from bnclass.evaluate.figures.loss_parts import plot_bias_variance
from bnclass.evaluate.figures.rank_bars import plot_ranks
from bnclass.evaluate.markup import to_latex, to_markdown
from bnclass.evaluate.ranks import average_ranks
from bnclass.evaluate.report.sections import Section, comparable, sections_of
from bnclass.exceptions import DataTypeError, FileFormatError
from bnclass.io.files import write_atomically


def write_report(results: ExperimentResults, folder: str | os.PathLike[str]) -> list[Path]:
    """Write the tables and figures of an experiment into a folder.

    Parameters
    ----------
    results : ExperimentResults
    folder : str or path
        Made if it is not there; that of the run itself may be taken.

    Returns
    -------
    list of path
        The files: ``report.md``, ``report.tex`` (for the package booktabs), a CSV file with a
        row a data set for every metric, and as many of the pictures
        ``critical-difference.png``, ``ranks.png``, ``goal-difference.png``, ``losses.png``
        (of the two best ranked) and ``bias-variance.png`` as the results allow.

    Raises
    ------
    DataTypeError
        If these are no results, or `folder` is no path.
    FileFormatError
        If a file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from bnclass import NaiveBayes, compare, write_report
    >>> results = compare({"NB": NaiveBayes()}, ["iris"], resampling=2, metrics=["rmse"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in write_report(results, folder)]
    ['report.md', 'report.tex', 'rmse.csv']
    """
    if not isinstance(results, ExperimentResults):
        raise DataTypeError(f"results is a {type(results).__name__}, expected what compare returns")
    if not isinstance(folder, (str, os.PathLike)):
        raise DataTypeError(f"folder is {folder!r}, expected a path")
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:  # a name no folder can have
        problem = getattr(error, "strerror", None) or error
        raise FileFormatError(f"{place}: cannot be written ({problem})") from None
    sections = sections_of(results)
    contents: dict[str, str | bytes] = {
        "report.md": markdown(sections) + "\n",
        "report.tex": latex(sections) + "\n",
    }
    contents |= {f"{name}.csv": results.losses(name).to_csv() for name in results.metrics}
    contents |= {f"{name}.png": picture for name, picture in _pictures(results)}
    for name, content in contents.items():
        write_atomically(place / name, content)
    return [place / name for name in contents]


def markdown(sections: Iterable[Section]) -> str:
    """Return sections as a text in Markdown.

    Parameters
    ----------
    sections : iterable of Section

    Returns
    -------
    str

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.evaluate.report.sections import Section
    >>> from bnclass.evaluate.report.writing import markdown
    >>> print(markdown([Section("Title", "A text.", pd.DataFrame({"a": [1]}))]))
    ## Title
    <BLANKLINE>
    A text.
    <BLANKLINE>
    |   a |
    | --: |
    |   1 |
    """
    parts = []
    for section in sections:
        table = to_markdown(section.frame, best=section.best)
        parts += [f"## {section.title}", *filter(None, [section.text]), table]
    return "\n\n".join(parts)


def latex(sections: Iterable[Section]) -> str:
    """Return sections as LaTeX tables with captions.

    Parameters
    ----------
    sections : iterable of Section

    Returns
    -------
    str

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.evaluate.report.sections import Section
    >>> from bnclass.evaluate.report.writing import latex
    >>> text = latex([Section("Title", "A text.", pd.DataFrame({"a": [1]}))])
    >>> "Title. A text." in text
    True
    """
    return "\n\n".join(
        to_latex(
            section.frame,
            best=section.best,
            caption=". ".join(filter(None, [section.title, section.text])),
        )
        for section in sections
    )


def _pictures(results: ExperimentResults) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the PNG of every picture that the results allow."""
    if "zero_one_loss" in results.metrics:
        losses, _ = comparable(results.losses())
        if losses.shape[1] > 1 and len(losses) > 1:
            yield from _of_losses(losses, results.sizes)
    if {"bias", "variance"} <= set(results.metrics):
        bias, variance = (comparable(results.losses(m))[0] for m in ("bias", "variance"))
        if bias.shape[1] > 1 and len(bias):
            yield "bias-variance", _png(plot_bias_variance(bias, variance))


def _of_losses(losses: pd.DataFrame, sizes: "pd.Series[int]") -> Iterator[tuple[str, bytes]]:
    best, second, *others = average_ranks(losses).sort_values(kind="stable").index.tolist()
    yield "critical-difference", _png(plot_critical_difference(losses))
    yield "ranks", _png(plot_ranks(losses))
    if len(others) < MOST_CURVES:
        curves = plot_goal_difference(losses, best, [second, *others], sizes=sizes[losses.index])
        yield "goal-difference", _png(curves)
    yield "losses", _png(plot_losses(losses, best, second))


def _png(display: Any) -> bytes:
    from matplotlib import pyplot

    picture = io.BytesIO()
    display.figure_.savefig(picture, format="png", dpi=150)
    pyplot.close(display.figure_)
    return picture.getvalue()
