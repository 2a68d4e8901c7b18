"""The real kernel: whether scenarios can run on it, and how exact its timing is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.tools.doctor.check import Check

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["kernel_backend"]

_GROUP = "Real kernel"
_DURATION = "1s"
_RTT_S = 0.06


def kernel_backend() -> Iterator[Check]:
    """Look at the kernel, and run a scenario of a second on it."""
    yield _virtual()
    from ackclock.engine.linux import LinuxError, kernel, obstacle

    reason = obstacle()
    if reason is not None:
        why, _, remedy = reason.partition("; ")
        yield Check(_GROUP, "runs scenarios", "absent", f"no: {why}", remedy)
        return
    facts = kernel()
    yield Check(
        _GROUP, "runs scenarios", "fine", f"yes: Linux {facts.release}", "ackclock linux FILE"
    )
    yield Check(
        _GROUP,
        "congestion controls",
        "fine",
        ", ".join(facts.congestion_controls),
        f"root can load more: modprobe tcp_{facts.loadable[0]}"
        + (f", and {len(facts.loadable) - 1} others" if len(facts.loadable) > 1 else "")
        if facts.loadable
        else "",
    )
    try:
        yield from _timing()
    except LinuxError as error:
        yield Check(_GROUP, "timing", "limited", f"not measured: {error}")


def _virtual() -> Check:
    from ackclock.engine.linux import LinuxError
    from ackclock.engine.linux.virtual.kernels import built

    try:
        names = [f"{kernel.name} (Linux {kernel.kernel.release})" for kernel in built()]
    except LinuxError as error:
        return Check(_GROUP, "in virtual time", "limited", f"no: {error}")
    if not names:
        return Check(
            _GROUP, "in virtual time", "absent", "no: no kernel is built", "ackclock kernel build"
        )
    return Check(
        _GROUP, "in virtual time", "fine", ", ".join(names), "ackclock linux FILE --virtual=NAME"
    )


def _timing() -> Iterator[Check]:
    from ackclock.engine.linux import most_packets_per_second, run_on_linux
    from ackclock.results.provenance import disturbances
    from ackclock.scenario import dumbbell, flow
    from ackclock.tables.quantities import quantity

    yield Check(
        _GROUP,
        "carries",
        "fine",
        f"{quantity(most_packets_per_second() * 1500 * 8, 'bit/s')} of full packets in real time",
    )
    scenario = dumbbell(
        name="doctor",
        rate="10Mbit/s",
        rtt=f"{_RTT_S * 1e3:g}ms",
        buffer="1bdp",
        flows=[flow("cubic")],
        duration=_DURATION,
    )
    provenance = run_on_linux(scenario.replace({"record.samples": "10ms"})).provenance
    assert provenance is not None
    late = provenance["lateness"]
    disturbed = disturbances(provenance, [_RTT_S])
    yield Check(
        _GROUP,
        "timing",
        "limited" if disturbed else "fine",
        f"a packet is {quantity(late['mean'], 's')} late on average, "
        f"{quantity(late['p99'], 's')} or less in 99 of 100 cases",
        disturbed[0] if disturbed else "",
    )
