"""Data sets of the papers in folders of files."""

import gzip
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bnclass as bc
from bnclass.evaluate.reproduction.datasets import paper_datasets
from bnclass.evaluate.reproduction.finding import find_datasets


def table(rows, attributes, classes, target="class"):
    """Return a table with so many rows, attributes and classes."""
    data = {f"a{i}": np.arange(rows) % 5 for i in range(attributes)}
    return pd.DataFrame({**data, target: [f"c{i % classes}" for i in range(rows)]})


def arff(frame):
    """Return a table as the text of an ARFF file."""
    heads = [f"@attribute {name} numeric" for name in frame.columns[:-1]]
    classes = ",".join(sorted(set(frame.iloc[:, -1])))
    heads.append(f"@attribute {frame.columns[-1]} {{{classes}}}")
    body = frame.to_csv(index=False, header=False)
    return "\n".join(["@relation r", *heads, "@data", body])


def find_wine(folder):
    sets = find_datasets("kst_zero_one_loss", folder)
    return sets.found.get("Wine"), sets.missing.get("Wine")


def write_csv(folder, name, frame):
    frame.to_csv(folder / name, index=False)


@pytest.mark.parametrize("name", ["wine.csv", "wine.csv.gz", "WINE.CSV"])
def test_csv(tmp_path, name):
    write_csv(tmp_path, name, table(178, 13, 3))
    found, missing = find_wine(tmp_path)
    assert (found.path, missing, found.remark) == (tmp_path / name, None, "")
    assert found.X.shape == (178, 13)
    assert found.y.nunique() == 3


def test_parquet(tmp_path):
    pytest.importorskip("pyarrow")
    table(178, 13, 3).to_parquet(tmp_path / "wine.parquet")
    assert find_wine(tmp_path)[0].X.shape == (178, 13)


@pytest.mark.parametrize("name", ["Wine.arff", "wine.arff.gz"])
def test_the_class_of_an_arff_file_is_its_last_attribute(tmp_path, name):
    text = arff(table(178, 13, 3, target="cultivar"))
    write = gzip.open if name.endswith("gz") else open
    with write(tmp_path / name, "wt", encoding="utf-8") as file:
        file.write(text)
    found = find_wine(tmp_path)[0]
    assert (found.path.name, found.y.name, found.X.shape) == (name, "cultivar", (178, 13))


def test_the_class_is_the_column_class_wherever_it_stands(tmp_path):
    frame = table(178, 13, 3)
    write_csv(tmp_path, "wine.csv", frame[["class", *frame.columns[:-1]]])
    found = find_wine(tmp_path)[0]
    assert found.X.columns.tolist() == frame.columns.tolist()[:-1]
    assert found.y.tolist() == frame["class"].tolist()


def test_absent():
    sets = find_datasets("gaode_hybrid_accuracy", Path(__file__).parent)
    assert not sets.found
    assert sets.missing["labor"] == "no file named 'labor'"
    assert sets.missing["zoo"] == "no file named 'zoo' or 'zoo-16'"


@pytest.mark.parametrize(
    ("frame", "reason"),
    [
        (table(177, 13, 3), "wine.csv: found 177 rows, expected 178"),
        (table(178, 13, 2), "wine.csv: found 2 classes, expected 3"),
        (table(178, 13, 3, target="y"), "wine.csv: found no column 'class', expected one"),
        (
            table(178, 13, 3).assign(**{"class": ["a", "b", "c"] * 59 + [None]}),
            "wine.csv: found 1 rows without a class, expected 0",
        ),
    ],
)
def test_wrong_files(tmp_path, frame, reason):
    write_csv(tmp_path, "wine.csv", frame)
    assert find_wine(tmp_path) == (None, reason)


def test_another_number_of_attributes_is_said(tmp_path):
    write_csv(tmp_path, "wine.csv", table(178, 12, 3))
    assert find_wine(tmp_path)[0].remark == "12 attributes, the paper's has 13"


def test_a_broken_file_is_a_reason_in_one_line(tmp_path):
    (tmp_path / "wine.csv").write_text("a,class\n1\n", encoding="utf-8")
    found, missing = find_wine(tmp_path)
    assert found is None
    assert "wine.csv" in missing
    assert "\n" not in missing


def test_a_folder_of_that_name_is_no_file(tmp_path):
    (tmp_path / "wine.csv").mkdir()
    assert find_wine(tmp_path) == (None, "no file named 'wine'")


def test_the_papers_own_encoding_comes_first(tmp_path):
    write_csv(tmp_path, "zoo.csv", table(101, 17, 7))
    zoo = find_datasets("kst_zero_one_loss", tmp_path).found["Zoo"]
    assert (zoo.path.name, zoo.remark) == ("zoo.csv", "17 attributes, the paper's has 16")
    write_csv(tmp_path, "zoo-16.csv", table(101, 16, 7))
    assert find_datasets("kst_zero_one_loss", tmp_path).paths["Zoo"].name == "zoo-16.csv"
    assert find_datasets("gaode_hybrid_accuracy", tmp_path).paths["zoo"].name == "zoo.csv"


