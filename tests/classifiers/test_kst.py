"""KST against the brute-force oracle, its edge cases, files and progress bar."""

import os
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from builders import attribute_parents
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import kst_posteriors, kst_structures
from oracle import smoothing as oracle_smoothing
from oracle.tables import make_table
from sklearn.base import clone

import bnclass as bc

DEPENDENCES = ["class-conditional", "pairwise"]
SMOOTHINGS = [
    (bc.MEstimate(1.0), oracle_smoothing.MEstimate(1)),
    (bc.MEstimate(0.0), oracle_smoothing.MEstimate(0)),
    (bc.Laplace(1.0), oracle_smoothing.Laplace(1)),
    (bc.BDeu(2.0), oracle_smoothing.BDeu(2)),
]
ignore_warnings = pytest.mark.filterwarnings("ignore::bnclass.BnclassWarning")
training_data_is_saved = pytest.mark.filterwarnings("ignore:the file holds training data")


def coded_rows(table):
    """Return an encoded table's rows for the oracle."""
    return [tuple(None if c < 0 else c for c in codes) for codes in table.codes.tolist()]


def reference(X, y, weights=None):
    """Return the oracle's table of the encoded training rows."""
    table = bc.TableEncoder().fit_transform(X, y)
    domains = [tuple(range(v.card)) for v in table.variables]
    return make_table(coded_rows(table), table.labels.tolist(), weights, domains)


def check(model, table, asked):
    """Hold the posteriors of both engines, and the joint if there is one, to the oracle's."""
    smoothing = dict(SMOOTHINGS).get(model.smoothing, oracle_smoothing.MEstimate(1))
    chosen = (model.k, model.dependence, model.members, model.weights)
    encoded = model.encoder_.transform(asked)
    rows = coded_rows(encoded)
    posteriors = [
        kst_posteriors.kst_posterior(table, smoothing, row, *chosen, model.average) for row in rows
    ]
    found = model.predict_proba(asked)
    assert found == pytest.approx(np.array(posteriors), abs=1e-9)
    assert model.ensemble_.posterior(encoded, engine="graph") == pytest.approx(found, abs=1e-12)
    if model.average == "joint":
        joints = [kst_posteriors.kst_joint(table, smoothing, row, *chosen) for row in rows]
        expected = np.array([[float(p) for p in joint.values()] for joint in joints])
        found = np.exp(model.predict_joint_log_proba(asked))
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-300)
    if model.members != "local":
        structure = kst_structures.kst_global(table, model.k, model.dependence)
        assert attribute_parents(model.ensemble_[0].structure) == structure
    if model.members != "global":
        for r, row in enumerate(rows):
            structure = kst_structures.kst_local(table, row, model.k, model.dependence)
            place = {name: i for i, name in enumerate(model.schema_.names)}
            network = model.network_at(asked.iloc[[r]])
            assert {
                place[a]: tuple(place[p] for p in network.structure.parents(a) if p in place)
                for a in network.structure.attributes
            } == structure


# ---------------------------------------------------------------- data sets

DATA_SETS = ["monks-1", "balance-scale", "tic-tac-toe", "contact-lenses", "lymph"]
WIDEST, MOST_ROWS = 7, 120


def data_set(name):
    """Return a small part of a data set, so that the oracle's loops end soon."""
    if name in bc.dataset_names():
        X, y = bc.load_dataset(name)
        return X.iloc[::7, :WIDEST].head(MOST_ROWS), y.iloc[::7].head(MOST_ROWS)
    folder = os.environ.get("BNCLASS_DATA")
    if not folder:
        pytest.skip("BNCLASS_DATA does not name the folder of data sets")
    frame = bc.read_table(Path(folder) / f"{name}.arff").head(MOST_ROWS)
    return frame.iloc[:, :-1].iloc[:, :WIDEST], frame.iloc[:, -1]


@ignore_warnings
@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("dependence", DEPENDENCES)
@pytest.mark.parametrize("holes", [0.0, 0.1])
@pytest.mark.parametrize("name", DATA_SETS)
def test_data_sets(name, holes, dependence, k):
    X, y = data_set(name)
    rng = np.random.default_rng(5)
    X = X.mask(rng.random(X.shape) < holes)
    table = reference(X, y)
    shown = X.iloc[rng.choice(len(X), 4, replace=False)]
    check(bc.KST(k, dependence=dependence).fit(X, y), table, shown)
    for members in ("global", "local", "both"):
        for average in ("joint", "posterior"):
            model = bc.KST(k, members, dependence, (1, 3), average).fit(X, y)
            check(model, table, shown.head(2))


