"""Prints the answers of the command line's Python, for plans.test.ts to compare: JSON."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import ackclock as ac
from ackclock.core_types.sharing import plan_text

SCENARIOS = Path(__file__).parents[3] / "scenarios"
LESSONS = Path(__file__).parents[3] / "papers/src/ackclock_papers/lessons"
# Beside the lessons: runs with transfers, and with streams.
MORE_SUMMARIES = ("short-flows", "web-persistent", "voice-beside-cubic", "request-response")


def neighbours(file: Path) -> dict[str, str]:
    """The files that a scenario may name, by their paths from its folder."""
    return {
        path.relative_to(file.parent).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(file.parent.rglob("*"))
        if path.is_file() and path.suffix not in (".toml", ".py", ".json", ".pyc")
    }


def plans() -> list[dict[str, Any]]:
    """Every scenario without a class of the user's own, with its plan."""
    found = []
    for file in sorted(SCENARIOS.rglob("*.toml")):
        toml = file.read_text(encoding="utf-8")
        if "python:" in toml or '\nscenario = "' in toml:
            continue
        names = {name: text for name, text in neighbours(file).items() if name in toml}
        plan = plan_text(ac.load(file).plan())
        found.append({"file": file.name, "toml": toml, "files": names, "plan": plan})
    return found


def messages(broken: dict[str, str]) -> dict[str, str]:
    """The message of each wrong scenario."""
    found = {}
    for name, toml in broken.items():
        Path("broken.toml").write_text(toml, encoding="utf-8")
        try:
            ac.load("broken.toml").plan()
        except ac.ScenarioError as error:
            found[name] = str(error)
        else:
            raise SystemExit(f"the scenario '{name}' is not wrong")
    return found


def summaries() -> list[dict[str, str]]:
    """Every lesson, and some scenarios, with the summary.json of its run."""
    files = [
        *sorted(LESSONS.glob("*.toml")),
        *(SCENARIOS / f"{name}.toml" for name in MORE_SUMMARIES),
    ]
    found = []
    for file in files:
        folder = ac.run(file).write(Path(file.stem), report=False)
        summary = (folder / "summary.json").read_text(encoding="utf-8")
        found.append(
            {"file": file.name, "toml": file.read_text(encoding="utf-8"), "summary": summary}
        )
    return found


def messages_of_broken() -> dict[str, str]:
    """The messages of the scenarios in broken.json."""
    text = Path(__file__).with_name("broken.json").read_text(encoding="utf-8")
    return messages(json.loads(text))


ANSWERS = {"plans": plans, "messages": messages_of_broken, "summaries": summaries}


def main() -> None:
    """Print the answers that the command line names."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        json.dump({name: ANSWERS[name]() for name in sys.argv[1:]}, sys.stdout)


if __name__ == "__main__":
    main()
