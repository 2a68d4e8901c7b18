"""Sweeps: a scenario over axes and seeds, with statistics, on one machine or many."""

import lazy_loader

# A worker needs neither frames nor plots.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
