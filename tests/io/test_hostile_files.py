"""Files that are made to hang, fill the memory, crash or deceive a reader."""

import gzip
import json
import os
import pickle
from itertools import pairwise

import numpy as np
import pytest

from bnclass.classifiers.single import TAN
from bnclass.data.datasets import load_dataset
from bnclass.data.memory import set_max_memory
from bnclass.data.readers import read_table
from bnclass.exceptions import BnclassError, FileFormatError, MemoryLimitError
from bnclass.io.bif import read_bif
from bnclass.io.codec import Codec
from bnclass.io.graphml import read_graphml
from bnclass.io.json import load, save
from bnclass.io.values import VALUES

MODELS = {"a.json": load, "a.bif": read_bif, "a.graphml": read_graphml}
TABLES = dict.fromkeys(("a.csv", "a.csv.gz", "a.arff", "a.arff.gz", "a.parquet"), read_table)
READERS = [*MODELS.items(), *TABLES.items(), ("a.json.gz", load)]
MERSENNE = 2**61 - 1  # whose multiples all have the hash 0


@pytest.fixture
def little_memory():
    set_max_memory(2**23)
    yield
    set_max_memory(None)


def refusal(reader, path, content=None, error=FileFormatError):
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(error) as caught:
        reader(path)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 1000
    return message


def structure(**changed):
    fields = {"nodes": [], "class_node": None, "joint_family": None, "arcs": [], **changed}
    return json.dumps({"format": 2, "model": {"type": "Structure", **fields}})


def graphml(body, head=""):
    graph = f'<graph edgedefault="directed">{body}</graph>'
    return f'{head}<graphml xmlns="http://graphml.graphdrawing.org/xmlns">{graph}</graphml>'


def variable_block(name, n_states):
    states = ", ".join(f"s{i}" for i in range(n_states))
    return f"variable {name} {{ type discrete [ {n_states} ] {{ {states} }}; }}\n"


# ---------------------------------------------------------------- every reader


@pytest.mark.parametrize(("name", "reader"), READERS)
@pytest.mark.parametrize(
    "content", [b"", b"\0" * 999, b"\xff\xfe\0", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\x1f\x8b"]
)
def test_no_file_of_its_kind(tmp_path, name, reader, content):
    refusal(reader, tmp_path / name, content)
    refusal(reader, tmp_path / name, gzip.compress(content))


@pytest.mark.parametrize(("name", "reader"), READERS)
def test_folders_pipes_and_devices_are_not_read(tmp_path, name, reader):
    folder, pipe, device = (tmp_path / f"{kind}-{name}" for kind in ("folder", "pipe", "device"))
    folder.mkdir()
    os.mkfifo(pipe)
    device.symlink_to("/dev/zero")
    for path in (folder, pipe, device):
        assert "found a folder or a device, expected a file" in refusal(reader, path)
    assert "no such file" in refusal(reader, tmp_path / name)
    assert "null byte" in refusal(reader, f"\0{name}")


@pytest.mark.parametrize("name", ["a.json.gz", "a.csv.gz", "a.arff.gz"])
def test_a_bomb_is_unpacked_no_further_than_the_limit(tmp_path, little_memory, name):
    reader = TABLES.get(name, load)
    bomb = gzip.compress(b"a\n" * 2**22)
    message = refusal(reader, tmp_path / name, bomb, MemoryLimitError)
    assert f"the text is larger than {2**20} bytes" in message


@pytest.mark.parametrize("name", ["a.json.gz", "a.csv.gz", "a.arff.gz"])
def test_packed_files_that_are_cut_or_damaged(tmp_path, name):
    packed = bytearray(gzip.compress(bytes(range(32, 127)) * 99))
    refusal(TABLES.get(name, load), tmp_path / name, bytes(packed[:-9]))
    packed[len(packed) // 2] ^= 255
    assert "cannot be read" in refusal(TABLES.get(name, load), tmp_path / name, bytes(packed))


# ---------------------------------------------------------------- JSON


def test_no_code_is_run(tmp_path):
    class Payload:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "run"),)

    refusal(load, tmp_path / "a.json", pickle.dumps(Payload()))
    for tag in ("os.system", "object", "__import__", "eval", "numpy.load"):
        refusal(load, tmp_path / "a.json", structure(nodes=[{"type": tag, "args": ["id"]}]))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (structure(nodes=["a"]).replace('"a"', '"\\ud800"'), "half of a surrogate pair"),
        (structure(nodes=["a"]).replace('"a"', '"\\uDfFf\\uD800"'), "half of a surrogate pair"),
        (structure(nodes=["a"]).replace('"a"', "9" * 10**6), "Exceeds the limit"),
        (structure(nodes=["a"]).replace('"a"', '{"k": 1, "k": 1}'), "found the key 'k' twice"),
        ('{"format": 2, "model": ' + '{"type": "tuple", "items": [' * 900, "nested too deeply"),
        (structure(nodes=[MERSENNE * n for n in range(10**4)]), "of one hash"),
        (structure(nodes=[{"type": "tuple", "items": [MERSENNE * n]} for n in range(999)]), "hash"),
        (structure(arcs=[[MERSENNE * n, 0] for n in range(10**4)]), "of one hash"),
        (structure(nodes=[f"n{n}" for n in range(10**4)] * 2), "expected each once"),
    ],
    ids=lambda text: str(text)[-30:],
)
def test_json(tmp_path, text, message):
    assert message in refusal(load, tmp_path / "a.json", text)


