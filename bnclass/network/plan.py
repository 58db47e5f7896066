"""What the factors of structures will be and take, before there are any."""

from collections.abc import Hashable, Iterable
from math import prod

from bnclass.data.memory import require_memory
from bnclass.data.variables import Variable
from bnclass.statistics.families import listed
from bnclass.statistics.sufficient import SufficientStatistics
from bnclass.structure.dag import Structure

DENSE_CELLS = 2**16
DENSE_CELLS_A_ROW = 4


def is_sparse(
    variable: Variable, parents: tuple[Variable, ...], statistics: SufficientStatistics
) -> bool:
    """Return whether a table is to hold the configurations seen only.

    It is if it would have more than 2¹⁶ cells and more than 4 for each training row, and is
    counted from rows: tables of pairs come dense from the counts of all pairs.

    Parameters
    ----------
    variable : Variable
    parents : tuple of Variable
    statistics : SufficientStatistics

    Returns
    -------
    bool

    Examples
    --------
    >>> import pandas as pd
    >>> from bnclass import SufficientStatistics, TableEncoder
    >>> from bnclass.network.plan import is_sparse
    >>> column = pd.Categorical(["0", "1"], categories=[str(i) for i in range(50)])
    >>> frame = pd.DataFrame(dict.fromkeys("abc", column))
    >>> table = TableEncoder().fit_transform(frame, [0, 1])
    >>> statistics = SufficientStatistics.from_table(table)
    >>> a, b, c = statistics.schema.attributes
    >>> is_sparse(a, (b,), statistics), is_sparse(a, (b, c), statistics)  # 2500 or 125 000 cells
    (False, True)
    """
    family = {v.name for v in (variable, *parents)}
    n_attributes = len(family - {statistics.schema.target.name})
    n_counted = 1 if statistics.pair_counts is None else 2
    if statistics.table is None or not parents or n_attributes <= n_counted:
        return False
    n_cells = prod(v.card for v in (variable, *parents))
    return n_cells > max(DENSE_CELLS, DENSE_CELLS_A_ROW * len(statistics.table))


_COPIES = 3  # of a table: probabilities, their logarithms, and those for the kernel
_CELLS_A_FACTOR = 100  # what a factor takes besides its numbers, measured
_CELLS_A_ROW = 20  # of a sparse table, besides the codes of its parents


def require_room_for(structures: Iterable[Structure], statistics: SufficientStatistics) -> None:
    """Raise if the factors of some structures would not fit into memory together.

    Counted are all tables at once, with the copies that are made of them.

    Parameters
    ----------
    structures : iterable of Structure
    statistics : SufficientStatistics

    Raises
    ------
    MemoryLimitError
        It names the node with the largest table, and its parents.

    Examples
    --------
    >>> from bnclass import NaiveBayesLearner, SufficientStatistics, TableEncoder, load_dataset
    >>> from bnclass.network.plan import require_room_for
    >>> table = TableEncoder().fit_transform(*load_dataset("monks-1"))
    >>> statistics = SufficientStatistics.from_table(table)
    >>> require_room_for([NaiveBayesLearner().learn(statistics)], statistics)
    """
    total, largest = 0, 0
    family: tuple[tuple[Hashable, ...], Hashable] = ((), None)
    for structure in structures:
        for node in structure.nodes:
            parents = structure.parents(node)
            size = _size(node, parents, statistics)
            total += size + _CELLS_A_FACTOR
            if size > largest:
                largest, family = size, (parents, node)
    parents, node = family
    is_number = largest > 0 and statistics.schema[node].is_continuous
    kind = "densities" if is_number else "table"
    # While the largest is estimated, there are as many copies of it again.
    require_memory(
        total + largest,
        f"the {kind} of {node!r} with the parents {listed(parents)}, and all others of the model,",
    )


def _size(node: Hashable, parents: tuple[Hashable, ...], statistics: SufficientStatistics) -> int:
    """Return how many cells of 8 bytes a factor takes in all its forms."""
    schema = statistics.schema
    family = tuple(schema[name] for name in (node, *parents))
    if is_sparse(family[0], family[1:], statistics):
        assert statistics.table is not None
        return len(statistics.table) * (len(parents) + _CELLS_A_ROW)
    n_cells = prod(v.card for v in family if not v.is_continuous)
    n_numbers = sum(v.is_continuous for v in family)
    return _COPIES * n_cells * (1 if n_numbers == 0 else n_numbers + 2)
