import os
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from urllib.error import URLError

import numpy as np
import pandas as pd
import pytest
import sklearn.datasets

from bnclass.data.arff import read_arff
from bnclass.data.datasets import dataset_names, load_dataset
from bnclass.data.rules import make_monks, make_waveform
from bnclass.exceptions import BnclassError, DataError

NAMES = (
    "balance-scale",
    "breast-cancer",
    "digits",
    "iris",
    "monks-1",
    "monks-2",
    "monks-3",
    "tic-tac-toe",
    "waveform",
    "wine",
)


@pytest.fixture(scope="module")
def folder() -> Path:
    if "BNCLASS_DATA" not in os.environ:
        pytest.skip("BNCLASS_DATA does not name the folder of data sets")
    return Path(os.environ["BNCLASS_DATA"])


def rows(X: pd.DataFrame, y: pd.Series) -> list[tuple[object, ...]]:
    return list(zip(*(X[name].tolist() for name in X), y.tolist(), strict=True))


def read_rows(path: Path) -> list[tuple[object, ...]]:
    table = read_arff(path)
    return rows(table.drop(columns="class"), table["class"])


# ---------------------------------------------------------------- all of them


def test_names():
    assert dataset_names() == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_attributes_have_one_kind_and_the_class_is_named(name):
    X, y = load_dataset(name)
    text = name.startswith("monks") or name == "tic-tac-toe"
    kind = pd.api.types.is_string_dtype if text else pd.api.types.is_numeric_dtype
    assert all(kind(dtype) for dtype in X.dtypes)
    assert y.name == "class"
    assert y.name not in X
    assert X.index.equals(y.index)
    assert not X.isna().any(axis=None)
    assert not y.isna().any()


@pytest.mark.parametrize("name", NAMES)
def test_a_data_set_is_the_same_every_time(name):
    assert rows(*load_dataset(name)) == rows(*load_dataset(name))


# ---------------------------------------------------------------- scikit-learn's


@pytest.mark.parametrize(
    ("name", "shape", "classes"),
    [
        ("iris", (150, 4), {"setosa": 50, "versicolor": 50, "virginica": 50}),
        ("wine", (178, 13), {"class_0": 59, "class_1": 71, "class_2": 48}),
        ("breast-cancer", (569, 30), {"malignant": 212, "benign": 357}),
    ],
)
def test_labels_are_names(name, shape, classes):
    X, y = load_dataset(name)
    assert X.shape == shape
    assert y.value_counts().to_dict() == classes


def test_labels_of_digits_are_numbers():
    X, y = load_dataset("digits")
    assert X.shape == (1797, 64)
    assert y.dtype == np.int64
    assert sorted(set(y)) == list(range(10))


def test_labels_stay_with_their_rows():
    _, y = load_dataset("wine")
    _, codes = sklearn.datasets.load_wine(return_X_y=True)
    assert y.tolist() == [f"class_{code}" for code in codes]


# ---------------------------------------------------------------- by rule


def test_the_balance_tips_by_torque():
    by_setting = {row[:4]: row[4] for row in rows(*load_dataset("balance-scale"))}
    assert len(by_setting) == 625
    assert set(by_setting) == set(product(range(1, 6), repeat=4))
    assert by_setting[2, 3, 3, 2] == "B"
    assert by_setting[5, 1, 2, 2] == "L"
    assert by_setting[1, 5, 3, 2] == "R"


def test_balance_scale_is_the_real_file(folder):
    assert rows(*load_dataset("balance-scale")) == read_rows(folder / "balance-scale.arff")


LINES = ["012", "345", "678", "036", "147", "258", "048", "246"]


def winner(board: str) -> str:
    """The player with three in a row; blank if there is none."""
    full_lines = [{board[int(i)] for i in line} for line in LINES]
    return next((min(line) for line in full_lines if line in ({"x"}, {"o"})), "")


def played_games() -> dict[str, bool]:
    """Every board at which a game ends, and whether x won: by playing all games."""
    ends: dict[str, bool] = {}
    boards = {"b" * 9}
    for player in "xoxoxoxox":
        moves = {(board, i) for board in boards for i in range(9) if board[i] == "b"}
        boards = {board[:i] + player + board[i + 1 :] for board, i in moves}
        over = {board for board in boards if winner(board) or "b" not in board}
        ends |= {board: winner(board) == "x" for board in over}
        boards -= over
    return ends


def test_tic_tac_toe_holds_the_ends_of_all_games():
    table = rows(*load_dataset("tic-tac-toe"))
    found = {"".join(row[:9]): row[9] == "positive" for row in table}
    assert len(table) == 958
    assert found == played_games()


def test_tic_tac_toe_is_the_real_file(folder):
    X, y = load_dataset("tic-tac-toe")
    assert rows(X, y) == read_rows(folder / "tic-tac-toe.arff")
    assert [*X, "class"] == list(read_arff(folder / "tic-tac-toe.arff"))


@pytest.mark.parametrize(
    ("problem", "n_positive", "positive", "negative"),
    [
        (1, 216, ["221132", "121211"], ["121221"]),
        (2, 142, ["112222", "222211"], ["122222", "111222", "222222", "111111"]),
        (3, 228, ["131131", "112211"], ["131231", "112141"]),
    ],
)
def test_monks(problem, n_positive, positive, negative):
    X, y = make_monks(problem)
    by_robot = dict(zip(map("".join, X.to_numpy()), y, strict=True))
    assert len(by_robot) == len(X) == 432
    assert ["".join(sorted(set(X[name]))) for name in X] == [
        "123",
        "123",
        "12",
        "123",
        "1234",
        "12",
    ]
    assert list(by_robot.values()).count("1") == n_positive
    assert {by_robot[robot] for robot in positive} == {"1"}
    assert {by_robot[robot] for robot in negative} == {"0"}
    assert rows(X, y) == rows(*load_dataset(f"monks-{problem}"))


