"""What the tests of significance say of our figures, and of the printed ones on the same data."""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import pandas as pd

from bnclass.evaluate.ranks import average_ranks, friedman_test, nemenyi_test
from bnclass.evaluate.records import WinDrawLoss, win_draw_loss
from bnclass.evaluate.reproduction.beside import BesidePublished

OURS, PRINTED, WHOLE = "ours", "printed", "printed_whole"


@dataclass(frozen=True, eq=False)
class Significance:
    """Tests of our losses, of the printed ones of the same data sets and methods, and of all.

    Attributes
    ----------
    ours, printed : DataFrame of shape (n_datasets, n_methods)
        Losses of the same data sets and methods.
    whole : DataFrame
        All losses that the table prints.
    left_out : tuple of str
        Data sets that are compared nowhere, since we lack a figure of some method.

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import beside_published
    >>> from bnclass.evaluate.reproduction.significance import significance_beside
    >>> ours = pd.DataFrame({"NB": [0.30, 0.02], "KST": [0.35, 0.02]}, ["Contact-lenses", "Wine"])
    >>> tested = significance_beside(beside_published(ours, "kst_zero_one_loss"))
    >>> tested.records()
      method against   ours printed printed_whole
    0    KST      NB  0/1/1   1/0/1        26/9/5
    >>> tested.ranks()
            ours  printed  printed_whole
    method
    NB      1.25      1.5          5.250
    KST     1.75      1.5          2.625
    """

    ours: pd.DataFrame
    printed: pd.DataFrame
    whole: pd.DataFrame
    left_out: tuple[str, ...]

    @property
    def sources(self) -> dict[str, pd.DataFrame]:
        """The three frames by name: ours, printed, printed_whole."""
        return {OURS: self.ours, PRINTED: self.printed, WHOLE: self.whole}

    @property
    def comparable(self) -> bool:
        """Whether two methods have figures on a data set in common."""
        return len(self.ours) > 0 and self.ours.shape[1] > 1

    def records(self) -> pd.DataFrame:
        """Return wins/draws/losses of a method against an earlier one, as text.

        Returns
        -------
        DataFrame
            Columns method, against, ours, printed, printed_whole; no row where nothing can be
            compared.
        """
        columns = ["method", "against", *self.sources]
        if not self.comparable:
            return pd.DataFrame(columns=columns)
        counts = [win_draw_loss(losses) for losses in self.sources.values()]
        pairs = [(b, a) for a, b in combinations(self.ours.columns, 2)]
        rows = [(a, b, *(_record(count, a, b) for count in counts)) for a, b in pairs]
        return pd.DataFrame(rows, columns=columns)

    def ranks(self) -> pd.DataFrame:
        """Return the average rank of every method; those of all printed are among more methods."""
        if not self.comparable:
            return pd.DataFrame(columns=list(self.sources))
        ranks = {source: average_ranks(losses) for source, losses in self.sources.items()}
        return pd.DataFrame(ranks).loc[self.ours.columns].rename_axis("method")

    def friedman(self) -> pd.DataFrame:
        """Return Friedman's and Nemenyi's tests.

        Returns
        -------
        DataFrame
            A row for each of the sources with two data sets or more. Columns n_datasets,
            n_methods, statistic, p_value, iman_davenport, iman_davenport_p_value (see
            `FriedmanResult`), critical_difference, groups (methods that do not differ, best
            first, as text), note.
        """
        rows = {
            source: _tests(losses)
            for source, losses in self.sources.items()
            if self.comparable and len(losses) > 1
        }
        columns = ["n_datasets", "n_methods", "statistic", "p_value", "iman_davenport"]
        columns += ["iman_davenport_p_value", "critical_difference", "groups", "note"]
        return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("figures")


def significance_beside(beside: BesidePublished) -> Significance:
    """Return the frames of losses that tests take, without data sets on which we lack a figure.

    Parameters
    ----------
    beside : BesidePublished

    Returns
    -------
    Significance

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import beside_published
    >>> from bnclass.evaluate.reproduction.significance import significance_beside
    >>> ours = pd.DataFrame({"NB": [0.3, None], "KST": [0.3, 0.02]}, ["Contact-lenses", "Wine"])
    >>> significance_beside(beside_published(ours, "kst_zero_one_loss")).left_out
    ('Wine',)
    """
    whole = beside.losses.notna().all(axis=1)
    return Significance(
        ours=beside.losses[whole],
        printed=beside.printed_losses[whole],
        whole=beside.published.losses,
        left_out=tuple(beside.losses.index[~whole]),
    )


def _record(counts: WinDrawLoss, method: Any, against: Any) -> str:
    return "{}/{}/{}".format(*counts.record(method, against))


def _tests(losses: pd.DataFrame) -> tuple[Any, ...]:
    friedman, nemenyi = friedman_test(losses), nemenyi_test(losses)
    groups = "; ".join(" ".join(map(str, group)) for group in nemenyi.groups)
    return (
        friedman.n_datasets,
        friedman.n_methods,
        friedman.statistic,
        friedman.p_value,
        friedman.iman_davenport,
        friedman.iman_davenport_p_value,
        nemenyi.critical_difference,
        groups,
        friedman.note,
    )
