"""The folder of a run: written as results come, so that a run that was killed goes on.

It holds ``settings.json`` (what is run), ``folds/`` (a file a data set: the class of every row,
and the fold that tests it in each round), ``results.csv`` (a line an estimator and fold), and
``predictions.csv`` if bias and variance are measured. The last two are appended to; a line cut
short by a killed process is no line.
"""

import csv
import io
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from bnclass.data.codes import Codes
from bnclass.evaluate.experiment.log import COUNTS, KEY, TEXTS, Key, Line, Log, Plan, key_of
from bnclass.evaluate.experiment.settings import read_plan, refuse_another_run, united, write_plan
from bnclass.exceptions import BnclassError, FileFormatError

_PREDICTIONS = (*KEY, "predicted")


class RunFolder:
    """A folder that takes in the lines of one process at a time.

    Parameters
    ----------
    path : str or path
        Made if it is not there.
    plan : Plan
        What is to be run. A run that is there already must agree; new estimators and data sets
        join it.

    Attributes
    ----------
    log : Log
        What is there already.

    Raises
    ------
    BnclassError
        If the folder holds another run, other files, or another process writes to it.
    FileFormatError
        If a file in it is damaged.
    """

    def __init__(self, path: str | os.PathLike[str], plan: Plan) -> None:
        self.path, self.plan = Path(path), plan
        self._prepare()
        self._results = _Appended(self.path / "results.csv", plan.columns)
        self._lock()
        self._predictions = (
            _Appended(self.path / "predictions.csv", _PREDICTIONS)
            if plan.keeps_predictions
            else None
        )
        self.log = read_log(self.path, self.everything)

    def add(self, lines: Iterable[tuple[Line, Codes | None]]) -> None:
        """Write lines; their predictions first, so that a line has its predictions.

        Parameters
        ----------
        lines : iterable of (dict, ndarray of int32 or None)
        """
        lines = list(lines)
        if self._predictions is not None:
            self._predictions.add(
                [*(line[k] for k in KEY), " ".join(map(str, predicted.tolist()))]
                for line, predicted in lines
                if predicted is not None
            )
        self._results.add([line[name] for name in self.plan.columns] for line, _ in lines)
        for line, predicted in lines:
            self.log.add(line, predicted)

    def close(self) -> None:
        """Close the files."""
        self._results.close()
        if self._predictions is not None:
            self._predictions.close()

    def __enter__(self) -> "RunFolder":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _prepare(self) -> None:
        self.everything = self.plan
        if (self.path / "settings.json").exists():
            earlier = read_plan(self.path)
            refuse_another_run(self.path, earlier, self.plan)
            self.everything = united(earlier, self.plan)
        elif self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
            raise BnclassError(
                f"{self.path}: found other files, expected the folder of a run, or an empty or new "
                "one"
            )
        write_plan(self.path, self.everything)

    def _lock(self) -> None:
        """Refuse a second process; the system lets go when a process ends, however it does."""
        try:
            import fcntl
        except ImportError:  # not on this system
            return
        try:
            fcntl.flock(self._results.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._results.close()
            raise BnclassError(
                f"{self.path}: another process writes to it, expected to be the only one"
            ) from None


def read_log(path: Path, plan: Plan) -> Log:
    """Return the lines and predictions in a folder.

    Parameters
    ----------
    path : path
    plan : Plan

    Returns
    -------
    Log

    Raises
    ------
    FileFormatError
        If a file is damaged.
    """
    log, predictions = Log(), {}
    if plan.keeps_predictions:
        for row, place in _rows(path / "predictions.csv", list(_PREDICTIONS)):
            codes = np.array(_number(row["predicted"].split(), int, place), dtype=np.int32)
            predictions[_known(plan, _line(row, place), place)] = codes
    for row, place in _rows(path / "results.csv", plan.columns):
        line = _line(row, place)
        key = _known(plan, line, place)
        if plan.keeps_predictions and not line["error"] and key not in predictions:
            raise FileFormatError(f"{place}: found no predictions, expected a line of them")
        log.add(line, predictions.get(key))
    return log


class _Appended:
    """A CSV file that grows by whole lines."""

    def __init__(self, path: Path, columns: Iterable[str]) -> None:
        self.file = path.open("a+b")
        self.file.seek(0)
        whole = self.file.read().rfind(b"\n") + 1
        self._columns, self._empty = list(columns), not whole
        self._whole = whole

    def add(self, rows: Iterable[Iterable[Any]]) -> None:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        if self._empty:
            writer.writerow(self._columns)
        writer.writerows(rows)
        self.file.truncate(self._whole)  # a line that was cut short
        self.file.write(text.getvalue().encode("utf-8", "backslashreplace"))
        self.file.flush()
        self._empty, self._whole = False, self.file.tell()

    def close(self) -> None:
        self.file.close()


def _rows(path: Path, columns: list[str]) -> Iterable[tuple[dict[str, str], str]]:
    """Yield the whole lines of a file, each with how a message calls it."""
    text = path.read_bytes() if path.exists() else b""
    lines = text[: text.rfind(b"\n") + 1].decode("utf-8", "replace")
    csv.field_size_limit(max(csv.field_size_limit(), len(lines) + 1))
    for i, cells in enumerate(csv.reader(io.StringIO(lines))):
        place = f"{path}, line {i + 1}"
        if not i and cells != columns:
            raise FileFormatError(f"{place}: found the columns {cells}, expected {columns}")
        if len(cells) != len(columns):
            raise FileFormatError(f"{place}: found {len(cells)} cells, expected {len(columns)}")
        if i:
            yield dict(zip(columns, cells, strict=True)), place


def _line(row: dict[str, str], place: str) -> Line:
    line: Line = {}
    for name, cell in row.items():
        kind: Any = str if name in TEXTS else int if name in COUNTS else float
        line[name] = cell if name in TEXTS else _number([cell], kind, place)[0] if cell else None
    return line


def _number(cells: list[str], kind: Any, place: str) -> list[Any]:
    try:
        return [kind(cell) for cell in cells]
    except ValueError as error:
        raise FileFormatError(f"{place}: {error}, expected numbers") from None


def _known(plan: Plan, line: Line, place: str) -> Key:
    key = key_of(line)
    rounds, folds = plan.resampling.rounds, plan.resampling.folds
    if (
        key[0] not in plan.datasets
        or key[1] not in plan.estimators
        or not (0 <= key[2] < rounds and 0 <= key[3] < folds)
    ):
        raise FileFormatError(f"{place}: found {key[:2]}, expected what settings.json names")
    return key
