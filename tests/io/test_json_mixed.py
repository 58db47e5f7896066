"""JSON files of networks, ensembles and classifiers with continuous nodes."""

import json
import random

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from io_networks import details, mixed_networks, passed_through, people, same, scratched

from bnclass.data.encoder import TableEncoder
from bnclass.data.variables import Variable
from bnclass.exceptions import FileFormatError
from bnclass.factors.categorical import CategoricalCPD
from bnclass.factors.gaussian import GaussianCPD
from bnclass.factors.linear_gaussian import CLGCPD
from bnclass.io.codec import Codec
from bnclass.io.estimators import ENCODER
from bnclass.io.json import load, save
from bnclass.io.parts import VARIABLE
from bnclass.io.values import VALUES
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.network.ensemble import NetworkEnsemble
from bnclass.network.membership import SuperparentSeen
from bnclass.structure.dag import Structure

SETTINGS = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.json"


# ---------------------------------------------------------------- networks


@SETTINGS
@given(network=mixed_networks())
def test_networks(path, network):
    assert same(passed_through(network, path), network)


def test_numbers_at_the_ends_of_double_precision(path):
    x, z = Variable("x", "continuous", fill=-0.0), Variable("z", "continuous")
    factors = [
        GaussianCPD(x, (), -0.0, 1e-250),
        CLGCPD(z, (x,), 1.7976931348623157e308, [0.1 + 0.2], 1 / 3),
    ]
    network = BayesianNetwork(Structure.from_arcs("xz", [("x", "z")]), factors)
    assert same(passed_through(network, path), network)


def test_the_file_is_readable(path):
    save(people(), path)
    factors = json.loads(path.read_text())["model"]["factors"]
    assert factors[2] == {
        "type": "GaussianCPD",
        "node": "height",
        "parents": ["sex"],
        "mean": [165.0, 178.0],
        "variance": [36.0, 49.0],
    }
    assert factors[3] == {
        "type": "CLGCPD",
        "node": "weight",
        "parents": ["sex", "old", "height"],
        "intercept": [[-40.0, -45.0], [-50.0, -55.0]],
        "coefficients": [[[0.6], [0.5]], [[0.7], [0.8]]],
        "variance": [[36.0, 40.0], [50.0, 64.5]],
    }
    assert '"fill": 171.5' in path.read_text()


def test_a_type_of_factor_that_files_do_not_hold(path):
    class Mine(GaussianCPD):
        pass

    network = BayesianNetwork(
        Structure.from_arcs("x", []), [Mine(Variable("x", "continuous"), (), 0, 1)]
    )
    message = r"^node 'x' has a Mine, expected one of \['CategoricalCPD', 'SparseCategorical"
    with pytest.raises(FileFormatError, match=message):
        save(network, path)


# ---------------------------------------------------------------- ensembles on several views


def a_hybrid(**changes):
    """Return an ensemble of which each member has the view of one column."""
    y = Variable("y", states=("n", "p"))
    numbers = [Variable(name, "continuous") for name in "ab"]
    views = [
        Variable(f"{v.name} (binned)", states=("low", "high"), source=v.name, cuts=(0.5,))
        for v in numbers
    ]
    parts = {
        "networks": [a_member(y, views[0], numbers[1]), a_member(y, views[1], numbers[0])],
        "membership": SuperparentSeen(1, [v.name for v in views], [np.ones(2)] * 2),
        "fallback": a_naive_bayes(y, numbers),
        "resolutions": {"a": 0.1 + 0.2, "b": 1e-9},
    }
    return NetworkEnsemble(**(parts | changes))


def a_member(y, view, number):
    names = ["y", view.name, number.name]
    arcs = [("y", view.name), ("y", number.name), (view.name, number.name)]
    structure = Structure.from_arcs(names, arcs, "y", ("y", view.name))
    table = [[0.3, 0.7], [0.6, 0.4]]
    return BayesianNetwork(
        structure,
        [
            CategoricalCPD(y, (), [0.25, 0.75]),
            CategoricalCPD(view, (y,), table),
            GaussianCPD(number, (y, view), [[1, 2], [3, 4]], [[1, 2], [3, 4]]),
        ],
    )


def a_naive_bayes(y, numbers):
    arcs = [("y", v.name) for v in numbers]
    return BayesianNetwork(
        Structure.from_arcs(["y", *(v.name for v in numbers)], arcs, "y"),
        [CategoricalCPD(y, (), [0.5, 0.5])]
        + [GaussianCPD(v, (y,), [0, 1], [1, 1]) for v in numbers],
    )


