import numpy as np
import pytest
from hypothesis import given, settings
from io_networks import HOSTILE, ODD_NAMES, ODD_STATES, naive_bayes, networks

from bnclass.classifiers.averaged import AODE
from bnclass.classifiers.single import KDB, SPODE, TAN, NaiveBayes
from bnclass.data.datasets import load_dataset
from bnclass.exceptions import BnclassError
from bnclass.io.pgmpy import to_pgmpy


def posterior_by_pgmpy(model, target, evidence):
    from pgmpy.inference import VariableElimination

    answer = VariableElimination(model).query([target], evidence, show_progress=False)
    return answer.values


@settings(max_examples=60, deadline=None)
@given(networks())
def test_graph_tables_names_and_states_are_the_same(network):
    model = to_pgmpy(network)
    assert model.check_model()
    assert list(model.nodes) == list(network.structure.nodes)
    assert set(model.edges) == set(network.graph.edges)
    for node, factor in network.factors.items():
        cpd = model.get_cpds(node)
        family = [*(p.name for p in factor.parents), node]
        values = cpd.values.transpose([cpd.variables.index(name) for name in family])
        assert np.array_equal(values, factor.table)
        assert repr(cpd.state_names[node]) == repr(list(factor.variable.states))


@pytest.mark.parametrize("model", [NaiveBayes(), SPODE(), TAN(), KDB()], ids=repr)
@pytest.mark.parametrize("name", ["iris", "tic-tac-toe"])
def test_variable_elimination_gives_our_posteriors(model, name):
    X, y = load_dataset(name)
    network = model.fit(X, y).network_
    exported = to_pgmpy(model)
    assert exported.check_model()
    table = network.encode(X.iloc[:: len(X) // 5])
    ours = network.posterior(table)
    for row, expected in zip(table.codes, ours, strict=True):
        evidence = {v.name: v.states[c] for v, c in zip(network.attributes, row, strict=True)}
        found = posterior_by_pgmpy(exported, network.target.name, evidence)
        assert found == pytest.approx(expected, abs=1e-9)


def test_missing_cells_are_summed_out_alike():
    X, y = load_dataset("tic-tac-toe")
    network = TAN().fit(X, y).network_
    first, *_, last = network.attributes
    row = X.iloc[[7]].copy()
    row.loc[:, [v.name for v in network.attributes[1:-1]]] = None
    evidence = {v.name: row[v.name].iloc[0] for v in (first, last)}
    found = posterior_by_pgmpy(to_pgmpy(network), "class", evidence)
    assert found == pytest.approx(network.posterior(row)[0], abs=1e-9)


@pytest.mark.parametrize("odd", ODD_NAMES + ODD_STATES + HOSTILE + [7, 0.5, True, ("a", 1)])
def test_odd_names_and_states_stay_themselves(odd):
    network = naive_bayes((odd, "other"), a=(odd, "x"))
    model = to_pgmpy(network)
    found = posterior_by_pgmpy(model, "y", {"a": odd})
    assert model.get_cpds("y").state_names["y"] == [odd, "other"]
    assert found == pytest.approx(network.posterior({"a": [odd]})[0], abs=1e-12)


def test_a_network_without_a_class():
    from bnclass.structure.dag import Structure

    network = naive_bayes("ny", a="uv")
    structure = Structure.from_arcs(["y", "a"], [("y", "a")])
    plain = type(network)(structure, network.factors.values())
    assert set(to_pgmpy(plain).edges) == {("y", "a")}


def test_an_ensemble_is_refused():
    model = AODE().fit(*load_dataset("monks-1"))
    with pytest.raises(BnclassError, match="several networks"):
        to_pgmpy(model)
