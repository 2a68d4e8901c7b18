"""The benchmark's workloads as the peers are told of them: a chain of nodes, and flows from one node to another.

A job is lines of a word and its values, which C++ and Tcl read alike:

    seconds S                          simulated
    buffer BYTES                       of a socket that has one (ns-3)
    hosts N                            on each side of a chain of one link (ns-3; 0: flows begin and end at the nodes of the chain)
    link BPS DELAY_S PACKETS QDISC P   from node n to n + 1, and back; its queue; the share that its wire loses
    flow CC FIRST LAST START_S         from node to node
"""

from __future__ import annotations

import json
import math
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from workloads import WORKLOADS, Workload

NS3, NS2 = "ns-3", "ns-2"
PACKET = 1500
PACKETS = {NS3: 150_000, NS2: 1_500_000}
"""How many packets a peer's bottleneck gets the time for: each needs seconds for them. Ours runs for the same simulated time."""
SECONDS = {("w5-twenty-thousand-cubic", NS3): 2.0, ("w5-twenty-thousand-cubic", NS2): 3.0}
"""Where that would end too soon after the last flow's start, or take too long."""
ROUNDS = {("w5-twenty-thousand-cubic", NS3): 1, ("w5-twenty-thousand-cubic", NS2): 1}
"""At most so many, where a round takes minutes (ns-2: of creating the agents, which is not counted)."""
TOO_SLOW = {("w6-wide-window", NS3): "goes through the window for each ACK: over 100 s for the first 67,000 packets"}
SCHEDULERS = ("Heap", "Calendar", "Splay")
"""Of ns-2; the fastest counts."""
ONE_SCHEDULER = {"w5-twenty-thousand-cubic": ("Splay",)}
"""As far as the others were tried, they were slower."""
MANY_FLOWS = 500
"""From so many on, hosts of their own are cheaper for ns-3."""
INSTEAD = {"w6-narrow-window": "cubic"}
"""A workload that a peer cannot run for its algorithm is run once more with this one."""


@dataclass(frozen=True)
class Job:
    """A workload, and what differs for the peers."""

    workload: Workload
    instead: str | None = None
    """The algorithm of all flows, if it is not the workload's."""

    @cached_property
    def plan(self) -> dict[str, Any]:
        """What our engine takes, but for how long it runs."""
        scenario = self.workload.scenario
        if self.instead is not None:
            scenario = scenario.replace({"flows.cc": self.instead})
        return scenario.plan()

    @property
    def name(self) -> str:
        return self.workload.name + (f", {self.instead}" if self.instead else "")

    @property
    def links(self) -> list[dict[str, Any]]:
        """Those that data takes; the others are the same, back."""
        return [link for link in self.plan["links"] if not link["name"].endswith(".reverse")]

    @property
    def cc(self) -> str:
        (kind,) = {flow["cc"] for flow in self.plan["flows"]}
        return str(kind)

    @property
    def qdisc(self) -> str:
        (kind,) = {link["qdisc"]["kind"] for link in self.links}
        return str(kind)

    def cannot(self, peer: str) -> str | None:
        """Why the peer does not run it."""
        if peer == NS2 and self.cc not in {"reno", "cubic"}:
            return f"has no {self.cc}"
        if peer == NS2 and self.qdisc != "fifo":
            return f"has no {self.qdisc}"
        return TOO_SLOW.get((self.workload.name, peer))

    def seconds(self, peer: str) -> float:
        """How long it runs on both sides: a second for the flows' starts, then as long as a link needs for the peer's packets."""
        slowest = min(link["rate_bps"] for link in self.links)
        return SECONDS.get((self.workload.name, peer), 1 + PACKETS[peer] * PACKET * 8 / slowest)

    def rounds(self, peer: str, asked: int) -> int:
        """How often it runs."""
        return min(asked, ROUNDS.get((self.workload.name, peer), asked))

    def variants(self, peer: str) -> tuple[str, ...]:
        """Set-ups of the peer that are tried."""
        return ONE_SCHEDULER.get(self.workload.name, SCHEDULERS) if peer == NS2 else ("",)

    def buffer(self) -> int:
        """What a flow may have on its way, bytes: four times its share of the path, and 64 packets at least."""
        path = sum(link["rate_bps"] * 2 * link["delay_ps"] / 1e12 / 8 + limit_of(link) * PACKET for link in self.links)
        flows = len(self.plan["flows"])
        return max(131_072, round((2 if flows == 1 else 4) * path / flows))

    def hosts(self) -> int:
        """ns-3 goes through a node's sockets to find a packet's, and through a router's routes: as many of one as of the other."""
        flows = len(self.plan["flows"])
        return round(math.sqrt(flows)) if flows >= MANY_FLOWS and len(self.links) == 1 else 0

    def text(self, peer: str) -> str:
        """What the peers read."""
        lines = [f"seconds {self.seconds(peer)}", f"buffer {self.buffer()}", f"hosts {self.hosts()}"]
        for link in self.links:
            loss = link["loss"]["p"] if link["loss"] else 0
            lines.append(f"link {link['rate_bps']} {link['delay_ps'] / 1e12} {limit_of(link)} {link['qdisc']['kind']} {loss}")
        for flow in self.plan["flows"]:
            first, last = flow["path"][0], flow["path"][-1] + 1
            lines.append(f"flow {flow['cc']} {first} {last} {flow['start_ps'] / 1e12}")
        return "\n".join(lines) + "\n"

    def ours(self, peer: str) -> str:
        """The same for our engine."""
        return json.dumps({**self.plan, "duration_ps": round(self.seconds(peer) * 1e12)})


def limit_of(link: dict[str, Any]) -> int:
    """Of its queue, packets."""
    qdisc = link["qdisc"]
    limit = qdisc.get("limit", qdisc)
    return int(limit["limit_packets"] if "limit_packets" in limit else limit["limit_bytes"] // PACKET)


def jobs() -> list[Job]:
    """All workloads, and what stands in for one that a peer cannot run."""
    plain = [Job(workload) for workload in WORKLOADS]
    return plain + [Job(job.workload, INSTEAD[job.name]) for job in plain if job.name in INSTEAD]
