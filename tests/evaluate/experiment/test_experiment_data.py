"""What an experiment takes as its data sets."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from bnclass.evaluate.experiment.datasets import Dataset, datasets_of, read_dataset
from bnclass.exceptions import DataError, DataTypeError, FileFormatError

X = pd.DataFrame({"a": [1.0, 2.0, None], "b": ["x", None, "y"]})
Y = ["no", "yes", "no"]


def test_tables_of_any_library_are_the_same_data():
    frames = {"pandas": X, "polars": pl.DataFrame({"a": [1.0, 2.0, None], "b": ["x", None, "y"]})}
    one, two = datasets_of({name: (frame, Y) for name, frame in frames.items()})
    assert one.digest() == two.digest()
    assert one.classes.tolist() == ["no", "yes"]
    assert one.codes.tolist() == [0, 1, 0]


def test_a_digest_tells_cells_labels_and_names_apart():
    same = Dataset.of("d", X.copy(), np.array(Y)).digest()
    assert Dataset.of("other", X, Y).digest() == same
    assert Dataset.of("d", X.assign(a=[1.0, 2.0, 3.0]), Y).digest() != same
    assert Dataset.of("d", X, ["no", "yes", "yes"]).digest() != same
    assert Dataset.of("d", X.rename(columns={"a": "c"}), Y).digest() != same


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"class": ["u", "v", "v"]}, {"class": ["u", "v", "u"]}),
        ({"n": [1, 2, 2]}, {"n": ["1", "2", "2"]}),
        ({"n": ["", "u", "v"]}, {"n": [None, "u", "v"]}),
        ({"n": ["u", "v", "v"]}, {"n": pd.Categorical(["u", "v", "v"])}),
        (
            {"n": pd.Categorical(["u", "v", "v"])},
            {"n": pd.Categorical(["u", "v", "v"], list("uvw"))},
        ),
        ({0: [1, 2, 2]}, {"0": [1, 2, 2]}),
        ({"n": [1.0, 2.0, 3.0]}, {"n": [1.0, 2.0, 3.0000000000000004]}),
    ],
)
def test_a_digest_tells_types_levels_and_holes_apart(one, other):
    digests = [Dataset.of("d", pd.DataFrame(cells), Y).digest() for cells in (one, other)]
    assert digests[0] != digests[1]


def test_a_digest_tells_labels_of_other_types_apart():
    assert Dataset.of("d", X, [0, 1, 0]).digest() != Dataset.of("d", X, ["0", "1", "0"]).digest()


def test_labels_of_a_type_that_scikit_learn_refuses_are_refused_with_the_name():
    with pytest.raises(DataError, match=r"data set 'd': .*bytes"):
        Dataset.of("d", X, np.array([b"a", b"b", b"a"]))


def test_files_are_named_by_their_stems(tmp_path):
    X.assign(**{"class": Y}).to_csv(tmp_path / "small.set.csv", index=False)
    (tmp_path / "weka.arff").write_text(
        "@relation r\n@attribute a real\n@attribute z {u,v}\n@data\n1,u\n2,v\n"
    )
    csv, weka, wine = datasets_of([tmp_path / "small.set.csv", str(tmp_path / "weka.arff"), "wine"])
    assert [csv.name, weka.name, wine.name] == ["small.set", "weka", "wine"]
    assert list(csv.X.columns) == ["a", "b"]
    assert list(weka.X.columns) == ["a"]
    assert weka.y.tolist() == ["u", "v"]


def test_a_csv_without_a_column_class_is_refused(tmp_path):
    X.to_csv(tmp_path / "a.csv", index=False)
    with pytest.raises(DataError, match=r"a\.csv: found no column 'class'"):
        read_dataset(tmp_path / "a.csv")


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(FileFormatError, match=r"none\.csv"):
        datasets_of([tmp_path / "none.csv"])


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"d": (X, Y[:2])}, r"data set 'd': X has 3 rows, y has 2"),
        ({"d": (X, ["no", None, "no"])}, r"data set 'd': y has 1 missing label"),
        ({"d": (X[[]], Y)}, r"data set 'd': X has no columns"),
        ({"d": (X.head(0), [])}, r"data set 'd': y has no rows"),
        ({"d": (X, [0.5, 1.5, 2.5])}, r"data set 'd'"),
        ({"d": (X.set_axis(["a", "a"], axis=1), Y)}, r"data set 'd': duplicate column names"),
        ({}, "datasets is empty"),
        ([], "datasets is empty"),
        ({"": (X, Y)}, "datasets has the name ''"),
        ({"a\nb": (X, Y)}, "expected one line of text"),
        ({3: (X, Y)}, "datasets has the name 3"),
        (["iris", "iris"], "'iris' more than once"),
    ],
)
def test_bad_data_sets_are_named(bad, message):
    with pytest.raises(DataError, match=message):
        datasets_of(bad)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("iris", "datasets is 'iris', expected a dict"),
        (7, "datasets is 7"),
        ({"d": X}, "data set 'd' is a DataFrame, expected"),
        ({"d": (X,)}, "data set 'd' is a tuple"),
        ([(X, Y)], "datasets holds a tuple"),
    ],
)
def test_other_types_are_refused(bad, message):
    with pytest.raises(DataTypeError, match=message):
        datasets_of(bad)
