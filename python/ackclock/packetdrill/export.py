"""Write ackclock's transcripts as packetdrill scripts, to check each claim on a kernel."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ackclock.errors import Error
from ackclock.packetdrill.transcript import UNLIMITED_WINDOW

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ackclock.packetdrill.transcript import Segment, Step, Transcript

__all__ = ["RefusalError", "export", "refusal"]

# Timestamp of the host under test when it sends its SYN, ms; 0 has a special meaning.
_FIRST_STAMP = 1000
_TIMESTAMP_BYTES = 12
_MOST_SCALE = 14
_LARGEST_FIELD = 65535
_RECEIVE_BUFFER = 67_108_864
# Timers of kernels with HZ=250 run out up to 8 ms late, and a busy machine adds to that.
_TOLERANCE_US = 12_000
_NO_SSTHRESH = 2_147_483_647
_MS = 1000
# Pause that is needed to read counters: the program takes some milliseconds.
_REST_US = 30_000
# TCP_MAX_QUICKACKS of the kernel.
_QUICK_ACKS = 16

# Sysctls of settings.
_SYSCTLS: dict[tuple[str, str], str] = {
    ("tail_loss_probe", "false"): "net.ipv4.tcp_early_retrans=0",
    ("frto", "false"): "net.ipv4.tcp_frto=0",
    ("dsack", "false"): "net.ipv4.tcp_dsack=0",
    ("idle_restart", "false"): "net.ipv4.tcp_slow_start_after_idle=0",
    ("timestamps", "false"): "net.ipv4.tcp_timestamps=0",
    ("ecn", "classic"): "net.ipv4.tcp_ecn=1",
    ("loss_detection", "dupack"): "net.ipv4.tcp_sack=0",
    ("syn_linear_timeouts", "0"): "net.ipv4.tcp_syn_linear_timeouts=0",
    ("max_rto", "1s"): "net.ipv4.tcp_rto_max_ms=1000",
}
# Settings that `_set_up`, `_sender` and `_receiver` write.
_ELSEWHERE = {
    "mss", "initial_window", "tso_defer", "pacing", "initial_receive_window", "quick_acks",
    "max_cwnd",
}  # fmt: skip
_COUNTERS = {
    "recoveries": ("TCPSackRecovery", "TCPRenoRecovery"),
    "undos": ("TCPFullUndo", "TCPPartialUndo", "TCPDSACKUndo", "TCPLossUndo"),
    "spurious_timeouts": ("TCPSpuriousRTOs",),
    "tail_probes": ("TCPLossProbes",),
}
_STATES = {"open": 0, "disorder": 1, "cwr": 2, "recovery": 3, "loss": 4}


class RefusalError(Error, ValueError):
    """No kernel can be set up as a transcript's host; the text says why."""


def refusal(transcript: Transcript) -> str | None:
    """The reason why a kernel cannot be asked about a transcript; None if it can."""
    if transcript.profile != "linux":
        return f"profile {transcript.profile}"
    if transcript.cc not in ("reno", "cubic"):
        return f"cc {transcript.cc}"
    for key, value in transcript.settings.items():
        if (key, value) in _SYSCTLS or (
            key in _ELSEWHERE and (key, value) not in (("pacing", "off"),)
        ):
            continue
        if (key, value) == ("loss_detection", "sack"):
            # Linux 6.17 removed RFC 6675: RACK answers in its place.
            continue
        if key == "initial_ssthresh":
            return "initial_ssthresh: a kernel's connection begins without one"
        return f"{key} {value}: the kernel has no such setting"
    if transcript.side == "receiver":
        if any(
            step.segment is not None and "fin" in step.segment.flags | {step.segment.kind}
            for step in transcript.steps
        ):
            return "a FIN: our receiver closes at once, a kernel's application when it has read it"
        quick = int(transcript.settings.get("quick_acks", "16"))
        arrivals = sum(step.action == "<" for step in transcript.steps)
        # A larger number makes no difference if fewer segments arrive.
        if quick not in (0, _QUICK_ACKS) and not (quick > _QUICK_ACKS >= arrivals):
            return f"quick_acks {quick}: the kernel's are {_QUICK_ACKS} or none"
    return None


