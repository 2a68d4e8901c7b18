"""The key of a run: the same if, and only if, the same bytes must come out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

__all__ = ["SettingPlan", "own_code"]


@dataclass(frozen=True)
class SettingPlan:
    """A setting's plan, whose runs differ by their seed only."""

    body: str
    """Canonical JSON of the plan without its seed."""
    digest: str

    @classmethod
    def of(cls, plan: Mapping[str, Any]) -> SettingPlan:
        """The plan of any of the setting's runs, `record` reduced to what the responses need."""
        raise NotImplementedError

    def text(self, seed: int) -> str:
        """The plan with a seed, as `Task.plan`."""
        raise NotImplementedError

    def key(self, seed: int, code: str) -> str:
        """The key of the run with that seed, as `Task.key`; `code` is that of `own_code`."""
        raise NotImplementedError


def own_code(names: Iterable[str], folder: Path | None) -> str:
    """Hash of the user's modules behind names of congestion controls and metrics; "": none of them is the user's.

    Parameters
    ----------
    names
        Such as `"hystart+python:gentle:Gentle(cut=0.1)"`, `"cubic"`, `"python:mine:starved@f.1"`.
    folder
        Where modules are looked for first.
    """
    raise NotImplementedError
