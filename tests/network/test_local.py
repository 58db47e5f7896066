"""The compiled local member held to the explicit network of every row."""

import pickle

import numpy as np
import pandas as pd
import pytest
from builders import encoded, statistics_from, training_tables
from hypothesis import given, settings
from hypothesis import strategies as st

from bnclass import (
    BDeu,
    BnclassError,
    Constraints,
    DataError,
    EncodedTable,
    Laplace,
    MemoryLimitError,
    MEstimate,
    StructureError,
    SufficientStatistics,
    TableEncoder,
)
from bnclass.data import memory
from bnclass.network import local_tables
from bnclass.network.local import LocalMember
from bnclass.network.local_tables import row_sets
from bnclass.statistics.triples import value_rows

SMOOTHINGS = st.sampled_from(
    [MEstimate(1.0), MEstimate(0.0), MEstimate(2.5), Laplace(1.0), Laplace(0.0), BDeu(2.0)]
)
DEPENDENCES = st.sampled_from(["class-conditional", "pairwise"])
WEIGHTS = {
    "none": None,
    "whole": st.sampled_from([1.0, 2.0, 7.0]),
    "parts": st.sampled_from([0.25, 1.0, 2.5]),  # sums are exact, so that ties stay ties
}


@pytest.fixture(params=["table", "bit sets"])
def engine(request, monkeypatch):
    """Let tables fit, or not."""
    monkeypatch.setattr(local_tables, "_fits", lambda *_: request.param == "table")
    return request.param


def walked(member, codes):
    """Return ln P(y, x) of the explicit network of every row."""
    attributes = member.statistics.schema.attributes
    result = [np.empty((0, len(member.statistics.class_counts)))]
    for row in codes:
        table = EncodedTable(attributes, row[np.newaxis].astype(np.int32))
        result.append(member.network_at(row).log_joint(table, engine="graph"))
    return np.concatenate(result)


def check(member, codes):
    """Hold the compiled numbers to the walk's at 1e-10, -inf included; no NaN anywhere."""
    expected, found = walked(member, codes), member.log_joint(codes)
    assert found.shape == expected.shape
    assert not np.isnan(found).any()
    impossible = np.isneginf(expected)
    assert np.array_equal(np.isneginf(found), impossible)
    assert found[~impossible] == pytest.approx(expected[~impossible], rel=1e-12, abs=1e-10)


@st.composite
def members(draw, max_attributes=6):
    """Draw a member; small domains and few rows make many ties."""
    table = encoded(draw(training_tables(max_attributes=max_attributes)))
    strategy = WEIGHTS[draw(st.sampled_from(sorted(WEIGHTS)))]
    if strategy is not None:
        weights = draw(st.lists(strategy, min_size=len(table), max_size=len(table)))
        table = EncodedTable(
            table.variables, table.codes, table.target, table.labels, np.array(weights)
        )
    statistics = SufficientStatistics.from_table(table)
    return LocalMember(statistics, draw(SMOOTHINGS), draw(st.integers(0, 4)), draw(DEPENDENCES))


def random_codes(rng, member, n_rows, holes=0.15):
    cards = [v.card for v in member.statistics.schema.attributes]
    codes = np.array([rng.integers(0, card, n_rows) for card in cards]).T.reshape(n_rows, -1)
    codes[rng.random(codes.shape) < holes] = -1
    return codes


# ---------------------------------------------------------------- the kernel and its twin


@pytest.mark.parametrize("fits", [True, False], ids=["table", "bit sets"])
@settings(deadline=None, max_examples=60)
@given(members(), st.integers(0, 2**32))
def test_the_kernel_is_the_explicit_network(fits, member, seed):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_tables, "_fits", lambda *_: fits)
        check(member, random_codes(np.random.default_rng(seed), member, 6))


def test_by_hand(engine):
    # x1 comes under x0. P(K) = 2.5/4, P(u|K) = 2.5/3, P(p|u,K) = 2.5/3; P(L) = 1.5/4,
    # P(u|L) = 0.5/2, P(p|u,L) = 0.5/1.
    member = LocalMember(statistics_from(["uuv", "ppq"], "KKL"), k=1)
    expected = np.log([[2.5 / 4 * (2.5 / 3) ** 2, 1.5 / 4 * 0.25 * 0.5]])
    assert member.log_joint([[0, 0]]) == pytest.approx(expected, abs=1e-14)