@dataclass
class _Writer:
    transcript: Transcript
    lines: list[str] = field(default_factory=list)
    clock_us: int = 0
    window: int = 0
    last_ack: int = 0
    recent: int = 0
    """Timestamp that the peer echoes, ms of the script."""
    sent: list[tuple[int, int, int]] = field(default_factory=list)
    """First byte, end and timestamp of each segment that the host sends."""
    data_segments: int = 0
    is_closed: bool = False
    base: int = 0
    """Bytes that the peer sends before the transcript begins."""
    shift_us: int = 0
    """Delay of every event relative to the transcript, us."""

    def __post_init__(self) -> None:
        settings = self.transcript.settings
        self.mss = int(settings.get("mss", "1448").split()[0])
        self.stamps = settings.get("timestamps") != "false"
        self.offered_mss = self.mss + (_TIMESTAMP_BYTES if self.stamps else 0)
        self.has_sack = settings.get("loss_detection") != "dupack"
        self.ecn = settings.get("ecn") == "classic"
        self.window = self.transcript.window
        segments = [step.segment for step in self.transcript.steps if step.segment]
        windows = [segment.window for segment in segments if segment.window is not None]
        self.scale = _scale([self.window, *windows])
        is_large = settings.get("initial_receive_window") == "67108864 bytes"
        self.buffer = (2 if is_large else 1) * _RECEIVE_BUFFER
        self.own_scale = self.buffer.bit_length() - 1 - 15

    def put(self, at_us: int, text: str) -> None:
        """Write a line for an instant."""
        delta = at_us - self.clock_us
        self.clock_us = at_us
        self.lines.append(f"+{delta / 1_000_000:.6f} {text}")

    def stamp(self, at_us: int) -> int:
        """The timestamp of an instant, for the host and its peer."""
        return _FIRST_STAMP + at_us // _MS

    def options(self, at_us: int, echo: int, sacks: Iterable[tuple[int, int]] = ()) -> str:
        """The options of a packet after the handshake."""
        parts = [f"nop,nop,TS val {self.stamp(at_us)} ecr {echo}"] if self.stamps else []
        blocks = " ".join(f"{start + 1}:{end + 1}" for start, end in sacks)
        if blocks:
            parts.append(f"nop,nop,sack {blocks}")
        return f" <{','.join(parts)}>" if parts else ""

    def syn_options(self, at_us: int, echo: int, mss: int, scale: int) -> str:
        """The options of a SYN, in the kernel's order."""
        middle = "nop,nop,sackOK" if self.has_sack else ""
        if self.stamps:
            sack = "sackOK" if self.has_sack else "nop,nop"
            middle = f"{sack},TS val {self.stamp(at_us)} ecr {echo}"
        parts = (f"mss {mss}", middle, "nop", f"wscale {scale}")
        return f" <{','.join(part for part in parts if part)}>"

    def field_of(self, window: int) -> int:
        """A window as in the header of the peer's packets."""
        return min(_LARGEST_FIELD, window >> self.scale)


def _scale(windows: list[int]) -> int:
    """The window scale in which every window of the script is exact; 1 GiB stands for no limit."""
    given = [window for window in windows if 0 < window < UNLIMITED_WINDOW]
    if not given:
        return _MOST_SCALE
    exact = min((window & -window).bit_length() - 1 for window in given)
    if len(given) == len(windows) or max(given) <= _LARGEST_FIELD:
        needed = max(0, max(given).bit_length() - 16)
        return min(max(needed, min(exact, 4)), exact) if needed <= exact else needed
    return exact


def export(transcript: Transcript) -> str:
    """Write a transcript as a packetdrill script.

    Raises
    ------
    RefusalError
        If no kernel can be set up for the transcript.
    """
    reason = refusal(transcript)
    if reason is not None:
        raise RefusalError(reason)
    writer = _Writer(transcript)
    _set_up(writer)
    if transcript.side == "sender":
        _sender(writer)
    else:
        _receiver(writer)
    return "\n".join(writer.lines) + "\n"


