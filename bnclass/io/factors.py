"""How factors of every kind look in a file."""

from collections.abc import Hashable, Mapping, Sequence

from bnclass.data.variables import Variable
from bnclass.exceptions import FileFormatError
from bnclass.factors.base import Factor
from bnclass.factors.categorical import CategoricalCPD
from bnclass.factors.linear_gaussian import CLGCPD
from bnclass.factors.sparse import SparseCategoricalCPD
from bnclass.io.checks import part, require_keys, require_type, shown
from bnclass.io.codec import Codec
from bnclass.io.gaussians import GAUSSIAN_ARRAYS, arrays_of, gaussian_from_arrays, turned
from bnclass.io.sparse import SPARSE_ARRAYS, sparse_arrays, sparse_from_arrays, sparse_reordered
from bnclass.io.strictjson import Json
from bnclass.io.tables import cpd_from_rows, reordered, rows_of

CPD = CategoricalCPD | SparseCategoricalCPD | CLGCPD
"""What files hold; `GaussianCPD` is a `CLGCPD`."""

_ARRAYS: dict[type, tuple[str, ...]] = {
    CategoricalCPD: ("table",),
    SparseCategoricalCPD: SPARSE_ARRAYS,
    **GAUSSIAN_ARRAYS,
}
_KINDS = {kind.__name__: kind for kind in _ARRAYS}


def encode_factor(codec: Codec, factor: Factor) -> dict[str, Json]:
    """Return a factor as JSON fields; variables are called by their names.

    Parameters
    ----------
    codec : Codec
    factor : Factor

    Returns
    -------
    dict
        "type", "node", "parents" and the arrays of the type.

    Raises
    ------
    FileFormatError
        If the factor is of a type that files do not hold; the message names the node.

    Examples
    --------
    >>> from bnclass import CategoricalCPD, Variable
    >>> from bnclass.io.codec import Codec
    >>> from bnclass.io.factors import encode_factor
    >>> coin = CategoricalCPD(Variable("coin", states=("h", "t")), (), [0.25, 0.75])
    >>> encode_factor(Codec(()), coin)
    {'type': 'CategoricalCPD', 'node': 'coin', 'parents': [], 'table': [[0.25, 0.75]]}
    """
    if not isinstance(factor, CPD) or type(factor) not in _ARRAYS:
        raise FileFormatError(
            f"node {factor.variable.name!r} has a {type(factor).__name__}, expected one of "
            f"{list(_KINDS)!r}"
        )
    return {
        "type": type(factor).__name__,
        "node": codec.encode(factor.variable.name),
        "parents": [codec.encode(parent.name) for parent in factor.parents],
        **_arrays(factor),
    }


def _arrays(factor: CPD) -> dict[str, Json]:
    if isinstance(factor, CLGCPD):
        return arrays_of(factor)
    if isinstance(factor, SparseCategoricalCPD):
        return sparse_arrays(factor)
    return {"table": rows_of(factor)}


def decode_factor(codec: Codec, variables: Mapping[Hashable, Variable], data: Json) -> CPD:
    """Return the factor of such fields.

    Parameters
    ----------
    codec : Codec
    variables : mapping of name to Variable
    data : JSON

    Returns
    -------
    CategoricalCPD, SparseCategoricalCPD, CLGCPD or GaussianCPD

    Raises
    ------
    FileFormatError
        If they describe none; the message names the node.

    Examples
    --------
    >>> from bnclass import Variable
    >>> from bnclass.io.codec import Codec
    >>> from bnclass.io.factors import decode_factor
    >>> coin = Variable("coin", states=("h", "t"))
    >>> data = {"type": "CategoricalCPD", "node": "coin", "parents": [], "table": [[0, 1]]}
    >>> decode_factor(Codec(()), {"coin": coin}, data).table
    array([0., 1.])
    """
    tag = require_type(data, dict).get("type")
    if not isinstance(tag, str) or tag not in _KINDS:
        raise FileFormatError(f"found a {shown(tag)}, expected one of {list(_KINDS)!r}")
    kind = _KINDS[tag]
    require_keys(data, ("type", "node", "parents", *_ARRAYS[kind]))
    family = [codec.decode(data["node"]), *codec.decode_as(list, data["parents"])]
    with part(f"factor of {family[0]!r}"):
        node, *parents = _named(family, variables)
        if issubclass(kind, CLGCPD):
            return gaussian_from_arrays(kind, node, parents, data)
        if kind is SparseCategoricalCPD:
            return sparse_from_arrays(node, parents, data)
        return cpd_from_rows(node, parents, data["table"])


def _named(family: list[Hashable], variables: Mapping[Hashable, Variable]) -> list[Variable]:
    for name in family:
        if name not in variables:
            raise FileFormatError(f"no variable {name!r}, expected one of {list(variables)!r}")
    return [variables[name] for name in family]


def with_parents_in_order(factor: CPD, parents: Sequence[Hashable]) -> CPD:
    """Return a factor with its parents in another order.

    Parameters
    ----------
    factor : CategoricalCPD, SparseCategoricalCPD, CLGCPD or GaussianCPD
    parents : sequence of hashable
        The names of its parents.

    Returns
    -------
    CategoricalCPD, SparseCategoricalCPD, CLGCPD or GaussianCPD

    Examples
    --------
    >>> from bnclass import CategoricalCPD, Variable
    >>> from bnclass.io.factors import with_parents_in_order
    >>> a, b, c = (Variable(name, states=(0, 1)) for name in "abc")
    >>> cpd = CategoricalCPD(c, (a, b), [[[0, 1], [1, 0]], [[0.5, 0.5], [0, 1]]])
    >>> [parent.name for parent in with_parents_in_order(cpd, ("b", "a")).parents]
    ['b', 'a']
    """
    if isinstance(factor, CLGCPD):
        return turned(factor, parents)
    if isinstance(factor, SparseCategoricalCPD):
        return sparse_reordered(factor, parents)
    return reordered(factor, parents)
