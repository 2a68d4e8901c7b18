"""Directed links of a network, and the paths through them."""

from __future__ import annotations

import heapq
import itertools
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from ackclock.messages import shown
from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.impairment import Wire
from ackclock.scenario.network import Bottleneck, Dumbbell, Link, Network, ParkingLot, Reverse
from ackclock.scenario.qdisc import Fifo, Qdisc
from ackclock.scenario.quantities import time_ps
from ackclock.scenario.rate import nominal_bps, service_plan

if TYPE_CHECKING:
    from ackclock.core_types.plan import ServicePlan
    from ackclock.scenario.limit import LimitSchedule
    from ackclock.scenario.loss import LossTable
    from ackclock.scenario.policer import Policer
    from ackclock.scenario.rate import Outages, RateSchedule, RateTrace
    from ackclock.scenario.slot import Slots

__all__ = ["DirectedLink", "Router", "directed_links"]


@dataclass(frozen=True)
class DirectedLink:
    """One direction of a link between two routers."""

    name: str
    source: str
    destination: str
    rate_bps: int | None
    delay_ps: int
    qdisc: Qdisc
    limit: str | LimitSchedule
    loss: LossTable | None
    key: str
    """Key of the link in the scenario, for messages."""
    service: ServicePlan | None = None
    """Varying rate or outages; `rate_bps` is then the nominal rate."""
    lossy_outages: Outages | None = None
    slot: Slots | None = None
    policer: Policer | None = None
    wire: Wire = field(default_factory=Wire.model_construct)
    """Impairments of the wire."""


def _limit(
    given: str | LimitSchedule | None, rate: int | None, qdisc: Qdisc, key: str
) -> str | LimitSchedule:
    if rate is not None or qdisc.shapes:
        return given or qdisc.default_limit
    if given not in (None, "unlimited"):
        value = given if given is None or isinstance(given, str) else given.schedule
        raise ScenarioError(
            f"{shown(value)} has no effect: on a link of unlimited rate nothing ever waits",
            key=f"{key}.limit",
            value=value,
        )
    return "unlimited"


def _service(
    rate: str | RateSchedule | RateTrace, outages: Outages | None, key: str
) -> ServicePlan | None:
    if rate == "unlimited" and outages is not None and outages.windows and not outages.lossy:
        raise ScenarioError(
            "on a link of unlimited rate nothing ever waits, so nothing can wait for an outage's "
            "end: give it a rate, or lossy = true",
            key=f"{key}.outages",
            value=[list(window) for window in outages.windows],
        )
    return service_plan(rate, outages)


def _lossy(outages: Outages | None) -> Outages | None:
    return outages if outages is not None and outages.lossy and outages.windows else None


def _pair(
    name: str, source: str, destination: str, spec: Bottleneck | Link, key: str
) -> list[DirectedLink]:
    rate = nominal_bps(spec.rate)
    forward = DirectedLink(
        name,
        source,
        destination,
        rate,
        time_ps(spec.delay),
        spec.qdisc,
        _limit(spec.limit, rate, spec.qdisc, key),
        spec.loss,
        key,
        _service(spec.rate, spec.outages, key),
        _lossy(spec.outages),
        spec.slot,
        spec.policer,
    )
    if rate is None and not (isinstance(spec.qdisc, Fifo) or spec.qdisc.shapes):
        kind = spec.qdisc.name
        raise ScenarioError(
            f"'{kind}' has no effect: on a link of unlimited rate nothing ever waits",
            key=f"{key}.qdisc",
            value=kind,
        )
    if spec.reverse is False:
        return [replace(forward, wire=spec)]
    other = spec.reverse or Reverse.model_construct()
    other_key = f"{key}.reverse"
    rate_given = spec.rate if other.rate is None else other.rate
    other_rate = nominal_bps(rate_given)
    outages = spec.outages if other.outages is None else other.outages
    given_limit = other.limit if other.limit is not None or other_rate is None else spec.limit
    other_qdisc = spec.qdisc if other.qdisc is None else other.qdisc
    reverse = DirectedLink(
        f"{name}.reverse",
        destination,
        source,
        other_rate,
        forward.delay_ps if other.delay is None else time_ps(other.delay),
        other_qdisc,
        _limit(given_limit, other_rate, other_qdisc, other_key),
        other.loss,
        other_key,
        _service(rate_given, outages, other_key),
        _lossy(outages),
        other.slot,
        other.policer,
    )
    return [replace(forward, wire=spec), replace(reverse, wire=other)]


