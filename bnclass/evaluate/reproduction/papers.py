"""The experiments of the papers, as data: which models, how they are tested, how near is near."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bnclass.classifiers.averaged import AODE, ATAN
from bnclass.classifiers.kst import KST
from bnclass.classifiers.numeric import GAODE, HAODE
from bnclass.classifiers.single import KDB, TAN, NaiveBayes
from bnclass.exceptions import BnclassError

FEW_ROWS = 150  # targets are for data sets with at least so many


@dataclass(frozen=True)
class PaperTable:
    """A table of a paper that can be made again.

    Attributes
    ----------
    name : str
        One of `published_names`.
    models : dict of str to callable
        By the published column: what makes its model, given a policy for missing cells.
    missing : str
        That policy.
    targets : dict of str to float
        By the published column: how far ours may be from the printed figures in the mean of
        absolute differences; the mean difference may be half as far from 0. In the units of
        the table: a loss, or points of accuracy.
    beside : dict of str to str
        Other tables on the same runs, without targets: from a metric to the published table.
    readings : dict of str to (str, callable)
        Other ways to read what the paper says of a model, run as well: by a name of their own,
        the published column and what makes the model.
    not_run : dict of str to str
        Published columns that are shown as printed only, and why.
    subfolder : str
        Where in a folder the results go.

    Examples
    --------
    >>> from bnclass.evaluate.reproduction.papers import paper
    >>> table = paper("gaode").tables[1]
    >>> table.name, list(table.estimators())
    ('gaode_hybrid_accuracy', ['NB', 'AODE', 'HAODE'])
    """

    name: str
    models: Mapping[str, Callable[..., Any]]
    missing: str
    targets: Mapping[str, float]
    beside: Mapping[str, str] = field(default_factory=dict)
    readings: Mapping[str, tuple[str, Callable[..., Any]]] = field(default_factory=dict)
    not_run: Mapping[str, str] = field(default_factory=dict)
    subfolder: str = "."

    def estimators(self) -> dict[str, Any]:
        """Return new models, not fitted, by their published columns; then other readings."""
        makers = {**self.models, **{name: model for name, (_, model) in self.readings.items()}}
        return {name: model(missing=self.missing) for name, model in makers.items()}


@dataclass(frozen=True)
class Paper:
    """A paper's experiment.

    Attributes
    ----------
    name : str
        One of `paper_names`.
    key : str
        How docs/methods.md cites it.
    resampling, quick : str
        Rounds and folds, and the same with one round.
    tables : tuple of PaperTable

    Examples
    --------
    >>> from bnclass.evaluate.reproduction.papers import paper
    >>> paper("kst").resampling, paper("kst").quick
    ('10x10', '1x10')
    """

    name: str
    key: str
    resampling: str
    quick: str
    tables: tuple[PaperTable, ...]


_NO_NETWORK = "no Bayesian network, and slow on the large sets; compare takes such models"

_KST = PaperTable(
    name="kst_zero_one_loss",
    models={
        "NB": NaiveBayes,
        "TAN": TAN,
        "KDB": partial(KDB, k=2),
        "ATAN": ATAN,
        "AODE": AODE,
        "KST": partial(KST, k=2, dependence="pairwise", average="posterior"),
    },
    missing="state",
    targets={**dict.fromkeys(("NB", "TAN", "KDB", "ATAN", "AODE"), 0.015), "KST": 0.018},
    beside={"rmse": "kst_rmse", "bias": "kst_bias", "variance": "kst_variance"},
    # The letter of [KST] eq. 11, and an average of posteriors, come nearest to its tables.
    readings={"KST, class-conditional": ("KST", partial(KST, k=2))},
    not_run=dict.fromkeys(("KNN", "SVM"), _NO_NETWORK),
    subfolder="kst",
)
_GAODE_NUMERIC = PaperTable(
    name="gaode_numeric_accuracy",
    models={
        "NB-G": partial(NaiveBayes, continuous="gaussian"),
        "NB": NaiveBayes,
        "AODE": AODE,
        "GAODE": GAODE,
        "HAODE": HAODE,
    },
    missing="impute",
    targets={"NB-G": 2.0, "NB": 1.5, "AODE": 1.5, "GAODE": 1.5, "HAODE": 1.5},
    subfolder="gaode/numeric",
)
_GAODE_HYBRID = PaperTable(
    name="gaode_hybrid_accuracy",
    models={"NB": NaiveBayes, "AODE": AODE, "HAODE": HAODE},
    missing="marginalize",
    targets={"NB": 1.5, "AODE": 1.5, "HAODE": 1.5},
    subfolder="gaode/hybrid",
)
_PAPERS = {
    "gaode": Paper("gaode", "[GAODE]", "5x2", "1x2", (_GAODE_NUMERIC, _GAODE_HYBRID)),
    "kst": Paper("kst", "[KST]", "10x10", "1x10", (_KST,)),
}


def paper_names() -> tuple[str, ...]:
    """Return the names of the papers whose experiments can be repeated.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> from bnclass.evaluate.reproduction.papers import paper_names
    >>> paper_names()
    ('gaode', 'kst')
    """
    return tuple(_PAPERS)


def paper(name: str) -> Paper:
    """Return a paper's experiment by its name.

    Parameters
    ----------
    name : str
        One of `paper_names`.

    Returns
    -------
    Paper

    Raises
    ------
    BnclassError
        If there is no such paper.

    Examples
    --------
    >>> from bnclass.evaluate.reproduction.papers import paper
    >>> paper("kst").tables[0].estimators()["KDB"]
    KDB(missing='state')
    """
    if not isinstance(name, str) or name not in _PAPERS:
        known = ", ".join(_PAPERS)
        raise BnclassError(f"there is no paper {name!r}, expected one of {known}")
    return _PAPERS[name]


def targets_of(table: str) -> Mapping[str, float]:
    """Return how near ours must come to the columns of a published table.

    Parameters
    ----------
    table : str
        One of `published_names`.

    Returns
    -------
    dict of str to float
        Empty for tables without targets.

    Examples
    --------
    >>> from bnclass.evaluate.reproduction.papers import targets_of
    >>> targets_of("kst_zero_one_loss")["KST"], targets_of("kst_bias")
    (0.018, {})
    """
    every = (each for paper in _PAPERS.values() for each in paper.tables)
    return next((each.targets for each in every if each.name == table), {})
