"""From whatever the user holds to the network inside it."""

from typing import Any

from bnclass.classifiers.base import BayesianNetworkClassifier
from bnclass.exceptions import BnclassError
from bnclass.network.bayesian_network import BayesianNetwork
from bnclass.network.ensemble import NetworkEnsemble
from bnclass.network.rowwise import RowwiseEnsemble


def network_of(model: Any) -> BayesianNetwork:
    """Return a network as it is, and a fitted classifier's one network.

    Parameters
    ----------
    model : BayesianNetwork or fitted classifier

    Returns
    -------
    BayesianNetwork

    Raises
    ------
    BnclassError
        For an ensemble, an unfitted classifier, and anything else.

    Examples
    --------
    >>> from bnclass import TAN, load_dataset
    >>> from bnclass.classifiers.inspect import network_of
    >>> model = TAN().fit(*load_dataset("monks-1"))
    >>> network_of(model) is model.network_
    True
    """
    if isinstance(model, BayesianNetwork):
        return model
    network = getattr(model, "network_", None)
    if isinstance(network, BayesianNetwork):
        return network
    ensemble = getattr(model, "ensemble_", model)
    if isinstance(ensemble, (NetworkEnsemble, RowwiseEnsemble)):
        raise BnclassError(_not_one(type(model).__name__, ensemble, ensemble is model))
    fitted = "an unfitted " if isinstance(model, BayesianNetworkClassifier) else "a "
    raise BnclassError(
        f"found {fitted}{type(model).__name__}, expected a BayesianNetwork or a fitted classifier"
    )


def _not_one(name: str, ensemble: NetworkEnsemble | RowwiseEnsemble, itself: bool) -> str:
    """Say that an ensemble is no network, and how one is had of it."""
    first = f"{'the ensemble' if itself else 'ensemble_'}[0]"
    if isinstance(ensemble, RowwiseEnsemble):
        of_all = f"{first}, that of all rows, or " if len(ensemble) else ""
        return (
            f"{name} makes a network for every row, expected one network; choose {of_all}"
            f"network_at(row)"
        )
    held = "several networks" if len(ensemble) != 1 else "an average of one network"
    return f"{name} holds {held}, expected one; choose a member, such as {first}"
