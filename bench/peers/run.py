"""The same work on ns-3, ns-2 and ackclock, in turn: python bench/peers/run.py [--rounds N] [--only NAME] [--json] [--record].

Peers come from Debian's packages (ns2, libns3-dev, g++); the networks for them stand beside this file. Ours is the build of `make trained`.
In each round it runs before and after theirs, for the same simulated time, on the same core; a ratio is made within its round, so that a
change of the machine's mood cancels, and the median of the rounds counts. What each delivered and lost is compared, too: a ratio between
different work says nothing.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from jobs import NS2, NS3, PACKET, Job, jobs  # noqa: E402
from workloads import LAST_CORE, about, core, named, pinned, shown, trained_engine, whole  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable

RECORDED = HERE / "peers.json"
NS3_LIBRARIES = ("applications", "point-to-point", "traffic-control", "internet", "network", "core")
DELIVERED_WITHIN = 0.05
"""Of ours. All fill the same link, but begin, recover and back off in their own ways."""
LOST_WITHIN = 2.0
"""Times ours, or so many times less: how much a flow overshoots before it is told, and how soon it is back there, is the stack's own."""
LOST_LITTLE = 0.001
"""Difference of shares of packets that is too small to count: some tens of losses, in which the number of episodes is chance."""

BESIDE = {NS3: 3, NS2: 1}
"""How often ours runs before theirs and again after it: what ns-3 needs seconds for takes us milliseconds, which others' load spoils."""

Runs = list[dict[str, Any]]


def missing() -> list[str]:
    """Debian's packages that are needed and not there."""
    there = {"ns2": shutil.which("ns"), "libns3-dev": Path("/usr/include/ns3").exists(), "g++": shutil.which("g++")}
    return [package for package, found in there.items() if not found]


def compiled(folder: Path) -> Path:
    """The chain for ns-3."""
    program = folder / "chain"
    libraries = [f"-lns3-{each}" for each in NS3_LIBRARIES]
    subprocess.run(["g++", "-O3", "-DNDEBUG", "-o", str(program), str(HERE / "chain.cc"), *libraries], check=True)
    return program


def judged(said: dict[str, Any], seconds: float, job: Job) -> dict[str, Any]:
    """Speed, and what tells whether it was the same work."""
    delivered = said["delivered_packets"]
    slowest = min(link["rate_bps"] for link in job.links)
    return {
        "speed": delivered / (said["processor_us"] / 1e6),
        "delivered": delivered,
        # Of the slowest link, by all flows: where several links carry flows of their own, more than one.
        "utilisation": delivered * PACKET * 8 / (seconds * slowest),
        "loss": said["lost_packets"] / max(delivered + said["lost_packets"], 1),
    }


