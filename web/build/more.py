"""Scenarios of scenarios/ that the page offers beside the lessons: `presets/more.toml` lists them.

The page needs far fewer rows of time series than `record.samples = "auto"` gives, so each is shown
with a period of its own, written into its text.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any, NamedTuple

from ackclock.core_types.sharing import plan_text
from ackclock.scenario import Scenario, load

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Shown", "more", "with_samples"]


class Shown(NamedTuple):
    """A scenario that the page offers."""

    name: str
    title: str
    toml: str
    files: dict[str, str]
    plan: str


def more(listing: Path, scenarios: Path) -> list[Shown]:
    """The scenarios of the list, in its order.

    Raises
    ------
    SystemExit
        If the text that the page shows would not run as the scenario with ``--set
        record.samples=``.
    """
    return [_shown(one, scenarios) for one in tomllib.loads(listing.read_text())["scenario"]]


def _shown(one: dict[str, Any], scenarios: Path) -> Shown:
    file = scenarios / f"{one['name']}.toml"
    toml = with_samples(file.read_text(encoding="utf-8"), one["samples"])
    plan = plan_text(load(file, settings=[f"record.samples={one['samples']}"]).plan())
    data = {"name": file.stem, **tomllib.loads(toml)}
    if plan_text(Scenario.parse(data, str(file)).plan()) != plan:
        raise SystemExit(f"{file}: with a line for record.samples it has another plan")
    files = {path: (scenarios / path).read_text(encoding="utf-8") for path in one.get("files", [])}
    return Shown(one["name"], one["title"], toml, files, plan)


def with_samples(toml: str, period: str) -> str:
    """A scenario's text with a period of its time series; comments stay as they are."""
    entry = f'samples = "{period}"'
    if "record" not in tomllib.loads(toml):
        lines = toml.splitlines(keepends=True)
        first = next(
            index for index, line in enumerate(lines) if line.strip() and line[0] not in "#\n"
        )
        return "".join([*lines[:first], f"record = {{ {entry} }}\n", *lines[first:]])
    changed, count = re.subn(r"^samples = .*$", entry, toml, count=1, flags=re.MULTILINE)
    if count == 0:
        raise SystemExit(f"its table record has no line with samples: {toml[:80]}")
    return changed