ROWS = pd.DataFrame({"a": [0.1, 0.9, np.nan, np.nan], "b": [0.3, np.nan, 7.0, np.nan]})


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"resolutions": None},
        {"resolutions": {"b": np.float64(0.5)}},
        {"membership": None, "fallback": None},
        {"networks": [], "membership": None},
    ],
    ids=lambda changes: ", ".join(changes) or "as it is",
)
def test_ensembles(path, changes):
    ensemble = a_hybrid(**changes)
    loaded = passed_through(ensemble, path)
    assert loaded == ensemble
    assert loaded.attributes == ensemble.attributes
    assert dict(loaded.resolutions) == dict(ensemble.resolutions)
    assert list(map(details, loaded)) == list(map(details, ensemble))
    assert (loaded.log_joint(ROWS) == ensemble.log_joint(ROWS)).all()


def test_variables_of_all_members_stand_in_the_file_once(path):
    save(a_hybrid(), path)
    variables = json.loads(path.read_text())["model"]["variables"]
    names = [variable["name"] for variable in variables]
    assert names == ["y", "a", "b", "a (binned)", "b (binned)"]


# ---------------------------------------------------------------- encoders

CODEC = Codec((*VALUES, VARIABLE, ENCODER))


@pytest.mark.parametrize("missing", ["marginalize", "state", "impute"])
@pytest.mark.parametrize("views", [None, "mdl"])
def test_encoders(missing, views):
    frame = pd.DataFrame({"a": [0.5, 1.5, np.nan, 3.5], "c": [1.0] * 4, "d": list("uvuv")})
    encoder = TableEncoder(continuous="gaussian", missing=missing, views=views)
    encoder.fit_transform(frame, [0, 0, 1, 1])
    text = json.dumps(CODEC.encode(encoder))
    loaded = CODEC.decode(json.loads(text))
    assert json.dumps(CODEC.encode(loaded)) == text
    assert repr(vars(loaded)) == repr({key: vars(encoder)[key] for key in vars(loaded)})
    assert [v.name for v in loaded.views_] == (["a (binned)"] if views else [])
    ours, theirs = loaded.transform(frame), encoder.transform(frame)
    assert ours.variables == theirs.variables
    assert (ours.codes == theirs.codes).all()
    assert np.array_equal(ours.numbers, theirs.numbers, equal_nan=True)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"source": "a"', '"source": "z"', r"no column 'z', expected one of \['a'\]"),
        ('"name": "a (binned)"', '"name": "a"', r"repeated variable names \['a'\]"),
        ('"views": "mdl"', '"views": 7', "discretizer is 7, expected 'mdl' or a transformer"),
        ('"fill": 2.0', '"fill": 2', "node 'a': found 2, expected a value of type float"),
        ('"fill": 2.0', '"fill": 1e101', r"fill is 1e\+101, expected a number of at most"),
    ],
)
def test_broken_encoders(old, new, message):
    frame = pd.DataFrame({"a": [1.0, 1.0, np.nan, 3.0, 3.0]})
    encoder = TableEncoder(continuous="gaussian", missing="impute", views="mdl")
    encoder.fit_transform(frame, list("nnnpp"))
    text = json.dumps(CODEC.encode(encoder))
    assert old in text
    with pytest.raises(FileFormatError, match=message):
        CODEC.decode(json.loads(text.replace(old, new)))


# ---------------------------------------------------------------- broken files


def failure(path):
    with pytest.raises(FileFormatError) as caught:
        load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message.removeprefix(f"{path}: ")


HEIGHT, WEIGHT = "BayesianNetwork: factor of 'height': ", "BayesianNetwork: factor of 'weight': "
MEAN, VARIANCE = '"mean": [165.0, 178.0]', '"variance": [36.0, 49.0]'


