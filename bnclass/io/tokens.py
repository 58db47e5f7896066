"""Safe names: what every reader of BIF and GraphML takes for a name or a state.

A token matches ``[A-Za-z_][A-Za-z0-9_]*``, is no word of the BIF language, and differs
from its neighbours also when case is ignored. Files name nodes and states by tokens; the
originals travel beside them.
"""

import re
import unicodedata
from collections.abc import Hashable, Iterable

KEYWORDS = frozenset(
    ("network", "variable", "type", "discrete", "default", "property", "probability", "table")
)
"""Words of the BIF language."""

_SPELLED = (
    (r"<=|≤", " le "),
    (r">=|≥", " ge "),
    (r"<", " lt "),
    (r">", " gt "),
    (r"(?<![\w)])-(?=\.?\d|inf)", " minus "),
)
"""Signs that tell values apart, as words."""


def safe_tokens(originals: Iterable[Hashable]) -> tuple[str, ...]:
    """Return a token for each name or state, readable where the original is.

    Parameters
    ----------
    originals : iterable of hashable

    Returns
    -------
    tuple of str
        In the order given; pairwise different, also when case is ignored. The same
        originals always give the same tokens.

    Examples
    --------
    >>> from bnclass.io.tokens import safe_tokens
    >>> safe_tokens(["(-inf, 0.5]", "(0.5, inf)", "a b", "A_b", "é", "日本", 7, "table"])
    ('minus_inf_0_5', '_0_5_inf', 'a_b', 'A_b_2', 'e', '_', '_7', 'table_')
    """
    taken: set[str] = set()
    tokens = []
    for original in originals:
        tokens.append(_free(_readable(str(original)), taken))
        taken.add(tokens[-1].lower())
    return tuple(tokens)


def _readable(text: str) -> str:
    """Return the letters, digits and telling signs of a text, joined by underscores."""
    for sign, word in _SPELLED:
        text = re.sub(sign, word, text)
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    token = re.sub(r"[^A-Za-z0-9_]+", "_", ascii_text.strip(" ()[]{}'\"")).strip("_")
    # Some readers find "table 1" in "vegetable1": no number may follow these words.
    token = re.sub(r"(table|default)(?=[0-9eE])", r"\1_", token)
    return token if token[:1].isalpha() else f"_{token}"


def _free(token: str, taken: set[str]) -> str:
    if token.lower() in KEYWORDS:
        token += "_"
    free, n = token, 1
    while free.lower() in taken:
        n += 1
        free = f"{token.rstrip('_')}_{n}"
    return free
