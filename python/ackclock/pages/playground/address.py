"""Addresses of the playground, the public page, that hold a whole scenario.

`web/src/address/address.ts` reads them: `#s=` and base64url, without padding, of raw DEFLATE (RFC
1951) of JSON. The blocks here are stored ones (RFC 1951, section 3.2.4): a report must have the
same bytes with every version of zlib.
"""

from __future__ import annotations

import base64
import json
import os
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from ackclock.atomic_io.reading import parse_toml
from ackclock.errors import Error
from ackclock.messages import shown
from ackclock.pages.playground.scenario import NotInAPageError, named_files, sharable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.pages.playground.scenario import Sharable

__all__ = ["PLAYGROUND", "VARIABLE", "Link", "PlaygroundError", "address_of", "link", "playground"]

PLAYGROUND = "https://ackclock.github.io/ackclock/playground/"
"""Address of the public page."""

VARIABLE = "ACKCLOCK_PLAYGROUND"
"""Environment variable with the address of another page."""

LONGEST = 32_000
"""Longest address that a report has, characters; chats and browsers cut longer ones."""

_BLOCK = 0xFFFF


class PlaygroundError(Error, ValueError):
    """An address of a page that is none."""


class Link(NamedTuple):
    """An address that opens a scenario, or the reason why there is none and the way instead."""

    address: str | None
    instead: str = ""


def playground(address: str | None = None) -> str:
    """The address of the page: the given one, that of the environment, or the public one.

    Raises
    ------
    PlaygroundError
        If it is no address of a page.
    """
    given = address or os.environ.get(VARIABLE) or PLAYGROUND
    try:
        parts = urlsplit(given)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in {"http", "https", "file"} or parts.fragment or not parts.path:
        named = VARIABLE if address is None else "--playground"
        raise PlaygroundError(
            f"{named}: {shown(given)} is no address of a page: write one such as {PLAYGROUND}"
        )
    return given


def address_of(shared: Sharable) -> str:
    """The part of an address that holds a scenario, `#` included."""
    text = json.dumps(
        {"scenario": shared.scenario, "files": shared.files},
        separators=(",", ":"),
        ensure_ascii=False,
        allow_nan=False,
    )
    packed = base64.urlsafe_b64encode(_stored(text.encode()))
    return f"#s={packed.rstrip(b'=').decode('ascii')}"


def link(scenario: str | Mapping[str, object], base: str) -> Link:
    """The address at which the page `base` opens a scenario, given as TOML or as its tables.

    A scenario that names files has none, since they stand elsewhere on the reader's machine; nor
    has one whose address would be longer than 32,000 characters.
    """
    data = parse_toml(scenario) if isinstance(scenario, str) else scenario
    files = named_files(data)
    if files:
        return Link(None, f"it uses {files[0]}: ackclock live FILE opens it in a page")
    try:
        address = base + address_of(sharable(data, None))
    except (NotInAPageError, ValueError) as error:
        return Link(None, str(error))
    if len(address) > LONGEST:
        return Link(None, "it is too long for an address: ackclock live FILE opens it in a page")
    return Link(address)


def _stored(data: bytes) -> bytes:
    """The bytes as raw DEFLATE, in blocks that are not compressed."""
    blocks = [data[at : at + _BLOCK] for at in range(0, len(data), _BLOCK)] or [b""]
    whole = b""
    for index, block in enumerate(blocks):
        size = len(block)
        is_last = index == len(blocks) - 1
        whole += bytes([is_last]) + size.to_bytes(2, "little")
        whole += (size ^ _BLOCK).to_bytes(2, "little") + block
    return whole
