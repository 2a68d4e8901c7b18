"""The lessons: texts beside scenarios, and the edits that they propose, resolved.

`NAME.md` is the lesson about `NAME.toml` in `ackclock_papers.lessons`, whose study judges it: TOML
between two lines `+++`, then the text. docs/playground.md describes the keys.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

from ackclock.core_types.sharing import plan_text
from ackclock.scenario import Scenario, ScenarioError
from ackclock.scenario.overrides import copied
from ackclock.scenario.spelling import spelled
from ackclock_papers.lessons.text import FENCE

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["FENCE", "edited", "lesson"]

_START = {"flow", "time", "speed", "charts"}


def lesson(text: Path, scenario: Path, files: Mapping[str, str]) -> dict[str, Any]:
    """The lesson in the file `text` about the file `scenario`, as the page reads it.

    Raises
    ------
    SystemExit
        If the lesson, or a thing to try, is wrong; the text names the file.
    """
    before, _, rest = text.read_text(encoding="utf-8").partition(FENCE)
    front, fence, body = rest.partition(FENCE)
    if before or not fence:
        raise SystemExit(f"{text}: a lesson begins with TOML between two lines {FENCE.strip()}")
    try:
        about = tomllib.loads(front)
    except tomllib.TOMLDecodeError as error:
        raise SystemExit(f"{text}: {error}") from None
    tries, start = about["try"], about["start"]
    if len(tries) != 3 or set(start) != _START:
        raise SystemExit(
            f"{text}: a lesson has three things to try, and its start has {', '.join(_START)}"
        )
    data = tomllib.loads(scenario.read_text(encoding="utf-8"))
    return {
        "number": about["number"],
        "title": about["title"],
        "paragraphs": [_set(part) for part in body.split("\n\n") if part.strip()],
        "tries": [_resolved(thing, data, scenario, files, text) for thing in tries],
        "start": start,
    }


def _resolved(
    thing: Mapping[str, Any],
    data: Mapping[str, Any],
    scenario: Path,
    files: Mapping[str, str],
    text: Path,
) -> dict[str, Any]:
    try:
        changed = edited(data, thing["set"])
        plan = Scenario.parse(changed, str(scenario)).plan()
    except ScenarioError as error:
        raise SystemExit(f"{text}: {thing['text']}: {error}") from None
    return {
        "text": _set(thing["text"]),
        "set": thing["set"],
        "scenario": changed,
        "files": files,
        "plan": plan_text(plan),
    }


def _set(text: str) -> str:
    """The text on one line, with a number and its unit held together."""
    return re.sub(
        r"(?<=\d) (?=(%|s|ms|kB|packets|BDP|Mbit/s)(?!\w))", "\xa0", " ".join(text.split())
    )


def edited(data: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """A scenario's tables with values in place of others, by dotted keys as of ``--set``."""
    return spelled(copied(dict(data)), changes.items(), {})
