"""Scripts that are known to fail, with a judgement of which side is right."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ackclock.atomic_io.reading import parse_toml
from ackclock.errors import Error
from ackclock.messages import shorten, shown
from ackclock.scenario.paths import UnreadableError, read_text

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Expectations", "ExpectationsError", "Known", "read_expectations"]

RIGHT = ("ackclock", "script", "kernel", "both", "neither")
"""Sides that can be right where a script and the simulator differ."""
_SUITE = {"repository", "commit", "folder", "profile", "settings"}
_ENTRY = {"right", "why"}


class ExpectationsError(Error, ValueError):
    """A file of expectations is wrong; the message names the file, the key and what is allowed."""

    kind = "unreadable"


@dataclass(frozen=True)
class Known:
    """A script that is known to fail."""

    right: str
    why: str


@dataclass(frozen=True)
class Expectations:
    """Known outcomes of a suite."""

    repository: str = ""
    commit: str = ""
    folder: str = ""
    profile: str | None = None
    settings: tuple[str, ...] = ()
    known: dict[str, Known] = field(default_factory=dict)
    """Known failures by the script's path below the suite's folder, with slashes."""


def read_expectations(path: Path) -> Expectations:
    """Read a file of expectations.

    Raises
    ------
    ExpectationsError
        If the file cannot be read, or something in it is wrong.
    """
    try:
        data = parse_toml(read_text(path))
    except UnreadableError as error:
        raise ExpectationsError(f"{path}: {error}") from None
    except (ValueError, RecursionError) as error:
        raise ExpectationsError(f"{path} is not TOML: {shorten(str(error), 120)}") from None
    for key in data:
        if key not in ("suite", "known"):
            raise ExpectationsError(f"{path}: '{key}': only the tables suite and known are allowed")
    suite = _table(data.get("suite", {}), path, "suite", _SUITE)
    settings = suite.get("settings", [])
    if not isinstance(settings, list) or not all(
        isinstance(setting, str) and "=" in setting for setting in settings
    ):
        raise ExpectationsError(
            f'{path}: suite.settings = {shown(settings)}: a list of texts such as "quick_acks=0"'
        )
    for key in _SUITE - {"settings"}:
        if not isinstance(suite.get(key, ""), str):
            raise ExpectationsError(f"{path}: suite.{key} = {shown(suite[key])}: a text")
    known = {
        script: _known(entry, path, script)
        for script, entry in _table(data.get("known", {}), path, "known", None).items()
    }
    texts = {key: suite.get(key, "") for key in ("repository", "commit", "folder")}
    return Expectations(
        **texts, profile=suite.get("profile"), settings=tuple(settings), known=known
    )


def _table(data: Any, path: Path, name: str, allowed: set[str] | None) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise ExpectationsError(f"{path}: {name} = {shown(data)}: a table")
    for key in data:
        if allowed is not None and key not in allowed:
            raise ExpectationsError(
                f"{path}: {name}.{key}: only {', '.join(sorted(allowed))} are allowed"
            )
    return data


def _known(entry: Any, path: Path, script: str) -> Known:
    fields = _table(entry, path, f'known."{script}"', _ENTRY)
    if fields.get("right") not in RIGHT:
        raise ExpectationsError(
            f'{path}: known."{script}".right = {shown(fields.get("right"))}: one of '
            f"{', '.join(RIGHT)}"
        )
    if not isinstance(fields.get("why"), str) or not fields["why"].strip():
        raise ExpectationsError(
            f'{path}: known."{script}".why = {shown(fields.get("why"))}: a text that says why'
        )
    return Known(fields["right"], fields["why"])
