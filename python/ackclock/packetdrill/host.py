"""The host under test: a profile's transport, with the changes that a script's commands make."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from ackclock.errors import Error
from ackclock.scenario.paths import UnreadableError, may_quote, read_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ackclock.core_types.plan import TransportPlan

__all__ = ["Host", "NotApplicableError", "base_host", "configure", "whole"]


class NotApplicableError(Error, ValueError):
    """A script needs something that the simulator's hosts do not have; the text names it."""

    kind = "unavailable"


# Digits that a number of a script may have.
_MOST_DIGITS = 20


def whole(text: str, what: str, least: int = 0, most: int = 2**32 - 1) -> int:
    """Read a whole number of a script.

    Raises
    ------
    NotApplicableError
        If it is none, or not from `least` to `most`.
    """
    if not (
        len(text) <= _MOST_DIGITS
        and text.isascii()
        and text.isdigit()
        and least <= int(text) <= most
    ):
        raise NotApplicableError(f"{what} '{text[:_MOST_DIGITS]}': from {least} to {most} is known")
    return int(text)


@dataclass(frozen=True)
class Host:
    """Options of the host under test, as in a plan of the engine."""

    cc: str
    transport: TransportPlan

    def with_options(self, **changes: Any) -> Host:
        """Change options of the transport."""
        return Host(self.cc, cast("TransportPlan", {**self.transport, **changes}))


def base_host(profile: str, settings: Sequence[str]) -> Host:
    """Make the host of a profile: ``linux``, ``rfc`` or ``classic``.

    `settings` are ``key=value`` for an option of the transport, or ``cc=NAME``.

    Raises
    ------
    ScenarioError
        If a key or a value is wrong.
    """
    from ackclock.scenario.overrides import split_setting
    from ackclock.scenario.plan import make_plan
    from ackclock.scenario.scenario import Scenario

    given = dict(split_setting(setting) for setting in settings)
    cc = given.pop("cc", "cubic" if profile == "linux" else "reno")
    data: dict[str, Any] = {
        "name": "packetdrill",
        "duration": "1s",
        "profile": profile,
        "network": {
            "kind": "dumbbell",
            "bottleneck": {"rate": "10Mbit/s", "delay": "10ms", "limit": "10packets"},
        },
        "flows": [{"name": "host", "cc": cc, "transport": given}],
    }
    flow = make_plan(Scenario.parse(data, "--set"))["flows"][0]
    return Host(flow["cc"], flow["transport"])


# Options of the transport by sysctl and value; None for sysctls without a meaning here.
_SYSCTLS: dict[str, dict[str, dict[str, Any]] | None] = {
    "net.ipv4.tcp_early_retrans": {
        "0": {"tail_loss_probe": False},
        "3": {"tail_loss_probe": True},
        "4": {"tail_loss_probe": True},
    },
    "net.ipv4.tcp_frto": {"0": {"frto": False}, "1": {"frto": True}, "2": {"frto": True}},
    "net.ipv4.tcp_dsack": {"0": {"dsack": False}, "1": {"dsack": True}},
    "net.ipv4.tcp_slow_start_after_idle": {
        "0": {"idle_restart": False},
        "1": {"idle_restart": True},
    },
    "net.ipv4.tcp_recovery": {"1": {}},
    "net.ipv4.tcp_reordering": {"3": {}},
    "net.ipv4.tcp_fack": {"0": {}},
    "net.ipv4.tcp_tso_win_divisor": {"3": {"tso_defer": True}, "100": {"tso_defer": False}},
    "net.ipv4.tcp_notsent_lowat": {"4294967295": {}},
    "net.ipv4.tcp_pacing_ss_ratio": {"200": {}},
    "net.ipv4.tcp_pacing_ca_ratio": {"120": {}},
    # The handshake in the script says what is negotiated.
    "net.ipv4.tcp_timestamps": None,
    "net.ipv4.tcp_sack": None,
    "net.ipv4.tcp_ecn": None,
    "net.ipv4.tcp_ecn_option": None,
    # The advertised window is not compared, and a write takes no memory.
    "net.ipv4.tcp_rmem": None,
    "net.ipv4.tcp_wmem": None,
    "net.ipv4.tcp_min_tso_segs": None,
    # Features that no applicable script uses.
    "net.ipv4.tcp_syn_retries": None,
    "net.ipv4.tcp_synack_retries": None,
    "net.ipv4.tcp_fastopen": None,
    "net.ipv4.tcp_fastopen_key": None,
    "net.ipv4.tcp_syncookies": None,
    "net.ipv4.tcp_invalid_ratelimit": None,
    # FreeBSD's sysctls.
    "net.inet.tcp.sack.enable": None,
    "net.inet.tcp.recvspace": None,
    "net.inet.tcp.hostcache.purgenow": None,
    "net.inet.tcp.rfc1323": None,
    "net.inet.tcp.ecn.enable": None,
}
_DELAYED_ACK = "net.inet.tcp.delacktime"
_PS_PER_MS = 10**9
_RMEM_WORDS = 3
# Of the kernel's sysctl.
_RTO_MAX_MS = (1000, 120_000)
_LONGEST_DELAY_MS = 60_000
# More do not fit into a window (RFC 7323 section 2.3).
_MOST_SEGMENTS = 2**20
# Largest value of the kernel's sysctl.
_MOST_SYN_TIMEOUTS = 127
_ALGORITHMS = {"net.ipv4.tcp_congestion_control"}
_SETTING = re.compile(
    r"(?P<key>(?:/proc/sys/)?net[./][\w./]+)\s*=\s*(?P<value>\"[^\"]*\"|'[^']*'|\$\(\([^)]*\)\)|\S+)"
)
_ROUTE = re.compile(
    r"ip route (?:change|replace) \S+ via \S+ dev tun0 initcwnd (?P<window>\d+)(?: cwnd lock "
    r"(?P<clamp>\d+))?$"
)
# A script calls one or two, which call none.
_MOST_CALLS = 100
_DEEPEST_CALL = 8
_INCLUDED = re.compile(r"^[\w./-]+\.sh$")
_HARMLESS = re.compile(
    r"^(ip tcp_metrics flush|/tmp/sysctl_restore|rm |set |#|tc qdisc (add|replace) dev tun0 root "
    r"pfifo\s*$|true$|sleep "
    # ackclock's HyStart always looks at both ACK trains and delays.
    r"|echo 3 /sys/module/tcp_cubic/parameters/hystart_detect$)"
)


