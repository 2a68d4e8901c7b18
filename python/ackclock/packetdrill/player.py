"""Play a script on the simulator's sender or receiver, in virtual time."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ackclock import _core
from ackclock.errors import Error
from ackclock.packetdrill.asserting import CodeError, UnknownStateError, Variables, state_of
from ackclock.packetdrill.host import Host, NotApplicableError, configure, whole
from ackclock.packetdrill.language import Call, Code, Command, Event, Packet, Script

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["MismatchError", "Played", "play"]

_PS = 10**6
"""Picoseconds in a microsecond."""
_FIN, _SYN, _PSH, _ACK, _ECE, _CWR = 1, 2, 8, 16, 64, 128
_ECN = {"noecn": 0, "ect1": 1, "ect0": 2, "ce": 3}
_BLOCKS = 3
"""SACK blocks that the simulator's packets have room for."""
_TIMESTAMP_BYTES = 12
_ARRIVAL_US = 10
"""Delay of a packet's arrival after the time of its line, us.

On a kernel no two events are exactly a millisecond apart; with the delay, rules with a limit of
1 ms decide as they do there.
"""
_OWN_MSS = 1460
_TOLERANCE_US = 4000
_TOLERANCE_PERCENT = 12.5
_LARGEST_WINDOW = (1 << 30) - 1
_LARGEST_SEGMENT = 65_535
_LATEST_US = 10 * 24 * 3600 * 10**6

_KNOWN_CALLS = {
    "socket", "bind", "listen", "accept", "fcntl", "connect", "read", "recv", "recvfrom",
    "getsockopt", "setsockopt", "ioctl",
}  # fmt: skip
_WRITES = {"write", "send", "sendto"}
_CLOSES = {"close", "shutdown"}
_IGNORED_SOCKET_OPTIONS = {
    "SO_REUSEADDR", "SO_SNDBUF", "SO_RCVBUF", "SO_ERROR", "TCP_NODELAY", "IP_MTU_DISCOVER",
    "IP_TOS", "TCP_MAXSEG",
}  # fmt: skip
_IGNORED_OPTIONS = {
    "ip_version", "tolerance_usecs", "tolerance_percent", "tcp_ts_tick_usecs", "tcp_ts_ecr_scaled",
    "send_omit_free",
}  # fmt: skip
_FLAG_BITS = {"F": _FIN, "S": _SYN, "P": _PSH, "E": _ECE, "W": _CWR, ".": _ACK}
"""Flags of TCP by the letter, in the order in which they are shown."""


class MismatchError(Error):
    """The host deviated from the script; the text says how and where."""

    kind = "failed"


@dataclass
class Played:
    """The outcome of a script."""

    problem: str | None
    """The host's deviation from the script, if any."""
    exchange: list[str] = field(default_factory=list)
    """The exchanged packets, a line each."""


def play(script: Script, host: Host, folder: Path) -> Played:
    """Play a script.

    Raises
    ------
    NotApplicableError
        If the script needs something that the simulator's hosts do not have.
    """
    host = configure(host, [*script.setup, *_commands(script)[0]], folder)
    reading = _read(script)
    player = _Player(script, reading, _negotiated(host, reading))
    try:
        for event in script.events:
            player.event(event)
    except MismatchError as problem:
        return Played(str(problem), player.exchange)
    return Played(None, player.exchange)


@dataclass
class _Reading:
    """Properties of a whole script."""

    side: str = "sender"
    is_passive: bool = False
    """Whether the host accepts the connection."""
    syn: Packet | None = None
    """The peer's SYN, or SYN-ACK."""
    own_syn: Packet | None = None
    """The host's SYN, or SYN-ACK."""
    congestion_control: str | None = None
    is_paced: bool = False
    segment: int | None = None
    """Largest segment that the application allows (TCP_MAXSEG), bytes."""


