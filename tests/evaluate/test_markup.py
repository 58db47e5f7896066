"""Frames as Markdown and LaTeX."""

import math
import re
import shutil
import subprocess
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bnclass as bc
from bnclass.evaluate.markup import to_latex, to_markdown
from bnclass.evaluate.printed import printed_cell

FEW = settings(deadline=None, max_examples=60)
AWKWARD = r"a|b_c & 50% of $x$ #1 {y} ~z ^2 \w *v* [u] <t> --s `r`"


def lines(text):
    """Return the lines of a table that stands in a test, indented."""
    return [line.strip() for line in text.strip().splitlines()]


def parsed(markdown):
    """Return names, whether columns are aligned to the right, and cells, as a renderer would."""
    head, rule, *rows = [
        [cell.strip() for cell in re.split(r"(?<!\\)(?:\\\\)*\|", f" {line[1:-1]} ")]
        for line in map(_protected, markdown.split("\n"))
    ]
    assert {len(row) for row in rows} <= {len(head)} == {len(rule)}
    cells = [[_unescaped(cell) for cell in row] for row in rows]
    return [_unescaped(name) for name in head], [r.endswith(":") for r in rule], cells


def _protected(line):
    """Hide backslashes that are escaped, so that only those that escape something are left."""
    return line.replace(r"\\", "\0")


def _unescaped(cell):
    cell = re.sub(r"^\*\*(.+)\*\*$", r"\1", cell)
    cell = re.sub(r"(?<!\\)<br>", "\n", cell)
    return re.sub(r"\\([^0-9A-Za-z\s])", r"\1", cell).replace("\0", "\\")


# ---------------------------------------------------------------- cells


@pytest.mark.parametrize(
    ("cell", "digits", "text"),
    [
        (0.12345, 4, "0.1235"),  # the double is above 0.12345
        (0.125, 2, "0.12"),
        (1.0, 4, "1.0000"),
        (1, 4, "1"),
        (np.int64(-3), 4, "-3"),
        (np.float32(0.1), 4, "0.1000"),
        (Fraction(1, 8), 4, "0.1250"),
        (0.00005001, 4, "0.0001"),
        (0.00004, 4, "4.0e-05"),
        (-0.00004, 4, "-4.0e-05"),
        (2.314337e-07, 4, "2.3e-07"),
        (5e-324, 4, "4.9e-324"),
        (0.4, 0, "4.0e-01"),
        (0.6, 0, "1"),
        (0.0, 4, "0.0000"),
        (-0.0, 4, "0.0000"),
        (1.5e300, 2, "1.50e+300"),
        (math.inf, 4, "inf"),
        (-math.inf, 4, "-inf"),
        (math.nan, 4, "–"),
        (None, 4, "–"),
        (pd.NA, 4, "–"),
        (True, 4, "True"),
        (np.bool_(False), 4, "False"),
        ("", 4, ""),
        ("0.123456", 4, "0.123456"),
        (("a", 1), 4, "('a', 1)"),
    ],
)
def test_cells(cell, digits, text):
    assert printed_cell(cell, digits) == text


@given(st.floats(allow_nan=False), st.integers(0, 15))
def test_nothing_becomes_zero_and_order_stays(number, digits):
    printed = float(printed_cell(number, digits))
    assert (printed == 0) == (number == 0)
    assert printed <= float(printed_cell(math.nextafter(number, math.inf), digits))


# ---------------------------------------------------------------- Markdown


def test_markdown_by_hand():
    frame = pd.DataFrame(
        {"method": ["NB", "a|b"], "loss": [0.25, np.nan], "n": pd.array([None, 12], "Int64")}
    )
    expected = r"""
        | method |   loss |   n |
        | :----- | -----: | --: |
        | NB     | 0.2500 |   – |
        | a\|b   |      – |  12 |
    """
    assert to_markdown(frame).splitlines() == lines(expected)


def test_the_best_of_each_row_are_bold_where_they_print_alike():
    frame = pd.DataFrame(
        {"A": [0.12344, 0.5, np.nan, 1], "B": [0.12341, 0.4, np.nan, 1], "C": [0.2, "x", None, 1]},
        index=pd.Index(["tied", "text", "none", "all"], name="dataset"),
    )
    expected = """
        | dataset |          A |          B | C      |
        | :------ | ---------: | ---------: | :----- |
        | tied    | **0.1234** | **0.1234** | 0.2000 |
        | text    |     0.5000 | **0.4000** | x      |
        | none    |          – |          – | –      |
        | all     | **1.0000** | **1.0000** | **1**  |
    """
    assert to_markdown(frame, best="min").splitlines() == lines(expected)
    first = to_markdown(frame, best="max").splitlines()[2]
    assert first == "| tied    |     0.1234 |     0.1234 | **0.2000** |"


