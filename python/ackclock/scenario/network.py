"""Networks: dumbbell, parking lot, and any graph."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from ackclock.messages import did_you_mean
from ackclock.scenario.errors import problem
from ackclock.scenario.flows import Access
from ackclock.scenario.impairment import Wire
from ackclock.scenario.limit import LinkLimit
from ackclock.scenario.loss import Loss
from ackclock.scenario.names import Name
from ackclock.scenario.policer import Policer
from ackclock.scenario.qdisc import Fifo, Qdisc
from ackclock.scenario.quantities import Time
from ackclock.scenario.rate import LinkOutages, LinkRate, OptionalLinkRate
from ackclock.scenario.slot import Slot
from ackclock.scenario.table import Table, short_form

__all__ = ["Bottleneck", "Dumbbell", "Graph", "Link", "Network", "Node", "ParkingLot", "Reverse"]


class Reverse(Wire):
    """The other direction of a link, by default with the same rate, delay, queue and outages.

    Policers, losses and impairments of the wire are not taken over.
    """

    rate: OptionalLinkRate | None = None
    """Line rate."""
    delay: Time | None = None
    """Propagation delay, one way."""
    qdisc: Qdisc | None = None
    """Queue discipline."""
    limit: LinkLimit | None = None
    """Most that may wait in the queue."""
    policer: Policer | None = None
    """Policer before the queue."""
    loss: Loss | None = None
    """Loss on the wire."""
    outages: LinkOutages | None = None
    """Times when this direction is down; [] for never."""
    slot: Slot | None = None
    """Batches in which packets leave."""


class Bottleneck(Wire):
    """A link between two routers, in both directions."""

    rate: LinkRate
    """Line rate, such as "10Mbit/s".

    It varies with { schedule = [["0s", "10Mbit/s"], ["10s", "2Mbit/s"]] } or { trace = "FILE" }.
    """
    delay: Time
    """Propagation delay, one way, such as "25ms"."""
    qdisc: Qdisc = Fifo.model_construct(kind="fifo")
    """Queue discipline: "fifo", "red" or a table of its options, { kind = "red", ecn = true }."""
    limit: LinkLimit | None = None
    """Most that may wait besides the packet being sent (default: tc's for the discipline, or 1bdp).

    A bdp is the rate times the mean base RTT of the flows that cross. The limit of a fifo varies
    with { schedule = [["0s", "1bdp"], ["30s", "8bdp"]] }.
    """
    policer: Policer | None = None
    """Policer before the queue, such as { rate = "5Mbit/s", burst = "50kB" }."""
    loss: Loss | None = None
    """Loss on the wire, such as { kind = "bernoulli", p = 0.01 }."""
    outages: LinkOutages | None = None
    """Times when both directions are down: [["5s", "7s"]], or { windows = ..., lossy = true }."""
    slot: Slot | None = None
    """Batches in which packets leave: "10ms", or { min_delay = "5ms", max_delay = "20ms" }."""
    reverse: Reverse | None = None
    """Options that differ in the other direction."""


class Dumbbell(Table):
    """Two routers, left and right, with the bottleneck between them."""

    kind: Literal["dumbbell"]
    """Kind of the network."""
    bottleneck: Bottleneck
    """Link of all flows: 'bottleneck' from left to right, 'bottleneck.reverse' back."""
    access: Access | None = None
    """Access links of every flow that gives none."""


class ParkingLot(Table):
    """Routers r1, r2, ... in a row, with a bottleneck from each to the next."""

    kind: Literal["parking-lot"]
    """Kind of the network."""
    bottlenecks: list[Bottleneck] = Field(min_length=1)
    """The links bottleneck1 (r1 to r2), bottleneck2 (r2 to r3), ..."""
    access: Access | None = None
    """Access links of every flow that gives none."""


class Node(Table):
    """A router."""

    name: Name
    """Name of the router."""


class Link(Wire):
    """A link of a graph, in both directions."""

    name: Name | None = None
    """Name of the link (default FROM-TO); the other direction is NAME.reverse."""
    source: Name = Field(alias="from")
    """Node at which the link begins."""
    destination: Name = Field(alias="to")
    """Node at which the link ends."""
    rate: OptionalLinkRate = "unlimited"
    """Line rate; on an unlimited link nothing ever waits."""
    delay: Time
    """Propagation delay, one way."""
    qdisc: Qdisc = Fifo.model_construct(kind="fifo")
    """Queue discipline."""
    limit: LinkLimit | None = None
    """Most that may wait in the queue (default: a bottleneck's, or unlimited if the rate is)."""
    policer: Policer | None = None
    """Policer before the queue."""
    loss: Loss | None = None
    """Loss on the wire."""
    outages: LinkOutages | None = None
    """Times when both directions are down."""
    slot: Slot | None = None
    """Batches in which packets leave."""
    reverse: Reverse | Literal[False] | None = None
    """Options that differ in the other direction; false: a link in one direction."""

    @property
    def label(self) -> str:
        """Name of the link, by default FROM-TO."""
        return self.name or f"{self.source}-{self.destination}"


class Graph(Table):
    """Any network of nodes and links; packets take the path of least delay."""

    kind: Literal["graph"]
    """Kind of the network."""
    nodes: list[Annotated[Node, short_form("name", str, schema=Name | Node)]] = Field(min_length=2)
    """The nodes, [[nodes]] with a name each, or a list of names."""
    links: list[Link] = Field(min_length=1)
    """The links, [[links]] with from = "a", to = "b", rate = "10Mbit/s", delay = "10ms"."""
    access: Access | None = None
    """Access links of every flow that gives none."""

    @model_validator(mode="after")
    def _consistent(self) -> Graph:
        names = [node.name for node in self.nodes]
        for index, name in enumerate(names):
            if name in names[:index]:
                raise problem(
                    f"'{name}' names two nodes: each needs its own name", key=f"nodes.{index}.name"
                )
        labels: list[str] = []
        for index, link in enumerate(self.links):
            for end, name in (("from", link.source), ("to", link.destination)):
                if name not in names:
                    raise problem(
                        f"there is no node '{name}', only "
                        f"{', '.join(names)}{did_you_mean(name, names)}",
                        key=f"links.{index}.{end}",
                        kind="unknown-name",
                    )
            if link.source == link.destination:
                raise problem(
                    f"'{link.destination}' is also where the link begins", key=f"links.{index}.to"
                )
            if link.label in labels:
                raise problem(
                    f"'{link.label}' names two links: each needs its own name",
                    key=f"links.{index}.name",
                )
            labels.append(link.label)
        return self


def _check_kind(value: Any) -> Any:
    if isinstance(value, dict) and "kind" not in value:
        raise problem(
            'missing; write kind = "dumbbell", "parking-lot" or "graph"', key="kind", kind="missing"
        )
    return value


Network = Annotated[
    Annotated[Dumbbell | ParkingLot | Graph, Field(discriminator="kind")],
    BeforeValidator(_check_kind),
]
