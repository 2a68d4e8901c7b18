"""The page with a scenario in it: code, engine, plan and Python in one file, nothing fetched."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ackclock.atomic_io import write_text
from ackclock.core_types.sharing import plan_text
from ackclock.pages.live.error import LiveError
from ackclock.pages.live.interpreter import interpreter
from ackclock.pages.live.policy import with_own_server
from ackclock.pages.playground import sharable
from ackclock.pages.run.page import json_in_page
from ackclock.runtime.permission import looking
from ackclock.scenario import load

if TYPE_CHECKING:
    from ackclock.scenario import Scenario

__all__ = ["TEMPLATE", "Resolver", "live_page", "write_live"]

TEMPLATE = Path(__file__).with_name("live.html")
"""The page without a scenario; `make web` builds it, and wheels carry it."""

Resolver = Literal["python", "served", "none"]
"""Says what a scenario means: Python in the page, the page's server, or nothing."""

_PLACE = '<script type="application/json" data-path="live.json">null</script>'
_END = "</body>"


def write_live(scenario: Scenario | str | Path, path: str | Path, *, python: bool = True) -> Path:
    """Write a page of one file that runs the scenario in the browser.

    Parameters
    ----------
    scenario
        A scenario, or the path of its file.
    path
        The HTML file; it is returned as a Path.
    python
        Whether the page has Python (10 MB), which its form, editor, knobs, dropped scenarios and
        the copy as Python need.

    Raises
    ------
    ScenarioError
        If the scenario is wrong.
    NotInAPageError
        If the scenario cannot run in a page.
    LiveError
        If the page, or Python for it, was not built.
    WriteError
        If the file cannot be written; an earlier file is untouched.
    """
    target = Path(path)
    with looking():
        read = scenario if not isinstance(scenario, str | Path) else load(scenario)
    write_text(target, live_page(read, "python" if python else "none"))
    return target


def live_page(scenario: Scenario, resolver: Resolver = "python") -> str:
    """The page as HTML text; `resolver` says what a changed scenario means.

    Raises
    ------
    NotInAPageError, LiveError
        As for `write_live`.
    """
    before, place, after = _template().partition(_PLACE)
    content, body, end = after.rpartition(_END)
    if not (place and body):
        raise LiveError(f"{TEMPLATE} is of another version of ackclock: make web builds it anew")
    if resolver == "served":
        before = with_own_server(before)
    preset = _preset(scenario)
    entry = {"name": preset["name"], "title": preset["title"], "isLesson": False}
    files = {
        "live.json": {"resolver": resolver},
        "presets/index.json": [entry],
        f"presets/{preset['name']}.json": preset,
    }
    elements = (_element(path, value) for path, value in files.items())
    # Python comes last: the page runs before the browser has read it.
    python = interpreter() if resolver == "python" else ""
    return "".join([before, *elements, content, python, body, end])


def _element(path: str, value: Any) -> str:
    """A file of the page's server as an element of the page itself."""
    text = json_in_page(value)
    return f'<script type="application/json" data-path="{escape(path)}">{text}</script>\n'


def _template() -> str:
    try:
        return TEMPLATE.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise LiveError(
            "the page was not built here: in a clone, make web builds it (it takes node 20 and the "
            "target wasm32-unknown-unknown); wheels of ackclock have it"
        ) from None


def _preset(scenario: Scenario) -> dict[str, Any]:
    shared = sharable(scenario.data(), scenario.folder)
    return {
        "name": scenario.name,
        "title": scenario.description or scenario.name,
        "toml": scenario.to_toml(),
        "scenario": shared.scenario,
        "files": shared.files,
        "plan": plan_text(scenario.plan()),
    }
