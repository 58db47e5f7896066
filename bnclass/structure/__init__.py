"""Graphs and the learners that find them."""
