"""The modules of `tools/gate`, which `.ci/run` starts."""

from __future__ import annotations

import sys

from scripts import ROOT

_FOLDER = str(ROOT / "tools/gate")
sys.path.insert(0, _FOLDER)
try:
    import inputs
    import records
    import speed
    import steps

    import gate
finally:
    sys.path.remove(_FOLDER)

__all__ = ["ROOT", "gate", "inputs", "records", "speed", "steps"]
