import random

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from io_networks import (
    HOSTILE,
    ODD_NAMES,
    ODD_STATES,
    details,
    naive_bayes,
    networks,
    people,
    same,
    scratched,
)

from bnclass.classifiers.averaged import AODE
from bnclass.classifiers.single import KDB, SPODE, TAN, NaiveBayes
from bnclass.data.datasets import load_dataset
from bnclass.data.variables import Variable
from bnclass.exceptions import BnclassError, FileFormatError, MemoryLimitError
from bnclass.factors.categorical import CategoricalCPD
from bnclass.io.bif import read_bif, state_tokens, write_bif
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.structure.dag import Structure

SETTINGS = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "network.bif"


def single(name, states, table):
    cpd = CategoricalCPD(Variable(name, states=tuple(states)), (), table)
    return BayesianNetwork(Structure.from_arcs([name], []), [cpd])


@SETTINGS
@given(network=networks())
def test_round_trip(path, network):
    write_bif(network, path)
    loaded = read_bif(path)
    assert details(loaded) == details(network)
    assert loaded == network
    first = path.read_bytes()
    write_bif(loaded, path)
    assert path.read_bytes() == first
    assert first.isascii()


@pytest.mark.parametrize("model", [NaiveBayes(), SPODE(), TAN(), KDB()], ids=repr)
@pytest.mark.parametrize("name", ["iris", "tic-tac-toe", "wine"])
def test_learned_models(path, model, name):
    X, y = load_dataset(name)
    network = model.fit(X, y).network_
    write_bif(model, path)
    loaded = read_bif(path)
    assert same(loaded, network)
    assert (loaded.posterior(X) == network.posterior(X)).all()


@pytest.mark.parametrize("odd", ODD_NAMES + ODD_STATES + HOSTILE, ids=ascii)
def test_odd_names_and_states(path, odd):
    network = naive_bayes((odd, "other"), **{odd: (odd, "x", "y")})
    write_bif(network, path)
    assert same(read_bif(path), network)


@pytest.mark.parametrize(
    "states", [(0, 1), (True, False), ("<5", ">=5"), (0.5, 1.5), (("a", 1), None), ("1", 1)]
)
def test_types_of_states_are_restored(path, states):
    write_bif(single(3, states, [0.5, 0.5]), path)
    loaded = read_bif(path)
    assert repr(loaded.factors[3].variable.states) == repr(states)
    assert repr(loaded.structure.nodes) == "(3,)"


@pytest.mark.parametrize("p", [1 / 3, 1e-12, 1e-300, 5e-324, 0.1 + 0.2])
def test_precision(path, p):
    write_bif(single("a", "xy", [p, 1 - p]), path)
    assert read_bif(path).factors["a"].table.tolist() == [p, 1 - p]
    assert f"table {p!r}, {1 - p!r};" in path.read_text()


def test_seven_sevenths(path):
    write_bif(single("a", "abcdefg", [1 / 7] * 7), path)
    assert read_bif(path).factors["a"].table.tolist() == [1 / 7] * 7


def test_layout_of_the_file(path):
    network = naive_bayes(("n", "y"), a=("<=1", ">1"))
    write_bif(network, path)
    assert path.read_text().splitlines()[2:] == [
        "network bnclass {",
        "}",
        '// bnclass network {"format": 1, "class_node": "y", "joint_family": null}',
        '// bnclass variable {"token": "y", "states": ["n", "y"], "variable": '
        '{"type": "Variable", "name": "y", "kind": "discrete", "states": ["n", "y"], '
        '"source": null, "cuts": null, "fill": null}}',
        "variable y {",
        "  type discrete [ 2 ] { n, y };",
        "}",
        '// bnclass variable {"token": "a", "states": ["le_1", "gt_1"], "variable": '
        '{"type": "Variable", "name": "a", "kind": "discrete", "states": ["<=1", ">1"], '
        '"source": null, "cuts": null, "fill": null}}',
        "variable a {",
        "  type discrete [ 2 ] { le_1, gt_1 };",
        "}",
        "probability ( y ) {",
        "  table 0.3333333333333333, 0.6666666666666666;",
        "}",
        '// bnclass scores {"token": "a", "scores": {"y": 0.5}}',
        "probability ( a | y ) {",
        "  ( n ) 0.3333333333333333, 0.6666666666666666;",
        "  ( y ) 0.42857142857142855, 0.5714285714285714;",
        "}",
    ]


