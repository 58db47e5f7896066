"""
Learn a network and look inside
===============================

A TAN learned from the wine data: its arcs, one of its tables, the Markov blanket of an
attribute, and a picture. The picture goes into the folder given as argument, or into a
temporary one.
"""

import sys
import tempfile
from pathlib import Path

import bnclass as bc

# %%
# Learning is scikit-learn's `fit`. Numbers are cut into bins inside.

X, y = bc.load_dataset("wine")
model = bc.TAN().fit(X, y)
network = model.network_
print(network)
print(f"log-likelihood {network.log_likelihood(X.assign(**{'class': y})):.1f} nats")

# %%
# The graph is a `networkx.DiGraph`; `arcs` lists it with the measure each arc was chosen
# by: I(Xi; Xj | Y) between attributes, in nats.

arcs = network.arcs()
between = arcs[arcs["from"] != "class"].sort_values("score", ascending=False)
print("\nThe strongest dependences between attributes:")
print(between.head(5).to_string(index=False))

# %%
# Every node has a table, one row a state of its parents.

node = between["to"].iloc[0]
print(f"\nP({node} | {', '.join(network.structure.parents(node))}):")
print(network.describe(node).round(3).to_string())

# %%
# Given its Markov blanket a node is independent of all others.

print(f"\nMarkov blanket of {node}: {sorted(network.markov_blanket(node))}")

# %%
# The class on top, attributes in layers, arcs as wide as their measure is large.

folder = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())
display = bc.plot_network(model)
display.figure_.savefig(folder / "wine.png")
print(f"\nDrawn to {folder / 'wine.png'}")
