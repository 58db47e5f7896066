"""How a command ends: what went wrong is one line on stderr, and the exit code tells.

Exit codes: 0 done, 2 refused (wrong usage, bad data, a file that cannot be read or
written), 130 interrupted. A reader that closes the pipe early ends a command in silence.
"""

import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from bnclass.exceptions import BnclassError, BnclassWarning, DataError

REFUSED, INTERRUPTED = 2, 130

# UsageError of whichever click this version of typer brings along.
_UsageError: Any = typer.BadParameter.__mro__[1]


class OneLineGroup(TyperGroup):
    """The group of all commands; says every refusal and every warning in one line."""

    def main(self, args: Sequence[str] | None = None, *more: Any, **options: Any) -> NoReturn:
        """Run a command, then leave the process with its exit code.

        Parameters
        ----------
        args : sequence of str, optional
            The words after the program's name, by default those of the process. Without
            any the help is shown.
        *more, **options
            As for typer.
        """
        words = list(sys.argv[1:] if args is None else args) or ["--help"]
        try:
            with _warnings_in_one_line():
                code = super().main(words, *more, **options | {"standalone_mode": False})
        except _UsageError as error:
            _refuse(error.format_message())
        except BnclassError as error:
            _refuse(str(error))
        except OSError as error:
            _refuse(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        except typer.Abort:
            sys.exit(INTERRUPTED)
        sys.exit(code)

    def invoke(self, ctx: Any) -> Any:
        """Run the command and its output to the end, so that a closed pipe shows here.

        Parameters
        ----------
        ctx : click.Context

        Returns
        -------
        object
        """
        result = super().invoke(ctx)
        sys.stdout.flush()
        return result


@contextmanager
def about(subject: str) -> Iterator[None]:
    """Put what it is about in front of every refusal from inside the block.

    Parameters
    ----------
    subject : str
        The file, with a column if there is one to name.

    Raises
    ------
    DataError
        For every `ValueError`, scikit-learn's own among them.

    Examples
    --------
    >>> from bnclass.cli.errors import about
    >>> with about("a.csv"):
    ...     raise ValueError("no rows")
    Traceback (most recent call last):
    bnclass.exceptions.DataError: a.csv: no rows
    """
    try:
        yield
    except ValueError as error:
        raise DataError(f"{subject}: {error}") from None


def _refuse(message: str) -> NoReturn:
    typer.echo(f"bnclass: {_one_line(message)}", err=True)
    sys.exit(REFUSED)


@contextmanager
def _warnings_in_one_line() -> Iterator[None]:
    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        typer.echo(f"bnclass: warning: {_one_line(str(message))}", err=True)

    with warnings.catch_warnings():
        warnings.simplefilter("always", BnclassWarning)
        warnings.showwarning = show
        yield


def _one_line(message: str) -> str:
    return " ".join(message.split("\n"))
