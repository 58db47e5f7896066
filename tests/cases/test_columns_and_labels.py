"""Small inputs that broke other libraries: what comes in, rows, columns and labels."""

import numpy as np
import pandas as pd
import pytest
from case_tables import numbers, states
from every_estimator import (
    for_models_of_numbers,
    for_models_of_states,
    for_one_of_each_kind,
    for_one_of_each_kind_of_numbers,
    require_distributions,
)
from matplotlib.figure import Figure
from sklearn.base import clone
from sklearn.model_selection import cross_val_predict

import bnclass as bc

pytestmark = pytest.mark.filterwarnings("ignore::bnclass.BnclassWarning")


def prior(labels, m=1.0):
    """Return the class prior of the m-estimate."""
    counts = np.unique(np.asarray(labels), return_counts=True)[1]
    return (counts + m / len(counts)) / (counts.sum() + m)


# ---------------------------------------------------------------- unknown levels


@for_models_of_states
def test_an_unknown_level_is_a_missing_cell(model):
    frame, labels = states()
    model = clone(model).fit(frame, labels)
    for name in frame:  # among them superparents, and parents of TAN and KDB
        unknown, missing = frame.assign(**{name: "z"}), frame.assign(**{name: None})
        found = require_distributions(model, unknown)
        assert (found == model.predict_proba(missing)).all()


@for_models_of_states
def test_of_a_row_of_unknown_levels_the_class_prior_is_known(model):
    frame, labels = states()
    model = clone(model).fit(frame, labels)
    unknown = pd.DataFrame({"a": ["z"], "b": ["z"], "c": ["z"]})
    assert model.predict_proba(unknown)[0] == pytest.approx(prior(labels), abs=1e-12)


def test_aode_skips_an_unknown_superparent():
    """Four rows: with b unknown only the network under a serves."""
    frame = pd.DataFrame({"a": list("xxyy"), "b": list("pqpp")})
    labels = [0, 0, 1, 1]
    aode = bc.AODE().fit(frame, labels)
    asked = pd.DataFrame({"a": ["x"], "b": ["z"]})
    # P(y, a=x) = (2 + 1/4)/5 and (0 + 1/4)/5; b is summed out.
    assert aode.predict_joint_log_proba(asked)[0] == pytest.approx(np.log([0.45, 0.05]))
    assert aode.predict_proba(asked)[0] == pytest.approx([0.9, 0.1])


@pytest.mark.parametrize("model", [bc.AODE(), bc.HAODE()], ids=repr)
def test_without_a_known_superparent_aode_is_naive_bayes(model):
    frame, labels = states()
    naive = bc.NaiveBayes(continuous="gaussian").fit(frame, labels)
    model = clone(model).set_params(min_count=1000).fit(frame, labels)
    assert model.predict_proba(frame) == pytest.approx(naive.predict_proba(frame), abs=1e-12)


# ---------------------------------------------------------------- missing cells


@for_models_of_states
def test_none_nan_and_na_are_one_thing(model):
    labels = [0, 1, 0, 1, 1, 0]
    cells = ["u", None, "v", np.nan, pd.NA, "v"]
    frame = pd.DataFrame({"a": pd.Series(cells, dtype=object), "b": list("ppqqpq")})
    same = frame.assign(a=pd.Series(["u", None, "v", None, None, "v"], dtype=object))
    model = clone(model).fit(frame, labels)
    assert model.schema_["a"].states == ("u", "v")
    found = require_distributions(model, frame)
    assert (found == clone(model).fit(same, labels).predict_proba(same)).all()
    assert (found[3] == model.predict_proba(frame.iloc[4:5])[0]).tolist() == [False, False]
    other = pd.DataFrame({"a": pd.Series([None, np.nan, pd.NA, pd.NaT], dtype=object), "b": "p"})
    assert (np.ptp(model.predict_proba(other), axis=0) == 0).all()


def test_counts_are_those_of_the_rows_where_the_cell_is_there():
    frame = pd.DataFrame({"a": ["u", None, "v", None, "u"]})
    model = bc.NaiveBayes().fit(frame, [0, 0, 0, 1, 1])
    table = model.network_.factors["a"].table
    assert table.tolist() == [[1.5 / 3, 1.5 / 3], [1.5 / 2, 0.5 / 2]]


