"""KST over numbers held to the brute-force oracle: measures, structures, joints and posteriors."""

import itertools

import numpy as np
import pytest
from builders import attribute_parents
from hypothesis import given, settings
from hypothesis import strategies as st
from mixed_cases import SMOOTHINGS, cases
from mixed_checks import deviation
from oracle import kst_gaussian, kst_gaussian_measures
from oracle.gaussian import is_constant
from oracle.tables import project

import bnclass as bc
from bnclass.scores.information import LARGEST_MEASURE

pytestmark = pytest.mark.filterwarnings("ignore::bnclass.BnclassWarning")
DEPENDENCES = ["class-conditional", "pairwise"]
QUANTUM = 2.0**-40


def off_by(found, expected):
    """Return by how many quanta integers differ; as is right to 1e-9, relative beyond 1 nat."""
    worst = 0
    places = range(len(found.attributes))
    assert found.attributes == expected.columns
    for a, b in itertools.permutations(places, 2):
        i, j = found.attributes[a], found.attributes[b]
        worst = max(worst, gap(found.pairs[a, b], expected.pair(i, j)))
        for c in places:
            if c not in (a, b):
                p = found.attributes[c]
                worst = max(worst, gap(found.triples[c, a, b], expected.triple(i, j, p)))
    return worst


def gap(found, expected):
    held = min(max(expected, -int(LARGEST_MEASURE / QUANTUM)), int(LARGEST_MEASURE / QUANTUM))
    assert abs(found - held) * QUANTUM <= 1e-9 * max(1.0, abs(held) * QUANTUM)
    return abs(int(found) - expected)


def is_decided(found, expected, k):
    """Return whether both must come to the same structure: all equal, or no decision as narrow."""
    error = off_by(found, expected)
    narrowest = kst_gaussian.narrowest_gap(expected, k)
    return not error or narrowest is None or narrowest > 2 * (k + 2) * len(found.pairs) * error


def places_of(network, model):
    place = {name: i for i, name in enumerate(model.schema_.names)}
    return {
        place[a]: tuple(place[p] for p in network.structure.parents(a) if p in place)
        for a in network.structure.attributes
    }


@pytest.mark.parametrize("members", ["both", "global", "local"])
@settings(max_examples=25, deadline=None)
@given(
    case=cases(kinds="n", max_rows=14),
    k=st.integers(0, 3),
    dependence=st.sampled_from(DEPENDENCES),
    average=st.sampled_from(["joint", "posterior"]),
    which=st.sampled_from(SMOOTHINGS),
    weights=st.sampled_from([(0.5, 0.5), (3, 1), (0.25, 7)]),
)
def test_random_tables(members, case, k, dependence, average, which, weights):
    table, kept = case.table()
    if table is None:
        return
    model = bc.KST(
        k, members, dependence, weights, average, smoothing=which[0], continuous="gaussian"
    )
    model.fit(case.frame, case.labels, sample_weight=case.weights)
    encoder = bc.TableEncoder(continuous="gaussian")
    training = encoder.fit_transform(case.frame, case.labels, case.weights)
    statistics = bc.SufficientStatistics.from_table(training)
    if members != "local":
        found = bc.Dependences.from_statistics(statistics, dependence)
        if not is_decided(
            found, kst_gaussian_measures.global_gaussian_measures(table, dependence), k
        ):
            return
        structure = kst_gaussian.kst_gaussian_global(table, k, dependence)
        assert attribute_parents(model.ensemble_[0].structure) == structure
    rows = model.encoder_.transform(case.asked)
    for r, query in enumerate(case.queries):
        row = [
            None if is_constant(table, i) else x for i, x in enumerate(project(query, kept))
        ]  # constants have no say, and no place in local structures
        if members != "global":
            cells = model.ensemble_.local.cells(rows)[r]
            found = bc.Dependences.of_row(model.ensemble_.local.statistics, cells, dependence)
            expected = kst_gaussian_measures.local_gaussian_measures(table, row, dependence)
            if not is_decided(found, expected, k):
                continue
            structure = kst_gaussian.kst_gaussian_local(table, row, k, dependence)
            assert places_of(model.network_at(case.asked.iloc[[r]]), model) == structure
        chosen = (table, which[1], row, k, dependence, members, weights)
        one = rows.rows(slice(r, r + 1))
        size = 1.0
        if average == "joint":
            joint = [float(log) for log in kst_gaussian.kst_gaussian_log_joint(*chosen).values()]
            for engine in ("compiled", "graph"):
                found = model.ensemble_.log_joint(one, engine=engine)[0]
                assert deviation(found, joint) <= 1e-9
            size = max([1.0, *(abs(log) for log in joint if log > -np.inf)])
        expected = kst_gaussian.kst_gaussian_posterior(*chosen, average)
        for engine in ("compiled", "graph"):
            found = model.ensemble_.posterior(one, engine=engine)[0]
            assert found == pytest.approx(expected, abs=1e-9 * size)