def _set_up(writer: _Writer) -> None:
    transcript = writer.transcript
    settings = transcript.settings
    writer.lines += [
        f"// {transcript.name}",
        "// Written by ackclock packetdrill --export.",
        f"--tolerance_usecs={_TOLERANCE_US}",
        "",
    ]
    start = writer.buffer if writer.buffer > _RECEIVE_BUFFER else 131072
    sysctls = [
        'net.ipv4.tcp_wmem="4096 8000000 8000000"',
        f'net.ipv4.tcp_rmem="4096 {start} {writer.buffer}"',
        "net.ipv4.tcp_ecn=0" if not writer.ecn else "",
        *(_SYSCTLS[key, value] for key, value in settings.items() if (key, value) in _SYSCTLS),
    ]
    commands = [f"sysctl -q {setting}" for setting in sysctls if setting]
    segments = settings.get("initial_window", "10 segments").split()
    initial = (
        int(segments[0]) if segments[1].startswith("segment") else int(segments[0]) // writer.mss
    )
    clamp = settings.get("max_cwnd", "").split()
    route = f"ip route replace 192.0.2.0/24 via 192.168.0.1 dev tun0 initcwnd {initial}"
    commands.append(route + (f" cwnd lock {clamp[0]}" if clamp else ""))
    if settings.get("tso_defer") == "false":
        # Segments that are built one by one are never deferred.
        commands.append("ip link set dev tun0 gso_max_segs 1")
    commands.append("tc qdisc replace dev tun0 root pfifo")
    writer.lines.append("`" + "\n".join(commands) + "`")
    writer.lines.append("")


def _sender(writer: _Writer) -> None:
    transcript = writer.transcript
    out = writer.put
    out(0, "socket(..., SOCK_STREAM, IPPROTO_TCP) = 3")
    out(0, f'setsockopt(3, SOL_TCP, TCP_CONGESTION, "{transcript.cc}", {len(transcript.cc)}) = 0')
    # The simulator's sender has no Nagle's algorithm.
    out(0, "setsockopt(3, SOL_TCP, TCP_NODELAY, [1], 4) = 0")
    if transcript.settings.get("pacing") == "cwnd":
        out(0, "setsockopt(3, SOL_SOCKET, SO_MAX_PACING_RATE, [2000000000], 4) = 0")
    out(0, "fcntl(3, F_GETFL) = 0x2 (flags O_RDWR)")
    out(0, "fcntl(3, F_SETFL, O_RDWR|O_NONBLOCK) = 0")
    out(0, "connect(3, ..., ...) = -1 EINPROGRESS (Operation now in progress)")
    steps = list(transcript.steps)
    if transcript.handshake_us is not None:
        _expect_syn(writer, 0)
        _inject_syn_ack(writer, transcript.handshake_us)
        _expect_sent(writer, transcript.handshake_us, _ack_of_handshake())
    is_open = transcript.handshake_us is not None
    counts = "%{{ assert tcpi_data_segs_out == {}, tcpi_data_segs_out }}%"
    # Writes that are still to be done.
    left = _writes(transcript)
    end_us = transcript.steps[-1].at_us if transcript.steps else 0
    is_counted = False
    while steps:
        step = steps.pop(0)
        if (
            step.action == "*"
            and not is_counted
            and all(s.at_us == end_us and s.action == "*" for s in (step, *steps))
        ):
            is_counted = True
            if not writer.is_closed:
                out(end_us, counts.format(writer.data_segments))
        if is_open:
            left = _write_before(writer, left, step)
        if step.action == "<":
            assert step.segment is not None
            if step.segment.kind == "synack":
                _inject_syn_ack(writer, step.at_us, step.segment)
                is_open = True
            else:
                _inject_ack(writer, step.at_us, step.segment)
        elif step.action == ">":
            segment = step.segment
            assert segment is not None
            while steps and (more := _joined(segment, step, steps[0])) is not None:
                segment = more
                steps.pop(0)
            if segment.kind == "syn":
                _expect_syn(writer, step.at_us)
            else:
                _expect_sent(writer, step.at_us, segment)
        elif step.action == "*":
            assert step.check is not None
            rests = (
                not steps
                or steps[0].at_us - step.at_us >= _REST_US
                or all(s.at_us == step.at_us and s.action == "*" for s in steps)
            )
            _check(writer, step.at_us, *step.check, rests=rests)
        elif is_open and not writer.is_closed:
            out(step.at_us, counts.format(writer.data_segments))
    if is_open and not writer.is_closed and not is_counted:
        out(writer.clock_us, counts.format(writer.data_segments))