def test_aode_reduces_each_denominator_by_the_rows_missing_there():
    frame = pd.DataFrame({"a": ["u", None, "v", "v"], "b": ["p", "p", "q", None]})
    network = bc.AODE().fit(frame, [0, 0, 1, 1]).ensemble_[0]
    joint = network.factors["class"].table[:, None] * network.factors["a"].table
    # Three rows have a; of those with a = v in class 1, one has b.
    assert joint == pytest.approx(np.array([[1.25, 0.25], [0.25, 2.25]]) / 4)
    assert network.factors["b"].table[1, 1].tolist() == [0.5 / 2, 1.5 / 2]


@for_one_of_each_kind
@pytest.mark.parametrize("text", ["None", "nan", "NaN", "?", "", "NA", "<NA>"])
def test_text_that_looks_missing_is_text(model, text):
    frame, labels = states(12)
    frame["a"] = frame["a"].where(frame["a"] == "x", text)
    model = clone(model).fit(frame, labels)
    assert set(model.schema_["a"].states) == {"x", text}


@for_one_of_each_kind_of_numbers
@pytest.mark.parametrize("dtype", ["Int64", "Float64", "int64[pyarrow]", "float64"])
def test_nullable_numbers_with_missing_cells(model, dtype):
    frame, labels = numbers()
    frame = (10 * frame).round()
    frame.loc[::5, "a"] = np.nan
    found = clone(model).fit(frame.astype(dtype), labels).predict_proba(frame.astype(dtype))
    assert (found == clone(model).fit(frame, labels).predict_proba(frame)).all()


@for_one_of_each_kind
@pytest.mark.parametrize("dtype", ["Int64", "Float64", "int64[pyarrow]"])
def test_nullable_numbers_taken_as_states(model, dtype):
    frame, labels = states()
    frame = frame.map({"x": 0, "y": 7}.get).astype(float)
    frame.loc[::5, "a"] = np.nan
    model = clone(model).set_params(categorical_features="all")
    expected = model.fit(frame, labels).predict_proba(frame)
    found = model.fit(frame.astype(dtype), labels).predict_proba(frame.astype(dtype))
    assert (found == expected).all()
    assert model.schema_["a"].states == (0, 7)


@for_one_of_each_kind_of_numbers
@pytest.mark.parametrize("infinity", [np.inf, -np.inf])
def test_an_infinite_number_is_refused_by_column_and_row(model, infinity):
    frame, labels = numbers()
    wrong = frame.assign(b=frame["b"].where(frame.index != 7, infinity))
    wrong.loc[3, "b"] = np.nan
    with pytest.raises(bc.DataError, match=r"column 'b', row 7: found -?inf"):
        clone(model).fit(wrong, labels)
    model = clone(model).fit(frame, labels)
    with pytest.raises(bc.DataError, match=r"column 'b', row 7: found -?inf"):
        model.predict(wrong)


@for_one_of_each_kind_of_numbers
@pytest.mark.parametrize("missing", ["marginalize", "state", "impute"])
def test_a_wholly_missing_column_is_left_out_with_a_warning(model, missing):
    frame, labels = numbers()
    model = clone(model).set_params(missing=missing)
    expected = model.fit(frame, labels).predict_proba(frame)
    nothing = frame.assign(d=np.nan)
    with pytest.warns(bc.BnclassWarning, match=r"columns \['d'\] are wholly missing"):
        model.fit(nothing, labels)
    assert (model.predict_proba(nothing) == expected).all()
    assert (model.predict_proba(frame.assign(d=3.5)) == expected).all()


@for_models_of_states
def test_a_column_wholly_missing_at_predict(model):
    frame, labels = states()
    model = clone(model).fit(frame, labels)
    for nothing in (None, np.nan, pd.Series(None, frame.index, dtype="Float64")):
        found = require_distributions(model, frame.assign(b=nothing))
        assert (found == model.predict_proba(frame.assign(b="unknown"))).all()


# ---------------------------------------------------------------- bools


