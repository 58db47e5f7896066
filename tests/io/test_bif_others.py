"""BIF among others: what pgmpy and pyAgrum make of our files, and we of theirs."""

import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from io_networks import HOSTILE, ODD_NAMES, ODD_STATES, naive_bayes, networks, same

from bnclass.classifiers.single import KDB, SPODE, TAN, NaiveBayes
from bnclass.data.datasets import load_dataset
from bnclass.data.variables import Variable
from bnclass.exceptions import BnclassWarning, FileFormatError
from bnclass.io.bif import read_bif, state_tokens, write_bif
from bnclass.io.tokens import safe_tokens

with warnings.catch_warnings():  # its import warns, and crashes where warnings are errors
    warnings.simplefilter("ignore")
    import pyagrum as gum

SETTINGS = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
MODELS = pytest.mark.parametrize("model", [NaiveBayes(), SPODE(), TAN(), KDB()], ids=repr)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "network.bif"


def by_pgmpy(path):
    from pgmpy.readwrite import BIFReader

    return BIFReader(str(path)).get_model()


def node_tokens(network):
    return dict(zip(network.structure.nodes, safe_tokens(network.structure.nodes), strict=True))


def token_evidence(network, row):
    """Return a row of codes as the file's names of nodes and states."""
    tokens = node_tokens(network)
    return {
        tokens[v.name]: state_tokens(v)[code]
        for v, code in zip(network.attributes, row, strict=True)
        if code >= 0
    }


# ---------------------------------------------------------------- read by others


@settings(SETTINGS, max_examples=6)
@given(network=networks(max_nodes=3, max_states=3))
def test_pgmpy_reads_all_tables(path, network):
    write_bif(network, path)
    tokens, model = node_tokens(network), by_pgmpy(path)
    assert model.check_model()
    for node, factor in network.factors.items():
        family = [*factor.parents, factor.variable]
        cpd = model.get_cpds(tokens[node])
        values = cpd.values.transpose([cpd.variables.index(tokens[v.name]) for v in family])
        assert np.array_equal(values[tuple(slice(v.card) for v in family)], factor.table)
        for v in family:
            assert cpd.state_names[tokens[v.name]] == list(state_tokens(v))


@SETTINGS
@given(network=networks())
def test_pyagrum_reads_all_tables(path, network):
    write_bif(network, path)
    tokens, bn = node_tokens(network), gum.loadBN(str(path))
    for node, factor in network.factors.items():
        family = [*factor.parents, factor.variable]
        names = [tokens[v.name] for v in reversed(family)]
        table = gum.Tensor(bn.cpt(tokens[node])).reorganize(names).toarray()
        own = table[tuple(slice(v.card) for v in family)]
        assert own == pytest.approx(factor.table, abs=1e-6)
        for v in family:
            assert list(bn.variable(tokens[v.name]).labels()) == list(state_tokens(v))


