import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from bnclass.data.discretize import MDLDiscretizer
from bnclass.exceptions import DataError, DataTypeError

X_STEP = np.array([[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]])
Y_STEP = np.array(["no", "no", "no", "yes", "yes", "yes"])


@parametrize_with_checks([MDLDiscretizer(), MDLDiscretizer(missing_bin=True)])
def test_common_checks_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.fixture
def iris():
    return load_iris(return_X_y=True, as_frame=True)


# --- fitting ---------------------------------------------------------------------------


def test_iris(iris):
    X, y = iris
    discretizer = MDLDiscretizer().fit(X, y)
    expected = [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75]]
    np.testing.assert_allclose(discretizer.cut_points_, expected, rtol=0, atol=1e-12)
    assert [cuts.dtype for cuts in discretizer.cut_points_] == [np.float64] * 4
    assert discretizer.n_bins_.tolist() == [3, 3, 3, 3]
    assert discretizer.labels_[1] == ("(-inf, 2.95]", "(2.95, 3.35]", "(3.35, inf)")
    assert discretizer.n_features_in_ == 4
    assert discretizer.feature_names_in_.tolist() == X.columns.tolist()


def test_columns_that_say_nothing_keep_one_bin():
    X = np.column_stack([X_STEP, np.ones(6), [1, 2, 3, 1, 2, 3], np.full(6, np.nan)])
    discretizer = MDLDiscretizer().fit(X, Y_STEP)
    assert discretizer.n_bins_.tolist() == [2, 1, 1, 1]
    assert discretizer.labels_[1:] == [("all",)] * 3
    assert discretizer.transform(X)[:, 1].tolist() == [0.0] * 6
    assert np.isnan(discretizer.transform(X)[:, 3]).all()


def test_integer_weights_are_repeated_rows(iris):
    X, y = iris
    weights = np.arange(len(X)) % 3
    weighted = MDLDiscretizer().fit(X, y, sample_weight=weights)
    repeated = MDLDiscretizer().fit(X.loc[X.index.repeat(weights)], y.repeat(weights))
    assert weighted.labels_ == repeated.labels_
    for ours, theirs in zip(weighted.cut_points_, repeated.cut_points_, strict=True):
        assert ours.tolist() == theirs.tolist()
    for ours, theirs in zip(weighted.representatives_, repeated.representatives_, strict=True):
        assert ours.tolist() == theirs.tolist()


def test_rows_of_weight_zero_leave_no_trace():
    X = np.append(X_STEP, [[np.nan], [3.0000001]], axis=0)
    y = [*Y_STEP, "maybe", "yes"]
    weights = [1] * 6 + [0, 0]
    discretizer = MDLDiscretizer(missing_bin=True).fit(X, y, sample_weight=weights)
    assert discretizer.labels_ == [("(-inf, 3.5]", "(3.5, inf)")]


@pytest.mark.parametrize(
    "labels",
    [Y_STEP == "yes", pd.Series(Y_STEP), pd.Categorical(Y_STEP), (Y_STEP == "yes").astype(int)],
    ids=["bool", "text", "category", "int"],
)
def test_labels_of_any_type(labels):
    assert MDLDiscretizer().fit(X_STEP, labels).cut_points_[0].tolist() == [3.5]


def test_fitting_twice_forgets_the_first_table(iris):
    X, y = iris
    discretizer = MDLDiscretizer().fit(X, y).fit(X_STEP, Y_STEP)
    assert (len(discretizer.cut_points_), len(discretizer.labels_)) == (1, 1)
    assert not hasattr(discretizer, "feature_names_in_")


# --- transforming ----------------------------------------------------------------------


def test_codes_count_from_zero_and_bins_are_closed_above():
    discretizer = MDLDiscretizer().fit(X_STEP, Y_STEP)
    codes = discretizer.transform([[3.0], [3.5], [np.nextafter(3.5, 4)], [4.0]])
    assert codes.dtype == np.float64
    assert codes.ravel().tolist() == [0, 0, 1, 1]


def test_values_beyond_the_training_range_fall_into_the_bins_at_the_ends():
    discretizer = MDLDiscretizer().fit(X_STEP, Y_STEP)
    assert discretizer.transform([[-1e300], [1e300]]).ravel().tolist() == [0, 1]


