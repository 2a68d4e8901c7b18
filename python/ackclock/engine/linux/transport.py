"""The kernel's settings for options of the transport: sysctls, routes and socket options."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ackclock.catalogue.algorithms import controller, entries
from ackclock.errors import Error
from ackclock.messages import shown
from ackclock.scenario.profiles import PROFILES
from ackclock.scenario.quantities import PS_PER_S, amount, size_bytes, time_ps

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ackclock.core_types.linux_plan import HostPlan
    from ackclock.core_types.plan import TransportPlan
    from ackclock.engine.linux.machine import Kernel
    from ackclock.scenario.profiles import Options

__all__ = ["LARGEST_MTU", "MTU", "ImpossibleError", "Settings", "settings"]

# MTU of Ethernet, and the largest MTU that the devices get.
MTU = 1500
LARGEST_MTU = 9000
# Bytes of the headers of IPv4 and TCP, and of the timestamps option with its padding.
_HEADERS, _TIMESTAMPS = 40, 12
# TCP_MAXSEG: TCP_MIN_MSS of Linux's include/net/tcp.h.
_SMALLEST_MAXSEG = 88
# Largest window that a receiver advertises before data has come: "The window field in a segment
# where the SYN bit is set (i.e., a <SYN> or <SYN,ACK>) MUST NOT be scaled" (RFC 7323, section 2.2).
_FIRST_WINDOW = 65_535
_LINUX = PROFILES["linux"]
# Since 6.17 the kernel has no RFC 6675 ("tcp: remove obsolete and unused RFC3517/RFC6675 loss
# recovery code").
_WITHOUT_RFC6675 = (6, 17)


class ImpossibleError(Error):
    """The kernel has no setting for the value of an option."""

    kind = "unavailable"

    def __init__(self, option: str, why: str, remedy: str | None = None) -> None:
        super().__init__(why)
        self.option = option
        self.why = why
        self.remedy = remedy
        """A value that can be had, as a scenario has it; None: that of profile `linux`."""


@dataclass(frozen=True)
class Settings:
    """Settings of the hosts and sockets of a flow; None is the kernel's default."""

    mtu: int
    sysctls: dict[str, str] = field(default_factory=dict)
    initial_window_packets: int | None = None
    min_rto_ms: int | None = None
    acks_at_once: bool = False
    maxseg: int | None = None

    def host(self) -> HostPlan:
        """The settings of the flow's pair of hosts, as the engine takes them (`HostPlan`)."""
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

_SPECIAL = {
    "mss",
    "header",
    "initial_window",
    "min_rto",
    "max_rto",
    "syn_linear_timeouts",
    "loss_detection",
    "dupack_recovery",
    "ecn",
}

# Options without effect if each segment is acknowledged at once.
_OF_DELAYED_ACKS = {"delayed_ack", "delayed_ack_timeout", "quick_acks"}

