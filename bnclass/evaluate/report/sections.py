"""The tables of a report: losses, wins and losses over data sets, tests, failures."""

from collections.abc import Container, Iterator
from dataclasses import dataclass

import pandas as pd

from bnclass.evaluate.experiment.measures import OF_TIME
from bnclass.evaluate.experiment.results import ExperimentResults
from bnclass.evaluate.markup import Best
from bnclass.evaluate.ranks import friedman_test, nemenyi_test
from bnclass.evaluate.records import win_draw_loss

_TITLES = {
    "zero_one_loss": "Zero-one loss",
    "rmse": "Root mean squared error",
    "brier_score": "Brier score",
    "log_loss": "Log loss in nats",
    "bias": "Bias",
    "variance": "Variance",
    "fit_seconds": "Seconds to fit",
    "predict_seconds": "Seconds to predict",
}


@dataclass(frozen=True, eq=False)
class Section:
    """A table under a title.

    Attributes
    ----------
    title, text : str
        What it is, and what must be known of it, or "".
    frame : DataFrame
    best : {"min"} or None
        Whether the smallest number of a row is set in bold.
    first : bool
        Whether it is among what one looks at first.
    prose : bool
        Whether its cells are long texts, which no printed page has room for.
    """

    title: str
    text: str
    frame: pd.DataFrame
    best: Best = None
    first: bool = True
    prose: bool = False


def sections_of(results: ExperimentResults) -> list[Section]:
    """Return the tables of a report.

    Parameters
    ----------
    results : ExperimentResults

    Returns
    -------
    list of Section
        Losses by metric, and their means; the record of zero-one loss and tests of all losses
        where there are two methods; failures and warnings if there are any; and what was run.

    Examples
    --------
    >>> from bnclass import NaiveBayes, TAN, compare
    >>> from bnclass.evaluate.report.sections import sections_of
    >>> models = {"NB": NaiveBayes(), "TAN": TAN()}
    >>> results = compare(models, ["iris", "wine"], resampling=2, metrics=["zero_one_loss"])
    >>> [section.title for section in sections_of(results)][:2]
    ['Zero-one loss', 'Means over data sets']
    """
    return [
        *(_losses(results, metric) for metric in results.metrics),
        *_means(results),
        *_record(results),
        *_tests(results),
        *_told(results),
        _datasets(results),
        _models(results),
    ]


