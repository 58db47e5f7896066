import numpy as np
import pandas as pd
import pytest

import bnclass as bc
from bnclass.data.weights import reaches, same_counts

TENTHS = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.5])
"""Sums of the first four are 1 or next to it, by their order."""


def test_a_sum_of_weights_reaches_what_it_is_but_for_rounding():
    sums = {sum(order) for order in ([0.7, 0.2, 0.1], [0.1, 0.2, 0.7])}
    assert sums == {1.0, np.nextafter(1.0, 0.0)}
    assert all(reaches(np.array(s), 1.0) for s in sums)
    assert same_counts(np.array(list(sums)), np.array([1.0])).all()


@pytest.mark.parametrize("least", [0.0, 1.0, 2.0, 1e-100, 1e100, 3.75, 2.0**30])
def test_less_is_less(least):
    assert reaches(np.array([least, np.nextafter(least, 0), least * (1 + 1e-9)]), least).all()
    if least:
        assert not reaches(np.array([least * (1 - 1e-9), 0.0]), least).any()
        assert not same_counts(np.array([least * (1 - 1e-9)]), np.array([least])).any()


def test_whole_numbers_are_compared_as_they_are():
    counts = np.arange(2.0**20, 2.0**20 + 3)
    assert reaches(counts, 2.0**20 + 1).tolist() == [False, True, True]
    assert same_counts(counts, counts[1]).tolist() == [False, True, False]


def test_nothing_reaches_infinity():
    assert not reaches(np.array([1e100, 0.0]), np.inf).any()


@pytest.mark.filterwarnings("ignore::bnclass.BnclassWarning")
@pytest.mark.parametrize(
    ("model", "column", "weights"),
    [
        (bc.AODE(), list("uuuuvv"), TENTHS),
        (bc.AODE(subsumption=1), list("uuuuvv"), TENTHS),
        (bc.HAODE(), [1.0, 1, 1, 1, 5, 5], TENTHS),
        (bc.NaiveBayes(missing="impute"), ["u", "u", "u", "u", "v", "v"], TENTHS),
        (bc.NaiveBayes(continuous="gaussian"), [1.0, 2, 4, 7, 3, 9], 2 * TENTHS),
        (bc.GAODE(), [1.0, 2, 4, 7, 3, 9], 2 * TENTHS),
    ],
    ids=repr,
)
def test_the_order_of_fractional_weights_decides_nothing(model, column, weights):
    frame = pd.DataFrame({"a": column, "b": [1.0, 3, 2, 2, 4, 4]})
    if isinstance(model, bc.AODE):
        frame["b"] = list("pppqpq")
    asked, labels = frame.copy(), np.array([0, 0, 0, 0, 1, 1])
    asked.loc[5, "a"] = None
    rng, found = np.random.default_rng(0), []
    for _ in range(20):
        order = rng.permutation(6)
        model.fit(frame.iloc[order], labels[order], sample_weight=weights[order])
        found.append(model.predict_proba(asked))
    assert np.ptp(found, axis=0).max() < 1e-12
