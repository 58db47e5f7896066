"""KST under constraints against the literal procedure: all rows, single rows, the compiled loop."""

import itertools

import numpy as np
import pytest
from builders import attribute_parents, encoded, statistics_of, training_tables
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import constrained, kst_measures
from oracle import smoothing as oracle_smoothing
from oracle.posteriors import Network, joint
from oracle.tables import make_table
from wanted import as_constraints, as_measures, by_column, wanted

from bnclass import Constraints, KSTLearner, StructureError
from bnclass.network import local_tables
from bnclass.network.local import LocalMember
from bnclass.scores.dependence import Dependences

DEPENDENCES = st.sampled_from(kst_measures.DEPENDENCES)
SMOOTHING = oracle_smoothing.MEstimate(1)


@st.composite
def cases(draw, min_attributes=2, max_attributes=6):
    """Draw a table with columns that repeat others, constraints, and rows of it with holes."""
    drawn = draw(training_tables(min_attributes, max_attributes - 1))
    copied = draw(st.lists(st.integers(0, drawn.n - 1), max_size=2))
    columns = [*range(drawn.n), *copied][:max_attributes]
    rows = [tuple(row[i] for i in columns) for row in drawn.rows]
    table = make_table(rows, drawn.labels, domains=[drawn.domains[i] for i in columns])
    cells = [st.sampled_from([*states, *states, None]) for states in table.domains]
    asked = draw(st.lists(st.tuples(*cells), min_size=1, max_size=3))
    return table, draw(wanted(table.n)), asked


def codes_of(table, row):
    return [-1 if x is None else d.index(x) for x, d in zip(row, table.domains, strict=True)]


def refused(ask):
    try:
        ask()
    except StructureError:
        return True
    return False


@settings(max_examples=150, deadline=None)
@given(case=cases(), k=st.integers(0, 3), dependence=DEPENDENCES)
def test_all_rows_and_single_rows(case, k, dependence):
    table, want, asked = case
    statistics = statistics_of(table)
    if want.contradictory(limit=k):
        assert refused(lambda: KSTLearner(k, dependence, as_constraints(want)).learn(statistics))
        return
    learner = KSTLearner(k, dependence, as_constraints(want))
    measures = as_measures(Dependences.from_statistics(statistics, dependence))
    assert by_column(learner.learn(statistics)) == constrained.kst(want, measures, k)
    for row in asked:
        codes = codes_of(table, row)
        measures = as_measures(Dependences.of_row(statistics, codes, dependence))
        expected = constrained.kst(want, measures, k)
        assert by_column(learner.learn_at(statistics, codes)) == expected


@settings(max_examples=40, deadline=None)
@given(case=cases(), k=st.integers(0, 3), dependence=DEPENDENCES)
def test_measures_of_the_oracle(case, k, dependence):
    # The same with no number of the package; ties of rounding apart, which are left out.
    table, want, asked = case
    if want.contradictory(limit=k):
        return
    statistics, row = statistics_of(table), asked[0]
    learner = KSTLearner(k, dependence, as_constraints(want))
    for measures, found, structure in (
        (
            kst_measures.global_measures(table, dependence),
            Dependences.from_statistics(statistics, dependence),
            learner.learn(statistics),
        ),
        (
            kst_measures.local_measures(table, row, dependence),
            Dependences.of_row(statistics, codes_of(table, row), dependence),
            learner.learn_at(statistics, codes_of(table, row)),
        ),
    ):
        if same_integers(measures, as_measures(found)):
            assert by_column(structure) == constrained.kst(want, measures, k)


def same_integers(one, other):
    columns = one.columns
    assert columns == other.columns
    return all(one.pair(*ij) == other.pair(*ij) for ij in itertools.permutations(columns, 2)) and (
        all(one.triple(*ijp) == other.triple(*ijp) for ijp in itertools.permutations(columns, 3))
    )


