import csv
import gzip
import math
import os
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bnclass.data.arff import read_arff
from bnclass.data.arff_lines import BrokenLineError, EmptyValueError, split_values, tokenize
from bnclass.exceptions import FileFormatError

HEADER = "@relation r\n@attribute c {red,green}\n@attribute x numeric\n@attribute s string\n"


def read(folder: Path, text: str) -> pd.DataFrame:
    path = folder / "t.arff"
    path.write_bytes(text.encode("utf-8"))
    return read_arff(path)


def error_of(folder: Path, text: str) -> str:
    with pytest.raises(FileFormatError) as caught:
        read(folder, text)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(str(folder / "t.arff"))
    return message.removeprefix(str(folder / "t.arff"))


def cells(column: pd.Series) -> list[object]:
    return [None if pd.isna(cell) else cell for cell in column]


# ---------------------------------------------------------------- what is read


def test_a_small_file_by_hand(tmp_path):
    table = read(
        tmp_path,
        "% a comment, with 'an open quote\n"
        "@RELATION 'a relation''s name\n"
        "\n"
        "@Attribute\t'the colour' {red, 'dark green' , \"it's\"}\n"
        '@attribute "x" REAL\n'
        "@ATTRIBUTE n{1,2}  % glued brace\n"
        "@attribute s String\n"
        "@attribute i integer\n"
        "@DATA\n"
        "red,1.5,1,hello,3\n"
        "  'dark green' , ?,2 ,\t'a, b' , -4e2 % the rest is a comment\n"
        "% a comment\n"
        "   \n"
        "'it\\'s',.5,?,'?',?\n"
        '"it\'s" 2 1 ? 0\n',
    )
    assert list(table.columns) == ["the colour", "x", "n", "s", "i"]
    assert cells(table["the colour"]) == ["red", "dark green", "it's", "it's"]
    assert list(table["the colour"].cat.categories) == ["red", "dark green", "it's"]
    assert cells(table["x"]) == [1.5, None, 0.5, 2.0]
    assert cells(table["n"]) == ["1", "2", None, "1"]
    assert cells(table["s"]) == ["hello", "a, b", "?", None]
    assert cells(table["i"]) == [3.0, -400.0, None, 0.0]
    assert table["x"].dtype == table["i"].dtype == np.float64
    assert isinstance(table["n"].dtype, pd.CategoricalDtype)


def test_declared_levels_that_never_occur_are_kept_in_their_order(tmp_path):
    table = read(tmp_path, "@attribute a {z,b,a}\n@data\na\n")
    assert list(table["a"].cat.categories) == ["z", "b", "a"]
    assert not table["a"].cat.ordered


def test_an_attribute_without_levels_can_only_be_missing(tmp_path):
    assert cells(read(tmp_path, "@attribute a {}\n@data\n?\n")["a"]) == [None]
    message = error_of(tmp_path, "@attribute a {}\n@data\nx\n")
    assert message == ", line 3: attribute 'a': found 'x', expected ? (no levels are declared)"


def test_sparse_rows_leave_out_zeros_and_first_levels(tmp_path):
    header = "@attribute x numeric\n@attribute c {no,yes}\n@attribute y real\n@data\n"
    table = read(tmp_path, header + "{0 1.5, 1 yes}\n{}\n{ 2 ?,1 'yes' }  % note\n3,no,4\n")
    assert cells(table["x"]) == [1.5, 0.0, 0.0, 3.0]
    assert cells(table["c"]) == ["yes", "no", "yes", "no"]
    assert cells(table["y"]) == [0.0, 0.0, None, 4.0]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end(tmp_path, end):
    assert cells(read(tmp_path, f"@attribute x real{end}@data{end}1{end}2")["x"]) == [1.0, 2.0]


def test_a_byte_order_mark_is_skipped(tmp_path):
    assert cells(read(tmp_path, "\ufeff@attribute é real\n@data\n1\n")["é"]) == [1.0]


