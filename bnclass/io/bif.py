r"""BIF, the interchange format for Bayesian networks.

A file names nodes and states by safe tokens, so that every reader takes it. The originals
travel in comments, one line each, from which `read_bif` restores them exactly:

- ``// bnclass network {...}``: format number, and tokens of class node and joint family;
- ``// bnclass variable {...}``: a variable, and the tokens of its node and its states;
- ``// bnclass scores {...}``: a node, and the scores of the arcs that end in it.

Some readers refuse a variable of one state; such a variable gets a second state of
probability 0, which `read_bif` takes out again. A program that rewrites the file may drop
the comments: names and states are then the tokens, and no node is known to be the class.
"""

import os
from collections.abc import Hashable, Iterator
from itertools import product

import networkx as nx
import numpy as np

from bnclass.classifiers.inspect import network_of
from bnclass.data.textfile import read_text
from bnclass.data.variables import Variable
from bnclass.factors.categorical import CategoricalCPD
from bnclass.io.bif_blocks import read_blocks
from bnclass.io.bif_network import CODEC, FORMAT, assembled
from bnclass.io.bif_words import format_note, split_words
from bnclass.io.checks import whole_file
from bnclass.io.files import write_atomically
from bnclass.io.strictjson import Json
from bnclass.io.tables import Floats, cpds_of
from bnclass.io.tokens import safe_tokens
from bnclass.network.bayesian_network import BayesianNetwork

_HEAD = """\
// A Bayesian network written by bnclass. Names and states stand here as safe tokens; the
// lines that begin with "// bnclass" hold the originals.
network bnclass {
}
"""

Tokens = dict[Hashable, str]


def write_bif(network: object, path: str | os.PathLike[str]) -> None:
    r"""Write a network to a BIF file.

    Parameters
    ----------
    network : BayesianNetwork, or fitted classifier with one network
    path : str or path-like
        An existing file is replaced, all at once.

    Raises
    ------
    BnclassError
        If there is not exactly one network.
    FileFormatError
        If a node is continuous, a factor is no table, a name or a state is of a type that no
        comment can hold, or the file cannot be written.

    Notes
    -----
    Every probability is written with the digits that give back the same double.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import bnclass as bc
    >>> coin = bc.Variable("my coin", states=("heads", "tails"))
    >>> network = bc.BayesianNetwork(
    ...     bc.Structure.from_arcs(["my coin"], []), [bc.CategoricalCPD(coin, (), [0.25, 0.75])]
    ... )
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "coin.bif")
    ...     bc.write_bif(network, path)
    ...     print(path.read_text().partition("variable my_coin ")[2])
    {
      type discrete [ 2 ] { heads, tails };
    }
    probability ( my_coin ) {
      table 0.25, 0.75;
    }
    <BLANKLINE>
    """
    network = network_of(network)
    write_atomically(path, _HEAD + "".join(_notes_and_blocks(network)))


def _notes_and_blocks(network: BayesianNetwork) -> Iterator[str]:
    cpds = cpds_of(network)
    tokens = dict(zip(cpds, safe_tokens(cpds), strict=True))
    yield format_note("network", _roles(network, tokens))
    for node, cpd in cpds.items():
        yield from _variable(cpd.variable, tokens[node])
    for node, cpd in cpds.items():
        yield _scores(network, node, tokens)
        yield _table(cpd, tokens)


def _roles(network: BayesianNetwork, tokens: Tokens) -> dict[str, object]:
    family, target = network.structure.joint_family, network.structure.class_node
    return {
        "format": FORMAT,
        "class_node": None if target is None else tokens[target],
        "joint_family": None if family is None else [tokens[node] for node in family],
    }


def _variable(variable: Variable, token: str) -> Iterator[str]:
    states = state_tokens(variable)
    data = {"token": token, "states": list(states), "variable": CODEC.encode(variable)}
    yield format_note("variable", data)
    yield f"variable {token} {{\n"
    yield f"  type discrete [ {len(states)} ] {{ {', '.join(states)} }};\n}}\n"


def state_tokens(variable: Variable) -> tuple[str, ...]:
    """Return the tokens of a variable's states, two at least.

    Parameters
    ----------
    variable : Variable

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> from bnclass import Variable
    >>> from bnclass.io.bif import state_tokens
    >>> state_tokens(Variable("a", states=("all",)))
    ('all', 'never')
    """
    filler = ("never",) if variable.card == 1 else ()
    return safe_tokens((*variable.states, *filler))


def _scores(network: BayesianNetwork, node: Hashable, tokens: Tokens) -> str:
    scores = nx.get_edge_attributes(network.graph, "score")
    known = {
        tokens[parent]: CODEC.encode(scores[parent, node])
        for parent in network.structure.parents(node)
        if (parent, node) in scores
    }
    return format_note("scores", {"token": tokens[node], "scores": known}) if known else ""


def _table(cpd: CategoricalCPD, tokens: Tokens) -> str:
    given = " | " * bool(cpd.parents) + ", ".join(tokens[p.name] for p in cpd.parents)
    table = _with_fillers(cpd)
    rows = table.reshape(-1, table.shape[-1]).tolist()
    labels = [f"( {', '.join(c)} )" for c in product(*map(state_tokens, cpd.parents))]
    lines = [
        f"  {label} {', '.join(map(repr, row))};\n"
        for label, row in zip(labels if cpd.parents else ["table"], rows, strict=True)
    ]
    return f"probability ( {tokens[cpd.variable.name]}{given} ) {{\n{''.join(lines)}}}\n"


def _with_fillers(cpd: CategoricalCPD) -> Floats:
    """Return the table with the second states of variables that have one."""
    table = cpd.table
    for axis, parent in enumerate(cpd.parents):
        if parent.card == 1:
            table = table.repeat(2, axis)
    if cpd.variable.card == 1:
        table = np.concatenate([table, np.zeros_like(table)], axis=-1)
    return table


def read_bif(path: str | os.PathLike[str]) -> BayesianNetwork:
    r"""Read a network from a BIF file.

    Parameters
    ----------
    path : str or path-like
        A file of `write_bif` gives back an equal network. In any other file names and states
        are text, and no node is the class.

    Returns
    -------
    BayesianNetwork
        Nodes are in the order of the file.

    Raises
    ------
    FileFormatError
        If the file cannot be read or describes no network; the message has file and line.
    MemoryLimitError
        If its text is larger than an eighth of what `set_max_memory` allows, or its words or
        tables would not fit.

    Warns
    -----
    BnclassWarning
        If rows were printed with too few digits to sum to 1; they are divided by their sums.
        A row that misses 1 by more than 0.02 is an error.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import bnclass as bc
    >>> text = '''
    ... network rain { }
    ... variable rain { type discrete [ 2 ] { no, yes }; }
    ... variable wet { type discrete [ 2 ] { no, yes }; }
    ... probability ( rain ) { table 0.8, 0.2; }
    ... probability ( wet | rain ) { (no) 0.9, 0.1; (yes) 0.2, 0.8; }
    ... '''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "rain.bif")
    ...     _ = path.write_text(text)
    ...     bc.read_bif(path)
    BayesianNetwork(class_node=None, nodes=2, arcs=1, parameters=3)
    """
    text = read_text(path)
    notes: list[tuple[str, int, Json]] = []
    with whole_file(path):
        blocks = read_blocks(split_words(text, notes))
        return assembled(os.fspath(path), *blocks, notes)
