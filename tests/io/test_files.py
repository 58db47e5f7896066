import gzip
import os
import random
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

import bnclass
from bnclass.data.textfile import read_text
from bnclass.exceptions import FileFormatError
from bnclass.io.files import write_atomically


def others(path):
    return sorted(entry.name for entry in path.parent.iterdir() if entry != path)


@pytest.mark.parametrize("content", ["", "two\r\nlines\n", "é 日本", b"\x00\xff"])
def test_content_arrives_as_it_is(tmp_path, content):
    path = tmp_path / "a.txt"
    write_atomically(path, content)
    assert path.read_bytes() == (content.encode() if isinstance(content, str) else content)
    assert others(path) == []


def test_an_old_file_is_replaced_and_keeps_its_permissions(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old, and longer than the new one")
    path.chmod(0o640)
    write_atomically(str(path), "new")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_file_has_the_usual_permissions(tmp_path):
    usual, path = tmp_path / "usual", tmp_path / "ours"
    usual.write_text("")
    write_atomically(path, "")
    assert path.stat().st_mode == usual.stat().st_mode


@pytest.mark.parametrize("failing", ["os.replace", "os.fsync"])
@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt()])
def test_any_error_leaves_the_old_file_and_no_temporary(tmp_path, monkeypatch, failing, error):
    def fail(*_):
        raise error

    path = tmp_path / "a.txt"
    path.write_text("old")
    with monkeypatch.context() as patch:
        patch.setattr(failing, fail)
        with pytest.raises((FileFormatError, KeyboardInterrupt)) as caught:
            write_atomically(path, "new")
    if isinstance(error, OSError):
        assert str(caught.value) == f"{path}: cannot be written (disk full)"
    assert path.read_text() == "old"
    assert others(path) == []


def test_a_missing_folder_is_named(tmp_path):
    path = tmp_path / "no" / "a.txt"
    with pytest.raises(FileFormatError) as caught:
        write_atomically(path, "new")
    assert str(caught.value) == f"{path}: cannot be written (No such file or directory)"


def test_a_folder_is_not_replaced(tmp_path):
    with pytest.raises(FileFormatError, match="found a folder or a device, expected a file"):
        write_atomically(tmp_path, "new")
    assert tmp_path.is_dir()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs POSIX pipes")
def test_a_device_is_not_replaced(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(FileFormatError, match="found a folder or a device, expected a file"):
        write_atomically(path, "new")
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_a_read_only_file_is_not_replaced(tmp_path, monkeypatch):
    path = tmp_path / "a.txt"
    path.write_text("old")
    path.chmod(0o444)
    monkeypatch.setattr(os, "access", lambda *_, **__: False)  # root may write anything
    with pytest.raises(FileFormatError, match=r"a\.txt: cannot be written \(the file is read-only"):
        write_atomically(path, "new")
    assert path.read_text() == "old"


def test_a_read_only_folder_is_named(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    path = tmp_path / "a.txt"
    path.write_text("old")
    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(FileFormatError) as caught:
        write_atomically(path, "new")
    assert str(caught.value) == f"{path}: cannot be written (the folder {tmp_path} is read-only)"
    assert path.read_text() == "old"


def test_nobody_reads_in_the_temporary_what_he_may_not_read_in_the_file(tmp_path, monkeypatch):
    modes = []
    path = tmp_path / "secret"
    path.write_text("old")
    path.chmod(0o640)
    chmod = os.chmod

    def spy(temporary, mode):
        modes.append(stat.S_IMODE(os.stat(temporary).st_mode))
        chmod(temporary, mode)

    monkeypatch.setattr(os, "chmod", spy)
    write_atomically(path, "new")
    assert modes == [0o600]
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_link_to_nowhere_makes_its_target_and_a_circle_is_refused(tmp_path):
    link, target, circle = (tmp_path / name for name in ("link", "target", "circle"))
    link.symlink_to(target)
    write_atomically(link, "new")
    assert target.read_text() == "new"
    circle.symlink_to(circle)
    with pytest.raises(FileFormatError, match="cannot be written"):
        write_atomically(circle, "new")
    assert circle.is_symlink()


@pytest.mark.parametrize("name", ["a" * 300, "a\0b"])
def test_a_name_that_no_file_can_have(tmp_path, name):
    with pytest.raises(FileFormatError, match="cannot be written"):
        write_atomically(tmp_path / name, "new")


def test_the_longest_name_that_a_file_can_have(tmp_path):
    write_atomically(tmp_path / ("a" * 255), "new")
    assert len(list(tmp_path.iterdir())) == 1


def test_text_that_is_no_unicode(tmp_path):
    with pytest.raises(FileFormatError, match="surrogates not allowed"):
        write_atomically(tmp_path / "a.txt", "\ud800")
    assert list(tmp_path.iterdir()) == []


# The package's own __init__ loads everything, which the killed processes do not need.
_WRITER = """
import importlib, itertools, sys, types
package = types.ModuleType("bnclass")
package.__path__ = [sys.argv[1]]
sys.modules["bnclass"] = package
write = importlib.import_module("bnclass.io.files").write_atomically
print("ready", flush=True)
for letter in itertools.cycle("ab"):
    write(sys.argv[2], letter * 3_000_000)
"""


def test_a_process_killed_at_any_moment_leaves_a_whole_file(tmp_path):
    path, rng = tmp_path / "a.txt", random.Random(7)
    path.write_text("old")
    for _ in range(8):
        words = [sys.executable, "-c", _WRITER, str(Path(bnclass.__file__).parent), str(path)]
        with subprocess.Popen(words, stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            time.sleep(rng.uniform(0, 0.03))
            process.kill()
        text = path.read_text()
        assert text == "old" or (len(text) == 3_000_000 and set(text) in ({"a"}, {"b"}))
    assert all(name.startswith(".bnclass-") and name.endswith(".tmp") for name in others(path))


def test_what_a_killed_process_left_is_removed_an_hour_later(tmp_path, monkeypatch):
    path, other = tmp_path / "a.txt", tmp_path / "b.txt"
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", lambda _: None)  # as if there had been no time for it
        patch.setattr(os, "replace", lambda *_: 1 / 0)
        for target in (path, other):
            with pytest.raises(ZeroDivisionError):
                write_atomically(target, "new")
    leftovers = others(path)
    write_atomically(path, "new")
    assert others(path) == leftovers  # somebody may still be at it
    for name in leftovers:
        os.utime(tmp_path / name, (time.time() - 4000,) * 2)
    write_atomically(path, "new")
    assert len(others(path)) == 1  # that of the other file


def test_a_symbolic_link_stays_and_its_target_is_written(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_atomically(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_gz_is_packed_and_deterministic(tmp_path):
    path = tmp_path / "a.JSON.GZ"
    write_atomically(path, "text " * 99)
    first = path.read_bytes()
    write_atomically(path, "text " * 99)
    assert path.read_bytes() == first
    assert gzip.decompress(first).decode() == read_text(path) == "text " * 99
