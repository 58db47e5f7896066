"""Raw tables as vectors: what is discrete, distances, and what training rows decide."""

import math
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mixed_frames import random_frame
from sklearn.base import clone

import bnclass as bc
from bnclass.evaluate.vectors import VectorEncoder

HALF = 1 / math.sqrt(2)

BY_HAND = pd.DataFrame(
    {
        "n": [10.0, 20.0, np.nan],
        "colour": ["red", "green", None],
        "m": [0, 4, 2],
    }
)


def squared_distances(rows, others):
    return ((rows[:, None, :] - others[None, :, :]) ** 2).sum(axis=2)


def test_by_hand():
    found = VectorEncoder().fit(BY_HAND).transform(BY_HAND)
    # green, red, missing; then n, whose mean is 15, and m
    expected = [[0, HALF, 0, 0, 0], [HALF, 0, 0, 1, 1], [0, 0, HALF, 0.5, 0.5]]
    assert found == pytest.approx(np.array(expected))
    # 1 for the colour and 1 for each number; 1 for the colour, ¼ for each number
    assert squared_distances(found, found) == pytest.approx(
        np.array([[0, 3, 1.5], [3, 0, 1.5], [1.5, 1.5, 0]])
    )


def test_later_rows_change_no_scale_and_no_column():
    encoder = VectorEncoder().fit(BY_HAND)
    later = pd.DataFrame({"n": [30.0, 5.0], "colour": ["blue", "red"], "m": [6, -4]})
    expected = [[0, 0, 0, 2, 1.5], [0, HALF, 0, -0.5, -1]]
    assert encoder.transform(later) == pytest.approx(np.array(expected))


def test_an_unseen_value_is_as_far_from_every_value():
    encoder = VectorEncoder().fit(BY_HAND[["colour"]])
    later = encoder.transform(pd.DataFrame({"colour": ["blue"]}))
    found = squared_distances(later, encoder.transform(BY_HAND[["colour"]]))
    assert found == pytest.approx(np.full((1, 3), 0.5))


def test_a_missing_cell_is_unseen_where_training_had_none():
    encoder = VectorEncoder().fit(pd.DataFrame({"a": ["u", "v"]}))
    assert encoder.transform(pd.DataFrame({"a": ["v", None]})).tolist() == [[0, HALF], [0, 0]]


def test_declared_levels_without_a_row_are_unseen():
    levels = pd.CategoricalDtype(["u", "v", "w"])
    encoder = VectorEncoder().fit(pd.DataFrame({"a": pd.Series(["w", "u"], dtype=levels)}))
    later = pd.DataFrame({"a": pd.Series(["v", "w"], dtype=levels)})
    assert encoder.transform(later).tolist() == [[0, 0], [0, HALF]]


@pytest.mark.parametrize(
    ("column", "width"),
    [
        (pd.Series([1, 2, 3]), 1),
        (pd.Series([1, None, 3], dtype="Int64"), 1),
        (pd.Series([1.5, 2.5, 3.5], dtype=np.float16), 1),
        (pd.Series([True, False, True]), 2),
        (pd.Series([True, None, False], dtype="boolean"), 3),
        (pd.Series([True, None, False], dtype=object), 3),
        (pd.Series(["a", "b", "a"]), 2),
        (pd.Series(["a", None, "a"], dtype="string"), 2),
        (pd.Series([1, 2, 2], dtype=object), 2),
        (pd.Series([1, 2, None], dtype="category"), 3),
        (pd.Series(pd.Categorical([1.5, 2.5, 1.5], [3.5, 2.5, 1.5])), 2),
    ],
    ids=lambda value: str(getattr(value, "dtype", value)),
)
def test_columns_are_discrete_where_they_are_for_our_estimators(column, width):
    frame = pd.DataFrame({"v": column})
    encoder = VectorEncoder().fit(frame)
    ours = bc.NaiveBayes(continuous="gaussian").fit(frame, ["a", "b", "a"]).schema_
    assert encoder.transform(frame).shape == (3, width)
    assert encoder.encoder_.schema_.attributes == ours.attributes
    assert ours["v"].is_continuous == (width == 1)


def test_numbers_are_discrete_where_they_are_said_to_be():
    frame = pd.DataFrame({"n": [1, 2, 3], "m": [1, 2, 3]})
    assert VectorEncoder(categorical_features=["m"]).fit_transform(frame).shape == (3, 4)
    assert VectorEncoder(categorical_features="all").fit_transform(frame).shape == (3, 6)


def test_constant_columns_have_no_say():
    frame = pd.DataFrame({"n": [0.1] * 3, "s": ["u"] * 3, "h": [None, 0.1, 0.1]})
    encoder = VectorEncoder().fit(frame)
    assert encoder.transform(frame).tolist() == [[HALF, 0, 0]] * 3
    later = pd.DataFrame({"n": [7.0], "s": [None], "h": [-1.0]})
    assert encoder.transform(later).tolist() == [[0, 0, 0]]


def test_wholly_missing_columns_are_left_out():
    frame = pd.DataFrame({"a": [None] * 3, "n": [1.0, 2, 3], "b": [np.nan] * 3})
    with pytest.warns(bc.BnclassWarning, match="'a', 'b'.* wholly missing"):
        encoder = VectorEncoder().fit(frame)
    later = pd.DataFrame({"a": ["x"], "n": [2.0], "b": [5.0]})
    assert encoder.transform(later).tolist() == [[0.5]]
    with pytest.warns(bc.BnclassWarning, match="wholly missing"):
        encoder = VectorEncoder().fit(frame[["a", "b"]])
    assert encoder.transform(later[["a", "b"]]).tolist() == [[0]]


