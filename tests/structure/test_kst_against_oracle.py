"""The k-dependence spanning tree, its measures and the local member against the oracle."""

import itertools
import math
import os
from pathlib import Path

import numpy as np
import pytest
from builders import attribute_parents, encoded, training_tables
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import kst_measures, kst_structures
from oracle import smoothing as oracle_smoothing
from oracle.kst_measures import Measures
from oracle.posteriors import Network, joint
from oracle.tables import Table, Y, contingency, exact, make_table

import bnclass as bc
from bnclass.network import local_tables
from bnclass.network.local import LocalMember
from bnclass.scores.criteria import maximum_correlation, minimum_dependence
from bnclass.scores.dependence import Dependences
from bnclass.structure.kst import KSTLearner

SMOOTHINGS = [
    (bc.MEstimate(1.0), oracle_smoothing.MEstimate(1)),
    (bc.MEstimate(0.0), oracle_smoothing.MEstimate(0)),
    (bc.Laplace(1.0), oracle_smoothing.Laplace(1)),
    (bc.Laplace(0.0), oracle_smoothing.Laplace(0)),
    (bc.BDeu(2.0), oracle_smoothing.BDeu(2)),
]
WEIGHTS = {
    "none": st.just(1),
    "whole": st.integers(1, 3),
    "parts": st.sampled_from([0.25, 1.0, 2.5]),
    "tenths": st.sampled_from([0.1, 0.7, 1.3]),  # sums are rounded
}
DEPENDENCES = st.sampled_from(kst_measures.DEPENDENCES)
for_each_dependence = pytest.mark.parametrize("dependence", kst_measures.DEPENDENCES)


# ---------------------------------------------------------------- random tables


@st.composite
def tables(draw, min_attributes=2, max_attributes=5, holes=True, weights=WEIGHTS):
    """Draw a table of weighted rows; some columns repeat others, so that measures tie."""
    drawn = draw(training_tables(min_attributes, max_attributes, holes=holes))
    copied = draw(st.lists(st.integers(0, drawn.n - 1), max_size=2))
    columns = [*range(drawn.n), *copied]
    of_weights = weights[draw(st.sampled_from(sorted(weights)))]
    n = len(drawn.rows)
    return Table(
        rows=[tuple(row[i] for i in columns) for row in drawn.rows],
        labels=drawn.labels,
        weights=[exact(w) for w in draw(st.lists(of_weights, min_size=n, max_size=n))],
        domains=[drawn.domains[i] for i in columns],
        classes=drawn.classes,
    )


def statistics_of(table):
    return bc.SufficientStatistics.from_table(encoded(table))


def draw_row(data, table):
    return tuple(data.draw(st.sampled_from([*states, None])) for states in table.domains)


def codes_of(table, row):
    return [-1 if x is None else d.index(x) for x, d in zip(row, table.domains, strict=True)]


# ---------------------------------------------------------------- measures and structures


def check_measures(found, expected):
    """Hold all integers to the oracle's, up to 1; return the oracle's over the found ones.

    A value on the edge between two integers may go either way; a structure is then held to
    the literal procedure on the integers found.
    """
    assert found.attributes == expected.columns
    place = {i: a for a, i in enumerate(found.attributes)}
    for i, j in itertools.permutations(expected.columns, 2):
        assert abs(int(found.pairs[place[i], place[j]]) - expected.pair(i, j)) <= 1
    for i, j, p in itertools.permutations(expected.columns, 3):
        measure = int(found.triples[place[p], place[i], place[j]])
        assert abs(measure - expected.triple(i, j, p)) <= 1
    return Measures(
        expected.columns,
        lambda i, j: int(found.pairs[place[i], place[j]]),
        lambda i, j, p: int(found.triples[place[p], place[i], place[j]]),
    )


def check_criteria(found, measures):
    """Hold C to the oracle's, and D of every child and some parents and candidates."""
    place = {i: a for a, i in enumerate(found.attributes)}
    columns = measures.columns
    expected = [kst_structures.maximum_correlation(measures, i) for i in columns]
    assert maximum_correlation(found).tolist() == expected
    for i in columns:
        others = [j for j in columns if j != i]
        for n_chosen in range(min(3, len(others))):
            chosen, rest = others[:n_chosen], others[n_chosen:]
            expected = [
                kst_structures.minimum_dependence(measures, i, chosen, rest, j) for j in rest
            ]
            shared = minimum_dependence(
                found, place[i], [place[j] for j in rest], [place[j] for j in chosen]
            )
            assert shared.tolist() == expected


def by_column(structure, columns):
    """Return attribute parents by column of the table, as the oracle has them."""
    return {
        columns[i]: tuple(columns[p] for p in parents)
        for i, parents in attribute_parents(structure).items()
    }


