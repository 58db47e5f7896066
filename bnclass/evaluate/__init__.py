"""Metrics, tests of significance, and what the papers found."""
