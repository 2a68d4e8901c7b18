"""The answers to the page's questions, made by the functions that the command line calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.asking.folder import folder_of
from ackclock.border.sharing import plan_text
from ackclock.permission import looking
from ackclock.scenario import Scenario, load

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

__all__ = ["QUESTIONS"]


def _scenario(scenario: Mapping[str, Any], folder: Path) -> Scenario:
    name = scenario.get("name")
    file = f"{name}.toml" if isinstance(name, str) else "scenario.toml"
    # An address or a page of somebody else asks: their code is never imported.
    with looking():
        return Scenario.parse(scenario, file, folder)


def resolve(scenario: Mapping[str, Any], files: Mapping[str, str]) -> str:
    """Return the scenario's plan as text."""
    with folder_of(files) as folder:
        return plan_text(_scenario(scenario, folder).plan())


def parse(toml: str, files: Mapping[str, str], file: str) -> dict[str, Any]:
    """Return the scenario of a TOML file, checked, key by key."""
    with folder_of({**files, file: toml}), looking():
        return load(file).data()


def summary(scenario: Mapping[str, Any], files: Mapping[str, str]) -> str:
    """Run the scenario; return the content of its summary.json."""
    from ackclock.results.files import json_text
    from ackclock.results.summary import short
    from ackclock.running import run_planned

    with folder_of(files) as folder:
        read = _scenario(scenario, folder)
        return json_text(short(run_planned(read, read.plan()).summary()))


def to_toml(scenario: Mapping[str, Any], files: Mapping[str, str]) -> str:
    """Return the scenario as a TOML file."""
    with folder_of(files) as folder:
        return _scenario(scenario, folder).to_toml(defaults=False)


def to_python(scenario: Mapping[str, Any], files: Mapping[str, str]) -> str:
    """Return Python code that runs the scenario."""
    with folder_of(files) as folder:
        return _scenario(scenario, folder).to_python()


QUESTIONS: dict[str, Callable[..., Any]] = {
    "resolve": resolve,
    "parse": parse,
    "summary": summary,
    "toToml": to_toml,
    "toPython": to_python,
}