@for_one_of_each_kind
@pytest.mark.parametrize("dtype", [bool, object, "boolean", "bool[pyarrow]", "category"])
def test_bools_are_states_and_labels(model, dtype):
    frame, labels = states()
    bools = (frame == "y").assign(c=frame["c"])
    model = clone(model).fit(bools.astype({"a": dtype, "b": dtype}), pd.Series(labels == "yes"))
    assert model.schema_["a"].states == (False, True)
    assert model.classes_.dtype == model.predict(bools).dtype == bool
    text = clone(model).fit(frame, labels)
    assert (text.predict_proba(frame) == model.predict_proba(bools)).all()


@for_one_of_each_kind
def test_an_array_of_bools_beside_text(model):
    frame, labels = states()
    array = frame.assign(a=frame["a"] == "y").to_numpy(dtype=object)
    model = clone(model).fit(array, labels == "yes")
    assert model.schema_["x0"].states == (False, True)
    assert model.schema_["x1"].states == ("x", "y")
    assert (
        model.predict_proba(array) == clone(model).fit(frame, labels).predict_proba(frame)
    ).all()


@for_one_of_each_kind
def test_true_and_1_in_one_column_are_refused(model):
    frame, labels = states(4)
    frame["a"] = pd.Series([True, 1, False, 0], dtype=object)
    with pytest.raises(bc.DataError, match="column 'a' mixes bool and number"):
        clone(model).fit(frame, labels)
    model = clone(model).fit(frame.assign(a=[True, False, False, True]), labels)
    with pytest.raises(bc.DataError, match="column 'a' holds number, expected bool"):
        model.predict(frame.assign(a=[1, 0, 0, 1]))


# ---------------------------------------------------------------- dtypes of text and category

TEXTS = [object, "str", "string", "string[pyarrow]", "category"]


@for_one_of_each_kind
def test_text_of_five_dtypes_gives_one_fit(model):
    frame, labels = states()
    frame.loc[::7, "b"] = None
    expected = clone(model).fit(frame, labels).predict_proba(frame)
    for dtype in TEXTS:
        same = frame.astype(dtype)
        fitted = clone(model).fit(same, pd.Series(labels).astype(dtype))
        assert (fitted.predict_proba(same) == expected).all()
        assert (fitted.predict_proba(frame) == expected).all()
        assert fitted.schema_["a"].states == ("x", "y")
        assert (
            fitted.predict(same).tolist() == clone(model).fit(frame, labels).predict(frame).tolist()
        )


@for_one_of_each_kind
@pytest.mark.parametrize("ordered", [False, True])
def test_a_category_of_numbers_is_discrete_in_the_order_declared(model, ordered):
    frame, labels = states()
    levels = pd.CategoricalDtype([3, 1, 2], ordered)
    frame["a"] = frame["a"].map({"x": 3, "y": 2}).astype(levels)
    model = clone(model).fit(frame, labels)
    assert model.schema_["a"].states == (3, 1, 2)
    require_distributions(model, frame)


def test_an_ordered_category_keeps_its_order_in_tables_and_pictures():
    levels = pd.CategoricalDtype(["low", "high", "extreme"], ordered=True)
    frame = pd.DataFrame({"a": pd.Series(["extreme", "low", "high", "low"], dtype=levels)})
    network = bc.NaiveBayes().fit(frame, [0, 1, 0, 1]).network_
    assert network.describe("a").columns.tolist() == ["low", "high", "extreme"]
    ax = bc.plot_factor(network, "a", ax=Figure().subplots()).ax_
    assert [text.get_text() for text in ax.get_xticklabels()] == ["low", "high", "extreme"]


# ---------------------------------------------------------------- levels that do not occur


@for_models_of_states
def test_an_unused_level_of_an_attribute_stays_in_its_domain(model):
    frame, labels = states()
    frame["a"] = pd.Categorical(frame["a"], categories=["x", "y", "unused"])
    model = clone(model).fit(frame, labels)
    assert model.schema_["a"].states == ("x", "y", "unused")
    require_distributions(model, frame.assign(a=pd.Categorical(["unused"] * 24)))


