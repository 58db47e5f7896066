"""What commands print about a model: one line, its arcs, its tables."""

from collections.abc import Hashable, Sequence
from typing import Any

import pandas as pd

from bnclass.exceptions import StructureError
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.network.ensemble import NetworkEnsemble
from bnclass.network.joint import JointModel
from bnclass.network.rowwise import RowwiseEnsemble

_NUMBER = "{:.4f}".format


def joint_of(model: Any) -> JointModel:
    """Return the network or the ensemble inside a model.

    Parameters
    ----------
    model : fitted classifier, BayesianNetwork, NetworkEnsemble or RowwiseEnsemble

    Returns
    -------
    BayesianNetwork, NetworkEnsemble or RowwiseEnsemble

    Examples
    --------
    >>> from bnclass import AODE, load_dataset
    >>> from bnclass.cli.report import joint_of
    >>> model = AODE().fit(*load_dataset("monks-1"))
    >>> joint_of(model) is model.ensemble_
    True
    """
    if isinstance(model, JointModel):
        return model
    joint: JointModel = model.ensemble_ if hasattr(model, "ensemble_") else model.network_
    return joint


def headline(model: Any) -> str:
    """Return the model in one line.

    Parameters
    ----------
    model : fitted classifier, BayesianNetwork, NetworkEnsemble or RowwiseEnsemble

    Returns
    -------
    str

    Examples
    --------
    >>> from bnclass import TAN, load_dataset
    >>> from bnclass.cli.report import headline
    >>> headline(TAN().fit(*load_dataset("monks-1")))
    "TAN: class 'class' with 2 states, 6 attributes, 11 arcs, 59 parameters"
    """
    joint = joint_of(model)
    target = joint.target
    parts = ["no class" if target is None else f"class {target.name!r} with {target.card} states"]
    parts += [f"{len(joint.attributes)} attributes"]
    if isinstance(joint, NetworkEnsemble):
        parts += [f"{len(joint)} networks averaged"]
    if isinstance(joint, RowwiseEnsemble):
        parts += [
            "a network of all rows and one of each" if len(joint) else "a network of each row"
        ]
    if isinstance(joint, BayesianNetwork):
        parts += [f"{len(joint.structure.arcs)} arcs", f"{joint.n_parameters} parameters"]
    return f"{type(model).__name__}: {', '.join(parts)}"


def arc_lines(model: Any) -> list[str]:
    r"""Return the arcs with their measures, the strongest first.

    Of an ensemble only the arcs from the class, which its networks share; if it makes a
    network for every row, those of the network of all rows.

    Parameters
    ----------
    model : fitted classifier, BayesianNetwork, NetworkEnsemble or RowwiseEnsemble

    Returns
    -------
    list of str

    Examples
    --------
    >>> from bnclass import SPODE, load_dataset
    >>> from bnclass.cli.report import arc_lines
    >>> X, y = load_dataset("monks-1")
    >>> print(*arc_lines(SPODE().fit(X[["a1", "a5"]], y)), sep="\n")
    <BLANKLINE>
    Arcs between attributes  I(Xi;Xj|Y) in nats
      a5 -> a1                           0.0000
    <BLANKLINE>
    Arcs from the class        I(Xi;Y) in nats
      class -> a5                       0.2158
      class -> a1                       0.0000
    """
    joint = joint_of(model)
    if isinstance(joint, RowwiseEnsemble):
        return arc_lines(joint[0]) if len(joint) else []
    network = joint.representative if isinstance(joint, NetworkEnsemble) else joint
    assert isinstance(network, BayesianNetwork)
    arcs = network.arcs().sort_values("score", ascending=False, kind="stable")
    from_class = arcs["from"] == network.structure.class_node
    lines = _arc_table("Arcs from the class", "I(Xi;Y) in nats", arcs[from_class])
    if network is joint:
        title = "Arcs between attributes"
        lines = _arc_table(title, "I(Xi;Xj|Y) in nats", arcs[~from_class]) + lines
    return lines


def table_lines(network: BayesianNetwork, node: Hashable) -> list[str]:
    r"""Return a node's table under its title.

    Parameters
    ----------
    network : BayesianNetwork
    node : hashable

    Returns
    -------
    list of str

    Examples
    --------
    >>> from bnclass import NaiveBayes, load_dataset
    >>> from bnclass.cli.report import table_lines
    >>> network = NaiveBayes().fit(*load_dataset("monks-1")).network_
    >>> print(*table_lines(network, "a5"), sep="\n")
    <BLANKLINE>
    P(a5 | class)
    a5         1      2      3      4
    class
    0     0.0012 0.3329 0.3329 0.3329
    1     0.4988 0.1671 0.1671 0.1671
    """
    parents = ", ".join(map(str, network.structure.parents(node)))
    table = network.describe(node)
    if not parents:
        table.index = pd.Index([""] * len(table))
    density = "p" if network.factors[node].variable.is_continuous else "P"
    title = f"{density}({node} | {parents})" if parents else f"{density}({node})"
    rows = table.to_string(float_format=_NUMBER).split("\n")
    return ["", title, *(row.rstrip() for row in rows)]


def node_lines(network: BayesianNetwork, name: str) -> list[str]:
    r"""Return all about one node: its neighbours and its table.

    Parameters
    ----------
    network : BayesianNetwork
    name : str
        The node as text, for a shell has no other names.

    Returns
    -------
    list of str

    Raises
    ------
    StructureError
        If no node is called so.

    Examples
    --------
    >>> from bnclass import NaiveBayes, load_dataset
    >>> from bnclass.cli.report import node_lines
    >>> network = NaiveBayes().fit(*load_dataset("monks-1")).network_
    >>> print(*node_lines(network, "a5")[:3], sep="\n")
    Parents         class
    Children        -
    Markov blanket  class
    """
    structure = network.structure
    named = {str(node): node for node in structure.nodes}
    if name not in named:
        raise StructureError(f"no node {name!r}, expected one of {list(named)!r}")
    node = named[name]
    blanket = network.markov_blanket(node)
    neighbours = {
        "Parents": structure.parents(node),
        "Children": [v for v in structure.nodes if structure.graph.has_edge(node, v)],
        "Markov blanket": [v for v in structure.nodes if v in blanket],
    }
    lines = [f"{k:14}  {', '.join(map(str, v)) or '-'}" for k, v in neighbours.items()]
    return lines + table_lines(network, node)


def _arc_table(title: str, measure: str, arcs: pd.DataFrame) -> list[str]:
    """Return a table of arcs, both columns aligned, or nothing for no arc."""
    if arcs.empty:
        return []
    starts = [str(u) for u in arcs["from"]]
    width = max(map(len, starts))
    names = [f"  {u:{width}} -> {v}" for u, v in zip(starts, arcs["to"], strict=True)]
    scores = ["-" if pd.isna(score) else _NUMBER(score) for score in arcs["score"]]
    return ["", *_two_columns([title, *names], [measure, *scores])]


def _two_columns(left: Sequence[str], right: Sequence[str]) -> list[str]:
    left_width, right_width = max(map(len, left)), max(map(len, right))
    return [f"{a:{left_width}}  {b:>{right_width}}" for a, b in zip(left, right, strict=True)]
