"""Reading of scenario files."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.permission import allow, require_in
from ackclock.reading import DamagedError, parse_toml
from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.network import gather_graph
from ackclock.scenario.overrides import override, split_setting
from ackclock.scenario.paths import (
    UnreadableError,
    keep_secret,
    may_quote,
    read_text,
    seen_from_here,
)
from ackclock.scenario.scenario import Scenario
from ackclock.scenario.shorthand import expand_dumbbell
from ackclock.scenario.synonyms import way_on_the_command_line
from ackclock.wording import nearest_file, shorten, shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["load", "read_toml"]

# A line that is longer is no quantity without its quotes.
_LONGEST_LINE = 200
_LEAST = "a scenario has at least duration, network and flows"


def _nearest_file(path: Path) -> str:
    near = nearest_file(path, suffix=".toml")
    way = way_on_the_command_line(path.name) if "=" in path.name and not near else ""
    return f"; {way}" if way else near


def _read(path: Path, file: str) -> str:
    try:
        return read_text(path)
    except UnreadableError as error:
        near = _nearest_file(path) if "no such file" in str(error) else ""
        folder = ": give a scenario file (.toml)" if "folder" in str(error) else ""
        raise ScenarioError(
            f"{error}{near}{folder}", file=file, value=file, kind="unreadable"
        ) from None


def _syntax(error: tomllib.TOMLDecodeError, text: str, file: str) -> ScenarioError:
    found = re.fullmatch(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", str(error))
    if found is None:
        return ScenarioError(
            f"not valid TOML: {shorten(str(error), 120)}", file=file, kind="unreadable"
        )
    if found[2] is None:
        return ScenarioError(
            f"not valid TOML: {shorten(found[1])} at the end of the file",
            key=f"line {len(text.splitlines())}",
            file=file,
            kind="unreadable",
        )
    line = int(found[2])
    source = text.splitlines()[line - 1].strip() if line <= len(text.splitlines()) else ""
    message = f"not valid TOML: {shorten(found[1])} in {shown(source)}"
    bare = (
        re.fullmatch(r"[^=#]+=\s*([0-9][^\"'\[\]{}#]*?)\s*(?:#.*)?", source)
        if len(source) < _LONGEST_LINE
        else None
    )
    if bare:
        message += f'; a quantity is text: write "{bare[1]}"'
    return ScenarioError(
        message, key=f"line {line}, column {found[3]}", value=source, file=file, kind="unreadable"
    )


def _long_number(text: str) -> str:
    found = re.search(r"[0-9_]{1000,}", text)
    line = text.count("\n", 0, found.start()) + 1 if found else 0
    digits = len(found[0]) if found else "too many"
    return f"a number of {digits} digits{f' in line {line}' if line else ''}"


def read_toml(path: Path, file: str, least: str = _LEAST) -> dict[str, Any]:
    """The tables of a TOML file; `file` is its name in messages, `least` says what it must hold.

    Raises
    ------
    ScenarioError
        If the file cannot be read, is empty, or is no TOML.
    """
    text = _read(path, file)
    if not text.strip():
        raise ScenarioError(f"the file is empty; {least}", file=file, kind="missing")
    try:
        return parse_toml(text)
    except DamagedError as error:
        raise ScenarioError(f"not valid TOML here: {error}", file=file, kind="unreadable") from None
    except tomllib.TOMLDecodeError as error:
        raise _syntax(error, text, file) from None
    except RecursionError:
        raise ScenarioError(
            "not valid TOML: its lists or tables are nested too deeply",
            file=file,
            kind="unreadable",
        ) from None
    except ValueError:
        # Python refuses to read a number of thousands of digits.
        raise ScenarioError(
            f"not valid TOML: {_long_number(text)}", file=file, kind="unreadable"
        ) from None


# Keys of a file that takes its scenario from another file.
_OF_A_SWEEP = ("name", "description", "sweep")


def _with_scenario_of(data: dict[str, Any], folder: Path, file: str) -> tuple[dict[str, Any], Path]:
    """The data of a sweep with the scenario of the file it names, and the folder for its paths."""
    sweep = data.get("sweep")
    if not isinstance(sweep, dict):
        return data, folder
    if isinstance(sweep.get("folder"), str):
        folder = folder / sweep["folder"]
        keep_secret(folder, Path(file))
        data = {**data, "sweep": {key: value for key, value in sweep.items() if key != "folder"}}
    other = sweep.get("scenario")
    if not isinstance(other, str):
        return data, folder
    for key in data:
        if key not in _OF_A_SWEEP:
            raise ScenarioError(
                f"the scenario is that of {other}, and this file has only "
                f"{', '.join(_OF_A_SWEEP)}; what shall differ is an axis, if only of one value",
                key=key,
                value=data[key],
                file=file,
            )
    path, own = folder / other, Path(file).absolute().parent
    there = seen_from_here(other, folder)
    if not path.is_file():
        raise ScenarioError(
            f"there is no file {there}{_nearest_file(path)}",
            key="sweep.scenario",
            value=other,
            file=file,
            kind="unreadable",
        )
    try:
        inner = read_toml(path, there).get("sweep")
    except ScenarioError:
        _check_quoting(path, other, own, file)
        raise
    if isinstance(inner, dict) and "scenario" in inner:
        raise ScenarioError(
            f"{other} takes its scenario from {inner['scenario']} itself: name that",
            key="sweep.scenario",
            value=other,
            file=file,
        )
    try:
        base = load(there)
    except ScenarioError:
        _check_quoting(path, other, own, file)
        raise
    kept = {key: value for key, value in base.data().items() if key not in _OF_A_SWEEP}
    table = {key: value for key, value in data["sweep"].items() if key != "scenario"}
    return {**data, **kept, "sweep": table}, base.folder or folder


def _check_quoting(path: Path, other: str, folder: Path, file: str) -> None:
    """Replace the error of another file, if that file's content must not be shown."""
    if not may_quote(path, folder):
        raise ScenarioError(
            "no scenario that can be read; the file lies outside of this one's folder, so nothing "
            "of it is shown: ackclock run with that file tells more",
            key="sweep.scenario",
            value=other,
            file=file,
            kind="unreadable",
        ) from None


