"""Constraints as the compiled loops of local members read them."""

from dataclasses import replace

import numpy as np

from bnclass.data.variables import Schema
from bnclass.network.local_arrays import Rules
from bnclass.structure.arc_rules import arc_rules
from bnclass.structure.constraints import Constraints


def local_rules(constraints: Constraints | None, schema: Schema, k: int) -> tuple[int, Rules]:
    """Return how many attribute parents there may be, and which.

    Parameters
    ----------
    constraints : Constraints or None
    schema : Schema
    k : int
        The learner's own limit.

    Returns
    -------
    k : int
        The smaller of the limits.
    rules : Rules

    Raises
    ------
    StructureError
        If the constraints do not fit the columns, or require more than `k` parents.

    Examples
    --------
    >>> from bnclass import Constraints, Schema, Variable
    >>> from bnclass.network.local_rules import local_rules
    >>> a, b, y = (Variable(name, states=(0, 1)) for name in "aby")
    >>> k, rules = local_rules(Constraints(required=[("a", "b")]), Schema((a, b), y), 2)
    >>> k, rules.required
    (2, array([[False,  True],
           [False, False]]))
    """
    of_table = arc_rules(constraints, schema, k)
    limit = k if of_table.max_parents is None else of_table.max_parents
    if constraints is None or constraints == Constraints(max_parents=constraints.max_parents):
        none = np.zeros((0, 0), np.bool_)
        return int(limit), Rules(none, none, none)
    n = len(schema.attributes)
    required, before = np.zeros((n, n), np.bool_), np.zeros((n, n), np.bool_)
    for child, parents in of_table.required.items():
        required[list(parents), child] = True
    for earlier, later in of_table.before:
        before[earlier, later] = True
    # A child that required arcs fill has room again in rows without one of these parents.
    arcs = replace(constraints, required=(), max_parents=None)
    return int(limit), Rules(arc_rules(arcs, schema).allowed, required, before)
