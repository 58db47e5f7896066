"""The members of an ensemble: which are drawn, and what they are called."""

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from bnclass.classifiers.base import BayesianNetworkClassifier
from bnclass.exceptions import BnclassError
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.network.ensemble import NetworkEnsemble
from bnclass.network.rowwise import RowwiseEnsemble
from bnclass.plot.captions import one_line
from bnclass.structure.dag import Structure

# Members drawn at most, unless more are asked for.
READABLE = 64


def ensemble_of(model: Any) -> NetworkEnsemble:
    """Return an ensemble as it is, and a fitted classifier's ensemble.

    Parameters
    ----------
    model : NetworkEnsemble or fitted classifier that averages networks

    Returns
    -------
    NetworkEnsemble
        With one network at least.

    Raises
    ------
    BnclassError
        For anything else; it says what draws that.
    """
    ensemble = getattr(model, "ensemble_", model)
    if isinstance(ensemble, NetworkEnsemble):
        if len(ensemble) == 0:
            raise BnclassError(
                "the ensemble has no networks but its fall-back, expected some; "
                "plot_network draws the fall-back"
            )
        return ensemble
    name = type(model).__name__
    if isinstance(ensemble, RowwiseEnsemble):
        raise BnclassError(
            f"{name} makes a network for every row, expected the same networks for all; "
            f"{_drawn_instead(ensemble)}"
        )
    if isinstance(model, BayesianNetwork | Structure) or hasattr(model, "network_"):
        raise BnclassError(f"{name} holds one network, expected several; plot_network draws it")
    fitted = "an unfitted " if isinstance(model, BayesianNetworkClassifier) else "a "
    raise BnclassError(
        f"found {fitted}{name}, expected a NetworkEnsemble or a fitted classifier that averages "
        f"networks"
    )


def _drawn_instead(ensemble: RowwiseEnsemble) -> str:
    if len(ensemble) == 0:
        return "plot_network draws network_at(row)"
    return "plot_comparison draws ensemble_[0] beside network_at(row)"


def heaviest_members(ensemble: NetworkEnsemble, max_members: int | None) -> list[int]:
    """Return the places of the members of largest weight, the first of equals, in their order.

    Parameters
    ----------
    ensemble : NetworkEnsemble
    max_members : int or None
        ``None`` for `READABLE`.

    Returns
    -------
    list of int

    Raises
    ------
    BnclassError
        If `max_members` is no positive integer.

    Examples
    --------
    >>> from bnclass import ATAN, load_dataset
    >>> from bnclass.plot.members import heaviest_members
    >>> heaviest_members(ATAN("mutual-information").fit(*load_dataset("iris")).ensemble_, 3)
    [0, 2, 3]
    """
    limit = READABLE if max_members is None else max_members
    whole = isinstance(limit, int | np.integer) and not isinstance(limit, bool)
    if not (whole and limit >= 1):
        raise BnclassError(f"max_members is {max_members!r}, expected an integer of at least 1")
    heaviest = np.argsort(-ensemble.weights, kind="stable")[:limit]
    return sorted(heaviest.tolist())


def places_of(ensemble: NetworkEnsemble, members: Any) -> list[int]:
    """Return places of members as they were chosen.

    Parameters
    ----------
    ensemble : NetworkEnsemble
    members : sequence of int

    Returns
    -------
    list of int

    Raises
    ------
    BnclassError
        If there is none, one is no place of a member, or one comes twice.

    Examples
    --------
    >>> from bnclass import AODE, load_dataset
    >>> from bnclass.plot.members import places_of
    >>> places_of(AODE().fit(*load_dataset("monks-1")).ensemble_, range(3, 6))
    [3, 4, 5]
    """
    places = list(members) if isinstance(members, Iterable) else []
    if not places:
        raise BnclassError(f"members is {members!r}, expected places of networks")
    for i, m in enumerate(places):
        whole = isinstance(m, int | np.integer) and not isinstance(m, bool)
        if not (whole and 0 <= m < len(ensemble)) or m in places[:i]:
            raise BnclassError(
                f"members holds {m!r}, expected places from 0 to {len(ensemble) - 1}, each once"
            )
    return [int(m) for m in places]


def has_equal_weights(ensemble: NetworkEnsemble) -> bool:
    """Return whether all members weigh the same.

    Parameters
    ----------
    ensemble : NetworkEnsemble

    Returns
    -------
    bool
    """
    return bool((ensemble.weights == ensemble.weights[0]).all())


def member_caption(ensemble: NetworkEnsemble, m: int) -> str:
    """Return a member's superparent or root and, where members differ in it, its weight.

    Parameters
    ----------
    ensemble : NetworkEnsemble
    m : int

    Returns
    -------
    str
        In one or two lines.

    Examples
    --------
    >>> from bnclass import AODE, load_dataset
    >>> from bnclass.plot.members import member_caption
    >>> member_caption(AODE().fit(*load_dataset("monks-1")).ensemble_, 2)
    'a3'
    """
    origin = _origin(ensemble[m].structure)
    name = f"member {m}" if origin is None else one_line(origin[0])
    weight = "" if has_equal_weights(ensemble) else f"\nweight {ensemble.weights[m]:.3g}"
    return name + weight


def _origin(structure: Structure) -> tuple[Hashable] | None:
    """Return the superparent or root, if the network has one that all arcs come from."""
    if structure.joint_family is not None:
        return (structure.joint_family[1],)
    target = {structure.class_node}
    roots = [v for v in structure.attributes if set(structure.parents(v)) <= target]
    leading = [v for v in roots if set(structure.graph.successors(v)) - target]
    for candidates in (leading, roots):
        if len(candidates) == 1:
            return (candidates[0],)
    return None
