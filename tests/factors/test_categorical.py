"""`CategoricalCPD` and the joint table of class and superparent."""

import copy
import itertools
import pickle

import numpy as np
import pandas as pd
import pytest
from builders import random_cpd, statistics_from, statistics_of, training_tables, variable
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import smoothing as oracle
from oracle.tables import Y, make_table
from scipy.stats import chisquare

from bnclass import BDeu, CategoricalCPD, Factor, FactorError, Laplace, MEstimate, Variable
from bnclass.factors.categorical import joint_cpds

SMOOTHINGS = [
    (MEstimate(1.0), oracle.MEstimate(1)),
    (MEstimate(0.0), oracle.MEstimate(0)),
    (MEstimate(2.5), oracle.MEstimate(2.5)),
    (Laplace(1.0), oracle.Laplace(1)),
    (BDeu(2.0), oracle.BDeu(2)),
]

RAIN = Variable("rain", states=("no", "yes"))
COLD = Variable("cold", states=(False, True))
WET = Variable("wet", states=("dry", "damp", "soaked"))
TABLE = [[[0.7, 0.2, 0.1], [0.6, 0.3, 0.1]], [[0.0, 0.5, 0.5], [0.1, 0.1, 0.8]]]


def wet():
    return CategoricalCPD(WET, (RAIN, COLD), TABLE)


def copies(cpd):
    return {
        "itself": cpd,
        "pickle": pickle.loads(pickle.dumps(cpd)),
        "deepcopy": copy.deepcopy(cpd),
        "copy": copy.copy(cpd),
    }


# ---------------------------------------------------------------- construction


def test_a_table_by_hand():
    cpd = wet()
    assert isinstance(cpd, Factor)
    assert cpd.n_parameters == 8
    assert repr(cpd) == "CategoricalCPD('wet' | 'rain', 'cold')"
    assert repr(CategoricalCPD(RAIN, (), [0.5, 0.5])) == "CategoricalCPD('rain')"
    codes = {"rain": np.array([0, 1]), "cold": np.array([1, 0]), "wet": np.array([1, 2])}
    assert np.exp(cpd.log_prob(codes)) == pytest.approx([0.3, 0.5], abs=1e-15)


def test_one_state_has_no_parameter():
    one = Variable("one", states=("only",))
    cpd = CategoricalCPD(one, (RAIN,), [[1.0], [1.0]])
    assert cpd.n_parameters == 0
    assert cpd.log_prob({"one": np.array([0]), "rain": np.array([1])}).tolist() == [0.0]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([0.5, 0.5], r"table of shape \(2,\), expected \(2, 2\)"),
        ([[0.5, 0.5]], r"table of shape \(1, 2\), expected \(2, 2\)"),
        ([[0.5, 0.3, 0.2], [0.5, 0.3, 0.2]], r"table of shape \(2, 3\), expected \(2, 2\)"),
        ([[1.5, -0.5], [0.5, 0.5]], "negative or not a number"),
        ([[np.nan, 1.0], [0.5, 0.5]], "negative or not a number"),
        ([[np.inf, 0.0], [0.5, 0.5]], "negative or not a number"),
        ([[0.5, 0.5], [0.5, 0.4]], "a row of the table misses the sum 1 by 0.1"),
        ([[0.5, 0.5], [0.5, 0.5 + 1e-8]], "misses the sum 1 by 1e-08"),
        ([[0.5, 0.5], [1.0]], "ragged or holds more than numbers"),
        ([["much", "little"], ["a", "b"]], "ragged or holds more than numbers"),
        (None, r"table of shape \(\)"),
    ],
)
def test_what_is_no_conditional_distribution_is_refused(table, message):
    cold = Variable("cold", states=("no", "yes"))
    with pytest.raises(FactorError, match=message) as caught:
        CategoricalCPD(cold, (RAIN,), table)
    assert str(caught.value).startswith("CategoricalCPD('cold' | 'rain'): ")
    assert "\n" not in str(caught.value)


def test_rounding_up_to_1e_minus_9_is_accepted_and_left_alone():
    cpd = CategoricalCPD(RAIN, (), [0.5, 0.5 + 5e-10])
    assert cpd.table.tolist() == [0.5, 0.5 + 5e-10]


