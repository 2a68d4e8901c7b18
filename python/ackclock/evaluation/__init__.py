"""The dossier of RFC 9743: a congestion control's rows, run, judged and written."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ackclock.evaluation.dossier import Dossier
    from ackclock.evaluation.evaluating import evaluate
    from ackclock.evaluation.rows import ROWS

__all__ = ["ROWS", "Dossier", "evaluate"]

_HOMES = {"Dossier": "dossier", "ROWS": "rows", "evaluate": "evaluating"}


def __getattr__(name: str) -> Any:
    """Import a name when it is first used."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'ackclock.evaluation' has no attribute {name!r}")
    return getattr(importlib.import_module(f"ackclock.evaluation.{home}"), name)
