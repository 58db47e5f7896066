"""KST over numbers: what it is, its edges, files, exports and pictures."""

import numpy as np
import pandas as pd
import pytest
from mixed_frames import random_frame, with_holes
from scipy.stats import multivariate_normal

import bnclass as bc
from bnclass.cli.report import arc_lines, headline
from bnclass.scores.local_gaussian import LocalTerms

training_data_is_saved = pytest.mark.filterwarnings("ignore:the file holds training data")
ignore_warnings = pytest.mark.filterwarnings("ignore::bnclass.BnclassWarning")


def kst(*args, **kwargs):
    return bc.KST(*args, continuous="gaussian", **kwargs)


def statistics_of(frame, labels, weights=None):
    table = bc.TableEncoder(continuous="gaussian").fit_transform(frame, labels, weights)
    return bc.SufficientStatistics.from_table(table)


# ---------------------------------------------------------------- measures


def test_measures_by_hand():
    """v = 2x + z; x and z have variance ¼ and no correlation, v has 5/4; all floors are 1/36.

    Given v, x keeps ¼ - (½)²/(5/4) = 1/20 and z keeps 1/5, fully correlated: 1 - ρ² is held at
    the larger share of a floor, (1/36)/(1/20) = 5/9. Given x, v and z keep ¼ each: 1/9. Given z,
    v keeps 1 and x ¼: 1/9.
    """
    frame = pd.DataFrame({"x": [0, 0, 1, 1], "z": [0, 1, 0, 1], "v": [0, 1, 2, 3]}, dtype=float)
    statistics = statistics_of(pd.concat([frame, frame]), ["a"] * 4 + ["b"] * 4)
    for dependence in ("class-conditional", "pairwise"):
        found = bc.Dependences.from_statistics(statistics, dependence)
        pairs = -0.5 * np.log([[1, 1, 1 / 5], [1, 1, 4 / 5], [1 / 5, 4 / 5, 1]])
        assert found.given_class == pytest.approx(pairs, abs=1e-12)
        expected = np.zeros((3, 3, 3))
        for p, i, j, left in [(2, 0, 1, 5 / 9), (0, 1, 2, 1 / 9), (1, 0, 2, 1 / 9)]:
            expected[p, i, j] = expected[p, j, i] = -0.5 * np.log(left)
        assert found.given_other == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("by_class", [True, False])
def test_local_measures_have_the_global_ones_as_their_means(by_class):
    """Over the normal they are of, by Gauss-Hermite quadrature."""
    frame, labels = random_frame(0, "nnnn", t=200)
    statistics = statistics_of(frame, labels)
    terms = LocalTerms.from_statistics(statistics, by_class)
    nodes, weights = np.polynomial.hermite_e.hermegauss(20)
    weights = weights / weights.sum()
    one, other = np.meshgrid(nodes, nodes)
    share = np.outer(weights, weights)
    shares = statistics.class_counts / statistics.class_counts.sum() if by_class else [1.0]
    dependence = "class-conditional" if by_class else "pairwise"
    expected = bc.Dependences.from_statistics(statistics, dependence).given_other
    constant, distance, product = np.moveaxis(terms.triples, -1, 0)
    found = np.zeros((4, 4, 4))
    for p, i, j in np.argwhere(expected > 0):
        for group, weight in enumerate(shares):
            c, d, e = (part[p, i, j, group] for part in (constant, distance, product))
            size = abs(e) / (1 - abs(e))
            rho = np.copysign(size, e)
            z = rho * one + np.sqrt(1 - rho**2) * other
            sign = -1 if e < 0 else 1
            values = c - d * (one - sign * z) ** 2 + e * one * z
            found[p, i, j] += weight * (share * values).sum()
    assert found == pytest.approx(expected, abs=1e-9)