def _read(script: Script) -> _Reading:
    reading = _Reading()
    for name in script.options:
        if name not in _IGNORED_OPTIONS:
            raise NotApplicableError(f"option --{name}")
    calls = [event.what for event in script.events if isinstance(event.what, Call)]
    packets = [event.what for event in script.events if isinstance(event.what, Packet)]
    for command in _commands(script)[1]:
        raise NotApplicableError(f"runs '{' '.join(command.split()[:3])}' on the way")
    fin_before = False
    for packet in packets:
        _check_packet(packet, fin_before=fin_before)
        fin_before |= not packet.arrives and "F" in packet.flags
    is_closed = False
    for call in calls:
        _check_call(call, reading, is_closed=is_closed)
        is_closed |= call.name in _CLOSES and "SHUT_RD)" not in f"{call.arguments})"
    if (
        sum(call.name == "socket" for call in calls) > 1
        or sum(call.name == "accept" for call in calls) > 1
    ):
        raise NotApplicableError("more than one connection")
    reading.is_passive = any(call.name == "listen" for call in calls)
    if not reading.is_passive and not any(call.name == "connect" for call in calls):
        raise NotApplicableError("opens no connection")
    sends = any(not p.arrives and p.length for p in packets) or any(
        c.name in _WRITES for c in calls
    )
    takes = any(p.arrives and p.length for p in packets)
    if sends and takes:
        raise NotApplicableError("data in both directions")
    reading.side = "receiver" if takes else "sender"
    if takes and not reading.is_passive:
        raise NotApplicableError("a receiver that opens the connection")
    theirs = [p for p in packets if p.arrives and "S" in p.flags]
    ours = [p for p in packets if not p.arrives and "S" in p.flags]
    if len(theirs) != 1 or not ours:
        raise NotApplicableError("no handshake, or another one")
    if len(ours) > 1 and reading.is_passive:
        raise NotApplicableError("the answer to the SYN is sent again")
    reading.syn, reading.own_syn = theirs[0], ours[0]
    if takes and any(
        p.arrives and (p.ack or 0) > 1 + sum(not q.arrives and "F" in q.flags for q in packets)
        for p in packets
    ):
        raise NotApplicableError("an ACK of what was never sent, at a receiver")
    if reading.side == "receiver" and not _closes_last(script):
        raise NotApplicableError("a host that closes before its peer and receives")
    return reading


def _commands(script: Script) -> tuple[list[str], list[str]]:
    """A script's timed commands: before the first packet, which set up, and after it."""
    before: list[str] = []
    after: list[str] = []
    has_begun = False
    for event in script.events:
        has_begun |= isinstance(event.what, Packet)
        if isinstance(event.what, Command):
            (after if has_begun else before).append(event.what.text)
    return before, after


def _percent(text: str | None) -> float:
    if text is None:
        return _TOLERANCE_PERCENT
    if re.fullmatch(r"[0-9]{1,6}(\.[0-9]{0,6})?", text) is None:
        raise NotApplicableError(f"--tolerance_percent '{text[:20]}': a number as 12.5 is known")
    return float(text)


def _bracketed(call: Call) -> int:
    """The number that a call is to write into its argument."""
    found = re.search(r"\[(\d+)\]", call.arguments)
    if found is None:
        raise NotApplicableError(f"{call.name}({call.arguments[:40]}) without a number")
    return whole(found[1], call.name)


def _check_packet(packet: Packet, *, fin_before: bool) -> None:
    if packet.other is not None:
        raise NotApplicableError(packet.other if " " in packet.other else packet.other.upper())
    # An RST of a closed connection has nothing to do with congestion control: it is ignored.
    if "U" in packet.flags or ("R" in packet.flags and (packet.arrives or not fin_before)):
        raise NotApplicableError("RST" if "R" in packet.flags else "urgent data")
    if "S" in packet.flags and packet.length:
        raise NotApplicableError("data in a SYN")
    if packet.arrives and "." not in packet.flags and "S" not in packet.flags:
        raise NotApplicableError("a packet without ACK")
    if packet.ecn is not None and packet.ecn not in _ECN:
        raise NotApplicableError(f"IP field {packet.ecn}")


