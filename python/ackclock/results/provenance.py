"""Provenance of a run on a real kernel (linux.json), and the signs of a disturbed run.

The types are the documentation of linux.json.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict

from ackclock.atomic_io.reading import shaped
from ackclock.tables.quantities import Quantity, one_unit, quantity

_STRICT = ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True)

LATE_S = 1e-3
"""A later 99th percentile of hand-overs means a disturbed run, s."""

LATE_SHARE = 0.02
"""A later 99th percentile, as a share of the shortest base RTT, disturbs a run: for a while a
window has that much more room.
"""

STALL_SHARE = 0.25
"""A hand-over that is later than this share of the shortest base RTT, and than `STALL_S`, is a
stall that a sender can take for congestion. So is one in which the smallest buffer drains: the
packets behind it come at once, and fill a buffer of that time.
"""

STALL_S = 5e-3

STALLED_PACKETS = 1e-4
"""Largest harmless share of packets that are stalled or taken for ones sent later."""

CLOCK_STEP_S = 1e-4
"""A larger step of the clock (s) disturbs a run: timestamps before and after it do not compare."""

STOLEN_SHARE = 0.01
"""If a hypervisor gives a larger share of processor time to others, that may have disturbed a run.
"""

VIRTUAL = "virtual time"
"""Scheduling class of a thread on a kernel whose clock stands still while threads run."""

_FEW = f"more than one packet in {1 / STALLED_PACKETS:,.0f}".replace(",", " ")

_AGAIN = "run it again while nothing else keeps this machine busy"


@with_config(_STRICT)
class Lateness(TypedDict):
    """Delays of packets from their due time to their hand-over to the kernel, s."""

    mean: Annotated[float, Field(description="Mean, s.")]
    p50: Annotated[float, Field(description="Median, s.")]
    p95: Annotated[float, Field(description="95th percentile, s.")]
    p99: Annotated[float, Field(description="99th percentile, s.")]
    p999: Annotated[float, Field(description="99.9th percentile, s.")]
    p9999: Annotated[NotRequired[float], Field(description="99.99th percentile, s.")]
    """Missing in results of earlier versions."""
    max: Annotated[float, Field(description="The latest, s.")]


@with_config(_STRICT)
class CpuSeconds(TypedDict):
    """Processor time of each thread, s."""

    emulator: Annotated[float, Field(description="The network's.")]
    senders: Annotated[float, Field(description="Processor time of the sending applications.")]
    receivers: Annotated[float, Field(description="Processor time of the receiving applications.")]


@with_config(_STRICT)
class FirstPacket(TypedDict):
    """The first packet of a flow."""

    flow: Annotated[str, Field(description="Name of the flow.")]
    time: Annotated[
        float,
        Field(
            description="Time at which the packet entered the network, s from the start of the run."
        ),
    ]


@with_config(_STRICT)
class Build(TypedDict):
    """A kernel for virtual time, as it was built."""

    hz: Annotated[int, Field(description="Ticks per second.")]
    digest: Annotated[
        str, Field(description="Digest of its program and its configuration, hexadecimal.")
    ]


@with_config(_STRICT)
class Provenance(TypedDict):
    """Provenance of a run on a kernel: its release, and how exact the timing was."""

    release: Annotated[str, Field(description="The kernel, as `uname -r` names it.")]
    build: Annotated[
        NotRequired[Build], Field(description="The kernel's build, if it ran in virtual time.")
    ]
    is_rootless: Annotated[
        bool, Field(description="Whether the run used a user namespace, without root.")
    ]
    emulator_scheduling: Annotated[
        str, Field(description="Scheduling class of the network's thread.")
    ]
    endpoint_scheduling: Annotated[
        str, Field(description="Scheduling class of the applications' threads.")
    ]
    lateness: Annotated[Lateness, Field(description="Delays of the packets that were handed over.")]
    handed_over: Annotated[int, Field(description="Packets handed over to the kernel.")]
    late_packets: Annotated[int, Field(description="Packets handed over more than 1 ms late.")]
    ring_dropped: Annotated[
        int,
        Field(
            description="Packets of the hosts that were lost unseen, because the receive ring was "
            "full."
        ),
    ]
    refused: Annotated[
        int, Field(description="Packets lost at their hand-over, because the host had no room.")
    ]
    entry_late_max: Annotated[
        float,
        Field(
            description="Largest delay between a packet's kernel timestamp and its (late) entry "
            "into the model, s."
        ),
    ]
    late_entries: Annotated[
        NotRequired[int],
        Field(
            description="Packets that entered the model more than 1 ms after their kernel "
            "timestamp."
        ),
    ]
    """Missing in results of earlier versions."""
    sample_late_max: Annotated[
        float,
        Field(
            description="Largest delay between the due time of a flow's sample and its reading, s."
        ),
    ]
    late_start: Annotated[
        float,
        Field(
            description="Delay after the start until all hosts were ready, s; 0: they were ready "
            "in time."
        ),
    ]
    broken: Annotated[
        list[str], Field(description="Connections that the kernel gave up: flow and reason.")
    ]
    cpu_seconds: Annotated[
        CpuSeconds, Field(description="Processor time of each thread; 0 in virtual time.")
    ]
    first_packets: Annotated[
        NotRequired[list[FirstPacket]],
        Field(
            description="First packets of flows that share their start time with another flow, in "
            "order of time."
        ),
    ]
    """Missing in results of earlier versions."""
    clock_step: Annotated[
        float, Field(description="Step by which the clock was set during the run, s.")
    ]
    links: Annotated[
        NotRequired[Literal["kernel"]],
        Field(
            description="The network between the hosts if it is not the simulator's: the kernel's "
            "own links, which hand over every packet themselves."
        ),
    ]
    qdisc: Annotated[
        NotRequired[str],
        Field(
            description="Discipline of the kernel, in tc's words, that stood in for the scenario's "
            "at its bottlenecks."
        ),
    ]
    stolen: Annotated[
        float,
        Field(
            description="Share of the processors' time that a hypervisor gave to others (steal in "
            "proc(5))."
        ),
    ]


def check_provenance(provenance: object, file: object = "linux.json") -> Provenance:
    """Return the value of a file as the content of linux.json.

    Raises
    ------
    DamagedError
        If it is none; the text names the first fault.
    """
    return shaped(provenance, Provenance, file, "the provenance of a run")


def disturbances(
    provenance: Provenance, base_rtts: Sequence[float], drain: float | None = None
) -> list[str]:
    """Return why the timing of a run is not reliable, a sentence each with advice.

    Parameters
    ----------
    `provenance`
        Provenance of the run, as in linux.json.
    base_rtts
        Base RTTs of the run's flows, s.
    drain
        Time in which the smallest buffer of a bottleneck drains, s; None: it has no limit.
    """
    again = _AGAIN
    if provenance["stolen"] > STOLEN_SHARE:
        again += (
            f" (meanwhile the hypervisor gave {provenance['stolen']:.0%} of its time to others)"
        )
    return [
        f"The timing was disturbed: {reason}; {again}."
        for reason in _reasons(provenance, min(base_rtts, default=None), drain)
    ]


def _reasons(provenance: Provenance, shortest: float | None, drain: float | None) -> Iterator[str]:
    late, short = (
        provenance["lateness"],
        "" if shortest is None else f"the shortest base RTT, {quantity(shortest, 's')}",
    )
    bound, of_what = LATE_S, quantity(LATE_S, "s")
    if shortest is not None and LATE_SHARE * shortest < LATE_S:
        bound, of_what = LATE_SHARE * shortest, f"{LATE_SHARE:.0%} of {short}"
    if late["p99"] > bound:
        yield (
            f"one in a hundred packets was handed over {quantity(late['p99'], 's')} late or later, "
            f"more than {of_what}"
        )
    stall = late.get("p9999", late["max"])
    bound, than = STALL_S, quantity(STALL_S, "s")
    if shortest is not None and STALL_SHARE * shortest > STALL_S:
        bound, than = STALL_SHARE * shortest, f"{STALL_SHARE:.0%} of {short}"
    if drain is not None and drain < bound:
        bound, than = drain, f"the {quantity(drain, 's')} in which the smallest buffer drains"
    if stall > bound:
        yield f"{_FEW} was handed over {quantity(stall, 's')} late or later, more than {than}"
    if provenance["ring_dropped"]:
        count = provenance["ring_dropped"]
        yield (
            f"{count} packet{'s' if count > 1 else ''} that the hosts sent came too fast to be seen"
        )
    if provenance["refused"]:
        count = provenance["refused"]
        yield f"{count} packet{'s' if count > 1 else ''} came too fast for a host to take"
    late_entry = provenance["entry_late_max"]
    if (
        late_entry > LATE_S
        and provenance.get("late_entries", math.inf) > STALLED_PACKETS * provenance["handed_over"]
    ):
        yield (
            f"{_FEW} was taken for one that was sent up to {quantity(late_entry, 's')} later, more "
            f"than {quantity(LATE_S, 's')}"
        )
    if provenance["late_start"]:
        yield f"the hosts stood only {quantity(provenance['late_start'], 's')} after the start"
    for connection in provenance["broken"]:
        yield f"the kernel gave up a connection ({connection})"
    if abs(provenance["clock_step"]) > CLOCK_STEP_S:
        yield f"the clock was set by {quantity(abs(provenance['clock_step']), 's')}"


def engine_of(provenance: "Provenance | None") -> str:
    """Return the engine of a run, as summary.json names it."""
    if provenance is None:
        return "simulator"
    build = f" (build {provenance['build']['digest'][:12]})" if "build" in provenance else ""
    virtual = ", virtual time" if is_virtual(provenance) else ""
    links = ", the kernel's links" if has_own_links(provenance) else ""
    links += f" with {provenance['qdisc']}" if "qdisc" in provenance else ""
    return f"linux {provenance['release']}{build}{virtual}{links}"


def is_virtual(provenance: Provenance) -> bool:
    """Whether the kernel's clock jumped from event to event."""
    return provenance["emulator_scheduling"] == VIRTUAL


