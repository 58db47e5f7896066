"""Conditional distributions."""
