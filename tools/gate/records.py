"""The last green run of each step that does not run in every gate: `bench/nightly.json`."""

from __future__ import annotations

import datetime
import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from inputs import Inputs
    from steps import Step


@dataclass(frozen=True)
class Green:
    """A green run of a step."""

    commit: str
    date: str
    inputs: str
    """Digest of the step's files then (`inputs.py`)."""
    seconds: int


class Records:
    """The file; a step that it does not name was never green."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._kept: dict[str, Any] = (
            json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
        )
        self._kept.setdefault("all", None)
        self._kept.setdefault("steps", {})
        self._commit = ""

    def names(self) -> list[str]:
        """Names of the steps that were green."""
        return list(self._kept["steps"])

    def last(self, step: Step) -> Green | None:
        """The last green run of a step; None if there is none."""
        kept = self._kept["steps"].get(step.name)
        return None if kept is None else Green(**kept)

    def keep(self, step: Step, inputs: Inputs, seconds: float) -> None:
        """Note a green run.

        Raises
        ------
        SystemExit
            If files differ from the commit: nobody could repeat the run.
        """
        if not inputs.is_clean():
            raise SystemExit(".ci/run --record: commit first; a record names a commit")
        self._commit = inputs.commit()
        green = Green(self._commit, _today(), inputs.digest(step.when), round(seconds))
        self._kept["steps"][step.name] = asdict(green)

    def write(self, *, everything: bool) -> None:
        """Write the file; `everything`: each step was green on this commit."""
        if everything:
            self._kept["all"] = {"commit": self._commit, "date": _today()}
        self._kept["steps"] = dict(sorted(self._kept["steps"].items()))
        self._file.write_text(json.dumps(self._kept, indent=2) + "\n", encoding="utf-8")


def _today() -> str:
    return datetime.datetime.now(datetime.UTC).date().isoformat()
