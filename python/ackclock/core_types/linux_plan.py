"""Types of a plan, as the kernel's run takes it. Made by ``python tools/border``."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from ackclock.core_types.plan import Plan  # noqa: TC001 pydantic reads it

__all__ = ["HostPlan", "KernelFlow", "LinuxPlan"]


class LinuxPlan(TypedDict):
    """One run on this machine's kernel."""

    flows: list[KernelFlow]
    """Each flow of the plan."""
    hosts: list[HostPlan]
    """Each pair of hosts: a sender's and a receiver's network namespace."""
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
