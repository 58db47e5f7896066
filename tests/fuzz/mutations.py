"""How the fuzzer damages files."""

import copy
import json
import random
import re

JUNK = [
    "1e999",
    "-1e999",
    "1e-400",
    "NaN",
    "Infinity",
    "9" * 400,
    "9" * 5000,
    "-1",
    "0",
    "2147483648",
    "1e308",
    "0.3333",
    "true",
    "null",
    "[]",
    "{}",
    '""',
    "[" * 2000,
    "{" * 200,
    '{"a":' * 900,
    '"\\ud800"',
    '"\\ud83d\\ude00"',
    "\\u0000",
    "\x00",
    "\ufeff",
    "\u2028",
    "日本",
    "😀",
    "'",
    '"',
    "\\",
    "//",
    "/*",
    "*/",
    "// bnclass ",
    "%",
    "@data\n",
    "{1 2}",
    "?",
    ",",
    ";",
    "\t",
    "\r",
    "\n",
    "table",
    "default",
    "probability",
    "( a | b )",
    "discrete [ 99999999999 ]",
    "property x ;",
    "&a;",
    "&#0;",
    "&#xD800;",
    "]]>",
    "<![CDATA[",
    "<node>",
    "</node>",
    "<data/>",
    "<graph>",
    "<port/>",
    '<!DOCTYPE z [<!ENTITY a "aa">]>',
    '<!DOCTYPE z SYSTEM "file:///dev/zero">',
    "<U9999",
    "|O",
    ">f2",
    "a" * 5000,
    " " * 5000,
    ",,,,,,,,,,",
    "x\n" * 500,
]
"""Text that broke readers, ours or others'."""

VALUES = [
    None,
    True,
    0,
    1,
    -1,
    2**31,
    2**63,
    10**400,
    0.5,
    -0.0,
    1e308,
    5e-324,
    "",
    "a",
    "inf",
    "\ud800",
    [],
    [[]],
    [0],
    [[0, 1]],
    ["a", "a"],
    {},
    {"type": "float", "value": "nan"},
    "<U9999",
    "|O",
    {"type": "tuple", "items": []},
    {"type": "dict", "items": [["a", 1]]},
    {"type": "array", "dtype": "|O", "shape": [2, 1], "values": [None, "a"]},
    {"type": "array", "dtype": "<f8", "shape": [10**9, 0], "values": []},
    {"type": "scalar", "dtype": "<i8", "value": 3},
    {"type": "MEstimate", "m": -1.0},
]
"""JSON values that are somewhere right and elsewhere wrong."""

_TOKEN = re.compile(rb"\w+|\s+|.", re.DOTALL)


def mutated(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """Return a file with one to four damages."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        damage = rng.choice((_bits, _truncated, _cut, _repeated, _swapped, _junk, _junk, _spliced))
        data = damage(data, others, rng)
    return data


def mutated_json(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """Return a JSON file with one to four values taken out, replaced, moved, or repeated."""
    document = json.loads(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        places = list(_places(document))
        if places:
            _change(document, places, others, rng)
    return json.dumps(document).encode()


def _change(document: object, places: list[tuple], others: list[bytes], rng: random.Random) -> None:
    container, key = rng.choice(places)
    how = rng.randrange(6)
    if how == 0:
        del container[key]
    elif how == 1:
        container[key] = copy.deepcopy(rng.choice(VALUES))
    elif how == 2:  # from elsewhere in the file
        other, place = rng.choice(places)
        container[key] = copy.deepcopy(other[place])
    elif how == 3:  # from another file
        other, place = rng.choice(list(_places(json.loads(rng.choice(others)))))
        container[key] = other[place]
    elif how == 4 and isinstance(container, list):
        container.insert(key, copy.deepcopy(container[key]))
    elif isinstance(container[key], (int, float)):
        container[key] = rng.choice((-1, 2, 0.5, 1e300, -1e-300)) * container[key]


def _places(document: object) -> list[tuple]:
    """Return (container, key) of every value in some JSON."""
    found, pending = [], [document]
    while pending:
        container = pending.pop()
        if isinstance(container, (dict, list)):
            keys = list(container) if isinstance(container, dict) else range(len(container))
            found += [(container, key) for key in keys]
            pending += [container[key] for key in keys]
    return found


def _span(data: bytes, rng: random.Random) -> tuple[int, int]:
    start = rng.randrange(len(data) + 1)
    return start, min(len(data), start + int(rng.expovariate(1 / 40)))


def _bits(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    damaged = bytearray(data)
    for _ in range(rng.randint(1, 4) if data else 0):
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
    return bytes(damaged)


def _truncated(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _cut(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    start, end = _span(data, rng)
    return data[:start] + data[end:]


def _repeated(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    start, end = _span(data, rng)
    return data[:start] + data[start:end] * rng.choice((2, 3, 1000)) + data[end:]


def _swapped(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    tokens = _TOKEN.findall(data)
    if len(tokens) > 1:
        i, j = rng.sample(range(len(tokens)), 2)
        tokens[i], tokens[j] = tokens[j], tokens[i]
    return b"".join(tokens)


def _junk(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    tokens = _TOKEN.findall(data) or [b""]
    place = rng.randrange(len(tokens))
    junk = rng.choice(JUNK).encode("utf-8", "surrogatepass")
    tokens[place : place + rng.randint(0, 1)] = [junk]
    return b"".join(tokens)


def _spliced(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    other = rng.choice(others)
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]
