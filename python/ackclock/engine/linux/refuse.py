"""Refuse scenarios that the kernel cannot run, before anything starts."""

from __future__ import annotations

import resource
from typing import TYPE_CHECKING, Any

from ackclock.engine.linux.names import CannotHaveError, kernel_name
from ackclock.engine.linux.transport import LARGEST_MTU, MTU, ImpossibleError, Settings, settings
from ackclock.messages import shown
from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.options import flow_options, given_options, own_options
from ackclock.scenario.profiles import PROFILES, implied_transport

if TYPE_CHECKING:
    from ackclock.core_types.plan import Plan, TransportPlan
    from ackclock.engine.linux.machine import Kernel
    from ackclock.scenario.app import Stream
    from ackclock.scenario.scenario import Scenario

__all__ = ["check_record", "check_size", "checked_cc", "checked_datagrams", "checked_settings"]

# Headers of IPv4 and UDP, and the datagram's number.
_LEAST_DATAGRAM = 28 + 16
# Receivers listen at ports from 10 000 on, one per connection and stream.
_MOST_PORTS = 65_535 - 10_000
# Descriptors per connection: both ends, the listener, and for a session two sockets ahead and their
# namespace. A stream has fewer. A run has some more.
_FILES_EACH, _FILES_BESIDES = 6, 200
# A pair of hosts has at most six descriptors.
_FILES_PER_PAIR, _MOST_PAIRS = 8, 32


def checked_cc(scenario: Scenario, index: int, kernel: Kernel) -> str:
    """The kernel's name of an entry's congestion control.

    Raises
    ------
    ScenarioError
        If the kernel does not have the congestion control.
    """
    spec = scenario.flows[index].cc
    assert spec is not None
    try:
        return kernel_name(spec, kernel)
    except CannotHaveError as error:
        raise ScenarioError(
            f"{shown(spec)} cannot run on the kernel: {error}",
            key=f"flows.{index}.cc",
            value=spec,
            kind="unavailable",
        ) from None


def checked_settings(
    scenario: Scenario, index: int, transport: TransportPlan, cc: str, kernel: Kernel
) -> Settings:
    """The kernel's settings for the transport options of an entry.

    Raises
    ------
    ScenarioError
        If the kernel has no setting for one of them.
    """
    options = flow_options(scenario, index)
    try:
        return settings(options, transport, cc, kernel)
    except ImpossibleError as error:
        key, value = _origin(scenario, index, error.option)
        given = shown(options.get(error.option))
        if key == "profile":
            message = (
                f"{shown(value)} cannot run on the kernel: it has {error.option} = {given}, and "
                f"{error.why}; write profile = 'linux'"
            )
        elif key.endswith(".cc"):
            message = f"{shown(value)} stands for {error.option} = {given}, and {error.why}"
        else:
            asked = given if value is None else shown(value)
            message = f"{asked} cannot be had on the kernel: {error.why}"
            if value is None or error.remedy is not None:
                remedy = error.remedy or shown(PROFILES["linux"][error.option])
                message += f"; write {error.option} = {remedy}"
        raise ScenarioError(message, key=key, value=value, kind="unavailable") from None


def checked_datagrams(app: Stream, key: str) -> Settings:
    """The settings of a UDP stream's hosts.

    Raises
    ------
    ScenarioError
        If datagrams are larger than a packet can be, or have no room for their number.
    """
    largest = app.header_bytes() + app.largest_payload_bytes()
    if not _LEAST_DATAGRAM <= largest <= LARGEST_MTU:
        raise ScenarioError(
            f"datagrams of {largest} bytes with their headers cannot be had on the kernel, only "
            f"{_LEAST_DATAGRAM} to {LARGEST_MTU}",
            key=key,
            kind="unavailable",
        )
    return Settings(max(largest, MTU))


def _origin(scenario: Scenario, index: int, option: str) -> tuple[str, Any]:
    """The key that gave an option of an entry, and the key's value; `None` if it is a default."""
    flow = scenario.flows[index]
    own = own_options(scenario, index)
    if option in own:
        table = "" if getattr(flow, option, None) is not None else "transport."
        return f"flows.{index}.{table}{option}", own[option]
    if flow.cc is not None and option in implied_transport(flow.cc, scenario.finder):
        return f"flows.{index}.cc", flow.cc
    shared = given_options(scenario.transport)
    if option in shared:
        return f"transport.{option}", shared[option]
    if scenario.profile != "linux":
        return "profile", scenario.profile
    return f"transport.{option}", None


def check_record(scenario: Scenario) -> None:
    """Raise if a scenario records something that only the simulator can see.

    Raises
    ------
    ScenarioError
        If `record.samples` is "changes", or `record.decisions` or `record.qlog` names a flow.
    """
    for key in ("decisions", "qlog"):
        value = getattr(scenario.record, key)
        if value:
            raise ScenarioError(
                "the kernel does not tell what its sender decides: leave the key out, or run the "
                "scenario in the simulator",
                key=f"record.{key}",
                value=value,
                kind="unavailable",
            )
    if scenario.record.samples == "changes":
        raise ScenarioError(
            "'changes' cannot be had on the kernel, which is asked from time to time: write a "
            "period, such as '10ms'",
            key="record.samples",
            value="changes",
            kind="unavailable",
        )


def check_size(scenario: Scenario, plan: Plan) -> None:
    """Raise if a plan has too many connections for this machine, or a path without any rate.

    Raises
    ------
    ScenarioError
        If it does; the text has the allowed number of connections, or the name of the flow.
    """
    ends = len(plan["flows"]) + len(plan["streams"])
    _, files = resource.getrlimit(resource.RLIMIT_NOFILE)
    room = (
        _MOST_PORTS
        if files == resource.RLIM_INFINITY
        else (files - _FILES_BESIDES - _FILES_PER_PAIR * _MOST_PAIRS) // _FILES_EACH
    )
    most = min(_MOST_PORTS, room)
    if ends > most:
        raise ScenarioError(
            f"{ends} connections and streams are more than this machine can have open at the same "
            f"time: at most {most}",
            key="flows",
            kind="unavailable",
        )
    rates = [link["rate_bps"] for link in plan["links"]]
    at = 0
    for index, flow in enumerate(scenario.flows):
        if flow.is_stream:
            continue
        count = flow.count * flow.connections
        for connection in plan["flows"][at : at + count]:
            if all(rates[link] is None for link in connection["path"]):
                raise ScenarioError(
                    f"no link on the path of {connection['name']} has a rate, so that this machine "
                    "would be the bottleneck: give one a rate",
                    key=f"flows.{index}",
                    kind="unavailable",
                )
        at += count
