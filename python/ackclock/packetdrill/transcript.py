"""Read the transcripts of ackclock's tests (``crates/sim/tests/transcripts/README.md``)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING

from ackclock import _core
from ackclock.errors import Error
from ackclock.scenario.paths import UnreadableError, read_text

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Segment", "Step", "Transcript", "TranscriptError", "read_transcript"]

_KINDS = ("syn", "synack", "ack", "data", "fin", "probe")
_FLAGS = ("ece", "cwr", "fin", "psh")
_ECN = ("not-ect", "ect0", "ce")
_PS_PER_US = 10**6
UNLIMITED_WINDOW = 1 << 30


class TranscriptError(Error, ValueError):
    """A transcript cannot be read; the message names the file, the line and what is allowed."""

    kind = "unreadable"


@dataclass(frozen=True)
class Segment:
    """A packet of a line. Sequence numbers count from the first byte of data, 0."""

    kind: str
    start: int = 0
    end: int = 0
    """The byte after the last; for an ACK the acknowledged number."""
    flags: frozenset[str] = frozenset()
    sacks: tuple[tuple[int, int], ...] = ()
    window: int | None = None
    ecn: str | None = None
    echo_us: int | None = None
    """Instant whose timestamp is echoed, us."""
    marked: int | None = None


@dataclass(frozen=True)
class Step:
    """A timed line."""

    line: int
    text: str
    at_us: int
    """Time since the SYN, us."""
    action: str
    """``<``: arrives; ``>``: is sent; ``*``: check of the state; ``nothing``: nothing was sent."""
    segment: Segment | None = None
    check: tuple[str, str] | None = None
    """Name and value of a check."""


@dataclass
class Transcript:
    """A transcript of a test."""

    name: str
    about: str
    profile: str = ""
    side: str = "sender"
    cc: str = "reno"
    app: str = "bulk"
    writes: list[tuple[int, int]] = field(default_factory=list)
    """Times since the SYN, us, and bytes of writes; after the last the connection closes.

    A bulk transfer has no writes here.
    """
    handshake_us: int | None = 100_000
    """Round-trip time of the handshake before the first line; None if the lines have it."""
    window: int = UNLIMITED_WINDOW
    settings: dict[str, str] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)


def read_transcript(path: Path) -> Transcript:
    """Read one transcript.

    Raises
    ------
    TranscriptError
        If a line is not understood.
    """
    try:
        lines = read_text(path).splitlines()
    except UnreadableError as error:
        raise TranscriptError(f"{path}: {error}") from None
    about = " ".join(
        line.removeprefix("#").strip()
        for line in lines[: next((i for i, x in enumerate(lines) if x[:1] != "#"), 0)]
    )
    transcript = Transcript(path.stem, about)
    clock = 0
    for number, raw in enumerate(lines, 1):
        line = raw.split("#")[0].strip()
        if not line:
            continue
        try:
            if line.startswith("+"):
                if not transcript.steps and transcript.handshake_us is not None:
                    clock = transcript.handshake_us
                step = _step(number, line, clock)
                clock = step.at_us
                transcript.steps.append(step)
            else:
                _option(transcript, line)
        except IndexError:
            raise TranscriptError(
                f"{path}: line {number}: something is missing: {_shortened(raw)}"
            ) from None
        except ValueError as problem:
            raise TranscriptError(f"{path}: line {number}: {problem}: {_shortened(raw)}") from None
    return transcript


def _shortened(line: str) -> str:
    return " ".join(line[:200].split())


def _option(transcript: Transcript, line: str) -> None:
    key, _, value = line.partition(" ")
    value = value.strip()
    match key:
        case "profile" | "side" | "cc":
            setattr(transcript, key, value)
        case "app":
            transcript.app, _, rest = value.partition(" ")
            if transcript.app == "writes":
                pairs = [word.partition(":") for word in rest.split()]
                transcript.writes = [
                    (_core.parse_time(when) // _PS_PER_US, _number(count))
                    for when, _, count in pairs
                ]
            elif transcript.app == "file":
                transcript.writes = [(transcript.handshake_us or 0, _number(rest))]
            elif transcript.app != "bulk":
                raise ValueError(f"app '{transcript.app}': bulk, file or writes")
        case "handshake":
            transcript.handshake_us = (
                None if value == "none" else _core.parse_time(value) // _PS_PER_US
            )
        case "window":
            transcript.window = _number(value)
        case "tolerance":
            _core.parse_time(value)
        case "set":
            name, _, setting = value.partition(" ")
            transcript.settings[name] = setting.strip()
        case _:
            raise ValueError(
                f"option '{key}': profile, side, cc, app, handshake, window, tolerance or set"
            )


def _step(number: int, line: str, clock: int) -> Step:
    words = line.split()
    at = clock + _microseconds(words[0].lstrip("+"))
    action, rest = words[1], words[2:]
    if action in ("<", ">"):
        return Step(number, line, at, action, _segment(rest))
    if action == "*":
        if len(rest) < 3 or rest[1] != "==":
            raise ValueError("checks are written * NAME == VALUE")
        return Step(number, line, at, action, check=(rest[0], " ".join(rest[2:])))
    if action == "nothing":
        return Step(number, line, at, action)
    raise ValueError(f"'{action}': <, >, * or nothing")


def _segment(words: list[str]) -> Segment:
    kind, rest = words[0], words[1:]
    if kind not in _KINDS:
        raise ValueError(f"packet '{kind}': {', '.join(_KINDS)}")
    start = end = 0
    if kind == "data":
        start, end = _range(rest.pop(0))
    elif kind == "ack":
        end = _number(rest.pop(0))
    elif kind in ("fin", "probe"):
        start = end = _number(rest.pop(0))
    flags: set[str] = set()
    sacks: tuple[tuple[int, int], ...] = ()
    window, ecn, echo, marked = None, None, None, None
    while rest:
        word = rest.pop(0)
        if word in _FLAGS:
            flags.add(word)
        elif word in _ECN:
            ecn = word
        elif word == "win":
            window = _number(rest.pop(0))
        elif word == "echo":
            echo = _microseconds(rest.pop(0))
        elif word == "marked":
            marked = _number(rest.pop(0))
        elif word == "sack":
            sacks = tuple(_range(block) for block in rest.pop(0).split(","))
        else:
            raise ValueError(f"'{word}': {', '.join((*_FLAGS, *_ECN))}, win, echo, marked or sack")
    return Segment(kind, start, end, frozenset(flags), sacks, window, ecn, echo, marked)


def _microseconds(text: str) -> int:
    # Packetdrill's times have microseconds.
    if not re.fullmatch(r"[0-9]{0,12}\.?[0-9]{1,12}", text):
        raise ValueError(f"'{text[:20]}' is not a time in seconds")
    return int((Decimal(text) * 1_000_000).to_integral_value())


def _number(text: str) -> int:
    if not re.fullmatch(r"_*[0-9][0-9_]{0,30}", text):
        raise ValueError(f"'{text[:20]}' is not a number")
    return int(text.replace("_", ""))


def _range(text: str) -> tuple[int, int]:
    start, _, end = text.partition(":")
    return _number(start), _number(end)