# ---------------------------------------------------------------- random tables


@st.composite
def cases(draw):
    """Draw training rows as strings, labels, weights, and rows to ask for; ties abound."""
    n, t = draw(st.integers(1, 5)), draw(st.integers(3, 12))
    cells = st.sampled_from(["u", "v", "w", None])
    rows = draw(st.lists(st.lists(cells, min_size=n, max_size=n), min_size=t, max_size=t))
    rows[0] = ["u"] * n
    labels = draw(st.lists(st.sampled_from("KLM"), min_size=t, max_size=t))
    weights = draw(st.lists(st.sampled_from([0.25, 1.0, 2.5]), min_size=t, max_size=t))
    asked = draw(st.lists(st.lists(cells, min_size=n, max_size=n), min_size=1, max_size=3))
    return text_frame(rows), labels, weights, text_frame(asked)


def text_frame(rows):
    return pd.DataFrame(
        {f"x{i}": pd.Series(c, dtype=object) for i, c in enumerate(zip(*rows, strict=True))}
    )


@ignore_warnings
@pytest.mark.parametrize("members", ["both", "global", "local"])
@settings(max_examples=60, deadline=None)
@given(
    case=cases(),
    k=st.integers(0, 4),
    dependence=st.sampled_from(DEPENDENCES),
    average=st.sampled_from(["joint", "posterior"]),
    which=st.sampled_from(SMOOTHINGS),
    weights=st.sampled_from([(0.5, 0.5), (3, 1), (0.25, 7)]),
)
def test_random_tables(members, case, k, dependence, average, which, weights):
    X, y, row_weights, asked = case
    model = bc.KST(k, members, dependence, weights, average, smoothing=which[0])
    check(model.fit(X, y, row_weights), reference(X, y, row_weights), asked)


# ---------------------------------------------------------------- what the model is


def test_the_average_by_hand():
    # One attribute: global and local network are naive Bayes, whatever the weights.
    X, y = pd.DataFrame({"a": ["u", "u", "v"]}), ["K", "K", "L"]
    expected = [[2.5 / 4 * 2.5 / 3, 1.5 / 4 * 0.5 / 2]]
    for weights in ((0.5, 0.5), (9, 1)):
        found = np.exp(bc.KST(weights=weights).fit(X, y).predict_joint_log_proba(X.head(1)))
        assert found == pytest.approx(np.array(expected), rel=1e-12)


@pytest.mark.parametrize("weights", [(1e-3, 1e3), (1e300, 1e300), (1e308, 1.7e308)])
def test_only_the_ratio_of_the_weights_matters(weights):
    X, y = bc.load_dataset("monks-1")
    alone = [
        np.exp(bc.KST(1, members).fit(X, y).predict_joint_log_proba(X[::40]))
        for members in ("global", "local")
    ]
    share = weights[0] / max(weights) / (weights[0] / max(weights) + weights[1] / max(weights))
    found = np.exp(bc.KST(1, weights=weights).fit(X, y).predict_joint_log_proba(X[::40]))
    assert found == pytest.approx(share * alone[0] + (1 - share) * alone[1], rel=1e-12)


def test_the_ensemble_knows_its_members():
    X, y = bc.load_dataset("monks-1")
    model = bc.KST(1).fit(X, y)
    ensemble = model.ensemble_
    assert [*ensemble] == [ensemble[0]]
    assert (len(ensemble), len(ensemble.weights)) == (1, 2)
    assert ensemble.local.k == 1
    assert repr(ensemble) == (
        "RowwiseEnsemble(networks=1, local=LocalMember(k=1, dependence='class-conditional'))"
    )
    assert ensemble == clone(model).fit(X[::-1], y[::-1]).ensemble_
    for other in (bc.KST(2), bc.KST(1, weights=(1, 2)), bc.KST(1, average="posterior")):
        assert other.fit(X, y).ensemble_ != ensemble
    assert len(bc.KST(members="local").fit(X, y).ensemble_) == 0
    assert isinstance(bc.KST(members="global").fit(X, y).ensemble_, bc.NetworkEnsemble)
    with pytest.raises(AttributeError, match="never changes"):
        ensemble.average = "posterior"


