"""Runs the experiments of papers as sweeps and judges their claims.

The papers are a distribution of their own, which is installed with ackclock. An installed package
registers its studies as entry points (`ackclock.runtime.installed`).
"""

from ackclock.runtime.attaching import attach

# A study's criteria import scipy.
__getattr__, __dir__, __all__ = attach(__name__, __file__)
