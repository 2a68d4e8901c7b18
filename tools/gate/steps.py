"""The table of steps, `.ci/steps.toml`."""

from __future__ import annotations

import shutil
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

_KEYS = {"name", "what", "run", "budget", "when", "night", "ends", "needs"}


@dataclass(frozen=True)
class Step:
    """A command of the gate or of the long run."""

    name: str
    what: str
    """Short description for the reader of the table: what the step protects."""
    run: str
    """Command for bash, in the root of the repository."""
    budget: float
    """Seconds on the machine whose speed the table names."""
    when: tuple[str, ...] = ()
    """Files that decide whether the step is due, as git's pathspecs; none: the step always runs."""
    night: bool = False
    """Whether the step runs in the long run alone."""
    ends: bool = False
    """Whether nothing can be run after a failure of the step."""
    needs: dict[str, str] = field(default_factory=dict)
    """Programs and the Debian packages that have them."""

    @property
    def always(self) -> bool:
        """Whether the step runs in every gate."""
        return not self.when and not self.night


def read_steps(table: Path) -> tuple[list[Step], float]:
    """Return the steps in order, and the seconds of the machine of their budgets (`speed.py`)."""
    content = tomllib.loads(table.read_text(encoding="utf-8"))
    return [_step(entry) for entry in content["step"]], float(content["speed"]["seconds"])


def _step(keys: dict[str, Any]) -> Step:
    if unknown := sorted(keys.keys() - _KEYS):
        raise SystemExit(f".ci/steps.toml: step '{keys.get('name')}' has an unknown key {unknown}")
    return Step(
        name=keys["name"],
        what=keys["what"],
        run=keys["run"],
        budget=float(keys["budget"]),
        when=tuple(keys.get("when", ())),
        night=bool(keys.get("night", False)),
        ends=bool(keys.get("ends", False)),
        needs=dict(keys.get("needs", {})),
    )


def missing_packages(steps: list[Step]) -> list[str]:
    """Debian packages whose programs the steps need and this machine lacks, each once."""
    return list(
        dict.fromkeys(
            package
            for step in steps
            for program, packages in step.needs.items()
            if shutil.which(program) is None
            for package in packages.split()
        )
    )
