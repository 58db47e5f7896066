"""Small inputs that broke other libraries: names and numbers in files, and cuts."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from io_networks import ODD_NAMES, ODD_STATES, same
from sklearn.base import clone

import bnclass as bc
from bnclass.data.mdl import mdl_cuts
from bnclass.io.bif import state_tokens
from bnclass.io.tokens import safe_tokens

pytestmark = pytest.mark.filterwarnings("ignore::bnclass.BnclassWarning")
FORMATS = {
    "json": (bc.save, bc.load),
    "bif": (bc.write_bif, bc.read_bif),
    "graphml": (bc.write_graphml, bc.read_graphml),
}
for_each_format = pytest.mark.parametrize(("write", "read"), FORMATS.values(), ids=FORMATS)


# ---------------------------------------------------------------- odd names in files


@pytest.fixture(scope="module")
def odd():
    """Return a tree over odd names and states, and rows that have them all."""
    rng = np.random.default_rng(0)
    columns = {name: rng.permutation(ODD_STATES * 2) for name in [*ODD_NAMES, "(-inf, 0.5]"]}
    frame = pd.DataFrame(columns, dtype=object)
    return bc.TAN().fit(frame, ODD_STATES * 2), frame


@for_each_format
def test_odd_names_and_states_come_back(odd, tmp_path, write, read):
    model, frame = odd
    write(model.network_, tmp_path / "file")
    loaded = read(tmp_path / "file")
    assert same(loaded, model.network_)
    assert (loaded.posterior(frame) == model.predict_proba(frame)).all()


def test_tokens_are_words_that_are_no_keywords(odd):
    keywords = {"network", "variable", "type", "discrete", "default", "property", "probability"}
    model, _ = odd
    network = model.network_
    for tokens in (safe_tokens(network.structure.nodes), state_tokens(network.target)):
        assert len(set(tokens)) == len(tokens)
        assert all(t.isascii() and t.isidentifier() for t in tokens)
        assert not {*keywords, "table"} & {t.lower() for t in tokens}


STATES = [(0, 1), (False, True), ("<5", ">=5"), (0.5, 1.5)]


@for_each_format
@pytest.mark.parametrize("states", STATES, ids=repr)
def test_types_of_states_and_labels_come_back(tmp_path, write, read, states):
    frame = pd.DataFrame({"é": pd.Categorical(states * 4, categories=list(states))})
    model = bc.NaiveBayes().fit(frame, [0.0, 1.0] * 4)
    write(model.network_, tmp_path / "file")
    factors = read(tmp_path / "file").factors
    assert repr(factors["é"].variable.states) == repr(states)
    assert repr(factors["class"].variable.states) == "(0.0, 1.0)"


@pytest.mark.parametrize("character", ["\x00", "\x08", "\x1f", "\ufffe"], ids=ascii)
def test_control_characters_in_xml_are_escaped_or_refused(tmp_path, character):
    name = f"a{character}b"
    model = bc.NaiveBayes().fit(pd.DataFrame({name: ["u", "v"]}), [0, 1])
    bc.write_graphml(model, tmp_path / "file")
    assert character not in (tmp_path / "file").read_text(encoding="utf-8")
    assert same(bc.read_graphml(tmp_path / "file"), model.network_)


@for_each_format
def test_every_digit_comes_back(tmp_path, write, read):
    tiny = [1 / 3, 1e-12, 1e-300, 5e-324, 0.1 + 0.2]
    cause = bc.Variable("c", states=tuple(range(6)))
    seven, y = bc.Variable("s", states=tuple("abcdefg")), bc.Variable("y", states=(0, 1))
    structure = bc.Structure.from_arcs(["y", "c", "s"], [("y", "c"), ("y", "s")], "y")
    rows = [[*tiny, 1 - math.fsum(tiny)], [1 / 6] * 6]
    factors = [
        bc.CategoricalCPD(y, (), [0.5, 0.5]),
        bc.CategoricalCPD(cause, (y,), rows),
        bc.CategoricalCPD(seven, (y,), [[1 / 7] * 7, [1.0] + [0.0] * 6]),
    ]
    network = bc.BayesianNetwork(structure, factors)
    write(network, tmp_path / "file")
    loaded = read(tmp_path / "file")
    assert same(loaded, network)
    assert (loaded.factors["c"].table[0, :5] == tiny).all()
    asked = pd.DataFrame({"c": [2, 3], "s": [None, None]})
    assert (loaded.log_posterior(asked) == network.log_posterior(asked)).all()
    assert loaded.log_posterior(asked)[0, 0] < -600  # 1e-300 is not 0


# ---------------------------------------------------------------- cuts


def test_cuts_lie_between_distinct_values_in_any_row_order():
    rng = np.random.default_rng(0)
    values = np.repeat([1.0, 2.0, 3.0, 4.0, 5.0], [9, 6, 8, 7, 9])
    labels = np.repeat([0, 0, 1, 1, 0], [9, 6, 8, 7, 9])
    labels[14] = 1  # mixed classes at equal values
    cuts = mdl_cuts(values, labels)
    assert cuts == (2.5, 4.5)
    for _ in range(5):
        order = rng.permutation(len(values))
        assert mdl_cuts(values[order], labels[order]) == cuts


def test_values_with_mixed_classes_are_no_place_for_a_cut():
    values, labels = np.array([1.0, 1, 1, 2, 2, 3]), np.array([0, 1, 0, 1, 0, 1])
    cuts = mdl_cuts(values, labels)
    assert set(cuts) <= {1.5, 2.5}
    order = [5, 2, 4, 0, 3, 1]
    assert mdl_cuts(values[order], labels[order]) == cuts


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        (np.full(40, 7.0), np.arange(40) % 2),
        (np.arange(40.0), np.zeros(40, int)),
        (np.array([3.0]), np.array([0])),
        (np.full(4, np.nan), np.arange(4) % 2),
    ],
    ids=["constant", "one class", "one row", "nothing"],
)
def test_no_cut_is_one_bin_and_no_error(values, labels):
    assert mdl_cuts(values, labels) == ()
    fitted = bc.MDLDiscretizer().fit(values[:, None], labels)
    assert [cuts.tolist() for cuts in fitted.cut_points_] == [[]]
    if not np.isnan(values).all():
        model = bc.NaiveBayes().fit(values[:, None], labels)
        assert model.schema_["x0"].states == ("all",)
        assert np.isfinite(model.predict_proba(values[:, None])).all()


def test_one_row_a_class_and_a_class_without_rows():
    values = np.arange(40.0)
    cuts = mdl_cuts(values, 2 * np.arange(40))
    assert all(cut % 1 == 0.5 for cut in cuts)
    assert list(cuts) == sorted(set(cuts))


def test_nan_is_never_in_a_bin():
    values = np.array([1.0, 1, 1, np.nan, 5, 5, 5, np.nan] * 4)
    labels = np.array([0, 0, 0, 0, 1, 1, 1, 1] * 4)
    assert mdl_cuts(values, labels) == (3.0,)
    codes = bc.MDLDiscretizer().fit(values[:, None], labels).transform(values[:, None])
    assert (np.isnan(codes) == np.isnan(values[:, None])).all()
    asked = bc.MDLDiscretizer(missing_bin=True).fit(values[:, None], labels)
    assert (asked.transform(values[:, None])[np.isnan(values)] == 2).all()
    model = bc.NaiveBayes().fit(values[:, None], labels)
    assert model.predict_proba([[np.nan]]) == pytest.approx(np.array([[0.5, 0.5]]))
    assert model.schema_["x0"].states == ("(-inf, 3]", "(3, inf)")


def test_the_bins_at_the_ends_are_open():
    values, labels = np.repeat([1.0, 5.0], 10)[:, None], np.repeat([0, 1], 10)
    model = bc.NaiveBayes().fit(values, labels)
    assert (model.predict([[-1e90], [3.0], [3.1], [1e90]]) == [0, 0, 1, 1]).all()
    for infinity in (np.inf, -np.inf):
        for ask in (model.predict, bc.MDLDiscretizer().fit(values, labels).transform):
            with pytest.raises(ValueError, match=r"row 0: found -?inf"):
                ask([[infinity]])


def test_700_classes_do_not_overflow():
    values = np.repeat(np.arange(700.0), 2)
    assert all(map(math.isfinite, mdl_cuts(values, np.repeat(np.arange(700), 2))))


def test_neighbouring_floats_are_cut_at_the_lower():
    lower, upper = 1.0, np.nextafter(1.0, 2.0)
    (cut,) = mdl_cuts(np.repeat([lower, upper], 20), np.repeat([0, 1], 20))
    assert cut == lower
    model = bc.NaiveBayes().fit(np.repeat([lower, upper], 20)[:, None], np.repeat([0, 1], 20))
    assert model.predict([[lower], [upper]]).tolist() == [0, 1]


def test_whole_numbers_as_text_are_states_or_refused():
    frame, labels = pd.DataFrame({"a": ["1", "2"] * 10}), [0, 1] * 10
    assert bc.NaiveBayes().fit(frame, labels).schema_["a"].states == ("1", "2")
    with pytest.raises(ValueError, match="'a'"):
        bc.MDLDiscretizer().fit(frame, labels)


def test_every_kind_of_table_is_cut_alike():
    values, labels = np.repeat([1.0, 5.0, 9.0], 50), np.repeat([0, 1, 0], 50)
    frame = pd.DataFrame({"a": values})
    tables = [frame, frame.to_numpy(), frame.to_numpy().tolist(), pl.from_pandas(frame)]
    tables += [frame.astype(dtype) for dtype in ("int64", "Int64", "float32", "Float64")]
    for table in tables:
        fitted = clone(bc.MDLDiscretizer()).fit(table, labels)
        assert [cuts.tolist() for cuts in fitted.cut_points_] == [[3.0, 7.0]]
