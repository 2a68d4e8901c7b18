"""The benchmark's workloads in the form that the peers read: a chain of nodes with flows.

Each line of a job is a word and its values. C++ and Tcl read the file alike:

    seconds S                          simulated
    buffer BYTES                       of a socket that has one (ns-3)
    hosts N                            on each side of a chain of one link (ns-3; 0: none)
    link BPS DELAY_S PACKETS QDISC P   from node n to n + 1 and back; share P is lost
    flow CC FIRST LAST START_S         from node FIRST to node LAST
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
"""Packets that the bottleneck can send in the simulated time; they take a peer seconds of a core.

ackclock runs for the same simulated time.
"""
SECONDS = {("w5-twenty-thousand-cubic", NS3): 2.0, ("w5-twenty-thousand-cubic", NS2): 3.0}
"""Simulated seconds where `PACKETS` would end too soon after the last start, or take too long."""
ROUNDS = {("w5-twenty-thousand-cubic", NS3): 1, ("w5-twenty-thousand-cubic", NS2): 1}
"""Most rounds where one takes minutes; ns-2 spends them on creating agents, which is not timed."""
TOO_SLOW = {
    (
        "w6-wide-window",
        NS3,
    ): "goes through the window for each ACK: over 100 s for the first 67,000 packets"
}
SCHEDULERS = ("Heap", "Calendar", "Splay")
"""Schedulers of ns-2. The fastest counts."""
ONE_SCHEDULER = {"w5-twenty-thousand-cubic": ("Splay",)}
"""Workloads that run with one scheduler only: the others were slower as far as they were tried."""
MANY_FLOWS = 500
"""Least number of flows for which ns-3 is faster with several hosts on each side."""
INSTEAD = {"w6-narrow-window": "cubic"}
"""Algorithm of a second run, for workloads whose own algorithm a peer does not have."""


@dataclass(frozen=True)
class Job:
    """A workload as it runs on the peers."""

    workload: Workload
    instead: str | None = None
    """The algorithm of all flows, if it is not the workload's."""

    @cached_property
    def plan(self) -> dict[str, Any]:
        """Plan of the workload, with its own duration."""
        scenario = self.workload.scenario
        if self.instead is not None:
            scenario = scenario.replace({"flows.cc": self.instead})
        return scenario.plan()

    @property
    def name(self) -> str:
        return self.workload.name + (f", {self.instead}" if self.instead else "")

    @property
    def links(self) -> list[dict[str, Any]]:
        """Links that data takes; each has a link of equal properties for the way back."""
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
        """Reason why the peer does not run the job, if there is one."""
        if peer == NS2 and self.cc not in {"reno", "cubic"}:
            return f"has no {self.cc}"
        if peer == NS2 and self.qdisc != "fifo":
            return f"has no {self.qdisc}"
        return TOO_SLOW.get((self.workload.name, peer))

    def seconds(self, peer: str) -> float:
        """Simulated time, s: one for the starts, then the slowest link's time for `PACKETS`."""
        slowest = min(link["rate_bps"] for link in self.links)
        return SECONDS.get((self.workload.name, peer), 1 + PACKETS[peer] * PACKET * 8 / slowest)

    def rounds(self, peer: str, asked: int) -> int:
        """Number of rounds, where `asked` were asked for."""
        return min(asked, ROUNDS.get((self.workload.name, peer), asked))

    def schedulers(self) -> tuple[str, ...]:
        """Schedulers of ns-2 to try."""
        return ONE_SCHEDULER.get(self.workload.name, SCHEDULERS)

    def buffer(self) -> int:
        """Bytes of a socket's buffer: four times the flow's share of the path, at least 128 KiB."""
        path = sum(
            link["rate_bps"] * 2 * link["delay_ps"] / 1e12 / 8 + limit_of(link) * PACKET
            for link in self.links
        )
        flows = len(self.plan["flows"])
        return max(131_072, round((2 if flows == 1 else 4) * path / flows))

    def hosts(self) -> int:
        """Hosts on each side for ns-3: the square root of the number of flows if that is large.

        ns-3 searches a node's sockets and a router's routes one by one, so the numbers of both
        should be equal.
        """
        flows = len(self.plan["flows"])
        return round(math.sqrt(flows)) if flows >= MANY_FLOWS and len(self.links) == 1 else 0

    def text(self, peer: str) -> str:
        """The job as the peers read it."""
        lines = [
            f"seconds {self.seconds(peer)}",
            f"buffer {self.buffer()}",
            f"hosts {self.hosts()}",
        ]
        for link in self.links:
            loss = link["loss"]["p"] if link["loss"] else 0
            lines.append(
                f"link {link['rate_bps']} {link['delay_ps'] / 1e12} {limit_of(link)} "
                f"{link['qdisc']['kind']} {loss}"
            )
        for flow in self.plan["flows"]:
            first, last = flow["path"][0], flow["path"][-1] + 1
            lines.append(f"flow {flow['cc']} {first} {last} {flow['start_ps'] / 1e12}")
        return "\n".join(lines) + "\n"

    def ours(self, peer: str) -> str:
        """The job as JSON plan for ackclock, with the simulated time of this peer."""
        return json.dumps({**self.plan, "duration_ps": round(self.seconds(peer) * 1e12)})


def limit_of(link: dict[str, Any]) -> int:
    """Return the limit of the link's queue in packets."""
    qdisc = link["qdisc"]
    limit = qdisc.get("limit", qdisc)
    return int(
        limit["limit_packets"] if "limit_packets" in limit else limit["limit_bytes"] // PACKET
    )


def jobs() -> list[Job]:
    """Return a job for each workload, and one for each workload that also runs `INSTEAD`."""
    plain = [Job(workload) for workload in WORKLOADS]
    return plain + [Job(job.workload, INSTEAD[job.name]) for job in plain if job.name in INSTEAD]
