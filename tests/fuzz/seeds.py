"""The files that the fuzzer starts from, as our own writers make them."""

import gzip
import io
import tempfile
import warnings
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

import bnclass as bc

ENDINGS = {
    "json": (".json", ".json.gz"),
    "bif": (".bif",),
    "graphml": (".graphml",),
    "csv": (".csv", ".csv.gz"),
    "arff": (".arff", ".arff.gz"),
    "parquet": (".parquet",),
}
"""The file name endings of each reader."""

_ARFF = """\
@relation 'some rows'
@attribute 'a b' {x, 'y z', "it's"}
@attribute number real
@attribute text string
@data
x, 1.5, 'a \\'quoted\\' one'  % a comment
'y z', ?, ?
{1 2.5, 2 "sparse"}
"it's",-1e300,plain
"""


def seeds(reader: str) -> list[bytes]:
    """Return some sound files of one reader."""
    if reader == "json":
        growing = [m for m in _models() if hasattr(m, "statistics_")]
        with_statistics = [_written(partial(bc.save, statistics=True), m) for m in growing]
        return [*map(_saved, _models()), *with_statistics, *_networks(bc.save)]
    if reader == "bif":
        return _networks(bc.write_bif, gaussian=False)
    if reader == "graphml":
        return _networks(bc.write_graphml)
    if reader == "arff":
        return [_ARFF.encode()]
    frames = _frames()
    if reader == "csv":
        return [frame.to_csv(index=False).encode() for frame in frames]
    return [_parquet(frame) for frame in frames]


def packed(data: bytes) -> bytes:
    """Return the content of a ``.gz`` file."""
    return gzip.compress(data, mtime=0)


def _frames() -> list[pd.DataFrame]:
    mixed = pd.DataFrame(
        {
            "flag": [True, False, None, True],
            "n": [1, 2, 3, 10**12],
            "x": [0.5, None, -1e300, 1e-300],
            "text, quoted": ["a", 'say "q"', "two\r\nlines", "日本"],
        }
    )
    levels = pd.DataFrame({"c": pd.Categorical(["u", "v", "u"], ["w", "v", "u"]), "d": [1, 2, 2]})
    return [mixed, levels]


def _parquet(frame: pd.DataFrame) -> bytes:
    target = io.BytesIO()
    frame.to_parquet(target)
    return target.getvalue()


def _rows() -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(7)
    X = pd.DataFrame(rng.integers(0, 3, (60, 3)), columns=["(-inf, 0.5]", "é", "a b"]).astype(str)
    return X, np.array(["yes", "no"])[rng.integers(0, 2, 60)]


def _models() -> list[object]:
    X, y = _rows()
    monks, iris = bc.load_dataset("monks-1"), bc.load_dataset("iris")
    mixed = iris[0].assign(level=X["é"].to_numpy()[np.arange(150) % 60])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [
            bc.TAN(smoothing=bc.BDeu(2)).fit(X, y),
            bc.KDB(k=None, missing="state").fit(*monks),
            bc.AODE(subsumption=5).fit(X, y),
            bc.ATAN("mutual-information", missing="impute").fit(*iris),
            bc.GAODE().fit(*iris),
            bc.HAODE().fit(mixed, iris[1]),
            bc.KST().fit(X, y),
            bc.KST(continuous="gaussian").fit(iris[0].iloc[::5], iris[1].iloc[::5]),
            bc.NaiveBayes(continuous="gaussian").fit(mixed, iris[1]),
            bc.SPODE(constraints=bc.Constraints(forbidden=[("é", "a b")])).fit(X, y),
            bc.StructureClassifier(bc.TAN().fit(X, y).network_.structure).fit(X, y),
        ]


def _saved(model: object) -> bytes:
    return _written(bc.save, model)


def _networks(write: object, gaussian: bool = True) -> list[bytes]:
    X, y = _rows()
    iris = bc.load_dataset("iris")
    u, v = (bc.Variable(name, states=(0, 1.5, ("t", None))) for name in ("u", ("v", 1)))
    sparse = bc.BayesianNetwork(
        bc.Structure.from_arcs(["u", ("v", 1)], {(("v", 1), "u"): 0.25}),
        [
            bc.SparseCategoricalCPD(u, (v,), [[1]], [0.25], [[0, 1]], [0.5], 1 / 3),
            bc.CategoricalCPD(v, (), [0.5, 0.25, 0.25]),
        ],
    )
    networks = [bc.KDB(k=2).fit(X, y).network_, sparse]
    if gaussian:
        networks.append(bc.TAN(continuous="gaussian").fit(*iris).network_)
    return [_written(write, network) for network in networks]


def _written(write: object, model: object) -> bytes:
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder, "seed")
        write(model, path)
        return path.read_bytes()
