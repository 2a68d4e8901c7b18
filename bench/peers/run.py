"""The same work on ns-3, ns-2 and ackclock, in turn: python bench/peers/run.py [--rounds N] [--core N] [--json FILE].

Peers come from Debian's packages (libns3-dev, g++, ns2), and the scenarios for them stand beside this file. Each round runs all of them
one after another on the same core; a ratio is made within its round, so that a change of the machine's mood cancels, and the median of the
rounds counts. What each delivered and lost is compared first: a ratio between different work says nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from workloads import WORKLOADS, Workload, built_engine, pinned, shown  # noqa: E402

NS3_LIBRARIES = ("applications", "point-to-point", "internet", "network", "core")
NS3 = {"reno": "TcpLinuxReno", "cubic": "TcpCubic", "bbr": "TcpBbr"}
NS2 = {"reno", "cubic"}
SCHEDULERS = ("Heap", "Calendar", "Splay")
PACKET = 1500
DELIVERED_WITHIN = 0.05
"""Of ours: all fill the same link, but start, recover and back off in their own ways."""
EVENTS_OF_NS3 = 150_000
"""How many packets ns-3 is given: it needs seconds for them."""
PACKETS = 1_500_000


@dataclass(frozen=True)
class Job:
    """A workload as the peers are told of it."""

    workload: Workload
    cc: str
    flows: int
    rate_bps: int
    delay_ms: float
    limit: int

    def seconds(self, packets: int) -> float:
        """How long the link needs for so many packets, after the flows' starts."""
        return 1 + packets * PACKET * 8 / self.rate_bps

    def buffer(self) -> int:
        """What the path holds, bytes."""
        return max(131_072, 2 * PACKET * (self.limit + round(self.rate_bps * 2 * self.delay_ms / 1000 / 8 / PACKET)))


def job_of(workload: Workload) -> Job | None:
    """As a dumbbell of one kind of flow; None: it is none."""
    plan = workload.scenario.plan()
    kinds = {flow["cc"] for flow in plan["flows"]}
    link = plan["links"][0]
    if len(kinds) != 1 or len(plan["links"]) != 2 or link["loss"] is not None or link["qdisc"]["kind"] != "fifo":
        return None
    limit = link["qdisc"].get("limit_packets") or link["qdisc"]["limit_bytes"] // PACKET
    return Job(workload, kinds.pop(), len(plan["flows"]), link["rate_bps"], link["delay_ps"] / 1e9, limit)


def ns3(folder: Path) -> Path:
    """The dumbbell for ns-3, compiled."""
    program = folder / "dumbbell"
    libraries = [f"-lns3-{each}" for each in NS3_LIBRARIES]
    subprocess.run(["g++", "-O2", "-o", str(program), str(HERE / "dumbbell.cc"), *libraries], check=True)
    return program


def run_ns3(program: Path, job: Job, core: int) -> dict[str, Any]:
    """Packets per second of processor time, and what was done."""
    seconds = job.seconds(EVENTS_OF_NS3)
    said = pinned(
        [
            str(program),
            f"--cc={NS3[job.cc]}",
            f"--rate={job.rate_bps}bps",
            f"--delay={job.delay_ms}",
            f"--limit={job.limit}",
            f"--flows={job.flows}",
            f"--seconds={seconds}",
            f"--buffer={job.buffer()}",
        ],
        core,
    )
    return judged(said, seconds, job)


def run_ns2(scheduler: str, job: Job, core: int) -> dict[str, Any]:
    """The same of ns-2 with one of its schedulers."""
    seconds = job.seconds(PACKETS)
    words = [scheduler, job.cc, str(job.rate_bps), str(job.delay_ms), str(job.limit), str(job.flows), str(seconds)]
    return judged(pinned(["ns", str(HERE / "dumbbell.tcl"), *words], core), seconds, job)


def run_ours(engine: Path, plan: Path, seconds: float, job: Job, core: int) -> dict[str, Any]:
    """And ours."""
    return judged(pinned([str(engine), str(plan)], core), seconds, job)


