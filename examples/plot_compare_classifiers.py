"""
Compare classifiers
===================

Five classifiers on four small data sets, in the same folds; what the tests say; and the
picture that papers draw of it. The pictures and the results go into the folder given as
argument, or into a temporary one.
"""

import sys
import tempfile
from pathlib import Path

from sklearn.ensemble import RandomForestClassifier

import bnclass as bc

folder = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())

# %%
# Any classifier of scikit-learn joins. Start the same run again, and it only reads.

models = {
    "NB": bc.NaiveBayes(),
    "TAN": bc.TAN(),
    "AODE": bc.AODE(),
    "1-NN": bc.NearestNeighborClassifier(),
    "RF": RandomForestClassifier(20),
}
datasets = ["iris", "wine", "monks-1", "monks-3"]
results = bc.compare(models, datasets, "2x3", folder=folder / "run")
print(results)

# %%
# A row a data set, a column a classifier: tables and tests take such a frame.

losses = results.losses()
print(bc.to_markdown(losses, digits=3, best="min"))
print(f"\nWins/draws/losses:\n{bc.win_draw_loss(losses).to_matrix()}")
print(f"\n{bc.friedman_test(losses).to_frame().round(4).to_string(index=False)}")

# %%
# Bias and variance add up to the loss, exactly.

parts = results.bias_variance("monks-1", "NB")
print(f"\nNB on monks-1: {parts.exact_bias} + {parts.exact_variance} is its loss")

# %%
# The papers' tables come along. Methods that a bar joins do not differ at 0.05.

published = bc.published_table("kst_zero_one_loss").losses
bc.plot_critical_difference(published).figure_.savefig(folder / "published.png")
bc.plot_losses(losses, "TAN", "NB").figure_.savefig(folder / "tan-nb.png")
print(f"\nPictures in {folder}")
