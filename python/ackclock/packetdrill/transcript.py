"""Scripts with a header that says the host: ackclock's transcripts, which a kernel can be asked."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from ackclock.errors import Error
from ackclock.packetdrill.host import base_host
from ackclock.packetdrill.script import ScriptError, parse
from ackclock.scenario.paths import UnreadableError, read_text

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock import _core

__all__ = ["RefusalError", "Transcript", "TranscriptError", "export", "read_transcript"]


class TranscriptError(Error, ValueError):
    """A transcript cannot be read; the message names the file, the line and what is allowed."""

    kind = "unreadable"


class RefusalError(Error, ValueError):
    """No kernel can be set up as a transcript's host; the text says why."""


@dataclass(frozen=True)
class Transcript:
    """A transcript of a test."""

    name: str
    script: _core.PacketScript


def read_transcript(path: Path) -> Transcript:
    """Read one transcript.

    Raises
    ------
    TranscriptError
        If a line is not understood, or there is no header.
    """
    try:
        script = parse(read_text(path))
    except (UnreadableError, ScriptError) as error:
        raise TranscriptError(f"{path}: {error}") from None
    if script.profile is None:
        raise TranscriptError(
            f"{path}: no line says the host: a transcript begins as '// ackclock: profile=linux'"
        )
    return Transcript(path.stem, script)


def export(transcript: Transcript) -> str:
    """Write a transcript as a script that packetdrill runs on a kernel.

    Raises
    ------
    RefusalError
        If no kernel can be set up for the transcript.
    """
    try:
        return transcript.script.export(transcript.name, _linux())
    except ValueError as reason:
        raise RefusalError(str(reason)) from None


@cache
def _linux() -> str:
    return json.dumps(base_host("linux", ()).transport)
