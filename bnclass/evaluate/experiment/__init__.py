"""Running classifiers over data sets, in folds, so that a run can be stopped and taken up."""
