"""Weighted means of members, of their joints or of their posteriors; ATAN and WATAN."""

from collections.abc import Sequence
from fractions import Fraction

from oracle.measures import class_scores
from oracle.posteriors import Joint, Network, joint, normalised
from oracle.smoothing import Smoothing, class_prior
from oracle.structures import tan
from oracle.tables import Number, Table, Value

AVERAGES = ("joint", "posterior")

Weighted = tuple[Number, Joint]  # a member's weight and its P(y, x)


def mean_joint(table: Table, members: Sequence[Weighted]) -> Joint:
    """Return the weighted mean of P(y, x); a member at 0 adds nothing and keeps its weight."""
    total = sum(weight for weight, _ in members)
    return {y: sum(w * member[y] for w, member in members) / Fraction(total) for y in table.classes}


def mean_posterior(table: Table, members: Sequence[Weighted], prior: Joint) -> Joint:
    """Return the weighted mean of P(y | x) over the members that give some class more than 0.

    The prior if none of positive weight does.
    """
    serving = [(w, member) for w, member in members if w and any(member.values())]
    if not serving:
        return prior
    posteriors = [
        (w, {y: member[y] / sum(member.values()) for y in table.classes}) for w, member in serving
    ]
    return mean_joint(table, posteriors)


def priors(table: Table, smoothing: Smoothing) -> Joint:
    """P(y) from all rows."""
    return {y: class_prior(table, smoothing, y) for y in table.classes}


def averaged(
    table: Table, smoothing: Smoothing, members: Sequence[Weighted], average: str
) -> list[float]:
    """Return P(y | x) of the members' mean in class order; P(y) if nothing is above 0."""
    if average not in AVERAGES:
        raise ValueError(f"average {average!r} is none of {AVERAGES}")
    prior = priors(table, smoothing)
    if average == "joint":
        return normalised(table, mean_joint(table, members), prior)
    return normalised(table, mean_posterior(table, members, prior), prior)


# --- ATAN and WATAN -----------------------------------------------------------------------------


def atan_weights(table: Table, weights: str = "uniform") -> list[int]:
    """Return the weight of the TAN of every root.

    "mutual-information": I(Xr;Y), quantised as in every sum over attributes; all 0: uniform.
    """
    if weights not in ("uniform", "mutual-information"):
        raise ValueError(f"weights {weights!r} are neither uniform nor mutual-information")
    scores = class_scores(table)
    if weights == "uniform" or not any(scores):
        return [1] * table.n
    return scores


def atan_members(
    table: Table, smoothing: Smoothing, row: Sequence[Value | None], weights: str = "uniform"
) -> list[Weighted]:
    """Return the TANs with every root: their weights and P(y, x)."""
    return [
        (weight, joint(Network(table, tan(table, root), smoothing), row))
        for root, weight in enumerate(atan_weights(table, weights))
    ]


def atan_joint(
    table: Table, smoothing: Smoothing, row: Sequence[Value | None], weights: str = "uniform"
) -> Joint:
    """Return the mean of P(y, x) over the TANs with every root."""
    return mean_joint(table, atan_members(table, smoothing, row, weights))


def atan_posterior(
    table: Table,
    smoothing: Smoothing,
    row: Sequence[Value | None],
    weights: str = "uniform",
    average: str = "posterior",
) -> list[float]:
    """ATAN's P(y | x) in class order; WATAN's with weights="mutual-information"."""
    members = atan_members(table, smoothing, row, weights)
    return averaged(table, smoothing, members, average)