def test_a_local_measure_is_a_logarithm_of_densities():
    rng = np.random.default_rng(3)
    numbers = rng.normal(size=(60, 3)) @ rng.normal(size=(3, 3))
    row = [0.3, -1.2, 0.7]
    found = bc.Dependences.of_row(statistics_of(pd.DataFrame(numbers), [0] * 60), row)
    mean, covariance = numbers.mean(axis=0), np.cov(numbers.T, bias=True)

    def log(*places):
        places = list(places)
        part = covariance[np.ix_(places, places)]
        return multivariate_normal.logpdf(np.array(row)[places], mean[places], part)

    assert found.given_class[0, 2] == pytest.approx(log(0, 2) - log(0) - log(2))
    joint = log(0, 1, 2) - log(0, 1) - log(1, 2) + log(1)
    assert found.given_other[1, 0, 2] == pytest.approx(joint)


def test_measures_of_far_rows_are_held():
    numbers = np.random.default_rng(0).normal(size=(9, 3))
    statistics = statistics_of(pd.DataFrame(numbers), [0] * 9)
    found = bc.Dependences.of_row(statistics, [1e60, -1e60, 3.0])
    assert np.abs(found.pairs).max() == 2**52
    assert np.isfinite(found.given_other).all()


def test_merged_statistics_of_whole_columns_are_enough():
    frame, labels = random_frame(1, "nnnn")
    whole = statistics_of(frame, labels)
    table = whole.table
    parts = [bc.SufficientStatistics.from_table(table.rows(slice(i, None, 2))) for i in (0, 1)]
    found, expected = (bc.Dependences.from_statistics(s) for s in (parts[0].merge(parts[1]), whole))
    assert found.given_other == pytest.approx(expected.given_other, abs=1e-9)
    holes = statistics_of(with_holes(frame, 0), labels)
    with pytest.raises(bc.DataError, match="expected rows for triples"):
        bc.Dependences.from_statistics(holes.merge(holes))


# ---------------------------------------------------------------- models


def test_the_average_is_of_both_members():
    X, y = bc.load_dataset("iris")
    joints = [
        np.exp(kst(1, members).fit(X, y).predict_joint_log_proba(X))
        for members in ("global", "local")
    ]
    found = np.exp(kst(1, weights=(3, 1)).fit(X, y).predict_joint_log_proba(X))
    assert found == pytest.approx(0.75 * joints[0] + 0.25 * joints[1], rel=1e-9)
    posteriors = [kst(1, members).fit(X, y).predict_proba(X) for members in ("global", "local")]
    model = kst(1, average="posterior").fit(X, y)
    assert model.predict_proba(X) == pytest.approx(sum(posteriors) / 2, abs=1e-12)
    assert not hasattr(model, "predict_joint_log_proba")


@pytest.mark.parametrize("members", ["both", "global", "local"])
def test_k_of_0_is_naive_bayes(members):
    frame, labels = random_frame(2, "nnnnn", holes=0.1)
    expected = bc.NaiveBayes(continuous="gaussian").fit(frame, labels)
    found = kst(0, members).fit(frame, labels)
    asked = with_holes(frame, 1)
    joint = expected.predict_joint_log_proba(asked)
    assert found.predict_joint_log_proba(asked) == pytest.approx(joint, abs=1e-9)


def test_a_large_k_is_the_normal_distribution_of_each_class():
    X, y = bc.load_dataset("iris")
    expected = bc.KDB(None, continuous="gaussian").fit(X, y).predict_joint_log_proba(X)
    assert kst(99).fit(X, y).predict_joint_log_proba(X) == pytest.approx(expected, abs=1e-6)


def test_rows_leave_out_what_they_lack():
    X, y = bc.load_dataset("iris")
    model = kst().fit(X.assign(always=7.0), y)
    network = model.network_at({**X.iloc[0], "sepal width (cm)": None, "always": 8.0})
    assert network.structure.attributes == tuple(X.columns.delete(1))
    assert "always" in model.ensemble_[0].structure.attributes
    cpd = network.factors["petal width (cm)"]
    assert isinstance(cpd, bc.CLGCPD)
    assert set(map(type, network.factors.values())) <= {
        bc.CategoricalCPD,
        bc.GaussianCPD,
        bc.CLGCPD,
    }