def test_gzip(tmp_path):
    path = tmp_path / "T.ARFF.GZ"
    path.write_bytes(gzip.compress(b"@attribute x real\n@data\n1\n"))
    assert cells(read_arff(str(path))["x"]) == [1.0]


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (r"'it\'s'", "it's"),
        (r'"it\'s"', "it's"),
        ('"it\'s"', "it's"),
        (r"'\"'", '"'),
        (r"'a\\b'", r"a\b"),
        (r"'a\\'", "a\\"),
        (r"'100\%'", "100%"),
        ("'100%'", "100%"),
        (r"'a\tb\nc\rd'", "a\tb\nc\rd"),
        (r"'\u001E'", "\x1e"),
        (r"'\'(-inf-2.45]\''", "'(-inf-2.45]'"),
        ("''", ""),
        ("'{1 x}'", "{1 x}"),
        (r"C:\new", r"C:\new"),
        ("a\u00a0b", "a\u00a0b"),
        ("a\u2028b", "a\u2028b"),
        ("@data", "@data"),
        ("日本", "日本"),
    ],
)
def test_quotes_and_escapes(tmp_path, written, text):
    header = "@attribute s string\n@attribute x real\n@data\n"
    assert cells(read(tmp_path, f"{header}{written},1\n")["s"]) == [text]


@pytest.mark.parametrize(
    ("written", "number"),
    [("1", 1.0), ("-0.5", -0.5), ("+2.", 2.0), (".5", 0.5), ("1E-3", 0.001), ("'7'", 7.0)],
)
def test_numbers(tmp_path, written, number):
    assert cells(read(tmp_path, f"@attribute x real\n@data\n{written}\n")["x"]) == [number]


# ---------------------------------------------------------------- what is refused

NOT_A_NUMBER = [
    "red",
    "nan",
    "NaN",
    "inf",
    "-Infinity",
    "1e999",
    "1_000",
    "0x10",
    "1.2.3",
    "٣",
    "1\u00a0",
]


@pytest.mark.parametrize("cell", NOT_A_NUMBER)
@pytest.mark.parametrize("comma", [",", ", "])
def test_not_a_number(tmp_path, cell, comma):
    row = comma.join(["red", cell, "a"])
    message = error_of(tmp_path, f"{HEADER}@data\nred,1,a\n{row}\n")
    assert message == f", line 7: attribute 'x': found {cell!r}, expected a finite number or ?"


@pytest.mark.parametrize("cell", ["", "?", "1,5"])
def test_not_a_number_in_quotes(tmp_path, cell):
    message = error_of(tmp_path, f"{HEADER}@data\nred,'{cell}',a\n")
    assert message == f", line 6: attribute 'x': found {cell!r}, expected a finite number or ?"


# Each stands on line 6, once without blanks (the fast path) and once with.
BROKEN_ROWS = {
    "red,1": "found 2 values, expected 3: none for attribute 's'",
    "red,1,a,b": (
        "found 4 values, expected 3: 'b' is beyond the last attribute 's' "
        "(a value with a blank or a comma needs quotes)"
    ),
    "blue,1,a": "attribute 'c': found 'blue', expected one of 'red', 'green' or ?",
    "Red,1,a": "attribute 'c': found 'Red', expected one of 'red', 'green' or ?",
    "red,x,a": "attribute 'x': found 'x', expected a finite number or ?",
    "red,,a": "attribute 'x': value 2 is empty, expected a value or ?",
    ",1,a": "attribute 'c': value 1 is empty, expected a value or ?",
    "red,1,": "attribute 's': value 3 is empty, expected a value or ?",
    "red,1,a,": "value 4 is empty, expected a value or ?",
}


