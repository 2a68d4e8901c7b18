"""Parse and play a script; the compiled core does both."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ackclock import _core
from ackclock.errors import Error
from ackclock.packetdrill.asserting import Variables
from ackclock.packetdrill.host import Host, NotApplicableError, configure

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Played", "ScriptError", "parse", "play"]


class ScriptError(Error, ValueError):
    """A line of a script is not understood; the text names the line."""


@dataclass
class Played:
    """The outcome of a script."""

    problem: str | None
    """The host's deviation from the script, if any."""
    exchange: list[str] = field(default_factory=list)
    """The exchanged packets, a line each."""


def parse(text: str) -> _core.PacketScript:
    """Parse a script.

    Raises
    ------
    ScriptError
        If a line is not understood.
    """
    try:
        return _core.PacketScript(text)
    except ValueError as problem:
        raise ScriptError(str(problem)) from None


def play(script: _core.PacketScript, host: Host, folder: Path) -> Played:
    """Play a script on the simulator's sender or receiver, in virtual time.

    Raises
    ------
    NotApplicableError
        If the script needs something that the simulator's hosts do not have.
    """
    host = configure(host, script.commands, folder)
    transport = json.dumps(host.transport)
    try:
        return Played(*script.play(host.cc, transport, Variables().answer))
    except ValueError as reason:
        raise NotApplicableError(str(reason)) from None