def test_a_continuous_variable_is_refused():
    size = Variable("size", kind="continuous")
    with pytest.raises(FactorError, match="'size' is continuous, expected a discrete variable"):
        CategoricalCPD(size, (), [])
    with pytest.raises(FactorError, match="'size' is continuous, expected a discrete variable"):
        CategoricalCPD(RAIN, (size,), np.empty((0, 2)))


@pytest.mark.parametrize("parents", [(RAIN,), (COLD, COLD)])
def test_a_variable_that_occurs_twice_is_refused(parents):
    shape = [p.card for p in parents] + [2]
    with pytest.raises(FactorError, match="a variable occurs twice, expected each once"):
        CategoricalCPD(RAIN, parents, np.full(shape, 0.5))


def test_parents_may_come_from_any_iterable():
    cpd = CategoricalCPD(WET, iter([RAIN, COLD]), TABLE)
    assert cpd.parents == (RAIN, COLD)
    assert cpd == wet()


# ---------------------------------------------------------------- equality and immutability


def test_equality_is_of_variables_and_table():
    assert wet() == wet()
    assert wet() != CategoricalCPD(WET, (RAIN, COLD), np.array(TABLE)[::-1])
    renamed = Variable("rain", states=("dry", "yes"))
    assert wet() != CategoricalCPD(WET, (renamed, COLD), TABLE)
    assert wet() != TABLE
    with pytest.raises(TypeError, match="unhashable"):
        hash(wet())


@pytest.mark.parametrize("how", ["itself", "pickle", "deepcopy", "copy"])
def test_tables_are_read_only_and_stay_so(how):
    cpd = wet()
    assert cpd.log_table.shape == (2, 2, 3)  # cached before the copy
    other = copies(cpd)[how]
    assert other == cpd
    assert np.array_equal(other.log_table, cpd.log_table)
    for array in (other.table, other.log_table):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0, 0] = 1.0
    with pytest.raises(AttributeError):
        other.table = np.zeros((2, 2, 3))


def test_the_table_is_a_copy():
    table = np.array([0.25, 0.75])
    cpd = CategoricalCPD(RAIN, (), table)
    table[0] = 0.5
    assert cpd.table.tolist() == [0.25, 0.75]
    assert table.flags.writeable


# ---------------------------------------------------------------- log_prob


def test_log_prob_broadcasts():
    cpd = wet()
    codes = {
        "rain": np.array([0, 1]).reshape(2, 1, 1),
        "cold": np.arange(2).reshape(1, 2, 1),
        "wet": np.arange(3).reshape(1, 1, 3),
    }
    assert np.array_equal(cpd.log_prob(codes), cpd.log_table)


def test_probability_zero_is_minus_infinity_without_a_warning():
    codes = {"rain": np.array([1]), "cold": np.array([0]), "wet": np.array([0])}
    assert wet().log_prob(codes).tolist() == [-np.inf]


@pytest.mark.parametrize("name", ["rain", "cold", "wet"])
@pytest.mark.parametrize("code", [-1, 3])
def test_a_code_that_is_no_state_is_refused(name, code):
    codes = {n: np.array([0, 1]) for n in ("rain", "cold", "wet")}
    codes[name] = np.array([0, code])
    with pytest.raises(FactorError, match=f"codes of '{name}' reach from .*, expected 0 to"):
        wet().log_prob(codes)


def test_no_rows():
    none = np.empty(0, dtype=np.int32)
    assert wet().log_prob({"rain": none, "cold": none, "wet": none}).shape == (0,)
    drawn = wet().sample({"rain": none, "cold": none}, np.random.default_rng(0))
    assert drawn.shape == (0,)
    assert drawn.dtype == np.int32


# ---------------------------------------------------------------- sampling


