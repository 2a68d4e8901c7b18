"""Resolve the presets of the page with the resolver of the command line."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

from lessons import lesson
from more import more

from ackclock.core_types.sharing import plan_text
from ackclock.scenario import load

WEB = Path(__file__).parent.parent
LESSONS = WEB.parent / "papers/src/ackclock_papers/lessons"


def main() -> None:
    """Write public/presets/: a file for each preset, and their index."""
    folder = WEB / "public" / "presets"
    folder.mkdir(parents=True, exist_ok=True)
    index = []
    for preset in presets():
        text = json.dumps(preset, separators=(",", ":"), ensure_ascii=False)
        (folder / f"{preset['name']}.json").write_text(text, encoding="utf-8")
        index.append(
            {"name": preset["name"], "title": preset["title"], "isLesson": "lesson" in preset}
        )
    (folder / "index.json").write_text(json.dumps(index))


def presets() -> list[dict[str, Any]]:
    """All presets as the page reads them: the lessons in order, then other scenarios."""
    made = [_of_lesson(file) for file in LESSONS.glob("*.md")]
    made.sort(key=lambda preset: preset["lesson"]["number"])
    for shown in more(WEB / "presets/more.toml", WEB.parent / "scenarios"):
        scenario = {"name": shown.name, **tomllib.loads(shown.toml)}
        made.append({**shown._asdict(), "scenario": scenario})
    return made


def _of_lesson(text: Path) -> dict[str, Any]:
    file = text.with_suffix(".toml")
    toml = file.read_text(encoding="utf-8")
    about = lesson(text, file, {})
    return {
        "name": file.stem,
        "title": f"{about['number']}. {about['title']}",
        "toml": toml,
        "scenario": tomllib.loads(toml),
        "files": {},
        "plan": plan_text(load(file).plan()),
        "lesson": about,
    }


if __name__ == "__main__":
    sys.exit(main())