@pytest.mark.parametrize("fits", [True, False], ids=["table", "bit sets"])
@settings(max_examples=120, deadline=None)
@given(case=cases(min_attributes=3), k=st.integers(0, 3), dependence=DEPENDENCES)
def test_the_compiled_loop(fits, case, k, dependence):
    table, want, asked = case
    statistics = statistics_of(table)
    if want.contradictory(limit=k):
        assert refused(lambda: LocalMember(statistics, k=k, constraints=as_constraints(want)))
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_tables, "_fits", lambda *_: fits)
        constraints = as_constraints(want)
        member = LocalMember(statistics, k=k, dependence=dependence, constraints=constraints)
        found = np.exp(member.log_joint([codes_of(table, row) for row in asked]))
    for row, shares in zip(asked, found, strict=True):
        measures = as_measures(Dependences.of_row(statistics, codes_of(table, row), dependence))
        parents = constrained.kst(want, measures, k)
        expected = joint(Network(table, parents, SMOOTHING), row)
        assert shares == pytest.approx([float(p) for p in expected.values()], rel=1e-9, abs=1e-300)


# ---------------------------------------------------------------- by hand


def tied_statistics(n=5):
    """All rows of n two-valued columns, in both classes: every measure is 0."""
    rows = list(itertools.product("uv", repeat=n))
    return statistics_of(make_table([*rows, *rows], ["K"] * len(rows) + ["L"] * len(rows)))


TIED = tied_statistics()


def learned(k=1, row=None, **given):
    learner = KSTLearner(k, constraints=Constraints(**given))
    structure = learner.learn(TIED) if row is None else learner.learn_at(TIED, row)
    return by_column(structure)


def test_ties_without_constraints():
    assert learned() == {0: (), 1: (0,), 2: (0,), 3: (0,), 4: (0,)}


def test_a_forbidden_arc_leaves_the_next_best():
    assert learned(forbidden=[("x0", "x2")]) == {0: (), 1: (0,), 2: (1,), 3: (0,), 4: (0,)}


def test_forbidden_arcs_may_leave_fewer_than_k_parents():
    forbidden = [("x0", "x3"), ("x1", "x3")]
    assert learned(2, forbidden=forbidden)[3] == (2,)


def test_a_required_arc_reorders_and_comes_first():
    assert learned(required=[("x4", "x1")]) == {0: (), 2: (0,), 3: (0,), 4: (0,), 1: (4,)}
    assert learned(2, required=[("x4", "x1")])[1] == (0, 4)


def test_the_order_is_kept_and_the_others_stay_where_they_are():
    assert learned(order=["x3", "x0"]) == {1: (), 2: (1,), 3: (1,), 0: (1,), 4: (1,)}


def test_a_root_has_no_parents():
    assert learned(2, root="x2") == {0: (), 1: (0,), 2: (), 3: (0, 1), 4: (0, 1)}


def test_the_smaller_limit_counts():
    assert learned(3, max_parents=1) == learned(1)
    assert learned(1, max_parents=3) == learned(1)


def test_no_parents_at_all():
    assert set(learned(2, max_parents=0).values()) == {()}


def test_what_is_forbidden_still_counts_as_dependence():
    # x1 copies x0 and has 1 bit, x2 has h = 1.371 bits, x3 is both. For x3, D(x1) = 1 + 2h and
    # D(x2) = 4; without x0, which may be no parent, they would be 2h and 2, and x2 would win.
    rows = [(a, a, b, f"{a}{b}") for a in "01" for b in "00012"]
    table = make_table([*rows, *rows], ["K"] * len(rows) + ["L"] * len(rows))
    order = ["x0", "x1", "x2", "x3"]
    constraints = Constraints(forbidden=[("x0", "x3")], order=order)
    structure = KSTLearner(1, constraints=constraints).learn(statistics_of(table))
    assert by_column(structure)[3] == (1,)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ([0, 0, 0, 0, 0], {0: (), 2: (0,), 3: (0,), 4: (0,), 1: (4,)}),
        ([0, 0, 0, 0, -1], {0: (), 1: (0,), 2: (0,), 3: (0,)}),  # x1 has room again
        ([-1, 0, -1, -1, 0], {4: (), 1: (4,)}),
        ([-1, 0, -1, -1, -1], {1: ()}),
    ],
)
def test_a_row_without_a_required_parent(row, expected):
    assert learned(row=row, required=[("x4", "x1")]) == expected


