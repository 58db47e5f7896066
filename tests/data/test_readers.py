import gzip
import importlib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bnclass.data.readers import read_table
from bnclass.data.textfile import parse_number
from bnclass.exceptions import FileFormatError


def write(path: Path, text: str) -> Path:
    data = text.encode("utf-8")
    path.write_bytes(gzip.compress(data) if path.name.lower().endswith(".gz") else data)
    return path


def read(folder: Path, text: str) -> pd.DataFrame:
    return read_table(write(folder / "t.csv", text))


def error_of(path: Path) -> str:
    with pytest.raises(FileFormatError) as caught:
        read_table(path)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(str(path))
    return message.removeprefix(str(path))


def cells(column: pd.Series) -> list[object]:
    return [None if pd.isna(cell) else cell for cell in column]


# ---------------------------------------------------------------- dispatch


@pytest.mark.parametrize("name", ["t.csv", "T.CSV", "t.csv.gz", "t.Csv.GZ"])
def test_csv_by_ending(tmp_path, name):
    assert cells(read_table(write(tmp_path / name, "a\n1\n"))["a"]) == [1]


@pytest.mark.parametrize("name", ["t.arff", "T.ARFF", "t.arff.gz"])
def test_arff_by_ending(tmp_path, name):
    path = write(tmp_path / name, "@attribute a real\n@data\n1\n")
    assert cells(read_table(str(path))["a"]) == [1.0]


def test_an_unknown_ending_lists_the_known_ones(tmp_path):
    message = error_of(tmp_path / "t.xlsx")
    assert message == (
        ": found an unknown ending, expected one of .csv, .csv.gz, .parquet, .arff, .arff.gz"
    )


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet", ".arff", ".arff.gz"])
def test_a_missing_file(tmp_path, ending):
    assert error_of(tmp_path / f"none{ending}") == ": no such file"


def test_a_folder_is_no_file(tmp_path):
    (tmp_path / "t.csv").mkdir()
    assert error_of(tmp_path / "t.csv").startswith(": cannot be read (")


@pytest.mark.parametrize("name", ["t.csv.gz", "t.arff.gz"])
def test_a_broken_gzip_file(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(b"a\n1\n")
    assert error_of(path).startswith(": cannot be read (")
    path.write_bytes(gzip.compress(b"a\n1\n" * 100)[:-9])
    assert error_of(path).startswith(": cannot be read (")


# ---------------------------------------------------------------- csv


def test_a_column_takes_the_type_that_all_filled_cells_allow(tmp_path):
    table = read(
        tmp_path,
        "int,gap,float,bool,flag,text,mixed,never\n"
        "1,1,1,True,True,x,1,\n"
        " -2,,.5,False,,,more,\n"
        '3,3,1e-3,True,False,"a, ""b""",3,\n',
    )
    assert cells(table["int"]) == [1, -2, 3]
    assert cells(table["gap"]) == [1.0, None, 3.0]
    assert cells(table["float"]) == [1.0, 0.5, 0.001]
    assert cells(table["bool"]) == [True, False, True]
    assert cells(table["flag"]) == [True, None, False]
    assert cells(table["text"]) == ["x", None, 'a, "b"']
    assert cells(table["mixed"]) == ["1", "more", "3"]
    assert cells(table["never"]) == [None, None, None]
    kinds = [np.int64, np.float64, np.float64, bool, object]
    assert [table.dtypes.iloc[i] for i in range(5)] == kinds
    assert table["never"].dtype == np.float64
    assert pd.api.types.is_string_dtype(table["mixed"].dtype)


@pytest.mark.parametrize("word", ["NA", "nan", "NaN", "None", "null", "?", "N/A", "-", " "])
def test_only_an_empty_cell_is_missing(tmp_path, word):
    assert cells(read(tmp_path, f"a,b\n{word},1\n,2\n2,3\n")["a"]) == [word, None, "2"]


@pytest.mark.parametrize("word", ["true", "TRUE", "1_0", "0x1", "٣", "1 2"])
def test_what_only_resembles_a_bool_or_a_number_stays_text(tmp_path, word):
    assert cells(read(tmp_path, f"a\n{word}\n{word}\n")["a"]) == [word, word]


def test_numbers_are_the_nearest_doubles(tmp_path):
    written = ["0.1", "2.675", "1e-308", "123456789.123456789", "9007199254740993.0"]
    assert cells(read(tmp_path, "a\n" + "\n".join(written))["a"]) == [float(w) for w in written]


def test_whole_numbers_at_and_beyond_the_edge_of_int64(tmp_path):
    edge = read(tmp_path, f"a\n{2**63 - 1}\n{-(2**63)}\n")["a"]
    assert edge.dtype == np.int64
    assert cells(edge) == [2**63 - 1, -(2**63)]
    beyond = read(tmp_path, f"a\n{2**63}\n1\n")["a"]
    assert cells(beyond) == [2.0**63, 1.0]


def test_infinity_is_a_number_that_the_table_keeps(tmp_path):
    assert cells(read(tmp_path, "a\ninf\n1\n")["a"]) == [float("inf"), 1.0]


def test_quotes_line_ends_and_byte_order_mark(tmp_path):
    table = read(tmp_path, '\ufeff"a, b",é\r\n"two\r\nlines",\'x\'\r\n\r\n日本,?')
    assert list(table.columns) == ["a, b", "é"]
    assert cells(table["a, b"]) == ["two\r\nlines", "日本"]
    assert cells(table["é"]) == ["'x'", "?"]


def test_a_blank_line_is_no_row_and_a_quoted_nothing_is(tmp_path):
    assert cells(read(tmp_path, '\na\n\nx\n""\n\n')["a"]) == ["x", None]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", ": found no column, expected a line of column names"),
        ("\n\n", ": found no column, expected a line of column names"),
        ("a,b\n", ": found no row of data, expected at least one"),
        ("a,b\n\n", ": found no row of data, expected at least one"),
        ("a,b,a\n1,2,3\n", ": found the column name 'a' 2 times, expected each name once"),
        ("a;b\n1;2\n", ": found the one column name 'a;b', expected names separated by commas"),
        (",a\n0,1\n", ": column 1 has no name, expected a name for each"),
        ("a,\n0,1\n", ": column 2 has no name, expected a name for each"),
        ("a,b\n1,2\n\n1\n", ", line 4: row 1: found 1 cells, expected 2 as in the line of column"),
        ("a,b\n1,2,3\n", ", line 2: row 0: found 3 cells, expected 2 as in the line of column"),
        ("a,b\n1,2\n3,4,\n", ", line 3: row 1: found 3 cells, expected 2"),
        ('a,b\n"x\ny",2\n3\n', ", line 4: row 1: found 1 cells, expected 2"),
        ('a,b\n1,"2\n', ", line 2: unexpected end of data"),
        ('a,b\n"1"x,2\n', ", line 2: ',' expected after '\"'"),
    ],
)
def test_a_broken_csv_file_is_named(tmp_path, text, problem):
    assert error_of(write(tmp_path / "t.csv", text)).startswith(problem)


