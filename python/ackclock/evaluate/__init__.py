"""The dossier of RFC 9743: a congestion control's rows, run, judged and written."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ackclock.evaluate.dossier import Dossier
    from ackclock.evaluate.evaluating import evaluate
    from ackclock.evaluate.rows import ROWS

__all__ = ["ROWS", "Dossier", "evaluate"]

_HOMES = {"Dossier": "dossier", "ROWS": "rows", "evaluate": "evaluating"}


def __getattr__(name: str) -> Any:
    """Import a name when it is first used."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'ackclock.evaluate' has no attribute {name!r}")
    return getattr(importlib.import_module(f"ackclock.evaluate.{home}"), name)
