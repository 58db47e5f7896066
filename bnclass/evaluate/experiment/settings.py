"""What a run is, as files: settings and folds."""

import csv
import io
import json
import os
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bnclass.data.codes import Codes
from bnclass.evaluate.experiment.log import Plan, TestedRows
from bnclass.evaluate.experiment.resampling import Resampling
from bnclass.exceptions import BnclassError, DataTypeError, FileFormatError
from bnclass.io.files import write_atomically
from bnclass.io.tokens import safe_tokens

_LONGEST_STEM = 40  # each character may become six, and no file name is longer than 255
_COMMON = ("version", "resampling", "random_state", "metrics")


def write_plan(folder: Path, plan: Plan, kept: Collection[str]) -> None:
    """Write the folds of data sets, and then settings.json, without which they are nothing.

    Parameters
    ----------
    folder : path
    plan : Plan
    kept : collection of str
        Data sets whose folds are there.
    """
    (folder / "folds").mkdir(parents=True, exist_ok=True)
    files = _files(plan)
    for name, rows in plan.datasets.items():
        if name not in kept:
            write_atomically(folder / files[name], _folds_text(rows))
    write_atomically(folder / "settings.json", _settings_text(plan, files))


def read_plan(folder: str | os.PathLike[str]) -> Plan:
    """Return what the run of a folder is.

    Parameters
    ----------
    folder : str or path

    Returns
    -------
    Plan

    Raises
    ------
    FileFormatError
        If the folder holds no run, or a file is damaged.
    """
    if not isinstance(folder, (str, os.PathLike)):
        raise DataTypeError(f"folder is {folder!r}, expected a path")
    path = Path(folder) / "settings.json"
    try:
        settings = json.loads(path.read_text(encoding="utf-8"))
        resampling = Resampling.of(settings["resampling"])
        datasets = {
            name: _tested_rows(Path(folder) / entry["folds"], entry, resampling)
            for name, entry in settings["datasets"].items()
        }
        return Plan(
            str(settings["version"]),
            resampling,
            int(settings["random_state"]),
            tuple(settings["metrics"]),
            dict(settings["estimators"]),
            datasets,
        )
    except FileNotFoundError as error:
        raise FileFormatError(f"{error.filename}: no such file, expected a run's") from None
    except OSError as error:
        raise FileFormatError(f"{error.filename}: cannot be read ({error.strerror})") from None
    except FileFormatError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        problem = f"{type(error).__name__}: {error}"
        raise FileFormatError(f"{path}: found no settings of a run ({problem})") from None


def refuse_another_run(folder: Path, earlier: Plan, asked: Plan) -> None:
    """Refuse to go on with a run that is another one.

    Parameters
    ----------
    folder : path
    earlier, asked : Plan

    Raises
    ------
    BnclassError
        If they differ in anything but estimators and data sets that only one of them has.
    """

    def refuse(what: str, found: Any, expected: Any, way_out: str = "another folder") -> None:
        if found != expected:
            raise BnclassError(
                f"{folder}: holds a run with {what} {found}, expected {expected} as is asked for "
                f"now; take {way_out}"
            )

    for name in _COMMON:
        refuse(name, *(_shown(getattr(plan, name)) for plan in (earlier, asked)))
    for name in earlier.estimators.keys() & asked.estimators.keys():
        one, two = _differing(earlier.estimators[name], asked.estimators[name])
        refuse(f"the estimator {name!r} as", one, two, "another name or folder")
    for name in earlier.datasets.keys() & asked.datasets.keys():
        rows, others = earlier.datasets[name], asked.datasets[name]
        refuse(f"other rows or labels of {name!r}", rows.digest[:8], others.digest[:8])
        if not np.array_equal(rows.folds, others.folds):
            raise BnclassError(f"{folder}: divides {name!r} into other folds; take another folder")


def _differing(one: str, two: str) -> tuple[str, str]:
    """Return two representations of a model, or only the parameters that differ."""
    parts, others = one.split(", "), two.split(", ")
    if len(parts) != len(others) or one == two:
        return one, two
    pairs = [pair for pair in zip(parts, others, strict=True) if pair[0] != pair[1]]
    return ", ".join(a for a, _ in pairs), ", ".join(b for _, b in pairs)


def united(earlier: Plan, asked: Plan) -> Plan:
    """Return the plan of an earlier run with what is new in another one.

    Parameters
    ----------
    earlier, asked : Plan

    Returns
    -------
    Plan
    """
    return replace(
        earlier,
        estimators=earlier.estimators | asked.estimators,
        datasets=earlier.datasets | asked.datasets,
    )


def _settings_text(plan: Plan, files: dict[str, str]) -> str:
    settings = {name: _shown(getattr(plan, name)) for name in _COMMON}
    settings["estimators"] = plan.estimators
    settings["datasets"] = {
        name: {
            "rows": len(rows.codes),
            "columns": rows.n_columns,
            "classes": rows.classes,
            "digest": rows.digest,
            "folds": files[name],
        }
        for name, rows in plan.datasets.items()
    }
    return json.dumps(settings, indent=2, ensure_ascii=False) + "\n"


def _shown(value: Any) -> Any:
    if isinstance(value, Resampling):
        return str(value)
    return list(value) if isinstance(value, tuple) else value


def _files(plan: Plan) -> dict[str, str]:
    """Return a file for the folds of each data set; later ones change no earlier one's."""
    tokens = safe_tokens(name[:_LONGEST_STEM] for name in plan.datasets)
    return {name: f"folds/{token}.csv" for name, token in zip(plan.datasets, tokens, strict=True)}


def _folds_text(rows: TestedRows) -> str:
    text = io.StringIO()
    # Only quotes keep a label with a carriage return in one line.
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(["class", *(f"round {i + 1}" for i in range(rows.folds.shape[1]))])
    labels = [rows.classes[code] for code in rows.codes.tolist()]
    folds = (rows.folds + 1).tolist()
    writer.writerows([label, *row] for label, row in zip(labels, folds, strict=True))
    return text.getvalue()


def _tested_rows(path: Path, entry: dict[str, Any], resampling: Resampling) -> TestedRows:
    classes = tuple(map(str, entry["classes"]))
    try:
        codes, folds = _read_folds(path, {name: code for code, name in enumerate(classes)})
    except (ValueError, KeyError, OverflowError) as error:
        problem = f"{type(error).__name__}: {error}"
        raise FileFormatError(f"{path}: found no settings of a run ({problem})") from None
    counts = [np.bincount(tested, minlength=resampling.folds) for tested in folds.T if len(tested)]
    if len(counts) != resampling.rounds or any(len(n) > resampling.folds for n in counts):
        raise FileFormatError(f"{path}: found other rounds and folds, expected {resampling}")
    if len(codes) != entry["rows"]:
        raise FileFormatError(f"{path}: found {len(codes)} rows, expected {entry['rows']}")
    return TestedRows(classes, codes, folds, entry["columns"], entry["digest"])


def _read_folds(path: Path, places: dict[str, int]) -> tuple[Codes, npt.NDArray[np.int32]]:
    """Return the codes of the classes, and the folds that test a row, from 0."""
    with path.open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file)
    codes = np.array([places[row[0]] for row in rows], dtype=np.int32)
    folds = np.array([row[1:] for row in rows], dtype=np.int32).reshape(len(rows), -1) - 1
    return codes, folds
