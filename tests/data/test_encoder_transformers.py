"""A scikit-learn transformer as `continuous`."""

import math

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, KBinsDiscretizer, StandardScaler

from bnclass.data.discretize import MDLDiscretizer
from bnclass.data.encoder import TableEncoder
from bnclass.exceptions import BnclassError, BnclassWarning, DataError, DataTypeError

FRAME = pd.DataFrame(
    {"n": [0.0, 1.0, 2.0, 10.0], "word": ["u", "v", "u", "v"], "m": [5.0, 6.0, 7.0, 8.0]}
)
Y = [0, 1, 0, 1]


def halves(**more):
    return KBinsDiscretizer(2, encode="ordinal", strategy="uniform", **more)


def fitted(X, weights=None, y=None, **parameters):
    encoder = TableEncoder(**parameters)
    return encoder, encoder.fit_transform(X, Y if y is None else y, weights)


class Recorder(TransformerMixin, BaseEstimator):
    """Round to whole tens, and remember what came."""

    def fit(self, X, y, sample_weight=None):
        self.seen_ = (X.copy(), list(y), None if sample_weight is None else list(sample_weight))
        return self

    def transform(self, X):
        return (X // 10).to_numpy()


def test_kbins_by_hand():
    encoder, table = fitted(FRAME, continuous=halves())
    assert [v.states for v in encoder.schema_.attributes] == [(0.0, 1.0), ("u", "v"), (0.0, 1.0)]
    assert table.codes.tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]]
    new = FRAME.assign(n=[-9.0, 4.9, 5.0, 99.0])
    assert encoder.transform(new).codes[:, 0].tolist() == [0, 0, 1, 1]


def test_the_transformer_is_cloned_and_gets_the_numeric_columns_and_the_class_codes():
    given = Recorder()
    encoder, _ = fitted(FRAME, y=["b", "a", "b", "a"], continuous=given)
    X, y, weights = encoder.discretizer_.seen_
    assert not hasattr(given, "seen_")
    assert X.columns.tolist() == ["n", "m"]
    assert (y, weights) == ([1, 0, 1, 0], None)


def test_columns_taken_as_discrete_are_not_given_to_it():
    encoder, _ = fitted(FRAME, continuous=Recorder(), categorical_features=["n"])
    assert encoder.discretizer_.seen_[0].columns.tolist() == ["m"]
    assert encoder.schema_["n"].states == (0.0, 1.0, 2.0, 10.0)


def test_without_numeric_columns_there_is_nothing_to_fit():
    encoder, table = fitted(FRAME[["word"]], continuous=halves())
    assert encoder.discretizer_ is None
    assert encoder.transform(FRAME[["word"]]).codes.tolist() == table.codes.tolist()


def test_weights_go_to_a_transformer_that_takes_them():
    encoder, _ = fitted(FRAME, [2.0, 0.0, 1.0, 1.0], continuous=Recorder())
    X, _, weights = encoder.discretizer_.seen_
    assert weights == [2.0, 1.0, 1.0]
    assert X["n"].tolist() == [0.0, 2.0, 10.0]


def test_weights_that_it_does_not_take_are_warned_of():
    pipeline = make_pipeline(StandardScaler(), halves())
    with pytest.warns(BnclassWarning, match="Pipeline takes no weights, so all rows count alike"):
        fitted(FRAME, [2.0, 1.0, 1.0, 1.0], continuous=pipeline)
    fitted(FRAME, [3.0] * 4, continuous=pipeline)  # alike anyway: a warning would be an error


def test_mdl_as_a_transformer_finds_the_bins_of_mdl():
    frame = pd.DataFrame({"n": [1.0, 6.0, 2.0, 5.0], "m": [1.0, 2.0, math.nan, 3.0]})
    named = MDLDiscretizer().set_output(transform="pandas")
    encoder, table = fitted(frame, continuous=named)
    plain, expected = fitted(frame)
    assert table.codes.tolist() == expected.codes.tolist()
    assert [v.states for v in encoder.schema_] == [v.states for v in plain.schema_]


