"""The invariants of the methods page that tie models to one another, and the class prior."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bnclass as bc
from bnclass.statistics.smoothing import as_smoothing

MODELS = [
    bc.NaiveBayes(),
    bc.SPODE(),
    bc.TAN(),
    bc.KDB(k=1),
    bc.KDB(k=None),
    bc.AODE(),
    bc.AODE(smoothing=bc.Laplace(0.5)),
    bc.AODE(subsumption=2),
    bc.ATAN(),
    bc.ATAN("mutual-information", smoothing=0),
    bc.TAN(smoothing=bc.BDeu(1.0)),
    bc.KDB(smoothing=0),
]
for_each_model = pytest.mark.parametrize("model", MODELS, ids=repr)
ignore_little_data = pytest.mark.filterwarnings("ignore::bnclass.BnclassWarning")

NAMES = st.lists(
    st.one_of(st.text(max_size=4), st.sampled_from(["class", "a b", "x,y", "é", "(0, 1]"])),
    min_size=1,
    max_size=5,
    unique=True,
)


@st.composite
def mixed_tables(draw):
    """Draw a frame of text, bool, category and numeric columns with holes, and labels."""
    names, t = draw(NAMES), draw(st.integers(2, 20))
    kinds = {
        "text": st.sampled_from(["u", "v", "", None]),
        "bool": st.sampled_from([True, False, None]),
        "number": st.sampled_from([0.0, 0.5, 1.0, 2.5, np.nan]),
    }
    frame = pd.DataFrame(index=range(t))
    for name in names:
        kind = draw(st.sampled_from([*kinds, "category"]))
        cells = draw(st.lists(kinds.get(kind, kinds["text"]), min_size=t, max_size=t))
        if kind == "category":
            frame[name] = pd.Categorical(cells, categories=["w", "v", "u", ""])
        else:
            frame[name] = pd.Series(cells, dtype=float if kind == "number" else object)
    labels = draw(
        st.one_of(
            st.lists(st.sampled_from(["yes", "no", "Yes"]), min_size=t, max_size=t),
            st.lists(st.booleans(), min_size=t, max_size=t),
            st.lists(st.integers(-1, 1), min_size=t, max_size=t),
        )
    )
    # A first row without holes keeps every column in the model.
    for name in names:
        if frame[name].isna().all():
            frame[name] = pd.Series(["u"] + [None] * (t - 1), dtype=object)
    return frame, labels


@ignore_little_data
@settings(max_examples=40, deadline=None)
@given(case=mixed_tables())
def test_models_that_are_the_same(case):
    frame, labels = case
    naive = bc.NaiveBayes().fit(frame, labels).predict_proba(frame)
    zero = bc.KDB(k=0).fit(frame, labels).predict_proba(frame)
    assert (zero == naive).all()
    full = bc.KDB(k=None).fit(frame, labels).predict_proba(frame)
    most = bc.KDB(k=frame.shape[1] - 1).fit(frame, labels).predict_proba(frame)
    assert (full == most).all()
    first = frame.iloc[:, :1]
    unsmoothed = bc.NaiveBayes(smoothing=0).fit(first, labels).predict_proba(first)
    alone = bc.AODE(smoothing=0).fit(first, labels).predict_proba(first)
    seen = first.notna().to_numpy().ravel()
    if seen.all():
        assert alone == pytest.approx(unsmoothed, abs=1e-12)


@pytest.mark.parametrize("smoothing", [0.0, bc.BDeu(3.0)], ids=repr)
def test_all_roots_of_one_tree_give_the_same_joint(smoothing):
    X, y = bc.load_dataset("monks-1")
    joints = [
        bc.TAN(root=root, smoothing=smoothing).fit(X, y).predict_joint_log_proba(X)
        for root in X.columns
    ]
    trees = {
        frozenset(
            frozenset(arc)
            for arc in bc.TAN(root=root).fit(X, y).network_.structure.arcs
            if "class" not in arc
        )
        for root in X.columns
    }
    assert len(trees) == 1  # one tree to re-root: monks-1 has no ties that matter
    for joint in joints[1:]:
        assert joint == pytest.approx(joints[0], abs=1e-10)


@pytest.mark.parametrize(
    "model", [bc.NaiveBayes(), bc.SPODE(), bc.TAN(), bc.KDB(), bc.AODE()], ids=repr
)
def test_the_joint_sums_to_one(model):
    X, y = bc.load_dataset("monks-2")  # the complete grid of all attribute values
    model.fit(X, y)
    assert np.exp(model.predict_joint_log_proba(X)).sum() == pytest.approx(1.0, abs=1e-12)


@ignore_little_data
@for_each_model
def test_without_a_column_the_answer_is_the_class_prior(model):
    nothing = pd.DataFrame({"a": [None] * 4, "b": [np.nan] * 4})
    with pytest.warns(bc.BnclassWarning, match=r"columns \['a', 'b'\] are wholly missing"):
        model.fit(nothing, [0, 1, 1, 1])
    prior = as_smoothing(model.smoothing).probabilities(np.array([1.0, 3.0]))
    expected = np.tile(prior, (4, 1))
    assert model.predict_proba(nothing) == pytest.approx(expected, abs=1e-12)
