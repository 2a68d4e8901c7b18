"""The answers to the page's questions, made by the functions that the command line calls."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ackclock.core_types.sharing import plan_text
from ackclock.pages.rpc.folder import check_foreign, file_name, folder_of_question, put_files
from ackclock.runtime.permission import looking
from ackclock.scenario import Scenario, load
from ackclock.scenario.loading import read_toml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

__all__ = ["QUESTIONS"]


def _name(scenario: Mapping[str, Any]) -> str:
    """Name of the scenario's file in messages."""
    name = scenario.get("name")
    return f"{name}.toml" if isinstance(name, str) else "scenario.toml"


@contextmanager
def _read(scenario: Mapping[str, Any], files: Mapping[str, str]) -> Iterator[Scenario]:
    """The scenario, in a folder with its files."""
    file = _name(scenario)
    check_foreign(scenario, file)
    # An address or a page of somebody else asks: their code is never imported.
    with folder_of_question() as folder, looking():
        put_files(folder, scenario, files)
        yield Scenario.parse(scenario, file, folder)


def resolve(scenario: Mapping[str, Any], files: Mapping[str, str]) -> str:
    """Return the scenario's plan as text."""
    with _read(scenario, files) as read:
        return plan_text(read.plan())


def parse(toml: str, files: Mapping[str, str], file: str) -> dict[str, Any]:
    """Return the scenario of a TOML file, checked, key by key."""
    name = file_name(file)
    with folder_of_question() as folder, looking():
        place = folder / name
        place.write_text(toml, encoding="utf-8", newline="")
        data = read_toml(place, name)
        check_foreign(data, name)
        put_files(folder, data, files)
        return load(name).data()


def summary(scenario: Mapping[str, Any], files: Mapping[str, str]) -> str:
    """Run the scenario; return the content of its summary.json."""
    from ackclock.engine.run import run_planned
    from ackclock.results.files import json_text
    from ackclock.results.summary import short

    with _read(scenario, files) as read:
        return json_text(short(run_planned(read, read.plan()).summary()))


def to_toml(scenario: Mapping[str, Any], files: Mapping[str, str]) -> str:
    """Return the scenario as a TOML file."""
    with _read(scenario, files) as read:
        return read.to_toml(defaults=False)


def to_python(scenario: Mapping[str, Any], files: Mapping[str, str]) -> str:
    """Return Python code that runs the scenario."""
    with _read(scenario, files) as read:
        return read.to_python()


QUESTIONS: dict[str, Callable[..., Any]] = {
    "resolve": resolve,
    "parse": parse,
    "summary": summary,
    "toToml": to_toml,
    "toPython": to_python,
}
