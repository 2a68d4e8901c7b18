"""A scenario as the page takes it: its tables, and the text of each file that it names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ackclock.errors import Error
from ackclock.scenario.paths import UnreadableError, find, read_text
from ackclock.scenario.references import named_files, own_classes
from ackclock.wording import shorten

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["NotInAPageError", "Sharable", "check_own", "named_files", "sharable"]

_MOST_BYTES = 16_000_000
"""Largest file that goes into a page, bytes."""

_EXACT = 2**53
"""Largest integer up to which a page's numbers hold every integer."""


class NotInAPageError(Error, ValueError):
    """A scenario that cannot run in a page; the message is one sentence."""

    kind = "unavailable"


class Sharable(NamedTuple):
    """A scenario's tables as JSON has them, and files by the names that it gives them."""

    scenario: dict[str, Any]
    files: dict[str, str]


def sharable(data: Mapping[str, Any], folder: Path | None) -> Sharable:
    """The scenario as the page takes it; an integer above 2^53 is `{"$integer": "DIGITS"}`.

    Parameters
    ----------
    data
        The scenario's tables, as TOML gives them.
    folder
        Folder that the names of files are relative to; the current one is tried next.

    Raises
    ------
    NotInAPageError
        If the scenario uses a class of the user's own, or a file that it names cannot be read.
    """
    check_own(data)
    files = {}
    for name in named_files(data):
        try:
            files[name] = read_text(find(name, folder), _MOST_BYTES)
        except UnreadableError as error:
            raise NotInAPageError(f"{name}: {error}") from None
    return Sharable(_in_json(data), files)


def check_own(data: Mapping[str, Any]) -> None:
    """Refuse a scenario with a class of the user's own.

    Raises
    ------
    NotInAPageError
        If there is one.
    """
    own = next(iter(own_classes(data)), None)
    if own is not None:
        _, text = own
        raise NotInAPageError(
            f"{shorten(text)} is a class of your own, which cannot run in a page: ackclock run "
            "runs it"
        )


def _in_json(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _in_json(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_in_json(inner) for inner in value]
    if isinstance(value, int) and abs(value) > _EXACT:
        return {"$integer": str(value)}
    return value
