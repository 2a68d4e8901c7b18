"""Runs the experiments of papers as sweeps and judges their claims.

The papers are a distribution of their own, which is installed with ackclock. An installed package
registers its studies as entry points (`ackclock.runtime.installed`).
"""

import lazy_loader

# A study's criteria import scipy.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
