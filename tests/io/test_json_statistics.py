"""Statistics in files: to the last bit and back, and refused where they are broken."""

import json

import numpy as np
import pandas as pd
import pytest

from bnclass.classifiers.numeric import HAODE
from bnclass.classifiers.single import TAN, NaiveBayes
from bnclass.exceptions import FileFormatError, MemoryLimitError
from bnclass.io.json import load, save
from bnclass.io.upgrades import upgraded

FRAME = pd.DataFrame({"a": list("uvwu"), "x": [1.0, 1 / 3, 1e-9, 7.0], "c": 2.5})
LABELS = ["n", "y", "n", "y"]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.json"


def arrays(statistics):
    yield from (statistics.class_counts, statistics.value_counts, statistics.pair_counts)
    for part in ("singles", "pairs", "cells"):
        moments = getattr(statistics.moments, part)
        if moments is not None:
            yield from (moments.n, moments.mean, moments.scatter, moments.rounding)


@pytest.mark.parametrize(
    "model", [NaiveBayes(continuous="gaussian"), TAN(continuous="gaussian"), HAODE()], ids=repr
)
def test_statistics_come_back_to_the_bit(path, model):
    weights = [1.0, 2.1, 1 / 3, 2.0]
    model.fit(FRAME, LABELS, weights)
    save(model, path, statistics=True)
    loaded = load(path)
    assert loaded.statistics_.schema == model.statistics_.schema
    for ours, theirs in zip(arrays(loaded.statistics_), arrays(model.statistics_), strict=True):
        assert np.array_equal(ours, theirs) if ours is not None else theirs is None
    for ours, theirs in zip(loaded.statistics_.distinct, model.statistics_.distinct, strict=True):
        assert ours.values.tolist() == theirs.values.tolist()
        assert (ours.minimum, ours.maximum) == (theirs.minimum, theirs.maximum)


def test_a_range_of_too_many_numbers_comes_back(path):
    numbers = np.arange(2**16 + 5.0)[:, np.newaxis]
    model = NaiveBayes(continuous="gaussian").fit(numbers, np.arange(len(numbers)) % 2)
    save(model, path, statistics=True)
    assert load(path).statistics_.resolution("x0") == model.statistics_.resolution("x0")


BROKEN = {
    "a negative count": (lambda s: s["value_counts"]["values"].__setitem__(0, -1.0), "count -1.0"),
    "a place beyond": (lambda s: s["class_counts"]["places"].__setitem__(1, 2), "places from 0 to"),
    "a place twice": (lambda s: s["class_counts"]["places"].__setitem__(1, 0), "ascending whole"),
    "a value too few": (lambda s: s["pair_counts"]["values"].pop(), "expected a list of"),
    "no counts": (lambda s: s.__setitem__("class_counts", None), "no class_counts"),
    "no moments": (lambda s: s.__setitem__("moments", None), "moments: found None"),
    "no means": (lambda s: s["moments"]["singles"].__setitem__("mean", None), "found null"),
    "a number twice": (lambda s: s["distinct"][0]["values"].append(7.0), "found a number twice"),
    "a column too few": (lambda s: s["distinct"].pop(), "found 1 lists of distinct"),
    "another domain": (
        lambda s: s["attributes"][0]["states"].reverse(),
        "differ in their variables",
    ),
    "a key too many": (lambda s: s.__setitem__("z", 1), "found the key 'z'"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_statistics(path, case):
    save(TAN(continuous="gaussian").fit(FRAME, LABELS), path, statistics=True)
    document = json.loads(path.read_text())
    damage, message = BROKEN[case]
    damage(document["model"]["statistics_"])
    path.write_text(json.dumps(document))
    with pytest.raises(FileFormatError, match=message):
        load(path)


def test_huge_domains_are_refused_before_they_are_counted(path):
    save(TAN().fit(FRAME[["a"]], LABELS), path, statistics=True)
    document = json.loads(path.read_text())
    states = list(map(str, range(200_000)))
    document["model"]["statistics_"]["attributes"][0]["states"] = states
    path.write_text(json.dumps(document))
    with pytest.raises(MemoryLimitError, match="pair_counts: the array would need"):
        load(path)


def test_models_of_format_2_are_read():
    encoder = {"type": "TableEncoder", "missing": "state"}
    model = {"type": "KST", "parameters": {"k": 2}, "encoder_": encoder}
    document = upgraded({"format": 2, "model": model})
    nothing = {"type": "dict", "items": []}
    assert document == {
        "format": 3,
        "model": {
            "type": "KST",
            "parameters": {"k": 2, "unknown": "missing", "constraints": None},
            "unknown_counts_": nothing,
            "statistics_": None,
            "encoder_": {
                **encoder,
                "unknown": "missing",
                "idle_views_": [],
                "declared": [],
                "missing_counts": nothing,
            },
        },
    }