def test_a_pickled_model_answers_to_the_bit():
    X, y = bc.load_dataset("iris")
    model = bc.KST().fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert again.ensemble_ == model.ensemble_
    assert (again.predict_proba(X) == model.predict_proba(X)).all()
    with pytest.raises(ValueError, match="read-only"):
        again.ensemble_.weights[0] = 2.0


def test_an_average_of_posteriors_has_no_joint():
    X, y = bc.load_dataset("monks-1")
    model = bc.KST(average="posterior").fit(X, y)
    assert not hasattr(model, "predict_joint_log_proba")
    assert hasattr(bc.KST(), "predict_joint_log_proba")
    with pytest.raises(bc.StructureError, match="has no joint"):
        model.ensemble_.log_joint(X)
    one, other = (bc.KST(members=m).fit(X, y).predict_proba(X) for m in ("global", "local"))
    assert model.predict_proba(X) == pytest.approx((one + other) / 2, abs=1e-12)


@pytest.mark.parametrize("average", ["joint", "posterior"])
def test_a_row_that_is_impossible_everywhere_gets_the_prior(average):
    X = pd.DataFrame({"a": list("uuvw"), "b": list("pqpq")})
    model = bc.KST(average=average, smoothing=0).fit(X, ["K", "K", "K", "L"])
    asked = pd.DataFrame({"a": ["v"], "b": ["q"]})
    assert model.predict_proba(asked) == pytest.approx(np.array([[0.75, 0.25]]), abs=1e-15)


def test_an_ensemble_refuses_what_does_not_fit():
    X, y = bc.load_dataset("monks-1")
    ensemble = bc.KST().fit(X, y).ensemble_
    other = bc.TAN().fit(X[["a1", "a2"]], y).network_
    with pytest.raises(bc.StructureError, match="network 0 differs from the local member"):
        bc.RowwiseEnsemble([other], ensemble.local)
    with pytest.raises(bc.StructureError, match="expected 2 positive numbers"):
        bc.RowwiseEnsemble(ensemble.networks, ensemble.local, [1.0])
    with pytest.raises(bc.StructureError, match="average is 'mean'"):
        bc.RowwiseEnsemble(ensemble.networks, ensemble.local, average="mean")
    with pytest.raises(bc.BnclassError, match="engine is 'fast'"):
        bc.RowwiseEnsemble([], ensemble.local).posterior(X, engine="fast")


# ---------------------------------------------------------------- one row


def test_one_row_in_every_form():
    X, y = bc.load_dataset("iris")
    X = X.assign(site=["a", "b", None] * 50)
    model = bc.KST().fit(X, y)
    row = X.iloc[4]
    expected = model.network_at(X.iloc[[4]])
    cells = row.tolist()
    for form in (row, row[::-1], row.to_dict(), cells, tuple(cells), np.array(cells, object)):
        assert model.network_at(form) == expected
    assert model.network_at([cells]) == expected
    plain = bc.KST().fit(X.to_numpy()[:, :4].astype(float), y)
    assert plain.network_at(X.iloc[4, :4].to_numpy(float)).attributes
    assert plain.network_at(X.iloc[[4], :4].to_numpy(float)).attributes


def test_missing_and_unknown_cells_leave_the_row_s_network():
    X, y = bc.load_dataset("tic-tac-toe")
    row = X.iloc[0].copy()
    row.iloc[2], row.iloc[5] = None, "a value never seen"
    network = bc.KST().fit(X, y).network_at(row)
    assert network.structure.attributes == tuple(X.columns.delete([2, 5]))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (lambda X: X.head(2), "found 2 rows, expected one"),
        (lambda X: [X.iloc[0].tolist()] * 2, "found 2 rows, expected one"),
        (lambda X: X.iloc[0].tolist()[1:], "found a row of 5 values, expected 6"),
        (lambda X: X.iloc[0].drop("a1"), "a1"),
        (lambda X: {**X.iloc[0], "more": 1}, "more"),
    ],
)
def test_what_is_no_row_is_refused(row, message):
    X, y = bc.load_dataset("monks-1")
    model = bc.KST().fit(X, y)
    with pytest.raises(ValueError, match=message):
        model.network_at(row(X))


def test_the_global_member_alone_makes_no_network_for_a_row():
    X, y = bc.load_dataset("monks-1")
    with pytest.raises(bc.BnclassError, match="members is 'global', which makes no network"):
        bc.KST(members="global").fit(X, y).network_at(X.iloc[0])


