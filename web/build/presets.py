"""Resolve the presets of the page with the resolver of the command line."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

from ackclock.border.sharing import plan_text
from ackclock.scenario import load

WEB = Path(__file__).parent.parent


def main() -> None:
    folder = WEB / "public" / "presets"
    folder.mkdir(parents=True, exist_ok=True)
    index = []
    for file in sorted((WEB / "presets").glob("*.toml")):
        toml = file.read_text()
        scenario = load(file)
        title = scenario.description or scenario.name
        preset = {
            "name": file.stem,
            "title": title,
            "toml": toml,
            "scenario": tomllib.loads(toml),
            "files": {},
            "plan": plan_text(scenario.plan()),
        }
        (folder / f"{file.stem}.json").write_text(json.dumps(preset))
        index.append({"name": file.stem, "title": title, "isLesson": False})
    (folder / "index.json").write_text(json.dumps(index))


if __name__ == "__main__":
    sys.exit(main())