def test_infinite_losses_are_numbers():
    frame = pd.DataFrame({"A": [np.inf, np.inf], "B": [-np.inf, np.nan]})
    assert parsed(to_markdown(frame, best="max"))[2] == [["inf", "-inf"], ["inf", "–"]]
    assert to_markdown(frame, best="max").count("**inf**") == 2
    assert to_markdown(frame, best="min").count("**-inf**") == 1


def test_what_the_package_reports():
    losses = bc.published_table("kst_zero_one_loss").losses[["NB", "TAN", "KST"]]
    record = bc.win_draw_loss(losses)
    expected = """
        |     | NB      | TAN     | KST    |
        | :-- | :------ | :------ | :----- |
        | NB  |         | 11/8/21 | 5/9/26 |
        | TAN | 21/8/11 |         | 2/9/29 |
        | KST | 26/9/5  | 29/9/2  |        |
    """
    assert to_markdown(record.to_matrix()).splitlines() == lines(expected)
    *_, last = parsed(to_markdown(record.to_frame()))[2]
    assert last == ["KST", "TAN", "29", "9", "2", "27", "2.3e-07"]
    friedman = parsed(to_markdown(bc.friedman_test(losses).to_frame(), digits=2))
    assert friedman[0] == ["test", "statistic", "df", "df_within", "p_value", "note"]
    assert friedman[1] == [False, True, True, True, True, False]
    assert [row[3] for row in friedman[2]] == ["–", "78"]
    nemenyi = parsed(to_markdown(bc.nemenyi_test(losses).to_frame()))
    assert nemenyi[2][-1][-1] in ("True", "False")
    assert nemenyi[1] == [False, False, True, True, False]
    parts = bc.bias_variance(["a", "a"], [["a", "a"], ["b", "a"]]).to_frame()
    assert parsed(to_markdown(parts))[2] == [["0.1250", "0.1250", "0.2500", "2", "2"]]


def test_index():
    frame = pd.DataFrame({"v": [1, 2]})
    assert parsed(to_markdown(frame))[0] == ["v"]
    assert parsed(to_markdown(frame.tail(1)))[0] == ["v"]
    assert parsed(to_markdown(frame.rename_axis("fold")))[0] == ["fold", "v"]
    assert parsed(to_markdown(frame.set_axis([5, 7])))[2] == [["5", "1"], ["7", "2"]]
    assert parsed(to_markdown(frame.set_axis([0.05, None])))[2] == [["0.05", "1"], ["–", "2"]]
    both = pd.MultiIndex.from_tuples([("iris", 1), ("wine", 2)], names=["dataset", None])
    deep = pd.DataFrame([[1, 2], [3, 4]], both, pd.MultiIndex.from_product([["loss"], ["A", 1]]))
    expected = (
        ["dataset", "", "loss / A", "loss / 1"],
        [False, True, True, True],
        [["iris", "1", "1", "2"], ["wine", "2", "3", "4"]],
    )
    assert parsed(to_markdown(deep)) == expected


def test_series_and_frames_without_rows():
    ranks = bc.average_ranks(bc.published_table("kst_bias").losses)
    assert parsed(to_markdown(ranks))[2][0] == ["NB", "5.2625"]
    assert parsed(to_markdown(pd.Series([1])))[0] == [""]
    empty = pd.DataFrame({"A": [], "B": pd.Series([], dtype=object)})
    assert to_markdown(empty, best="min") == "|   A |   B |\n| --: | --: |"
    assert r"\midrule" in to_latex(empty, best="max")


def test_plain_text_is_aligned_in_any_script():
    frame = pd.DataFrame({"name": ["数据", "e\u0301t", "ab"], "n": [1, 2, 3]})
    assert to_markdown(frame).splitlines()[2:] == [
        "| 数据 |   1 |",
        "| e\u0301t   |   2 |",
        "| ab   |   3 |",
    ]