def test_a_variable_of_one_state_gets_a_filler_in_the_file_only(path):
    network = naive_bayes(("n", "y"), a=("all",))
    write_bif(network, path)
    assert "type discrete [ 2 ] { all, never };" in path.read_text()
    assert "( y ) 1.0, 0.0;" in path.read_text()
    assert same(read_bif(path), network)


def test_the_filler_avoids_the_name_of_the_state():
    assert state_tokens(Variable("a", states=("Never",))) == ("Never", "never_2")


def test_an_ensemble_is_refused(path):
    with pytest.raises(BnclassError, match="several networks"):
        write_bif(AODE().fit(*load_dataset("monks-1")), path)
    assert not path.exists()


def test_a_state_that_no_note_can_hold_is_named(path):
    network = single("when", (pd.Timestamp("2020-01-01"), "x"), [0.5, 0.5])
    with pytest.raises(FileFormatError, match=r"node 'when': state: found Timestamp\('2020"):
        write_bif(network, path)
    assert not path.exists()


# ---------------------------------------------------------------- broken files

A = "variable a { type discrete [ 2 ] { x, y }; }\n"
PA = "probability ( a ) { table 0.5, 0.5; }\n"
B = "variable b { type discrete [ 2 ] { x, y }; }\n"
NOTE = (
    '\n// bnclass variable {"token": "%s", "states": ["x", "y"], "variable": {"type": "Variable", '
    '"name": "%s", "kind": "discrete", "states": [1, 2], "source": null, "cuts": null, '
    '"fill": null}}'
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a structure without nodes, expected at least one"),
        ("hello", "line 1: found 'hello', expected 'network', 'variable' or 'probability'"),
        (A, "node 'a' has no factor, expected one"),
        (PA, "line 1: found no variable 'a', expected one of []"),
        (
            A + B + PA + "probability ( b ) { table 1, 0; }" + NOTE % ("b", "a"),
            "found the names ['a', '",
        ),
        (A + A + PA, "line 2: found the variable 'a' a second time"),
        (A + PA + PA, "line 3: found the table of 'a' a second time"),
        (A + "\n/* no end", "line 3: found '/' without its end"),
        (A + 'variable "b {', "line 2: found '\"' without its end"),
        (A + "variable b {", "line 2: the file ends, expected 'property'"),
        (A + "probability ( a", "line 2: the file ends, expected ')'"),
        (A + "probability ( a ) { table 0.5, 0.5", "line 2: the file ends, expected ';'"),
        (A + "probability ( a ) { table 0.5, x; }", "line 2: found 'x', expected a number or ';'"),
        (A + "probability ( a ) { table 0.5, nan; }", "line 2: found 'nan', expected a number"),
        (A + "probability ( a ) { table 2, -1; }", "line 2: found '-1', expected a probability"),
        (A + "probability ( a ) { table 1e999, 0; }", "line 2: found '1e999', expected a prob"),
        (A + "probability ( a ) { table 0.5; }", "found 1 numbers, expected 2"),
        (A + "probability ( a ) { tabel 0.5; }", "found 'tabel', expected 'table', 'default'"),
        (A + "probability ( a ) { table 1, 0; table 1, 0; }", "found two entries for one row"),
        (A + "probability ( a ) { default 1, 0; table 1, 0; }", "found two entries for one row"),
        (A + "probability ( a ) { }", "line 2: found no row for the parents' states []"),
        (A + "probability ( a | b ) { }", "line 2: found no variable 'b', expected one of ['a']"),
        (A + "probability ( ) { }", "line 2: found no name, expected a variable"),
        (A + "probability ( a; ) { }", "line 2: found ';', expected a name or ')'"),
        ("variable a { }", "line 1: found no type, expected 'type discrete'"),
        ("variable a, b { }", "line 1: found no name, or a comma in it, expected a name"),
        ("variable a { type real; }", "line 1: found 'real', expected 'discrete'"),
        ("variable a { type discrete [ 2 { x, y }; }", "line 1: found '{', expected ']'"),
        ("variable a { type discrete [ x ] { x, y }; }", "line 1: found 'x', expected a number of"),
        ("variable a { type discrete [ 3 ] { x, y }; }", "line 1: found 2 states, expected 3"),
        (
            "variable a { type discrete [ 2 ] { x, x }; }",
            "line 1: variable 'a' has repeated",
        ),
        ("variable a { type discrete [ 0 ] { }; }", "line 1: variable 'a' has no states"),
        (
            A + B + PA + "probability ( b | a ) { (x) 1, 0; }",
            "no row for the parents' states",
        ),
        (
            A + B + PA + "probability ( b | a ) { (z) 1, 0; }",
            "line 4: found the state 'z',",
        ),
        (A + B + PA + "probability ( b | a ) { (x, y) 1, 0; }", "found 2 states, expected one for"),
        (A + B + PA + "probability ( b | a, a ) { default 1, 0; }", "a variable occurs twice"),
        (
            A
            + B
            + "probability ( a | b ) { default 1, 0; } probability ( b | a ) { default 1, 0; }",
            "the graph has the cycle",
        ),
        (A + PA + "// bnclass network {", "line 3: a broken note of bnclass, expected JSON"),
        (A + PA + "// bnclass network []", "line 3: found [], expected a value of type dict"),
        (A + PA + "// bnclass guess {}", "line 3: found a note 'guess', expected one of"),
        (
            A + PA + '// bnclass network {"format": 2, "class_node": null, "joint_family": null}',
            "line 3: found the format 2, expected 1",
        ),
        (
            A + PA + '// bnclass network {"format": 1, "class_node": "b", "joint_family": null}',
            "found no variable 'b', expected one of ['a']",
        ),
        (A + PA + '// bnclass scores {"token": "a", "scores": {"b": 1.0}}', "no variable 'b'"),
        (A + PA + '// bnclass scores {"token": "a", "scores": {"a": 1.0}}', "but no such arc"),
        (
            A + PA + '// bnclass variable {"token": "b", "states": [], "variable": {}}',
            "found no variable 'b', expected one of ['a']",
        ),
    ],
)
def test_a_broken_file_is_named_with_its_line(path, text, message):
    path.write_text(text)
    with pytest.raises(FileFormatError) as caught:
        read_bif(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("{ n, y }", "{ y, n }", "line 7: found the states ['y', 'n'], expected ['n', 'y'] as in"),
        ('"name": "a"', '"name": "y"', "line 18: CategoricalCPD('y' | 'y'): a variable occurs twi"),
        ('"fill": null', '"fill": "x"', "line 7: Variable: node 'y': found 'x', expected a value"),
        ('"kind": "discrete", ', "", "line 7: Variable: found no 'kind', expected the keys"),
        ('"type": "Variable"', '"type": "dict"', "line 7: dict: found no 'items'"),
        (
            "probability ( a | y )",
            "probability ( a )",
            "network.bif: line 19: found 1 states",
        ),
        ("probability ( a | y )", "probability ( a | z )", "line 18: found no variable 'z'"),
        (
            "0.6666666666666666;",
            "1.6666666666666666;",
            "line 14: CategoricalCPD('y'): a row of",
        ),
    ],
)
def test_an_edited_file_of_ours_must_fit_its_notes(path, old, new, message):
    write_bif(naive_bayes(("n", "y"), a=("u", "v")), path)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(FileFormatError) as caught:
        read_bif(path)
    assert message in str(caught.value)


