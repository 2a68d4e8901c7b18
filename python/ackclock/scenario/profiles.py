"""The profiles of transport options, and the user's options in place of defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock import _core
from ackclock.messages import shown
from ackclock.runtime import permission
from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.quantities import time_ps

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.scenario.own import Finder

__all__ = [
    "HONEST",
    "PROFILES",
    "PROFILE_SUMMARIES",
    "Options",
    "implied_transport",
    "lay_over",
    "profile",
    "visible",
]

Options = dict[str, Any]

PROFILE_SUMMARIES = {
    "linux": "what a Linux host does today: SACK with RACK and tail loss probes, PRR, timestamps, "
    "initial window 10, delayed ACKs",
    "rfc": "the same machinery as the RFCs have it, for closed forms: no bursts, quick or "
    "held-back ACKs of hosts; RTO of 1 s or more",
    "classic": "the papers' ns-2: 1000-byte packets, initial window 1, an ACK per packet, "
    "duplicate ACKs, no options",
}

_LINUX: Options = {
    "mss": "1448 bytes",
    "initial_window": "10 packets",
    "ssthresh": "unlimited",
    "max_cwnd": "unlimited",
    "receive_buffer": "64MiB",
    # 128 KiB of tcp_rmem, of which 5/8 are payload: 1448 of the 2304 bytes that a packet of 1500
    # occupies.
    "initial_receive_window": "80KiB",
    "read_rate": "unlimited",
    "ack_counting": "bytes",
    "window_counting": "packets",
    "delayed_ack": 2,
    "delayed_ack_timeout": "40ms",
    "delayed_ack_adapts": True,
    "quick_acks": 16,
    "ack_pushed": True,
    "sack_delay": "1ms",
    "ack_division": 1,
    "optimistic_ack": "off",
    "hide_marks": False,
    "timestamps": True,
    "timestamp_clock": "1ms",
    "loss_detection": "rack",
    "dupack_recovery": "newreno",
    "window_approach": "prr-linux",
    "limited_transmit": True,
    "tail_loss_probe": True,
    "frto": True,
    "undo": True,
    "dsack": True,
    "min_rto": "200ms",
    "min_rto_bounds_variance": True,
    "max_rto": "120s",
    "initial_rto": "1s",
    "syn_linear_timeouts": 4,
    "rtt_timing": "every-ack",
    "rtt_clock": "0s",
    "loss_rules": "rfc",
    "idle_restart": True,
    "ecn": "off",
    "pacing": "cc",
    "tso_defer": True,
    # Hosts measurably take more; why it is not the default: docs/links/host-time.md.
    "host_time": "0s",
    "clock_phase": "0s",
}

# The RFCs' values where Linux departs from them: docs/transport/README.md.
_RFC: Options = {
    "initial_window": "rfc6928",
    "initial_receive_window": _LINUX["receive_buffer"],
    "delayed_ack_adapts": False,
    "quick_acks": 0,
    "ack_pushed": False,
    "sack_delay": "0s",
    "window_counting": "bytes",
    "window_approach": "prr",
    "min_rto": "1s",
    "min_rto_bounds_variance": False,
    "syn_linear_timeouts": 0,
    "tso_defer": False,
}

PROFILES: dict[str, Options] = {
    "linux": _LINUX,
    "rfc": {**_LINUX, **_RFC},
    # ns-2.35's ns-default.tcl: singledup_ 1, bugFix_ true, minrto_ 0.2, maxrto_ 60, rtxcur_init_
    # 3.0, tcpTick_ 0.01; but not its window_ of 20 packets, which would be a hidden limit.
    "classic": {
        "mss": "1000 bytes",
        "initial_window": "1 packet",
        "ssthresh": "unlimited",
        "max_cwnd": "unlimited",
        "receive_buffer": "64MiB",
        "initial_receive_window": "64MiB",
        "read_rate": "unlimited",
        "ack_counting": "packets",
        "window_counting": "packets",
        "delayed_ack": 1,
        "delayed_ack_timeout": "100ms",
        "delayed_ack_adapts": False,
        "quick_acks": 0,
        "ack_pushed": False,
        "sack_delay": "0s",
        "ack_division": 1,
        "optimistic_ack": "off",
        "hide_marks": False,
        "timestamps": False,
        "timestamp_clock": "1ms",
        "loss_detection": "dupack",
        "dupack_recovery": "reno",
        "window_approach": "inflation",
        "limited_transmit": True,
        "tail_loss_probe": False,
        "frto": False,
        "undo": False,
        "dsack": False,
        "min_rto": "200ms",
        "min_rto_bounds_variance": False,
        "max_rto": "60s",
        "initial_rto": "3s",
        "syn_linear_timeouts": 0,
        "rtt_timing": "one-per-rtt",
        "rtt_clock": "10ms",
        "loss_rules": "ns-2",
        "idle_restart": False,
        "ecn": "off",
        "pacing": "off",
        "tso_defer": False,
        "host_time": "0s",
        "clock_phase": "0s",
    },
}


def profile(name: str) -> Options:
    """A copy of a profile's options."""
    return dict(PROFILES[name])


