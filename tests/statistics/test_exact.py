"""Counts that no order of the rows changes, and the rules that compare them."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from builders import encoded, training_tables
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle.subsumption import subsumed
from oracle.tables import make_table

import bnclass as bc
from bnclass.statistics.exact import exact_counts, reaches

TENTHS = st.sampled_from([0.1, 0.2, 0.3, 0.7, 1.1, 1e-20, 1e9])


def weighted(table, weights):
    return replace(encoded(table), weights=np.array(weights, dtype=np.float64))


def counts_of(table, order=2):
    return exact_counts(bc.SufficientStatistics.from_table(table), order)


@settings(deadline=None, max_examples=80)
@given(table=training_tables(), data=st.data())
def test_the_order_of_the_rows_shows_in_no_bit(table, data):
    n = len(table.rows)
    straight = weighted(table, data.draw(st.lists(TENTHS, min_size=n, max_size=n)))
    turned = straight.rows(np.array(data.draw(st.permutations(range(n)))))
    one, two = counts_of(straight), counts_of(turned)
    for name in ("class_counts", "value_counts", "pair_counts"):
        assert np.array_equal(getattr(one, name), getattr(two, name))
    statistics = [bc.SufficientStatistics.from_table(rows) for rows in (straight, turned)]
    for least in (0.1, 0.3, 0.6, 1.2):
        rules = [bc.SuperparentSeen.from_statistics(s, least) for s in statistics]
        assert rules[0] == rules[1]
        assert all(map(np.array_equal, rules[0].gates, rules[1].gates))
        rules = [bc.Subsumption.from_statistics(s, least) for s in statistics]
        assert rules[0] == rules[1]
        assert np.array_equal(rules[0].drops(straight), rules[1].drops(straight))


@settings(deadline=None, max_examples=80)
@given(table=training_tables(), data=st.data())
def test_they_are_the_sums_of_the_weights_rounded_once(table, data):
    n = len(table.rows)
    weights = data.draw(st.lists(TENTHS, min_size=n, max_size=n))
    rows, found = weighted(table, weights), counts_of(weighted(table, weights))
    for place, variable in enumerate(rows.variables):
        for code in range(variable.card):
            own = [
                w for w, x in zip(weights, rows.codes[:, place].tolist(), strict=True) if x == code
            ]
            assert found.attribute_counts(place).tolist()[0][code] == pytest.approx(
                math.fsum(own), rel=1e-15, abs=2**-90 * math.fsum(weights)
            )


@settings(deadline=None, max_examples=60)
@given(table=training_tables(), data=st.data())
def test_a_value_is_implied_if_and_only_if_no_row_contradicts_it(table, data):
    # The oracle adds fractions. The minimum is below all weights.
    n = len(table.rows)
    some = st.sampled_from([0.1, 0.2, 0.3, 0.7, 1.1, 1e9])
    weights = data.draw(st.lists(some, min_size=n, max_size=n))
    rows = weighted(table, weights)
    rule = bc.Subsumption.from_statistics(bc.SufficientStatistics.from_table(rows), 1e-30)
    reference = make_table(table.rows, table.labels, weights, table.domains)
    for row, dropped in zip(table.rows, rule.drops(rows), strict=True):
        assert set(np.flatnonzero(dropped).tolist()) == subsumed(reference, row, 1e-30)


@pytest.mark.parametrize("weights", [[1.0, 2.0, 3.0], [2.0**52, 1.0, 1.0], None])
def test_integers_are_left_as_they_are(weights):
    table = replace(encoded(make_table(["uv", "vu", "uu"], "KLL")), weights=None)
    table = replace(table, weights=None if weights is None else np.array(weights))
    statistics = bc.SufficientStatistics.from_table(table)
    assert exact_counts(statistics, 2) is statistics


def test_merged_statistics_are_left_as_they_are():
    one = bc.SufficientStatistics.from_table(
        weighted(make_table(["uv", "vu"], "KL", domains=[("u", "v")] * 2), [0.1, 0.2])
    )
    merged = one.merge(one)
    assert exact_counts(merged, 2) is merged
    assert bc.Subsumption.from_statistics(merged, 0.1).counts[0].tolist() == [0.2, 0.4]


def test_pairs_are_counted_where_they_were():
    table = weighted(make_table(["uv", "vu"], "KL"), [0.1, 0.2])
    alone = bc.SufficientStatistics.from_table(table, order=1)
    assert exact_counts(alone, 2).pair_counts is None
    assert exact_counts(bc.SufficientStatistics.from_table(table), 1).pair_counts is None
    with pytest.raises(bc.DataError, match=r"expected pair counts \(order=2\)"):
        bc.Subsumption.from_statistics(alone, 0.1)


def test_a_few_light_rows_among_heavy_ones_reach_their_number():
    for heavy in (1e6 + 0.1, 1e12 / 3, 1e20):
        table = weighted(make_table(list("uuuv"), "KKKL"), [0.1, 0.1, 0.1, heavy])
        statistics = bc.SufficientStatistics.from_table(table)
        for least, serves in ((0.3, True), (0.3000001, False)):
            rule = bc.SuperparentSeen.from_statistics(statistics, least)
            assert rule.gates[0].tolist() == [serves, True]


def test_weights_without_a_rest():
    table = weighted(make_table(["up", "vq"], "KL"), [0.5, 0.25])
    found = counts_of(table)
    assert found.value_counts.tolist() == [[0.5, 0.25, 0.5, 0.25]]
    assert found.pair_counts[0, 2].tolist() == [0.5, 0.0, 0.5, 0.0]


def test_ten_classes():
    # The sum over classes is exact too: of one state, and of many.
    rows = [("u", "pq"[i % 2]) for i in range(30)]
    labels = [i % 10 for i in range(30)]
    rng = np.random.default_rng(0)
    table = weighted(make_table(rows, labels), rng.random(30))
    rule = bc.Subsumption.from_statistics(bc.SufficientStatistics.from_table(table), 0.1)
    assert rule.drops(table).tolist() == [[True, False]] * 30  # p and q imply u


@pytest.mark.parametrize("weights", list(itertools.permutations([0.1, 0.2, 0.3])))
def test_three_rows_in_every_order(weights):
    frame = pd.DataFrame({"a": ["u"] * 3 + ["v"], "b": ["p"] * 3 + ["q"]})
    model = bc.AODE(min_count=0.6, subsumption=0.6)
    model.fit(frame, [0, 1, 0, 1], sample_weight=[*weights, 5])
    assert model.ensemble_.membership.counts[0][0] == 0.6
    assert [gate.tolist() for gate in model.ensemble_.membership.gates] == [[True, True]] * 2
    drops = model.ensemble_.subsumption.drops(model.encoder_.transform(frame))
    assert drops.tolist() == [[False, True]] * 4


def test_thresholds_of_integers_are_exact():
    counts = np.array([0.0, 1.0, 2.0**39 - 1, 2.0**39])
    assert reaches(counts, 2.0**39).tolist() == [False, False, False, True]
    assert reaches(counts, 0).all()
    assert not reaches(counts, np.inf).any()