def load(
    path: str | Path,
    *,
    settings: Sequence[str] = (),
    changes: Mapping[str, Any] | None = None,
    seed: int | None = None,
    allow_code: bool = False,
) -> Scenario:
    """Read a scenario file.

    Parameters
    ----------
    path
        A TOML file.
    settings
        ``key=value`` texts as ``--set`` takes them, laid over the file in order.
    changes
        Values by dotted key, laid over the settings.
    seed
        Seed in place of the file's.
    allow_code
        Trust the file's folder until this process ends. Otherwise a file that names Python code
        (``python:MODULE:CLASS``) is read only if `ackclock.trust`, or ``ackclock trust``, has been
        told so.

    Raises
    ------
    ScenarioError
        If the file cannot be read, or a value in it is wrong.
    NotTrustedError
        If the file names Python code in a folder that is not trusted.

    Examples
    --------
    >>> import ackclock as ac
    >>> scenario = ac.load("scenarios/reno-one-flow.toml", changes={"duration": "20s"})
    >>> scenario.duration
    '20s'
    """
    file = str(path)
    path = Path(path)
    data = read_toml(path, file)
    folder = path.absolute().parent
    beside = folder
    if allow_code:
        allow(beside)
    data, folder = _with_scenario_of(data, folder, file)
    require_in(data, [beside, folder], file)
    if "name" not in data and re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", path.stem):
        data["name"] = path.stem
    written: dict[str, str] = {}
    try:
        data = expand_dumbbell(gather_graph(data), written)
        for setting in settings:
            override(data, *split_setting(setting), written)
        for key, value in (changes or {}).items():
            override(data, key, value, written)
    except ScenarioError as error:
        raise error.located(file) from None
    if seed is not None:
        data["seed"] = seed
    return Scenario.in_parts(data, file, folder, written)