def has_own_links(provenance: Provenance) -> bool:
    """Whether the network was the kernel's own, so that nothing handed packets over."""
    return provenance.get("links") == "kernel"


def timing_line(provenance: Provenance, end_time: float) -> str:
    """Return how exact a run's timing was, in a line."""
    late, cpu = provenance["lateness"], provenance["cpu_seconds"]
    seconds = cpu["emulator"] + cpu["senders"] + cpu["receivers"]
    parts = [
        f"Linux {provenance['release']}",
        "the kernel's links" + (f" with {provenance['qdisc']}" if "qdisc" in provenance else "")
        if has_own_links(provenance)
        else (
            f"handed over {quantity(late['p50'], 's')} late (p50), {quantity(late['p99'], 's')} "
            f"(p99), {quantity(late['max'], 's')} at most"
        ),
        *(
            []
            if is_virtual(provenance)
            else [f"{quantity(seconds / end_time if end_time > 0.0 else None, '%')} of a core"]
        ),
        provenance["emulator_scheduling"] + (", rootless" if provenance["is_rootless"] else ""),
    ]
    return " · ".join(parts)


_LATENESS = {
    "mean": "mean",
    "p50": "p50",
    "p95": "p95",
    "p99": "p99",
    "p999": "p99.9",
    "p9999": "p99.99",
    "max": "at most",
}


