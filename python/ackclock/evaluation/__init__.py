"""The dossier of RFC 9743: a congestion control's rows, run, judged and written."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