# ---------------------------------------------------------------- waveform

# By hand: the mean of two waves, of height 6 and half-width 6 at their peaks.
MEANS = {
    0: [0, 0.5, 1, 1.5, 2, 2.5, 3, 2.5, 2, 2, 2, 2, 2, 2.5, 3, 2.5, 2, 1.5, 1, 0.5, 0],
    1: [0, 0.5, 1, 1.5, 2, 3, 4, 4, 4, 4, 4, 3, 2, 1.5, 1, 0.5, 0, 0, 0, 0, 0],
    2: [0, 0, 0, 0, 0, 0.5, 1, 1.5, 2, 3, 4, 4, 4, 4, 4, 3, 2, 1.5, 1, 0.5, 0],
}


def test_waveform_has_the_moments_of_its_formula():
    X, y = make_waveform(60_000, random_state=1)
    assert list(X) == [f"x{i}" for i in range(1, 22)]
    for label, means in MEANS.items():
        part = X[y == label].to_numpy()
        assert len(part) == pytest.approx(20_000, abs=600)
        np.testing.assert_allclose(part.mean(axis=0), means, atol=0.06)
        # Ends that no wave of the class reaches are standard normal noise.
        assert part[:, np.equal(means, 0)].std() == pytest.approx(1.0, abs=0.02)
    # At the peak of one wave the other is 0 in class 0: 6 u + e has variance 36/12 + 1.
    assert X.loc[y == 0, "x7"].var() == pytest.approx(4.0, abs=0.15)


def test_waveform_labels_are_those_of_the_usual_files(folder):
    table = read_arff(folder / "waveform.arff.gz")
    for label, means in MEANS.items():
        part = table.loc[table["class"] == str(label)].drop(columns="class")
        np.testing.assert_allclose(part.mean(), means, atol=0.06)


def test_waveform_seeds():
    first, again = make_waveform(20, random_state=3), make_waveform(20, random_state=3)
    pd.testing.assert_frame_equal(first[0], again[0])
    pd.testing.assert_series_equal(first[1], again[1])
    assert not first[0].equals(make_waveform(20, random_state=4)[0])
    assert not make_waveform(20, random_state=None)[0].equals(
        make_waveform(20, random_state=None)[0]
    )
    generator = make_waveform(20, random_state=np.random.default_rng(3))
    pd.testing.assert_frame_equal(first[0], generator[0])
    named = load_dataset("waveform", random_state=3)
    pd.testing.assert_frame_equal(named[0], make_waveform(5000, random_state=3)[0])


@pytest.mark.parametrize("n_samples", [0, -1, 2.5, True, "5", None])
def test_waveform_refuses_a_number_of_rows(n_samples):
    with pytest.raises(DataError, match=f"n_samples is {n_samples!r}, expected a whole number"):
        make_waveform(n_samples)


@pytest.mark.parametrize("random_state", [-1, "seed", 1.5])
def test_waveform_refuses_a_seed(random_state):
    with pytest.raises(DataError, match=f"random_state is {random_state!r}, expected a seed"):
        make_waveform(5, random_state=random_state)


# ---------------------------------------------------------------- OpenML


def serve(monkeypatch, answer: object) -> list[str]:
    """Put an answer (or an error) in the place of OpenML's; return the names asked for."""
    asked = []

    def fetch(name: str, **_: object) -> object:
        asked.append(name)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", fetch)
    return asked


def test_another_name_is_loaded_from_openml(monkeypatch):
    X, y = pd.DataFrame({"a": [1, 2]}), pd.Series(["x", "y"], name="label")
    asked = serve(monkeypatch, SimpleNamespace(data=X, target=y))
    loaded = load_dataset("some-name")
    assert loaded[0] is X
    assert loaded[1] is y
    assert asked == ["some-name"]


def test_a_built_in_name_asks_nobody(monkeypatch):
    asked = serve(monkeypatch, URLError("unreachable"))
    for name in NAMES:
        load_dataset(name)
    assert asked == []


@pytest.mark.parametrize("error", [URLError("no route"), TimeoutError("no route")])
def test_without_a_network_the_built_in_names_are_listed(monkeypatch, error):
    serve(monkeypatch, error)
    with pytest.raises(BnclassError) as caught:
        load_dataset("some-name")
    assert str(caught.value) == (
        "data set 'some-name' is not built in and OpenML cannot be reached (no route), "
        f"expected one of {', '.join(NAMES)}"
    )


def test_a_name_that_openml_does_not_know(monkeypatch):
    serve(monkeypatch, ValueError("No known dataset\nin two lines"))
    with pytest.raises(DataError, match=r"^data set 'some-name' is neither .*\(No known dataset\)"):
        load_dataset("some-name")


@pytest.mark.parametrize("target", [None, pd.DataFrame({"a": [1], "b": [2]})])
def test_a_data_set_without_a_single_class_column(monkeypatch, target):
    serve(monkeypatch, SimpleNamespace(data=pd.DataFrame({"x": [1]}), target=target))
    with pytest.raises(DataError, match="'some-name' on OpenML has no single class column"):
        load_dataset("some-name")


@pytest.mark.parametrize("name", [None, 3, ["iris"]])
def test_a_name_that_is_not_text(name):
    with pytest.raises(DataError, match="expected text"):
        load_dataset(name)