@for_each_dependence
@settings(max_examples=80, deadline=None)
@given(table=tables())
def test_global(dependence, table):
    statistics = statistics_of(table)
    found = Dependences.from_statistics(statistics, dependence)
    measures = check_measures(found, kst_measures.global_measures(table, dependence))
    check_criteria(found, measures)
    for k in range(4):
        structure = KSTLearner(k, dependence).learn(statistics)
        assert attribute_parents(structure) == kst_structures.spanning_tree(measures, k)


@for_each_dependence
@settings(max_examples=80, deadline=None)
@given(table=tables(), data=st.data())
def test_local(dependence, table, data):
    statistics, row = statistics_of(table), draw_row(data, table)
    codes = codes_of(table, row)
    found = Dependences.of_row(statistics, codes, dependence)
    measures = check_measures(found, kst_measures.local_measures(table, row, dependence))
    check_criteria(found, measures)
    for k in range(4):
        structure = KSTLearner(k, dependence).learn_at(statistics, codes)
        expected = kst_structures.spanning_tree(measures, k)
        assert by_column(structure, found.attributes) == expected


def has_edge(table, row, dependence):
    """Return whether some measure lies on the edge between two integers, to rounding."""
    cells = [i for i in range(table.n) if row[i] is not None]
    given_all = [(i, j, (Y,)) for i, j in itertools.combinations(cells, 2)] + [
        (i, j, kst_measures.conditions(dependence, p))
        for i, j in itertools.combinations(cells, 2)
        for p in cells
        if p not in (i, j)
    ]
    scaled = [2**40 * kst_measures.local_information(table, row, *one) for one in given_all]
    return any(abs(value % 1 - 0.5) < 0.02 for value in scaled)


@pytest.mark.parametrize("fits", [True, False], ids=["table", "bit sets"])
@settings(max_examples=80, deadline=None)
@given(
    table=tables(min_attributes=4, max_attributes=6),
    k=st.integers(0, 3),
    dependence=DEPENDENCES,
    which=st.sampled_from(SMOOTHINGS),
    data=st.data(),
)
def test_the_joint_of_the_local_member(fits, table, k, dependence, which, data):
    ours, theirs = which
    statistics = statistics_of(table)
    rows = [draw_row(data, table) for _ in range(3)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_tables, "_fits", lambda *_: fits)
        member = LocalMember(statistics, ours, k, dependence)
        found = np.exp(member.log_joint([codes_of(table, row) for row in rows]))
    for row, shares in zip(rows, found, strict=True):
        if has_edge(table, row, dependence):
            continue
        parents = kst_structures.kst_local(table, row, k, dependence)
        expected = joint(Network(table, parents, theirs), row)
        assert shares == pytest.approx([float(p) for p in expected.values()], rel=1e-9, abs=1e-300)


@for_each_dependence
@pytest.mark.parametrize("fits", [True, False], ids=["table", "bit sets"])
def test_ties_between_columns_that_differ(fits, dependence, monkeypatch):
    # All combinations of five columns, the class the parity of four: every measure is 0, and
    # with k = 3 it matters to the last column which three of the others the ties leave it.
    rows = list(itertools.product("uv", repeat=5))
    labels = ["KL"[(row[:3] + row[4:]).count("u") % 2] for row in rows]
    table = make_table(rows, labels)
    statistics = statistics_of(table)
    monkeypatch.setattr(local_tables, "_fits", lambda *_: fits)
    for k in range(1, 4):
        learner = KSTLearner(k, dependence)
        expected = kst_structures.kst_global(table, k, dependence)
        assert attribute_parents(learner.learn(statistics)) == expected
        found = LocalMember(statistics, k=k, dependence=dependence).log_joint(encoded(table).codes)
        for row, shares in zip(rows, found, strict=True):
            parents = kst_structures.kst_local(table, row, k, dependence)
            structure = learner.learn_at(statistics, codes_of(table, row))
            assert attribute_parents(structure) == parents
            network = Network(table, parents, oracle_smoothing.MEstimate(1))
            logs = [math.log(p) for p in joint(network, row).values()]
            assert shares == pytest.approx(logs, abs=1e-9)


# ---------------------------------------------------------------- invariants


@for_each_dependence
@settings(max_examples=40, deadline=None)
@given(table=tables(weights={"whole": WEIGHTS["whole"]}), data=st.data())
def test_rows_in_another_order_and_repeated_give_the_same_structures(dependence, table, data):
    order = data.draw(st.permutations(range(len(table.rows))))
    repeated = [r for r in order for _ in range(int(table.weights[r]))]
    other = Table(
        rows=[table.rows[r] for r in repeated],
        labels=[table.labels[r] for r in repeated],
        weights=[1] * len(repeated),
        domains=table.domains,
        classes=table.classes,
    )
    one, two = statistics_of(table), statistics_of(other)
    row = codes_of(table, draw_row(data, table))
    for k in range(4):
        learner = KSTLearner(k, dependence)
        for mine, theirs in (
            (learner.learn(one), learner.learn(two)),
            (learner.learn_at(one, row), learner.learn_at(two, row)),
        ):
            assert mine == theirs
            assert scores(mine) == scores(theirs)
        members = [LocalMember(s, k=k, dependence=dependence) for s in (one, two)]
        assert members[0] == members[1]
        assert np.array_equal(members[0].log_joint([row]), members[1].log_joint([row]))