def _ack_of_handshake() -> Segment:
    from ackclock.packetdrill.transcript import Segment

    return Segment("ack", 0, 0)


def _joined(segment: Segment, step: Step, following: Step) -> Segment | None:
    """Join two lines of data that a kernel may send as one packet."""
    from dataclasses import replace

    other = following.segment
    joins = (
        following.action == ">"
        and other is not None
        and following.at_us == step.at_us
        and segment.kind == other.kind == "data"
        and other.start == segment.end
        and not {"fin", "cwr"} & segment.flags
        and "cwr" not in other.flags
        and segment.ecn == other.ecn
    )
    return (
        replace(segment, end=other.end, flags=segment.flags | other.flags)
        if joins and other is not None
        else None
    )


def _writes(transcript: Transcript) -> list[tuple[int, int, bool]]:
    """Writes of the application: time, bytes, whether the connection closes after it."""
    if transcript.app == "bulk":
        segments = [step.segment for step in transcript.steps if step.segment is not None]
        last_byte = max((one.end for one in segments if one.kind == "data"), default=0)
        mss = int(transcript.settings.get("mss", "1448").split()[0])
        return [(0, last_byte + 1000 * mss, False)]
    last = len(transcript.writes) - 1
    return [(at, count, index == last) for index, (at, count) in enumerate(transcript.writes)]


def _write_before(
    writer: _Writer, left: list[tuple[int, int, bool]], step: Step
) -> list[tuple[int, int, bool]]:
    """Do the writes that are due before a line; arrivals at the same instant come first."""
    while left:
        at, count, closes = left[0]
        if at > step.at_us or (at == step.at_us and at > writer.clock_us and step.action != ">"):
            break
        when = max(at, writer.clock_us)
        if closes:
            # The last write is held until the FIN can go with it.
            if count:
                writer.put(when, f"sendto(3, ..., {count}, MSG_MORE, ..., ...) = {count}")
            writer.put(when, "close(3) = 0")
            # The state of a closed socket can no longer be read.
            writer.is_closed = True
        else:
            writer.put(when, f"write(3, ..., {count}) = {count}")
        left = left[1:]
    return left


def _expect_syn(writer: _Writer, at_us: int) -> None:
    flags = "SEW" if writer.ecn else "S"
    options = writer.syn_options(at_us, 0, 1460, writer.own_scale)
    writer.put(at_us, f"> {flags} 0:0(0){options}")
    writer.sent.append((-1, 0, writer.stamp(at_us)))
    writer.recent = writer.stamp(at_us)


def _inject_syn_ack(writer: _Writer, at_us: int, segment: Segment | None = None) -> None:
    window = segment.window if segment is not None and segment.window is not None else writer.window
    writer.window = window
    echo = writer.recent
    if segment is not None and segment.echo_us is not None:
        echo = writer.stamp(segment.echo_us)
    options = writer.syn_options(at_us, echo, writer.offered_mss, writer.scale)
    writer.put(
        at_us,
        f"< {'SE' if writer.ecn else 'S'}. 0:0(0) ack 1 win {min(window, _LARGEST_FIELD)}{options}",
    )


