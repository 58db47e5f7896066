"""
Export a network and read it elsewhere
======================================

One TAN, learned from iris, leaves as JSON, BIF, GraphML and as a pgmpy object; each reader
gives back the same model. The files go into the folder given as argument, or into a
temporary one.
"""

import sys
import tempfile
import warnings
from pathlib import Path

import networkx as nx
import numpy as np

import bnclass as bc

with warnings.catch_warnings():
    warnings.simplefilter("ignore", FutureWarning)  # pgmpy announces its own renamings
    from pgmpy.inference import VariableElimination

folder = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())
X, y = bc.load_dataset("iris")
model = bc.TAN().fit(X, y)
network = model.network_

# %%
# JSON holds everything, the numbers to the last bit.

bc.save(model, folder / "iris.json")
loaded = bc.load(folder / "iris.json")
same = (loaded.predict_proba(X) == model.predict_proba(X)).all()
print(f"iris.json     the same posteriors, bit for bit: {same}")

# %%
# BIF is what most tools read. Bins are called "(2.45, 4.75]", which few of them would
# accept, so the file holds safe tokens and carries the originals in comments.

bc.write_bif(model, folder / "iris.bif")
print(f"iris.bif      the same network: {bc.read_bif(folder / 'iris.bif') == network}")

# %%
# GraphML holds the graph, with its measures, for networkx, igraph and drawing programs.

bc.write_graphml(model, folder / "iris.graphml")
graph = nx.read_graphml(folder / "iris.graphml")
print(f"iris.graphml  {graph.number_of_nodes()} nodes and {graph.number_of_edges()} arcs")

# %%
# pgmpy takes the network itself, and its variable elimination gives the same posterior. A
# row sampled from the network serves as evidence, its cells being states.

foreign = bc.to_pgmpy(model)
row = network.sample(1, random_state=0).drop(columns="class")
evidence = row.iloc[0].to_dict()
answer = VariableElimination(foreign).query(["class"], evidence, show_progress=False)
theirs = [answer.get_value(**{"class": label}) for label in model.classes_]
ours = network.posterior(row)[0]
print(f"pgmpy         P(class | {evidence})")
for label, p, q in zip(model.classes_, theirs, ours, strict=True):
    print(f"              {label:10}  pgmpy {p:.12f}  bnclass {q:.12f}")
print(f"              the same to 1e-9: {np.allclose(theirs, ours, rtol=0, atol=1e-9)}")
