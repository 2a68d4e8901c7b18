"""The scenario's links as the kernel's own: devices and queueing disciplines, set up by ``tc``.

Keys are those of ``KernelLink`` in ``crates/linux/src/plan.rs``.
"""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from typing import TYPE_CHECKING

from ackclock.results.queue_limits import full_packets
from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.tc import commands_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ackclock.core_types.linux_plan import KernelLink
    from ackclock.core_types.plan import ImpairmentPlan, LinkPlan, Plan
    from ackclock.scenario.tc import LinkCommands

__all__ = ["KERNEL", "LINKS", "OURS", "check_tool", "kernel_links", "remarks"]

OURS, KERNEL = "ours", "kernel"
LINKS = (OURS, KERNEL)
"""The networks that a run can have: the simulator's links, and the kernel's own."""

_MOST_LINKS = 5_000
_SIMULATOR = "or leave --links kernel out"


def kernel_links(plan: Plan, instead: Mapping[str, str] | None = None) -> list[KernelLink]:
    """The links of a plan as commands for the kernel.

    Parameters
    ----------
    plan
        The simulator's plan.
    instead
        By a link's name: a discipline in tc's words that stands in for the scenario's.

    Raises
    ------
    ScenarioError
        If the kernel's disciplines cannot be what the scenario says; the text names the link, the
        setting, and the remedy.

    Examples
    --------
    >>> import ackclock as ac
    >>> from ackclock.engine.linux import kernel_links
    >>> scenario = ac.dumbbell(
    ...     rate="10Mbit/s", rtt="40ms", flows=[ac.flow("reno")], duration="5s"
    ... )
    >>> there, _ = kernel_links(scenario.plan())
    >>> " ".join(there["setup"][-1])
    'qdisc add dev DEVICE parent 1:1 handle 2: bfifo limit 50000'
    """
    if len(plan["links"]) > _MOST_LINKS:
        raise _refused(f"{len(plan['links'])} links are more than {_MOST_LINKS}", "use fewer")
    if plan["record"].get("packet_links"):
        raise ScenarioError(
            "the kernel's links tell of no packet why it was dropped: record packets at hosts, "
            f"{_SIMULATOR}",
            key="record.packets",
            kind="unavailable",
        )
    links: list[KernelLink] = []
    for link, commands in _translated(plan, instead):
        for why, remedy in (*commands.obstacles, *_obstacles(link)):
            raise _refused(f"link {link['name']}: {why}", remedy)
        links.append(
            {
                "setup": [list(words) for words in commands.setup],
                "later": _steps(commands, plan["duration_ps"]),
                "drops_at_departure": commands.drops_at_departure,
                "reorders": any(map(_reorders, link.get("impairments") or [])),
            }
        )
    return links


def remarks(plan: Plan, instead: Mapping[str, str] | None = None) -> list[str]:
    """Sentences on what the kernel's links do otherwise than the scenario says, each once.

    Examples
    --------
    >>> import ackclock as ac
    >>> from ackclock.engine.linux import remarks
    >>> scenario = ac.dumbbell(
    ...     rate="10Mbit/s", rtt="40ms", flows=[ac.flow("reno")], duration="5s"
    ... )
    >>> remarks(scenario.plan(), {"bottleneck": "cake besteffort"})
    ["bottleneck: cake besteffort stands in for the scenario's discipline."]
    """
    links: dict[str, list[str]] = {}
    for name, words in (instead or {}).items():
        links[f"{words} stands in for the scenario's discipline."] = [name]
    for link, commands in _translated(plan, instead):
        for note in commands.notes:
            links.setdefault(note, []).append(link["name"])
    return [f"{', '.join(names)}: {note}" for note, names in links.items()]


def _translated(
    plan: Plan, instead: Mapping[str, str] | None
) -> Iterator[tuple[LinkPlan, LinkCommands]]:
    for link, size in zip(plan["links"], full_packets(plan), strict=True):
        words = tuple((instead or {}).get(link["name"], "").split())
        yield link, commands_of(link, size, exact=True, words=words)


def _refused(why: str, remedy: str) -> ScenarioError:
    return ScenarioError(
        f"the kernel's links cannot run it: {why}"
        + (f"; {remedy}, {_SIMULATOR}" if remedy else ""),
        key="network",
        kind="unavailable",
    )


