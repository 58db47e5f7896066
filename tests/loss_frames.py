"""Frames of losses, drawn as fractions so that the oracle can be exact."""

from fractions import Fraction

import pandas as pd
from hypothesis import strategies as st


@st.composite
def exact_losses(draw, min_datasets=1, max_datasets=7, min_methods=2, max_methods=5):
    """Draw losses in steps that meet the 5 % rule's threshold and tie often."""
    n = draw(st.integers(min_datasets, max_datasets))
    k = draw(st.integers(min_methods, max_methods))
    steps = st.sampled_from([0, 19, 20, 38, 39, 40, 190, 200])
    loss = st.builds(Fraction, steps, st.sampled_from([200, 300]))
    row = st.lists(loss, min_size=k, max_size=k)
    return draw(st.lists(row, min_size=n, max_size=n))


def as_frame(losses):
    """Return exact losses as the floats nearest to them."""
    floats = [[float(loss) for loss in row] for row in losses]
    return pd.DataFrame(floats, columns=[f"m{j}" for j in range(len(losses[0]))])
