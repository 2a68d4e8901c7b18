"""The dossier of RFC 9743: a congestion control's rows, run, judged and written."""

from ackclock.runtime.attaching import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