def test_an_unused_level_has_its_share_of_the_smoothing():
    cells = pd.Categorical(list("aabc"), categories=["a", "b", "c", "unused"])
    network = bc.NaiveBayes().fit(pd.DataFrame({"v": cells}), [0, 0, 1, 1]).network_
    assert network.factors["v"].table.tolist() == [
        [2.25 / 3, 0.25 / 3, 0.25 / 3, 0.25 / 3],
        [0.25 / 3, 1.25 / 3, 1.25 / 3, 0.25 / 3],
    ]


def test_an_unused_level_is_exported(tmp_path):
    cells = pd.Categorical(list("aabc"), categories=["a", "b", "c", "unused"])
    model = bc.NaiveBayes().fit(pd.DataFrame({"v": cells}), [0, 0, 1, 1])
    bc.write_bif(model, tmp_path / "v.bif")
    assert bc.read_bif(tmp_path / "v.bif").factors["v"].variable.states[-1] == "unused"
    assert bc.to_pgmpy(model).get_cpds("v").state_names["v"][-1] == "unused"


@for_one_of_each_kind
def test_a_class_that_never_occurs_is_no_class(model):
    frame, labels = states()
    declared = pd.Categorical(labels, categories=["yes", "no", "never"])
    model = clone(model).fit(frame, declared)
    assert model.classes_.tolist() == ["no", "yes"]
    expected = clone(model).fit(frame, labels).predict_proba(frame)
    assert (model.predict_proba(frame) == expected).all()


# ---------------------------------------------------------------- names of columns

NAMES = {
    "whole numbers": [0, 1, 2],
    "whole numbers out of order": [7, -1, 3],
    "fractions": [0.5, 1.5, 2.5],
    "tuples": [("a", 1), ("a", 2), ("b", 1)],
    "empty": ["", " ", "  "],
    "unicode": ["é", "日本", "😀"],
    "names of nodes": ["class", "class_", "y"],
    "names of bins": ["a (binned)", "a", "a (binned)_"],
    "text that are numbers": ["0", "1", "x0"],
    "no text and no number": [True, ("a",), 7],
}


@for_models_of_numbers
def test_names_of_any_kind_stay_what_they_are(model):
    frame, labels = numbers()
    expected = clone(model).fit(frame, labels).predict_proba(frame)
    for names in NAMES.values():
        frame.columns = pd.Index(names, dtype=object, tupleize_cols=False)
        model = clone(model).fit(frame, labels)
        assert (model.predict_proba(frame) == expected).all()
        assert list(map(repr, model.schema_.names)) == list(map(repr, names))
        assert model.schema_.target.name not in names


@for_one_of_each_kind_of_numbers
def test_a_column_without_a_name_is_refused_by_place(model):
    frame, labels = numbers()
    for name in (None, np.nan, pd.NA, ("a", np.nan)):
        frame.columns = pd.Index([0.5, name, 7], dtype=object, tupleize_cols=False)
        with pytest.raises(bc.DataError, match=r"column 1 has the name .*, expected no missing"):
            clone(model).fit(frame, labels)


@for_one_of_each_kind_of_numbers
@pytest.mark.parametrize("names", [[0, "a", "b"], ["a", ("b", 1), "c"], ["a", 0.5, True]], ids=repr)
def test_names_of_mixed_kinds_get_scikit_learns_error(model, names):
    frame, labels = numbers()
    frame.columns = pd.Index(names, dtype=object, tupleize_cols=False)
    with pytest.raises(TypeError, match="Feature names are only supported if all"):
        clone(model).fit(frame, labels)


@for_one_of_each_kind_of_numbers
@pytest.mark.parametrize("name", ["a", "class", "y"])
def test_an_attribute_called_as_the_class_is_another_node(model, name):
    frame, labels = numbers()
    expected = clone(model).fit(frame, labels).predict_proba(frame)
    frame = frame.rename(columns={"a": name})
    model = clone(model).fit(frame, pd.Series(labels, name=name))
    assert name in model.schema_.names
    assert model.schema_.target.name not in frame.columns
    assert (model.predict_proba(frame) == expected).all()


# ---------------------------------------------------------------- names that occur twice


