"""Sweeps: a scenario over axes and seeds, with statistics, on one machine or many."""

from ackclock.runtime.attaching import attach

# A worker needs neither frames nor plots.
__getattr__, __dir__, __all__ = attach(__name__, __file__)