_WHY_NOT = {
    "ssthresh": "a connection of the kernel begins without a threshold",
    "max_cwnd": "no socket option bounds cwnd",
    "receive_buffer": "the hosts' buffers are so large that they never limit",
    "read_rate": "receivers read at once",
    "ack_counting": "the kernel counts bytes",
    "window_counting": "the kernel's windows count packets",
    "ack_division": "the kernel's receivers are honest",
    "optimistic_ack": "the kernel's receivers are honest",
    "hide_marks": "the kernel's receivers are honest",
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


def settings(options: Options, transport: TransportPlan, cc: str, kernel: Kernel) -> Settings:
    """The kernel's settings for a flow's options.

    Parameters
    ----------
    options
        All options of the flow, as in a scenario.
    transport
        The options in the plan, in bytes and ps.
    cc
        The kernel's name of the flow's congestion control.
    kernel
        The kernel that runs the flow.

    Raises
    ------
    ImpossibleError
        If the kernel has no setting for an option; the error names the first one.
    """
    acks_at_once = options["delayed_ack"] == 1
    for option, value in options.items():
        if (
            option in _BY_SYSCTL
            or option in _SPECIAL
            or (acks_at_once and option in _OF_DELAYED_ACKS)
            or _same(value, _LINUX.get(option))
        ):
            continue
        why = _WHY_NOT.get(option, "no sysctl, socket option or route of the kernel sets it")
        raise ImpossibleError(option, f"{why}, so that only {shown(_LINUX.get(option))} can be had")
    sysctls: dict[str, str] = {}
    for option, converter in _BY_SYSCTL.items():
        if options[option] != _LINUX[option]:
            sysctls |= converter(options[option])
    sysctls |= _loss_detection(options["loss_detection"], options.get("dupack_recovery"), kernel)
    sysctls |= _ecn(options["ecn"], cc)
    sysctls |= _held_back_acks(kernel)
    sysctls |= _max_rto(options["max_rto"], kernel)
    sysctls |= _syn_linear_timeouts(options["syn_linear_timeouts"], kernel)
    mtu, maxseg = _segments(options)
    return Settings(
        mtu, sysctls, _initial_window(transport), _min_rto(options["min_rto"]), acks_at_once, maxseg
    )


def _same(value: object, other: object) -> bool:
    """Whether two values are equal, also in different units: 0.04s is 40ms."""
    if not isinstance(value, str) or not isinstance(other, str):
        return value == other
    try:
        return amount(value) == amount(other)
    except ValueError:
        return value == other


def _loss_detection(value: str, recovery: str | None, kernel: Kernel) -> dict[str, str]:
    if value == "sack":
        if kernel.version >= _WITHOUT_RFC6675:
            raise ImpossibleError(
                "loss_detection",
                f"Linux {kernel.release} finds losses by RACK ('rack'), or without SACK ('dupack')",
            )
        return {"tcp_recovery": "0"}
    if value == "dupack":
        if recovery != "newreno":
            raise ImpossibleError(
                "dupack_recovery",
                "without SACK the kernel has NewReno, so that only 'newreno' can be had",
            )
        return {"tcp_sack": "0"}
    return {}


def _ecn(value: str, cc: str) -> dict[str, str]:
    if value == "off":
        return {}
    # DCTCP, which implies it, echoes every mark by itself, and negotiates ECN as in RFC 3168.
    implied = entries()[controller(cc)]["implies"].get("ecn")
    if value == "classic" or value == "accurate" == implied:
        return {"tcp_ecn": "1"}
    raise ImpossibleError(
        "ecn",
        "the kernel's feedback of marks is RFC 3168's, so that only 'off' and 'classic' can be had",
    )


def _held_back_acks(kernel: Kernel) -> dict[str, str]:
    """Duplicate ACKs wait as in Linux 6.18, which the simulator follows, on later kernels too.

    Linux 7.3 holds them back for a third of a round trip instead of a 20th, and its timer may come
    10 µs late instead of 100 (`tcp_sk_init` of `net/ipv4/tcp_ipv4.c`).
    """
    if not kernel.has_sysctl("tcp_comp_sack_rtt_percent"):
        return {}
    return {"tcp_comp_sack_rtt_percent": "5", "tcp_comp_sack_slack_ns": "100000"}


def _milliseconds(option: str, text: str) -> int:
    whole, rest = divmod(time_ps(text), PS_PER_S // 1000)
    if rest or whole < 1:
        raise ImpossibleError(option, "the kernel takes whole milliseconds")
    return whole


def _min_rto(text: str) -> int | None:
    return None if time_ps(text) == time_ps(_LINUX["min_rto"]) else _milliseconds("min_rto", text)


def _max_rto(text: str, kernel: Kernel) -> dict[str, str]:
    if time_ps(text) == time_ps(_LINUX["max_rto"]):
        return {}
    if not kernel.has_sysctl("tcp_rto_max_ms"):
        raise ImpossibleError(
            "max_rto",
            f"Linux {kernel.release} has no tcp_rto_max_ms, so that only {_LINUX['max_rto']!r} "
            "can be had",
        )
    value = _milliseconds("max_rto", text)
    if not 1000 <= value <= 120_000:
        raise ImpossibleError("max_rto", "the kernel takes 1s to 120s")
    return {"tcp_rto_max_ms": str(value)}


def _syn_linear_timeouts(value: int, kernel: Kernel) -> dict[str, str]:
    if value == _LINUX["syn_linear_timeouts"]:
        return {}
    if not kernel.has_sysctl("tcp_syn_linear_timeouts"):
        raise ImpossibleError(
            "syn_linear_timeouts",
            f"Linux {kernel.release} has no tcp_syn_linear_timeouts, as Linux 6.5 and later have",
        )
    return {"tcp_syn_linear_timeouts": str(value)}


def _initial_window(transport: TransportPlan) -> int | None:
    window, mss = int(transport["initial_window_bytes"]), int(transport["mss"])
    if window > _FIRST_WINDOW:
        most = _FIRST_WINDOW // mss
        raise ImpossibleError(
            "initial_window",
            f"with mss = '{mss} bytes' it is {window} bytes, more than the {_FIRST_WINDOW} bytes "
            "of a receiver's first window",
            remedy=f"'{most} packets'",
        )
    packets = max(window // mss, 1)
    return None if packets == 10 else packets


def _segments(options: Options) -> tuple[int, int | None]:
    """MTU and TCP_MAXSEG; None if segments fill the MTU."""
    mss, extra = size_bytes(options["mss"]), _TIMESTAMPS if options["timestamps"] else 0
    header = options.get("header")
    if header is not None and size_bytes(header) != _HEADERS + extra:
        raise ImpossibleError(
            "header", f"a packet of the kernel has {_HEADERS + extra} bytes besides its payload"
        )
    mtu = mss + _HEADERS + extra
    if mtu > LARGEST_MTU:
        raise ImpossibleError(
            "mss",
            f"the devices of the hosts carry at most {LARGEST_MTU - _HEADERS - extra} bytes of "
            "payload",
        )
    if mtu >= MTU:
        return mtu, None
    if mss + extra < _SMALLEST_MAXSEG:
        raise ImpossibleError(
            "mss", f"the kernel's smallest segments here are of {_SMALLEST_MAXSEG - extra} bytes"
        )
    return MTU, mss + extra