@for_one_of_each_kind_of_numbers
def test_two_columns_of_one_name_are_refused_by_name(model):
    frame, labels = numbers()
    twice = frame.set_axis(["a", "b", "a"], axis=1)
    with pytest.raises(ValueError, match=r"duplicate column names \['a'\]"):
        clone(model).fit(twice, labels)
    model = clone(model).fit(frame, labels)
    with pytest.raises(ValueError, match=r"column|feature names"):
        model.predict(twice)


@pytest.mark.parametrize("names", [[1, True], [0, 0.0], [0, False]], ids=repr)
def test_names_that_are_equal_are_one_name(names):
    frame = pd.DataFrame([[0.0, 1.0], [1.0, 2.0]], columns=pd.Index(names, dtype=object))
    with pytest.raises(ValueError, match="duplicate column names"):
        bc.NaiveBayes().fit(frame, [0, 1])


@for_one_of_each_kind_of_numbers
def test_equal_columns_of_an_array_have_names_of_their_own(model):
    frame, labels = numbers()
    array = frame[["a", "b", "a"]].to_numpy()
    model = clone(model).fit(array, labels)
    assert model.schema_.names == ("x0", "x1", "x2")
    require_distributions(model, array)


# ---------------------------------------------------------------- labels

LABELS = {
    "object whole numbers": (np.array([3, -1] * 12, dtype=object), np.int64),
    "object bools": (np.array([True, False] * 12, dtype=object), np.bool_),
    "floats": (np.array([2.0, 1.0] * 12), np.float64),
    "list of floats": ([2.0, 1.0] * 12, np.float64),
    "whole numbers": (np.array([5, 2] * 12, dtype=np.int8), np.int8),
    "nullable": (pd.Series([5, 2] * 12, dtype="Int64"), np.int64),
    "category of numbers": (pd.Categorical([5, 2] * 12, categories=[5, 9, 2]), np.int64),
    "empty text": (["", "a"] * 12, np.dtype("<U1")),
}


@for_one_of_each_kind_of_numbers
@pytest.mark.parametrize(("y", "dtype"), LABELS.values(), ids=LABELS)
def test_predictions_are_of_the_type_of_the_labels(model, y, dtype):
    frame, _ = numbers()
    model = clone(model).fit(frame, y)
    assert model.classes_.dtype == model.predict(frame).dtype == dtype
    assert model.classes_.tolist() == sorted(set(y))
    assert 0 < (model.predict(frame) == np.asarray(y)).mean() <= 1
    assert model.score(frame, np.asarray(y).astype(dtype)) > 0


@for_one_of_each_kind_of_numbers
@pytest.mark.parametrize("mixed", [["a", 1], [True, "x"], [True, 1], [1.5, "a"]], ids=repr)
@pytest.mark.parametrize("as_array", [False, True])
def test_labels_of_mixed_kinds_are_refused_and_say_so(model, mixed, as_array):
    frame, _ = numbers(4)
    y = [mixed[0], mixed[1], mixed[0], mixed[1]]
    if as_array:
        y, y[:] = np.empty(4, dtype=object), y
    with pytest.raises(ValueError, match=r"column 'y' mixes .*, expected values of one kind"):
        clone(model).fit(frame, y)


@for_one_of_each_kind_of_numbers
@pytest.mark.parametrize("missing", [None, np.nan, pd.NA], ids=str)
@pytest.mark.parametrize("label", ["a", 1, 1.0, True], ids=repr)
def test_missing_labels_are_refused_with_their_rows(model, label, missing):
    frame, _ = numbers(6)
    y = pd.Series([label, missing, label, label, missing, label], dtype=object)
    with pytest.raises(ValueError, match=r"y has 2 missing labels .* in rows 1, 4"):
        clone(model).fit(frame, y)


@for_one_of_each_kind_of_numbers
def test_whole_number_labels_meet_predictions_of_folds(model):
    frame, labels = numbers()
    y = np.where(labels == "yes", 7, 3)
    found = cross_val_predict(clone(model), frame, y, cv=3)
    assert found.dtype == y.dtype
    assert set(found) <= {3, 7}