# ---------------------------------------------------------------- parameters and edges


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"k": -1}, "k is -1"),
        ({"k": None}, "k is None"),
        ({"members": "all"}, "members is 'all', expected one of"),
        ({"average": ["joint"]}, r"average is \['joint'\], expected one of"),
        ({"dependence": "strong"}, "dependence is 'strong'"),
        ({"weights": (1, 0)}, "expected 2 positive numbers"),
        ({"weights": (1, 1, 1)}, "expected 2 positive numbers"),
        ({"continuous": "gaussian"}, r"columns \['a1', .*\] are discrete, and KST with"),
    ],
)
def test_parameters_are_refused_by_name(parameters, message):
    with pytest.raises(bc.BnclassError, match=message):
        bc.KST(**parameters).fit(*bc.load_dataset("monks-1"))


@ignore_warnings
@pytest.mark.parametrize("members", ["both", "global", "local"])
@pytest.mark.parametrize("average", ["joint", "posterior"])
def test_edges(members, average):
    model = bc.KST(members=members, average=average)
    one_column = pd.DataFrame({"a": ["u", "v", "u", None]})
    naive_bayes = bc.NaiveBayes().fit(one_column, [0, 1, 1, 0]).predict_proba(one_column)
    found = model.fit(one_column, [0, 1, 1, 0]).predict_proba(one_column)
    assert found == pytest.approx(naive_bayes, abs=1e-12)
    empty = pd.DataFrame({"a": [None] * 4, "b": [np.nan] * 4})
    prior = np.array([[1.5 / 5, 3.5 / 5]] * 4)
    assert model.fit(empty, [0, 1, 1, 1]).predict_proba(empty) == pytest.approx(prior, abs=1e-15)
    X, y = bc.load_dataset("iris")
    assert (model.fit(X, ["one"] * len(X)).predict_proba(X) == 1).all()
    nothing = X.head(3).mask(np.full((3, 4), True))
    third = np.full((3, 3), 1 / 3)
    assert model.fit(X, y).predict_proba(nothing) == pytest.approx(third, abs=1e-12)


@pytest.mark.parametrize("missing", ["marginalize", "state", "impute"])
def test_whole_weights_are_repeated_rows(missing):
    X, y = bc.load_dataset("tic-tac-toe")
    rng = np.random.default_rng(0)
    X = X[::4].mask(rng.random(X[::4].shape) < 0.05)
    y, weights = y[::4], rng.integers(0, 3, len(X))
    once = bc.KST(missing=missing).fit(X, y, weights).predict_proba(X)
    repeated = bc.KST(missing=missing).fit(X.loc[X.index.repeat(weights)], y.repeat(weights))
    assert (repeated.predict_proba(X) == once).all()


def test_k_of_0_is_naive_bayes():
    X, y = bc.load_dataset("iris")
    expected = bc.NaiveBayes().fit(X, y).predict_joint_log_proba(X)
    assert bc.KST(0).fit(X, y).predict_joint_log_proba(X) == pytest.approx(expected, abs=1e-12)


def test_a_large_k_gives_the_full_network_up_to_the_order():
    X, y = bc.load_dataset("monks-1")
    model = bc.KST(99).fit(X.iloc[:, :4], y)
    assert len(model.ensemble_[0].structure.arcs) == 4 + 6
    assert len(model.network_at(X.iloc[0, :4]).structure.arcs) == 4 + 6


# ---------------------------------------------------------------- long predictions


def test_long_predictions_show_a_bar_and_change_nothing(capsys):
    X, y = bc.load_dataset("balance-scale")
    many = pd.concat([X] * 2, ignore_index=True)
    quiet = bc.KST().fit(X, y)
    expected = quiet.predict_proba(many)
    assert capsys.readouterr().err == ""
    loud = bc.KST(verbose=1).fit(X, y)
    loud.predict_proba(X)
    assert capsys.readouterr().err == ""
    assert (loud.predict_proba(many) == expected).all()
    assert "1250/1250" in capsys.readouterr().err
    assert (loud.predict_log_proba(many) == quiet.predict_log_proba(many)).all()
    assert (loud.predict_joint_log_proba(many) == quiet.predict_joint_log_proba(many)).all()


# ---------------------------------------------------------------- files


