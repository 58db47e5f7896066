"""`CLGCPD` and `GaussianCPD`: parameters, densities, samples, labels."""

import copy
import itertools
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kstest, norm

from bnclass import CategoricalCPD, Factor, FactorError, Variable
from bnclass.factors.gaussian import GaussianCPD
from bnclass.factors.linear_gaussian import CLGCPD, log_normal

SEX = Variable("sex", states=("f", "m"))
AGE = Variable("age", states=("young", "old", "older"))
HEIGHT = Variable("height", kind="continuous")
WAIST = Variable("waist", kind="continuous")
WEIGHT = Variable("weight", kind="continuous")
SEEDS = st.integers(0, 2**32)

# weight | sex, height, waist
INTERCEPT = [-40.0, -50.0]
COEFFICIENTS = [[0.5, 0.25], [0.75, -0.5]]
VARIANCE = [4.0, 9.0]


def weight():
    return CLGCPD(WEIGHT, (SEX, HEIGHT, WAIST), INTERCEPT, COEFFICIENTS, VARIANCE)


def height():
    return GaussianCPD(HEIGHT, (SEX,), [165, 178], [36, 49])


def constant():
    return CLGCPD(WEIGHT, (SEX, HEIGHT), [5, 5], [[0], [0]], [0, 0])


def random_clg(rng):
    """Draw a factor with two discrete parents, which stand between two continuous ones."""
    parents = (HEIGHT, SEX, WAIST, AGE)
    shape = (2, 3)
    return CLGCPD(
        WEIGHT,
        parents,
        rng.normal(size=shape),
        rng.normal(size=(*shape, 2)),
        rng.uniform(0.1, 4, shape),
    )


def random_family(rng, *shape):
    return {
        "sex": rng.integers(0, 2, shape),
        "age": rng.integers(0, 3, shape),
        "height": rng.normal(size=shape),
        "waist": rng.normal(size=shape),
        "weight": rng.normal(size=shape),
    }


# ---------------------------------------------------------------- construction


def test_a_factor_by_hand():
    cpd = weight()
    assert isinstance(cpd, Factor)
    assert cpd.discrete_parents == (SEX,)
    assert cpd.continuous_parents == (HEIGHT, WAIST)
    assert cpd.n_parameters == 2 + 4 + 2
    assert not cpd.is_constant
    assert repr(cpd) == "CLGCPD('weight' | 'sex', 'height', 'waist')"
    # m: -50 + 0.75 * 180 - 0.5 * 80 = 45; two standard deviations of 3 below it is 39.
    values = {
        "sex": np.array([1, 1]),
        "height": np.array([180.0, 180.0]),
        "waist": np.array([80.0, 80.0]),
        "weight": np.array([45.0, 39.0]),
    }
    peak = -math.log(3 * math.sqrt(2 * math.pi))
    assert cpd.log_prob(values) == pytest.approx([peak, peak - 2], abs=1e-14)


def test_a_gaussian_by_hand():
    cpd = height()
    assert isinstance(cpd, Factor)
    assert cpd.mean.tolist() == [165, 178]
    assert cpd.intercept is cpd.mean
    assert cpd.coefficients.shape == (2, 0)
    assert cpd.continuous_parents == ()
    assert cpd.n_parameters == 4
    assert repr(cpd) == "GaussianCPD('height' | 'sex')"
    found = cpd.log_prob({"sex": np.array([0]), "height": np.array([171.0])})
    assert found == pytest.approx([-0.5 - math.log(6 * math.sqrt(2 * math.pi))], abs=1e-14)


def test_a_root_has_one_configuration():
    cpd = GaussianCPD(HEIGHT, (), 170, 4)
    assert (cpd.mean.shape, cpd.coefficients.shape, cpd.n_parameters) == ((), (0,), 2)
    assert repr(cpd) == "GaussianCPD('height')"
    found = cpd.log_prob({"height": np.array([[170.0, 172.0]])})
    assert found == pytest.approx(norm.logpdf([[170, 172]], 170, 2), abs=1e-14)


