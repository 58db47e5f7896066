"""The commands that compare classifiers over data sets, on one's own and on the papers'."""

import time
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from bnclass.cli.errors import about
from bnclass.cli.models import CLASSIFIERS, Missing, ModelName, amount, whole
from bnclass.cli.tables import training_rows
from bnclass.evaluate.baselines import BASELINES
from bnclass.evaluate.experiment.measures import METRICS
from bnclass.evaluate.experiment.runner import compare as run
from bnclass.evaluate.report.sections import sections_of
from bnclass.evaluate.report.writing import markdown, write_report
from bnclass.exceptions import BnclassError

_GAUSSIAN = "-g"


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
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Results as they come, then tables and figures. A run that was stopped goes on.",
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="The class of files; else a column called class."),
    ] = None,
    metrics: Annotated[
        str | None, typer.Option(metavar="NAMES", help=f"Some of {', '.join(METRICS)}; else all.")
    ] = None,
    k: Annotated[
        int | None,
        typer.Option(parser=whole, metavar="K", help="kdb, kst: attribute parents at most."),
    ] = None,
    smoothing: Annotated[
        float, typer.Option(parser=amount, metavar="M", help="The m of the m-estimate.")
    ] = 1.0,
    missing: Annotated[
        Missing, typer.Option(help="What becomes of empty cells.")
    ] = Missing.MARGINALIZE,
    jobs: Annotated[int, typer.Option(help="Processes; -1 is one for each processor.")] = -1,
    seed: Annotated[int, typer.Option(help="Decides the folds.")] = 0,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Compare classifiers on data sets by cross-validation, all in the same folds."""
    begin = time.monotonic()
    chosen = {name.strip(): None for name in models.split(",")}
    options = {"k": k, "smoothing": smoothing, "missing": missing.value}
    results = run(
        {name.upper(): _model(name, options) for name in chosen},
        _datasets(data, target),
        cv,
        metrics if metrics is None else [name.strip() for name in metrics.split(",")],
        folder=out,
        n_jobs=jobs,
        random_state=seed,
        verbose=int(not quiet),
    )
    typer.echo(markdown(section for section in sections_of(results) if section.first))
    typer.echo(f"\n{results!r} in {time.monotonic() - begin:.0f} s")
    if out is not None:
        typer.echo("\n".join(f"Wrote {path}" for path in write_report(results, out)))


def _datasets(data: Sequence[str], target: str | None) -> dict[str, Any]:
    from bnclass.evaluate.experiment.datasets import named_sources, read_dataset

    sources = named_sources(data)
    if target is None:
        return {name: read_dataset(source) for name, source in sources.items()}
    return {name: training_rows(source, target, []) for name, source in sources.items()}


def _model(name: str, options: dict[str, Any]) -> Any:
    """Return the classifier of a name with those of the options that it takes."""
    if name in BASELINES:
        return BASELINES[name]()
    plain = name.removesuffix(_GAUSSIAN)
    if plain not in CLASSIFIERS:
        known = ", ".join([*CLASSIFIERS, *BASELINES])
        raise BnclassError(f"found the model {name!r}, expected some of {known}")
    model = CLASSIFIERS[ModelName(plain)]()
    taken = {key: value for key, value in options.items() if key in model.get_params()}
    if taken.get("k", 0) is None:
        del taken["k"]
    if plain != name:
        if "continuous" not in model.get_params():
            raise BnclassError(f"found the model {name!r}, expected {plain}, which keeps numbers")
        taken["continuous"] = "gaussian"
    with about(f"--models {name}"):
        return model.set_params(**taken)
