"""Missing cells and values not seen in training, under each policy."""

import math

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle.missing import MISSING as ORACLE_MISSING
from oracle.missing import imputed, with_missing_state
from oracle.tables import known, make_table

from bnclass import NaiveBayes
from bnclass.data.encoder import TableEncoder
from bnclass.exceptions import BnclassError, BnclassWarning, DataError

Y4 = ["n", "y", "n", "y"]


def fitted(X, y=None, **parameters):
    """Return an encoder and its training table."""
    encoder = TableEncoder(**parameters)
    return encoder, encoder.fit_transform(X, Y4 if y is None else y)


def domains(encoder):
    return {v.name: v.states for v in encoder.schema_.attributes}


HOLES = pd.DataFrame(
    {
        "w": ["v", None, "u", "v"],
        "full": ["p", "q", "p", "p"],
        "n": [1.0, 6.0, 2.0, None],
        "whole": [0.0, 8.0, 0.0, 8.0],
    }
)
NEW = pd.DataFrame(
    {"w": [None, "zz"], "full": [None, "zz"], "n": [None, 9.0], "whole": [None, 9.0]}
).astype({"w": object, "full": object, "n": float, "whole": float})


def test_marginalize_leaves_cells_missing():
    encoder, table = fitted(HOLES, missing="marginalize")
    assert domains(encoder)["w"] == ("u", "v")
    assert table.codes[:, 0].tolist() == [1, -1, 0, 1]
    assert encoder.transform(NEW).codes.tolist() == [[-1, -1, -1, -1], [-1, -1, 1, 1]]


def test_state_gives_missing_and_unknown_cells_a_state():
    encoder, table = fitted(HOLES, missing="state")
    assert domains(encoder)["w"] == ("u", "v", "missing")
    assert domains(encoder)["full"] == ("p", "q")  # no cell of it was missing in training
    assert table.codes[:, 0].tolist() == [1, 2, 0, 1]
    assert encoder.transform(NEW).codes[:, :2].tolist() == [[2, -1], [2, -1]]


@pytest.mark.parametrize("missing", ["state", "impute"])
def test_a_missing_number_takes_the_training_mean_before_it_is_cut(missing):
    encoder, table = fitted(HOLES, missing=missing)
    assert encoder.means_ == {"n": 3.0, "whole": 4.0}
    # With the mean, n has 1, 2 of one class and 3, 6 of the other; without, the cut is at 4.
    assert encoder.schema_["n"].cuts == (2.5,)
    assert table.codes[:, 2].tolist() == [0, 1, 0, 1]
    assert encoder.transform(NEW).codes[:, 2].tolist() == [1, 1]
    # The mean of a complete column is there for new rows: 4 lies in (-inf, 4].
    assert encoder.schema_["whole"].cuts == (4.0,)
    assert encoder.transform(NEW).codes[:, 3].tolist() == [0, 1]


def test_impute_fills_in_the_mode():
    encoder, table = fitted(HOLES, missing="impute")
    assert domains(encoder)["w"] == ("u", "v")
    assert table.codes[:, 0].tolist() == [1, 1, 0, 1]
    assert encoder.transform(NEW).codes[:, :2].tolist() == [[1, 0], [1, 0]]


def test_error_counts_the_missing_cells_of_each_column():
    with pytest.raises(DataError, match=r"missing cells \('w': 1, 'n': 1\), expected none"):
        fitted(HOLES, missing="error")


def test_error_refuses_missing_and_unknown_cells_at_prediction():
    encoder, _ = fitted(HOLES.drop(index=[1, 3]), Y4[:2], missing="error")
    message = r"missing or unknown cells \('w': 2, 'full': 2, 'n': 1, 'whole': 1\), expected none"
    with pytest.raises(DataError, match=message):
        encoder.transform(NEW)
    assert len(encoder.transform(HOLES.iloc[[0, 2]])) == 2


def test_an_unknown_policy_is_refused():
    with pytest.raises(BnclassError, match=r"missing is 'drop', expected one of \('marginalize'"):
        TableEncoder(missing="drop")


def test_a_wholly_missing_column_is_warned_of_and_left_out():
    frame = HOLES[["w"]].assign(none=None, nan=math.nan, na=pd.array([None] * 4, dtype="Int64"))
    message = r"columns \['none', 'nan', 'na'\] are wholly missing in training and stay out"
    with pytest.warns(BnclassWarning, match=message):
        encoder, table = fitted(frame)
    assert encoder.schema_.names == ("w",)
    assert table.codes.shape == (4, 1)
    filled = frame.assign(none="now", nan=1.0, na=2)
    assert encoder.transform(filled).codes.tolist() == table.codes.tolist()


def test_the_warning_points_to_the_line_that_fits():
    with pytest.warns(BnclassWarning, match="wholly missing") as caught:
        NaiveBayes().fit(HOLES.assign(gone=math.nan), Y4)
    assert {w.filename for w in caught} == {__file__}


def test_nothing_but_missing_columns():
    with pytest.warns(BnclassWarning, match="wholly missing"):
        encoder, table = fitted(pd.DataFrame({"a": [math.nan] * 4}))
    assert encoder.schema_.names == ()
    assert table.codes.shape == (4, 0)


# ---------------------------------------------------------------- the oracle

ORACLE_ROWS = st.lists(st.tuples(*[st.sampled_from(["u", "v", "w", None])] * 2), min_size=1)
QUERIES = st.lists(st.tuples(*[st.sampled_from(["u", "v", "w", "zz", None])] * 2), min_size=1)


@pytest.mark.parametrize(
    ("missing", "policy"),
    [
        ("marginalize", lambda table: (table, lambda row: known(table, row))),
        ("state", with_missing_state),
        ("impute", imputed),
    ],
)
@settings(deadline=None)
@given(rows=ORACLE_ROWS, queries=QUERIES)
def test_policies_agree_with_the_oracle(missing, policy, rows, queries):
    rows = [("v", "u"), *rows]
    table, encode = policy(make_table(rows, ["K"] * len(rows)))
    encoder, trained = fitted(objects(rows), ["K"] * len(rows), missing=missing)
    assert decoded(trained) == table.rows
    assert decoded(encoder.transform(objects(queries))) == [encode(row) for row in queries]


def objects(rows):
    return pd.DataFrame(rows, columns=["a", "b"], dtype=object)


def decoded(table):
    """Return a table's rows as the oracle has them."""
    return [
        tuple(
            None if code < 0 else ORACLE_MISSING if v.states[code] == "missing" else v.states[code]
            for v, code in zip(table.variables, row, strict=True)
        )
        for row in table.codes
    ]