def comparable(losses: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Return the losses that can be compared, and what had to be left out.

    Parameters
    ----------
    losses : DataFrame of shape (n_datasets, n_methods)

    Returns
    -------
    losses : DataFrame
        Without methods that have none at all, then without data sets on which one is missing.
    text : str
        Names what is left out, or "".

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass.evaluate.report.sections import comparable
    >>> frame = pd.DataFrame({"A": [0.1, 0.2], "B": [0.2, None], "C": None}, index=["iris", "wine"])
    >>> comparable(frame)[1]
    'Without C, which has none; without wine, where one is missing.'
    """
    methods = losses.columns[losses.isna().all()]
    rest = losses.drop(columns=methods)
    datasets = rest.index[rest.isna().any(axis=1)]
    parts = [
        f"without {', '.join(map(str, names))}, {why}"
        for names, why in ((methods, "which has none"), (datasets, "where one is missing"))
        if len(names)
    ]
    text = "; ".join(parts)
    return rest.drop(index=datasets), f"{text[:1].upper()}{text[1:]}." if text else ""


def _losses(results: ExperimentResults, metric: str) -> Section:
    losses, scheme = results.losses(metric), results.plan.resampling
    text = f"{scheme.rounds} round{'s' * (scheme.rounds > 1)} of {scheme.folds} folds, "
    text += "the median of folds." if metric in OF_TIME else "all rows and rounds together."
    if losses.isna().any(axis=None):
        text += " No number: a fold failed, or the model has no posteriors."
    return Section(_TITLES[metric], text, losses, "min", first=metric == results.metrics[0])


def _means(results: ExperimentResults) -> Iterator[Section]:
    """Yield the means over data sets, of methods that have all of them."""
    if len(results.datasets) > 1:
        means = {_TITLES[m]: results.losses(m).mean(skipna=False) for m in results.metrics}
        frame = pd.DataFrame(means).T[results.estimators].rename_axis("metric")
        text = f"Each of the {len(results.datasets)} data sets counts the same."
        yield Section("Means over data sets", text, frame, "min")


def _record(results: ExperimentResults) -> Iterator[Section]:
    if "zero_one_loss" not in results.metrics:
        return
    losses, left_out = comparable(results.losses())
    if losses.shape[1] > 1 and len(losses):
        text = "The row against the column; a win is a loss more than 5 % below the other's."
        record = win_draw_loss(losses).to_matrix().rename_axis("method")
        yield Section(
            "Wins/draws/losses in zero-one loss", " ".join([text, left_out]).strip(), record
        )


def _tests(results: ExperimentResults) -> Iterator[Section]:
    rows: dict[str, dict[str, float]] = {}
    notes: dict[str, list[str]] = {}
    for metric in results.metrics:
        losses, left_out = comparable(results.losses(metric))
        if metric not in OF_TIME and losses.shape[1] > 1 and len(losses) > 1:
            rows[_TITLES[metric]] = _ranks_and_tests(losses)
            notes.setdefault(left_out, []).append(_TITLES[metric].lower())
    if rows:
        frame = pd.DataFrame.from_dict(rows, orient="index").rename_axis("metric")
        text = "Average ranks, 1 the best; Friedman's statistic, and Iman and Davenport's, each "
        text += "with its p-value; methods whose ranks differ by more than CD differ at 0.05 by "
        text += "Nemenyi's test."
        told = (f"{left_out[:-1]}: {', '.join(of)}." for left_out, of in notes.items() if left_out)
        yield Section("Ranks and tests", " ".join([text, *told]), frame)


def _ranks_and_tests(losses: pd.DataFrame) -> dict[str, float]:
    friedman, nemenyi = friedman_test(losses), nemenyi_test(losses)
    ranks = {str(name): float(nemenyi.average_ranks[name]) for name in losses.columns}
    statistics = {
        "Friedman": friedman.statistic,
        "p": friedman.p_value,
        "Iman-Davenport": friedman.iman_davenport,
        "p of it": friedman.iman_davenport_p_value,
        "CD": nemenyi.critical_difference,
    }
    return ranks | {_free(name, ranks): value for name, value in statistics.items()}


def _free(name: str, taken: Container[str]) -> str:
    """Return the name of a statistic, longer if a method is called so."""
    while name in taken:
        name += " (test)"
    return name


def _told(results: ExperimentResults) -> Iterator[Section]:
    """Yield what fits failed of, and what they warned of."""
    failures = results.failures()
    if len(failures):
        keys = ["dataset", "estimator", "error"]
        counts = failures.groupby(keys, sort=False).size().rename("folds").reset_index()
        yield Section("Folds that failed", "", counts, prose=True)
    if len(results.warnings()):
        yield Section("Warnings of fits", "", results.warnings(), prose=True)


def _datasets(results: ExperimentResults) -> Section:
    rows = results.plan.datasets
    frame = pd.DataFrame(
        {
            "rows": results.sizes,
            "columns": {name: data.n_columns for name, data in rows.items()},
            "classes": {name: len(data.classes) for name, data in rows.items()},
        }
    ).loc[results.datasets]
    return Section("Data sets", "", frame.rename_axis("dataset"), first=False)


def _models(results: ExperimentResults) -> Section:
    plan = results.plan
    frame = pd.DataFrame({"name": plan.estimators.keys(), "model": plan.estimators.values()})
    text = f"bnclass {plan.version}, {plan.resampling} folds, random_state {plan.random_state}."
    return Section("Models", text, frame, first=False, prose=True)