def test_only_continuous_parents():
    cpd = CLGCPD(WEIGHT, (HEIGHT,), 1.0, [2.0], 4.0)
    found = cpd.log_prob({"height": np.array([3.0]), "weight": np.array([8.0])})
    assert found == pytest.approx(norm.logpdf([8], 7, 2), abs=1e-14)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (([0.0], COEFFICIENTS, VARIANCE), r"intercept of shape \(1,\), expected \(2,\)"),
        ((0.0, COEFFICIENTS, VARIANCE), r"intercept of shape \(\), expected \(2,\)"),
        ((INTERCEPT, [1.0, 2.0], VARIANCE), r"coefficients of shape \(2,\), expected \(2, 2\)"),
        ((INTERCEPT, COEFFICIENTS, 1.0), r"variance of shape \(\), expected \(2,\)"),
        (([0.0, np.nan], COEFFICIENTS, VARIANCE), "number in the intercept that is not finite"),
        ((INTERCEPT, [[0, 0], [0, np.inf]], VARIANCE), "in the coefficients that is not finite"),
        ((INTERCEPT, COEFFICIENTS, [1.0, np.inf]), "in the variance that is not finite"),
        ((INTERCEPT, COEFFICIENTS, [1.0, -1.0]), "a variance of -1.0, expected none below 0"),
        (
            (INTERCEPT, COEFFICIENTS, [1.0, 0.0]),
            "a variance of 0.0, expected at least 1e-250, or 0",
        ),
        ((INTERCEPT, COEFFICIENTS, [0.0, 0.0]), "a constant with coefficients, expected all of"),
        (([0.0, [1.0]], COEFFICIENTS, VARIANCE), "intercept is ragged or holds more than numbers"),
        ((INTERCEPT, "much", VARIANCE), "coefficients is ragged or holds more than numbers"),
    ],
)
def test_what_is_no_density_is_refused(parameters, message):
    with pytest.raises(FactorError, match=message) as caught:
        CLGCPD(WEIGHT, (SEX, HEIGHT, WAIST), *parameters)
    assert str(caught.value).startswith("CLGCPD('weight' | 'sex', 'height', 'waist'): ")
    assert "\n" not in str(caught.value)


def test_a_gaussian_names_its_mean_in_errors():
    with pytest.raises(FactorError, match=r"GaussianCPD\('height' | 'sex'\): mean of shape \(3,\)"):
        GaussianCPD(HEIGHT, (SEX,), [1, 2, 3], [1, 1])


def test_a_discrete_child_is_refused():
    with pytest.raises(FactorError, match="'sex' is discrete, expected a continuous variable"):
        CLGCPD(SEX, (), 0, [], 1)


def test_a_continuous_parent_of_a_gaussian_is_refused():
    with pytest.raises(FactorError, match="'height' is continuous, expected a discrete variable"):
        GaussianCPD(WEIGHT, (SEX, HEIGHT), [0, 0], [1, 1])


@pytest.mark.parametrize("parents", [(WEIGHT,), (HEIGHT, HEIGHT)])
def test_a_variable_that_occurs_twice_is_refused(parents):
    with pytest.raises(FactorError, match="a variable occurs twice, expected each once"):
        CLGCPD(WEIGHT, parents, 0, np.zeros(len(parents)), 1)


def test_parents_may_come_from_any_iterable():
    cpd = CLGCPD(WEIGHT, iter([SEX, HEIGHT, WAIST]), INTERCEPT, COEFFICIENTS, VARIANCE)
    assert cpd == weight()
    assert GaussianCPD(HEIGHT, iter([SEX]), [165, 178], [36, 49]) == height()


# ---------------------------------------------------------------- equality and immutability


