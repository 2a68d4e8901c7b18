"""The plan of a run on the kernel: the simulator's plan, and settings of hosts and sockets.

Keys are those of ``crates/linux/src/plan.rs``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ackclock.core_types.linux_plan import LinuxPlan
from ackclock.engine.linux.links import KERNEL, OURS, check_tool, kernel_links
from ackclock.engine.linux.machine import kernel as this_kernel
from ackclock.engine.linux.refuse import (
    check_record,
    check_size,
    checked_cc,
    checked_datagrams,
    checked_settings,
)
from ackclock.scenario.app import Stream
from ackclock.scenario.errors import ScenarioError

if TYPE_CHECKING:
    from ackclock.core_types.linux_plan import HostPlan, KernelFlow
    from ackclock.core_types.plan import Plan
    from ackclock.engine.linux.machine import Kernel
    from ackclock.scenario.scenario import Scenario

__all__ = ["LinuxPlan", "linux_plan"]

# Up to so many connections and streams have a pair of hosts each, so that the kernel's counters of
# a host are those of one flow.
_OWN_HOSTS = 32


def linux_plan(
    scenario: Scenario, kernel: Kernel | None = None, *, links: str = OURS, qdisc: str | None = None
) -> LinuxPlan:
    """The plan of a scenario on a kernel, by default this machine's.

    Parameters
    ----------
    scenario
        The scenario.
    kernel
        The kernel.
    links
        The network between the hosts: "ours", the simulator's links, or "kernel", the kernel's.
    qdisc
        A discipline of the kernel in tc's words, such as "cake besteffort", that stands in for the
        scenario's at its bottlenecks; for the kernel's links.

    Raises
    ------
    ScenarioError
        If the scenario is wrong, or the kernel cannot run it.
    LinuxError
        If this machine does not run Linux.

    Examples
    --------
    >>> import ackclock as ac
    >>> from ackclock.engine.linux import Kernel, linux_plan
    >>> scenario = ac.dumbbell(
    ...     rate="10Mbit/s", rtt="40ms", flows=[ac.flow("reno")], duration="5s"
    ... )
    >>> plan = linux_plan(scenario, Kernel("6.18.0", ("reno", "cubic")))
    >>> [flow["cc"] for flow in plan["flows"]]
    ['reno']
    """
    kernel = kernel or this_kernel()
    plan = scenario.plan()
    try:
        check_record(scenario)
        check_size(scenario, plan)
        made = _make(scenario, plan, kernel, by_way=links == KERNEL)
        if links == KERNEL:
            instead = dict.fromkeys(scenario.bottlenecks(), qdisc) if qdisc else None
            made["links"] = kernel_links(plan, instead)
            check_tool(plan, instead)
    except ScenarioError as error:
        raise error.located(scenario.file) from None
    return made


def _make(scenario: Scenario, plan: Plan, kernel: Kernel, *, by_way: bool) -> LinuxPlan:
    hosts = _Hosts(own=len(plan["flows"]) + len(plan["streams"]) <= _OWN_HOSTS)

    def way(*paths: list[int]) -> list[list[int]]:
        # The kernel's links lead packets by their hosts' addresses.
        return list(paths) if by_way else []

    flows: list[KernelFlow] = []
    streams: list[int] = []
    for index, entry in enumerate(scenario.flows):
        if isinstance(entry.app, Stream):
            settings = checked_datagrams(entry.app, f"flows.{index}.app")
            for _ in range(entry.count):
                path = plan["streams"][len(streams)]["path"]
                streams.append(hosts.place(settings.host(), way(path)))
            continue
        cc = checked_cc(scenario, index, kernel)
        for _ in range(entry.count * entry.connections):
            flow = plan["flows"][len(flows)]
            settings = checked_settings(scenario, index, flow["transport"], cc, kernel)
            flows.append(
                {
                    "host": hosts.place(settings.host(), way(flow["path"], flow["reverse_path"])),
                    "cc": cc,
                    "maxseg": settings.maxseg,
                    # Small writes leave at once, as in the simulator.
                    "is_nodelay": flow["app"]["kind"] not in {"bulk", "file"},
                }
            )
    return {"plan": plan, "hosts": hosts.plans, "flows": flows, "streams": streams}


class _Hosts:
    """Pairs of hosts: one per flow, or one for all flows with equal settings and ways."""

    def __init__(self, *, own: bool) -> None:
        self.plans: list[HostPlan] = []
        self._own = own
        self._places: dict[str, int] = {}

    def place(self, plan: HostPlan, way: list[list[int]]) -> int:
        """The index of a pair with these settings, whose packets go this way."""
        key = json.dumps([plan, way], sort_keys=True)
        if self._own or key not in self._places:
            self._places[key] = len(self.plans)
            self.plans.append(plan)
        return self._places[key]
