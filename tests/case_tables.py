"""Tables whose columns hang together with the labels, for the tests of cases."""

import numpy as np
import pandas as pd


def states(t=24, seed=0):
    """Return columns of text, and labels."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, t)
    columns = {name: np.where(rng.random(t) < 0.7, labels, 1 - labels) for name in "abc"}
    frame = pd.DataFrame({n: np.array(["x", "y"])[c] for n, c in columns.items()}, dtype=object)
    return frame, np.array(["no", "yes"])[labels]


def numbers(t=24, seed=0):
    """Return columns of numbers, and labels."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, t)
    frame = pd.DataFrame({name: rng.normal(2 * labels, 1).round(2) for name in "abc"})
    return frame, np.array(["no", "yes"])[labels]