def test_equality_is_of_variables_and_parameters():
    assert weight() == weight()
    parents = (SEX, HEIGHT, WAIST)
    twice = 2 * np.array(VARIANCE)
    assert weight() != CLGCPD(WEIGHT, parents, INTERCEPT[::-1], COEFFICIENTS, VARIANCE)
    assert weight() != CLGCPD(WEIGHT, parents, INTERCEPT, COEFFICIENTS[::-1], VARIANCE)
    assert weight() != CLGCPD(WEIGHT, parents, INTERCEPT, COEFFICIENTS, twice)
    assert weight() != CLGCPD(WEIGHT, (SEX, WAIST, HEIGHT), INTERCEPT, COEFFICIENTS, VARIANCE)
    assert weight() != INTERCEPT
    assert height() != CategoricalCPD(SEX, (), [0.5, 0.5])
    with pytest.raises(TypeError, match="unhashable"):
        hash(weight())


def test_a_gaussian_equals_the_same_density_without_continuous_parents():
    assert height() == CLGCPD(HEIGHT, (SEX,), [165, 178], np.empty((2, 0)), [36, 49])


@pytest.mark.parametrize("factor", [weight, height])
@pytest.mark.parametrize(
    "how", [lambda c: c, lambda c: pickle.loads(pickle.dumps(c)), copy.deepcopy, copy.copy]
)
def test_parameters_are_read_only_and_stay_so(factor, how):
    cpd = how(factor())
    assert cpd == factor()
    assert type(cpd) is type(factor())
    for array in (cpd.intercept, cpd.coefficients, cpd.variance):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 1.0
    with pytest.raises(AttributeError):
        cpd.variance = np.ones(2)


def test_parameters_are_copies_in_c_order():
    mean, coefficients = np.array([1.0, 2.0]), np.ones((2, 2), order="F")
    cpd = CLGCPD(WEIGHT, (SEX, HEIGHT, WAIST), mean, coefficients, VARIANCE)
    mean[0] = coefficients[0, 0] = 7.0
    assert cpd.intercept.tolist() == [1.0, 2.0]
    assert cpd.coefficients.tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert cpd.coefficients.flags.c_contiguous
    assert mean.flags.writeable


# ---------------------------------------------------------------- densities


@settings(deadline=None)
@given(SEEDS)
def test_log_prob_is_scipys(seed):
    rng = np.random.default_rng(seed)
    cpd, values = random_clg(rng), random_family(rng, 20)
    u = values["sex"], values["age"]
    slope = cpd.coefficients[u]
    mean = cpd.intercept[u] + slope[:, 0] * values["height"] + slope[:, 1] * values["waist"]
    expected = norm.logpdf(values["weight"], mean, np.sqrt(cpd.variance[u]))
    assert cpd.log_prob(values) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_log_prob_broadcasts(seed):
    rng = np.random.default_rng(seed)
    cpd = random_clg(rng)
    rows = random_family(rng, 4)
    values = {
        "sex": np.arange(2).reshape(1, 2, 1),
        "age": np.arange(3).reshape(1, 1, 3),
        **{n: rows[n].reshape(4, 1, 1) for n in ("height", "waist", "weight")},
    }
    found = cpd.log_prob(values)
    assert found.shape == (4, 2, 3)
    for r, s, a in itertools.product(range(4), range(2), range(3)):
        one = {n: rows[n][r : r + 1] for n in ("height", "waist", "weight")}
        one |= {"sex": np.array([s]), "age": np.array([a])}
        assert found[r, s, a] == pytest.approx(cpd.log_prob(one)[0], rel=1e-14)


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.floats(1e-6, 1e6), st.floats(-1e3, 1e3))
def test_a_change_of_the_childs_unit_shifts_every_log_density_alike(seed, scale, shift):
    rng = np.random.default_rng(seed)
    cpd, values = random_clg(rng), random_family(rng, 10)
    moved = CLGCPD(
        WEIGHT,
        cpd.parents,
        cpd.intercept * scale + shift,
        cpd.coefficients * scale,
        cpd.variance * scale**2,
    )
    other = {**values, "weight": values["weight"] * scale + shift}
    expected = cpd.log_prob(values) - math.log(scale)
    # Beside a large shift a small scale leaves fewer digits of the number.
    lost = 1e-14 * (1 + abs(shift) / scale)
    assert moved.log_prob(other) == pytest.approx(expected, rel=1e-9 + 100 * lost, abs=1e3 * lost)