def test_missing_cells_stay_missing():
    X = np.append(X_STEP, [[np.nan]], axis=0)
    discretizer = MDLDiscretizer().fit(X, [*Y_STEP, "no"])
    assert discretizer.labels_ == [("(-inf, 3.5]", "(3.5, inf)")]
    np.testing.assert_array_equal(discretizer.transform([[np.nan], [1.0]]), [[np.nan], [0.0]])


def test_missing_cells_get_a_bin_if_asked_for_and_seen():
    X = np.column_stack([np.append(X_STEP, np.nan), np.append(X_STEP, 7.0)])
    discretizer = MDLDiscretizer(missing_bin=True).fit(X, [*Y_STEP, "yes"])
    assert discretizer.labels_[0] == ("(-inf, 3.5]", "(3.5, inf)", "missing")
    assert discretizer.labels_[1] == ("(-inf, 3.5]", "(3.5, inf)")
    assert discretizer.n_bins_.tolist() == [3, 2]
    np.testing.assert_array_equal(discretizer.transform([[np.nan, np.nan]]), [[2.0, np.nan]])


def test_a_wholly_missing_column_may_have_a_missing_bin():
    discretizer = MDLDiscretizer(missing_bin=True).fit(np.full((6, 1), np.nan), Y_STEP)
    assert discretizer.labels_ == [("all", "missing")]
    assert discretizer.transform([[np.nan], [1.0]]).ravel().tolist() == [1, 0]


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "Int64", "Float64", "object"])
def test_numbers_of_every_dtype(dtype):
    frame = pd.DataFrame({"a": X_STEP.ravel()}).astype(dtype)
    discretizer = MDLDiscretizer().fit(frame, Y_STEP)
    assert discretizer.transform(frame).ravel().tolist() == [0, 0, 0, 1, 1, 1]


def test_none_and_na_are_missing():
    frame = pd.DataFrame(
        {
            "a": pd.Series([1, None, 3, 4, 5, 6], dtype="Int64"),
            "b": pd.Series([1, None, 3, pd.NA, 5, 6], dtype=object),
            "c": [1, np.nan, 3, 4, 5, 6],
        }
    )
    codes = MDLDiscretizer().fit(frame, Y_STEP).transform(frame)
    assert np.isnan(codes).sum(axis=0).tolist() == [1, 2, 1]
    objects = MDLDiscretizer().fit(frame.to_numpy(dtype=object), Y_STEP)
    np.testing.assert_array_equal(objects.transform(frame.to_numpy(dtype=object)), codes)


def test_polars_frames_give_the_same(iris):
    X, y = iris
    frame = pl.from_pandas(X)
    expected = MDLDiscretizer().fit(X, y)
    found = MDLDiscretizer().fit(frame, pl.Series(y.tolist()))
    assert found.labels_ == expected.labels_
    assert found.feature_names_in_.tolist() == X.columns.tolist()
    np.testing.assert_array_equal(found.transform(frame), expected.transform(X))


# --- containers ------------------------------------------------------------------------


def test_pandas_output_has_ordered_categories_named_as_the_bins():
    frame = pd.DataFrame({"size": X_STEP.ravel()}, index=list("uvwxyz"))
    frame.loc["z", "size"] = np.nan
    discretizer = MDLDiscretizer().set_output(transform="pandas")
    out = discretizer.fit_transform(frame, Y_STEP)
    assert out.columns.tolist() == ["size"]
    assert out.index.tolist() == list("uvwxyz")
    assert out["size"].dtype == pd.CategoricalDtype(["(-inf, 3.5]", "(3.5, inf)"], ordered=True)
    assert out["size"].cat.codes.tolist() == [0, 0, 0, 1, 1, -1]


def test_pandas_output_of_an_array_is_named_by_position():
    X = np.column_stack([X_STEP, -X_STEP])
    out = MDLDiscretizer().set_output(transform="pandas").fit(X, Y_STEP).transform(X)
    assert out.columns.tolist() == ["x0", "x1"]
    assert out.index.tolist() == list(range(6))
    assert out["x1"].cat.categories.tolist() == ["(-inf, -3.5]", "(-3.5, inf)"]


def test_pandas_output_of_the_missing_bin():
    X = np.append(X_STEP, [[np.nan]], axis=0)
    discretizer = MDLDiscretizer(missing_bin=True).set_output(transform="pandas")
    out = discretizer.fit_transform(X, [*Y_STEP, "no"])
    assert out["x0"].tolist()[-1] == "missing"
    assert out["x0"].cat.categories[-1] == "missing"


