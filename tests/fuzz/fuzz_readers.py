"""Damage files at random, read them, and tell of everything but success or a BnclassError.

    python tests/fuzz/fuzz_readers.py --seconds 600

A model that is read must also answer for a few rows, and be saved and read again. Each input may
take `--slow` seconds and `--large` MB more than the last; memory limits are those of a machine with
four times as much. Inputs that led to findings are kept in the folder `--keep`.
"""

import argparse
import contextlib
import json
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from mutations import mutated, mutated_json
from seeds import ENDINGS, packed, seeds

import bnclass as bc
from bnclass.classifiers.base import BayesianNetworkClassifier
from bnclass.cli.tables import rows_under
from bnclass.data.readers import read_table

_READ = {"json": bc.load, "bif": bc.read_bif, "graphml": bc.read_graphml}
_MEGABYTE = 2**20


class TooLongError(BaseException):
    """An input took longer than it may; no reader catches this."""


def main() -> None:
    """Fuzz each reader in a process of its own, which may crash, and print the counts."""
    options = _options()
    keep = Path(options.keep)
    keep.mkdir(parents=True, exist_ok=True)
    n_findings = 0
    for reader in options.readers:
        tally = _in_own_process(reader, options, keep)
        n_findings += len(tally["findings"])
        print(
            f"{reader:8} {tally['inputs']:8} inputs {tally['read']:8} read "
            f"{tally['refused']:8} refused {len(tally['findings']):4} findings "
            f"slowest {tally['slowest']:.2f} s largest {tally['largest']:.0f} MB",
            flush=True,
        )
        for finding, (n, kept) in tally["findings"].items():
            print(f"    {n} times, {kept}: {finding}", flush=True)
    sys.exit(n_findings > 0)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="for all readers together")
    parser.add_argument("--readers", nargs="+", default=list(ENDINGS), choices=list(ENDINGS))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--slow", type=float, default=5, help="seconds that an input may take")
    parser.add_argument("--large", type=int, default=1024, help="MB that an input may take")
    parser.add_argument("--keep", default="fuzz-findings")
    parser.add_argument("--worker", metavar="TALLY", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        _work(options)
        sys.exit()
    return options


def _in_own_process(reader: str, options: argparse.Namespace, keep: Path) -> dict:
    seconds = options.seconds / len(options.readers)
    with tempfile.TemporaryDirectory() as folder:
        tally_file = Path(folder, "tally")
        words = [sys.executable, __file__, "--readers", reader, "--seconds", str(seconds)]
        words += ["--seed", str(options.seed), "--slow", str(options.slow)]
        words += ["--large", str(options.large), "--keep", str(keep), "--worker", str(tally_file)]
        try:
            code = subprocess.run(words, timeout=seconds + 120, check=False).returncode
        except subprocess.TimeoutExpired:
            code = "none: it hung"
        tally = json.loads(tally_file.read_text())
        if code != 0:
            kept = _keep(next(Path(folder).glob("input.*")), keep, "crash")
            tally["findings"][f"the process ended with the code {code}"] = [1, kept]
        return tally


def _keep(path: Path, keep: Path, name: str) -> str:
    kept = keep / f"{name}{''.join(path.suffixes)}"
    kept.write_bytes(path.read_bytes())
    return str(kept)


# ---------------------------------------------------------------- the process of one reader


def _work(options: argparse.Namespace) -> None:
    (reader,), tally_file = options.readers, Path(options.worker)
    rng, originals = random.Random(f"{reader} {options.seed}"), seeds(reader)
    bc.set_max_memory(options.large * _MEGABYTE // 4)
    signal.signal(signal.SIGALRM, _interrupt)
    tally = {"inputs": 0, "read": 0, "refused": 0, "slowest": 0, "largest": 0, "findings": {}}
    tally_file.write_text(json.dumps(tally))
    warnings.simplefilter("error")
    warnings.simplefilter("ignore", bc.exceptions.BnclassWarning)
    warnings.filterwarnings("ignore", "X has feature names")  # scikit-learn's, about our rows
    path = tally_file.with_name("input" + ENDINGS[reader][0])
    for original in originals:  # the first calls compile, so they may take their time
        path.write_bytes(original)
        if _outcome(path, reader) != "read":
            raise AssertionError(f"a file of our own is refused: {original[:200]!r}")
    end = time.monotonic() + options.seconds
    while time.monotonic() < end:
        data, ending = _damaged(reader, originals, rng)
        path = tally_file.with_name("input" + ending)
        _try(path, data, reader, options, tally)
        tally_file.write_text(json.dumps(tally))
        path.unlink()


def _interrupt(*_: object) -> None:
    raise TooLongError


def _damaged(reader: str, originals: list[bytes], rng: random.Random) -> tuple[bytes, str]:
    data, ending = rng.choice(originals), rng.choice(ENDINGS[reader])
    damage = mutated_json if reader == "json" and rng.random() < 0.6 else mutated
    if ending.endswith(".gz") and rng.random() < 0.5:
        return mutated(packed(data), [packed(data)], rng), ending
    data = damage(data, originals, rng)
    return packed(data) if ending.endswith(".gz") else data, ending


def _try(path: Path, data: bytes, reader: str, options: argparse.Namespace, tally: dict) -> None:
    path.write_bytes(data)
    finding, start, before = None, time.perf_counter(), _peak()
    try:
        with _alarm(2 * options.slow):
            outcome = _outcome(path, reader)
            tally[outcome] += 1
    except (Exception, TooLongError) as error:
        finding = _signature(error)
    seconds, growth = time.perf_counter() - start, _peak() - before
    tally["inputs"] += 1
    tally["slowest"] = max(tally["slowest"], seconds)
    tally["largest"] = max(tally["largest"], growth)
    if finding is None and seconds > options.slow:
        finding = f"took {seconds:.0f} seconds"
    if finding is None and growth > options.large:
        finding = f"took {growth:.0f} MB"
    if finding is not None:
        n = len(tally["findings"])
        found = tally["findings"].setdefault(finding, [0, ""])
        if not found[0]:
            found[1] = _keep(path, Path(options.keep), f"{reader}-{options.seed}-{n}")
        found[0] += 1


@contextlib.contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / _MEGABYTE


def _outcome(path: Path, reader: str) -> str:
    try:
        model = _READ.get(reader, read_table)(path)
    except bc.BnclassError as error:
        if len(str(error)) > 2000 or "\n" in str(error):
            raise AssertionError("a message that is no short line") from None
        return "refused"
    if reader in _READ:
        with contextlib.suppress(bc.BnclassError):
            _use(model)
        again = path.with_name("again.json")
        bc.save(model, again)
        if repr(bc.load(again)) != repr(model):
            raise AssertionError("another model after saving and loading")
    return "read"


def _use(model: object) -> None:
    """Ask a model for a posterior, which must be one."""
    if isinstance(model, bc.Structure):
        list(model.topological_order)
        return
    joint = model._model if isinstance(model, BayesianNetworkClassifier) else model
    columns = {
        v.column: [0.5, None] if v.is_continuous or v.cuts else [v.states[0], None]
        for v in joint.attributes
    }
    rows = pd.DataFrame(columns, dtype=object)
    if joint is model:
        posterior = model.posterior(rows_under(rows, joint.attributes))
    else:
        posterior = model.predict_proba(rows.reindex(columns=list(model.encoder_.columns_)))
    if not np.allclose(posterior.sum(axis=1), 1) or not (posterior >= 0).all():
        raise AssertionError(f"a posterior of {posterior.tolist()}")


def _signature(error: BaseException) -> str:
    """Return the error and the innermost line of ours, which tell findings apart."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f for f in frames if "bnclass" in f.filename] or frames
    message = " ".join(str(error).split())[:80]
    return f"{type(error).__name__} at {Path(ours[-1].filename).name}:{ours[-1].lineno}: {message}"


if __name__ == "__main__":
    main()