def test_a_table_too_large_for_memory_is_refused(path):
    names = [f"v{i}" for i in range(40)]
    blocks = [f"variable {n} {{ type discrete [ 2 ] {{ x, y }}; }}\n" for n in names]
    given = ", ".join(names[1:])
    path.write_text("".join(blocks) + f"probability ( v0 | {given} ) {{ default 0.5, 0.5; }}")
    with pytest.raises(MemoryLimitError, match="line 41: the tables up to here would need"):
        read_bif(path)


def test_a_missing_file_is_named(path):
    with pytest.raises(FileFormatError, match="no such file"):
        read_bif(path)


@pytest.mark.filterwarnings("ignore::bnclass.exceptions.BnclassWarning")
def test_scratched_files_are_refused_or_read(path):
    write_bif(TAN().fit(*load_dataset("iris")), path)
    text, rng, n_refused = path.read_text(), random.Random(7), 0
    for _ in range(300):
        path.write_text(scratched(text, rng))
        try:
            assert isinstance(read_bif(path), BayesianNetwork)
        except FileFormatError:
            n_refused += 1
    assert n_refused > 150


def test_a_continuous_node_is_refused_by_name(path):
    path.write_text("old")
    with pytest.raises(FileFormatError) as caught:
        write_bif(people(), path)
    assert str(caught.value) == (
        "node 'height' is continuous, expected a discrete one: the format holds tables only; "
        "learn the network with continuous='mdl'"
    )
    assert path.read_text() == "old"
