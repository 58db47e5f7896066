"""A report on disk: Markdown, LaTeX, the losses as CSV, and pictures."""

import io
import os
import re
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
from bnclass.exceptions import BnclassError, DataTypeError, FileFormatError
from bnclass.io.files import write_atomically

FORMATS = ("png", "pdf", "svg")
_CURVES_FROM = 10  # data sets; with fewer, curves lie on one another


def write_report(
    results: ExperimentResults, folder: str | os.PathLike[str], figures: str = "png"
) -> list[Path]:
    """Write the tables and figures of an experiment into a folder.

    Parameters
    ----------
    results : ExperimentResults
    folder : str or path
        Made if it is not there; files of a report that is there are written again.
    figures : {"png", "pdf", "svg"}, default="png"
        The format of the figures.

    Returns
    -------
    list of path
        The files: ``report.md``; ``report.tex``, its tables of numbers, for the package booktabs; a
        CSV file with a row a data set for every metric; and as many of the figures
        critical-difference, ranks, goal-difference (from ten data sets on), losses (of the two
        best ranked) and bias-variance as the results allow.

    Raises
    ------
    DataTypeError, BnclassError
        If these are no results, `folder` is no path, or figures have no such format.
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
    if figures not in FORMATS:
        raise BnclassError(f"figures is {figures!r}, expected one of {', '.join(FORMATS)}")
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:  # a name no folder can have
        problem = getattr(error, "strerror", None) or error
        raise FileFormatError(f"{place}: cannot be written ({problem})") from None
    sections = sections_of(results)
    contents: dict[str, str | bytes] = {
        "report.md": f"# {_title(results)}\n\n{markdown(sections)}\n",
        "report.tex": latex(section for section in sections if not section.prose) + "\n",
    }
    contents |= {f"{name}.csv": results.losses(name).to_csv() for name in results.metrics}
    for name, display in _figures(results):
        contents[f"{name}.{figures}"] = _drawn(display, figures)
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
            label="tab:" + re.sub("[^a-z0-9]+", "-", section.title.lower()).strip("-"),
        )
        for section in sections
    )


def _title(results: ExperimentResults) -> str:
    return f"{len(results.estimators)} classifiers on {len(results.datasets)} data sets"


def _figures(results: ExperimentResults) -> Iterator[tuple[str, Any]]:
    """Yield the name of every figure that the results allow, and the figure."""
    if "zero_one_loss" in results.metrics:
        losses, _ = comparable(results.losses())
        if losses.shape[1] > 1 and len(losses) > 1:
            yield from _of_losses(losses, results.sizes)
    if {"bias", "variance"} <= set(results.metrics):
        bias, variance = (comparable(results.losses(m))[0] for m in ("bias", "variance"))
        if bias.shape[1] > 1 and len(bias):
            yield "bias-variance", plot_bias_variance(bias, variance)


def _of_losses(losses: pd.DataFrame, sizes: "pd.Series[int]") -> Iterator[tuple[str, Any]]:
    best, *others = average_ranks(losses).sort_values(kind="stable").index.tolist()
    yield "critical-difference", plot_critical_difference(losses)
    yield "ranks", plot_ranks(losses)
    if len(losses) >= _CURVES_FROM and len(others) <= MOST_CURVES:
        yield "goal-difference", plot_goal_difference(losses, best, others, sizes[losses.index])
    yield "losses", plot_losses(losses, best, others[0])


def _drawn(display: Any, form: str) -> bytes:
    from matplotlib import pyplot

    picture = io.BytesIO()
    display.figure_.savefig(picture, format=form, dpi=150)
    pyplot.close(display.figure_)
    return picture.getvalue()
