"""Parse packetdrill scripts; `player` gives them their meaning."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ackclock.errors import Error

__all__ = ["Call", "Code", "Command", "Event", "Packet", "Script", "ScriptError", "parse"]

_TIME = re.compile(
    r"(?P<any>\*)|(?P<sign>\+?)\s*(?P<from>[0-9]*\.?[0-9]+)(?:\s*~\s*\+?(?P<to>[0-9]*\.?[0-9]+))?"
)
_END_TIME = re.compile(r"\s*\.\.\.\s*(?P<end>[0-9]*\.?[0-9]+)\s")
_OPTION = re.compile(r"--(?P<name>[\w-]+)(?:[= ](?P<value>\S+))?")
_CALL = re.compile(r"(?P<name>[a-z_][a-z_0-9]*)\s*\(")
_PACKET = re.compile(
    r"(?:[\[(](?P<ip>[^\])]*)[\])]\s*)?"
    r"(?:[0-9]+\s*>\s*[0-9]+\s+)?"
    r"(?P<flags>[A-Z0-9]*\.?|-)\s+"
    r"(?P<start>[0-9]+):(?P<end>[0-9]+)\((?P<length>[0-9]+)\)"
    r"(?:\s*ack\s+(?P<ack>[0-9]+))?"
    r"(?:\s*win\s+(?P<win>[0-9]+))?"
    r"(?:\s*urg\s+(?P<urg>[0-9]+))?"
    r"(?:\s*<(?P<options>[^>]*)>)?\s*$"
)
_STAMPS = re.compile(r"TS val ([0-9]+) ecr ([0-9]+)")
_US = 1_000_000
# Digits of a time.
_LONGEST_NUMBER = 20
_LATEST_US = 24 * 3600 * _US
# A number in a packet has 32 bits.
_MOST = 2**32 - 1
# Bytes of a segment before a network card cuts it.
_MOST_LENGTH = 2**20
# The option has a byte.
_MOST_SHIFT = 255


class ScriptError(Error, ValueError):
    """A line of a script is not understood; the text names the line."""


@dataclass(frozen=True)
class Packet:
    """A packet; of protocols other than TCP only the name is known (`other`)."""

    arrives: bool
    """Whether the packet is injected; otherwise the host must send it."""
    flags: str = ""
    start: int = 0
    end: int = 0
    length: int = 0
    ack: int | None = None
    window: int | None = None
    """Window as on the wire, without the scale."""
    ecn: str | None = None
    mss: int | None = None
    scale: int | None = None
    sack_permitted: bool = False
    stamps: tuple[int, int] | None = None
    """Timestamp and echo."""
    sacks: tuple[tuple[int, int], ...] = ()
    ignores_options: bool = False
    other: str | None = None
    """A protocol or a TCP option that is not understood."""


@dataclass(frozen=True)
class Call:
    """A system call."""

    name: str
    arguments: str
    result: str
    is_blocking: bool
    """Whether the script gives the call a time to return."""


@dataclass(frozen=True)
class Command:
    """Shell commands."""

    text: str


@dataclass(frozen=True)
class Code:
    """Python, with the socket's TCP_INFO as its variables."""

    text: str


@dataclass(frozen=True)
class Event:
    """A timed line."""

    line: int
    text: str
    at_us: int
    """Time since the script's beginning; with `is_any` the time of the line before."""
    delay_us: int
    """Time since the line before, on which packetdrill's tolerance depends."""
    to_us: int | None
    """Latest time, if the line gives a range."""
    is_any: bool
    """Whether the event may happen at any time (`*`)."""
    what: Packet | Call | Command | Code


@dataclass
class Script:
    """A packetdrill script."""

    options: dict[str, str] = field(default_factory=dict)
    setup: list[str] = field(default_factory=list)
    """Shell commands before the first event."""
    events: list[Event] = field(default_factory=list)


@dataclass
class _Reader:
    text: str
    place: int = 0
    _counted: int = 0
    _lines: int = 1

    @property
    def line(self) -> int:
        """Number of the line, from 1; the search goes on from the last call."""
        self._lines += self.text.count("\n", self._counted, self.place)
        self._counted = self.place
        return self._lines

    def number(self, digits: str, most: int = _MOST) -> int:
        is_number = len(digits) <= _LONGEST_NUMBER and digits.isascii() and digits.isdigit()
        if not is_number or int(digits) > most:
            raise self.fail(f"'{digits[:20]}' is not a number of at most {most}")
        return int(digits)

    def microseconds(self, seconds: str) -> int:
        if len(seconds) > _LONGEST_NUMBER:
            raise self.fail(f"'{seconds[:20]}...' is no time: at most {_LONGEST_NUMBER} digits")
        return round(float(seconds) * _US)

    def within(self, at: int) -> int:
        if at > _LATEST_US:
            raise self.fail(
                f"{at // _US} s after the beginning: a script lasts {_LATEST_US // _US} s at most"
            )
        return at

    def fail(self, problem: str) -> ScriptError:
        return ScriptError(f"line {self.line}: {problem}")

    def skip(self) -> None:
        """Skip space and comments."""
        while self.place < len(self.text):
            if self.text[self.place].isspace():
                self.place += 1
            elif self.text.startswith("//", self.place) or self.text.startswith("#", self.place):
                self.place = self._after("\n", "a comment", at_end=True)
            elif self.text.startswith("/*", self.place):
                self.place = self._after("*/", "a comment")
            else:
                return

    def _after(self, mark: str, what: str, *, at_end: bool = False) -> int:
        found = self.text.find(mark, self.place + 1)
        if found < 0:
            if at_end:
                return len(self.text)
            raise self.fail(f"{what} has no end")
        return found + len(mark)

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self.text, self.place)
        if found is not None:
            self.place = found.end()
        return found

    def enclosed(self, begin: str, end: str, what: str) -> str:
        start = self.place + len(begin)
        self.place = self._after(end, what)
        return self.text[start : self.place - len(end)]

    def rest_of_line(self) -> str:
        end = self.text.find("\n", self.place)
        end = len(self.text) if end < 0 else end
        found = self.text[self.place : end]
        self.place = end
        return found.split("//")[0].strip()