def test_a_pair_of_surrogates_is_a_character(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(structure(nodes=["😀"]))
    assert "\\ud83d\\ude00" in path.read_text()
    assert load(path).nodes == ("😀",)


def test_an_integer_that_no_reader_takes_is_not_written(tmp_path):
    assert "thousands of digits" in refusal(
        lambda path: Codec(VALUES).encode([10**5000]), tmp_path / "a.json"
    )


def test_a_cycle_behind_many_nodes_is_found_at_once(tmp_path):
    names = [f"n{i}" for i in range(20_000)]
    arcs = [list(pair) for pair in zip(names[1:], names, strict=False)]
    text = structure(nodes=names, arcs=[*arcs, ["n0", "n1"]])
    assert "has the cycle 'n0' -> 'n1' -> 'n0'" in refusal(load, tmp_path / "a.json", text)
    text = structure(nodes=names, arcs=[*arcs, ["n0", "n19999"]])
    assert "has the cycle 'n0'" in refusal(load, tmp_path / "a.json", text)


@pytest.mark.parametrize(
    "array",
    [
        {"dtype": "<U9999", "shape": [3000], "values": [""] * 3000},
        {"dtype": "<f8", "shape": [10**12, 0], "values": []},
        {"dtype": "<f8", "shape": [0, 10**12], "values": []},
        {"dtype": "<f8", "shape": [10**30], "values": [0.0]},
        {"dtype": "<f8", "shape": [-1], "values": [0.0, 1.0]},
        {"dtype": "<f8", "shape": [1] * 99, "values": [0.0]},
        {"dtype": "<f2", "shape": [1], "values": [1e300]},
        {"dtype": "|i1", "shape": [1], "values": [10**400]},
        {"dtype": "|V9", "shape": [1], "values": ["a"]},
    ],
    ids=str,
)
def test_arrays_that_claim_more_than_they_hold(tmp_path, little_memory, array):
    text = structure(nodes=[{"type": "array", **array}])
    assert "array: " in refusal(load, tmp_path / "a.json", text, BnclassError)


def test_lists_that_would_not_fit(tmp_path, little_memory):
    text = structure().replace('"nodes": []', '"nodes": [' + "[]," * 10**5 + "[]]")
    assert "lists and objects" in refusal(load, tmp_path / "a.json", text, MemoryLimitError)


def test_pair_counts_that_would_not_fit(tmp_path, little_memory):
    rule = {"type": "Subsumption", "min_frequency": 1, "attributes": ["a"]}
    rule |= {"counts": [[1] * 2000], "pair_counts": [[]] * 2000}
    text = json.dumps({"format": 2, "model": rule})
    message = refusal(load, tmp_path / "a.json", text, MemoryLimitError)
    assert "the pair counts would need" in message


@pytest.mark.parametrize("value", [1e200, -1.7e308, 10**400])
@pytest.mark.parametrize("key", ["numbers", "weights"])
def test_rows_of_numbers_beyond_the_limits_of_tables(tmp_path, key, value, local_gaussian):
    local = local_gaussian["model"]["ensemble_"]["local"]
    row = local[key] if key == "weights" else local[key][0]
    row[0] = value
    refusal(load, tmp_path / "a.json", json.dumps(local_gaussian))


@pytest.fixture(scope="module")
def local_gaussian(tmp_path_factory):
    from bnclass.classifiers.kst import KST

    path = tmp_path_factory.mktemp("kst") / "a.json"
    X, y = load_dataset("iris")
    with pytest.warns(Warning, match="training data"):
        save(KST(continuous="gaussian").fit(X.iloc[::9], y.iloc[::9]), path)
    return json.loads(path.read_text())


@pytest.mark.parametrize("value", ["3", '{"type": "tuple", "items": []}'])
def test_a_parameter_that_stands_for_a_transformer(tmp_path, value):
    path = tmp_path / "a.json"
    save(TAN().fit(*load_dataset("monks-1")), path)
    path.write_text(path.read_text().replace('"continuous": "mdl"', f'"continuous": {value}', 1))
    assert "expected continuous='mdl'" in refusal(load, path)


# ---------------------------------------------------------------- BIF


def test_a_default_row_cannot_fill_the_memory(tmp_path, little_memory):
    parents = "".join(variable_block(f"p{i}", 10) for i in range(5))
    given = ", ".join(f"p{i}" for i in range(5))
    children = "".join(
        f"{variable_block(name, 2)}probability ( {name} | {given} ) {{ default 0.5, 0.5; }}\n"
        for name in "abc"
    )
    message = refusal(read_bif, tmp_path / "a.bif", parents + children, MemoryLimitError)
    assert "line 9: the tables up to here would need" in message


def test_a_missing_row_is_named_before_there_is_a_table(tmp_path):
    blocks = "".join(variable_block(f"v{i}", 100) for i in range(4))
    row = "( s0, s0, s0 ) " + ", ".join(["1", *["0"] * 99])
    text = f"{blocks}probability ( v0 | v1, v2, v3 ) {{ {row}; }}"
    assert "line 5: found no row for the parents' states ['s0', 's0', 's1']" in refusal(
        read_bif, tmp_path / "a.bif", text
    )


def test_words_that_would_not_fit(tmp_path, little_memory):
    text = "variable " + "a " * 10**5
    assert "the words of the file" in refusal(read_bif, tmp_path / "a.bif", text, MemoryLimitError)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("variable " + "a" * 10**6, "the file ends, expected '{'"),
        ("a" * 10**6, ""),
        ("variable a { type discrete [ " + "9" * 5000 + " ] { x }; }", "Exceeds the limit"),
        (variable_block("a", 2) + "probability ( a ) { table 1e999, 0; }", "found '1e999'"),
        (variable_block("a", 2) + "probability ( a ) { table nan, 0; }", "found 'nan'"),
        ('variable a "', "without its end"),
        ("/*" + "/" * 10**6, "found '/' without its end"),
    ],
    ids=lambda text: str(text)[-30:],
)
def test_bif(tmp_path, text, message):
    assert message in refusal(read_bif, tmp_path / "a.bif", text)


