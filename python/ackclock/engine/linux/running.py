"""Run one scenario on this machine's kernel."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ackclock.atomic_io import scratch
from ackclock.engine.linux.capacity import check_capacity
from ackclock.engine.linux.child import work
from ackclock.engine.linux.links import KERNEL, OURS
from ackclock.engine.linux.machine import LinuxError, require_namespaces
from ackclock.engine.linux.plan import linux_plan
from ackclock.engine.linux.virtual.booting import work_in_virtual_time
from ackclock.scenario import Scenario, ScenarioError, load

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ackclock.engine.linux.virtual.kernels import VirtualKernel
    from ackclock.results import Result
    from ackclock.results.provenance import Provenance

__all__ = ["run_on_linux"]


def run_on_linux(
    scenario: Scenario | str | Path,
    *,
    seed: int | None = None,
    progress: Callable[[float], None] | None = None,
    virtual: VirtualKernel | None = None,
    links: str = OURS,
    qdisc: str | None = None,
) -> Result:
    """Run a scenario on this machine's kernel in real time, or on another in virtual time.

    Senders and receivers are sockets of the kernel's TCP in new network namespaces; the links and
    queues between them are the simulator's. Nothing outside of these namespaces is touched, and
    they vanish with the run.

    Parameters
    ----------
    scenario
        A scenario, or the path of its file.
    seed
        Seed that replaces the scenario's.
    progress
        Function that is called ten times a second or more with the share of the run that is done, 0
        to 1. An exception from it ends the run.
    virtual
        Kernel that runs as a process in virtual time, of `ackclock.engine.linux.virtual.kernels`:
        two runs of one seed are equal, however busy the machine is.
    links
        The network between the hosts: "ours", the simulator's links, or, in virtual time, "kernel":
        the kernel's own devices and queueing disciplines.
    qdisc
        A discipline of the kernel in tc's words, such as "cake besteffort", that stands in for the
        scenario's at its bottlenecks; for the kernel's links.

    Returns
    -------
    Result
        A result as of a simulated run. ``engine`` names the kernel, and ``provenance`` says how
        exact the timing was.

    Raises
    ------
    ScenarioError
        If the scenario is wrong, or the kernel cannot run it; nothing has run.
    LinuxError
        If the machine cannot run it: no Linux, no namespaces, or a failure during the run.

    Examples
    --------
    >>> import ackclock as ac
    >>> from ackclock.engine.linux import obstacle, run_on_linux
    >>> short = ac.dumbbell(rate="5Mbit/s", rtt="20ms", flows=[ac.flow("reno")], duration="1s")
    >>> obstacle() is not None or run_on_linux(short).value("goodput") > 0
    True
    """
    from ackclock import _core
    from ackclock.results import Result

    if not isinstance(scenario, Scenario):
        scenario = load(scenario)
    if seed is not None:
        scenario = scenario.replace({"seed": seed})
    if links == KERNEL and virtual is None:
        raise LinuxError(
            "the kernel's links need exact timers, which only a kernel in virtual time has: add "
            "--virtual, or leave --links kernel out"
        )
    if qdisc is not None and links != KERNEL:
        raise LinuxError("a discipline in tc's words needs the kernel's links: add --links kernel")
    kernel = None if virtual is None else virtual.kernel
    plan = linux_plan(scenario, kernel, links=links, qdisc=qdisc)
    if virtual is None:
        require_namespaces()
        check_capacity(scenario, plan["plan"])
    # Removed at the end of this process, or by a later run if the process is killed.
    with scratch() as staging:
        folder = staging.new
        (folder / "plan.json").write_text(json.dumps(plan, allow_nan=False), encoding="utf-8")
        try:
            if virtual is None:
                answer = work([str(folder)], progress)
            else:
                answer = work_in_virtual_time(
                    virtual.folder, folder, "run", seed=plan["plan"]["seed"], progress=progress
                )
        except ScenarioError as error:
            raise error.located(scenario.file) from None
        core = _core.run_from_bytes(json.dumps(plan["plan"]), (folder / "run").read_bytes())
    provenance: Provenance = answer["provenance"]
    if virtual is not None:
        provenance["build"] = virtual.build
    if qdisc is not None:
        provenance["qdisc"] = qdisc
    return Result(scenario, plan["plan"], core, answer["timing"], provenance=provenance)