def parse(text: str) -> Script:
    """Parse a script.

    Raises
    ------
    ScriptError
        If a line is not understood.
    """
    script = Script()
    reader = _Reader(text)
    clock = 0
    while True:
        reader.skip()
        if reader.place >= len(text):
            return script
        if text.startswith("`", reader.place):
            commands = reader.enclosed("`", "`", "a command")
            if not script.events:
                script.setup.append(commands)
            # Commands after the first event restore the machine.
        elif (option := reader.match(_OPTION)) is not None:
            script.options[option["name"]] = option["value"] or ""
        else:
            event = _event(reader, clock)
            clock = event.at_us
            script.events.append(event)


def _event(reader: _Reader, clock: int) -> Event:
    line, begin = reader.line, reader.place
    time = reader.match(_TIME)
    if time is None:
        raise reader.fail(f"'{reader.rest_of_line()[:60]}' begins with no time")
    is_any = time["any"] is not None
    before = clock if time["sign"] else 0
    at = clock if is_any else reader.within(reader.microseconds(time["from"]) + before)
    to = None if time["to"] is None else reader.within(reader.microseconds(time["to"]) + before)
    end_time = reader.match(_END_TIME)
    # Blanks only: a packet ends with its line.
    while reader.text[reader.place : reader.place + 1] in (" ", "\t"):
        reader.place += 1
    here = reader.text[reader.place : reader.place + 2]
    what: Packet | Call | Command | Code
    if here[:1] == "`":
        what = Command(reader.enclosed("`", "`", "a command"))
    elif here == "%{":
        what = Code(reader.enclosed("%{", "}%", "code"))
    elif here[:1] in ("<", ">"):
        reader.place += 1
        what = _packet(reader, arrives=here[0] == "<")
    else:
        what = _call(reader, is_blocking=end_time is not None)
    shown = " ".join(reader.text[begin : reader.place].split("//")[0].split())
    return Event(line, shown, at, at - clock, to, is_any, what)


def _call(reader: _Reader, *, is_blocking: bool) -> Call:
    name = reader.match(_CALL)
    if name is None:
        raise reader.fail(
            f"'{reader.rest_of_line()[:60]}' is neither a packet, a call, code nor a command"
        )
    begin, depth, quote = reader.place, 1, False
    while depth:
        if reader.place >= len(reader.text):
            raise reader.fail(f"{name['name']}( has no end")
        letter = reader.text[reader.place]
        reader.place += 1
        if letter == '"':
            quote = not quote
        elif not quote:
            depth += (letter in "([{") - (letter in ")]}")
    arguments = " ".join(reader.text[begin : reader.place - 1].split())
    rest = reader.rest_of_line()
    if not rest.startswith("="):
        raise reader.fail(f"{name['name']}(...) has no result")
    return Call(name["name"], arguments, rest[1:].strip(), is_blocking)


def _packet(reader: _Reader, *, arrives: bool) -> Packet:
    text = reader.rest_of_line()
    if (
        kind := re.match(r"(?:[\[(][^\])]*[\])]\s*)?(icmp|udp|gre|mpls|raw|ipv[46])\b", text)
    ) is not None:
        return Packet(arrives, other=kind[1])
    found = _PACKET.match(text)
    if found is None:
        raise reader.fail(f"the packet '{text[:80]}' is not understood")
    packet = {
        "arrives": arrives,
        "flags": found["flags"].replace("-", ""),
        "start": reader.number(found["start"]),
        "end": reader.number(found["end"]),
        "length": reader.number(found["length"], _MOST_LENGTH),
        "ack": None if found["ack"] is None else reader.number(found["ack"]),
        "window": None if found["win"] is None else reader.number(found["win"]),
        "ecn": found["ip"],
        "other": None if found["urg"] is None else "urgent data",
    }
    return Packet(**{**packet, **_options(reader, found["options"])})  # type: ignore[arg-type]


def _options(reader: _Reader, text: str | None) -> dict[str, object]:
    found: dict[str, object] = {}
    if text is None:
        return found
    if text.strip() == "...":
        return {"ignores_options": True}
    for option in (part.strip() for part in text.split(",")):
        word, *values = option.split() or [""]
        if word in ("nop", "eol", ""):
            continue
        if word in ("mss", "wscale"):
            if len(values) != 1:
                raise reader.fail(
                    f"the option {word} has one value, as in '{word} 7', and not {len(values)}"
                )
            most = _MOST if word == "mss" else _MOST_SHIFT
            found["mss" if word == "mss" else "scale"] = reader.number(values[0], most)
        elif word == "sackOK":
            found["sack_permitted"] = True
        elif word == "sack":
            blocks = [block.split(":") for block in values]
            if any(len(block) != 2 for block in blocks):
                raise reader.fail(f"the blocks of '{option[:40]}' are written 1:1001")
            found["sacks"] = tuple(
                (reader.number(start), reader.number(end)) for start, end in blocks
            )
        elif (stamps := _STAMPS.match(option)) is not None:
            found["stamps"] = (reader.number(stamps[1]), reader.number(stamps[2]))
        else:
            found["other"] = f"TCP option {word}"
    return found
