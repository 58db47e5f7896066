"""The folder of a run: written as results come, so that a run that was killed goes on.

It holds ``settings.json`` (what is run), ``folds/`` (a file a data set: the class of every row,
and the fold that tests it in each round), ``results.csv`` (a line an estimator and fold), and
``predictions.csv`` if bias and variance are measured. The last two are appended to; a line cut
short by a killed process is no line.
"""

import csv
import io
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import numpy as np

from bnclass.data.codes import Codes
from bnclass.evaluate.experiment.log import COUNTS, KEY, TEXTS, Key, Line, Log, Plan, key_of
from bnclass.evaluate.experiment.settings import read_plan, refuse_another_run, united, write_plan
from bnclass.exceptions import BnclassError, DataTypeError, FileFormatError

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
        If a file in it is damaged, or cannot be written.
    """

    def __init__(self, path: str | os.PathLike[str], plan: Plan) -> None:
        if not isinstance(path, (str, os.PathLike)):
            raise DataTypeError(f"folder is {path!r}, expected a path")
        self.path, self.plan = Path(path), plan
        self._predictions: _Appended | None = None
        self._refuse_other_files()
        with _named_errors(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
        with ExitStack() as opened:
            self._results = self._open("results.csv", plan.columns, opened)
            self._lock()
            everything = self._agreed()
            if plan.keeps_predictions:
                self._predictions = self._open("predictions.csv", _PREDICTIONS, opened)
            self.log = read_log(self.path, everything)
            self._opened = opened.pop_all()

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
        self._opened.close()

    def __enter__(self) -> "RunFolder":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _refuse_other_files(self) -> None:
        """Refuse what is no folder of a run, nor left by one that was killed as it began."""
        if not self.path.exists() or (self.path / "settings.json").exists():
            return
        if not self.path.is_dir() or not all(map(_left_behind, self.path.iterdir())):
            raise BnclassError(
                f"{self.path}: found other files, expected the folder of a run, or an empty or new "
                "one"
            )

    def _open(self, name: str, columns: Iterable[str], opened: ExitStack) -> "_Appended":
        file = _Appended(self.path / name, columns)
        opened.callback(file.close)
        return file

    def _agreed(self) -> Plan:
        """Return all that the folder holds and will hold, once that is written."""
        if not (self.path / "settings.json").exists():
            write_plan(self.path, self.plan, kept=())
            return self.plan
        earlier = read_plan(self.path)
        refuse_another_run(self.path, earlier, self.plan)
        everything = united(earlier, self.plan)
        write_plan(self.path, everything, kept=earlier.datasets)
        return everything

    def _lock(self) -> None:
        """Refuse a second process; the system lets go when a process ends, however it does."""
        try:
            import fcntl
        except ImportError:  # not on this system
            return
        try:
            fcntl.flock(self._results.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
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
            key = _known(plan, _line(row, place), place)
            predictions[key] = _codes(plan, key, row["predicted"], place)
    for row, place in _rows(path / "results.csv", plan.columns):
        line = _line(row, place)
        key = _known(plan, line, place)
        if line["n_test"] != plan.datasets[key[0]].n_tested(*key[2:]):
            raise FileFormatError(f"{place}: found other rows tested than those of the fold")
        if plan.keeps_predictions and not line["error"] and key not in predictions:
            raise FileFormatError(f"{place}: found no predictions, expected a line of them")
        log.add(line, predictions.get(key))
    return log


class _Appended:
    """A CSV file that grows by whole lines."""

    def __init__(self, path: Path, columns: Iterable[str]) -> None:
        self._path, self._columns = path, list(columns)
        with _named_errors(path):
            self.file = path.open("a+b")
            self.file.seek(0)
            self._whole = self.file.read().rfind(b"\n") + 1
        self._empty = not self._whole

    def add(self, rows: Iterable[Iterable[Any]]) -> None:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        if self._empty:
            writer.writerow(self._columns)
        writer.writerows(rows)
        with _named_errors(self._path):
            self.file.truncate(self._whole)  # a line that was cut short
            self.file.write(text.getvalue().encode("utf-8", "backslashreplace"))
            self.file.flush()
            self._empty, self._whole = False, self.file.tell()

    def close(self) -> None:
        with suppress(OSError):  # of a line that could not be written, which was said
            self.file.close()


@contextmanager
def _named_errors(path: Path) -> Iterator[None]:
    """Say which file it was that could not be written: a full disk names none."""
    try:
        yield
    except (OSError, ValueError) as error:  # a name no file can have
        problem = getattr(error, "strerror", None) or error
        raise FileFormatError(f"{path}: cannot be written ({problem})") from None


def _left_behind(path: Path) -> bool:
    """Return whether a run leaves this before it has settings."""
    if path.name == "results.csv":
        return not path.stat().st_size
    return path.name == "folds" or fnmatch(path.name, ".bnclass-*.tmp")


def _rows(path: Path, columns: list[str]) -> Iterable[tuple[dict[str, str], str]]:
    """Yield the whole lines of a file, each with how a message calls it."""
    text = path.read_bytes() if path.exists() else b""
    lines = text[: text.rfind(b"\n") + 1].decode("utf-8-sig", "replace")
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
        if not cell and name in KEY:
            raise FileFormatError(f"{place}: found no {name}, expected one")
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
        found = ", ".join(f"{name} {line[name]!r}" for name in KEY)
        raise FileFormatError(f"{place}: found {found}, expected what settings.json names")
    return key


def _codes(plan: Plan, key: Key, predicted: str, place: str) -> Codes:
    codes = _number(predicted.split(), int, place)
    n_tested, n_classes = (
        plan.datasets[key[0]].n_tested(*key[2:]),
        len(plan.datasets[key[0]].classes),
    )
    if len(codes) != n_tested or not 0 <= min(codes) <= max(codes) < n_classes:
        raise FileFormatError(
            f"{place}: found {len(codes)} codes, expected {n_tested} from 0 to {n_classes - 1}"
        )
    return np.array(codes, dtype=np.int32)
