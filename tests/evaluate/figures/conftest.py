"""No window is opened, no figure is left."""

import matplotlib.pyplot as plt
import pytest


@pytest.fixture(autouse=True)
def _headless():
    plt.switch_backend("Agg")
    yield
    plt.close("all")