def _build(provenance: Provenance) -> str:
    if "build" not in provenance:
        return ""
    return f", {provenance['build']['hz']} Hz, build {provenance['build']['digest'][:12]}"


def timing_table(provenance: Provenance) -> list[tuple[str, str]]:
    """Return how exact a kernel run's timing was, a row per figure; delays share one unit."""
    late, cpu = provenance["lateness"], provenance["cpu_seconds"]
    delays: list[Any] = [
        *(late.get(name) for name in _LATENESS),
        provenance["entry_late_max"],
        provenance["sample_late_max"],
    ]
    *lateness, entry, samples = (
        text for (text,) in one_unit([[Quantity(delay, "s")] for delay in delays])
    )
    return [
        ("kernel", provenance["release"] + _build(provenance)),
        ("rights", "a user namespace" if provenance["is_rootless"] else "root"),
        ("scheduling of the network", provenance["emulator_scheduling"]),
        ("scheduling of the applications", provenance["endpoint_scheduling"]),
        *(
            [("links", "the kernel's")]
            if has_own_links(provenance)
            else [
                ("packets handed over", str(provenance["handed_over"])),
                *(
                    (f"late, {name}", text)
                    for name, text in zip(_LATENESS.values(), lateness, strict=True)
                ),
                ("more than 1 ms late", str(provenance["late_packets"])),
                ("too fast for a host", str(provenance["refused"])),
                ("stamp to entry, at most", entry),
            ]
        ),
        ("sent by a host and never seen", str(provenance["ring_dropped"])),
        ("samples late, at most", samples),
        ("processor time of the network", quantity(cpu["emulator"], "s")),
        ("processor time of senders", quantity(cpu["senders"], "s")),
        ("processor time of receivers", quantity(cpu["receivers"], "s")),
        ("clock set by", quantity(provenance["clock_step"], "s")),
        ("taken by the hypervisor", quantity(provenance["stolen"], "%")),
    ]