@pytest.mark.parametrize("row", BROKEN_ROWS)
@pytest.mark.parametrize("comma", [",", ", ", "\t, "])
def test_a_broken_row_gives_the_same_error_with_and_without_blanks(tmp_path, row, comma):
    message = error_of(tmp_path, f"{HEADER}@data\n{row.replace(',', comma)}\nred,1,a\n")
    assert message == f", line 6: {BROKEN_ROWS[row]}"


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("red,1,'a", "found no closing ' for the quote opened here"),
        ('red,1,"a', 'found no closing " for the quote opened here'),
        (r"red,1,'a\'", "found no closing ' for the quote opened here"),
        ("red,1,it's", "found \"'\" right after 'it', expected a comma or a blank"),
        ("red,1,'a'b", "found 'b' right after 'a', expected a comma or a blank"),
        ("red,50%,a", "found '%' right after '50', expected a comma or a blank"),
        (r"red,1,'C:\dir'", r"found the escape '\d', expected"),
        ("red,1,a{b}", "found '{' among the values, expected a value"),
        ("red,1,a,{2}", "found '{' among the values, expected a value"),
        ("red,1,New York", "found 4 values, expected 3: 'York' is beyond the last attribute 's'"),
        ("{0 red,2 a", "found no closing brace, expected {...} on one line"),
        ("{0 red,2 a},{2}", "found a second opening brace, expected one (or quotes)"),
        ("{0 red,2 a},5", "found ',' after the closing brace, expected the end of the line"),
        ("{0 red,2 a,3 1}", "found the index 3 in a sparse row, expected 0 to 2"),
        ("{0 red,2 a,2 b}", "attribute 's': found two values"),
        ("{x red,2 a}", "found 'x red' in a sparse row, expected an index and a value"),
        ("{-1 red,2 a}", "found '-1 red' in a sparse row, expected an index and a value"),
        ("{2 New York}", "found '2 New York' in a sparse row, expected an index and a value"),
        ("{2 a,}", "found '' in a sparse row, expected an index and a value"),
        ("{0 blue,2 a}", "attribute 'c': found 'blue', expected one of 'red', 'green' or ?"),
        ("{1 1}", "attribute 's': left out of a sparse row, expected a value"),
    ],
)
def test_a_broken_line_is_named(tmp_path, row, problem):
    assert f", line 6: {problem}" in error_of(tmp_path, f"{HEADER}@data\n{row}\nred,1,a\n")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", ", line 0: found the end of the file, expected @data"),
        ("@relation r\n@attribute a real\n", ", line 2: found the end of the file, expected @data"),
        ("@relation r\n1,2\n", ", line 2: found '1' in the header, expected @relation,"),
        ("@attribute a real\n'@data'\n1\n", ", line 2: found '@data' in the header"),
        ("@relations r\n", ", line 1: found '@relations' in the header"),
        ("@data\n1\n", ", line 1: found @data before any @attribute, expected at least one"),
        ("@attribute a real\n@data 1\n", ", line 2: found '1' after @data"),
        ("@attribute a real\n@data\n% none\n", ", line 3: found the end of the file, expected at"),
        (
            "@attribute a real\n@attribute A real\n@attribute 'a' {x}\n",
            ", line 3: attribute 'a' is declared a second time",
        ),
        ("@attribute\n", ", line 1: found no name after @attribute"),
        ("@attribute {a,b}\n", ", line 1: found no name after @attribute"),
        ("@attribute a\n", ", line 1: attribute 'a': found no type"),
        ("@attribute d date 'yyyy'\n", ", line 1: attribute 'd': found the type 'date'"),
        ("@attribute b relational\n", ", line 1: attribute 'b': found the type 'relational'"),
        ("@attribute a flaot\n", ", line 1: attribute 'a': found the type 'flaot'"),
        ("@attribute a real [0,1]\n", ", line 1: attribute 'a': found '[0' after the type"),
        ("@attribute a real {2.0}\n", ", line 1: attribute 'a': found '{' after the type"),
        ("@attribute a {x,y\n", ", line 1: attribute 'a': found no closing brace"),
        ("@attribute a {x,{y}\n", ", line 1: attribute 'a': found a second opening brace"),
        ("@attribute a {x} y\n", ", line 1: attribute 'a': found 'y' after the closing brace"),
        ("@attribute a {x,,y}\n", ", line 1: attribute 'a': value 2 is empty"),
        ("@attribute a {x,'x'}\n", ", line 1: attribute 'a': the level 'x' is declared a second"),
        ("@attribute a {?,x}\n", ", line 1: attribute 'a': found ? among the levels"),
        ("@attribute 'a {x}\n", ", line 1: found no closing ' for the quote"),
    ],
)
def test_a_broken_header_is_named(tmp_path, text, problem):
    assert error_of(tmp_path, text).startswith(problem)