def judged(said: dict[str, Any], seconds: float, job: Job) -> dict[str, Any]:
    """Speed, and what tells whether it was the same work."""
    delivered = said["delivered_packets"]
    return {
        "speed": delivered / (said["processor_us"] / 1e6),
        "utilisation": delivered * PACKET * 8 / (seconds * job.rate_bps),
        "loss": said["lost_packets"] / (delivered + said["lost_packets"]),
    }


def compare(job: Job, engine: Path, program: Path | None, rounds: int, core: int) -> dict[str, list[dict[str, Any]]]:
    """A round of each after the other, several times. Ours runs twice: as long as ns-3, and as long as ns-2."""
    said: dict[str, list[dict[str, Any]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        plans = {}
        for name, packets in (("ours, as long as ns-3", EVENTS_OF_NS3), ("ours", PACKETS)):
            plans[name] = (Path(folder) / name, job.seconds(packets))
            plans[name][0].write_text(job.workload.plan(plans[name][1]))
        for _ in range(rounds):
            for name, (plan, seconds) in plans.items():
                said.setdefault(name, []).append(run_ours(engine, plan, seconds, job, core))
            if program is not None and job.cc in NS3:
                said.setdefault("ns-3", []).append(run_ns3(program, job, core))
            if shutil.which("ns") and job.cc in NS2:
                for scheduler in SCHEDULERS:
                    said.setdefault(f"ns-2, {scheduler}", []).append(run_ns2(scheduler, job, core))
    return said


def rows_of(job: Job, said: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """A row for each simulator: its speed, ours in its unit, and whether both did the same work."""
    rows = []
    for name, runs in said.items():
        beside = said["ours, as long as ns-3" if name == "ns-3" else "ours"]
        ratios = [ours["speed"] / each["speed"] for ours, each in zip(beside, runs, strict=True)]
        means = {what: statistics.median(each[what] for each in runs) for what in ("speed", "utilisation", "loss")}
        ours = statistics.median(each["utilisation"] for each in beside)
        rows.append(
            {
                "workload": job.workload.name,
                "simulator": name,
                **means,
                "ratio": statistics.median(ratios),
                "least": min(ratios),
                "most": max(ratios),
                "same_work": abs(means["utilisation"] - ours) <= DELIVERED_WITHIN * ours,
            }
        )
    return rows


def main() -> None:
    """Build, run in turn, show."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--core", type=int, default=(os.cpu_count() or 1) - 1)
    parser.add_argument("--only", help="workloads whose name contains this")
    parser.add_argument("--json", type=Path, help="write the rows there, too")
    options = parser.parse_args()
    if shutil.which("ns") is None or not Path("/usr/include/ns3").exists():
        raise SystemExit("the peers are not installed (Debian: apt-get install ns2 libns3-dev g++)")
    engine = built_engine()
    shows = Table(title="Delivered data packets per second of one core; ours / theirs: median, least and most of the rounds")
    for heading in ("workload", "simulator", "Mpackets/s", "ours / theirs", "least", "most", "utilisation", "lost", "same work"):
        shows.add_column(heading, justify="left" if heading in {"workload", "simulator"} else "right")
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        program = ns3(Path(folder))
        for workload in WORKLOADS:
            job = job_of(workload)
            if job is None or (options.only and options.only not in workload.name):
                continue
            rows += rows_of(job, compare(job, engine, program, options.rounds, options.core))
    for row in rows:
        shows.add_row(
            row["workload"],
            row["simulator"],
            shown(row["speed"] / 1e6),
            shown(row["ratio"]),
            shown(row["least"]),
            shown(row["most"]),
            f"{100 * row['utilisation']:.1f} %",
            f"{100 * row['loss']:.2f} %",
            "yes" if row["same_work"] else "NO",
        )
    Console(width=max(Console().width, 120)).print(shows)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
