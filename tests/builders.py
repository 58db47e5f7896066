"""Small tables, networks and brute-force joints that several tests build on."""

import itertools
import math

import numpy as np
from hypothesis import strategies as st
from oracle.tables import make_table

from bnclass import (
    BayesianNetwork,
    CategoricalCPD,
    EncodedTable,
    Structure,
    SufficientStatistics,
    Variable,
)

CLASS = "class"


def variable(name, card):
    """Return a variable with the states "s0", "s1", …"""
    return Variable(name, states=tuple(f"s{i}" for i in range(card)))


# ---------------------------------------------------------------- training rows


@st.composite
def training_tables(draw, min_attributes=1, max_attributes=4, max_rows=14, holes=True):
    """Draw an oracle table; every class label and every attribute is observed at least once."""
    n = draw(st.integers(min_attributes, max_attributes))
    domains = [tuple("uvwx"[: draw(st.integers(1, 3))]) for _ in range(n)]
    cells = [st.sampled_from([*states, None] if holes else states) for states in domains]
    complete = [st.sampled_from(states) for states in domains]
    rows = [draw(st.tuples(*complete)), *draw(st.lists(st.tuples(*cells), max_size=max_rows))]
    labels = draw(st.lists(st.sampled_from("KLM"), min_size=len(rows), max_size=len(rows)))
    return make_table(rows, labels, domains=domains)


def encoded(table):
    """Return an oracle table's rows as an `EncodedTable` with attributes "x0", "x1", …"""
    variables = tuple(Variable(f"x{i}", states=d) for i, d in enumerate(table.domains))
    target = Variable(CLASS, states=table.classes)
    codes = [
        [-1 if x is None else v.states.index(x) for x, v in zip(row, variables, strict=True)]
        for row in table.rows
    ]
    return EncodedTable(
        variables,
        np.array(codes, dtype=np.int32).reshape(len(codes), len(variables)),
        target,
        np.array([table.classes.index(y) for y in table.labels], dtype=np.int32),
        np.array([float(w) for w in table.weights]),
    )


def statistics_of(table):
    """Return the statistics of an oracle table."""
    return SufficientStatistics.from_table(encoded(table))


def statistics_from(columns, labels):
    """Return the statistics of columns given as strings, one letter a row."""
    return statistics_of(make_table(list(zip(*columns, strict=True)), labels))


def attribute_parents(structure):
    """Return the attribute parents by place, in column order, as the oracle has them."""
    place = {name: i for i, name in enumerate(structure.attributes)}
    return {place[a]: tuple(place[p] for p in structure.parents(a) if p in place) for a in place}


# ---------------------------------------------------------------- random networks


def random_cpd(rng, child, parents, zeros=0.0):
    """Draw a table; each entry is 0 with probability `zeros`, but no row is all 0."""
    table = rng.random([*(p.card for p in parents), child.card]) + 0.01
    table[rng.random(table.shape) < zeros] = 0.0
    table[table.sum(axis=-1) == 0] = 1.0
    return CategoricalCPD(child, parents, table / table.sum(axis=-1, keepdims=True))


def random_network(rng, n_attributes, *, with_class=True, zeros=0.0, max_card=3, density=0.4):
    """Draw a network on a random acyclic graph, in which the class may stand anywhere.

    The graph's direction is drawn apart from the column order. Attributes are "x0", "x1", ….
    """
    names = [f"x{i}" for i in range(n_attributes)] + [CLASS] * with_class
    variables = {name: variable(name, int(rng.integers(1, max_card + 1))) for name in names}
    direction = [names[i] for i in rng.permutation(len(names))]
    arcs = [pair for pair in itertools.combinations(direction, 2) if rng.random() < density]
    structure = Structure.from_arcs(sorted(names), arcs, CLASS if with_class else None)
    return with_random_tables(rng, structure, variables, zeros)


def with_random_tables(rng, structure, variables, zeros=0.0):
    """Return a network with random tables on a structure."""
    return BayesianNetwork(
        structure,
        [
            random_cpd(rng, variables[n], tuple(variables[p] for p in structure.parents(n)), zeros)
            for n in structure.nodes
        ],
    )


def naive_bayes_structure(n_attributes):
    """Return the naive Bayes structure over "x0", "x1", …"""
    names = [f"x{i}" for i in range(n_attributes)]
    return Structure.from_arcs([CLASS, *names], [(CLASS, name) for name in names], CLASS)


def random_rows(rng, model, n_rows, holes=0.0):
    """Draw rows of codes under a model's attributes; each cell is missing with that chance."""
    codes = np.array(
        [rng.integers(0, v.card, n_rows) for v in model.attributes], dtype=np.int32
    ).T.reshape(n_rows, len(model.attributes))
    codes[rng.random(codes.shape) < holes] = -1
    return EncodedTable(model.attributes, codes)


def every_row(model):
    """Return all complete rows of a model's attributes."""
    states = itertools.product(*(range(v.card) for v in model.attributes))
    codes = np.array(list(states), dtype=np.int32)
    return EncodedTable(model.attributes, codes.reshape(len(codes), len(model.attributes)))


# ---------------------------------------------------------------- brute force


def enumerated_joint(network, row):
    """P(y, observed cells) of every class: the sum over all completions, in plain loops."""
    classes = [None] if network.target is None else range(network.target.card)
    names = [v.name for v in network.attributes]
    options = [
        range(v.card) if code < 0 else [int(code)]
        for v, code in zip(network.attributes, row, strict=True)
    ]
    return [
        math.fsum(
            probability(network, {**dict(zip(names, values, strict=True)), CLASS: y})
            for values in itertools.product(*options)
        )
        for y in classes
    ]


def probability(network, values):
    """Return the product of all factors at one complete assignment of codes."""
    product = 1.0
    for name, factor in network.factors.items():
        index = tuple(values[p.name] for p in factor.parents)
        product *= float(factor.table[(*index, values[name])])
    return product
