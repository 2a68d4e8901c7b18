"""The entries of flows: routes, options and access links, and the draws of each flow."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ackclock.scenario.distributions import rate_drawer, time_drawer
from ackclock.scenario.flows import Access, Flow
from ackclock.scenario.options import flow_options
from ackclock.scenario.plan.routes import paths
from ackclock.scenario.profiles import Options, visible

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ackclock.scenario.base import ScenarioTables
    from ackclock.scenario.topology import DirectedLink, Router

__all__ = [
    "DrawnFlow",
    "Entry",
    "access_key",
    "connection_names",
    "draw_entries",
    "flow_names",
    "merged_access",
]


@dataclass
class Entry:
    """One entry of flows, with the properties that all its flows share."""

    key: str
    spec: Flow
    name: str
    path: tuple[int, ...]
    reverse_path: tuple[int, ...]
    routers_rtt_ps: int
    slowest_bps: int | None
    options: Options
    access: Access
    flows: list[DrawnFlow] = field(default_factory=list)


@dataclass
class DrawnFlow:
    """One flow, with the values drawn for it."""

    name: str
    connections: list[str]
    """Names of the connections; empty for a UDP stream."""
    start_ps: int
    access_rate_bps: int | None
    access_delay_ps: int
    has_access: bool
    base_rtt_ps: int


def flow_names(entry: str, count: int) -> list[str]:
    """The names of an entry's flows."""
    return [entry] if count == 1 else [f"{entry}.{number}" for number in range(1, count + 1)]


def connection_names(flow: str, connections: int) -> list[str]:
    """The names of the connections that carry a flow; a single one has the flow's name."""
    return (
        [flow]
        if connections == 1
        else [f"{flow}[{number}]" for number in range(1, connections + 1)]
    )


def merged_access(shared: Access | None, own: Access | None) -> Access:
    """The access link of a flow: the flow's options, and the network's where it gives none."""
    given = {} if shared is None else shared.model_dump(exclude_none=True)
    given |= {} if own is None else own.model_dump(exclude_none=True)
    return Access.model_construct(None, **given)


def draw_entries(
    scenario: ScenarioTables, links: list[DirectedLink], router: Router
) -> Iterator[Entry]:
    """Each entry of flows, with the draws of all its flows."""
    for index, (spec, name) in enumerate(zip(scenario.flows, scenario.entry_names(), strict=True)):
        key = f"flows.{index}"
        path, back = paths(scenario, spec, key, router)
        rates = [rate for link in path if (rate := links[link].rate_bps) is not None]
        entry = Entry(
            key=key,
            spec=spec,
            name=name,
            path=path,
            reverse_path=back,
            routers_rtt_ps=sum(links[link].delay_ps for link in path + back),
            slowest_bps=min(rates, default=None),
            options=visible(flow_options(scenario, index)),
            access=merged_access(scenario.network.access, spec.access),
        )
        _draw(entry, scenario.seed, scenario.folder)
        yield entry


def access_key(entry: Entry, name: str) -> str:
    """The key of an access option, at the flow or else in the network."""
    own = entry.spec.access is not None and getattr(entry.spec.access, name) is not None
    return f"{entry.key}.access.{name}" if own else f"network.access.{name}"


def _draw(entry: Entry, seed: int, folder: Path | None) -> None:
    access, spec = entry.access, entry.spec
    has_rate = access.rate not in (None, "unlimited")
    has_access = has_rate or access.delay is not None or access.jitter is not None
    connections = spec.connections
    draw_delay = time_drawer(access.delay or "0s", seed, access_key(entry, "delay"), folder)
    draw_start = time_drawer(spec.start, seed, f"{entry.key}.start", folder)
    draw_rate = rate_drawer(access.rate or "unlimited", seed, access_key(entry, "rate"), folder)
    for number, name in enumerate(flow_names(entry.name, spec.count), start=1):
        # A single flow draws as the first of several, so that raising the count leaves it as it is.
        stream = f"flow/{entry.name}.{number}"
        delay = draw_delay(f"{stream}/access-delay")
        entry.flows.append(
            DrawnFlow(
                name=name,
                connections=connection_names(name, connections),
                start_ps=draw_start(f"{stream}/start"),
                access_rate_bps=draw_rate(f"{stream}/access-rate"),
                access_delay_ps=delay,
                has_access=has_access,
                base_rtt_ps=entry.routers_rtt_ps + 4 * delay,
            )
        )
