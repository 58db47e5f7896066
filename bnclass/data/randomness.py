"""From what the user gives as `random_state` to a generator."""

from typing import Any

import numpy as np

from bnclass.exceptions import DataError


def random_generator(random_state: Any) -> np.random.Generator:
    """Return the generator of a seed.

    Parameters
    ----------
    random_state : int, numpy.random.Generator or None
        What `numpy.random.default_rng` takes.

    Returns
    -------
    numpy.random.Generator

    Raises
    ------
    DataError
        If it cannot be a seed.

    Examples
    --------
    >>> from bnclass.data.randomness import random_generator
    >>> random_generator(0).integers(0, 10, 3).tolist()
    [8, 6, 5]
    """
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError):
        raise DataError(
            f"random_state is {random_state!r}, expected a seed of at least 0, a numpy Generator "
            "or None"
        ) from None
