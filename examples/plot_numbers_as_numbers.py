"""
Numbers as numbers
==================

Mixed data without bins: a TAN whose numeric nodes are normal densities, and HAODE, whose
superparents alone are discretised. The pictures go into the folder given as argument, or
into a temporary one.
"""

import sys
import tempfile
from pathlib import Path

import bnclass as bc

folder = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())

# %%
# Four numbers and one column of states, made for the example.

X, y = bc.load_dataset("iris")
X["size"] = ["large" if width > 3 else "small" for width in X["sepal width (cm)"]]
model = bc.TAN(continuous="gaussian").fit(X, y)
print(model.network_)

# %%
# A numeric node has an intercept, a coefficient for each numeric parent, and a standard
# deviation, in every configuration of its discrete parents.

node = "petal width (cm)"
print(f"\np({node} | {', '.join(model.network_.structure.parents(node))}):")
print(model.network_.describe(node).round(3).to_string())

# %%
# The network knows the density of a number in each class; its own parents are averaged over.
# In the network round boxes are numbers.

rows = X.assign(**{"class": y})
bc.plot_factor(model, node, rows).figure_.savefig(folder / "petal-width.png")
bc.plot_network(model).figure_.savefig(folder / "iris-tan.png")
print(f"\nPictures in {folder}")

# %%
# Missing numbers are integrated out, missing states summed out, both exactly.

holes = X.head(2).copy()
holes.loc[0, "petal length (cm)"] = None
holes.loc[1, "size"] = None
print(f"\nP(setosa | what is known): {model.predict_proba(holes)[:, 0].round(6).tolist()}")

# %%
# HAODE's members are explicit networks as well: one column each stands there in bins.

member = bc.HAODE().fit(X, y).ensemble_[2]
print(f"\nThe third member's nodes: {', '.join(map(str, member.structure.nodes))}")
