"""The models by the names that a shell gives them, and what options of theirs are."""

import re
from enum import StrEnum
from typing import Annotated

import typer

from bnclass.classifiers.averaged import AODE, ATAN
from bnclass.classifiers.base import BayesianNetworkClassifier
from bnclass.classifiers.kst import KST
from bnclass.classifiers.numeric import GAODE, HAODE
from bnclass.classifiers.single import KDB, SPODE, TAN, NaiveBayes
from bnclass.statistics.smoothing import MEstimate


class ModelName(StrEnum):
    """What can be learned."""

    TAN = "tan"
    NB = "nb"
    SPODE = "spode"
    KDB = "kdb"
    AODE = "aode"
    ATAN = "atan"
    GAODE = "gaode"
    HAODE = "haode"
    KST = "kst"


class Missing(StrEnum):
    """What becomes of a missing cell."""

    MARGINALIZE = "marginalize"
    STATE = "state"
    IMPUTE = "impute"
    ERROR = "error"


CLASSIFIERS: dict[ModelName, type[BayesianNetworkClassifier]] = {
    ModelName.TAN: TAN,
    ModelName.NB: NaiveBayes,
    ModelName.SPODE: SPODE,
    ModelName.KDB: KDB,
    ModelName.AODE: AODE,
    ModelName.ATAN: ATAN,
    ModelName.GAODE: GAODE,
    ModelName.HAODE: HAODE,
    ModelName.KST: KST,
}


def whole(text: str) -> int:
    """Return the whole number that an option spells.

    Parameters
    ----------
    text : str

    Returns
    -------
    int

    Raises
    ------
    typer.BadParameter
        If it spells none, or one below 0.

    Examples
    --------
    >>> from bnclass.cli.models import whole
    >>> whole("2")
    2
    """
    if not re.fullmatch("[0-9]+", text):
        raise typer.BadParameter(f"found {text!r}, expected a whole number of at least 0")
    return int(text)


def amount(text: str | float) -> float:
    """Return the m of an m-estimate that an option spells.

    Parameters
    ----------
    text : str or float

    Returns
    -------
    float

    Raises
    ------
    typer.BadParameter
        If it is no number, or below 0.

    Examples
    --------
    >>> from bnclass.cli.models import amount
    >>> amount("0.5")
    0.5
    """
    try:
        return MEstimate(float(text)).m
    except ValueError:
        message = f"found {text!r}, expected a number of at least 0"
        raise typer.BadParameter(message) from None


# What every command that learns models takes; "k" is None unless it was said.
K = Annotated[
    int | None,
    typer.Option(parser=whole, metavar="K", help="kdb, kst: attribute parents at most."),
]
Smoothing = Annotated[
    float, typer.Option(parser=amount, metavar="M", help="The m of the m-estimate.")
]
MissingCells = Annotated[Missing, typer.Option(help="What becomes of empty cells.")]
Categorical = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN|all", help="Take its numbers as states. Repeatable."),
]
