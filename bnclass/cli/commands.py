"""The commands. Each reads, asks the library, and prints or writes."""

from enum import StrEnum
from typing import Annotated, Any

import numpy as np
import typer

from bnclass import __version__
from bnclass.classifiers.averaged import AveragedClassifier
from bnclass.classifiers.inspect import network_of
from bnclass.classifiers.kst import KST
from bnclass.cli import experiments
from bnclass.cli.errors import OneLineGroup, about
from bnclass.cli.models import (
    CLASSIFIERS,
    Categorical,
    K,
    Missing,
    MissingCells,
    ModelName,
    Smoothing,
)
from bnclass.cli.outputs import EXPORTS, predictions, write_plot
from bnclass.cli.outputs import export as export_model
from bnclass.cli.report import arc_lines, headline, joint_of, node_lines, table_lines
from bnclass.cli.tables import load_table
from bnclass.cli.training import training_rows
from bnclass.exceptions import BnclassError
from bnclass.io.files import write_atomically
from bnclass.io.json import load
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.structure.dag import Structure

app = typer.Typer(
    name="bnclass",
    cls=OneLineGroup,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Bayesian-network classifiers you can see.",
    epilog="A table is a .csv, .parquet or .arff file (.csv.gz and .arff.gz too), or a built-in "
    "data set such as wine. Messages count rows of data from 0.",
)


class Continuous(StrEnum):
    """What becomes of numbers."""

    MDL = "mdl"
    GAUSSIAN = "gaussian"


class Unknown(StrEnum):
    """What becomes of a value not seen in training."""

    MISSING = "missing"
    ERROR = "error"


Data = Annotated[str, typer.Argument(metavar="DATA", help="A file, or a built-in data set.")]
ModelFile = Annotated[str, typer.Argument(metavar="MODEL.json", help="A model that fit saved.")]


def main() -> None:
    """Run the command line of this process."""
    app(prog_name="bnclass")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"bnclass {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="The version."),
    ] = False,
) -> None:
    pass


@app.command()
def fit(
    data: Data,
    target: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="The class; only a file needs it."),
    ] = None,
    model: Annotated[ModelName, typer.Option(help="What to learn.")] = ModelName.TAN,
    k: K = None,
    continuous: Annotated[
        Continuous | None,
        typer.Option(help="Numbers become intervals (mdl, the default) or stay numbers."),
    ] = None,
    smoothing: Smoothing = 1.0,
    missing: MissingCells = Missing.MARGINALIZE,
    unknown: Annotated[
        Unknown, typer.Option(help="At predict, what becomes of values not seen in training.")
    ] = Unknown.MISSING,
    categorical: Categorical = None,
    plot: Annotated[
        str | None, typer.Option(metavar="FILE.png", help="Draw the network: png, pdf or svg.")
    ] = None,
    bif: Annotated[
        str | None, typer.Option(metavar="FILE.bif", help="Write the network as BIF.")
    ] = None,
    graphml: Annotated[
        str | None, typer.Option(metavar="FILE.graphml", help="Write the graph as GraphML.")
    ] = None,
    save: Annotated[
        str | None, typer.Option(metavar="FILE.json", help="Save the model, for predict.")
    ] = None,
) -> None:
    """Learn a model from a table, print its arcs and write it to files."""
    if issubclass(CLASSIFIERS[model], (AveragedClassifier, KST)):
        _refuse_files_of_one_network(model, {"--plot": plot, "--bif": bif, "--graphml": graphml})
    chosen = categorical or []
    classifier = CLASSIFIERS[model](
        **_k_of(model, k),
        **_continuous_of(model, continuous),
        **_categorical_of(model, chosen),
        smoothing=smoothing,
        missing=missing.value,
        unknown=unknown.value,
    )
    X, y = training_rows(data, target, chosen)
    with about(data):
        classifier.fit(X, y)
    accuracy = float(np.mean(classifier.predict(X) == y.to_numpy()))
    _say(headline(classifier), *arc_lines(classifier), "")
    _say(f"Accuracy on the {len(X)} training rows: {accuracy:.4f}")
    for path, write in (
        (plot, write_plot),
        (bif, EXPORTS[".bif"]),
        (graphml, EXPORTS[".graphml"]),
        (save, EXPORTS[".json"]),
    ):
        if path is not None:
            write(classifier, path)
            _say(f"Wrote {path}")


