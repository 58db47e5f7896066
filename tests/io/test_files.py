import gzip
import os
import stat

import pytest

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