def test_a_chain_through_an_absent_attribute_orders_nothing():
    chain = [("x4", "x3"), ("x3", "x0")]
    assert learned(row=[0, 0, 0, 0, 0], required=chain) == {
        1: (),
        2: (1,),
        4: (1,),
        3: (4,),
        0: (3,),
    }
    assert learned(row=[0, 0, 0, -1, 0], required=chain) == {0: (), 1: (0,), 2: (0,), 4: (0,)}


def test_an_order_holds_between_those_about_an_absent_one():
    order = ["x4", "x3", "x0"]
    assert learned(row=[0, 0, 0, -1, 0], order=order) == {1: (), 2: (1,), 4: (1,), 0: (1,)}


def test_an_absent_root_has_no_say():
    assert learned(row=[0, -1, 0, 0, 0], root="x1") == {0: (), 2: (0,), 3: (0,), 4: (0,)}


@pytest.mark.parametrize("empty", [Constraints(), Constraints(max_parents=9)])
def test_empty_constraints_change_nothing(empty):
    for k in range(4):
        free, bound = KSTLearner(k), KSTLearner(k, constraints=empty)
        assert free.learn(TIED) == bound.learn(TIED)
        assert free.learn_at(TIED, [0, 1, 0, -1, 0]) == bound.learn_at(TIED, [0, 1, 0, -1, 0])
        codes = np.array(list(itertools.product((-1, 0, 1), repeat=5)))
        members = [LocalMember(TIED, k=k), LocalMember(TIED, k=k, constraints=empty)]
        one, two = (member.log_joint(codes) for member in members)
        assert np.array_equal(one, two)
        assert members[0] != members[1]  # constraints are parameters


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"required": [("x9", "x0")]}, "constraints, arc 'x9' -> 'x0': no attribute 'x9'"),
        (
            {"forbidden": [("x0", "class")]},
            "constraints, arc 'x0' -> 'class': 'class' is the class",
        ),
        (
            {"required": [("x0", "x2"), ("x1", "x2")]},
            "required arcs 'x0' -> 'x2', 'x1' -> 'x2' give 'x2' 2 attribute parents, expected at "
            "most 1",
        ),
    ],
)
def test_what_does_not_fit_is_refused_everywhere(given, message):
    constraints = Constraints(**given)
    learner = KSTLearner(1, constraints=constraints)
    row_without = [-1] * 5
    for ask in (
        lambda: learner.learn(TIED),
        lambda: learner.learn_at(TIED, row_without),
        lambda: LocalMember(TIED, k=1, constraints=constraints),
    ):
        with pytest.raises(StructureError) as caught:
            ask()
        assert str(caught.value).startswith(message)


def test_constraints_of_another_type():
    with pytest.raises(StructureError, match="constraints is a list, expected Constraints or None"):
        KSTLearner(1, constraints=[("x0", "x1")]).learn(TIED)


def test_many_columns_in_a_strict_order():
    rng = np.random.default_rng(3)
    rows = [tuple(str(v) for v in row) for row in rng.integers(0, 3, (60, 30))]
    statistics = statistics_of(make_table(rows, list("KL") * 30))
    order = rng.permutation(30).tolist()
    constraints = Constraints(order=[f"x{i}" for i in order], forbidden=[("x3", "x4")])
    member = LocalMember(statistics, k=2, constraints=constraints)
    codes = encoded(make_table(rows[:20], ["K"] * 20, domains=[("0", "1", "2")] * 30)).codes
    expected = [
        member.network_at(row).log_joint(statistics.table.rows(np.array([r])), engine="graph")[0]
        for r, row in enumerate(codes)
    ]
    assert np.allclose(member.log_joint(codes), expected, rtol=0, atol=1e-9)
    place = {i: p for p, i in enumerate(order)}
    for child, parents in attribute_parents(member.structure_at(codes[0])).items():
        assert all(place[p] < place[child] for p in parents)
