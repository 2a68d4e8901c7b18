"""Formulas of metrics: one function each, over plain numbers and columns.

Results are made with them, and `ackclock.metrics` gives figures of a run their names.
"""