@pytest.mark.parametrize("missing", ["state", "impute"])
def test_missing_numbers_take_the_mean_before_it(missing):
    frame = FRAME.assign(n=[0.0, None, 2.0, 10.0])
    encoder, table = fitted(frame, continuous=halves(), missing=missing)
    assert encoder.means_ == {"n": 4.0, "m": 6.5}
    assert table.codes[:, 0].tolist() == [0, 0, 0, 1]
    assert encoder.schema_["n"].states == (0.0, 1.0)
    assert encoder.transform(frame.assign(m=[math.nan] * 4)).codes[:, 2].tolist() == [1] * 4


def test_otherwise_it_gets_nan():
    frame = FRAME.assign(n=[0.0, None, 2.0, 10.0])
    encoder, table = fitted(frame, continuous=Recorder())
    assert table.codes[:, 0].tolist() == [0, -1, 0, 1]
    assert encoder.transform(frame).codes.tolist() == table.codes.tolist()
    with pytest.raises(ValueError, match="contains NaN"):  # scikit-learn's own message
        fitted(frame, continuous=halves())


@pytest.mark.parametrize(
    ("made", "shape"),
    [
        (lambda X: X.iloc[:, :1], r"\(4, 1\)"),
        (lambda X: np.hstack([X, X]), r"\(4, 4\)"),
        (lambda X: X.iloc[:3], r"\(3, 2\)"),
    ],
)
def test_a_transformer_that_returns_another_shape_is_refused(made, shape):
    message = rf"the transformer made a table of shape {shape}, expected \(4, 2\): a discrete col"
    with pytest.raises(DataError, match=message):
        fitted(FRAME, continuous=FunctionTransformer(made))


def test_one_hot_columns_are_refused():
    with pytest.raises(DataTypeError, match=r"found a sparse .*, expected a dense table"):
        fitted(FRAME, continuous=halves().set_params(encode="onehot"))
    with pytest.raises(DataError, match=r"made a table of shape \(4, 4\), expected \(4, 2\)"):
        fitted(FRAME, continuous=halves().set_params(encode="onehot-dense"))
    assert scipy.sparse.issparse(halves().set_params(encode="onehot").fit_transform(FRAME[["n"]]))


@pytest.mark.parametrize("cell", ["12", True], ids=repr)
def test_another_kind_at_prediction_is_refused(cell):
    encoder, _ = fitted(FRAME, continuous=halves())
    with pytest.raises(DataError, match=r"column 'n' holds .*, expected number as in training"):
        encoder.transform(FRAME.assign(n=[cell] * 4))


def test_infinite_cells_are_refused_before_the_transformer_sees_them():
    encoder, _ = fitted(FRAME, continuous=Recorder())
    bad = FRAME.assign(m=[1.0, math.inf, 1.0, 1.0])
    with pytest.raises(DataError, match="column 'm', row 1: found inf"):
        encoder.transform(bad)
    with pytest.raises(DataError, match="column 'm', row 1: found inf"):
        fitted(bad, continuous=Recorder())


@pytest.mark.parametrize("continuous", ["gauss", None, 3, ["mdl"], "MDL"], ids=repr)
def test_what_is_no_transformer_is_refused(continuous):
    with pytest.raises(
        BnclassError, match=r"continuous is .*, expected 'mdl', 'gaussian' or a transformer"
    ):
        TableEncoder(continuous=continuous)


def test_fitting_again_forgets_the_transformer():
    encoder, _ = fitted(FRAME, continuous=halves())
    table = encoder.fit_transform(FRAME[["word"]], Y)
    assert encoder.discretizer_ is None
    assert encoder.transform(FRAME[["word"]]).codes.tolist() == table.codes.tolist()


@pytest.mark.filterwarnings("ignore::bnclass.BnclassWarning")
def test_a_fitted_transformer_names_the_columns_that_it_wants():
    whole = pd.DataFrame({"a": np.arange(8.0), "b": np.arange(8.0)})
    cuts = FrozenEstimator(MDLDiscretizer().fit(whole, [0] * 4 + [1] * 4))
    with pytest.raises(DataError, match=r"with values are \['a'\], expected \['a', 'b'\]"):
        TableEncoder(continuous=cuts).fit_transform(whole[:4].assign(b=np.nan), [0, 1, 0, 1])
