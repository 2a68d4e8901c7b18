"""Tables of results as CSV, Markdown, LaTeX, JSON and pandas' frames."""

from ackclock.results.tables.table import Column, Table

__all__ = ["Column", "Table"]