def differences(ours: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    """What was not the same work."""
    found = []
    if abs(theirs["delivered"] - ours["delivered"]) > DELIVERED_WITHIN * ours["delivered"]:
        found.append("delivered")
    less, more = sorted((ours["loss"], theirs["loss"]))
    if more - less > LOST_LITTLE and more > LOST_WITHIN * less:
        found.append("lost")
    return found


def middle(runs: Runs) -> dict[str, float]:
    """The median of each figure."""
    return {what: statistics.median(each[what] for each in runs) for what in runs[0]}


def row_of(job: Job, peer: str, ours: Runs, theirs: dict[str, Runs]) -> dict[str, Any]:
    """Of the peer's fastest set-up."""
    speeds = {variant: statistics.median(each["speed"] for each in runs) for variant, runs in theirs.items()}
    fastest = max(speeds, key=lambda variant: speeds[variant])
    ratios = [mine["speed"] / each["speed"] for mine, each in zip(ours, theirs[fastest], strict=True)]
    one, other = middle(ours), middle(theirs[fastest])
    return {
        "workload": job.name,
        "peer": peer,
        "variant": fastest,
        "speeds": speeds,
        "seconds": job.seconds(peer),
        "rounds": len(ours),
        "ours": one,
        "theirs": other,
        "ratio": statistics.median(ratios),
        "least": min(ratios),
        "most": max(ratios),
        "differences": differences(one, other),
    }


def compare(job: Job, peer: str, engine: Path, command: Callable[[str], list[str]], rounds: int, core: int) -> dict[str, Any]:
    """A round of each after the other, several times; `command` begins that of one of the peer's set-ups."""
    if why := job.cannot(peer):
        return {"workload": job.name, "peer": peer, "not": why}
    ours: Runs = []
    theirs: dict[str, Runs] = {variant: [] for variant in job.variants(peer)}
    seconds = job.seconds(peer)
    with tempfile.TemporaryDirectory() as folder:
        plan, task = Path(folder) / "plan.json", Path(folder) / "job"
        plan.write_text(job.ours(peer))
        task.write_text(job.text(peer))

        def mine() -> dict[str, Any]:
            return judged(pinned([str(engine), str(plan)], core), seconds, job)

        for _ in range(job.rounds(peer, rounds)):
            beside = [mine() for _ in range(BESIDE[peer])]
            for variant, runs in theirs.items():
                runs.append(judged(pinned([*command(variant), str(task)], core), seconds, job))
            beside += [mine() for _ in range(BESIDE[peer])]
            ours.append(middle(beside))
    return row_of(job, peer, ours, theirs)


HEADINGS = ("workload", "peer", "theirs, k/s", "ours, k/s", "ours / theirs", "delivered, k", "ours", "lost", "ours", "same work")


def table(rows: list[dict[str, Any]]) -> Table:
    """For people."""
    shows = Table(title="Delivered data packets per second of one core, and what was delivered and lost on the way")
    left = {"workload", "peer", "same work"}
    for heading in HEADINGS:
        shows.add_column(heading, justify="left" if heading in left else "right")
    for row in rows:
        shows.add_row(*cells(row))
    return shows


def cells(row: dict[str, Any]) -> list[str]:
    """Of a row, as the terminal and the page show it."""
    if "not" in row:
        return [row["workload"], row["peer"], *[""] * 7, f"not run: {row['not']}"]
    ours, theirs = row["ours"], row["theirs"]
    spread = f" ({shown(row['least'])} – {shown(row['most'])})" if row["rounds"] > 1 else " (one round)"
    return [
        row["workload"],
        f"{row['peer']} {row['variant']}".rstrip(),
        shown(theirs["speed"] / 1e3),
        shown(ours["speed"] / 1e3),
        shown(row["ratio"]) + spread,
        shown(theirs["delivered"] / 1e3),
        shown(ours["delivered"] / 1e3),
        f"{100 * theirs['loss']:.2f} %",
        f"{100 * ours['loss']:.2f} %",
        f"no: {', '.join(row['differences'])}" if row["differences"] else "yes",
    ]


def versions() -> dict[str, str]:
    """Of the peers, as Debian's package manager has them."""

    def said(*command: str) -> str:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[0]

    packages = {"ns-3": "libns3-dev", "ns-2": "ns2"}
    found = {peer: said("dpkg-query", "--show", "--showformat=${Version}\n", package) for peer, package in packages.items()}
    return {**found, "g++": said("g++", "-dumpfullversion")}


def main() -> None:
    """Build, run in turn, show."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=whole, default=5)
    parser.add_argument("--core", type=core, default=LAST_CORE)
    parser.add_argument("--only", default="", help="workloads whose name contains this")
    parser.add_argument("--peer", choices=(NS3, NS2), help="this one only")
    parser.add_argument("--json", action="store_true", help="figures on standard output, and nothing else there")
    parser.add_argument("--record", action="store_true", help=f"keep them in {RECORDED.name}, from which bench/page.py writes")
    options = parser.parse_args()
    if lacking := missing():
        raise SystemExit(f"the peers are not all here: apt-get install {' '.join(lacking)} (Debian's packages)")
    if options.record and (options.only or options.peer):
        raise SystemExit("only a whole run is recorded: leave out --only and --peer")
    every = {job.name: job for job in jobs()}
    chosen = [every[name] for name in named(every, options.only)]
    engine, told = trained_engine(), about(versions())
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(Path(folder))
        commands: dict[str, Callable[[str], list[str]]] = {
            NS3: lambda _: [str(program)],
            NS2: lambda scheduler: ["ns", str(HERE / "chain.tcl"), scheduler],
        }
        for job in chosen:
            for peer, command in commands.items():
                # What stands in for a workload is for those alone that cannot run it.
                if options.peer not in {None, peer} or (job.instead and not Job(job.workload).cannot(peer)):
                    continue
                rows.append(compare(job, peer, engine, command, options.rounds, options.core))
                sys.stderr.write(f"{'  '.join(cell for cell in cells(rows[-1]) if cell)}\n")
    if options.json:
        sys.stdout.write(json.dumps(rows, indent=1) + "\n")
    else:
        Console(width=max(Console().width, 160)).print(table(rows))
    if options.record:
        RECORDED.write_text(json.dumps({"about": told, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
