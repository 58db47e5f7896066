"""Frames of states and numbers that several tests of all classifiers share."""

import numpy as np
import pandas as pd

import bnclass as bc

NUMBERS_ONLY = [
    bc.GAODE(),
    bc.GAODE("hugin"),
    bc.GAODE("pooled"),
    bc.KST(continuous="gaussian"),
    bc.KST(1, "local", "pairwise", continuous="gaussian"),
]
ANY_KIND = [
    bc.NaiveBayes(continuous="gaussian"),
    bc.SPODE(continuous="gaussian"),
    bc.TAN(continuous="gaussian"),
    bc.KDB(1, continuous="gaussian"),
    bc.KDB(2, continuous="gaussian"),
    bc.KDB(None, continuous="gaussian"),
    bc.StructureClassifier(continuous="gaussian"),
    bc.HAODE(),
    bc.HAODE(min_count=1000),  # always naive Bayes
]
EVERY_MODEL = [*ANY_KIND, *NUMBERS_ONLY]


def random_frame(seed, kinds, t=40, holes=0.0):
    """Draw columns of numbers ("n", of spread about 1) and states ("s") that hang together.

    Returns
    -------
    frame, labels
    """
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, t)
    common = rng.normal(labels, 1.0)
    columns = {}
    for i, kind in enumerate(kinds):
        noisy = common + rng.normal(0, 0.5 + i / 2, t)
        missing = rng.random(t) < holes
        if kind == "n":
            columns[f"x{i}"] = np.where(missing, np.nan, noisy)
        else:
            states = np.digitize(noisy, [0.0, 1.5])
            columns[f"x{i}"] = pd.Categorical.from_codes(np.where(missing, -1, states), list("uvw"))
    return pd.DataFrame(columns), np.array(["k", "l", "m"])[labels]


def kinds_for(model, kinds="nsnns"):
    """Return the kinds, without states where a model takes numbers only."""
    return kinds.replace("s", "n") if isinstance(model, (bc.GAODE, bc.KST)) else kinds


def with_holes(frame, seed, share=0.2):
    """Return the frame with some cells missing."""
    return frame.mask(np.random.default_rng(seed).random(frame.shape) < share)