def test_a_wrong_file_does_not_stand_in_the_way_of_a_right_one(tmp_path):
    write_csv(tmp_path, "zoo-16.csv", table(100, 16, 7))
    write_csv(tmp_path, "zoo.csv", table(101, 16, 7))
    assert find_datasets("kst_zero_one_loss", tmp_path).paths["Zoo"].name == "zoo.csv"


def test_all_files_that_were_refused_are_told(tmp_path):
    write_csv(tmp_path, "zoo-16.csv", table(100, 16, 7))
    write_csv(tmp_path, "zoo.csv", table(99, 16, 7))
    reason = find_datasets("kst_zero_one_loss", tmp_path).missing["Zoo"]
    assert reason == (
        "zoo-16.csv: found 100 rows, expected 101; zoo.csv: found 99 rows, expected 101"
    )


def test_data_sets_of_one_name_are_told_apart_by_their_rows(tmp_path):
    write_csv(tmp_path, "hypothyroid.csv", table(3772, 3, 4))
    sets = find_datasets("kst_zero_one_loss", tmp_path)
    assert list(sets.found) == ["Hypo"]
    assert sets.missing["Hypothyroid"] == "hypothyroid.csv: found 3772 rows, expected 3163"


def test_a_substitute_is_remarked_on(tmp_path):
    write_csv(tmp_path, "glass-3class.csv", table(214, 9, 3))
    assert "not stated" in find_datasets("kst_zero_one_loss", tmp_path).remarks["Glass-id"]


def test_the_frame_has_every_data_set(tmp_path):
    write_csv(tmp_path, "wine.csv", table(178, 13, 3))
    sets = find_datasets("kst_zero_one_loss", tmp_path)
    frame = sets.to_frame().set_index("dataset")
    assert frame.index.tolist() == bc.published_table("kst_zero_one_loss").frame.index.tolist()
    assert frame.loc["Wine"].tolist() == ["wine.csv", ""]
    assert frame["file"].notna().sum() == 1
    assert frame.loc["Zoo", "remark"] == sets.missing["Zoo"]


def test_no_folder(tmp_path):
    with pytest.raises(bc.DataTypeError, match="the folder of data is None, expected a path"):
        bc.find_datasets("kst_zero_one_loss", None)
    with pytest.raises(bc.FileFormatError, match="nowhere: no such folder"):
        find_datasets("kst_zero_one_loss", tmp_path / "nowhere")


def test_tables_without_data_sets_are_refused(tmp_path):
    with pytest.raises(bc.BnclassError, match="no data sets are known of a table 'kst_friedman'"):
        find_datasets("kst_friedman", tmp_path)


@pytest.mark.parametrize(
    ("name", "n_found", "absent"),
    [
        (
            "kst_zero_one_loss",
            32,
            "Dermatology Cylinder-bands Sick Phoneme Wall-following Page-blocks Magic Localization",
        ),
        ("gaode_numeric_accuracy", 22, "ecoli page-blocks pendigits vehicle"),
        ("gaode_hybrid_accuracy", 11, "vowel credit-g labor anneal sick"),
    ],
)
def test_real_files(name, n_found, absent):
    folder = os.environ.get("BNCLASS_DATA")
    if not folder:
        pytest.skip("BNCLASS_DATA does not name the folder of data sets")
    sets = find_datasets(name, folder)
    assert len(sets.found) == n_found
    assert list(sets.missing) == absent.split()
    for dataset, found in sets.found.items():
        known = paper_datasets(name)[dataset]
        shape = (known.rows, known.attributes, known.classes)
        if dataset != "Horse-colic":  # the other copy of colic
            assert (len(found.X), found.X.shape[1], found.y.nunique()) == shape
    if name.startswith("kst"):
        assert sets.remarks["Horse-colic"] == "22 attributes, the paper's has 21"
        assert sets.paths["Heart-disease-c"].name == "cleveland.arff"


def test_numbers_that_are_names_become_text(tmp_path):
    frame = table(151, 5, 3)
    frame.loc[0, "a1"] = None
    write_csv(tmp_path, "tae.csv", frame)
    X = find_datasets("kst_zero_one_loss", tmp_path).found["Teaching-ae"].X
    numbers = [pd.api.types.is_numeric_dtype(X[name]) for name in X]
    assert numbers == [True, False, False, True, True]
    assert X["a1"].tolist()[:3] == [None, "1.0", "2.0"]
    write_csv(tmp_path, "tae.csv", frame.drop(columns="a0"))
    X = find_datasets("kst_zero_one_loss", tmp_path).found["Teaching-ae"].X
    assert all(pd.api.types.is_numeric_dtype(X[name]) for name in X)
