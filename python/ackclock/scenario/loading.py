"""From a file to a scenario."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.scenario.errors import ScenarioError, did_you_mean
from ackclock.scenario.network import gather_graph
from ackclock.scenario.overrides import override, split_setting
from ackclock.scenario.scenario import Scenario

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["load"]


def _nearest_file(path: Path) -> str:
    try:
        names = [entry.name for entry in path.parent.iterdir() if entry.suffix == ".toml"]
    except OSError:
        return ""
    return did_you_mean(path.name, sorted(names))


def _read(path: Path, file: str) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ScenarioError(f"there is no such file{_nearest_file(path)}", file=file, value=file) from None
    except IsADirectoryError:
        raise ScenarioError("this is a folder; give a scenario file (.toml)", file=file, value=file) from None
    except UnicodeDecodeError as error:
        raise ScenarioError(f"not text in UTF-8: byte {error.start} is not valid", file=file, value=file) from None
    except OSError as error:
        raise ScenarioError(f"cannot be read: {error.strerror}", file=file, value=file) from None


def _syntax(error: tomllib.TOMLDecodeError, text: str, file: str) -> ScenarioError:
    found = re.fullmatch(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", str(error))
    if found is None:
        return ScenarioError(f"not valid TOML: {error}", file=file)
    if found[2] is None:
        return ScenarioError(f"not valid TOML: {found[1]} at the end of the file", key=f"line {len(text.splitlines())}", file=file)
    line = int(found[2])
    source = text.splitlines()[line - 1].strip() if line <= len(text.splitlines()) else ""
    message = f"not valid TOML: {found[1]} in {source!r}"
    bare = re.fullmatch(r"[^=#]+=\s*([0-9][^\"'\[\]{}#]*?)\s*(?:#.*)?", source)
    if bare:
        message += f'; a quantity is text: write "{bare[1]}"'
    return ScenarioError(message, key=f"line {line}, column {found[3]}", value=source, file=file)


def load(path: str | Path, *, settings: Sequence[str] = (), changes: Mapping[str, Any] | None = None, seed: int | None = None) -> Scenario:
    """Read a scenario file.

    Parameters
    ----------
    path
        A TOML file.
    settings
        ``key=value`` texts as ``--set`` takes them, laid over the file in order.
    changes
        The same as a mapping of values.
    seed
        Another seed.

    Raises
    ------
    ScenarioError
        If the file cannot be read, or anything in it is wrong.

    Examples
    --------
    >>> import ackclock as ac
    >>> scenario = ac.load("scenarios/reno-one-flow.toml", changes={"duration": "20s"})
    >>> scenario.duration
    '20s'
    """
    file = str(path)
    path = Path(path)
    text = _read(path, file)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax(error, text, file) from None
    if "name" not in data and re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", path.stem):
        data["name"] = path.stem
    try:
        data = gather_graph(data)
        for setting in settings:
            override(data, *split_setting(setting))
        for key, value in (changes or {}).items():
            override(data, key, value)
    except ScenarioError as error:
        raise error.located(file) from None
    if seed is not None:
        data["seed"] = seed
    return Scenario.parse(data, file)