def test_sampling_has_the_right_frequencies_in_every_configuration():
    n, cpd = 60_000, wet()
    rain, cold = np.repeat([0, 1], n // 2), np.tile([0, 1], n // 2)
    drawn = cpd.sample({"rain": rain, "cold": cold}, np.random.default_rng(3))
    assert drawn.dtype == np.int32
    for r, c in itertools.product(range(2), repeat=2):
        found = np.bincount(drawn[(rain == r) & (cold == c)], minlength=3)
        possible = cpd.table[r, c] > 0
        assert found[~possible].sum() == 0
        expected = cpd.table[r, c][possible] * found.sum()
        assert chisquare(found[possible], expected).pvalue > 1e-3


def test_sampling_is_reproducible():
    codes = {"rain": np.zeros(50, int), "cold": np.ones(50, int)}
    one = wet().sample(codes, np.random.default_rng(7))
    assert np.array_equal(one, wet().sample(codes, np.random.default_rng(7)))
    assert not np.array_equal(one, wet().sample(codes, np.random.default_rng(8)))


class Fixed:
    """A generator whose uniform numbers are given."""

    def __init__(self, values):
        self.values = values

    def random(self, size):
        return np.resize(np.array(self.values), size)


@pytest.mark.parametrize("u", [0.0, 0.25, 0.5, 1.0 - 2.0**-53])
@pytest.mark.parametrize(
    "table",
    [[0.0, 1.0, 0.0], [0.0, 0.25, 0.75], [0.25, 0.0, 0.75], [0.5, 0.5, 0.0], [0.1, 0.2, 0.7]],
)
def test_a_state_of_probability_zero_is_never_drawn(table, u):
    cpd = CategoricalCPD(WET, (), table)
    drawn = cpd.sample({"wet": np.empty(1, int)}, Fixed([u]))[0]
    assert table[drawn] > 0
    below = sum(table[:drawn])
    assert below <= u or u == 1.0 - 2.0**-53
    assert u < below + table[drawn] + 1e-15


@settings(deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 6))
def test_the_last_uniform_number_draws_a_possible_state(seed, card):
    # The sum of a row may be a little off 1 in either direction.
    rng = np.random.default_rng(seed)
    cpd = random_cpd(rng, variable("v", card), (), zeros=0.4)
    for off in (1 - 9e-10, 1 + 9e-10):
        scaled = CategoricalCPD(cpd.variable, (), cpd.table * off)
        drawn = scaled.sample({"v": np.empty(2, int)}, Fixed([1.0 - 2.0**-53, 0.0]))
        assert (scaled.table[drawn] > 0).all()


def test_sampling_refuses_a_missing_parent():
    codes = {"rain": np.array([0, -1]), "cold": np.array([0, 0])}
    with pytest.raises(FactorError, match="codes of 'rain' reach from -1 to 0, expected 0 to 1"):
        wet().sample(codes, np.random.default_rng(0))


# ---------------------------------------------------------------- describe


def test_describe_labels_rows_and_columns():
    frame = wet().describe()
    assert frame.columns.tolist() == ["dry", "damp", "soaked"]
    assert frame.columns.name == "wet"
    assert frame.index.names == ["rain", "cold"]
    assert frame.index.tolist() == [("no", False), ("no", True), ("yes", False), ("yes", True)]
    assert frame.loc[("yes", True), "soaked"] == 0.8
    assert frame.to_numpy().tolist() == np.array(TABLE).reshape(4, 3).tolist()


def test_describe_with_one_parent_and_with_none():
    frame = CategoricalCPD(COLD, (RAIN,), [[0.5, 0.5], [0.25, 0.75]]).describe()
    assert frame.index.tolist() == ["no", "yes"]
    assert frame.index.name == "rain"
    assert frame.loc["yes", True] == 0.75
    alone = CategoricalCPD(COLD, (), [0.25, 0.75]).describe()
    assert alone.to_numpy().tolist() == [[0.25, 0.75]]
    assert alone.columns.tolist() == [False, True]
    assert alone.columns.name == "cold"


def test_describe_keeps_labels_that_pandas_would_take_apart():
    pair = Variable("pair", states=((1, 2), (3, 4)))
    bins = Variable("bins", states=tuple(pd.interval_range(0, 2)))
    frame = CategoricalCPD(pair, (bins,), np.full((2, 2), 0.5)).describe()
    assert list(frame.columns) == [(1, 2), (3, 4)]
    assert frame.index.tolist() == list(bins.states)
    deep = CategoricalCPD(RAIN, (pair, bins), np.full((2, 2, 2), 0.5)).describe()
    assert deep.index.tolist() == list(itertools.product(pair.states, bins.states))