def test_many_levels_are_not_all_printed(tmp_path):
    message = error_of(tmp_path, "@attribute a {1,2,3,4,5,6,7,8}\n@data\n9\n")
    assert message.endswith("one of '1', '2', '3', '4', '5', '6', ... (8 levels) or ?")


def test_bytes_that_are_not_utf8(tmp_path):
    path = tmp_path / "t.arff"
    path.write_bytes("@relation r\n@attribute é real\n".encode("latin-1"))
    with pytest.raises(FileFormatError, match=r"t\.arff, line 2: found the byte 0xe9, expected UT"):
        read_arff(path)


def test_a_missing_file(tmp_path):
    with pytest.raises(FileFormatError, match=r"none\.arff: no such file"):
        read_arff(tmp_path / "none.arff")


def test_tokens_of_one_line():
    assert tokenize("a{'b',c}") == [
        ("bare", "a"),
        ("mark", "{"),
        ("quoted", "b"),
        ("mark", ","),
        ("bare", "c"),
        ("mark", "}"),
    ]


def test_an_empty_list_has_an_empty_value():
    with pytest.raises(EmptyValueError, match="value 1 is empty"):
        split_values([])


# ---------------------------------------------------------------- any table survives

any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
nasty_text = st.text(st.sampled_from("ab0'\"\\%{},? \t\n\r\x1e\u00a0\u2028é@"), max_size=6)
texts = any_text | nasty_text | st.sampled_from(["?", "", "nan", "None", "@data", "% no", "'(a]'"])
numbers = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([0.0, 1.0])


@dataclass
class Column:
    name: str
    levels: list[str] | None
    values: list[object]

    @property
    def type(self) -> str:
        kinds = {str(type(value)) for value in self.values if value is not None}
        return "numeric" if kinds == {str(float)} else "string"


@st.composite
def tables(draw) -> list[Column]:
    n_rows = draw(st.integers(1, 5))
    names = draw(st.lists(texts, min_size=1, max_size=4, unique=True))
    columns = []
    for name in names:
        levels = draw(st.none() | st.lists(texts, min_size=1, max_size=4, unique=True))
        domain = draw(st.sampled_from([texts, numbers])) if levels is None else None
        value = st.none() | (st.sampled_from(levels) if domain is None else domain)
        values = draw(st.lists(value, min_size=n_rows, max_size=n_rows))
        columns.append(Column(name, levels, values))
    return columns


ESCAPES = {"\n": r"\n", "\r": r"\r", "\t": r"\t", "\x1e": r"\u001E", "\\": r"\\"}