def test_a_broken_name_in_a_note(tmp_path):
    note = '// bnclass variable {"token": "a", "states": [], "variable": "\\ud800"}\n'
    assert "line 1: a broken note" in refusal(read_bif, tmp_path / "a.bif", note)


# ---------------------------------------------------------------- GraphML

LAUGHS = "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in pairwise("abcdefghi"))


@pytest.mark.parametrize(
    "declarations",
    [
        f'[<!ENTITY a "ha">{LAUGHS}]',
        f'[<!ENTITY i "{"a" * 10**5}">]',
        '[<!ENTITY i SYSTEM "file:///etc/hostname">]',
        'SYSTEM "http://127.0.0.1:1/"',
        '[<!ENTITY % p SYSTEM "file:///dev/zero"> %p;]',
        "[]",
    ],
    ids=lambda text: text[-30:],
)
def test_document_types_are_refused(tmp_path, declarations):
    head = f'<?xml version="1.0"?><!DOCTYPE graphml {declarations}>'
    text = graphml('<node id="a"/>' if "SYSTEM" in declarations else '<node id="&i;"/>', head)
    assert "found a document type, expected none" in refusal(
        read_graphml, tmp_path / "a.graphml", text
    )


def test_a_million_nodes_that_are_not_ours(tmp_path):
    path = tmp_path / "a.graphml"
    text = graphml("".join(map('<node id="{}"/>'.format, range(10**6))))
    assert "found 0 data in 1000000 nodes" in refusal(read_graphml, path, text)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("<a>" * 10**5 + "</a>" * 10**5, "found no attribute 'bnclass'"),
        ("<graph>" * 999 + "</graph>" * 999, ""),
        ('<node id="&#xD800;"/>', "no XML"),
        ('<node id="&#0;"/>', "no XML"),
        ('<node id="\x01"/>', "no XML"),
        ("<node><data/><data/></node>", "no GraphML"),
    ],
    ids=lambda text: str(text)[-30:],
)
def test_graphml(tmp_path, body, message):
    assert message in refusal(read_graphml, tmp_path / "a.graphml", graphml(body))