def _inject_ack(writer: _Writer, at_us: int, segment: Segment) -> None:
    writer.window = segment.window if segment.window is not None else writer.window
    if segment.end > writer.last_ack:
        for start, end, stamp in reversed(writer.sent):
            if start <= writer.last_ack < end:
                writer.recent = stamp
                break
        writer.last_ack = segment.end
    if segment.echo_us is not None:
        writer.recent = writer.stamp(segment.echo_us)
    flags = (
        "".join(letter for name, letter in (("ece", "E"), ("fin", "F")) if name in segment.flags)
        + "."
    )
    options = writer.options(at_us, writer.recent, segment.sacks)
    writer.put(
        at_us,
        f"< {flags} 1:1(0) ack {segment.end + 1} win {writer.field_of(writer.window)}{options}",
    )


def _expect_sent(writer: _Writer, at_us: int, segment: Segment) -> None:
    length = segment.end - segment.start if segment.kind == "data" else 0
    start = segment.start if segment.kind in ("data", "fin", "probe") else _next_byte(writer)
    is_fin = segment.kind == "fin" or "fin" in segment.flags
    # PSH is no claim of a transcript; `kernel` corrects the flag by the kernel's answers.
    pushes = length > writer.mss or (length % writer.mss if length else 0) or (is_fin and length)
    flags = (
        ("F" if is_fin else "")
        + ("P" if pushes else "")
        + ("W" if "cwr" in segment.flags else "")
        + "."
    )
    if length:
        for first in range(segment.start, segment.end, writer.mss):
            writer.sent.append((first, min(first + writer.mss, segment.end), writer.stamp(at_us)))
            writer.data_segments += 1
    if is_fin:
        writer.sent.append((segment.end, segment.end + 1, writer.stamp(at_us)))
    ecn = {"ect0": "[ect0] ", "ce": "[ce] ", "not-ect": "[noecn] "}.get(segment.ecn or "", "")
    options = writer.options(at_us, writer.stamp(at_us))
    ack = segment.end + 1 if segment.kind == "ack" else 1
    writer.put(
        at_us, f"> {ecn}{flags} {start + 1}:{start + 1 + length}({length}) ack {ack}{options}"
    )


def _next_byte(writer: _Writer) -> int:
    return max((end for _, end, _ in writer.sent), default=0)


