import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from io_networks import HOSTILE, ODD_NAMES, ODD_STATES, names

from bnclass.io.tokens import KEYWORDS, safe_tokens


@pytest.mark.parametrize(
    ("original", "token"),
    [
        ("petal length (cm)", "petal_length_cm"),
        ("left-weight", "left_weight"),
        ("x0", "x0"),
        ("(-inf, 2.45]", "minus_inf_2_45"),
        ("(2.45, 4.75]", "_2_45_4_75"),
        ("(-2.5, inf)", "minus_2_5_inf"),
        ("<5", "lt_5"),
        (">=5", "ge_5"),
        ("-1", "minus_1"),
        (-1.5, "minus_1_5"),
        (True, "True"),
        (("a", 1), "a_1"),
        ("Käse", "Kase"),
        ("日本", "_"),
        ("", "_"),
        ("table", "table_"),
        ("Network", "Network_"),
        ("vegetable1", "vegetable_1"),
        ("defaulter", "default_er"),
    ],
)
def test_tokens_are_readable(original, token):
    assert safe_tokens([original]) == (token,)


def test_repeated_tokens_are_numbered_in_order():
    originals = ["a b", "a_b", "A-B", "a_b_2", "", "日本"]
    assert safe_tokens(originals) == ("a_b", "a_b_2", "A_B_3", "a_b_2_2", "_", "_2")


def test_zero_names_have_zero_tokens():
    assert safe_tokens([]) == ()


@given(st.lists(names | st.text(max_size=4) | st.sampled_from(ODD_STATES + ODD_NAMES + HOSTILE)))
def test_tokens_are_safe_and_unique(originals):
    tokens = safe_tokens(originals)
    assert len({token.lower() for token in tokens}) == len(originals)
    for token in tokens:
        assert re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", token)
        assert token.lower() not in KEYWORDS
        assert not re.search("(table|default)[0-9eE]", token)


@given(st.lists(names))
def test_the_same_originals_give_the_same_tokens(originals):
    assert safe_tokens(originals) == safe_tokens(list(originals))
