"""The command line, as a shell sees it: exit codes, both streams, and the files left behind."""

import csv
import io
import json
import os
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shell_checks import done, refused

import bnclass as bc
from bnclass.cli import commands
from bnclass.cli.tables import rows_under

XOR = "a,b,y\nu,u,no\nu,v,yes\nv,u,yes\nv,v,no\n"
SHOES = "shoe,wet,y\n38,True,p\n39,False,q\nnone,True,p\n38,False,q\n"


def write(name, text):
    with open(name, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    return name


def table(text):
    return list(csv.reader(io.StringIO(text)))


# ---------------------------------------------------------------- fit


def test_fit_prints_the_measures_worked_by_hand(shell):
    # Given y the two columns determine each other: I(a;b|y) = ln 2. Alone they tell nothing.
    write("xor.csv", XOR)
    lines = done(shell("fit", "xor.csv", "--target", "y")).splitlines()
    assert lines[0] == "TAN: class 'y' with 2 states, 2 attributes, 3 arcs, 7 parameters"
    assert [line.split() for line in lines[2:4]] == [
        ["Arcs", "between", "attributes", "I(Xi;Xj|Y)", "in", "nats"],
        ["a", "->", "b", "0.6931"],
    ]
    assert [line.split() for line in lines[6:8]] == [
        ["y", "->", "a", "0.0000"],
        ["y", "->", "b", "0.0000"],
    ]
    assert lines[-1] == "Accuracy on the 4 training rows: 1.0000"


def test_fit_writes_what_was_asked_for(shell, tmp_path):
    files = ("wine.png", "wine.bif", "wine.graphml", "wine.json")
    options = ("--plot", "--bif", "--graphml", "--save")
    words = [word for pair in zip(options, files, strict=True) for word in pair]
    printed = done(shell("fit", "wine", "--model", "tan", *words))
    assert printed.splitlines()[-4:] == [f"Wrote {name}" for name in files]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(files)
    X, y = bc.load_dataset("wine")
    model = bc.TAN().fit(X, y)
    assert bc.load("wine.json").network_ == model.network_
    assert bc.read_bif("wine.bif") == model.network_
    assert (tmp_path / "wine.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "model"),
    [
        (["nb"], bc.NaiveBayes()),
        (["spode"], bc.SPODE()),
        (["kdb"], bc.KDB()),
        (["kdb", "--k", "0"], bc.KDB(0)),
        (["aode"], bc.AODE()),
        (["atan"], bc.ATAN()),
        (["tan", "--smoothing", "0.25", "--missing", "state"], bc.TAN(smoothing=0.25)),
    ],
)
def test_fit_learns_what_the_library_learns(shell, words, model):
    done(shell("fit", "monks-1", "--save", "m.json", "--model", *words))
    X, y = bc.load_dataset("monks-1")
    model.fit(X, y)
    assert (bc.load("m.json").predict_proba(X) == model.predict_proba(X)).all()


def test_networks_of_every_row_of_numbers(shell):
    words = ("--model", "kst", "--continuous", "gaussian")
    result = shell("fit", "iris", "--save", "m.json", *words)
    assert result.exit_code == 0
    assert result.stderr.startswith("bnclass: warning: the file holds training data: 149 distinct")
    X, y = bc.load_dataset("iris")
    model = bc.KST(continuous="gaussian").fit(X, y)
    assert (bc.load("m.json").predict_proba(X) == model.predict_proba(X)).all()
    done(shell("predict", "m.json", "iris", "--output", "p.csv"))
    assert (bc.read_table("p.csv").iloc[:, 0] == model.predict(X)).all()


def test_a_model_that_makes_a_network_for_every_row(shell):
    result = shell("fit", "monks-1", "--save", "m.json", "--model", "kst", "--k", "1")
    assert result.exit_code == 0
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("bnclass: warning: the file holds training data: 432 distinct")
    X, y = bc.load_dataset("monks-1")
    assert (bc.load("m.json").predict_proba(X) == bc.KST(1).fit(X, y).predict_proba(X)).all()
    shown = done(shell("show", "m.json"))
    assert result.stdout.startswith(shown)
    headline = (
        "KST: class 'class' with 2 states, 6 attributes, a network of all rows and one of each"
    )
    assert shown.splitlines()[0] == headline
    assert shown.splitlines()[2].startswith("Arcs between attributes  I(Xi;Xj|Y) in nats")
    assert table(done(shell("predict", "m.json", "monks-1")))[0] == ["predicted", "P(0)", "P(1)"]
    assert "choose ensemble_[0], that of all rows, or network_at(row)" in refused(
        shell("plot", "m.json", "m.png")
    )


def test_any_column_of_a_built_in_data_set_may_be_the_target(shell):
    printed = done(shell("fit", "tic-tac-toe", "--target", "top-left-square"))
    assert printed.startswith("TAN: class 'top-left-square' with 3 states, 9 attributes, ")


def test_numbers_become_states_on_demand(shell):
    write("n.csv", "n,m,y\n3,1,p\n1,1,q\n2,2,p\n3,2,q\n")
    done(shell("fit", "n.csv", "--target", "y", "--categorical", "n", "--save", "n.json"))
    schema = bc.load("n.json").schema_
    assert (schema["n"].states, schema["m"].states) == ((1, 2, 3), ("all",))
    done(shell("fit", "n.csv", "--target", "y", "--categorical", "all", "--save", "n.json"))
    assert bc.load("n.json").schema_["m"].states == (1, 2)


def test_a_warning_is_one_line(shell):
    write("empty.csv", "a,b,y\nu,,p\nv,,q\n")
    result = shell("fit", "empty.csv", "--target", "y")
    assert result.exit_code == 0
    assert result.stderr.startswith("bnclass: warning: columns ['b'] are wholly missing")
    assert result.stderr.count("\n") == 1


# ---------------------------------------------------------------- predict


def test_predict_gives_every_digit_of_the_posterior(shell):
    X, y = bc.load_dataset("wine")
    model = bc.TAN().fit(X, y)
    bc.save(model, "wine.json")
    shuffled = X.assign(id=range(len(X)), **{"class": y})[["id", "class", *X.columns[::-1]]]
    shuffled.to_csv("new.csv", index=False)
    printed = done(shell("predict", "wine.json", "new.csv"))
    header, *rows = table(printed)
    assert header == ["predicted", "P(class_0)", "P(class_1)", "P(class_2)"]
    assert [row[0] for row in rows] == model.predict(X).tolist()
    assert [[float(p) for p in row[1:]] for row in rows] == model.predict_proba(X).tolist()
    assert done(shell("predict", "wine.json", "new.csv", "--output", "p.csv")) == "Wrote p.csv\n"
    with open("p.csv", encoding="utf-8", newline="") as file:
        assert file.read() == printed
    assert done(shell("predict", "wine.json", "wine")) == printed


@pytest.mark.parametrize("model", ["nb", "spode", "tan", "kdb", "aode", "gaode", "haode"])
@pytest.mark.parametrize("continuous", [None, "mdl", "gaussian"])
def test_predict_equals_python_for_every_model(shell, model, continuous):
    X, y = bc.load_dataset("wine")
    holes = X.mask(np.random.default_rng(0).random(X.shape) < 0.05)
    if model != "gaode":
        holes = holes.assign(site=["a", "b"] * (len(X) // 2))
    holes.assign(**{"class": y}).to_csv("t.csv", index=False)
    chosen = [] if continuous is None else ["--continuous", continuous]
    result = shell("fit", "t.csv", "--target", "class", "--model", model, *chosen, "--save", "m")
    if continuous and (model in ("gaode", "haode") or (model, continuous) == ("aode", "gaussian")):
        assert result.exit_code != 0
        return
    assert result.exit_code == 0
    _, *rows = table(done(shell("predict", "m", "t.csv")))
    expected = bc.load("m").predict_proba(holes)
    assert [[float(p) for p in row[1:]] for row in rows] == expected.tolist()


@pytest.mark.parametrize(
    ("labels", "shown"),
    [
        ([1, 0], ["0", "1"]),
        ([True, False], ["False", "True"]),
        ([1.0, -2.0], ["-2.0", "1.0"]),
        (['say "a, b"', "ü"], ['say "a, b"', "ü"]),
    ],
)
def test_labels_of_every_type(shell, labels, shown):
    bc.save(bc.NaiveBayes().fit(pd.DataFrame({"a": ["u", "v"]}), np.array(labels)), "m")
    write("new.csv", "a\nu\nv\n")
    header, *rows = table(done(shell("predict", "m", "new.csv")))
    assert header == ["predicted", *(f"P({label})" for label in shown)]
    assert [row[0] for row in rows] == list(map(str, labels))


@pytest.mark.parametrize("kind", ["network", "ensemble"])
def test_predict_takes_a_network_or_an_ensemble_alone(shell, kind):
    X, y = bc.load_dataset("monks-1")
    model = bc.TAN().fit(X, y) if kind == "network" else bc.AODE().fit(X, y)
    bc.save(model, "classifier.json")
    bc.save(getattr(model, f"{kind}_"), "inside.json")
    predicted = [done(shell("predict", f"{n}.json", "monks-1")) for n in ("classifier", "inside")]
    assert predicted[0] == predicted[1]


def test_a_column_wholly_missing_in_training_is_not_asked_for(shell):
    write("train.csv", "a,b,y\nu,,p\nv,,q\n")
    shell("fit", "train.csv", "--target", "y", "--save", "m.json")
    write("new.csv", "a\nu\n")
    label, *probabilities = table(done(shell("predict", "m.json", "new.csv")))[1]
    assert label == "p"  # (1 + 1/2) / 2 against (0 + 1/2) / 2, by the m-estimate
    assert list(map(float, probabilities)) == pytest.approx([0.75, 0.25], abs=1e-12)


def test_columns_without_names_and_with_numbers_for_names(shell):
    X, y = bc.load_dataset("iris")
    bc.save(bc.TAN().fit(X.to_numpy(), y), "array.json")
    bc.save(bc.TAN().fit(X.set_axis(range(4), axis=1), y), "ints.json")
    X.set_axis([f"x{j}" for j in range(4)], axis=1).to_csv("x.csv", index=False)
    X.set_axis(range(4), axis=1).to_csv("ints.csv", index=False)
    predicted = done(shell("predict", "array.json", "x.csv"))
    assert predicted == done(shell("predict", "ints.json", "ints.csv"))


# ---------------------------------------------------------------- one value, many spellings


def posterior_of_one_row(shell, model, text, name="new.csv"):
    write(name, text)
    return table(done(shell("predict", model, name)))[1]


@pytest.mark.parametrize(
    ("spelled", "row"),
    [
        ("shoe,wet\n38,True\n", "38,True"),  # int64 and bool where the model has text and bool
        ("shoe,wet\n38.0,True\n,False\n", "38,True"),  # float64
        ("shoe,wet\n038,True\nbare,maybe\n", None),  # text, one of them no state
        ("shoe,wet\n,True\n", ",True"),
    ],
)
def test_csv_cells_are_matched_with_the_states(shell, spelled, row):
    write("shoes.csv", SHOES)
    done(shell("fit", "shoes.csv", "--target", "y", "--categorical", "shoe", "--save", "m.json"))
    if row is None:
        write("new.csv", spelled)
        message = refused(shell("predict", "m.json", "new.csv"))
        assert message == (
            "bnclass: new.csv: column 'wet', row 1: found text 'maybe', "
            "expected a bool as in training"
        )
        return
    expected = posterior_of_one_row(shell, "m.json", f"shoe,wet\n{row}\nnone,False\n")
    assert posterior_of_one_row(shell, "m.json", spelled) == expected


NUMBERS = bc.Variable("c", states=(1, 2, 30))
FLOATS = bc.Variable("c", states=(1.0, 2.5))
BOOLS = bc.Variable("c", states=(False, True))
TEXT = bc.Variable("c", states=("1", "02", "True", "no"))
FILLED = bc.Variable("c", states=(1, 2, "missing"), fill=2)
BINS = bc.Variable("c", states=("(-inf, 1.5]", "(1.5, inf)"), cuts=(1.5,))
LARGE = bc.Variable("c", states=("9007199254740993", "9007199254740992"))


@pytest.mark.parametrize(
    ("variable", "cells", "codes"),
    [
        (NUMBERS, ["1", "30"], [0, 2]),
        (NUMBERS, ["1.0", "", "30"], [0, -1, 2]),
        (NUMBERS, ["2", "7"], [1, -1]),
        (FLOATS, ["1", "2"], [0, -1]),
        (FLOATS, ["1", "2.50"], [0, 1]),
        (BOOLS, ["True", "", "False"], [1, -1, 0]),
        (TEXT, ["1", "2"], [0, 1]),
        (TEXT, ["1.0", "", "02.0"], [0, -1, 1]),
        (TEXT, ["True", "False"], [2, -1]),
        (TEXT, ["1", "no"], [0, 3]),
        (FILLED, ["2", "", "3"], [1, 2, 2]),
        (BINS, ["1", "2"], [0, 1]),
        (BINS, ["(1.5, inf)", "(-inf, 1.5]"], [1, 0]),
        (LARGE, ["9007199254740992", "9007199254740993"], [1, 0]),
        (NUMBERS, ["", ""], [-1, -1]),
    ],
)
def test_cells_to_codes(tmp_path, variable, cells, codes):
    path = tmp_path / "c.csv"
    path.write_text("c,d\n" + "".join(f'"{cell}",x\n' for cell in cells), encoding="utf-8")
    rows = rows_under(bc.read_table(path), [variable])
    assert bc.EncodedTable.from_frame(rows, [variable]).codes[:, 0].tolist() == codes


@pytest.mark.parametrize(
    ("variable", "cells", "found"),
    [
        (NUMBERS, ["1", "?"], "column 'c', row 1: found text '?', expected a number as in"),
        (BOOLS, ["True", "yes"], "column 'c', row 1: found text 'yes', expected a bool as in"),
        (NUMBERS, ["True"], "column 'c' holds bool, expected number"),
        (BOOLS, ["1"], "column 'c' holds number, expected bool"),
        (BINS, ["1", "?"], "column 'c', row 1: found text '?', expected a number as in"),
        (BINS, ["all", "?"], "column 'c', row 0: found text 'all', expected a number or"),
        (
            bc.Variable("c", states=("1", "01")),
            ["1"],
            "column 'c': found a number in every cell, expected text, for 1 may be the state '1'",
        ),
    ],
)
def test_cells_that_are_no_value_of_the_model(tmp_path, variable, cells, found):
    path = tmp_path / "c.csv"
    path.write_text("c,d\n" + "".join(f"{cell},x\n" for cell in cells), encoding="utf-8")
    with pytest.raises(bc.BnclassError, match=re.escape(found)):
        bc.EncodedTable.from_frame(rows_under(bc.read_table(path), [variable]), [variable])


def test_declared_levels_of_arff_meet_numbers_of_csv(shell):
    header = "@relation r\n@attribute n {1,2,3}\n@attribute y {p,q}\n@data\n"
    write("n.arff", header + "1,p\n2,q\n3,q\n1,p\n")
    write("n.csv", "n,y\n1,p\n2,q\n3,q\n1,p\n")
    done(shell("fit", "n.arff", "--target", "y", "--save", "arff.json"))
    done(shell("fit", "n.csv", "--target", "y", "--categorical", "n", "--save", "csv.json"))
    predicted = {
        done(shell("predict", model, data))
        for model in ("arff.json", "csv.json")
        for data in ("n.arff", "n.csv")
    }
    assert len(predicted) == 1


@given(
    numbers=st.lists(st.integers() | st.floats(allow_nan=False, allow_infinity=False), min_size=1),
    more=st.lists(st.text("abc", min_size=1), max_size=2),
)
def test_text_states_come_back_from_files_that_hold_only_numbers(numbers, more):
    by_value = {number: repr(number) for number in numbers}
    variable = bc.Variable("c", states=(*by_value.values(), *sorted(set(more))))
    frame = pd.DataFrame({"c": pd.Series(list(by_value), dtype=object)})
    assert rows_under(frame, [variable])["c"].tolist() == list(by_value.values())


# ---------------------------------------------------------------- show, plot, export


def test_show(shell):
    write("xor.csv", XOR)
    fitted = done(shell("fit", "xor.csv", "--target", "y", "--save", "xor.json"))
    shown = done(shell("show", "xor.json"))
    assert shown.startswith(fitted[: fitted.index("\nAccuracy")])
    # (1 + 1/2) / (1 + 1) and the rest, by the m-estimate; two parents, so four rows.
    assert shown.endswith(
        "\nP(b | y, a)\n"
        "b          u      v\n"
        "y   a\n"
        "no  u 0.7500 0.2500\n"
        "    v 0.2500 0.7500\n"
        "yes u 0.2500 0.7500\n"
        "    v 0.7500 0.2500\n"
    )
    node = done(shell("show", "xor.json", "a"))
    assert node.splitlines()[:3] == [
        "Parents         y",
        "Children        b",
        "Markov blanket  y, b",
    ]
    assert node[node.index("P(a | y)") :] in shown


def test_show_an_ensemble(shell):
    done(shell("fit", "monks-1", "--model", "aode", "--save", "m.json"))
    lines = done(shell("show", "m.json")).splitlines()
    assert lines[0] == "AODE: class 'class' with 2 states, 6 attributes, 6 networks averaged"
    assert lines[3].split() == ["class", "->", "a5", "0.2158"]
    assert "AODE holds several networks" in refused(shell("show", "m.json", "a5"))


@pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_plot(shell, tmp_path, ending, start):
    bc.save(bc.TAN().fit(*bc.load_dataset("iris")), "m.json")
    for option in ("--class-arcs", "--no-class-arcs"):
        assert done(shell("plot", "m.json", f"a.{ending}", option)) == f"Wrote a.{ending}\n"
        assert (tmp_path / f"a.{ending}").read_bytes().startswith(start)


def test_export(shell):
    model = bc.TAN().fit(*bc.load_dataset("iris"))
    bc.save(model, "m.json")
    for name in ("a.bif", "a.graphml", "A.JSON"):
        assert done(shell("export", "m.json", name)) == f"Wrote {name}\n"
    assert bc.read_bif("a.bif") == model.network_
    assert bc.load("A.JSON").network_ == model.network_


# ---------------------------------------------------------------- what bad input gets

FILES = {
    "good.csv": XOR,
    "twice.csv": "a,a,y\nu,v,p\n",
    "inf.csv": "a,y\n1,p\ninf,q\n",
    "label.csv": "a,y\nu,p\nv,\n",
    "none.csv": "a,y\n",
    "mixed.csv": "a,y\n1,p\nNA,q\n2,p\n",
    "ragged.csv": "a,y\nu,p\nv\n",
    "regression.csv": "a,y\nu,1.5\nv,2.25\n",
    "alone.csv": "y\np\nq\n",
    "broken.arff": "@relation r\n@attribute a {u,v}\n@attribute y {p,q}\n@data\nu,p\nw,q\n",
    "later.json": json.dumps({"format": 99, "model": {}}),
    "text.json": "no JSON",
}


@pytest.mark.parametrize(
    ("words", "fragments"),
    [
        ("fit twice.csv --target y", ["twice.csv", "'a'", "2 times", "expected each name once"]),
        ("fit inf.csv --target y", ["inf.csv", "'a'", "row 1", "found inf", "finite"]),
        ("fit label.csv --target y", ["label.csv", "'y'", "1 missing label", "rows 1"]),
        ("fit none.csv --target y", ["none.csv", "no row of data", "at least one"]),
        ("fit good.csv --target y --model kdb --k -1", ["--k", "'-1'", "at least 0"]),
        ("fit good.csv --target y --model kdb --k 2.5", ["--k", "'2.5'", "whole number"]),
        ("fit good.csv --target y --k 2", ["--k 2", "tan", "expected --model kdb or kst"]),
        ("fit good.csv --target y --model tann", ["--model", "'tann'", "'tan', 'nb'"]),
        ("fit good.csv --target z", ["good.csv", "'z'", "expected one of 'a', 'b', 'y'"]),
        ("fit good.csv", ["good.csv", "no --target", "expected one of 'a', 'b', 'y'"]),
        ("fit mixed.csv --target y", ["mixed.csv", "'a'", "row 1", "'NA'", "2 numbers"]),
        ("fit broken.arff --target y", ["broken.arff", "line 6", "'a'", "'w'", "'u', 'v'"]),
        ("fit ragged.csv --target y", ["ragged.csv", "line 3", "1 cells", "expected 2"]),
        ("fit regression.csv --target y", ["regression.csv", "'y'", "continuous"]),
        ("fit alone.csv --target y", ["alone.csv", "0 feature(s)", "minimum of 1"]),
        ("fit absent.csv --target y", ["absent.csv", "no such file"]),
        ("fit absent", ["absent", "expected a path or one of balance-scale"]),
        ("fit good.txt --target y", ["good.txt", "ending", ".csv"]),
        ("fit . --target y", ["ending"]),
        ("fit good.csv --target y --smoothing -1", ["--smoothing", "'-1'", "at least 0"]),
        ("fit good.csv --target y --smoothing nan", ["--smoothing", "'nan'"]),
        ("fit good.csv --target y --missing drop", ["--missing", "'drop'", "'marginalize'"]),
        ("fit good.csv --target y --categorical z", ["good.csv", "'z'", "['a', 'b']"]),
        ("fit good.csv --target y --model aode --plot a.png", ["a.png", "aode", "one network"]),
        ("fit good.csv --target y --model kst --plot a.png", ["a.png", "kst", "one network"]),
        (
            "fit good.csv --target y --model kst --continuous gaussian",
            ["good.csv", "['a', 'b'] are discrete", "KST", "'gaussian'"],
        ),
        ("fit good.csv --target y --model aode --bif a.bif", ["a.bif", "aode", "one network"]),
        ("fit good.csv --target y --model atan --plot a.png", ["a.png", "atan", "one network"]),
        ("fit", ["DATA"]),
        ("learn", ["'learn'"]),
        ("fit wine --modle tan", ["--modle"]),
        ("show later.json", ["later.json", "format", "99", "expected 1"]),
        ("show text.json", ["text.json"]),
        ("show absent.json", ["absent.json", "no such file"]),
        ("show good.json z", ["'z'", "expected one of", "'a'", "'b'"]),
        ("predict good.json twice.csv", ["twice.csv", "'a'"]),
        ("predict good.json label.csv", ["label.csv", "no column 'b'", "every attribute"]),
        ("predict good.json absent.csv", ["absent.csv", "no such file"]),
        ("predict later.json good.csv", ["later.json", "99"]),
        ("predict structure.json good.csv", ["structure.json", "Structure", "network"]),
        ("predict good.json good.csv --output no/p.csv", ["no/p.csv"]),
        ("predict good.json good.csv --output .", ["bnclass: .: "]),
        ("plot good.json a.doc", ["a.doc", "'doc'", "png"]),
        ("plot good.json a", ["bnclass: a: ", "png"]),
        ("plot good.json no/a.png", ["no/a.png"]),
        ("export good.json a.xml", ["a.xml", ".bif, .graphml, .json"]),
        ("export good.json no/a.bif", ["no/a.bif"]),
        ("export good.json no/a.graphml", ["no/a.graphml"]),
        ("export good.json no/a.json", ["no/a.json"]),
    ],
)
def test_bad_input_gets_one_line(shell, tmp_path, words, fragments):
    for name, text in FILES.items():
        write(name, text)
    model = bc.TAN().fit(pd.DataFrame({"a": ["u", "v"], "b": ["u", "v"]}), ["p", "q"])
    bc.save(model, "good.json")
    bc.save(model.network_.structure, "structure.json")
    before = sorted(tmp_path.iterdir())
    result = shell(*words.split())
    message = refused(result)
    assert result.stdout == ""
    assert [fragment for fragment in fragments if fragment not in message] == []
    assert sorted(tmp_path.iterdir()) == before


def test_bytes_that_are_no_text(shell, tmp_path):
    (tmp_path / "latin.csv").write_bytes("a,y\nü,p\n".encode("latin-1"))
    message = refused(shell("fit", "latin.csv", "--target", "y"))
    assert message == ("bnclass: latin.csv, line 2: found the byte 0xfc, expected UTF-8 text")


def test_text_among_numbers_can_be_meant(shell):
    write("car.csv", "doors,y\n2,p\n3,q\n5more,p\n")
    assert "'5more'" in refused(shell("fit", "car.csv", "--target", "y"))
    words = ("fit", "car.csv", "--target", "y", "--save", "car.json", "--categorical")
    done(shell(*words, "doors"))
    assert bc.load("car.json").schema_["doors"].states == ("2", "3", "5more")
    done(shell(*words, "all"))
    assert bc.load("car.json").schema_["doors"].states == ("2", "3", "5more")


def test_labels_are_text_if_one_of_them_is(shell):
    write("grade.csv", "a,grade\nu,1\nv,2\nu,none\n")
    done(shell("fit", "grade.csv", "--target", "grade", "--save", "m.json"))
    assert bc.load("m.json").classes_.tolist() == ["1", "2", "none"]


@pytest.mark.parametrize("second", ["no/wine.bif", "."])
def test_an_output_that_fails_leaves_the_earlier_ones_whole(shell, tmp_path, second):
    result = shell("fit", "iris", "--plot", "a.png", "--bif", second, "--save", "a.json")
    assert refused(result).startswith(f"bnclass: {second}: ")
    assert result.stdout.endswith("Wrote a.png\n")
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]


def test_an_output_that_fails_keeps_the_old_file(shell, monkeypatch, tmp_path):
    write("a.json", "old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    message = refused(shell("fit", "iris", "--save", "a.json"))
    assert message == "bnclass: a.json: cannot be written (No space left on device)"
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]
    assert (tmp_path / "a.json").read_text(encoding="utf-8") == "old"


# ---------------------------------------------------------------- the process


def test_an_unforeseen_error_of_the_system_is_one_line(shell, monkeypatch):
    def fail(*_):
        raise PermissionError(13, "Permission denied", "secret.csv")

    monkeypatch.setattr(commands, "training_rows", fail)
    assert refused(shell("fit", "iris")) == "bnclass: secret.csv: Permission denied"


def test_an_interrupt_is_silent(shell, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(commands, "training_rows", interrupt)
    result = shell("fit", "iris")
    assert (result.exit_code, result.stdout.strip(), result.stderr.strip()) == (130, "", "")


def test_help_and_version(shell):
    assert done(shell("--version")) == f"bnclass {bc.__version__}\n"
    overview = done(shell("--help"))
    assert done(shell()) == overview
    for command in ("fit", "predict", "show", "plot", "export"):
        assert command in overview
        assert f"bnclass {command}" in done(shell(command, "--help")).replace("root", "bnclass")


def process(*words, **options):
    code = "from bnclass.cli import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def test_a_real_process(tmp_path):
    with process("fit", "iris", "--save", "iris.json", cwd=tmp_path) as fit:
        printed, complaints = fit.communicate()
    assert (fit.returncode, complaints) == (0, "")
    assert printed.endswith("Wrote iris.json\n")
    with process("show", "absent.json", cwd=tmp_path) as show:
        printed, complaints = show.communicate()
    assert (show.returncode, printed) == (2, "")
    assert complaints == "bnclass: absent.json: no such file\n"


@pytest.mark.skipif(os.name == "nt", reason="pipes break differently there")
@pytest.mark.parametrize("data", ["iris", "digits"])
def test_a_closed_pipe_is_silent(data):
    with process("fit", data) as fit:
        fit.stdout.close()
        complaints = fit.stderr.read()
    assert complaints == ""
    assert fit.returncode not in (0, 2)


def test_help_loads_no_heavy_leaf():
    code = (
        "import sys\n"
        "from bnclass.cli import app\n"
        "try: app(['--help'])\n"
        "except SystemExit: print(sorted({'matplotlib', 'pgmpy', 'numba'} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.splitlines()[-1] == "[]"


def test_a_carriage_return_in_a_label_is_quoted(shell):
    write("cr.csv", 'a,cls\nx,"q\rr"\ny,p\n')
    done(shell("fit", "cr.csv", "--target", "cls", "--save", "cr.json"))
    done(shell("predict", "cr.json", "cr.csv", "--output", "out.csv"))
    assert bc.read_table("out.csv")["predicted"].tolist() == ["q\rr", "p"]


def test_unknown_values_are_told_or_refused(shell):
    write("train.csv", "a,y\nu,p\nv,q\nu,p\n")
    write("new.csv", "a\nu\nz\n")
    done(shell("fit", "train.csv", "--target", "y", "--save", "lax.json"))
    told = shell("predict", "lax.json", "new.csv")
    assert told.exit_code == 0
    assert "values not seen in training ('a': 1) count as missing cells" in told.stderr
    words = "fit train.csv --target y --unknown error --save strict.json"
    done(shell(*words.split()))
    message = refused(shell("predict", "strict.json", "new.csv"))
    assert "new.csv: values not seen in training (column 'a': 'z' in 1 row)" in message