def directed_links(network: Network) -> list[DirectedLink]:
    """Every direction of every link, in the order of the scenario."""
    if isinstance(network, Dumbbell):
        return _pair("bottleneck", "left", "right", network.bottleneck, "network.bottleneck")
    links: list[DirectedLink] = []
    if isinstance(network, ParkingLot):
        for index, bottleneck in enumerate(network.bottlenecks):
            links += _pair(
                f"bottleneck{index + 1}",
                f"r{index + 1}",
                f"r{index + 2}",
                bottleneck,
                f"network.bottlenecks.{index}",
            )
    else:
        for index, link in enumerate(network.links):
            links += _pair(
                link.label, link.source, link.destination, link, f"network.links.{index}"
            )
    return links


class Router:
    """Paths of least delay, then of fewest links, then of the links declared first."""

    def __init__(self, links: list[DirectedLink]) -> None:
        self._links = links
        self._known: dict[tuple[str, str], tuple[int, ...] | None] = {}
        self._leaving: dict[str, list[int]] = {}
        for index, link in enumerate(links):
            self._leaving.setdefault(link.source, []).append(index)

    def path(self, source: str, destination: str) -> tuple[int, ...] | None:
        """Indices of the links from one router to another; `None` if there is no way."""
        if (source, destination) not in self._known:
            path = self._only_path(source, destination)
            self._known[source, destination] = path or self._least_path(source, destination)
        return self._known[source, destination]

    def _only_path(self, source: str, destination: str) -> tuple[int, ...] | None:
        """The path from a router, if no router on it has two links to choose from."""
        path: list[int] = []
        while source != destination and len(path) < len(self._links):
            match self._leaving.get(source):
                case [only]:
                    path.append(only)
                    source = self._links[only].destination
                case _:
                    return None
        return tuple(path) if source == destination else None

    def _least_path(self, source: str, destination: str) -> tuple[int, ...] | None:
        """The path of least weight (Dijkstra); of two alike, the one that was found first."""
        least = {source: 0}
        paths: dict[str, tuple[int, ...]] = {source: ()}
        done: set[str] = set()
        counter = itertools.count()
        heap = [(0, next(counter), source)]
        while heap:
            weight, _, router = heapq.heappop(heap)
            if router == destination:
                return paths[router]
            if router in done:
                continue
            done.add(router)
            for neighbour, index in self._neighbours.get(router, {}).items():
                there = weight + self._weight(index)
                if neighbour not in least or there < least[neighbour]:
                    least[neighbour] = there
                    paths[neighbour] = (*paths[router], index)
                    heapq.heappush(heap, (there, next(counter), neighbour))
        return None

    def _weight(self, index: int) -> int:
        """Delay first, then the number of links: one integer, so that ties are exact."""
        return self._links[index].delay_ps * (len(self._links) + 1) + 1

    @cached_property
    def _neighbours(self) -> dict[str, dict[str, int]]:
        """The best link from each router to each of its neighbours, in the order of the links."""
        neighbours: dict[str, dict[str, int]] = {}
        for index, link in enumerate(self._links):
            leaving = neighbours.setdefault(link.source, {})
            parallel = leaving.get(link.destination)
            if parallel is None or self._weight(index) < self._weight(parallel):
                leaving[link.destination] = index
        return neighbours
