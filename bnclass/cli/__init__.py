"""The command line: learn, predict, look at, draw and export models from a shell."""

from bnclass.cli.commands import app, main

__all__ = ["app", "main"]
