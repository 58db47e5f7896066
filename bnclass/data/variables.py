"""What a column is: its name, its kind and its states.

A `Variable` knows everything that turning a cell into an integer code needs:
the states, the cuts of a discretised number, and what a missing cell becomes.
Networks carry their variables, so a network can read raw tables on its own.
"""

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

import pandas as pd

from bnclass.exceptions import DataError

Kind = Literal["discrete", "continuous"]

LARGEST_NUMBER = 1e100
"""Continuous numbers are at most this large, so that no product leaves double precision."""


def is_missing_name(name: Hashable) -> bool:
    """Return whether a name is None, NaN or NA, or a tuple that holds one.

    Nothing is found again under such a name: NaN is not equal to itself, and `networkx` has
    no node None.

    Parameters
    ----------
    name : hashable

    Returns
    -------
    bool

    Examples
    --------
    >>> from bnclass.data.variables import is_missing_name
    >>> is_missing_name(float("nan")), is_missing_name(("a", None)), is_missing_name("nan")
    (True, True, False)
    """
    if isinstance(name, tuple):
        return any(map(is_missing_name, name))
    scalar: Any = name if pd.api.types.is_scalar(name) else ""
    return bool(pd.isna(scalar))


@dataclass(frozen=True)
class Variable:
    """One node's domain.

    Parameters
    ----------
    name : hashable
        The user's own column name; no missing value.
    kind : {"discrete", "continuous"}
        Whether the variable has states or is a number.
    states : tuple
        The declared states in order; code ``i`` stands for ``states[i]``. Empty for a
        continuous variable.
    source : hashable, optional
        The column that is read, where it differs from `name` (a discretised view).
    cuts : tuple of float, optional
        Cut points of a discretised number: state ``i`` is the interval
        ``(cuts[i-1], cuts[i]]``. ``None`` if the cells are states themselves.
    fill : int or float, optional
        The code that a missing or unknown cell takes, or the number if the variable is
        continuous; ``None`` leaves it missing.

    Examples
    --------
    >>> from bnclass import Variable
    >>> weather = Variable("weather", states=("dry", "wet"))
    >>> weather.card
    2
    """

    name: Hashable
    kind: Kind = "discrete"
    states: tuple[Hashable, ...] = ()
    source: Hashable | None = None
    cuts: tuple[float, ...] | None = None
    fill: int | float | None = None

    def __post_init__(self) -> None:
        if is_missing_name(self.name):
            raise DataError(f"a variable has the name {self.name!r}, expected no missing value")
        if self.kind not in ("discrete", "continuous"):
            raise DataError(
                f"variable {self.name!r} is of kind {self.kind!r}, "
                f"expected 'discrete' or 'continuous'"
            )
        if self.kind == "discrete":
            self._check_states()
        else:
            self._check_number()

    def _check_states(self) -> None:
        if not self.states:
            raise DataError(f"variable {self.name!r} has no states, expected at least one")
        if len(set(self.states)) != len(self.states):
            raise DataError(f"variable {self.name!r} has repeated states: {self.states!r}")
        if self.fill is not None and self.fill not in range(len(self.states)):
            raise DataError(
                f"variable {self.name!r}: fill is {self.fill}, expected a code below {self.card}"
            )
        if any(not low < high for low, high in pairwise(self.cuts or ())):
            raise DataError(f"variable {self.name!r} has cuts {self.cuts!r}, expected ascending")
        n_bins = len(self.states) if self.cuts is None else len(self.cuts) + 1
        if n_bins > len(self.states):
            raise DataError(
                f"variable {self.name!r}: {n_bins} bins by its cuts, but {self.card} states"
            )

    def _check_number(self) -> None:
        if self.states or self.cuts is not None:
            raise DataError(f"continuous variable {self.name!r} has states or cuts, expected none")
        if self.fill is not None and not abs(self.fill) <= LARGEST_NUMBER:
            raise DataError(
                f"variable {self.name!r}: fill is {self.fill}, expected a number of at most "
                f"{LARGEST_NUMBER:g} in magnitude"
            )

    @property
    def is_continuous(self) -> bool:
        """Whether the variable is a number."""
        return self.kind == "continuous"

    @property
    def is_view(self) -> bool:
        """Whether the variable is the discretised view of a column of another name."""
        return self.source is not None

    @property
    def card(self) -> int:
        """Number of states (0 for a continuous variable)."""
        return len(self.states)

    @property
    def column(self) -> Hashable:
        """The column that is read: `source` if given, else `name`."""
        return self.name if self.source is None else self.source


@dataclass(frozen=True)
class Schema:
    """The attributes in column order, and the class.

    Parameters
    ----------
    attributes : tuple of Variable
        The attributes of the model, in column order.
    target : Variable
        The class variable; its states are the class labels in sorted order.

    Examples
    --------
    >>> from bnclass import Schema, Variable
    >>> schema = Schema((Variable("a", states=(0, 1)),), Variable("class", states=("n", "y")))
    >>> schema.names
    ('a',)
    """

    attributes: tuple[Variable, ...]
    target: Variable

    def __post_init__(self) -> None:
        repeated = [name for name, n in Counter(v.name for v in self).items() if n > 1]
        if repeated:
            raise DataError(f"repeated variable names {repeated!r}, expected each name once")

    def __iter__(self) -> Iterator[Variable]:
        """Iterate over the class, then the attributes in column order."""
        yield self.target
        yield from self.attributes

    def __len__(self) -> int:
        return 1 + len(self.attributes)

    @cached_property
    def _by_name(self) -> dict[Hashable, Variable]:
        return {v.name: v for v in self}

    def __getitem__(self, name: Hashable) -> Variable:
        if name not in self._by_name:
            raise DataError(f"unknown variable {name!r}, expected one of {list(self._by_name)!r}")
        return self._by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    @property
    def names(self) -> tuple[Hashable, ...]:
        """Names of the attributes, in column order."""
        return tuple(v.name for v in self.attributes)
