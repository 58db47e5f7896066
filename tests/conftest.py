"""What tests of the command line ask for."""

import pytest
from typer.testing import CliRunner

from bnclass.cli import app


@pytest.fixture
def shell(tmp_path, monkeypatch):
    """Return a function that runs a command in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*words):
        return CliRunner().invoke(app, list(map(str, words)))

    return run
