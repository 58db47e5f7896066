"""Counts, and probabilities from them."""