def test_markdown_escapes():
    frame = pd.DataFrame(
        {"zero_one_loss": [AWKWARD, "_x_", "a\\", "one\r\ntwo\n", "<br>", "a\\|b"]}
    )
    markdown = to_markdown(frame)
    assert markdown.splitlines()[0].startswith("| zero_one_loss ")
    cells = [row[0] for row in parsed(markdown)[2]]
    assert cells == [AWKWARD, "_x_", "a\\", "one\ntwo", "<br>", "a\\|b"]
    assert r"| \_x\_ " in markdown
    assert r"\*v\* \[u\] \<t>" in markdown


TEXTS = st.text(st.characters(exclude_categories=["C", "Z"], include_characters=" \n|\\*_<"))
CELLS = st.one_of(TEXTS, st.integers(-(10**12), 10**12), st.floats(), st.none(), st.booleans())


@FEW
@given(st.data())
def test_markdown_parses_to_the_same_cells(data):
    n, k = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    cells = [[data.draw(CELLS) for _ in range(k)] for _ in range(n)]
    names = [data.draw(TEXTS) for _ in range(k)]
    frame = pd.DataFrame({i: pd.Series([r[i] for r in cells], dtype=object) for i in range(k)})
    frame.columns = names
    best = data.draw(st.sampled_from([None, "min", "max"]))
    found_names, right, found = parsed(to_markdown(frame, best=best))
    assert found_names == list(map(_trimmed, names))
    assert found == [[_trimmed(printed_cell(cell, 4)) for cell in row] for row in cells]
    for i, is_right in enumerate(right):
        assert is_right == all(not isinstance(r[i], (str, bool)) for r in cells)


def _trimmed(text):
    return "\n".join(line.strip() for line in text.strip().splitlines())


# ---------------------------------------------------------------- LaTeX


def test_latex_by_hand():
    frame = pd.DataFrame(
        {"NB": [0.2, -1.5], "K_ST": [0.1, None]}, index=pd.Index(["a&b", "c"], name="data set")
    )
    expected = r"""
        \begin{table}
        \centering
        \caption{50 \% of \#1}
        \label{tab:x_1}
        \begin{tabular}{lrr}
        \toprule
        data set & NB & K\_ST \\
        \midrule
        a\&b & 0.20 & \textbf{0.10} \\
        c & \textbf{$-$1.50} & -- \\
        \bottomrule
        \end{tabular}
        \end{table}
    """
    found = to_latex(frame, 2, "min", caption="50 % of #1", label="tab:x_1")
    assert found.splitlines() == lines(expected)
    assert to_latex(frame, 2, "min").splitlines() == lines(expected)[4:-1]


def test_latex_escapes():
    cell = to_latex(pd.DataFrame({"v": [AWKWARD + "\nnext"]})).splitlines()[4]
    assert cell == (
        r"a\textbar{}b\_c \& 50\% of \$x\$ \#1 \{y\} \textasciitilde{}z \textasciicircum{}2 "
        r"\textbackslash{}w {*}v{*} {[}u] \textless{}t\textgreater{} -{}-s `r` next \\"
    )


def test_latex_compiles(tmp_path):
    if shutil.which("pdflatex") is None:
        pytest.skip("needs pdflatex")
    frame = pd.DataFrame({"[t]": [AWKWARD, "[2cm]", "*"], "p": [2e-7, -np.inf, None]})
    table = to_latex(frame, best="min", caption=AWKWARD, label="tab:a_b")
    source = "\\documentclass{article}\\usepackage{booktabs}\\begin{document}%s\\end{document}"
    (tmp_path / "t.tex").write_text(source % table, encoding="utf-8")
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "t.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[1]],), "frame is a list, expected a pandas DataFrame"),
        ((pd.DataFrame(index=["a"]),), "frame has no columns"),
        ((pd.DataFrame({"a": [1]}), -1), "digits is -1, expected a whole number"),
        ((pd.DataFrame({"a": [1]}), 2.0), "digits is 2.0, expected a whole number"),
        ((pd.DataFrame({"a": [1]}), True), "digits is True"),
        ((pd.DataFrame({"a": [1]}), 4, "least"), "best is 'least', expected None, 'min' or 'max'"),
    ],
)
@pytest.mark.parametrize("write", [to_markdown, to_latex])
def test_refusals(write, arguments, message):
    with pytest.raises(bc.BnclassError, match=message):
        write(*arguments)


@pytest.mark.parametrize(("caption", "label"), [(None, "t"), ("c", "a b"), ("c", "50%")])
def test_refused_labels(caption, label):
    with pytest.raises(bc.BnclassError, match="label is"):
        to_latex(pd.DataFrame({"a": [1]}), caption=caption, label=label)