def _check_call(call: Call, reading: _Reading, *, is_closed: bool) -> None:
    arguments = [part.strip() for part in call.arguments.split(",")]
    if call.name not in _KNOWN_CALLS | _WRITES | _CLOSES:
        raise NotApplicableError(f"{call.name}()")
    if call.name in _WRITES:
        if call.is_blocking:
            raise NotApplicableError(f"{call.name}() that waits for memory")
        if not call.result.isdigit() and not (is_closed and "EPIPE" in call.result):
            raise NotApplicableError(f"{call.name}() that fails")
        flags = {"MSG_MORE", "MSG_FASTOPEN", "MSG_ZEROCOPY", "MSG_EOR", "MSG_OOB"}
        used = [flag for flag in flags if flag in call.arguments]
        if used:
            raise NotApplicableError(f"{call.name}() with {used[0]}")
    if call.name in ("setsockopt", "getsockopt"):
        option = arguments[2]
        if option == "TCP_CONGESTION" and call.name == "setsockopt":
            reading.congestion_control = arguments[3].strip('"[]')
        elif option == "SO_MAX_PACING_RATE":
            # With a rate that never limits, the kernel paces by cwnd.
            reading.is_paced = True
        elif option == "TCP_MAXSEG" and call.name == "setsockopt":
            reading.segment = whole(arguments[3].strip("[]"), "TCP_MAXSEG", most=_LARGEST_SEGMENT)
        elif option not in _IGNORED_SOCKET_OPTIONS:
            raise NotApplicableError(f"{call.name}({option})")
    if call.name == "ioctl" and arguments[1] != "SIOCINQ":
        raise NotApplicableError(f"ioctl({arguments[1]})")


def _closes_last(script: Script) -> bool:
    """Whether the host closes only after the peer's FIN."""
    seen_fin = False
    listening = True
    for event in script.events:
        if isinstance(event.what, Packet) and event.what.arrives and "F" in event.what.flags:
            seen_fin = True
        if isinstance(event.what, Call) and event.what.name == "accept":
            listening = False
        if isinstance(event.what, Call) and event.what.name in _CLOSES and not seen_fin:
            # The listening socket may close at any time.
            first = event.what.arguments.split(",")[0].strip()
            if not listening and first != "3":
                return False
    return True


def _negotiated(host: Host, reading: _Reading) -> Host:
    """The host after the script's handshake."""
    assert reading.syn is not None
    assert reading.own_syn is not None
    peer, own = reading.syn, reading.own_syn
    has_stamps = peer.stamps is not None and (own.stamps is not None or own.ignores_options)
    has_sack = peer.sack_permitted and (own.sack_permitted or own.ignores_options)
    mss = min(peer.mss or 536, reading.segment or _OWN_MSS, _OWN_MSS) - (
        _TIMESTAMP_BYTES if has_stamps else 0
    )
    segments = host.transport["initial_window_bytes"] // host.transport["mss"]
    clamp = host.transport["max_cwnd_bytes"]
    changes: dict[str, Any] = {
        "mss": mss,
        "initial_window_bytes": segments * mss,
        "max_cwnd_bytes": None if clamp is None else clamp // host.transport["mss"] * mss,
        "timestamps": has_stamps,
        "ecn": "classic" if "E" in peer.flags and "E" in own.flags else "off",
    }
    if not has_sack:
        changes |= {"loss_detection": "dupack", "dsack": False, "tail_loss_probe": False}
    if reading.is_paced:
        changes["pacing"] = "cwnd"
    made = host.with_options(**changes)
    return Host(reading.congestion_control or made.cc, made.transport)