def test_many_ties(engine):
    # Columns repeat each other, so that nearly every choice is between equals.
    columns = ["uuvvuvuv", "pqpqpqpq"]
    for k in (1, 2, 3):
        for dependence in ("class-conditional", "pairwise"):
            statistics = statistics_from(columns * 4, "KKKKLLLL")
            member = LocalMember(statistics, k=k, dependence=dependence)
            check(member, random_codes(np.random.default_rng(0), member, 40))


def test_many_rows_classes_and_states(engine):
    # Several words for every class, one class of few rows, one state never seen.
    rng = np.random.default_rng(1)
    n, cards = 700, [2, 3, 5, 4, 2, 3, 2]
    variables = [f"x{i}" for i in range(len(cards))]
    labels = rng.choice(4, n, p=[0.5, 0.3, 0.19, 0.01])
    frame = pd.DataFrame(
        {
            name: pd.Categorical((labels * (i + 1) + rng.integers(0, 3, n)) % card, range(card + 1))
            for i, (name, card) in enumerate(zip(variables, cards, strict=True))
        }
    )
    frame.iloc[rng.integers(0, n, 60), 2] = None
    frame.iloc[rng.integers(0, n, 60), 4] = None
    frame.iloc[rng.integers(0, n, 60), 5] = None
    table = TableEncoder().fit_transform(frame, labels)
    for k in (1, 2, 3):
        for dependence in ("class-conditional", "pairwise"):
            member = LocalMember(SufficientStatistics.from_table(table), BDeu(3.0), k, dependence)
            check(member, random_codes(rng, member, 25))


@pytest.mark.parametrize("dependence", ["class-conditional", "pairwise"])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_constraints_over_nine_columns(engine, k, dependence):
    rng = np.random.default_rng(k)
    hidden, labels = rng.integers(0, 3, (2, 300))
    frame = pd.DataFrame(
        {f"x{i}": (hidden * i + labels + rng.integers(0, 2, 300)) % 3 for i in range(9)}
    ).astype(str)
    frame.iloc[rng.integers(0, 300, 30), 2] = None
    statistics = SufficientStatistics.from_table(TableEncoder().fit_transform(frame, labels))
    arcs = [(f"x{u}", f"x{v}") for u in range(9) for v in range(9) if u != v]
    for _ in range(4):
        chosen = [arcs[a] for a in rng.choice(len(arcs), 20, replace=False)]
        constraints = Constraints(
            required=chosen[:1],
            forbidden=[arc for arc in chosen[1:] if arc[::-1] != chosen[0]],
            order=[chosen[0][1], "x0"] if chosen[0][0] != "x0" and chosen[0][1] != "x0" else [],
        )
        member = LocalMember(statistics, k=k, dependence=dependence, constraints=constraints)
        check(member, random_codes(rng, member, 30))


def test_spans_of_rows_in_threads_change_nothing(engine, monkeypatch):
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({f"x{i}": rng.integers(0, 3, 200).astype(str) for i in range(6)})
    table = TableEncoder().fit_transform(frame, rng.integers(0, 2, 200))
    member = LocalMember(SufficientStatistics.from_table(table))
    codes = random_codes(rng, member, 500)
    whole = member.log_joint(codes)
    monkeypatch.setattr("bnclass.network.local.share_of", lambda *_: 17)
    assert np.array_equal(member.log_joint(codes), whole)


# ---------------------------------------------------------------- rows, weights, order


@settings(deadline=None, max_examples=25)
@given(training_tables(max_attributes=5), st.integers(0, 2**32))
def test_rows_in_another_order_answer_to_the_bit(table, seed):
    rng = np.random.default_rng(seed)
    straight = encoded(table)
    member = LocalMember(SufficientStatistics.from_table(straight))
    turned = LocalMember(
        SufficientStatistics.from_table(straight.rows(rng.permutation(len(straight))))
    )
    codes = random_codes(rng, member, 5)
    assert member == turned
    assert np.array_equal(member.log_joint(codes), turned.log_joint(codes))


def test_the_distinct_rows_with_their_weights_are_the_same_member(engine):
    statistics = statistics_from(["uuuvu", "ppppq", "kklkk"], "KKKLK")
    member = LocalMember(statistics, k=3)
    distinct = member.distinct_rows
    assert distinct.row_weights.tolist() == [2.0, 1.0, 1.0, 1.0]
    again = LocalMember(SufficientStatistics.from_table(distinct), k=3)
    assert again == member
    codes = random_codes(np.random.default_rng(0), member, 20)
    assert np.array_equal(again.log_joint(codes), member.log_joint(codes))