def configure(host: Host, commands: Sequence[str], folder: Path) -> Host:
    """Read a script's shell commands as settings of the host, with the shell scripts they call.

    Raises
    ------
    NotApplicableError
        If a command is not understood.
    """
    return _configure(host, commands, folder, _Calls())


@dataclass
class _Calls:
    """Calls of shell scripts, which may call others."""

    made: int = 0
    depth: int = 0

    @contextmanager
    def one(self, name: str) -> Iterator[None]:
        """Count a call."""
        self.made += 1
        self.depth += 1
        if self.depth > _DEEPEST_CALL:
            raise NotApplicableError(
                f"calls {name} within {_DEEPEST_CALL} other shell scripts, the most that are "
                "followed: does one call itself?"
            )
        if self.made > _MOST_CALLS:
            raise NotApplicableError(f"calls more than {_MOST_CALLS} shell scripts")
        yield
        self.depth -= 1


def _configure(host: Host, commands: Sequence[str], folder: Path, calls: _Calls) -> Host:
    for block in commands:
        for command in re.split(r"\n|;|&&", block.replace("\\\n", " ")):
            host = _command(host, command.split(" #")[0].strip(), folder, calls)
    return host


def _command(host: Host, command: str, folder: Path, calls: _Calls) -> Host:
    command = re.sub(r"\s*(2>|&>|>)\s*/dev/null.*$", "", command).replace(" > ", " ").strip()
    if not command or _HARMLESS.match(command):
        return host
    words = command.split()
    if _INCLUDED.match(words[0]):
        included = folder / words[0]
        if not included.is_file():
            raise NotApplicableError(f"calls {words[0]}, which is not there")
        try:
            text = read_text(included)
        except UnreadableError as error:
            raise NotApplicableError(f"calls {words[0]}: {error}") from None
        try:
            with calls.one(words[0]):
                return _configure(host, [text], included.parent, calls)
        except NotApplicableError:
            # Suites keep such files beside the folders of their scripts.
            if may_quote(included, folder.absolute().parent):
                raise
            raise NotApplicableError(f"calls {words[0]}, which does something else") from None
    if words[0] == "sysctl" or words[0].endswith("sysctls.py"):
        for match in _SETTING.finditer(command):
            host = _sysctl(host, match["key"], match["value"].strip("\"'"))
        return host
    if re.match(r"tc qdisc (add|replace) dev tun0 root fq\b", command):
        return host.with_options(pacing="cwnd")
    if command == "ip link set dev tun0 gso_max_segs 1":
        return host.with_options(tso_defer=False)
    if (route := _ROUTE.match(command)) is not None:
        mss = host.transport["mss"]
        window = whole(route["window"], "an initcwnd of", most=_MOST_SEGMENTS)
        clamp = route["clamp"]
        return host.with_options(
            initial_window_bytes=window * mss,
            max_cwnd_bytes=None
            if clamp is None
            else whole(clamp, "a cwnd of", most=_MOST_SEGMENTS) * mss,
        )
    raise NotApplicableError(f"runs '{' '.join(words[:4])}'")


def _sysctl(host: Host, key: str, value: str) -> Host:
    key = key.removeprefix("/proc/sys/").replace("/", ".")
    if (
        key == "net.ipv4.tcp_rmem"
        and len(words := value.split()) == _RMEM_WORDS
        and words[1] == words[2]
    ):
        # The largest window from the start: nothing is left to tune.
        return host.with_options(
            initial_receive_window_bytes=host.transport["receive_buffer_bytes"]
        )
    if key == "net.ipv4.tcp_rto_max_ms":
        return host.with_options(max_rto_ps=whole(value, key, *_RTO_MAX_MS) * _PS_PER_MS)
    if key == "net.ipv4.tcp_syn_linear_timeouts":
        return host.with_options(syn_linear_timeouts=whole(value, key, most=_MOST_SYN_TIMEOUTS))
    if key == _DELAYED_ACK:
        milliseconds = whole(value, key, most=_LONGEST_DELAY_MS)
        return host.with_options(delayed_ack_timeout_ps=milliseconds * _PS_PER_MS)
    if key in _ALGORITHMS:
        return Host(value, host.transport)
    if key not in _SYSCTLS:
        raise NotApplicableError(f"sets {key}")
    meanings = _SYSCTLS[key]
    if meanings is None:
        return host
    if value not in meanings:
        raise NotApplicableError(f"sets {key}={value}")
    return host.with_options(**meanings[value])