@pytest.mark.parametrize(
    ("model", "name"),
    [
        (NaiveBayes(), "iris"),
        (SPODE(), "tic-tac-toe"),
        (TAN(), "iris"),
        (TAN(), "breast-cancer"),
        (KDB(), "wine"),
        (KDB(), "tic-tac-toe"),
    ],
    ids=str,
)
def test_pgmpy_and_pyagrum_give_our_posteriors(path, model, name):
    from pgmpy.inference import VariableElimination

    X, y = load_dataset(name)
    network = model.fit(X, y).network_
    write_bif(network, path)
    elimination, bn = VariableElimination(by_pgmpy(path)), gum.loadBN(str(path))
    table = network.encode(X.iloc[:: len(X) // 4])
    table.codes[1:, ::3] = -1  # some cells are missing
    target = node_tokens(network)[network.target.name]
    for row, expected in zip(table.codes, network.posterior(table), strict=True):
        evidence = token_evidence(network, row)
        found = elimination.query([target], evidence, show_progress=False)
        assert found.values == pytest.approx(expected, abs=1e-9)
        assert gum.getPosterior(bn, target=target, evs=evidence).toarray() == pytest.approx(
            expected, abs=1e-6
        )


def test_pgmpy_and_pyagrum_read_odd_names_and_states(path):
    from pgmpy.inference import VariableElimination

    odd = list(dict.fromkeys(ODD_NAMES + ODD_STATES + HOSTILE))
    network = naive_bayes(odd, **{name: (name, "x", *odd[:3]) for name in odd[3:]})
    write_bif(network, path)
    assert same(read_bif(path), network)
    evidence = token_evidence(network, [0] * len(network.attributes))
    expected = network.posterior({name: [name] for name in odd[3:]})[0]
    found = VariableElimination(by_pgmpy(path)).query(["y"], evidence, show_progress=False)
    assert found.values == pytest.approx(expected, abs=1e-12)
    posterior = gum.getPosterior(gum.loadBN(str(path)), target="y", evs=evidence)
    assert posterior.toarray() == pytest.approx(expected, abs=1e-6)


# ---------------------------------------------------------------- files of others

RAIN = """
network "my rain" { property author someone ; }
/* a comment
   of two lines */
variable rain { type discrete [ 2 ] { no, yes }; property position = (1, 2) ; }
variable "the wind" { // another
  type discrete[3] { calm "a breeze" storm };
}
variable wet { type discrete [ 2 ] { no, yes }; }
probability ( rain ) { table 0.8, 0.2; }
probability ( "the wind" ) { property x ; table 0.5 .25 2.5e-1 ; }
"""

ROWS = """
probability ( wet | "the wind", rain ) {
  default 0.5, 0.5;
  (calm, no) 1.0, 0.0;
  (calm, yes) 0.25 0.75;
  ("a breeze", yes) 0.125, 0.875;
}
"""

TABLE = """
probability ( wet | "the wind", rain ) {
  table 1.0, 0.25, 0.5, 0.125, 0.5, 0.5, 0.0, 0.75, 0.5, 0.875, 0.5, 0.5;
}
"""


@pytest.mark.parametrize("tables", [ROWS, TABLE, ROWS.replace("|", " "), ROWS.replace(",", " ")])
def test_a_foreign_file(path, tables):
    path.write_text(RAIN + tables)
    network = read_bif(path)
    assert network.structure.class_node is None
    assert network.structure.nodes == ("rain", "the wind", "wet")
    assert network.factors["the wind"].variable == Variable(
        "the wind", states=("calm", "a breeze", "storm")
    )
    assert network.factors["the wind"].table.tolist() == [0.5, 0.25, 0.25]
    assert network.structure.parents("wet") == ("rain", "the wind")
    expected = [[[1, 0], [0.5, 0.5], [0.5, 0.5]], [[0.25, 0.75], [0.125, 0.875], [0.5, 0.5]]]
    assert network.factors["wet"].table.tolist() == expected


def test_the_order_of_a_whole_table_is_that_of_pgmpy_and_pyagrum(path):
    path.write_text(
        "variable a {\n type discrete [ 2 ] { x, y };\n}\n"
        "variable b {\n type discrete [ 3 ] { x, y, z };\n}\n"
        "variable c {\n type discrete [ 2 ] { x, y };\n}\n"
        "probability ( a ) {\n table 0.5, 0.5;\n}\n"
        "probability ( b ) {\n table 0.25, 0.25, 0.5;\n}\n"
        "probability ( c | b, a ) {\n"
        " table 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.99, 0.98, 0.97, 0.96, 0.95, 0.94;\n}\n"
    )
    table = read_bif(path).factors["c"].table  # by a, b, c
    assert table[:, :, 0].tolist() == [[0.01, 0.03, 0.05], [0.02, 0.04, 0.06]]
    values = by_pgmpy(path).get_cpds("c").values  # by c, b, a
    assert np.array_equal(values.transpose(2, 1, 0), table)
    path.write_text("network n {\n}\n" + path.read_text())
    bn = gum.loadBN(str(path))
    assert gum.Tensor(bn.cpt("c")).reorganize(["c", "b", "a"]).toarray() == pytest.approx(table)


@MODELS
def test_a_file_that_pgmpy_wrote(path, model):
    from pgmpy.readwrite import BIFWriter

    X, y = load_dataset("tic-tac-toe")
    network = model.fit(X, y).network_
    write_bif(network, path)
    BIFWriter(by_pgmpy(path)).write(str(path))
    loaded = read_bif(path)
    assert_same_tables(loaded, network)


@MODELS
@pytest.mark.filterwarnings("ignore::bnclass.exceptions.BnclassWarning")
def test_a_file_that_pyagrum_wrote(path, model):
    network = model.fit(*load_dataset("iris")).network_
    write_bif(network, path)
    gum.saveBN(gum.loadBN(str(path)), str(path))
    assert_same_tables(read_bif(path), network)


def assert_same_tables(loaded, network):
    tokens = node_tokens(network)
    assert loaded.structure.class_node is None
    assert set(loaded.structure.arcs) == {(tokens[u], tokens[v]) for u, v in network.structure.arcs}
    for node, factor in network.factors.items():
        family = [tokens[v.name] for v in (*factor.parents, factor.variable)]
        other = loaded.factors[tokens[node]]
        order = [v.name for v in (*other.parents, other.variable)]
        table = other.table.transpose([order.index(name) for name in family])
        assert table == pytest.approx(factor.table, abs=1e-6)


def test_names_with_blanks_as_pgmpy_writes_them(path):
    path.write_text(
        "variable col one {\n type discrete [ 2 ] { a b, <5 };\n}\n"
        "variable b { type discrete [ 2 ] { 0, 1 }; }\n"
        "probability ( col one ) {\n table 0.25, 0.75 ;\n}\n"
        "probability ( b | col one ) {\n ( a b ) 0.5, 0.5;\n ( <5 ) 0.0, 1.0;\n\n}\n"
    )
    network = read_bif(path)
    assert network.factors["col one"].variable.states == ("a b", "<5")
    assert network.factors["b"].table.tolist() == [[0.5, 0.5], [0.0, 1.0]]


def test_rows_with_few_digits_are_rescaled_with_a_warning(path):
    text = "variable a { type discrete [3] { x, y, z }; } probability ( a ) { table %s; }"
    path.write_text(text % "0.3333, 0.3333, 0.3333")
    with pytest.warns(
        BnclassWarning, match=r"network\.bif: rows of the tables of \['a'\] miss .* "
    ):
        network = read_bif(path)
    assert network.factors["a"].table.tolist() == [1 / 3] * 3
    path.write_text(text % "0.3, 0.3, 0.3")
    with pytest.raises(FileFormatError, match=r"line 1: .* misses the sum 1 by 0\.1"):
        read_bif(path)
