"""Routes of the flows, and the bottlenecks among their links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.messages import shown
from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.network import Graph, ParkingLot
from ackclock.scenario.topology import DirectedLink, Router, directed_links

if TYPE_CHECKING:
    from ackclock.scenario.base import ScenarioTables
    from ackclock.scenario.flows import Flow

__all__ = ["bottlenecks", "bottlenecks_first", "paths"]


def bottlenecks(scenario: ScenarioTables) -> list[str]:
    """Names of the bottlenecks: as declared, or in a graph the slowest links of the paths."""
    network = scenario.network
    if isinstance(network, ParkingLot):
        return [f"bottleneck{index + 1}" for index in range(len(network.bottlenecks))]
    if not isinstance(network, Graph):
        return ["bottleneck"]
    links = directed_links(network)
    return [links[index].name for index in _graph_bottlenecks(scenario, links, Router(links))]


def _graph_bottlenecks(
    scenario: ScenarioTables, links: list[DirectedLink], router: Router
) -> list[int]:
    bottlenecks: set[int] = set()
    for index, flow in enumerate(scenario.flows):
        path, _ = paths(scenario, flow, f"flows.{index}", router)
        rated = [(rate, link) for link in path if (rate := links[link].rate_bps) is not None]
        if rated:
            slowest = min(rate for rate, _ in rated)
            bottlenecks.update(link for rate, link in rated if rate == slowest)
    return sorted(bottlenecks)


def bottlenecks_first(scenario: ScenarioTables, links: list[DirectedLink]) -> list[DirectedLink]:
    """The links with bottlenecks first, otherwise in their order."""
    first = set(bottlenecks(scenario))
    return sorted(links, key=lambda link: link.name not in first)


def paths(
    scenario: ScenarioTables, flow: Flow, key: str, router: Router
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The links of a flow's data, and the links of its ACKs."""
    routers = scenario.routers()
    source, destination = flow.source or routers[0], flow.destination or routers[-1]
    path, back = router.path(source, destination), router.path(destination, source)
    if path is None:
        end = "to" if flow.destination is not None else "from"
        value = destination if end == "to" else source
        raise ScenarioError(
            f"{shown(value)}: no links lead from '{source}' to '{destination}'",
            key=f"{key}.{end}",
            value=value,
        )
    if back is None:
        raise ScenarioError(
            f"{shown(destination)}: no links lead back from '{destination}' to '{source}'",
            key=f"{key}.to",
            value=destination,
        )
    return path, back
