"""A reproduction as text: Markdown that can be read as it is."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pandas as pd

from bnclass.evaluate.markup import to_markdown
from bnclass.evaluate.reproduction.beside import BesidePublished
from bnclass.evaluate.reproduction.finding import FoundDatasets
from bnclass.evaluate.reproduction.papers import PaperTable
from bnclass.evaluate.reproduction.significance import Significance, significance_beside

if TYPE_CHECKING:
    from bnclass.evaluate.reproduction.run import Reproduction


def report_lines(reproduction: "Reproduction") -> list[str]:
    """Return a reproduction as lines of Markdown.

    Parameters
    ----------
    reproduction : Reproduction

    Returns
    -------
    list of str

    Examples
    --------
    >>> from bnclass.evaluate.reproduction.papers import paper
    >>> from bnclass.evaluate.reproduction.report import report_lines
    >>> from bnclass import Reproduction
    >>> report_lines(Reproduction(paper("kst"), True, {}, {}, {}, 4000.0))[0]
    '# [KST] in 1x10 cross-validation, 1:06:40'
    """
    paper = reproduction.paper
    lines = [
        f"# {paper.key} in {reproduction.resampling} cross-validation, "
        f"{_clock(reproduction.seconds)}",
        "",
    ]
    if reproduction.quick:
        lines += [f"A look: one round. The whole experiment is {paper.resampling}.", ""]
    if sum(table.name in reproduction.beside for table in paper.tables) > 1:
        lines += _together(reproduction)
    for table in paper.tables:
        if table.name in reproduction.found:
            lines += _table(table, reproduction)
    return lines


def _table(table: PaperTable, reproduction: "Reproduction") -> Iterator[str]:
    sets = reproduction.found[table.name]
    yield from _heading(
        2, table.name, f"{len(sets.found)} of {_count(sets)} data sets; cells are ours/printed."
    )
    if main := reproduction.beside.get(table.name):
        yield from _models(table)
        yield from _differences(main)
        yield from _readings(reproduction.readings(table), main.points)
        yield from _farthest(main)
        yield from _significance(significance_beside(main))
        yield from _failures(reproduction.results[table.name].failures())
    yield from _files(sets)
    for name in table.beside.values():
        if beside := reproduction.beside.get(name):
            yield from _heading(2, name, "From the same runs, without targets.")
            yield from _differences(beside)


def _models(table: PaperTable) -> Iterator[str]:
    models = {column: str(model) for column, model in table.estimators().items()}
    models |= {column: f"not run: {why}" for column, why in table.not_run.items()}
    frame = pd.DataFrame({"column": models.keys(), "model": models.values()})
    yield from _section("Models", frame)


def _together(reproduction: "Reproduction") -> Iterator[str]:
    main = reproduction.paper.tables[0].name
    points = reproduction.beside[main].points
    yield from _heading(2, "All tables together")
    yield from _distances(reproduction.differences(), points)


def _differences(beside: BesidePublished) -> Iterator[str]:
    yield from _section("Ours/printed", beside.side_by_side())
    for method, names in beside.lacking.items():
        yield from (f"{method} failed on {', '.join(names)}, which its means leave out.", "")
    yield from _distances(beside.differences(), beside.points)


def _distances(frame: pd.DataFrame, points: bool) -> Iterator[str]:
    title = f"Differences, ours less printed, in {'points of accuracy' if points else 'losses'}"
    if frame["target"].isna().all():
        frame = frame.drop(columns=["target", "mean_target", "met"])
        yield from _section(title, frame, _digits(points))
    else:
        frame = frame.assign(met=frame["met"].map({True: "yes", False: "no"}))
        yield from _section(title, frame, _digits(points), _TARGETS)


_TARGETS = (
    "Met is a mean of absolute differences of at most the target together with a mean difference "
    "of at most mean_target, its sign aside."
)


def _digits(points: bool) -> int:
    return 2 if points else 4


def _readings(frame: pd.DataFrame, points: bool) -> Iterator[str]:
    """Yield what else the paper may mean, where it leaves a choice."""
    if len(frame):
        kept = frame.assign(met=frame["met"].map({True: "yes", False: "no"}))
        yield from _section("Another reading of the paper", kept, _digits(points))


def _farthest(beside: BesidePublished) -> Iterator[str]:
    yield from _section("Farthest off", beside.farthest(), _digits(beside.points))


def _significance(tests: Significance) -> Iterator[str]:
    if tests.left_out:
        names = ", ".join(tests.left_out)
        yield from (f"Left out of what compares methods, for a method failed: {names}.", "")
    if not tests.comparable:
        return
    yield from (
        "printed: the printed figures of these data sets and methods; printed_whole: all of the "
        "table's.",
        "",
    )
    yield from _section("Wins/draws/losses", tests.records())
    yield from _section("Average ranks", tests.ranks())
    yield from _section("Friedman and Nemenyi", tests.friedman())


def _failures(failures: pd.DataFrame) -> Iterator[str]:
    if len(failures):
        yield from _section("Folds that failed", failures)


def _files(sets: FoundDatasets) -> Iterator[str]:
    frame = sets.to_frame()
    missing, remarked = frame["file"].isna(), frame["remark"] != ""
    if missing.any():
        names = {"remark": "reason"}
        yield from _section(
            "Missing", frame.loc[missing, ["dataset", "remark"]].rename(columns=names)
        )
    if (remarked & ~missing).any():
        yield from _section("Remarks on files", frame[remarked & ~missing])


def _section(title: str, frame: pd.DataFrame, digits: int = 4, text: str = "") -> Iterator[str]:
    numbered = not isinstance(frame.index, pd.RangeIndex) and frame.index.name is None
    yield from _heading(3, title, text)
    yield from to_markdown(frame.reset_index(drop=True) if numbered else frame, digits).split("\n")
    yield ""


def _heading(level: int, title: str, text: str = "") -> Iterator[str]:
    yield from (f"{'#' * level} {title}", "")
    if text:
        yield from (text, "")


def _count(sets: FoundDatasets) -> int:
    return len(sets.found) + len(sets.missing)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}"