def _reorders(plan: ImpairmentPlan) -> bool:
    return plan["kind"] in ("reorder", "jitter")


def _steps(commands: LinkCommands, duration_ps: int) -> list[list[int | list[str]]]:
    """The commands of all schedules within the run, in order of time."""
    steps: list[tuple[int, list[str]]] = []
    for schedule in commands.later:
        starts = range(0, duration_ps, schedule.period_ps) if schedule.period_ps else (0,)
        steps += [
            (start + at, list(words))
            for start in starts
            for at, words in schedule.steps
            if start + at <= duration_ps
        ]
    steps.sort(key=lambda step: step[0])
    return [[at, words] for at, words in steps]


def _obstacles(link: LinkPlan) -> Iterator[tuple[str, str]]:
    """Why tc's words are not the scenario's link, each with a remedy."""
    service = link.get("service")
    if service is not None and service["kind"] == "trace":
        yield "no discipline plays a trace", "give the link a rate"
    elif service is not None:
        outages = service.get("outages")
        if (outages is not None and outages["windows"]) or any(
            rate == 0 for _, rate in service["rates"]
        ):
            yield "no discipline has a rate of zero", "give it a low rate for that time"
    loss = link.get("loss")
    if loss is not None and loss["kind"] not in ("bernoulli", "gilbert-elliott"):
        yield f"netem has no loss '{loss['kind']}'", "use 'bernoulli' or 'gilbert-elliott'"
    schedules = [_impairment_schedule(plan) for plan in link.get("impairments") or []]
    changes = sum(schedules) + (service is not None) + (link.get("loss_window") is not None)
    if changes > 1:
        yield "netem changes by one schedule, and it has several", "keep one of them"
    for plan in link.get("impairments") or []:
        yield from _impairment_obstacles(plan)


def _impairment_schedule(plan: ImpairmentPlan) -> bool:
    return plan["kind"] in ("delay-schedule", "outage")


def _impairment_obstacles(plan: ImpairmentPlan) -> Iterator[tuple[str, str]]:
    if plan["kind"] == "ecn-rewrite":
        yield "no discipline rewrites the ECN field", "leave ecn-rewrite out"
    elif plan["kind"] in ("corrupt", "duplicate"):
        yield f"'{plan['kind']}' makes packets that nobody counts there", "leave it out"
    elif plan["kind"] == "reorder" and plan.get("extra") is not None:
        yield "netem's reordered packets skip the delay", "leave extra out"
    elif plan["kind"] == "jitter" and plan["delay"]["kind"] not in ("fixed", "uniform", "normal"):
        yield f"netem has no jitter '{plan['delay']['kind']}'", "use 'uniform' or 'normal'"
    elif plan["kind"] == "jitter" and not plan.get("reorder") and plan["delay"]["kind"] != "fixed":
        yield "netem's jitter reorders packets", "write reorder = true"


def check_tool(plan: Plan, instead: Mapping[str, str] | None = None) -> None:
    """Raise unless this machine's ``tc`` knows the disciplines of a plan.

    Raises
    ------
    ScenarioError
        If it does not; the text names the discipline.
    """
    for link, commands in _translated(plan, instead):
        for words in commands.setup:
            if words[0] != "qdisc":
                continue
            kind = _kind(words)
            if not _knows(kind):
                raise _refused(
                    f"link {link['name']}: this machine's tc does not know the discipline {kind}",
                    "install a newer iproute2",
                )


def _kind(words: tuple[str, ...]) -> str:
    """The discipline of a command ``qdisc add dev DEVICE ... handle 1: [stab ...] KIND ...``."""
    if "handle" not in words:
        return words[-1]
    rest = words[words.index("handle") + 2 :]
    return rest[5] if rest[0] == "stab" else rest[0]


@cache
def _knows(kind: str) -> bool:
    tool = shutil.which("tc") or shutil.which("tc", path="/usr/sbin:/sbin")
    if tool is None:
        raise ScenarioError(
            "the kernel's links need the `tc` tool of iproute2, which is not there: install "
            "iproute2 (Debian, Ubuntu: apt-get install iproute2)",
            key="network",
            kind="unavailable",
        )
    # The help of a discipline needs neither rights nor a kernel.
    command = [tool, "qdisc", "add", "dev", "lo", "root", kind, "help"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return "Unknown qdisc" not in run.stderr