def test_bytes_that_are_not_utf8(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n1,caf\xe9\n")
    assert error_of(path) == ", line 2: found the byte 0xe9, expected UTF-8 text"


words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)


@given(
    names=st.lists(words, min_size=2, max_size=4, unique=True),
    rows=st.lists(
        st.lists(words.map("~{}".format) | st.none(), min_size=4, max_size=4), min_size=1
    ),
)
def test_any_text_table_is_read_back(tmp_path_factory, names, rows):
    def quoted(cell: str | None) -> str:
        return "" if cell is None else '"' + cell.replace('"', '""') + '"'

    rows = [row[: len(names)] for row in rows]
    lines = [",".join(map(quoted, row)) for row in [names, *rows]]
    table = read(tmp_path_factory.mktemp("csv"), "\n".join(lines) + "\n")
    assert list(table.columns) == names
    assert [[None if pd.isna(c) else c for c in row] for row in table.to_numpy()] == rows


@given(values=st.lists(st.floats(allow_nan=False) | st.none(), min_size=1))
def test_any_number_is_read_back_to_the_last_bit(tmp_path_factory, values):
    text = "a,b\n" + "".join(f"{'' if v is None else repr(v)},x\n" for v in values)
    column = read(tmp_path_factory.mktemp("csv"), text)["a"]
    assert column.dtype == np.float64
    assert cells(column) == values


@given(value=st.floats(allow_nan=False))
def test_a_number_is_parsed_to_the_last_bit(value):
    assert parse_number(f" {value!r} ") == value


# ---------------------------------------------------------------- parquet


@pytest.fixture(scope="module")
def parquet_table() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "c": pd.Categorical(["b", "a", None], categories=["b", "a", "unused"]),
            "x": [1.5, np.nan, 2.0],
            "n": [1, 2, 3],
            "t": [True, False, True],
            "s": ["x", None, "?"],
        }
    )


def test_parquet_gives_what_is_stored(tmp_path, parquet_table):
    pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
    parquet_table.to_parquet(tmp_path / "t.PARQUET")
    pd.testing.assert_frame_equal(read_table(tmp_path / "t.PARQUET"), parquet_table)


def test_a_broken_parquet_file(tmp_path):
    pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
    path = write(tmp_path / "t.parquet", "a,b\n1,2\n")
    assert error_of(path).startswith(": cannot be read as Parquet (")


def test_a_parquet_file_without_rows(tmp_path, parquet_table):
    pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
    parquet_table[:0].to_parquet(tmp_path / "t.parquet")
    assert error_of(tmp_path / "t.parquet") == ": found no row of data, expected at least one"


@pytest.mark.parametrize("notes", ["{}", "[]", "{garbage"])
def test_a_parquet_file_with_broken_notes_is_named(tmp_path, notes):
    pyarrow = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
    table = pyarrow.table({"a": ["u"]}).replace_schema_metadata({"pandas": notes})
    importlib.import_module("pyarrow.parquet").write_table(table, tmp_path / "t.parquet")
    assert error_of(tmp_path / "t.parquet").startswith(": cannot be read as Parquet (")


def test_a_parquet_file_that_repeats_a_name(tmp_path):
    pyarrow = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
    table = pyarrow.Table.from_arrays([pyarrow.array([1]), pyarrow.array([2])], names=["a", "a"])
    importlib.import_module("pyarrow.parquet").write_table(table, tmp_path / "t.parquet")
    assert error_of(tmp_path / "t.parquet").startswith(": found the column name 'a' 2 times")


def test_parquet_without_pyarrow_says_what_to_install(tmp_path, monkeypatch):
    def refuse(name: str, *args: object) -> object:
        if name.startswith("pyarrow"):
            raise ModuleNotFoundError(name)
        return real(name, *args)

    real = importlib.import_module
    monkeypatch.setattr(importlib, "import_module", refuse)
    message = error_of(tmp_path / "t.parquet")
    assert message.endswith("not installed: pip install 'bnclass[parquet]'")