def _check(writer: _Writer, at_us: int, name: str, value: str, *, rests: bool) -> None:
    def claim(expression: str, shown: str) -> None:
        writer.put(at_us, f"%{{ assert {expression}, ({shown}) }}%")

    segments = _segments(value, writer.mss)
    match name:
        case "cwnd":
            claim(f"tcpi_snd_cwnd == {segments}", "tcpi_snd_cwnd")
        case "ssthresh":
            expected = _NO_SSTHRESH if value == "none" else segments
            claim(f"tcpi_snd_ssthresh == {expected}", "tcpi_snd_ssthresh")
        case "inflight":
            inflight = "tcpi_unacked - tcpi_sacked - tcpi_lost + tcpi_retrans"
            claim(f"{inflight} == {segments}", inflight)
        case "state":
            claim(f"tcpi_ca_state == {_STATES[value]}", "tcpi_ca_state")
        case "srtt" | "rto":
            wanted = round(float(value) * 1_000_000)
            known = {"srtt": "tcpi_rtt", "rto": "tcpi_rto"}[name]
            slack = max(_TOLERANCE_US, wanted // 16)
            claim(f"abs({known} - {wanted}) <= {slack}", known)
        case "timeouts":
            claim(f"tcpi_total_rto == {value}", "tcpi_total_rto")
        case _ if name in _COUNTERS and not rests:
            writer.lines.append(
                f"// {name} == {value}: left out, as reading counters would make what follows late"
            )
        case _ if name in _COUNTERS:
            names = "|".join(_COUNTERS[name])
            program = (
                "/^TcpExt:/ { if (!seen) { split($0, names); seen = 1 } "
                f"else for (i in names) if (names[i] ~ /^({names})$/) sum += $i }} "
                f'END {{ if (sum + 0 != {value}) {{ print "{name} is " sum + 0 ", expected '
                f'{value}"; exit 1 }} }}'
            )
            writer.put(at_us, f"`awk '{program}' /proc/net/netstat`")
        case _:
            writer.lines.append(f"// {name} == {value}: a kernel does not tell")


def _segments(value: str, mss: int) -> int:
    count, _, unit = value.partition(" ")
    if not count.isdigit():
        return 0
    return int(count) // mss if unit.startswith("byte") else int(count)


def _receiver(writer: _Writer) -> None:
    transcript = writer.transcript
    out = writer.put
    out(0, "socket(..., SOCK_STREAM, IPPROTO_TCP) = 3")
    out(0, "setsockopt(3, SOL_SOCKET, SO_REUSEADDR, [1], 4) = 0")
    out(0, "bind(3, ..., ...) = 0")
    out(0, "listen(3, 1) = 0")
    options = writer.syn_options(0, 0, writer.offered_mss, 7)
    out(0, f"< {'SEW' if writer.ecn else 'S'} 0:0(0) win 65535{options}")
    options = writer.syn_options(0, writer.stamp(0), 1460, writer.own_scale)
    out(0, f"> {'SE' if writer.ecn else 'S'}. 0:0(0) ack 1{options}")
    begin = transcript.handshake_us or 0
    out(begin, f"< . 1:1(0) ack 1 win 65535{writer.options(begin, writer.stamp(0))}")
    out(begin, "accept(3, ..., ...) = 4")
    echo = writer.stamp(0)
    if transcript.settings.get("quick_acks") == "0":
        # The kernel has no such setting: its quick ACKs are used up before the transcript begins.
        mss = writer.mss
        for first in range(1, _QUICK_ACKS * mss + 1, mss):
            options = writer.options(begin, echo)
            out(begin, f"< . {first}:{first + mss}({mss}) ack 1 win 65535{options}")
            out(begin, f"read(4, ..., {mss}) = {mss}")
            out(begin, f"> . 1:1(0) ack {first + mss}{options}")
            begin += _MS
        writer.base = _QUICK_ACKS * writer.mss
        writer.shift_us = begin - (transcript.handshake_us or 0)
    held: set[tuple[int, int]] = set()
    following = 0
    base = writer.base + 1
    acks = writer.base // writer.mss
    for step in transcript.steps:
        segment = step.segment
        at_us = step.at_us + writer.shift_us
        if step.action == "<" and segment is not None:
            stamp_us = at_us if segment.echo_us is None else segment.echo_us + writer.shift_us
            ecn = {"ect0": "[ect0] ", "ce": "[ce] "}.get(segment.ecn or "", "")
            flags = "".join(
                letter for name, letter in (("psh", "P"), ("cwr", "W")) if name in segment.flags
            )
            stamps = f" <nop,nop,TS val {writer.stamp(stamp_us)} ecr {echo}>"
            bytes_ = f"{segment.start + base}:{segment.end + base}({segment.end - segment.start})"
            options = stamps if writer.stamps else ""
            out(at_us, f"< {ecn}{flags}. {bytes_} ack 1 win 65535{options}")
            held.add((segment.start, segment.end))
            before = following
            while ends := [end for start, end in held if start <= following < end]:
                following = max(ends)
            if following > before:
                out(at_us, f"read(4, ..., {following - before}) = {following - before}")
        elif step.action == ">" and segment is not None:
            flags = "E." if "ece" in segment.flags else "."
            options = writer.options(
                at_us,
                writer.stamp(0),
                [(start + base - 1, end + base - 1) for start, end in segment.sacks],
            )
            out(at_us, f"> {flags} 1:1(0) ack {segment.end + base}{options}")
            echo = writer.stamp(at_us)
            acks += 1
        elif step.action == "nothing":
            # The SYN-ACK is not counted: it was sent before this socket existed.
            out(at_us, f"%{{ assert tcpi_segs_out == {acks}, tcpi_segs_out }}%")
