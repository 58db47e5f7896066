import re

import numpy as np
import pytest

from bnclass.data import memory
from bnclass.data.memory import memory_limit, require_memory, set_max_memory
from bnclass.exceptions import BnclassError, MemoryLimitError


def test_the_limit_is_a_quarter_of_the_memory(monkeypatch):
    sizes = {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 1000}
    monkeypatch.setattr(memory.os, "sysconf", sizes.__getitem__)
    assert memory_limit() == 1_024_000


@pytest.mark.parametrize("error", [AttributeError, ValueError, OSError])
def test_a_system_that_does_not_say_counts_as_8_gib(monkeypatch, error):
    def sysconf(name):
        raise error(name)

    monkeypatch.setattr(memory.os, "sysconf", sysconf)
    assert memory_limit() == 2 * 2**30


def test_cells_are_8_bytes(monkeypatch):
    monkeypatch.setattr(memory, "memory_limit", lambda: 800)
    require_memory(100, "just enough")
    with pytest.raises(MemoryLimitError, match="one too many"):
        require_memory(101, "one too many")
    assert np.zeros(1).nbytes == 8


def test_the_message_names_the_array_and_both_sizes(monkeypatch):
    monkeypatch.setattr(memory, "memory_limit", lambda: 2**30)
    with pytest.raises(MemoryLimitError) as caught:
        require_memory(2**28, "the table of 'a'")
    assert str(caught.value) == (
        "the table of 'a' would need 2 GiB, expected at most 1 GiB (a quarter of the memory)"
    )


@pytest.mark.parametrize(("base", "power", "size"), [(10, 400, "1e+392"), (20, 5000, "1e+6497")])
def test_more_cells_than_a_float_can_say(base, power, size):
    with pytest.raises(
        MemoryLimitError, match=f"the full network would need {re.escape(size)} GiB"
    ):
        require_memory(base**power, "the full network")


def test_it_is_a_memory_error_and_one_of_ours():
    with pytest.raises(MemoryError) as caught:
        require_memory(10**20, "a table")
    assert isinstance(caught.value, BnclassError)


def test_a_limit_that_was_set_holds_until_it_is_taken_back():
    before = memory_limit()
    try:
        set_max_memory(np.int64(800))
        require_memory(100, "just enough")
        with pytest.raises(MemoryLimitError, match=r"\(as set by set_max_memory\)"):
            require_memory(101, "one too many")
    finally:
        set_max_memory(None)
    assert memory_limit() == before


@pytest.mark.parametrize("value", [0, -1, 1.5, True, "2 GiB"])
def test_a_limit_that_is_no_number_of_bytes_is_refused(value):
    with pytest.raises(BnclassError, match="expected None or a positive whole number of bytes"):
        set_max_memory(value)
