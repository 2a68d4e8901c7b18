"""Reading of scenario files."""

from __future__ import annotations

import re
import tomllib
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ackclock.atomic_io.reading import DamagedError, parse_toml
from ackclock.messages import nearest_file, shorten, shown
from ackclock.runtime.permission import allow, require_in
from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.overrides import split_setting
from ackclock.scenario.paths import (
    UnreadableError,
    keep_secret,
    may_quote,
    read_text,
    seen_from_here,
    show_again,
)
from ackclock.scenario.scenario import Scenario
from ackclock.scenario.synonyms import way_on_the_command_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["hidden_unless_own", "load", "load_named", "read_toml", "toml_of"]

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
    match = re.fullmatch(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", str(error))
    if match is None:
        return ScenarioError(
            f"not valid TOML: {shorten(str(error), 120)}", file=file, kind="unreadable"
        )
    if match[2] is None:
        return ScenarioError(
            f"not valid TOML: {shorten(match[1])} at the end of the file",
            key=f"line {len(text.splitlines())}",
            file=file,
            kind="unreadable",
        )
    line = int(match[2])
    source = text.splitlines()[line - 1].strip() if line <= len(text.splitlines()) else ""
    message = f"not valid TOML: {shorten(match[1])} in {shown(source)}"
    bare = (
        re.fullmatch(r"[^=#]+=\s*([0-9][^\"'\[\]{}#]*?)\s*(?:#.*)?", source)
        if len(source) < _LONGEST_LINE
        else None
    )
    if bare:
        message += f'; a quantity is text: write "{bare[1]}"'
    return ScenarioError(
        message, key=f"line {line}, column {match[3]}", value=source, file=file, kind="unreadable"
    )


def _long_number(text: str) -> str:
    match = re.search(r"[0-9_]{1000,}", text)
    line = text.count("\n", 0, match.start()) + 1 if match else 0
    digits = len(match[0]) if match else "too many"
    return f"a number of {digits} digits{f' in line {line}' if line else ''}"


def read_toml(path: Path, file: str, least: str = _LEAST) -> dict[str, Any]:
    """The tables of a TOML file; `file` is its name in messages, `least` says what it must hold.

    Raises
    ------
    ScenarioError
        If the file cannot be read, is empty, or is no TOML.
    """
    return toml_of(_read(path, file), file, least)


def toml_of(text: str, file: str, least: str = _LEAST) -> dict[str, Any]:
    """The tables of the text of a TOML file; see `read_toml`.

    Raises
    ------
    ScenarioError
        If the text is empty, or is no TOML.
    """
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
    path, key = folder / other, "sweep.scenario"
    _check_there(path, other, folder, key, file)
    with hidden_unless_own(path, other, key, file):
        inner = read_toml(path, seen_from_here(other, folder)).get("sweep")
        if isinstance(inner, dict) and "scenario" in inner:
            raise ScenarioError(
                f"{other} takes its scenario from {inner['scenario']} itself: name that",
                key=key,
                value=other,
                file=file,
            )
    base = load_named(other, folder, key, file)
    kept = {key: value for key, value in base.data().items() if key not in _OF_A_SWEEP}
    table = {key: value for key, value in data["sweep"].items() if key != "scenario"}
    return {**data, **kept, "sweep": table}, base.folder or folder


def _check_there(path: Path, name: str, folder: Path, key: str, file: str) -> None:
    if path.is_file():
        return
    # Names of files elsewhere are not told either.
    near = _nearest_file(path) if may_quote(path.parent, Path(file).absolute().parent) else ""
    raise ScenarioError(
        f"there is no file {seen_from_here(name, folder)}{near}",
        key=key,
        value=name,
        file=file,
        kind="unreadable",
    )


@contextmanager
def hidden_unless_own(path: Path, name: str, key: str, file: str) -> Iterator[None]:
    """Replace errors of a file that another names, if its content must not be shown.

    Parameters
    ----------
    path
        The file that the errors may quote.
    name, key, file
        What it is called under which key of the file that names it.

    Raises
    ------
    ScenarioError
        As the block does; without anything of the content if `path` lies elsewhere.
    """
    try:
        yield
    except ScenarioError:
        if may_quote(path, Path(file).absolute().parent):
            raise
        raise ScenarioError(
            "no scenario that can be read; the file lies outside of this one's folder, so nothing "
            "of it is shown: ackclock run with that file tells more",
            key=key,
            value=name,
            file=file,
            kind="unreadable",
        ) from None


def load_named(name: str, folder: Path, key: str, file: str) -> Scenario:
    """Read a scenario file that another file names.

    Somebody else may have written the other file. Messages quote the content of files in its own
    folder only, now and later: also that of files that a scenario elsewhere names.

    Parameters
    ----------
    name
        The file, relative to `folder`.
    folder
        The folder that names in the other file are relative to.
    key
        The key of the name in the other file.
    file
        The other file, as messages name it.

    Raises
    ------
    ScenarioError
        If there is no such file, or something in it is wrong.
    """
    path = folder / name
    _check_there(path, name, folder, key, file)
    keep_secret(path.parent, Path(file).absolute())
    with hidden_unless_own(path, name, key, file):
        there = seen_from_here(name, folder)
        return _loaded(Path(there), there)


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
    show_again(Path(path).absolute().parent)
    return _loaded(Path(path), str(path), settings, changes or {}, seed, allow_code=allow_code)


def _loaded(
    path: Path,
    file: str,
    settings: Sequence[str] = (),
    changes: Mapping[str, Any] = MappingProxyType({}),
    seed: int | None = None,
    *,
    allow_code: bool = False,
) -> Scenario:
    """The scenario in a file; see `load`."""
    data = read_toml(path, file)
    folder = path.absolute().parent
    beside = folder
    if allow_code:
        allow(beside)
    data, folder = _with_scenario_of(data, folder, file)
    require_in(data, [beside, folder], file)
    if "name" not in data and re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", path.stem):
        data["name"] = path.stem
    seeds = [] if seed is None else [("seed", seed)]
    return Scenario.read(
        data, chain(map(split_setting, settings), changes.items(), seeds), file=file, folder=folder
    )