def test_elements_that_would_not_fit(tmp_path, little_memory):
    text = graphml("<a/>" * 10**4)
    assert "the elements of the file" in refusal(
        read_graphml, tmp_path / "a.graphml", text, MemoryLimitError
    )


# ---------------------------------------------------------------- tables


def test_rows_that_would_not_fit(tmp_path, little_memory):
    message = refusal(read_table, tmp_path / "a.csv", "a\n" + "1\n" * 10**5, MemoryLimitError)
    assert "rows would need" in message
    header = "".join(f"@attribute a{i} real\n" for i in range(1000))
    text = f"@relation r\n{header}@data\n" + "{}\n" * 1000  # three bytes for a thousand cells
    assert "rows would need" in refusal(read_table, tmp_path / "a.arff", text, MemoryLimitError)


def test_a_line_that_would_not_fit(tmp_path, little_memory):
    text = "@relation r\n@attribute a {" + "," * 10**5
    assert "line 2 would need" in refusal(read_table, tmp_path / "a.arff", text, MemoryLimitError)


def test_more_columns_than_a_table_may_have(tmp_path):
    names = [f"c{i}" for i in range(100_001)]
    text = ",".join(names) + "\n" + ",".join("1" for _ in names)
    assert "found 100001 columns" in refusal(read_table, tmp_path / "a.csv", text)
    text = "@relation r\n" + "".join(map("@attribute {} real\n".format, names)) + "@data\n{}\n"
    assert "more than 100000 attributes" in refusal(read_table, tmp_path / "a.arff", text)


def test_parquet_that_unpacks_to_more_than_fits(tmp_path, little_memory):
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.table({"a": ["x" * 1000] * 20_000}), path)  # one text, many times
    assert path.stat().st_size < 10_000
    assert "the table would need" in refusal(read_table, path, error=MemoryLimitError)


def test_long_names_make_no_long_messages(tmp_path):
    name = "a" * 10**5
    refusal(read_table, tmp_path / "a.csv", f"{name},{name}\n1,2\n")
    refusal(read_table, tmp_path / "a.csv", f"{name};{name}\n1\n")
    refusal(read_table, tmp_path / "a.arff", f"@relation r\n@attribute {name} {name}\n")


def test_numbers_of_a_thousand_digits_are_too_large_for_int64(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a,b\n" + "9" * 5000 + ",1\n")
    assert np.isinf(read_table(path)["a"]).all()
