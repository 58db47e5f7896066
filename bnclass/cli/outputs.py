"""The files that commands write: pictures, networks, models, predictions; whole or not at all."""

import csv
import io
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from bnclass.cli.errors import about
from bnclass.cli.report import joint_of
from bnclass.cli.tables import rows_under
from bnclass.exceptions import FileFormatError
from bnclass.io.bif import write_bif
from bnclass.io.files import write_atomically
from bnclass.io.graphml import write_graphml
from bnclass.io.json import save
from bnclass.plot.network import plot_network


def write_plot(model: Any, path: str, *, class_arcs: bool = True) -> None:
    """Draw a model's network into a file.

    Parameters
    ----------
    model : fitted classifier or BayesianNetwork
    path : str
        Its ending names the format: png, pdf, svg and whatever else matplotlib writes.
    class_arcs : bool, default=True

    Raises
    ------
    DataError
        If matplotlib has no such format.
    FileFormatError
        If the file cannot be written.
    """
    import matplotlib
    from matplotlib import pyplot

    matplotlib.use("agg")  # no window, whatever the machine
    plot_network(model, class_arcs=class_arcs)
    picture = io.BytesIO()
    with about(path):
        pyplot.savefig(picture, format=Path(path).suffix[1:])
    pyplot.close()
    write_atomically(path, picture.getvalue())


def export(model: Any, path: str) -> None:
    """Write a model in the format that the file's ending names.

    Parameters
    ----------
    model : fitted classifier, BayesianNetwork, NetworkEnsemble or RowwiseEnsemble
    path : str
        Ending in ``.bif``, ``.graphml`` or ``.json``.

    Raises
    ------
    FileFormatError
        For another ending, or if the file cannot be written.
    BnclassError
        If the format holds one network and the model has several.
    """
    ending = Path(path).suffix.lower()
    if ending not in EXPORTS:
        raise FileFormatError(
            f"{path}: found an unknown ending, expected one of {', '.join(EXPORTS)}"
        )
    EXPORTS[ending](model, path)


def predictions(model: Any, frame: pd.DataFrame, data: str) -> str:
    """Return the predicted class and the posterior of every row as CSV.

    Parameters
    ----------
    model : fitted classifier, BayesianNetwork, NetworkEnsemble or RowwiseEnsemble
    frame : pandas.DataFrame
        Columns are found by name; those that the model does not know are left out.
    data : str
        What to call the table in a refusal.

    Returns
    -------
    str
        Columns "predicted" and "P(label)" for every class, probabilities to the last digit.

    Raises
    ------
    BnclassError
        If a column is missing, or a cell cannot be a value of its attribute.

    Examples
    --------
    >>> from bnclass import NaiveBayes, load_dataset
    >>> from bnclass.cli.outputs import predictions
    >>> X, y = load_dataset("monks-1")
    >>> predictions(NaiveBayes().fit(X, y), X, "monks-1").splitlines()[0]
    'predicted,P(0),P(1)'
    """
    joint = joint_of(model)
    rows = rows_under(frame, joint.attributes, data)
    encoder = getattr(model, "encoder_", None)
    with about(data):
        if encoder is not None:
            # Columns that were wholly missing in training are asked for, but of no use.
            rows, unknown = encoder.transform_counting(rows.reindex(columns=list(encoder.columns_)))
            model.tell_unknown(unknown)
        posterior = joint.posterior(rows)
    labels = [] if joint.target is None else list(map(str, joint.target.states))
    best = [labels[code] for code in posterior.argmax(axis=1)]
    cells = ([label, *map(repr, p)] for label, p in zip(best, posterior.tolist(), strict=True))
    return _csv([["predicted", *(f"P({label})" for label in labels)], *cells])


def _csv(rows: Iterable[list[str]]) -> str:
    text, rows = io.StringIO(), list(rows)
    # The csv module quotes a carriage return only where it ends lines itself.
    returns = any("\r" in cell for row in rows for cell in row)
    if returns:
        csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(rows)
    else:
        csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


EXPORTS: dict[str, Callable[[Any, str], None]] = {
    ".bif": write_bif,
    ".graphml": write_graphml,
    ".json": save,
}
"""What writes a model, by the ending that its files have."""
