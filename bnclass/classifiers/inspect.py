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
    if isinstance(model, (NetworkEnsemble, RowwiseEnsemble)) or hasattr(model, "ensemble_"):
        raise BnclassError(
            f"{type(model).__name__} holds several networks, expected one; "
            f"choose a member, such as ensemble_[0]"
        )
    fitted = "an unfitted " if isinstance(model, BayesianNetworkClassifier) else "a "
    raise BnclassError(
        f"found {fitted}{type(model).__name__}, expected a BayesianNetwork or a fitted classifier"
    )