def test_global_configuration_asks_for_pandas_too():
    with sklearn.config_context(transform_output="pandas"):
        out = MDLDiscretizer().fit_transform(X_STEP, Y_STEP)
    assert out["x0"].dtype == pd.CategoricalDtype(["(-inf, 3.5]", "(3.5, inf)"], ordered=True)


def test_polars_output_holds_codes():
    out = MDLDiscretizer().set_output(transform="polars").fit_transform(X_STEP, Y_STEP)
    assert isinstance(out, pl.DataFrame)
    assert out["x0"].to_list() == [0, 0, 0, 1, 1, 1]


def test_names_come_out_as_they_went_in(iris):
    X, y = iris
    assert MDLDiscretizer().fit(X, y).get_feature_names_out().tolist() == X.columns.tolist()
    assert MDLDiscretizer().fit(X_STEP, Y_STEP).get_feature_names_out().tolist() == ["x0"]


# --- and back --------------------------------------------------------------------------


def test_the_middle_of_the_observed_range_stands_for_a_bin():
    X = np.append(X_STEP, [[np.nan]], axis=0)
    discretizer = MDLDiscretizer(missing_bin=True).fit(X, [*Y_STEP, "no"])
    np.testing.assert_array_equal(discretizer.representatives_[0], [2.0, 5.0, np.nan])
    back = discretizer.inverse_transform([[0], [1], [2], [np.nan]])
    np.testing.assert_array_equal(back, [[2.0], [5.0], [np.nan], [np.nan]])


@settings(max_examples=60, deadline=None)
@given(
    npst.arrays(
        np.float64,
        (12, 2),
        elements=st.one_of(
            st.just(np.nan),
            st.floats(allow_nan=False, allow_infinity=False),
            st.integers(0, 3).map(float),
        ),
    ),
    st.lists(st.integers(0, 2), min_size=12, max_size=12),
    st.booleans(),
)
def test_inverse_values_lie_in_their_bins(X, y, missing_bin):
    discretizer = MDLDiscretizer(missing_bin=missing_bin).fit(X, y)
    codes = discretizer.transform(X)
    np.testing.assert_array_equal(
        discretizer.transform(discretizer.inverse_transform(codes)), codes
    )


def test_named_bins_go_back_as_codes_do(iris):
    X, y = iris
    X = X.mask(X == 5.1)
    discretizer = MDLDiscretizer(missing_bin=True).fit(X, y)
    from_codes = discretizer.inverse_transform(discretizer.transform(X))
    named = discretizer.set_output(transform="pandas").transform(X)
    np.testing.assert_array_equal(discretizer.inverse_transform(named), from_codes)


@pytest.mark.parametrize("code", [2, -1, 0.5, np.inf])
def test_a_code_of_no_bin_is_refused(code):
    discretizer = MDLDiscretizer().fit(X_STEP, Y_STEP)
    with pytest.raises(DataError, match=rf"'x0', row 1: found code {code}.*from 0 to 1"):
        discretizer.inverse_transform([[0], [code]])


def test_a_category_of_no_bin_is_refused():
    discretizer = MDLDiscretizer().fit(X_STEP, Y_STEP)
    frame = pd.DataFrame({"a": pd.Categorical(["(-inf, 3.5]", "(3.5, 4]"])})
    with pytest.raises(DataError, match=r"column 'a'.*'\(3.5, 4\]'.*expected bins among"):
        discretizer.inverse_transform(frame)


def test_codes_of_another_number_of_columns_are_refused():
    discretizer = MDLDiscretizer().fit(X_STEP, Y_STEP)
    with pytest.raises(DataError, match="2 columns of codes, expected 1"):
        discretizer.inverse_transform([[0, 0]])


# --- what bad input gets ---------------------------------------------------------------