def test_describe_gives_the_user_a_copy():
    cpd = wet()
    frame = cpd.describe()
    frame.iloc[0, 0] = 5.0
    assert cpd == wet()


# ---------------------------------------------------------------- estimation


def test_estimation_by_hand():
    # Within K: u twice, v once; within L: v once. m = 1, two states.
    statistics = statistics_from(["uuvv"], "KKKL")
    schema = statistics.schema
    cpd = CategoricalCPD.from_statistics(schema["x0"], [schema.target], statistics)
    assert cpd.table.tolist() == [[2.5 / 4, 1.5 / 4], [0.25, 0.75]]
    prior = CategoricalCPD.from_statistics(schema.target, [], statistics)
    assert prior.table.tolist() == [3.5 / 5, 1.5 / 5]


@settings(deadline=None)
@given(training_tables(), st.sampled_from(SMOOTHINGS), st.data())
def test_estimation_is_the_oracles(table, smoothing, data):
    ours, theirs = smoothing
    statistics = statistics_of(table)
    schema = statistics.schema
    family = data.draw(st.permutations(range(table.n)))
    i, parents = family[0], family[1 : data.draw(st.integers(1, table.n))]
    # The class may stand anywhere among the parents, or not at all.
    axes = data.draw(st.permutations([*parents, Y])) if data.draw(st.booleans()) else parents
    variables = [schema.target if a == Y else schema[f"x{a}"] for a in axes]
    cpd = CategoricalCPD.from_statistics(schema[f"x{i}"], variables, statistics, ours)
    states = [table.classes if a == Y else table.domains[a] for a in axes]
    for u in itertools.product(*(range(len(s)) for s in states)):
        given_u = tuple((a, s[code]) for a, s, code in zip(axes, states, u, strict=True))
        expected = [
            float(oracle.conditional(table, theirs, i, x, given_u)) for x in table.domains[i]
        ]
        assert cpd.table[u] == pytest.approx(expected, abs=1e-12)


@settings(deadline=None)
@given(training_tables(), st.sampled_from(SMOOTHINGS), st.data())
def test_class_and_superparent_together_are_the_oracles(table, smoothing, data):
    ours, theirs = smoothing
    statistics = statistics_of(table)
    j = data.draw(st.integers(0, table.n - 1))
    target, superparent = statistics.schema.target, statistics.schema[f"x{j}"]
    prior, given_y = joint_cpds(target, superparent, statistics, ours)
    assert (prior.variable, prior.parents) == (target, ())
    assert (given_y.variable, given_y.parents) == (superparent, (target,))
    for k, y in enumerate(table.classes):
        expected = float(oracle.pair_prior(table, theirs, y, j))
        assert prior.table[k] == pytest.approx(expected, abs=1e-12)
        for code, x in enumerate(table.domains[j]):
            expected = float(oracle.pair(table, theirs, y, j, x))
            assert prior.table[k] * given_y.table[k, code] == pytest.approx(expected, abs=1e-12)
            expected = float(oracle.pair_conditional(table, theirs, j, x, y))
            assert given_y.table[k, code] == pytest.approx(expected, abs=1e-12)


def test_a_class_never_seen_with_the_superparent_is_uniform_without_smoothing():
    statistics = statistics_of(make_table([("u",), (None,)], "KL", domains=["uv"]))
    target, superparent = statistics.schema
    prior, given_y = joint_cpds(target, superparent, statistics, MEstimate(0.0))
    assert prior.table.tolist() == [1.0, 0.0]
    assert given_y.table.tolist() == [[1.0, 0.0], [0.5, 0.5]]


def test_a_declared_state_that_never_occurs_has_its_share():
    statistics = statistics_of(make_table(list("uuv"), "KKK", domains=["uvw"]))
    target, a = statistics.schema
    cpd = CategoricalCPD.from_statistics(a, [target], statistics)
    assert cpd.table[0] == pytest.approx([(2 + 1 / 3) / 4, (1 + 1 / 3) / 4, 1 / 12], abs=1e-15)