class _Player:
    """Plays a script."""

    def __init__(self, script: Script, reading: _Reading, host: Host) -> None:
        self.reading = reading
        try:
            self.bench = _core.Bench(host.plan(), reading.side)
        except ValueError as error:
            # The script names an algorithm that does not exist.
            raise NotApplicableError(str(error)) from None
        self.is_sender = reading.side == "sender"
        self.tolerance_us = whole(
            script.options.get("tolerance_usecs", str(_TOLERANCE_US)), "--tolerance_usecs"
        )
        self.percent = _percent(script.options.get("tolerance_percent"))
        self.exchange: list[str] = []
        self.variables = Variables()
        # Timestamps of the simulator's host by those of the script, which the peer echoes.
        self.stamps: dict[int, int] = {}
        self.scale = 0
        self.is_answered = False
        """Whether the third ACK of a passive open has come."""
        self.fin_sent = False
        """Whether the host's FIN went with an ACK that is a separate packet in the script."""
        self.taken = 0
        """Bytes that the application has read."""
        self.last_expected: Packet | None = None
        """The latest expected packet, if nothing has arrived since."""
        self.late_us = 0
        """Delay of all later lines after a line of any time, us."""

    def event(self, event: Event) -> None:
        at_us = event.at_us + self.late_us
        if at_us > _LATEST_US:
            raise NotApplicableError(f"line {event.line}: lasts more than {_LATEST_US // 10**6} s")
        what = event.what
        try:
            if isinstance(what, Packet):
                if what.arrives:
                    self._arrives(what, at_us)
                else:
                    self._expected(what, event, at_us)
            elif isinstance(what, Call):
                self._call(what, at_us)
            elif isinstance(what, Code):
                self.bench.advance((at_us + _ARRIVAL_US) * _PS + 1)
                state = state_of(self.bench.info() or {})
                if self.is_sender:
                    state["tcpi_advmss"] = self.reading.segment or _OWN_MSS
                self.variables.run(what.text, state)
        except UnknownStateError as problem:
            raise NotApplicableError(str(problem)) from None
        except (MismatchError, CodeError) as problem:
            raise MismatchError(f"line {event.line}: {event.text}: {problem}") from None

    def _note(self, at_us: float, sign: str, text: str) -> None:
        self.exchange.append(f"{at_us / 1e6:12.6f}  {sign} {text}")

    # Arriving packets.

    def _arrives(self, packet: Packet, at_us: int) -> None:
        at = (at_us + _ARRIVAL_US) * _PS
        self.last_expected = None
        if "S" in packet.flags and self.reading.is_passive and self.is_sender:
            # The bench opens actively: its SYN leaves when the script's SYN-ACK does.
            return
        fields = self._fields(packet)
        if self.is_sender and self.reading.is_passive and not self.is_answered:
            self.is_answered = True
            self._note(at_us, "<", "the ACK of the handshake, as the answer to the bench's SYN")
            has_ecn = self.reading.syn is not None and "E" in self.reading.syn.flags
            answer = _SYN | _ACK | (_ECE if has_ecn else 0)
            self.bench.inject(at, answer, **{**fields, "ack": 0})
            # The bench's ACK of it is in no script.
            for sent in self.bench.drain():
                if sent["payload"]:
                    raise MismatchError(f"sent {_shown(sent)} with nothing written")
            return
        self._note(at_us, "<", _described(packet))
        bits = sum(bit for letter, bit in _FLAG_BITS.items() if letter in packet.flags)
        self.bench.inject(at, bits, **fields)

    def _fields(self, packet: Packet) -> dict[str, Any]:
        """The fields of an arriving packet for the bench, whose numbers do not count the SYN."""
        if "S" in packet.flags:
            self.scale = packet.scale or 0
            scale = 0
        else:
            scale = self.scale if self.reading.syn is not None else 0
        fields: dict[str, Any] = {
            "ack": max(0, (packet.ack or 0) - 1),
            "sacks": [(a - 1, b - 1) for a, b in packet.sacks],
        }
        if packet.window is not None:
            if self.reading.is_passive and self.reading.syn is not None and "S" not in packet.flags:
                scale = self.reading.syn.scale or 0
            fields["window"] = min(packet.window << scale, _LARGEST_WINDOW)
        if not self.is_sender:
            # `payload` counts data only, without the FIN.
            fields |= {"seq": max(0, packet.start - 1), "payload": packet.length}
        if packet.stamps is not None:
            fields["stamp"] = packet.stamps[0]
            echo = self._echo(packet.stamps[1])
            if echo is not None:
                fields["echo"] = echo
        if packet.ecn is not None:
            fields["ecn"] = _ECN[packet.ecn]
        return fields

    def _echo(self, script_value: int) -> int | None:
        """The host's timestamp for one of the script; if unknown, counted from the first one."""
        if script_value in self.stamps:
            return self.stamps[script_value]
        if not self.stamps:
            return None
        first = min(self.stamps)
        return max(0, self.stamps[first] + script_value - first)

    # Packets that the host sends.

    def _expected(self, packet: Packet, event: Event, at_us: int) -> None:
        if "S" in packet.flags and self.reading.is_passive and self.is_sender:
            self.bench.open(at_us * _PS)
            syn = self.bench.drain()[0]
            if packet.stamps is not None:
                self.stamps[packet.stamps[0]] = syn["stamp"]
            return
        if "R" in packet.flags or self._only_tells_of_the_window(packet):
            return
        tolerance = max(self.tolerance_us, int(event.delay_us * self.percent / 100))
        if self.fin_sent and packet.flags.startswith("F") and not packet.length:
            # The FIN went with the ACK before.
            self.fin_sent = False
            return
        until = (event.to_us + self.late_us if event.to_us is not None else at_us) + tolerance
        if event.is_any:
            until = self.bench.latest // _PS + 3_600_000_000
        start, end = packet.start - 1, packet.start - 1 + packet.length
        if "S" in packet.flags:
            start = end = 0
        first = True
        while True:
            sent = self.bench.next_sent(until * _PS)
            if sent is None:
                raise MismatchError(f"nothing was sent until {until / 1e6:.6f} s")
            sent_us = sent["at"] / _PS
            self._note(sent_us, ">", _shown(sent))
            if event.is_any:
                self.late_us += round(sent_us) - at_us
            elif not at_us - tolerance <= sent_us <= until:
                raise MismatchError(
                    f"sent {_shown(sent)} at {sent_us / 1e6:.6f} s, expected at {at_us / 1e6:.6f} s"
                )
            if packet.stamps is not None:
                self.stamps[packet.stamps[0]] = sent["stamp"]
            self._compare(packet, sent, start, end, is_first=first)
            start, first = start + sent["payload"], False
            if start >= end:
                return

    def _only_tells_of_the_window(self, packet: Packet) -> bool:
        """Whether a receiver's ACK only repeats the last one with another window.

        Windows are not compared, so the simulator sends no such ACK.
        """
        last, self.last_expected = self.last_expected, packet
        is_ack = (
            not self.is_sender and packet.flags == "." and not packet.length and not packet.sacks
        )
        return (
            is_ack
            and last is not None
            and last.flags == "."
            and last.ack == packet.ack
            and last.window != packet.window
        )

    def _compare(
        self, packet: Packet, sent: _core.SentPacket, start: int, end: int, *, is_first: bool
    ) -> None:
        def claim(*, holds: bool, wanted: str) -> None:
            if not holds:
                raise MismatchError(f"sent {_shown(sent)}, expected {wanted}")

        flags = sent["flags"]
        last = start + sent["payload"] >= end
        claim(
            holds=bool(flags & _SYN) == ("S" in packet.flags),
            wanted="a SYN" if "S" in packet.flags else "no SYN",
        )
        if self.is_sender:
            # A SYN counts in the script's numbers, and the bench's control packets carry the next
            # byte.
            claim(
                holds=sent["seq"] == start or "S" in packet.flags,
                wanted=f"sequence number {start + 1}",
            )
            claim(
                holds=(sent["payload"] > 0) == (packet.length > 0), wanted=f"{packet.length} bytes"
            )
            claim(holds=start + sent["payload"] <= end, wanted=f"bytes up to {end + 1}")
        if packet.ack is not None:
            ack = sent["ack"] + 1
            claim(holds=ack == packet.ack, wanted=f"ack {packet.ack}")
        wants_fin = "F" in packet.flags and last
        if not self.is_sender and flags & _FIN and not wants_fin:
            self.fin_sent = True
        else:
            claim(holds=bool(flags & _FIN) == wants_fin, wanted="a FIN" if wants_fin else "no FIN")
        if "S" not in packet.flags:
            wants_cwr = "W" in packet.flags and is_first
            claim(
                holds=bool(flags & _ECE) == ("E" in packet.flags),
                wanted="ECE" if "E" in packet.flags else "no ECE",
            )
            claim(holds=bool(flags & _CWR) == wants_cwr, wanted="CWR" if wants_cwr else "no CWR")
        if packet.ecn is not None:
            claim(holds=sent["ecn"] == _ECN[packet.ecn], wanted=packet.ecn)
        if not packet.ignores_options and "S" not in packet.flags:
            blocks = [(first + 1, after + 1) for first, after in sent["sacks"]]
            wanted = list(packet.sacks)[:_BLOCKS]
            told = " ".join(f"{a}:{b}" for a, b in wanted)
            claim(holds=blocks == wanted, wanted=f"sack {told}" if wanted else "no SACK block")

    # Calls of the application.

    def _call(self, call: Call, at_us: int) -> None:
        at = at_us * _PS
        if call.name == "connect":
            self.bench.open(at)
        elif call.name in _WRITES and call.result.isdigit():
            self.bench.write(at, whole(call.result, "a write of"))
        elif (
            call.name in _CLOSES
            and self.is_sender
            and (not self.reading.is_passive or not call.arguments.strip().startswith("3"))
        ):
            if not call.arguments.endswith("SHUT_RD"):
                self.bench.write(at, 0, closes=True)
        elif call.name in ("read", "recv", "recvfrom", "ioctl") and not self.is_sender:
            self._read(call, at)
        elif (
            call.name == "getsockopt"
            and "TCP_MAXSEG" in call.arguments
            and (info := self.bench.info())
            and info["rtt"]
        ):
            wanted = _bracketed(call)
            if info["snd_mss"] != wanted:
                raise MismatchError(f"a segment is {info['snd_mss']} bytes")

    def _read(self, call: Call, at: int) -> None:
        if not call.result.isdigit():
            return
        if call.is_blocking:
            # The call returns when the data has come; the ACKs show the time.
            self.taken += whole(call.result, "a read of")
            return
        self.bench.advance(at)
        waiting = (self.bench.delivered() or 0) - self.taken
        if call.name == "ioctl":
            wanted = _bracketed(call)
            if waiting != wanted:
                raise MismatchError(f"{waiting} bytes wait to be read")
            return
        lengths = [whole(word, "a read of") for word in re.findall(r"\b\d+\b", call.arguments)]
        got = min(lengths[1] if len(lengths) > 1 else 0, waiting)
        if got != whole(call.result, "a read of"):
            raise MismatchError(f"the application gets {got} bytes")
        if "MSG_PEEK" not in call.arguments:
            self.taken += got


def _shown(sent: _core.SentPacket) -> str:
    flags = "".join(letter for letter, bit in _FLAG_BITS.items() if sent["flags"] & bit)
    blocks = " ".join(f"{a + 1}:{b + 1}" for a, b in sent["sacks"])
    sacks = f" sack {blocks}" if blocks else ""
    start, payload = sent["seq"] + 1, sent["payload"]
    return f"{flags} {start}:{start + payload}({payload}) ack {sent['ack'] + 1}{sacks}"


def _described(packet: Packet) -> str:
    parts = [f"{packet.flags} {packet.start}:{packet.end}({packet.length})"]
    if packet.ack is not None:
        parts.append(f"ack {packet.ack}")
    if packet.window is not None:
        parts.append(f"win {packet.window}")
    if packet.sacks:
        parts.append("sack " + " ".join(f"{a}:{b}" for a, b in packet.sacks))
    return " ".join(parts)