def test_one_row_in_every_form():
    X, y = bc.load_dataset("iris")
    model = kst().fit(X, y)
    row = X.iloc[4]
    expected = model.network_at(X.iloc[[4]])
    for form in (row, row[::-1], row.to_dict(), row.tolist(), row.to_numpy(), row.astype(object)):
        assert model.network_at(form) == expected
    assert kst().fit(X.astype(object), y).network_at(row) == expected


def test_the_ensemble_names_its_members():
    X, y = bc.load_dataset("iris")
    model = kst(1).fit(X, y)
    assert repr(model.ensemble_.local) == "LocalGaussianMember(k=1, dependence='class-conditional')"
    assert model.ensemble_ == kst(1).fit(X, y).ensemble_
    assert isinstance(model.ensemble_.local, bc.LocalGaussianMember)
    assert model.ensemble_ != kst(2).fit(X, y).ensemble_
    assert model.ensemble_.local != bc.KST(1).fit(X, y).ensemble_.local
    assert "a network of all rows and one of each" in headline(model)
    assert any("petal" in line for line in arc_lines(model))


# ---------------------------------------------------------------- refused, and edges


def test_discrete_columns_are_refused_by_name():
    X, y = bc.load_dataset("iris")
    mixed = X.assign(site=["a", "b", "c"] * 50, flag=[True, False] * 75)
    for members in ("both", "global", "local"):
        with pytest.raises(
            bc.BnclassError, match=r"columns \['site', 'flag'\] are discrete.*'mdl'"
        ):
            kst(members=members).fit(mixed, y)
    with pytest.raises(bc.BnclassError, match="are discrete"):
        kst(categorical_features="all").fit(X.round(0), y)
    learner = bc.KSTLearner()
    statistics = statistics_of(mixed, y)
    for learn in (learner.learn, lambda s: learner.learn_at(s, [0] * 6)):
        with pytest.raises(bc.DataError, match=r"\['site', 'flag'\] .* continuous='mdl'"):
            learn(statistics)


@ignore_warnings
@pytest.mark.parametrize("members", ["both", "global", "local"])
@pytest.mark.parametrize("average", ["joint", "posterior"])
def test_edges(members, average):
    model = kst(members=members, average=average)
    one_column = pd.DataFrame({"a": [1.0, 2.0, 1.5, None]})
    naive_bayes = bc.NaiveBayes(continuous="gaussian").fit(one_column, [0, 1, 1, 0])
    found = model.fit(one_column, [0, 1, 1, 0]).predict_proba(one_column)
    assert found == pytest.approx(naive_bayes.predict_proba(one_column), abs=1e-12)
    empty = pd.DataFrame({"a": [np.nan] * 4, "b": [np.nan] * 4})
    prior = np.array([[1.5 / 5, 3.5 / 5]] * 4)
    assert model.fit(empty, [0, 1, 1, 1]).predict_proba(empty) == pytest.approx(prior, abs=1e-15)
    constants = pd.DataFrame({"a": [1.0] * 4, "b": [2.0] * 4})
    assert model.fit(constants, [0, 1, 1, 1]).predict_proba(constants) == pytest.approx(prior)
    X, y = bc.load_dataset("iris")
    assert (model.fit(X, ["one"] * len(X)).predict_proba(X) == 1).all()
    nothing = X.head(3).mask(np.full((3, 4), True))
    third = np.full((3, 3), 1 / 3)
    assert model.fit(X, y).predict_proba(nothing) == pytest.approx(third, abs=1e-12)