@app.command()
def predict(
    model: ModelFile,
    data: Data,
    output: Annotated[
        str | None, typer.Option(metavar="FILE.csv", help="Where to write; else standard output.")
    ] = None,
) -> None:
    """Print the predicted class and P(class) of every row as CSV."""
    text = predictions(_load_tables(model), load_table(data), data)
    if output is None:
        typer.echo(text, nl=False)
    else:
        write_atomically(output, text)
        typer.echo(f"Wrote {output}")


@app.command()
def show(
    model: ModelFile,
    node: Annotated[
        str | None, typer.Argument(metavar="NODE", help="Only this node, with its neighbours.")
    ] = None,
) -> None:
    """Print a model's arcs and tables."""
    fitted = _load_tables(model)
    if node is not None:
        _say(*node_lines(network_of(fitted), node))
        return
    _say(headline(fitted), *arc_lines(fitted))
    joint = joint_of(fitted)
    if isinstance(joint, BayesianNetwork):
        for name in joint.structure.nodes:
            _say(*table_lines(joint, name))


@app.command()
def plot(
    model: ModelFile,
    output: Annotated[str, typer.Argument(metavar="FILE.png", help="png, pdf or svg.")],
    class_arcs: Annotated[bool, typer.Option(help="Draw the arcs from the class.")] = True,
) -> None:
    """Draw a model's network into a file."""
    write_plot(load(model), output, class_arcs=class_arcs)
    typer.echo(f"Wrote {output}")


@app.command()
def export(
    model: ModelFile,
    output: Annotated[str, typer.Argument(metavar="FILE", help="Ends in .bif, .graphml or .json.")],
) -> None:
    """Write a model for other tools, in the format that the file's ending names."""
    export_model(_load_tables(model), output)
    typer.echo(f"Wrote {output}")


app.command()(experiments.compare)
app.command()(experiments.reproduce)


def _accepts(model: ModelName, parameter: str) -> bool:
    classifier: Any = CLASSIFIERS[model]()
    return parameter in classifier.get_params()


def _k_of(model: ModelName, k: int | None) -> dict[str, int]:
    if k is not None and not _accepts(model, "k"):
        raise BnclassError(f"found --k {k} with --model {model}, expected --model kdb or kst")
    return {} if k is None else {"k": k}


def _continuous_of(model: ModelName, continuous: Continuous | None) -> dict[str, str]:
    if continuous is None:
        return {}
    if not _accepts(model, "continuous"):
        raise BnclassError(
            f"found --continuous {continuous.value} with --model {model.value}, which keeps "
            f"numbers always, expected none"
        )
    return {"continuous": continuous.value}


def _categorical_of(model: ModelName, chosen: list[str]) -> dict[str, Any]:
    if _accepts(model, "categorical_features"):
        return {"categorical_features": "all" if "all" in chosen else chosen}
    if chosen:
        raise BnclassError(
            f"found --categorical {chosen[0]} with --model {model.value}, which takes "
            f"numbers only, expected --model haode"
        )
    return {}


def _refuse_files_of_one_network(model: ModelName, paths: dict[str, str | None]) -> None:
    for option, path in paths.items():
        if path is not None:
            raise BnclassError(
                f"{path}: found {option} with --model {model.value}, which averages several "
                f"networks, expected a model that is one network"
            )


def _load_tables(path: str) -> Any:
    """Return a model from a file; a structure, which `save` also takes, has no tables."""
    model = load(path)
    if isinstance(model, Structure):
        raise BnclassError(f"{path}: found a Structure, expected a classifier or a network")
    return model


def _say(*lines: str) -> None:
    typer.echo("\n".join(lines))
