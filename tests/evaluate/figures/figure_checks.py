"""What the tests of figures share: losses with awkward names, and where artists are."""

from itertools import combinations

import numpy as np
import pandas as pd
from matplotlib.text import Text
from odd_names import ODD_NAMES

TWENTY_NAMES = [*ODD_NAMES, *(f"method {i}" for i in range(9))]


def random_losses(names, n_datasets=30, spread=0.05):
    """Return losses that grow from method to method, on data sets with awkward names."""
    rng = np.random.default_rng(len(names))
    cells = rng.uniform(size=(n_datasets, len(names))) + spread * np.arange(len(names))
    rows = pd.Index([*ODD_NAMES, *range(100, 100 + n_datasets)][:n_datasets], tupleize_cols=False)
    return pd.DataFrame(cells, rows, pd.Index(names, tupleize_cols=False))


def extent(artist):
    """Return where an artist is on the page; of an annotation its letters only."""
    if isinstance(artist, Text):
        return Text.get_window_extent(artist)
    return artist.get_window_extent()


def inside(inner, outer, slack=0.5):
    outer = outer.padded(slack)
    return (
        outer.x0 <= inner.x0 and inner.x1 <= outer.x1 and outer.y0 <= inner.y0
    ) and inner.y1 <= outer.y1


def lay_out(display):
    """Return the whole figure, everything in its place."""
    figure = display.ax_.get_figure(root=True)
    figure.draw_without_rendering()
    return figure


def written(display):
    """Return all texts of a picture that are seen."""
    figure = lay_out(display)
    beyond = beyond_limits(display.ax_)
    texts = [text for text in figure.findobj(Text) if text.get_visible() and text not in beyond]
    return [text for text in texts if text.get_text().strip()]


def beyond_limits(ax):
    """Return the texts of ticks that an axis has beyond its ends, where it draws none."""
    texts = []
    for axis, limits in ((ax.xaxis, ax.get_xlim()), (ax.yaxis, ax.get_ylim())):
        low, high = sorted(limits)
        for tick in [*axis.get_major_ticks(), *axis.get_minor_ticks()]:
            if not low <= tick.get_loc() <= high:
                texts += [tick.label1, tick.label2]
    return texts


def require_legible(display):
    """Require texts that are inside the figure, apart from each other, and free of mathematics."""
    texts = written(display)
    page = display.ax_.get_figure(root=True).bbox
    for text in texts:
        assert inside(extent(text), page), text
        assert "$" not in text.get_text() or not text.get_parse_math()
    upright = [text for text in texts if text.get_rotation() % 90 == 0]
    for one, two in combinations(upright, 2):
        assert not extent(one).padded(-0.5).overlaps(extent(two).padded(-0.5)), (one, two)