@training_data_is_saved
@pytest.mark.parametrize("members", ["both", "global", "local"])
@pytest.mark.parametrize("average", ["joint", "posterior"])
def test_a_loaded_model_answers_to_the_bit(tmp_path, members, average):
    X, y = bc.load_dataset("iris")
    rng = np.random.default_rng(0)
    holes = X.mask(rng.random(X.shape) < 0.1)
    weights = rng.random(len(X)) + 0.1
    model = bc.KST(1, members, weights=(0.3, 0.9), average=average, smoothing=bc.BDeu(2.5))
    model.fit(holes.round(0), y, weights)
    path = tmp_path / "kst.json"
    bc.save(model, path)
    loaded = bc.load(path)
    assert loaded.ensemble_ == model.ensemble_
    assert loaded.get_params() == {**model.get_params(), "weights": loaded.weights}
    assert tuple(loaded.weights) == (0.3, 0.9)
    assert (loaded.predict_proba(holes) == model.predict_proba(holes)).all()
    assert hasattr(loaded, "predict_joint_log_proba") == (average == "joint")
    first = path.read_bytes()
    bc.save(loaded, path)
    assert path.read_bytes() == first
    bc.save(model.ensemble_, path)
    assert bc.load(path) == model.ensemble_


def test_save_says_once_that_the_file_holds_training_data(tmp_path):
    X, y = bc.load_dataset("monks-1")
    model = bc.KST().fit(pd.concat([X, X]), pd.concat([y, y]))
    with pytest.warns(bc.BnclassWarning) as caught:
        bc.save(model, tmp_path / "kst.json")
    assert [str(warning.message) for warning in caught] == [
        f"the file holds training data: {len(X)} distinct encoded rows with their weights, from "
        f"which networks for single rows are made"
    ]
    bc.save(bc.KST(members="global").fit(X, y), tmp_path / "kst.json")  # and warns of nothing


@training_data_is_saved
@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('"k": 2,\n', '"k": -2,\n', "k is -2"),
        ('"average": "joint"\n', '"average": "sum"\n', "average is 'sum'"),
        ('"dependence": "class-conditional",\n', '"dependence": "x",\n', "dependence is 'x'"),
        ('"labels": [0', '"labels": [0.5', "whole numbers"),
        ('"labels": [0', '"labels": [7', "found code 7"),
        ("[0, 1, 0, 0, 1, 0]", "[9, 0, 1, 0, 0, 1, 0]", "whole numbers"),
        ('"weights": [1.0', '"weights": [-1.0', "positive number"),
    ],
)
def test_broken_files_are_refused(tmp_path, before, after, message):
    path = tmp_path / "kst.json"
    X, y = bc.load_dataset("monks-1")
    bc.save(bc.KST().fit(X, y).ensemble_, path)
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))
    with pytest.raises(bc.FileFormatError, match=message):
        bc.load(path)


@pytest.mark.parametrize(
    ("members", "message"),
    [
        (
            "both",
            "KST makes a network for every row, expected one network; choose ensemble_[0], that of "
            "all rows, or network_at(row)",
        ),
        (
            "local",
            "KST makes a network for every row, expected one network; choose network_at(row)",
        ),
        (
            "global",
            "KST holds an average of one network, expected one; choose a member, such as "
            "ensemble_[0]",
        ),
    ],
)
def test_what_needs_one_network_refuses_the_model(tmp_path, members, message):
    model = bc.KST(members=members).fit(*bc.load_dataset("monks-1"))
    for ask in (
        lambda: bc.write_bif(model, tmp_path / "kst"),
        lambda: bc.write_graphml(model, tmp_path / "kst"),
        lambda: bc.plot_factor(model, "a1"),
    ):
        with pytest.raises(bc.BnclassError) as caught:
            ask()
        assert str(caught.value) == message


def test_the_ensemble_itself_is_no_network_either(tmp_path):
    ensemble = bc.KST().fit(*bc.load_dataset("monks-1")).ensemble_
    with pytest.raises(
        bc.BnclassError, match=r"^Rowwise.*; choose the ensemble\[0\], that of all "
    ):
        bc.write_bif(ensemble, tmp_path / "kst")


def test_the_network_of_a_row_is_written(tmp_path):
    model = bc.KST().fit(*bc.load_dataset("monks-1"))
    network = model.network_at(["1"] * 6)
    bc.write_bif(network, tmp_path / "local.bif")
    assert bc.read_bif(tmp_path / "local.bif") == network


@pytest.mark.parametrize("row", [0, None, "a row"])
def test_a_row_that_is_none(row):
    model = bc.KST(k=1).fit(*bc.load_dataset("monks-1"))
    with pytest.raises(
        bc.BnclassError, match=r"row is .*, expected the cells of a row, such as X.iloc"
    ):
        model.network_at(row)
