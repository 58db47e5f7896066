"""The commands that compare classifiers over data sets, on one's own and on the papers'."""

import time
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from bnclass.cli.models import (
    CLASSIFIERS,
    Categorical,
    K,
    Missing,
    MissingCells,
    ModelName,
    Smoothing,
)
from bnclass.cli.tables import load_table
from bnclass.cli.training import as_states, class_column, without_target
from bnclass.data.datasets import dataset_names
from bnclass.evaluate.baselines import BASELINES
from bnclass.evaluate.experiment.datasets import checked_names, named_sources, read_dataset
from bnclass.evaluate.experiment.measures import METRICS
from bnclass.evaluate.experiment.runner import compare as run
from bnclass.evaluate.report.sections import sections_of
from bnclass.evaluate.report.writing import markdown, write_report
from bnclass.evaluate.reproduction.run import reproduce as run_again
from bnclass.exceptions import BnclassError, DataError
from bnclass.io.files import write_atomically

# Behind the name of a model that turns numbers into intervals: it keeps them.
_GAUSSIAN = "-g"
_REPORT = "report"  # the folder in that of a run


class FigureFormat(StrEnum):
    """How figures are written."""

    PNG = "png"
    PDF = "pdf"
    SVG = "svg"


Out = Annotated[
    str | None,
    typer.Option(
        metavar="FOLDER",
        help="Results as they come, and a report. A run that was stopped goes on.",
    ),
]
Figures = Annotated[FigureFormat, typer.Option(help="The format of figures in the report.")]
Jobs = Annotated[int, typer.Option(help="Processes; -1 is one for each processor.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress bar.")]


class PaperName(StrEnum):
    """Whose experiment can be repeated."""

    KST = "kst"
    GAODE = "gaode"


def compare(
    data: Annotated[
        list[str], typer.Argument(metavar="DATA...", help="Files, or built-in data sets.")
    ],
    models: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help=f"Separated by commas: {', '.join(CLASSIFIERS)} (nb-g and so on keep numbers), "
            f"and {', '.join(BASELINES)} for comparison.",
        ),
    ] = "nb,tan,kdb,aode,atan,kst",
    cv: Annotated[
        str, typer.Option(metavar="ROUNDSxFOLDS", help="10x10, 5x2, 10x3; 10 is one round.")
    ] = "10x10",
    out: Out = None,
    target: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN",
            help="The class of files that have such a column; of others it is a column called "
            "class, or the last of ARFF. Repeatable.",
        ),
    ] = None,
    categorical: Categorical = None,
    metrics: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help=f"Some of {', '.join(METRICS)}; else all, but of one round no bias and variance.",
        ),
    ] = None,
    k: K = None,
    smoothing: Smoothing = 1.0,
    missing: MissingCells = Missing.MARGINALIZE,
    jobs: Jobs = -1,
    seed: Annotated[int, typer.Option(help="Decides the folds.")] = 0,
    figures: Figures = FigureFormat.PNG,
    quiet: Quiet = False,
) -> None:
    """Compare classifiers on data sets by cross-validation, all in the same folds."""
    begin = time.monotonic()
    options = {"k": k, "smoothing": smoothing, "missing": missing.value}
    names = _names(models, "--models")
    results = run(
        {name.upper(): _model(name, options) for name in names},
        _datasets(data, target or [], categorical or []),
        cv,
        None if metrics is None else _names(metrics, "--metrics"),
        folder=out,
        n_jobs=jobs,
        random_state=seed,
        verbose=int(not quiet),
    )
    typer.echo(markdown(section for section in sections_of(results) if section.first))
    typer.echo(f"\n{results!r} in {time.monotonic() - begin:.0f} s")
    if out is not None:
        _say_written(write_report(results, Path(out) / _REPORT, figures.value))


def reproduce(
    paper: Annotated[PaperName, typer.Argument(help="Whose experiment.")],
    data: Annotated[str, typer.Option(metavar="FOLDER", help="Where the data sets are.")],
    quick: Annotated[bool, typer.Option("--quick", help="One round only, for a look.")] = False,
    out: Out = None,
    jobs: Jobs = -1,
    figures: Figures = FigureFormat.PNG,
    quiet: Quiet = False,
) -> None:
    """Repeat a paper's experiment on the data sets you have, and show ours beside its figures."""
    again = run_again(paper.value, data, quick, folder=out, n_jobs=jobs, verbose=int(not quiet))
    lines = "\n".join(again.lines())
    typer.echo(lines)
    if out is not None:
        written = Path(out) / paper.value / "reproduction.md"
        write_atomically(written, lines + "\n")
        _say_written([written])
        for table in again.paper.tables:
            if table.name in again.results:
                place = Path(out) / table.subfolder / _REPORT
                _say_written(write_report(again.results[table.name], place, figures.value))


def _names(text: str, option: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    checked_names(names, option)
    return names


def _datasets(
    data: Sequence[str], targets: Sequence[str], categorical: Sequence[str]
) -> dict[str, Any]:
    sources = named_sources(data).items()
    tables = {name: _read(source, targets, categorical) for name, source in sources}
    known = {"all", *(column for X, _ in tables.values() for column in X)}
    for column in categorical:
        if column not in known:
            raise DataError(
                f"found --categorical {column!r}, expected a column of {', '.join(data)}"
            )
    return {name: (as_states(X, categorical), y) for name, (X, y) in tables.items()}


def _read(source: str, targets: Sequence[str], categorical: Sequence[str]) -> Any:
    if source in dataset_names():
        return read_dataset(source)
    frame = load_table(source)
    return without_target(frame, source, class_column(frame, source, targets), categorical)


def _model(name: str, options: dict[str, Any]) -> Any:
    """Return the classifier of a name with those of the options that it takes."""
    if name in BASELINES:
        return BASELINES[name]()
    plain = name.removesuffix(_GAUSSIAN)
    if plain not in CLASSIFIERS:
        known = ", ".join([*CLASSIFIERS, *BASELINES])
        raise BnclassError(f"found the model {name!r}, expected some of {known}")
    model: Any = CLASSIFIERS[ModelName(plain)]()
    parameters = model.get_params()
    if plain != name:
        if "continuous" not in parameters:
            raise BnclassError(f"found the model {name!r}, expected {plain}, which keeps numbers")
        options = options | {"continuous": "gaussian"}
    taken = {key: v for key, v in options.items() if key in parameters and v is not None}
    return model.set_params(**taken)


def _say_written(paths: Iterable[Path]) -> None:
    typer.echo("\n".join(f"Wrote {path}" for path in paths))
