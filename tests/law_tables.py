"""Random tables of any schema: odd names, kinds, states and labels, holes, weights, and queries.

The schema is drawn by hypothesis, which shrinks it; the cells by a seed, which is cheap.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st

NAMES = {
    "text": st.text(max_size=4)
    | st.sampled_from(["", " ", "class", "class_", "é", "日本", "(0, 1]", "x0", "a (binned)", "a"]),
    "whole numbers": st.integers(-3, 20),
    "fractions": st.sampled_from([0.25, -1.5, 3.0, 1e300, 2**0.5]) | st.floats(-9, 9),
    "tuples": st.tuples(st.sampled_from(["a", "", 0, True]), st.integers(0, 9)),
    "no text": st.booleans() | st.integers(2, 9) | st.tuples(st.integers(0, 9)),
}
STATES = {
    "text": ["u", "", "B", "nan"],
    "bool": [False, True],
    "whole objects": [3, -1, 10],
    "one state": ["k"],
    "category": pd.CategoricalDtype(["w", "v", "", "unused", "a b"]),
    "ordered category": pd.CategoricalDtype([3, 1, 2, 99], ordered=True),
    "boolean": "boolean",
}
"""Kinds of discrete columns: the values, or the dtype."""

NUMBERS = ["normal", "normal", "few", "whole", "nullable", "single", "constant", "large"]
LABELS = {
    "text": ["no", "", "Yes", "é"],
    "bool": [True, False],
    "whole": [5, -1, 0],
    "floats": [2.0, -1.0, 0.0],
    "category": ["b", "a", "c"],  # declared in this order, with one level more
}
WEIGHTS = ["none", "whole", "whole", "quarters", "fractions"]


@dataclass(frozen=True)
class Table:
    """Training rows, and rows to ask for."""

    frame: pd.DataFrame
    labels: Any
    weights: Any
    asked: pd.DataFrame
    numeric: tuple[Any, ...]  # names of the columns of numbers

    @property
    def is_whole(self):
        """Return whether all weights are whole numbers."""
        return self.weights is None or (self.weights == np.floor(self.weights)).all()

    def permuted(self, rng):
        """Return the training rows in another order."""
        order = rng.permutation(len(self.frame))
        weights = None if self.weights is None else self.weights[order]
        return self.of(order, weights)

    def repeated(self):
        """Return the training rows as often as their weights say."""
        times = self.weights.astype(int)
        rows = np.repeat(np.arange(len(self.frame)), times)
        return self.of(rows, None)

    def of(self, rows, weights):
        """Return some of the training rows, under other weights."""
        labels = take(self.labels, rows)
        return replace(self, frame=self.frame.iloc[rows], labels=labels, weights=weights)

    def renamed(self):
        """Return the table under other names of columns, states and labels, in the same order."""
        names = [f"column {j}" for j in range(self.frame.shape[1])]
        frame, asked = (renamed_states(f.set_axis(names, axis=1)) for f in (self.frame, self.asked))
        places = map(list(self.frame.columns).index, self.numeric)
        numeric, labels = tuple(names[j] for j in places), renamed_labels(self.labels)
        return replace(self, frame=frame, asked=asked, labels=labels, numeric=numeric)

    def turned_round(self):
        """Return the table with its columns in the opposite order."""
        return replace(self, frame=self.frame.iloc[:, ::-1], asked=self.asked.iloc[:, ::-1])


def take(labels, rows):
    return labels.iloc[rows] if isinstance(labels, pd.Series) else np.asarray(labels)[rows]


def renamed_states(frame):
    """Return the frame with other states in the same order; bools are but two."""
    changed = {}
    for name, column in frame.items():
        if isinstance(column.dtype, pd.CategoricalDtype):
            levels = [f"s{i}" for i, _ in enumerate(column.cat.categories)]
            changed[name] = column.cat.rename_categories(levels)
        elif column.dtype == object:
            changed[name] = column.map(renamed_cell).astype(object)
    return frame.assign(**changed)


def renamed_cell(cell):
    if isinstance(cell, str):
        return "k" + cell
    return cell if isinstance(cell, bool) or pd.isna(cell) else 2 * cell + 1


def renamed_labels(labels):
    """Return labels in the order of the old ones: ranks."""
    return np.unique(np.asarray(labels), return_inverse=True)[1] * 3 - 4


@st.composite
def tables(draw, numbers=True, states=True, complete=False, max_columns=12, max_rows=30):
    """Draw a `Table` of columns of one kind or both."""
    names = draw(
        st.sampled_from(list(NAMES)).flatmap(
            lambda kind: st.lists(NAMES[kind], min_size=1, max_size=max_columns, unique=True)
        )
    )
    kinds = [*(NUMBERS if numbers else ()), *(STATES if states else ())]
    chosen = [draw(st.sampled_from(kinds)) for _ in names]
    t, seed = draw(st.integers(2, max_rows)), draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    hidden = rng.integers(0, 3, t)
    columns = [column_of(kind, rng, hidden) for kind in chosen]
    holes = 0.0 if complete else draw(st.sampled_from([0.0, 0.1, 0.4]))
    frame = with_names({j: with_holes(c, rng, holes) for j, c in enumerate(columns)}, names)
    asked = with_names({j: queried(c, rng) for j, c in enumerate(columns)}, names)
    if not complete and draw(st.integers(0, 4)) == 0:
        frame = with_nothing(frame, draw(st.integers(0, len(names) - 1)))
    weights = weights_of(draw(st.sampled_from(WEIGHTS)), rng, t)
    labels = labels_of(draw(st.sampled_from(list(LABELS))), rng, hidden, names)
    numeric = tuple(n for n, kind in zip(names, chosen, strict=True) if kind in NUMBERS)
    return Table(frame, labels, weights, asked, numeric)


def column_of(kind, rng, hidden):
    """Return a column that hangs together with the hidden variable."""
    t, noise = len(hidden), rng.random(len(hidden)) < 0.4
    near = np.where(noise, rng.integers(0, 3, len(hidden)), hidden)
    if kind in STATES:
        domain = STATES[kind]
        if kind == "boolean":
            return pd.Series(near > 1, dtype="boolean")
        if isinstance(domain, pd.CategoricalDtype):
            return pd.Series(pd.Categorical.from_codes(near, dtype=domain))
        return pd.Series([domain[i % len(domain)] for i in near], dtype=object)
    values = {
        "few": near / 2.0,
        "whole": 3 * hidden + rng.integers(-4, 5, t),
        "constant": np.full(t, -2.5),
        "large": 1e6 + hidden + rng.normal(size=t),
    }.get(kind, hidden + rng.normal(size=t))
    dtype = {"whole": "int64", "nullable": "Float64", "single": "float32"}.get(kind, "float64")
    return pd.Series(values, dtype=dtype)


def with_holes(column, rng, share):
    """Return the column with cells missing, but for its first."""
    missing = rng.random(len(column)) < share
    missing[0] = False
    return column.mask(missing) if missing.any() else column


def queried(column, rng):
    """Return a few cells of the column to ask for, some of them missing."""
    asked = column.iloc[rng.integers(0, len(column), 8)].reset_index(drop=True)
    missing = rng.random(8) < 0.2
    return asked.mask(missing) if missing.any() else asked


def with_names(columns, names):
    index = pd.Index(names, dtype=object, tupleize_cols=False)
    return pd.DataFrame(columns).set_axis(index, axis=1)


def with_nothing(frame, place):
    """Return the frame with one column wholly missing."""
    columns = {j: frame.iloc[:, j] for j in range(frame.shape[1])}
    dtype = columns[place].dtype
    columns[place] = pd.Series(None, frame.index, dtype=float if dtype == np.int64 else dtype)
    return with_names(columns, frame.columns)


def weights_of(kind, rng, t):
    """Return weights that leave the first row, or None."""
    if kind == "none":
        return None
    step = {"whole": 1, "quarters": 0.25, "fractions": 0.1}[kind]
    weights = rng.integers(0, 4, t) * step
    weights[0] = step
    return weights


def labels_of(kind, rng, hidden, names):
    noise = rng.random(len(hidden)) < 0.2
    codes = np.where(noise, rng.integers(0, 3, len(hidden)), hidden)
    values = [LABELS[kind][i % len(LABELS[kind])] for i in codes]
    if kind == "category":
        name = names[0] if isinstance(names[0], str) else None  # the name of an attribute
        return pd.Series(pd.Categorical(values, ["b", "a", "c", "never"]), name=name)
    return np.array(values) if kind == "floats" else values
