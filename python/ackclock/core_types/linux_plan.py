"""Types of a plan, as the kernel's run takes it. Made by ``python tools/border``."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from ackclock.core_types.plan import Plan  # noqa: TC001 pydantic reads it

__all__ = ["HostPlan", "KernelFlow", "KernelLink", "LinuxPlan"]


class LinuxPlan(TypedDict):
    """One run on this machine's kernel."""

    flows: list[KernelFlow]
    """Each flow of the plan."""
    hosts: list[HostPlan]
    """Each pair of hosts: a sender's and a receiver's network namespace."""
    links: NotRequired[list[KernelLink]]
    """Each link of the plan as the kernel's own; empty: the simulator's links."""
    plan: Plan
    """The simulator's plan."""
    streams: NotRequired[list[int]]
    """The host pair of each stream."""


class HostPlan(TypedDict):
    """A pair of hosts, both configured alike."""

    acks_at_once: NotRequired[bool]
    """`quickack` of the hosts' routes: an ACK for each segment."""
    initial_window_packets: NotRequired[int | None]
    """`initcwnd` of the sender's route; absent: the kernel's own."""
    min_rto_ms: NotRequired[int | None]
    """`rto_min` of the sender's route; absent: the kernel's own."""
    mtu: int
    """MTU of the hosts' devices."""
    sysctls: NotRequired[dict[str, str]]
    """Below `net.ipv4.`, by the kernel's names: `tcp_frto = "0"`."""


class KernelFlow(TypedDict):
    """Settings of a flow's sockets."""

    cc: str
    """The kernel's name of its congestion control."""
    host: int
    """Index of the flow's pair of hosts."""
    is_nodelay: NotRequired[bool]
    """`TCP_NODELAY`."""
    maxseg: NotRequired[int | None]
    """`TCP_MAXSEG`."""


class KernelLink(TypedDict):
    """A direction of a link, made of devices and queueing disciplines of the kernel."""

    drops_at_departure: NotRequired[bool]
    """Whether the discipline drops packets when they leave, as `CoDel` does, and not when they
    come.
    """
    later: NotRequired[list[list[int | list[str]]]]
    """Commands for later times after the start, ps, ascending."""
    reorders: NotRequired[bool]
    """Whether the wire may bring packets in another order."""
    setup: list[list[str]]
    """Commands in order, each as the words after `tc`. The device is `DEVICE`, whose discipline is
    the queue, or `WIRE` behind it. A link without commands passes packets on at once.
    """