def test_a_density_beyond_double_precision_is_minus_infinity_without_a_warning():
    cpd = GaussianCPD(HEIGHT, (), 0, 1e-200)
    assert cpd.log_prob({"height": np.array([1e100])}).tolist() == [-np.inf]
    assert np.isfinite(cpd.log_prob({"height": np.array([0.0, 1e-100, 1e40])})).all()


def test_narrow_and_wide_densities_keep_their_digits():
    for sd in (1e-100, 1e-8, 1e8, 1e100):
        cpd = GaussianCPD(HEIGHT, (), 0, sd**2)
        found = cpd.log_prob({"height": np.array([3 * sd])})
        assert found == pytest.approx(norm.logpdf([3]) - math.log(sd), rel=1e-12)


def test_a_constant_has_no_say():
    cpd = constant()
    assert cpd.is_constant
    assert cpd.n_parameters == 0
    values = {
        "sex": np.arange(2).reshape(1, 2),
        "height": np.array([[1.0], [2.0], [3.0]]),
        "weight": np.array([[5.0], [6.0], [-1e50]]),
    }
    assert cpd.log_prob(values).tolist() == np.zeros((3, 2)).tolist()
    everywhere = GaussianCPD(HEIGHT, (), 5, 0)
    assert everywhere.is_constant
    assert everywhere.log_prob({"height": np.array([5.0, 7.0])}).tolist() == [0, 0]


@pytest.mark.parametrize("factor", [weight, constant])
@pytest.mark.parametrize("name", ["height", "weight"])
@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_a_number_that_is_none_is_refused(factor, name, number):
    values = {n: np.array([1.0, 2.0]) for n in ("height", "waist", "weight")}
    values["sex"] = np.array([0, 1])
    values[name] = np.array([1.0, number])
    with pytest.raises(FactorError, match=f"'{name}' is {number}, expected a number"):
        factor().log_prob(values)


@pytest.mark.parametrize("factor", [weight, constant])
@pytest.mark.parametrize("code", [-1, 2])
def test_a_code_that_is_no_state_is_refused(factor, code):
    values = {n: np.array([1.0, 2.0]) for n in ("height", "waist", "weight")}
    values["sex"] = np.array([0, code])
    with pytest.raises(FactorError, match="codes of 'sex' reach from"):
        factor().log_prob(values)
    with pytest.raises(FactorError, match="codes of 'sex' reach from"):
        factor().sample(values, np.random.default_rng(0))


def test_no_rows():
    none, codes = np.empty(0), np.empty(0, dtype=np.int32)
    values = {"sex": codes, "height": none, "waist": none, "weight": none}
    assert weight().log_prob(values).shape == (0,)
    drawn = weight().sample(values, np.random.default_rng(0))
    assert (drawn.shape, drawn.dtype) == ((0,), np.float64)


def test_given_configurations():
    intercept, coefficients, variance = weight().given({"sex": np.array([[1], [0], [1]])})
    assert intercept.tolist() == [[-50], [-40], [-50]]
    assert coefficients.tolist() == [[[0.75, -0.5]], [[0.5, 0.25]], [[0.75, -0.5]]]
    assert variance.tolist() == [[9], [4], [9]]
    alone = GaussianCPD(HEIGHT, (), 170, 4).given({})
    assert [part.tolist() for part in alone] == [170, [], 4]


def test_log_normal_is_scipys():
    deviation, variance = np.array([0.0, 1.5, -30.0]), np.array([[0.5], [2.0]])
    expected = norm.logpdf(deviation, 0, np.sqrt(variance))
    assert log_normal(deviation, variance) == pytest.approx(expected, rel=1e-13)