HONEST: Options = {"ack_division": 1, "optimistic_ack": "off", "hide_marks": False}
"""Options of a receiver that follows the standards. Resolved scenarios and plans leave them out."""

_FLAGS = {"true": True, "false": False}


def implied_transport(cc: str, find: Finder) -> Options:
    """The transport options that an algorithm's name implies: Tahoe's for ``cos+tahoe``."""
    if find.looks and "python:" in cc:
        permission.left_out(cc)
    return {
        option: _FLAGS.get(value, int(value) if value.isdigit() else value)
        for option, value in _core.implied_by_cc(cc, find.of(cc)).items()
    }


def lay_over(
    state: Options, given: Mapping[str, Any], key: str, earlier: Mapping[str, Any] | None = None
) -> Options:
    """The options `state` with the changes `given`, and dependent options adapted.

    Parameters
    ----------
    state
        Options that are complete and consistent.
    given
        Options that the user gave at this level, which are never adapted.
    key
        Key of this level, for the message when two options contradict each other.
    earlier
        Options that the user gave at the levels before.
    """
    options = {**state, **given}
    detection = options["loss_detection"]

    def conflict(name: str, reason: str) -> ScenarioError:
        return ScenarioError(
            f"{shown(given[name])} contradicts {reason}", key=f"{key}.{name}", value=given[name]
        )

    if detection != "rack" and options["tail_loss_probe"]:
        if "tail_loss_probe" in given:
            raise conflict(
                "tail_loss_probe", f"loss_detection = '{detection}': tail loss probes need 'rack'"
            )
        options["tail_loss_probe"] = False
    if detection == "dupack":
        if options["dsack"]:
            if "dsack" in given:
                raise conflict(
                    "dsack",
                    "loss_detection = 'dupack': without SACK there is no D-SACK; use 'sack' or "
                    "'rack'",
                )
            options["dsack"] = False
        # RFC 5681's inflation goes with duplicate ACKs, unless the user chose another approach.
        becomes_dupack = state["loss_detection"] != "dupack"
        if becomes_dupack and "window_approach" not in {**(earlier or {}), **given}:
            options["window_approach"] = "inflation"
    elif "dupack_recovery" in given:
        raise conflict(
            "dupack_recovery",
            f"loss_detection = '{detection}': it has an effect only with 'dupack'",
        )
    if options["optimistic_ack"] != "off" and options["read_rate"] != "unlimited":
        name = "optimistic_ack" if "optimistic_ack" in given else "read_rate"
        raise conflict(
            name,
            f"optimistic_ack = '{options['optimistic_ack']}', read_rate = "
            f"'{options['read_rate']}': a receiver whose ACKs run ahead reads at once",
        )
    if time_ps(options["min_rto"]) > time_ps(options["max_rto"]):
        name = "min_rto" if "min_rto" in given else "max_rto"
        raise conflict(
            name,
            f"min_rto = '{options['min_rto']}', max_rto = '{options['max_rto']}': min_rto must "
            "not be above max_rto",
        )
    return options


def visible(options: Options) -> Options:
    """The options that have an effect, for a resolved scenario."""
    shown_options = dict(options)
    if options["loss_detection"] != "dupack":
        del shown_options["dupack_recovery"]
    shown_options.setdefault("header", "52 bytes" if options["timestamps"] else "40 bytes")
    return shown_options