def test_whole_weights_become_bits_and_others_stay_weights():
    table = encoded_rows([2.0, 1.0, 3.0])
    sets = row_sets(value_rows(SufficientStatistics.from_table(table)))
    assert sets.weights.size == 0
    assert sets.masks.tolist() == [[0b111, 0], [0, 0b111]]
    table = encoded_rows([2.0, 0.5, 3.0])
    sets = row_sets(value_rows(SufficientStatistics.from_table(table)))
    assert sets.masks.tolist() == [[0b11, 0], [0, 0b1]]
    assert sets.weights[[0, 1, 64]].tolist() == [2.0, 0.5, 3.0]


def test_weights_too_heavy_to_repeat_stay_weights(monkeypatch):
    rows = value_rows(SufficientStatistics.from_table(encoded_rows([2.0**60, 1.0, 3.0])))
    assert row_sets(rows).weights[0] == 2.0**60


def encoded_rows(weights):
    table = statistics_from(["uuv"], "KKL").table
    return EncodedTable(table.variables, table.codes, table.target, table.labels, np.array(weights))


# ---------------------------------------------------------------- small, immutable, refused


def test_no_row_and_no_value(engine):
    member = LocalMember(statistics_from(["uuv", "ppq"], "KKL"))
    assert member.log_joint(np.empty((0, 2), int)).shape == (0, 2)
    prior = np.log([[2.5 / 4, 1.5 / 4]])
    assert member.log_joint([[-1, -1]]) == pytest.approx(prior, abs=1e-15)


def test_no_attribute():
    labels, target = np.array([0, 0, 1], np.int32), statistics_from(["uuv"], "KKL").schema.target
    table = EncodedTable((), np.empty((3, 0), np.int32), target, labels)
    member = LocalMember(SufficientStatistics.from_table(table))
    prior = np.log([[2.5 / 4, 1.5 / 4]] * 2)
    assert member.log_joint(np.empty((2, 0), int)) == pytest.approx(prior, abs=1e-15)


def test_a_member_survives_pickling_and_never_changes():
    member = LocalMember(statistics_from(["uuv", "ppq"], "KKL"), Laplace(2.0), 1, "pairwise")
    before = member.log_joint([[0, 1]])
    again = pickle.loads(pickle.dumps(member))
    assert again == member
    assert np.array_equal(again.log_joint([[0, 1]]), before)
    with pytest.raises(AttributeError):
        member.k = 3
    assert member != LocalMember(member.statistics, Laplace(2.0), 2, "pairwise")
    assert member != "another thing"
    assert repr(member) == "LocalMember(k=1, dependence='pairwise')"
    bound = LocalMember(member.statistics, Laplace(2.0), 1, "pairwise", Constraints(root="x0"))
    assert bound != member
    assert repr(bound).startswith("LocalMember(k=1, dependence='pairwise', constraints=Constra")


@pytest.mark.parametrize("codes", [[[0, 2]], [[-2, 0]], [[0]], [0, 0]])
def test_codes_that_are_none_are_refused(codes):
    member = LocalMember(statistics_from(["uuv", "ppq"], "KKL"))
    with pytest.raises(DataError):
        member.log_joint(codes)


def test_parameters_and_statistics_are_checked_at_once():
    statistics = statistics_from(["uuv", "ppq"], "KKL")
    with pytest.raises(StructureError, match="k is -1"):
        LocalMember(statistics, k=-1)
    with pytest.raises(DataError, match="dependence is 'x'"):
        LocalMember(statistics, dependence="x")
    with pytest.raises(DataError, match="merged statistics"):
        LocalMember(statistics.merge(statistics))
    with pytest.raises(BnclassError, match=r"smoothing is 1\.0, expected MEstimate"):
        LocalMember(statistics, 1.0).log_joint([[0, 0]])


def test_bit_sets_that_do_not_fit_are_refused(monkeypatch):
    member = LocalMember(statistics_of_many())
    monkeypatch.setattr(memory, "memory_limit", lambda: 100)
    with pytest.raises(MemoryLimitError, match="bit sets of the rows of 4 values"):
        member.log_joint([[0, 0]])


def statistics_of_many():
    return statistics_from(["uv" * 100, "pq" * 100], "KL" * 100)


@pytest.mark.parametrize("codes", [[[0.7, 0]], [[2**32, 0]], [[True, False]], [[np.nan, 0]]])
def test_rows_that_are_no_codes_are_refused(codes):
    frame = pd.DataFrame({"a": list("uuvv"), "b": list("pqpq")})
    table = TableEncoder().fit_transform(frame, list("kkll"))
    member = LocalMember(SufficientStatistics.from_table(table))
    with pytest.raises(DataError, match=r"codes of dtype .*, expected 32-bit integers"):
        member.log_joint(codes)
