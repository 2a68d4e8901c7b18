"""What a scenario asks for that the kernel cannot do, said by name before anything starts."""

from __future__ import annotations

import resource
from typing import TYPE_CHECKING, Any

from ackclock.linux.names import CannotHaveError, kernel_name
from ackclock.linux.transport import LARGEST_MTU, MTU, Impossible, Settings, settings
from ackclock.scenario.errors import ScenarioError, shown
from ackclock.scenario.options import flow_options, given_options, own_options
from ackclock.scenario.profiles import PROFILES, implied_transport

if TYPE_CHECKING:
    from ackclock.linux.machine import Kernel
    from ackclock.scenario.app import Stream
    from ackclock.scenario.plan import Plan
    from ackclock.scenario.scenario import Scenario

__all__ = ["check_record", "check_size", "checked_cc", "checked_datagrams", "checked_settings"]

# IPv4, UDP, and what tells the network which datagram it is.
_LEAST_DATAGRAM = 28 + 16
# Receivers listen at ports from 10 000 on, one per connection and stream.
_MOST_PORTS = 65_535 - 10_000
# Per connection: both ends, where it is listened for, and for a session two sockets ahead and their namespace; a stream has fewer.
# And what a run has besides.
_FILES_EACH, _FILES_BESIDES = 6, 200
# A pair of hosts has six descriptors at most.
_FILES_PER_PAIR, _MOST_PAIRS = 8, 32


def checked_cc(scenario: Scenario, index: int, kernel: Kernel) -> str:
    """The kernel's name of an entry's congestion control.

    Raises
    ------
    ScenarioError
        If the kernel does not have it.
    """
    spec = scenario.flows[index].cc
    assert spec is not None
    try:
        return kernel_name(spec, kernel)
    except CannotHaveError as error:
        raise ScenarioError(f"{shown(spec)} cannot run on the kernel: {error}", key=f"flows.{index}.cc", value=spec) from None


def checked_settings(scenario: Scenario, index: int, transport: Plan, cc: str, kernel: Kernel) -> Settings:
    """What tells the kernel the transport options of an entry.

    Raises
    ------
    ScenarioError
        If it cannot be told one of them.
    """
    options = flow_options(scenario, index)
    try:
        return settings(options, transport, cc, kernel)
    except Impossible as error:
        key, value = _origin(scenario, index, error.option)
        if key == "profile":
            raise ScenarioError(
                f"{shown(value)} cannot run on the kernel: it has {error.option} = {shown(options.get(error.option))}, and {error.why}; "
                "write profile = 'linux'",
                key=key,
                value=value,
            ) from None
        if key.endswith(".cc"):
            stands = f"{error.option} = {shown(options[error.option])}"
            raise ScenarioError(f"{shown(value)} stands for {stands}, and {error.why}", key=key, value=value) from None
        hint = f"; write {error.option} = {shown(PROFILES['linux'][error.option])}" if value is None else ""
        of = shown(options.get(error.option)) if value is None else shown(value)
        raise ScenarioError(f"{of} cannot be had on the kernel: {error.why}{hint}", key=key, value=value) from None


def checked_datagrams(app: Stream, key: str) -> Settings:
    """What the hosts of a UDP stream are told.

    Raises
    ------
    ScenarioError
        If its datagrams are larger than a packet can be, or smaller than what they carry.
    """
    largest = app.header_bytes() + app.largest_payload_bytes()
    if not _LEAST_DATAGRAM <= largest <= LARGEST_MTU:
        raise ScenarioError(
            f"datagrams of {largest} bytes with their headers cannot be had on the kernel, only {_LEAST_DATAGRAM} to {LARGEST_MTU}", key=key
        )
    return Settings(max(largest, MTU))


def _origin(scenario: Scenario, index: int, option: str) -> tuple[str, Any]:
    """Where an option of an entry was given, and as what; `None`: nowhere, it follows from another."""
    flow = scenario.flows[index]
    own = own_options(scenario, index)
    if option in own:
        short = getattr(flow, option, None) is not None
        return (f"flows.{index}.{option}" if short else f"flows.{index}.transport.{option}"), own[option]
    if flow.cc is not None and option in implied_transport(flow.cc, scenario.finder):
        return f"flows.{index}.cc", flow.cc
    shared = given_options(scenario.transport)
    if option in shared:
        return f"transport.{option}", shared[option]
    if scenario.profile != "linux":
        return "profile", scenario.profile
    return f"transport.{option}", None


def check_record(scenario: Scenario) -> None:
    """Raise if something shall be recorded that only a simulator sees.

    Raises
    ------
    ScenarioError
        Which.
    """
    if scenario.record.samples == "changes":
        raise ScenarioError(
            "'changes' cannot be had on the kernel, which is asked from time to time: write a period, such as '10ms'",
            key="record.samples",
            value="changes",
        )


def check_size(scenario: Scenario, plan: Plan) -> None:
    """Raise if there is more of something than this machine can have, or no link that would limit a flow.

    Raises
    ------
    ScenarioError
        Of what, and how many can be had.
    """
    ends = len(plan["flows"]) + len(plan["streams"])
    _, files = resource.getrlimit(resource.RLIMIT_NOFILE)
    room = _MOST_PORTS if files == resource.RLIM_INFINITY else (files - _FILES_BESIDES - _FILES_PER_PAIR * _MOST_PAIRS) // _FILES_EACH
    most = min(_MOST_PORTS, room)
    if ends > most:
        raise ScenarioError(
            f"{ends} connections and streams are more than this machine can have open at the same time: at most {most}", key="flows"
        )
    rates = [link["rate_bps"] for link in plan["links"]]
    at = 0
    for index, flow in enumerate(scenario.flows):
        if flow.is_stream:
            continue
        count = flow.count * flow.connections
        for one in plan["flows"][at : at + count]:
            if all(rates[link] is None for link in one["path"]):
                raise ScenarioError(
                    f"no link on the path of {one['name']} has a rate, so that this machine would be the bottleneck: give one a rate",
                    key=f"flows.{index}",
                )
        at += count
