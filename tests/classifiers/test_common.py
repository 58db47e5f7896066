"""scikit-learn's own checks for every estimator."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import bnclass as bc

ESTIMATORS = [
    bc.NaiveBayes(),
    bc.SPODE(),
    bc.TAN(),
    bc.KDB(),
    bc.AODE(),
    bc.StructureClassifier(),
]


# Some checks train on one class or one row on purpose, which bnclass warns of.
@pytest.mark.filterwarnings("ignore::bnclass.BnclassWarning")
@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_common_checks(estimator, check):
    check(estimator)