class Writer:
    """Writes a table in one of the many ways that ARFF allows; hypothesis chooses."""

    def __init__(self, draw) -> None:
        self.draw = draw

    def choose(self, *options: str) -> str:
        return self.draw(st.sampled_from(options))

    def word(self, text: str) -> str:
        bare = re.fullmatch(r"[^\x00-\x20,{}'\"%]+", text) and text != "?"
        quote = self.choose("", "'", '"') if bare else self.choose("'", '"')
        if not quote:
            return text
        escapes = ESCAPES | {quote: "\\" + quote}
        return quote + "".join(escapes.get(c, c) for c in text) + quote

    def cell(self, value: object) -> str:
        if value is None:
            return "?"
        return self.word(value if isinstance(value, str) else repr(value))

    def attribute(self, column: Column) -> str:
        kind = column.type
        if column.levels is not None:
            kind = "{" + self.choose(",", ", ", " ").join(map(self.word, column.levels)) + "}"
        keyword = self.choose("@attribute", "@ATTRIBUTE", " @Attribute")
        return f"{keyword}{self.choose(' ', '	')}{self.word(column.name)} {kind}"

    def row(self, columns: list[Column], i: int) -> str:
        values = [column.values[i] for column in columns]
        if self.choose("dense", "sparse") == "dense":
            return self.choose(",", ", ", " ", "\t").join(map(self.cell, values))
        defaults = [
            0.0 if c.levels is None and c.type == "numeric" else (c.levels or [...])[0]
            for c in columns
        ]
        pairs = [
            f"{j} {self.cell(value)}"
            for j, (value, default) in enumerate(zip(values, defaults, strict=True))
            if value != default or (value == 0.0 and math.copysign(1.0, value) < 0)
        ]
        return "{" + ", ".join(pairs) + "}"

    def table(self, columns: list[Column]) -> str:
        lines = ["@relation " + self.word(self.draw(texts))]
        lines += [self.attribute(column) for column in columns]
        lines += [self.choose("@data", "@DATA ")]
        lines += [self.row(columns, i) for i in range(len(columns[0].values))]
        noise = ["", "", "\n% a 'comment\n", "\n \t\n"]
        return "\n".join(line + self.choose(*noise) for line in lines) + "\n"


@given(data=st.data(), columns=tables())
def test_any_table_is_read_back(tmp_path_factory, data, columns):
    text = Writer(data.draw).table(columns)
    end = data.draw(st.sampled_from(["\n", "\r\n"]))
    table = read(tmp_path_factory.mktemp("arff"), text.replace("\n", end))
    assert list(table.columns) == [column.name for column in columns]
    for column in columns:
        found = table[column.name]
        assert cells(found) == column.values
        if column.levels is not None:
            assert list(found.cat.categories) == column.levels
        elif column.type == "numeric":
            assert found.dtype == np.float64
            signs = [math.copysign(1.0, v) for v in column.values if v is not None]
            assert [math.copysign(1.0, v) for v in found if not math.isnan(v)] == signs


@given(line=texts)
@example("'\\")
@example("a%")
def test_a_line_becomes_tokens_or_a_named_error(line):
    try:
        tokens = tokenize(line)
    except BrokenLineError:
        assert set(line) & set("'\"%")
    else:
        assert {token.kind for token in tokens} <= {"mark", "bare", "quoted"}
        assert all(token.text for token in tokens if token.kind != "quoted")


# ---------------------------------------------------------------- real files


@pytest.fixture(scope="module")
def folder() -> Path:
    if "BNCLASS_DATA" not in os.environ:
        pytest.skip("BNCLASS_DATA does not name the folder of data sets")
    return Path(os.environ["BNCLASS_DATA"])


def test_every_file_of_the_collection_is_as_its_manifest_says(folder):
    with (folder / "MANIFEST.csv").open(encoding="utf-8", newline="") as file:
        manifest = list(csv.DictReader(file))
    assert manifest
    for entry in manifest:
        table = read_arff(folder / entry["file"])
        X, y = table.drop(columns="class"), table["class"]
        found = {
            "instances": len(table),
            "attributes": X.shape[1],
            "numeric_attributes": sum(dtype == np.float64 for dtype in X.dtypes),
            "classes": len(y.cat.categories),
            "missing_percent": f"{100 * X.isna().to_numpy().mean():.2f}",
        }
        assert {key: str(value) for key, value in found.items()} == {
            key: entry[key] for key in found
        }, entry["file"]