def scores(structure):
    return [structure.graph.edges[arc].get("score") for arc in structure.arcs]


@for_each_dependence
@settings(max_examples=40, deadline=None)
@given(table=tables(), k=st.integers(0, 3), data=st.data())
def test_names_and_the_order_of_states_change_nothing(dependence, table, k, data):
    row = draw_row(data, table)
    straight = encoded(table)
    turned = Table(
        table.rows, table.labels, table.weights, [d[::-1] for d in table.domains], table.classes
    )
    variables = [
        bc.Variable(f"the {9 - i}th", states=v.states)
        for i, v in enumerate(encoded(turned).variables)
    ]
    renamed = bc.EncodedTable(
        tuple(variables),
        encoded(turned).codes,
        bc.Variable("kind", states=straight.target.states),
        straight.labels,
        straight.weights,
    )
    learner = KSTLearner(k, dependence)
    one, two = map(bc.SufficientStatistics.from_table, (straight, renamed))
    assert attribute_parents(learner.learn(one)) == attribute_parents(learner.learn(two))
    mine = learner.learn_at(one, codes_of(table, row))
    theirs = learner.learn_at(two, codes_of(turned, row))
    assert attribute_parents(mine) == attribute_parents(theirs)


@settings(max_examples=25, deadline=None)
@given(table=tables(max_attributes=3, holes=False, weights={"whole": WEIGHTS["whole"]}))
def test_local_measures_weighted_by_the_joint_sum_to_the_global_ones(table):
    # Class by class, as a local measure sums over the classes without weights; and with rows so
    # heavy that the Laplace estimate changes nothing.
    t, expected = sum(table.weights), Dependences.from_statistics(statistics_of(table))
    pairs, triples = np.zeros(expected.given_class.shape), np.zeros(expected.given_other.shape)
    for y in table.classes:
        rows = [r for r, label in enumerate(table.labels) if label == y]
        of_class = make_table(
            [table.rows[r] for r in rows],
            [y] * len(rows),
            [2**34 * table.weights[r] for r in rows],
            table.domains,
        )
        statistics = statistics_of(of_class)
        cells = contingency(of_class, tuple(range(table.n)))
        for row, weight in cells.items():
            local = Dependences.of_row(statistics, codes_of(table, row))
            pairs += float(weight) / 2**34 / float(t) * local.given_class
            triples += float(weight) / 2**34 / float(t) * local.given_other
    assert pairs == pytest.approx(expected.given_class, abs=1e-8)
    assert triples == pytest.approx(expected.given_other, abs=1e-8)


# ---------------------------------------------------------------- real data


def real_table(name):
    """Return a real data set, discretised, as the package's table and as the oracle's."""
    folder = os.environ.get("BNCLASS_DATA")
    if not folder:
        pytest.skip("BNCLASS_DATA does not name the folder of data sets")
    frame = bc.read_table(Path(folder) / f"{name}.arff")
    table = bc.TableEncoder().fit_transform(frame.iloc[:, :-1], frame.iloc[:, -1])
    rows = [tuple(None if c < 0 else c for c in codes) for codes in table.codes.tolist()]
    domains = [tuple(range(v.card)) for v in table.variables]
    return table, make_table(rows, table.labels.tolist(), None, domains)


@for_each_dependence
@pytest.mark.parametrize("name", ["contact-lenses", "hayes-roth", "iris", "tae", "balance-scale"])
def test_real_data(name, dependence):
    table, reference = real_table(name)
    statistics = bc.SufficientStatistics.from_table(table)
    smoothing = oracle_smoothing.MEstimate(1)
    shown = np.random.default_rng(5).choice(len(table), 8, replace=False)
    for k in range(1, 4):
        learner = KSTLearner(k, dependence)
        expected = kst_structures.kst_global(reference, k, dependence)
        assert attribute_parents(learner.learn(statistics)) == expected
        member = LocalMember(statistics, k=k, dependence=dependence)
        for r, found in zip(shown, member.log_joint(table.codes[shown]), strict=True):
            row = reference.rows[r]
            parents = kst_structures.kst_local(reference, row, k, dependence)
            structure = learner.learn_at(statistics, table.codes[r])
            assert by_column(structure, [i for i, x in enumerate(row) if x is not None]) == parents
            shares = joint(Network(reference, parents, smoothing), row)
            assert found == pytest.approx([math.log(p) for p in shares.values()], abs=1e-9)