# ---------------------------------------------------------------- sampling


def test_samples_follow_the_density_in_every_configuration():
    n = 20_000
    rng = np.random.default_rng(5)
    values = {
        "sex": np.tile([0, 1], n // 2),
        "height": rng.normal(170, 10, n),
        "waist": rng.normal(80, 5, n),
    }
    drawn = weight().sample(values, np.random.default_rng(6))
    assert drawn.dtype == np.float64
    for s in (0, 1):
        rows = values["sex"] == s
        slope = COEFFICIENTS[s]
        mean = INTERCEPT[s] + slope[0] * values["height"] + slope[1] * values["waist"]
        residual = (drawn - mean)[rows] / math.sqrt(VARIANCE[s])
        assert kstest(residual, "norm").pvalue > 1e-3


def test_sampling_is_reproducible():
    values = {"sex": np.repeat([0, 1], 25)}
    one = height().sample(values, np.random.default_rng(7))
    assert np.array_equal(one, height().sample(values, np.random.default_rng(7)))
    assert not np.array_equal(one, height().sample(values, np.random.default_rng(8)))


def test_a_root_and_a_constant_are_drawn():
    root = GaussianCPD(HEIGHT, (), 170, 4).sample({"height": np.empty(4)}, np.random.default_rng(0))
    assert root.shape == (4,)
    assert len(set(root)) == 4
    values = {"sex": np.array([0, 1]), "height": np.array([1.0, 2.0])}
    assert constant().sample(values, np.random.default_rng(0)).tolist() == [5, 5]


def test_sampling_refuses_a_missing_parent():
    values = {"sex": np.array([0]), "height": np.array([np.nan]), "waist": np.array([1.0])}
    with pytest.raises(FactorError, match="'height' is nan, expected a number"):
        weight().sample(values, np.random.default_rng(0))


# ---------------------------------------------------------------- describe


def test_describe_labels_rows_and_columns():
    frame = weight().describe()
    assert frame.columns.tolist() == ["intercept", "height", "waist", "standard deviation"]
    assert frame.columns.name == "weight"
    assert frame.index.tolist() == ["f", "m"]
    assert frame.index.name == "sex"
    assert frame.loc["m"].tolist() == [-50, 0.75, -0.5, 3]
    assert frame.loc["f", "standard deviation"] == 2


def test_describe_a_gaussian():
    frame = height().describe()
    assert frame.columns.tolist() == ["mean", "standard deviation"]
    assert frame.to_numpy().tolist() == [[165, 6], [178, 7]]
    root = GaussianCPD(HEIGHT, (), 170, 4).describe()
    assert root.to_numpy().tolist() == [[170, 2]]
    assert root.index.tolist() == [""]


def test_describe_with_several_discrete_parents_has_the_rows_of_a_table():
    cpd = random_clg(np.random.default_rng(0))
    frame = cpd.describe()
    table = CategoricalCPD(Variable("z", states="ab"), (SEX, AGE), np.full((2, 3, 2), 0.5))
    assert frame.index.equals(table.describe().index)
    assert frame.index.names == ["sex", "age"]
    for s, a in itertools.product(range(2), range(3)):
        row = frame.loc[(SEX.states[s], AGE.states[a])]
        expected = [cpd.intercept[s, a], *cpd.coefficients[s, a], math.sqrt(cpd.variance[s, a])]
        assert row.tolist() == expected


def test_describe_keeps_names_that_pandas_would_take_apart():
    pair, number = Variable(("a", 1), kind="continuous"), Variable(7, kind="continuous")
    frame = CLGCPD(WEIGHT, (pair, number), 0, [1, 2], 1).describe()
    assert frame.columns.tolist() == ["intercept", ("a", 1), 7, "standard deviation"]


def test_describe_gives_the_user_a_copy():
    cpd = GaussianCPD(HEIGHT, (), 170, 4)
    frame = cpd.describe()
    frame.iloc[0, 0] = 5.0
    assert cpd.mean == 170
