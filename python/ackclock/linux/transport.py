"""Options of the transport as a kernel is told them: by sysctls, by its route, by its sockets, or not at all."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ackclock.scenario.errors import shown
from ackclock.scenario.profiles import PROFILES
from ackclock.scenario.quantities import PS_PER_S, amount, size_bytes, time_ps

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ackclock.linux.machine import Kernel
    from ackclock.scenario.profiles import Options

__all__ = ["LARGEST_MTU", "MTU", "Impossible", "Settings", "settings"]

# Ethernet's, and the largest that the devices are given.
MTU = 1500
LARGEST_MTU = 9000
# IPv4 and TCP; the timestamps option with its padding.
_HEADERS, _TIMESTAMPS = 40, 12
# TCP_MAXSEG: TCP_MIN_MSS of Linux's include/net/tcp.h.
_SMALLEST_MAXSEG = 88
# A receiver advertises no more before data has come (the window of a SYN has no scale, RFC 7323 section 2.2).
_FIRST_WINDOW = 65_535
_LINUX = PROFILES["linux"]
# Since 6.17 the kernel has no RFC 6675 any more ("tcp: remove obsolete and unused RFC3517/RFC6675 loss recovery code").
_WITHOUT_RFC6675 = (6, 17)


class Impossible(Exception):  # noqa: N818 - says which option, for the message of another error
    """An option that the kernel cannot be told."""

    def __init__(self, option: str, why: str) -> None:
        super().__init__(why)
        self.option = option
        self.why = why


@dataclass(frozen=True)
class Settings:
    """What the hosts and sockets of a flow are told."""

    mtu: int
    sysctls: dict[str, str] = field(default_factory=dict)
    initial_window_packets: int | None = None
    min_rto_ms: int | None = None
    acks_at_once: bool = False
    maxseg: int | None = None

    def host(self) -> dict[str, Any]:
        """The part that belongs to its pair of hosts, as the core takes it (`HostPlan`)."""
        return {
            "sysctls": self.sysctls,
            "initial_window_packets": self.initial_window_packets,
            "min_rto_ms": self.min_rto_ms,
            "acks_at_once": self.acks_at_once,
            "mtu": self.mtu,
        }


def _flag(name: str, on: str = "1") -> Callable[[Any], dict[str, str]]:
    return lambda value: {name: on if value else "0"}


# Linux, Documentation/networking/ip-sysctl.rst.
_BY_SYSCTL: Mapping[str, Callable[[Any], dict[str, str]]] = {
    "timestamps": _flag("tcp_timestamps"),
    "dsack": _flag("tcp_dsack"),
    "frto": _flag("tcp_frto", on="2"),
    "tail_loss_probe": _flag("tcp_early_retrans", on="3"),
    "idle_restart": _flag("tcp_slow_start_after_idle"),
}

_SPECIAL = {"mss", "header", "initial_window", "min_rto", "max_rto", "syn_linear_timeouts", "loss_detection", "dupack_recovery", "ecn"}

# Without effect where each segment is acknowledged at once.
_OF_DELAYED_ACKS = {"delayed_ack", "delayed_ack_timeout", "quick_acks"}

_WHY_NOT = {
    "ssthresh": "a connection of the kernel begins without a threshold",
    "max_cwnd": "no socket option bounds cwnd",
    "receive_buffer": "the hosts' buffers are so large that they never limit",
    "read_rate": "receivers read at once",
    "ack_counting": "the kernel counts bytes",
    "window_counting": "the kernel's windows count packets",
    "delayed_ack": "the kernel acknowledges every second segment, or each with 1",
    "quick_acks": "the kernel decides by itself how many ACKs are quick",
    "window_approach": "the kernel has PRR",
    "pacing": "the algorithm decides",
    "rtt_timing": "the kernel times every segment that it can",
    "rtt_clock": "the kernel's clock of RTTs has a microsecond",
    "loss_rules": "the kernel has its own",
    "host_time": "the kernel's hosts take the time that they take",
    "clock_phase": "the kernel's clocks tick when they tick",
}


def settings(options: Options, transport: Mapping[str, Any], cc: str, kernel: Kernel) -> Settings:
    """What tells the kernel a flow's options.

    Parameters
    ----------
    options
        As in the scenario, complete.
    transport
        The same as the plan has them, in bytes and ps.
    cc
        The kernel's name of its congestion control.
    kernel
        The one that shall run it.

    Raises
    ------
    Impossible
        The first option that it cannot be told.
    """
    acks_at_once = options["delayed_ack"] == 1
    for option, value in options.items():
        if option in _BY_SYSCTL or option in _SPECIAL or (acks_at_once and option in _OF_DELAYED_ACKS) or _same(value, _LINUX.get(option)):
            continue
        why = _WHY_NOT.get(option, "no sysctl, socket option or route of the kernel sets it")
        raise Impossible(option, f"{why}, so that only {shown(_LINUX.get(option))} can be had")
    sysctls: dict[str, str] = {}
    for option, told in _BY_SYSCTL.items():
        if options[option] != _LINUX[option]:
            sysctls |= told(options[option])
    sysctls |= _loss_detection(options["loss_detection"], options.get("dupack_recovery"), kernel)
    sysctls |= _ecn(options["ecn"], cc)
    sysctls |= _max_rto(options["max_rto"], kernel)
    sysctls |= _syn_linear_timeouts(options["syn_linear_timeouts"], kernel)
    mtu, maxseg = _segments(options)
    return Settings(mtu, sysctls, _initial_window(transport), _min_rto(options["min_rto"]), acks_at_once, maxseg)


def _same(one: object, other: object) -> bool:
    """Whether both mean the same: 0.04s is 40ms."""
    if not isinstance(one, str) or not isinstance(other, str):
        return one == other
    try:
        return amount(one) == amount(other)
    except ValueError:
        return one == other


def _loss_detection(value: str, recovery: str | None, kernel: Kernel) -> dict[str, str]:
    if value == "sack":
        if kernel.version >= _WITHOUT_RFC6675:
            raise Impossible("loss_detection", f"Linux {kernel.release} finds losses by RACK ('rack'), or without SACK ('dupack')")
        return {"tcp_recovery": "0"}
    if value == "dupack":
        if recovery != "newreno":
            raise Impossible("dupack_recovery", "without SACK the kernel has NewReno, so that only 'newreno' can be had")
        return {"tcp_sack": "0"}
    return {}


def _ecn(value: str, cc: str) -> dict[str, str]:
    if value == "off":
        return {}
    # DCTCP brings its own echo of every mark, and asks for ECN like RFC 3168.
    if value == "classic" or (value == "accurate" and cc == "dctcp"):
        return {"tcp_ecn": "1"}
    raise Impossible("ecn", "the kernel's feedback of marks is RFC 3168's, so that only 'off' and 'classic' can be had")


def _milliseconds(option: str, text: str) -> int:
    whole, rest = divmod(time_ps(text), PS_PER_S // 1000)
    if rest or whole < 1:
        raise Impossible(option, "the kernel takes whole milliseconds")
    return whole


def _min_rto(text: str) -> int | None:
    return None if time_ps(text) == time_ps(_LINUX["min_rto"]) else _milliseconds("min_rto", text)


def _max_rto(text: str, kernel: Kernel) -> dict[str, str]:
    if time_ps(text) == time_ps(_LINUX["max_rto"]):
        return {}
    if not kernel.has_sysctl("tcp_rto_max_ms"):
        raise Impossible("max_rto", f"Linux {kernel.release} has no tcp_rto_max_ms, so that only {_LINUX['max_rto']!r} can be had")
    value = _milliseconds("max_rto", text)
    if not 1000 <= value <= 120_000:
        raise Impossible("max_rto", "the kernel takes 1s to 120s")
    return {"tcp_rto_max_ms": str(value)}


def _syn_linear_timeouts(value: int, kernel: Kernel) -> dict[str, str]:
    if value == _LINUX["syn_linear_timeouts"]:
        return {}
    if not kernel.has_sysctl("tcp_syn_linear_timeouts"):
        raise Impossible("syn_linear_timeouts", f"Linux {kernel.release} has no tcp_syn_linear_timeouts, as Linux 6.5 and later have")
    return {"tcp_syn_linear_timeouts": str(value)}


def _initial_window(transport: Mapping[str, Any]) -> int | None:
    window = int(transport["initial_window_bytes"])
    if window > _FIRST_WINDOW:
        raise Impossible("initial_window", f"a receiver's first window is {_FIRST_WINDOW} bytes, which it may not exceed")
    packets = max(window // int(transport["mss"]), 1)
    return None if packets == 10 else packets


def _segments(options: Options) -> tuple[int, int | None]:
    """MTU and TCP_MAXSEG: segments of an MTU need none."""
    mss, extra = size_bytes(options["mss"]), _TIMESTAMPS if options["timestamps"] else 0
    header = options.get("header")
    if header is not None and size_bytes(header) != _HEADERS + extra:
        raise Impossible("header", f"a packet of the kernel has {_HEADERS + extra} bytes besides its payload")
    mtu = mss + _HEADERS + extra
    if mtu > LARGEST_MTU:
        raise Impossible("mss", f"the devices of the hosts carry at most {LARGEST_MTU - _HEADERS - extra} bytes of payload")
    if mtu >= MTU:
        return mtu, None
    if mss + extra < _SMALLEST_MAXSEG:
        raise Impossible("mss", f"the kernel's smallest segments here are of {_SMALLEST_MAXSEG - extra} bytes")
    return MTU, mss + extra