@pytest.mark.parametrize("infinity", [np.inf, -np.inf])
@pytest.mark.parametrize("as_frame", [False, True])
def test_infinities_are_refused_by_column_and_row(infinity, as_frame):
    bad = np.column_stack([X_STEP, X_STEP])
    bad[2, 1] = infinity
    names = ["x0", "x1"]
    if as_frame:
        names = ["a", "b"]
        bad = pd.DataFrame(bad, columns=names)
    match = rf"column '{names[1]}', row 2: found {infinity}"
    with pytest.raises(DataError, match=match):
        MDLDiscretizer().fit(bad, Y_STEP)
    good = bad.copy() if not as_frame else bad.to_numpy().copy()
    good[2, 1] = 3.0
    good = pd.DataFrame(good, columns=names) if as_frame else good
    discretizer = MDLDiscretizer().fit(good, Y_STEP)
    with pytest.raises(DataError, match=match):
        discretizer.transform(bad)


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(["1", "2", "3", "4", "5", "6"]),
        pd.Series(["1", "2", "3", "4", "5", "6"], dtype=object),
        pd.Series(["1", "2", "3", "4", "5", "6"], dtype="category"),
        pd.date_range("2020-01-01", periods=6).to_series(),
    ],
    ids=["str", "object", "category", "dates"],
)
def test_text_is_refused_even_if_it_looks_like_numbers(column):
    with pytest.raises(DataTypeError, match=r"column 'a' has dtype .*expected numbers"):
        MDLDiscretizer().fit(pd.DataFrame({"a": column}), Y_STEP)


def test_text_in_an_array_is_refused():
    with pytest.raises(DataTypeError, match="column 'x0' has dtype"):
        MDLDiscretizer().fit(X_STEP.astype(str), Y_STEP)


def test_numbers_mixed_with_text_are_refused():
    frame = pd.DataFrame({"a": [1.0, 2.0, "3", 4.0, 5.0, 6.0]})
    with pytest.raises(DataError, match="column 'a' mixes number and text"):
        MDLDiscretizer().fit(frame, Y_STEP)


def test_duplicate_names_are_refused():
    frame = pd.DataFrame(np.ones((6, 2)), columns=["a", "a"])
    with pytest.raises(DataError, match=r"duplicate column names \['a'\]"):
        MDLDiscretizer().fit(frame, Y_STEP)


def test_labels_are_required():
    with pytest.raises(DataError, match="requires y to be passed, but the target y is None"):
        MDLDiscretizer().fit(X_STEP, None)


def test_missing_labels_are_refused():
    with pytest.raises(DataError, match=r"1 missing labels .* in rows 1"):
        MDLDiscretizer().fit(X_STEP[:2], ["a", None])


def test_negative_weights_are_refused():
    with pytest.raises(ValueError, match="Negative values"):
        MDLDiscretizer().fit(X_STEP, Y_STEP, sample_weight=[1, 1, -1, 1, 1, 1])


def test_weights_that_leave_no_row_are_refused():
    with pytest.raises(ValueError, match=r"no rows|[Zz]ero"):
        MDLDiscretizer().fit(X_STEP, Y_STEP, sample_weight=np.zeros(6))


def test_transforming_before_fitting_is_refused():
    with pytest.raises(NotFittedError):
        MDLDiscretizer().transform(X_STEP)
    with pytest.raises(NotFittedError):
        MDLDiscretizer().inverse_transform(X_STEP)


# --- company ---------------------------------------------------------------------------


def test_in_a_pipeline_the_cuts_are_learned_from_the_training_rows(iris):
    X, y = iris
    model = make_pipeline(MDLDiscretizer(), CategoricalNB(min_categories=3))
    assert cross_val_score(model, X, y, cv=5).mean() > 0.9
    model.fit(X[::2], y[::2])
    alone = MDLDiscretizer().fit(X[::2], y[::2])
    assert model[0].labels_ == alone.labels_


def test_in_a_column_transformer(iris):
    X, y = iris
    columns = ["petal width (cm)"]
    transformer = make_column_transformer((MDLDiscretizer(), columns))
    out = transformer.set_output(transform="pandas").fit_transform(X, y)
    assert out.iloc[:, 0].cat.categories.tolist() == ["(-inf, 0.8]", "(0.8, 1.75]", "(1.75, inf)"]


def test_in_a_grid_search(iris):
    X, y = iris
    model = make_pipeline(MDLDiscretizer(), CategoricalNB(min_categories=4))
    search = GridSearchCV(model, {"mdldiscretizer__missing_bin": [False, True]}, cv=3)
    assert search.fit(X, y).best_score_ > 0.9


def test_clone_and_pickle(iris):
    X, y = iris
    discretizer = MDLDiscretizer(missing_bin=True).fit(X, y)
    assert clone(discretizer).get_params() == {"missing_bin": True}
    again = pickle.loads(pickle.dumps(discretizer))
    np.testing.assert_array_equal(again.transform(X), discretizer.transform(X))
