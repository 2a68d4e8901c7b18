"""A scenario as the kernel is given it: the simulator's plan, and what only a kernel has to be told.

Its keys are those of ``crates/linux/src/plan.rs``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ackclock.linux.machine import kernel as this_kernel
from ackclock.linux.refuse import check_record, check_size, checked_cc, checked_datagrams, checked_settings
from ackclock.scenario.app import Stream
from ackclock.scenario.errors import ScenarioError

if TYPE_CHECKING:
    from ackclock.linux.machine import Kernel
    from ackclock.scenario.scenario import Scenario

__all__ = ["LinuxPlan", "linux_plan"]

LinuxPlan = dict[str, Any]

# Up to so many connections and streams each has hosts of its own, so that the kernel's counters of a host are those of a flow.
_OWN_HOSTS = 32


def linux_plan(scenario: Scenario, kernel: Kernel | None = None) -> LinuxPlan:
    """The plan of a scenario on a kernel.

    Parameters
    ----------
    scenario
        What shall run.
    kernel
        That of this machine by default.

    Raises
    ------
    ScenarioError
        If anything in the scenario is wrong, or the kernel cannot do it.
    LinuxError
        If this machine has no such kernel.
    """
    kernel = kernel or this_kernel()
    plan = scenario.plan()
    try:
        check_record(scenario)
        check_size(scenario, plan)
        return _make(scenario, plan, kernel)
    except ScenarioError as error:
        raise error.located(scenario.file) from None


def _make(scenario: Scenario, plan: dict[str, Any], kernel: Kernel) -> LinuxPlan:
    hosts = _Hosts(own=len(plan["flows"]) + len(plan["streams"]) <= _OWN_HOSTS)
    flows: list[dict[str, Any]] = []
    streams: list[int] = []
    for index, entry in enumerate(scenario.flows):
        if isinstance(entry.app, Stream):
            told = checked_datagrams(entry.app, f"flows.{index}.app")
            streams += [hosts.place(told.host()) for _ in range(entry.count)]
            continue
        cc = checked_cc(scenario, index, kernel)
        for _ in range(entry.count * entry.connections):
            one = plan["flows"][len(flows)]
            told = checked_settings(scenario, index, one["transport"], cc, kernel)
            # What is written little by little shall leave when it is written, as from the simulator's applications.
            is_nodelay = one["app"]["kind"] not in {"bulk", "file"}
            flows.append({"host": hosts.place(told.host()), "cc": cc, "maxseg": told.maxseg, "is_nodelay": is_nodelay})
    return {"plan": plan, "hosts": hosts.plans, "flows": flows, "streams": streams}


class _Hosts:
    """Pairs of hosts: one per user, or one for all that need the same."""

    def __init__(self, *, own: bool) -> None:
        self.plans: list[dict[str, Any]] = []
        self._own = own
        self._places: dict[str, int] = {}

    def place(self, plan: dict[str, Any]) -> int:
        """The number of a pair like this."""
        key = json.dumps(plan, sort_keys=True)
        if self._own or key not in self._places:
            self._places[key] = len(self.plans)
            self.plans.append(plan)
        return self._places[key]
