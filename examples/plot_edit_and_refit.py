"""
Edit a structure and fit it again
=================================

What a learner proposes can be changed by hand: take an arc away, add another, hand the
structure to `StructureClassifier`, and let cross-validation judge. The picture of the last
network goes into the folder given as argument, or into a temporary one.
"""

import sys
import tempfile
from pathlib import Path

import networkx as nx
from sklearn.model_selection import cross_val_score

import bnclass as bc

X, y = bc.load_dataset("tic-tac-toe")


def accuracy(model):
    """Mean accuracy over ten folds."""
    return cross_val_score(model, X, y, cv=10).mean()


# %%
# Ends of tic-tac-toe games: x wins by a row, a column or a diagonal. TAN gives every square
# one neighbour beside the class.

learned = bc.TAN().fit(X, y).network_.structure
print(f"{'naive Bayes':34} {accuracy(bc.NaiveBayes()):.3f}")
print(f"{'TAN':34} {accuracy(bc.TAN()):.3f}")

# %%
# A structure never changes: `without_edge` and `with_edge` return a new one, and a cycle is
# refused.

weakest = min(
    ((u, v) for u, v in learned.arcs if u != "class"),
    key=lambda arc: learned.graph.edges[arc]["score"],
)
edited = learned.without_edge(*weakest)
print(f"{'TAN without its weakest arc':34} {accuracy(bc.StructureClassifier(edited)):.3f}")
try:
    learned.with_edge(*reversed(weakest))
except bc.StructureError as error:
    print(f"Refused: {error}")

# %%
# A graph drawn with networkx does as well. The rules of the game say which squares belong
# together: every square of the diagonals depends on its predecessor and on the middle.

graph = nx.DiGraph(("class", square) for square in X.columns)
diagonals = (
    ("top-left-square", "middle-middle-square", "bottom-right-square"),
    ("top-right-square", "middle-middle-square", "bottom-left-square"),
)
for corner, middle, opposite in diagonals:
    graph.add_edges_from([(middle, corner), (middle, opposite), (corner, opposite)])
drawn = bc.StructureClassifier(graph)
print(f"{'the diagonals, drawn by hand':34} {accuracy(drawn):.3f}")

# %%
# Fitted, the drawn arcs show what they tell about each other.

drawn.fit(X, y)
folder = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())
bc.plot_network(drawn).figure_.savefig(folder / "diagonals.png")
print(f"Drawn to {folder / 'diagonals.png'}")