def test_a_copy_leaves_nothing_to_tell():
    """Given x, its copy has no variance beyond the floor: measures with it are 0."""
    frame, labels = random_frame(3, "nnn")
    statistics = statistics_of(frame.assign(copy=1 - 2 * frame["x0"]), labels)
    for dependence in ("class-conditional", "pairwise"):
        given = bc.Dependences.from_statistics(statistics, dependence).given_other
        assert (given[0, 3] == 0).all()
        assert (given[3, 0] == 0).all()


def test_long_predictions_show_a_bar_and_change_nothing(capsys):
    X, y = bc.load_dataset("iris")
    many = pd.concat([X] * 8, ignore_index=True)
    expected = kst().fit(X, y).predict_proba(many)
    assert (kst(verbose=1).fit(X, y).predict_proba(many) == expected).all()
    assert "1200/1200" in capsys.readouterr().err


# ---------------------------------------------------------------- files, exports, pictures


@training_data_is_saved
@pytest.mark.parametrize("members", ["both", "local"])
@pytest.mark.parametrize("average", ["joint", "posterior"])
def test_a_loaded_model_answers_to_the_bit(tmp_path, members, average):
    X, y = bc.load_dataset("iris")
    holes = with_holes(X, 0, share=0.1)
    weights = np.random.default_rng(0).random(len(X)) + 0.1
    model = kst(1, members, weights=(0.3, 0.9), average=average, smoothing=bc.BDeu(2.5))
    model.fit(holes.round(0) - 5, y, weights)
    path = tmp_path / "kst.json"
    bc.save(model, path)
    loaded = bc.load(path)
    assert loaded.ensemble_ == model.ensemble_
    assert (loaded.predict_proba(holes - 5) == model.predict_proba(holes - 5)).all()
    first = path.read_bytes()
    bc.save(loaded, path)
    assert path.read_bytes() == first
    bc.save(model.ensemble_, path)
    assert bc.load(path) == model.ensemble_


def test_save_says_once_that_the_file_holds_training_data(tmp_path):
    X, y = bc.load_dataset("iris")
    model = kst().fit(X, y)
    with pytest.warns(bc.BnclassWarning) as caught:
        bc.save(model, tmp_path / "kst.json")
    [warning] = caught
    assert "the file holds training data: 149 distinct encoded rows" in str(warning.message)


@training_data_is_saved
@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('"k": 2,\n', '"k": -2,\n', "k is -2"),
        ("[4.3, 3.0, 1.1, 0.1]", "[4.3, 3.0, 1.1]", "list of 4 numbers"),
        ("[4.3, 3.0, 1.1, 0.1]", '[4.3, 3.0, "a", 0.1]', "list of 4 numbers"),
        ("[4.3, 3.0, 1.1, 0.1]", "[4.3, 3.0, true, 0.1]", "list of 4 numbers"),
        ('"labels": [0', '"labels": [7', "found code 7"),
    ],
)
def test_broken_files_are_refused(tmp_path, before, after, message):
    path = tmp_path / "kst.json"
    bc.save(kst().fit(*bc.load_dataset("iris")).ensemble_, path)
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))
    with pytest.raises(bc.FileFormatError, match=message):
        bc.load(path)


def test_a_row_s_network_goes_where_any_network_goes(tmp_path):
    X, y = bc.load_dataset("iris")
    model = kst().fit(X, y)
    network = model.network_at(X.iloc[60])
    assert network.log_joint(X.iloc[[60]]) == pytest.approx(
        kst(members="local").fit(X, y).predict_joint_log_proba(X.iloc[[60]]), abs=1e-9
    )
    bc.save(network, tmp_path / "network.json")
    assert bc.load(tmp_path / "network.json") == network
    bc.write_graphml(network, tmp_path / "network.graphml")
    assert bc.read_graphml(tmp_path / "network.graphml") == network
    with pytest.raises(bc.FileFormatError, match="is continuous"):
        bc.write_bif(network, tmp_path / "network.bif")
    import matplotlib.pyplot as plt

    for display in (bc.plot_network(network), bc.plot_comparison(model.ensemble_[0], network)):
        assert display.figure_ is not None
    plt.close("all")