def in_place_of(old, *cases):
    return [(old, new, message) for new, message in cases]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        *in_place_of(
            MEAN,
            ('"mean": [165.0]', HEIGHT + "mean: found [165.0], expected a list of 2 items"),
            ('"mean": 165.0', HEIGHT + "mean: found 165.0, expected a list of 2 items"),
            ('"mean": [[1.0], 2.0]', HEIGHT + "mean: found [1.0], expected a number"),
            ('"mean": ["1", 2.0]', HEIGHT + "mean: found '1', expected a number"),
            ('"mean": [true, 2.0]', HEIGHT + "mean: found True, expected a number"),
            ('"mean": [null, 2.0]', HEIGHT + "mean: found None, expected a number"),
            ('"mean": "12"', HEIGHT + "mean: found '12', expected a list of 2 items"),
            ('"mean": {"0": 1, "1": 2}', HEIGHT + "mean: found {'0': 1, '1': 2}, expected a list"),
            ('"mean": [NaN, 2.0]', "found NaN, expected a finite number"),
            ('"mean": [1e999, 2.0]', "found 1e999, expected a number that a double holds"),
            (f'"mean": [{10**400}, 2]', HEIGHT + "mean: int too large to convert to float"),
            (
                '"mean": [{"type": "float", "value": "nan"}, 2.0]',
                HEIGHT + "mean: found {'type': 'float', 'value': 'nan'}, expected a number",
            ),
            ('"intercept": [1, 2]', "BayesianNetwork: found no 'mean', expected the keys"),
            (MEAN + ', "x": 0', "BayesianNetwork: found the key 'x', expected only"),
        ),
        *in_place_of(
            VARIANCE,
            ('"variance": [-36.0, 49.0]', HEIGHT + "GaussianCPD('height' | 'sex'): found a var"),
            ('"variance": [0.0, 49.0]', HEIGHT + "GaussianCPD('height' | 'sex'): found a varia"),
            ('"variance": []', HEIGHT + "variance: found [], expected a list of 2 items"),
        ),
        ('"GaussianCPD"', '"CLGCPD"', "BayesianNetwork: found no 'intercept', expected the keys"),
        ('"GaussianCPD"', '["CLGCPD"]', "BayesianNetwork: found a ['CLGCPD'], expected one of"),
        ('"node": "height"', '"node": "old"', "BayesianNetwork: factor of 'old': GaussianCPD('old"),
        ('"node": "height"', '"node": "h"', "BayesianNetwork: factor of 'h': no variable 'h'"),
        ('"node": "old"', '"node": "height"', "BayesianNetwork: factor of 'height': 'height' is"),
        ("[0.6]", "[]", WEIGHT + "coefficients: found [], expected a list of 1 items"),
        ("[0.6]", "0.6", WEIGHT + "coefficients: found 0.6, expected a list of 1 items"),
        ("[0.6]", "[0.6, 0.6]", WEIGHT + "coefficients: found [0.6, 0.6], expected a list of 1"),
        ('["sex", "old", "height"]', '["sex", "height"]', WEIGHT + "intercept: found [-40.0, -45"),
        ('["sex", "old", "height"]', '["sex", "old"]', WEIGHT + "coefficients: found [0.6], exp"),
        ('"fill": 171.5', '"fill": 171', "node 'height': found 171, expected a value of type flo"),
        ('"fill": 171.5', '"fill": true', "node 'height': found True, expected a value of type f"),
        ('"fill": 171.5', '"fill": 1e101', "variable 'height': fill is 1e+101, expected a number"),
        (
            '"kind": "continuous"',
            '"kind": "discrete"',
            "node 'height': found 171.5, expected a val",
        ),
        ('"kind": "continuous"', '"kind": "real"', "node 'height': found 171.5, expected a value"),
        ('"continuous", "states": []', '"continuous", "states": [1]', "variable 'height' has stat"),
        ('["sex"], "table"', '["weight"], "table"', "factor of 'old': 'weight' is continuous, exp"),
        ('"name": "height"', '"name": "weight"', "found the variables ['sex', 'old', 'weight', 'w"),
    ],
)
def test_broken_networks(path, old, new, message):
    save(people(), path)
    # On one line, so that every list can be found.
    text = json.dumps(json.loads(path.read_text()))
    assert old in text
    path.write_text(text.replace(old, new, 1))
    assert message in failure(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('["b", 1e-09]', '["b", -1.0]', "NetworkEnsemble: resolution -1.0 of 'b', expected a posi"),
        ('["b", 1e-09]', '["z", 1.0]', "NetworkEnsemble: resolution 1.0 of 'z', expected a pos"),
        ('["b", 1e-09]', '["a (binned)", 1.0]', "resolution 1.0 of 'a (binned)', expected a"),
        ('["b", 1e-09]', '["b", "1"]', "NetworkEnsemble: resolutions: found '1', expected a valu"),
        ('["b", 1e-09]', '["b", 1]', "NetworkEnsemble: resolutions: found 1, expected a value of"),
        (
            '["b", 1e-09]',
            '["b", {"type": "float", "value": "nan"}]',
            "NetworkEnsemble: resolution nan of 'b', expected a positive number",
        ),
        ('["b", 1e-09]', '["b"]', "NetworkEnsemble: resolutions: dict: not enough values to unp"),
        (
            '"resolutions": {"type": "dict"',
            '"resolutions": {"type": "tuple"',
            "resolutions: found (",
        ),
        ('"name": "b (binned)"', '"name": "a (binned)"', "found the variables ['y', 'a', 'b', 'a"),
        ('"source": "a"', '"source": "b"', "NetworkEnsemble: network 1 differs from the first in"),
    ],
)
def test_broken_ensembles(path, old, new, message):
    save(a_hybrid(), path)
    text = json.dumps(json.loads(path.read_text()))
    assert old in text
    path.write_text(text.replace(old, new))
    assert message in failure(path)


@pytest.mark.parametrize("model", [people(), a_hybrid()], ids=["network", "ensemble"])
def test_scratched_files_are_refused_or_read(path, model):
    save(model, path)
    text, rng, n_refused = path.read_text(), random.Random(7), 0
    for _ in range(300):
        path.write_text(scratched(text, rng))
        try:
            assert type(load(path)) is type(model)
        except FileFormatError:
            n_refused += 1
    assert n_refused > 150
