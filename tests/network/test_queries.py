"""`BayesianNetwork.query`: by hand, against enumeration, numerical integration and pgmpy."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from builders import CLASS, random_network
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

import bnclass as bc
from bnclass import CategoricalCPD, DataError, Structure, StructureError, Variable

SEEDS = st.integers(0, 2**32)

RAIN = Variable("rain", states=(False, True))
GRASS = Variable("grass", states=("dry", "wet"))
SPRINKLER = Variable("sprinkler", states=("off", "on"))
LAWN = bc.BayesianNetwork(
    Structure.from_arcs(
        ["rain", "sprinkler", "grass"],
        [("rain", "sprinkler"), ("rain", "grass"), ("sprinkler", "grass")],
    ),
    [
        CategoricalCPD(RAIN, (), [0.8, 0.2]),
        CategoricalCPD(SPRINKLER, (RAIN,), [[0.6, 0.4], [0.99, 0.01]]),
        CategoricalCPD(
            GRASS, (RAIN, SPRINKLER), [[[1.0, 0.0], [0.1, 0.9]], [[0.2, 0.8], [0.01, 0.99]]]
        ),
    ],
)


def enumerated(network, asked, evidence):
    """Return P(asked | evidence) by adding up every full configuration."""
    names = list(network.structure.nodes)
    cards = [network.factors[n].variable.card for n in names]
    shares = {}
    for codes in product(*map(range, cards)):
        row = dict(zip(names, codes, strict=True))
        if all(row[n] == code for n, code in evidence.items()):
            p = 1.0
            for factor in network.factors.values():
                family = [*(v.name for v in factor.parents), factor.variable.name]
                p *= factor.table[tuple(row[n] for n in family)]
            key = tuple(row[n] for n in asked)
            shares[key] = shares.get(key, 0.0) + p
    total = sum(shares.values())
    cards = [network.factors[n].variable.card for n in asked]
    return np.array([shares.get(k, 0.0) / total for k in product(*map(range, cards))])


def test_wet_grass_by_hand():
    # P(wet) = .8·.4·.9 + .2·(.99·.8 + .01·.99) = .288 + .16038; rain's part is .16038.
    found = LAWN.query("rain", {"grass": "wet"})
    assert found.name == "probability"
    assert found.index.tolist() == [False, True]
    assert found[True] == pytest.approx(0.16038 / 0.44838, abs=1e-15)


def test_several_nodes_come_in_the_order_asked_for():
    found = LAWN.query(["grass", "rain"])
    assert found.index.names == ["grass", "rain"]
    assert found["wet", True] == pytest.approx(0.16038, abs=1e-15)
    assert LAWN.query(["rain", "grass"])[True, "wet"] == found["wet", True]


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.integers(1, 4), st.booleans(), st.data())
def test_equal_to_enumeration(seed, n_attributes, with_class, data):
    network = random_network(np.random.default_rng(seed), n_attributes, with_class=with_class)
    nodes = list(network.structure.nodes)
    asked = data.draw(st.lists(st.sampled_from(nodes), min_size=1, unique=True))
    known = data.draw(st.lists(st.sampled_from(nodes), unique=True))
    codes = {
        n: data.draw(st.integers(0, network.factors[n].variable.card - 1))
        for n in known
        if n not in asked
    }
    evidence = {n: network.factors[n].variable.states[code] for n, code in codes.items()}
    found = network.query(asked, evidence)
    assert found.sum() == pytest.approx(1.0, abs=1e-12)
    assert found.to_numpy() == pytest.approx(enumerated(network, asked, codes), abs=1e-10)


def test_equal_to_variable_elimination_of_pgmpy():
    from pgmpy.inference import VariableElimination

    network = bc.KDB(2).fit(*bc.load_dataset("monks-1")).network_
    engine = VariableElimination(bc.to_pgmpy(network))
    evidence = {"a2": "1", "class": "1"}
    theirs = engine.query(["a1", "a5"], evidence, show_progress=False)
    for states, p in network.query(["a1", "a5"], evidence).items():
        assert p == pytest.approx(
            theirs.get_value(**dict(zip(["a1", "a5"], states, strict=True))), abs=1e-12
        )


def test_numbers_as_evidence_and_numbers_integrated_out():
    x, z = (Variable(n, kind="continuous") for n in "xz")
    y, d = Variable(CLASS, states=("n", "p")), Variable("d", states=("u", "v"))
    network = bc.BayesianNetwork(
        Structure.from_arcs(
            [CLASS, "d", "z", "x"],
            [(CLASS, n) for n in "dzx"] + [("d", "z"), ("z", "x")],
            CLASS,
        ),
        [
            CategoricalCPD(y, (), [0.3, 0.7]),
            CategoricalCPD(d, (y,), [[0.6, 0.4], [0.1, 0.9]]),
            bc.CLGCPD(z, (y, d), [[0.0, 1.0], [2.0, -1.0]], np.empty((2, 2, 0)), [[1, 2], [3, 4]]),
            bc.CLGCPD(x, (y, z), [0.5, -0.5], [[1.0], [2.0]], [1.0, 0.5]),
        ],
    )
    means, variances = [[0.0, 1.0], [2.0, -1.0]], [[1, 2], [3, 4]]

    def weight(c, state):
        def density(t):
            of_x = norm.pdf(1.0, [0.5 + t, -0.5 + 2 * t][c], np.sqrt([1.0, 0.5][c]))
            return norm.pdf(t, means[c][state], np.sqrt(variances[c][state])) * of_x

        integral = quad(density, -30, 30, epsabs=1e-13, limit=200)[0]
        return [0.3, 0.7][c] * [[0.6, 0.4], [0.1, 0.9]][c][state] * integral

    joint = np.array([[weight(c, s) for s in range(2)] for c in range(2)])
    found = network.query([CLASS, "d"], {"x": 1.0})
    assert found.to_numpy() == pytest.approx((joint / joint.sum()).ravel(), abs=1e-9)


def test_a_cell_of_a_binned_number_or_its_interval():
    network = bc.TAN().fit(*bc.load_dataset("iris")).network_
    states = network.factors["petal width (cm)"].variable.states
    raw = network.query("class", {"petal width (cm)": 0.2})
    assert raw.equals(network.query("class", {"petal width (cm)": states[0]}))
    assert raw.idxmax() == "setosa"


@pytest.mark.parametrize("nothing", [None, np.nan, pd.NA])
def test_nothing_known_is_no_evidence(nothing):
    assert LAWN.query("rain", {"grass": nothing}).equals(LAWN.query("rain"))


def test_nothing_known_is_no_evidence_where_missing_cells_are_a_state():
    X = pd.DataFrame({"a": ["u", "v", None, "u"], "b": ["p", "q", "q", "p"]})
    network = bc.TAN(missing="state").fit(X, [0, 1, 1, 0]).network_
    assert network.query("b", {"a": None}).equals(network.query("b"))


def test_a_name_that_is_a_tuple_is_one_node():
    a = Variable(("a", 1), states=("u", "v"))
    network = bc.BayesianNetwork(
        Structure.from_arcs([("a", 1)], []), [CategoricalCPD(a, (), [0.25, 0.75])]
    )
    assert network.query(("a", 1)).tolist() == pytest.approx([0.25, 0.75], abs=1e-15)


@pytest.mark.parametrize(
    ("asked", "evidence", "message"),
    [
        ("snow", {}, r"no node 'snow', expected one of \['rain'"),
        (7, {}, "no node 7"),
        ([], {}, "no variable is asked for"),
        (["rain", "rain"], {}, "'rain' is asked for twice"),
        ("rain", {"rain": True}, "'rain' is asked for and known"),
        ("rain", {"snow": 1}, "no node 'snow'"),
        ("rain", {"grass": "damp"}, r"evidence 'grass': found 'damp', expected one of \('dry'"),
    ],
)
def test_what_cannot_be_asked(asked, evidence, message):
    with pytest.raises((StructureError, DataError), match=message):
        LAWN.query(asked, evidence)


def test_evidence_of_probability_0():
    never = CategoricalCPD(RAIN, (), [1.0, 0.0])
    network = bc.BayesianNetwork(
        Structure.from_arcs(["rain", "grass"], [("rain", "grass")]),
        [never, CategoricalCPD(GRASS, (RAIN,), [[0.5, 0.5], [0.1, 0.9]])],
    )
    with pytest.raises(StructureError, match="'rain': True} has probability 0"):
        network.query("grass", {"rain": True})


def test_a_number_asked_for_or_a_number_that_is_none():
    X, y = bc.load_dataset("iris")
    network = bc.NaiveBayes(continuous="gaussian").fit(X, y).network_
    with pytest.raises(StructureError, match=r"'petal width \(cm\)' is continuous"):
        network.query("petal width (cm)")
    for value in (np.inf, "wide", True, 1j, 1e101, 10**400, pd.Timestamp(0)):
        with pytest.raises(DataError, match=r"'petal width \(cm\)': found .* at most 1e\+100"):
            network.query("class", {"petal width (cm)": value})
    for value in (1, np.float32(1), np.int64(1)):
        assert network.query("class", {"petal width (cm)": value}).sum() == pytest.approx(1)


def test_a_cell_of_another_kind_names_its_column():
    X = pd.DataFrame({"smoker": [True, False] * 4, "age": np.arange(8.0)})
    network = bc.TAN().fit(X, [0, 1] * 4).network_
    with pytest.raises(DataError, match="column 'smoker' holds number"):
        network.query("class", {"smoker": 1})
    with pytest.raises(DataError, match=r"evidence 'age': found \[30, 40\], expected one value"):
        network.query("class", {"age": [30, 40]})


@pytest.mark.parametrize("evidence", [pd.Series({"grass": "wet"}), ["grass", "wet"], "grass"])
def test_evidence_that_is_no_mapping(evidence):
    with pytest.raises(StructureError, match=r"evidence is a \w+, expected a mapping"):
        LAWN.query("rain", evidence)


def test_labels_that_are_no_classes_are_refused_everywhere():
    X, y = bc.load_dataset("monks-1")
    network = bc.TAN().fit(X, y).network_
    for ask in (network.bic, network.log_prob, network.log_likelihood):
        with pytest.raises(DataError, match="class 'class': found '7', expected one of"):
            ask(X.assign(**{"class": "7"}))
    assert np.isfinite(network.log_prob(X.assign(**{"class": None}))).all()


def test_many_nodes_of_a_wide_network_are_asked_for_at_once():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({f"v{i}": rng.choice(list("abcd"), 500) for i in range(40)})
    network = bc.KDB(2).fit(frame, rng.integers(0, 2, 500)).network_
    asked = [f"v{i}" for i in range(6)]
    found = network.query(asked)
    assert found.shape == (4**6,)
    marginal = found.groupby(level="v3").sum()
    assert marginal.to_numpy() == pytest.approx(network.query("v3").to_numpy(), abs=1e-12)
    with pytest.raises(bc.MemoryLimitError):
        network.query([f"v{i}" for i in range(30)])