def test_a_number_missing_in_all_later_rows_is_the_mean():
    encoder = VectorEncoder().fit(pd.DataFrame({"n": [0.0, 1.0, 5.0], "s": list("uvu")}))
    later = pd.DataFrame({"n": [None], "s": [None]}, dtype=object)
    assert encoder.transform(later) == pytest.approx(np.array([[0, 0, 0.4]]))


def test_extreme_numbers_stay_in_single_precision():
    wide = pd.DataFrame({"n": [-1e100, 1e100, 0.0]})
    assert VectorEncoder().fit_transform(wide).ravel().tolist() == [0, 1, 0.5]
    narrow = VectorEncoder().fit(pd.DataFrame({"n": [0.0, 1e-99]}))
    found = narrow.transform(pd.DataFrame({"n": [1e100, -1e100, 1e-99]}))
    assert found.ravel().tolist() == [1e30, -1e30, 1]
    assert np.isfinite(found.astype(np.float32)).all()
    close = VectorEncoder().fit_transform(pd.DataFrame({"n": [1e-20, 2e-20, 3e-20]}))
    assert close.ravel() == pytest.approx([0, 0.5, 1])


def test_other_libraries_tables():
    cells = {"n": [1, None, 3], "s": ["u", "v", None], "b": [True, False, True]}
    frame = pd.DataFrame(cells | {"n": pd.array(cells["n"], dtype="Int64")})
    expected = VectorEncoder().fit_transform(frame)
    polars = pl.DataFrame(cells)
    assert (VectorEncoder().fit_transform(polars) == expected).all()
    assert (VectorEncoder().fit(frame).transform(polars) == expected).all()
    numbers = np.array([[1.0, 5.0], [np.nan, 6.0], [3.0, 7.0]])
    expected = [[0, 0], [0.5, 0.5], [1, 1]]
    assert VectorEncoder().fit_transform(numbers).tolist() == expected
    assert VectorEncoder().fit_transform(numbers.tolist()).tolist() == expected
    mixed = [["u", 1.0], [None, 2.0]]
    assert VectorEncoder().fit_transform(mixed).tolist() == [[HALF, 0, 0], [0, HALF, 1]]
    objects = np.array(mixed, dtype=object)  # every column of objects is discrete
    assert VectorEncoder().fit_transform(objects).shape == (2, 4)


def test_names_of_any_kind():
    frame = pd.DataFrame({0: [1.0, 2.0], ("a", 1): ["u", "v"], "class": [3, 4]})
    with pytest.raises(TypeError, match="names are only supported if all input features"):
        VectorEncoder().fit(frame)  # by scikit-learn, as for our estimators
    frame = frame.set_axis([5, 0, 7], axis=1)
    assert VectorEncoder().fit_transform(frame).shape == (2, 4)


def test_refusals():
    encoder = VectorEncoder().fit(BY_HAND)
    with pytest.raises(bc.DataError, match="row 0: found inf"):
        VectorEncoder().fit(pd.DataFrame({"n": [np.inf, 1.0]}))
    with pytest.raises(bc.DataTypeError, match="dtype datetime"):
        VectorEncoder().fit(pd.DataFrame({"d": pd.to_datetime(["2020-01-01"])}))
    with pytest.raises(bc.DataError, match="holds text, expected number"):
        encoder.transform(BY_HAND.assign(m="x"))
    with pytest.raises(ValueError, match="feature names"):
        encoder.transform(BY_HAND[["n"]])
    with pytest.raises(bc.DataError, match="0 sample"):
        encoder.transform(BY_HAND.head(0))
    with pytest.raises(bc.BnclassError, match="categorical_features names 'x'"):
        VectorEncoder(categorical_features=["x"]).fit(BY_HAND)


def test_memory_is_counted_before():
    encoder = VectorEncoder().fit(BY_HAND)
    bc.set_max_memory(8 * 3 * 5 - 1)
    try:
        with pytest.raises(bc.MemoryLimitError, match="vectors of 5 numbers for 3 rows"):
            encoder.transform(BY_HAND)
    finally:
        bc.set_max_memory(None)


def test_clone_and_pickle():
    encoder = VectorEncoder(categorical_features=["m"]).fit(BY_HAND)
    again = pickle.loads(pickle.dumps(encoder))
    assert (again.transform(BY_HAND) == encoder.transform(BY_HAND)).all()
    assert clone(encoder).get_params() == {"categorical_features": ["m"]}


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.text("ns", min_size=1, max_size=5))
def test_distances_are_what_they_are_said_to_be(seed, kinds):
    frame, _ = random_frame(seed, kinds, t=12, holes=0.2)
    if frame.isna().all().any():
        return
    vectors = VectorEncoder().fit_transform(frame)
    assert squared_distances(vectors, vectors) == pytest.approx(expected_distances(frame))


def expected_distances(frame):
    """Return squared distances, column by column: 1 for different values, or that of numbers."""
    total = np.zeros((len(frame), len(frame)))
    for name in frame:
        column = frame[name]
        if column.dtype == "category":
            values = column.astype(object).where(column.notna(), "missing").to_numpy()
            total += values[:, None] != values[None, :]
        else:
            filled = column.fillna(column.mean()).to_numpy()
            total += ((filled[:, None] - filled[None, :]) / np.ptp(filled)) ** 2
    return total
