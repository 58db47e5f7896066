"""All estimators, by the columns they take, as the tests of cases and laws share them."""

import pytest

import bnclass as bc

OF_STATES = [
    bc.NaiveBayes(),
    bc.SPODE(),
    bc.TAN(),
    bc.KDB(1),
    bc.KDB(None),
    bc.AODE(),
    bc.AODE(subsumption=2),
    bc.ATAN(),
    bc.ATAN("mutual-information"),
    bc.KST(),
    bc.KST(1, "local", "pairwise", average="posterior"),
    bc.StructureClassifier(),
]
"""They make states of numbers."""

OF_BOTH = [
    bc.NaiveBayes(continuous="gaussian"),
    bc.SPODE(continuous="gaussian"),
    bc.TAN(continuous="gaussian"),
    bc.KDB(2, continuous="gaussian"),
    bc.ATAN(continuous="gaussian"),
    bc.StructureClassifier(continuous="gaussian"),
    bc.HAODE(),
]
"""They keep numbers, and take states beside them."""

OF_NUMBERS = [
    bc.GAODE(),
    bc.GAODE("pooled"),
    bc.KST(continuous="gaussian"),
    bc.KST(1, "local", "pairwise", average="posterior", continuous="gaussian"),
]
"""They take numbers only."""

for_models_of_states = pytest.mark.parametrize("model", [*OF_STATES, *OF_BOTH], ids=repr)
for_models_of_numbers = pytest.mark.parametrize(
    "model", [*OF_STATES, *OF_BOTH, *OF_NUMBERS], ids=repr
)
ONE_EACH = [bc.NaiveBayes(), bc.AODE(), bc.KST(), bc.TAN(continuous="gaussian"), bc.HAODE()]
for_one_of_each_kind = pytest.mark.parametrize("model", ONE_EACH, ids=repr)
for_one_of_each_kind_of_numbers = pytest.mark.parametrize(
    "model", [*ONE_EACH, bc.GAODE(), bc.KST(continuous="gaussian")], ids=repr
)
"""Of what all estimators share, encoding, one of each way into it is enough."""

SINGLE = [m for m in [*OF_STATES, *OF_BOTH] if isinstance(m, bc.NaiveBayes | bc.SPODE | bc.TAN)]
SINGLE += [m for m in [*OF_STATES, *OF_BOTH] if isinstance(m, bc.KDB | bc.StructureClassifier)]
"""They have one network."""


def require_distributions(model, rows):
    """Assert that all rows get probabilities, and the first of the most probable classes."""
    found = model.predict_proba(rows)
    assert ((found >= 0) & (found <= 1 + 1e-12)).all()  # not NaN either
    assert found.sum(axis=1) == pytest.approx(1.0, abs=1e-12)
    assert (model.predict(rows) == model.classes_[found.argmax(axis=1)]).all()
    return found
