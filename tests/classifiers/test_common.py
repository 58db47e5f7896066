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
    bc.AODE(subsumption=1),
    bc.ATAN(),
    bc.ATAN("mutual-information"),
    bc.StructureClassifier(),
    bc.KDB(constraints=bc.Constraints(max_parents=1)),
    bc.NaiveBayes(continuous="gaussian"),
    bc.SPODE(continuous="gaussian"),
    bc.TAN(continuous="gaussian"),
    bc.KDB(continuous="gaussian"),
    bc.KDB(None, continuous="gaussian"),
    bc.ATAN(continuous="gaussian"),
    bc.StructureClassifier(continuous="gaussian"),
    bc.GAODE(),
    bc.HAODE(),
    bc.KST(),
    bc.KST(dependence="pairwise"),
    bc.KST(members="local", average="posterior"),
    bc.KST(continuous="gaussian"),
    bc.KST(members="local", average="posterior", continuous="gaussian"),
]


# Some checks train on one class or one row on purpose, which bnclass warns of.
@pytest.mark.filterwarnings("ignore::bnclass.BnclassWarning")
@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_common_checks(estimator, check):
    check(estimator)
