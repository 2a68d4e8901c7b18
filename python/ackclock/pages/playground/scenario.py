"""A scenario as the page takes it: its tables, and the text of each file that it names."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from ackclock.errors import Error
from ackclock.messages import shorten
from ackclock.scenario import mahimahi
from ackclock.scenario.cdf import read_cdf
from ackclock.scenario.paths import UnreadableError, find, may_quote, read_text
from ackclock.scenario.references import named_files, own_classes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
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
        If the scenario uses a class of the user's own, a file that it names cannot be read, or one
        outside of the scenario's folder is neither a trace nor a distribution.
    """
    check_own(data)
    files = {}
    for name in named_files(data):
        path = find(name, folder)
        try:
            files[name] = read_text(path, _MOST_BYTES)
        except UnreadableError as error:
            raise NotInAPageError(f"{name}: {error}") from None
        if not (may_quote(path, folder) or _is_input(path, files[name])):
            raise NotInAPageError(
                f"{name}: no trace and no distribution, and it lies outside of the scenario's "
                "folder, so nothing of it goes into a page"
            )
    return Sharable(_in_json(data), files)


def _is_input(path: Path, text: str) -> bool:
    """Whether a file is what a scenario can read: the others of a user go into no page."""
    from ackclock.scenario.video import read

    readers: tuple[Callable[[], object], ...] = (
        lambda: mahimahi.parse(text),
        lambda: read_cdf(str(path.absolute()), None),
        lambda: read(path, source="text", films=False),
    )
    for reader in readers:
        with suppress(Error, ValueError):
            reader()
            return True
    return False


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
