"""Times equal work on ns-3, ns-2 and ackclock, in turn.

    python bench/peers/run.py [--rounds N] [--only NAME] [--json] [--record]

The peers come from Debian's packages (ns2, libns3-dev, g++); the networks for them stand beside
this file. If Python finds the package ns3 too (pip install --no-deps --target newer ns3, and
PYTHONPATH=newer), its newer release of ns-3 takes turns with Debian's, and the faster one counts.
ackclock is the build of `make trained`. In each round it runs before and after the peer, for the
same simulated time, on the same core. A ratio is made within its round, so that a change of the
machine's speed cancels, and the median of the rounds counts. The packets that each delivered and
lost are compared too, because a ratio between different work says nothing.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from jobs import NS2, NS3, PACKET, Job, jobs  # noqa: E402
from workloads import LAST_CORE, about, core, named, pinned, shown, trained_engine, whole  # noqa: E402

RECORDED = HERE / "peers.json"
NS3_LIBRARIES = ("applications", "point-to-point", "traffic-control", "internet", "network", "core")
DELIVERED_WITHIN = 0.05
"""Share of ackclock's delivered packets by which equal work may differ.

All simulators fill the same link, but begin, recover and back off in their own ways.
"""
LOST_WITHIN = 2.0
"""Factor between the loss rates of equal work: stacks overshoot and return differently."""
LOST_LITTLE = 0.001
"""Difference of loss rates that does not count: some tens of losses, in few and random episodes."""

BESIDE = {NS3: 3, NS2: 1}
"""Runs of ackclock before a peer's run and again after it.

ackclock takes milliseconds where ns-3 takes seconds, so other load on the machine spoils one run.
"""

Runs = list[dict[str, Any]]


def missing() -> list[str]:
    """Return the names of Debian's packages that are needed and not installed."""
    there = {
        "ns2": shutil.which("ns"),
        "libns3-dev": Path("/usr/include/ns3").exists(),
        "g++": shutil.which("g++"),
    }
    return [package for package, is_installed in there.items() if not is_installed]


def compiled(folder: Path) -> dict[str, Path]:
    """Compile the chain for each release of ns-3 and return the programs by release."""
    debian = version("libns3-dev").split("-")[0].split("+")[0]
    releases: dict[str, tuple[list[str], str]] = {debian: ([], "ns3")}
    if newer := from_python():
        number, at = newer
        options = ["-std=c++23", f"-I{at / 'include'}", f"-L{at / 'lib64'}"]
        options += [f"-Wl,-rpath,{at / 'lib64'}", "-Wl,--allow-shlib-undefined"]
        releases[number] = (options, f"ns{number}")
    programs = {}
    for number, (options, prefix) in releases.items():
        programs[number] = folder / f"chain-{number}"
        libraries = [f"-l{prefix}-{library}" for library in NS3_LIBRARIES]
        source, program = str(HERE / "chain.cc"), str(programs[number])
        subprocess.run(
            ["g++", "-O3", "-DNDEBUG", *options, "-o", program, source, *libraries], check=True
        )
    return programs


def from_python() -> tuple[str, Path] | None:
    """Return the release of ns-3 in the Python package ns3 and its folder, if it is installed."""
    spec = importlib.util.find_spec("ns3")
    for place in spec.submodule_search_locations or () if spec else ():
        for library in Path(place).glob("lib64/libns*-core.so"):
            return library.name.removeprefix("libns").removesuffix("-core.so"), Path(place)
    return None


def version(package: str) -> str:
    """Return the version of one of Debian's packages."""
    return subprocess.run(
        ["dpkg-query", "--show", "--showformat=${Version}", package],
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def judged(said: dict[str, Any], seconds: float, job: Job) -> dict[str, Any]:
    """Return the speed of a run, and the figures that tell whether its work was equal."""
    delivered = said["delivered_packets"]
    slowest = min(link["rate_bps"] for link in job.links)
    return {
        "speed": delivered / (said["processor_us"] / 1e6),
        "delivered": delivered,
        # Packets of all flows over the capacity of the slowest link: above 1 where several links
        # have flows of their own.
        "utilisation": delivered * PACKET * 8 / (seconds * slowest),
        "loss": said["lost_packets"] / max(delivered + said["lost_packets"], 1),
    }


def differences(ours: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    """Return the names of the figures in which the work differs."""
    names = []
    if abs(theirs["delivered"] - ours["delivered"]) > DELIVERED_WITHIN * ours["delivered"]:
        names.append("delivered")
    less, more = sorted((ours["loss"], theirs["loss"]))
    if more - less > LOST_LITTLE and more > LOST_WITHIN * less:
        names.append("lost")
    return names


def middle(runs: Runs) -> dict[str, float]:
    """Return the median of each figure."""
    return {what: statistics.median(run[what] for run in runs) for what in runs[0]}


def row_of(job: Job, peer: str, ours: Runs, theirs: dict[str, Runs]) -> dict[str, Any]:
    """Return the row of a job and peer, made with the peer's fastest set-up."""
    speeds = {
        variant: statistics.median(run["speed"] for run in runs) for variant, runs in theirs.items()
    }
    fastest = max(speeds, key=lambda variant: speeds[variant])
    ratios = [
        mine["speed"] / other_run["speed"]
        for mine, other_run in zip(ours, theirs[fastest], strict=True)
    ]
    our_medians, other = middle(ours), middle(theirs[fastest])
    return {
        "workload": job.name,
        "peer": peer,
        "variant": fastest,
        "speeds": speeds,
        "seconds": job.seconds(peer),
        "rounds": len(ours),
        "ours": our_medians,
        "theirs": other,
        "ratio": statistics.median(ratios),
        "least": min(ratios),
        "most": max(ratios),
        "differences": differences(our_medians, other),
    }


def compare(
    job: Job, peer: str, engine: Path, commands: dict[str, list[str]], rounds: int, core: int
) -> dict[str, Any]:
    """Run a job on ackclock and a peer in turn, round after round, and return its row.

    `commands` has the beginning of the command line for each of the peer's set-ups.
    """
    if why := job.cannot(peer):
        return {"workload": job.name, "peer": peer, "not": why}
    ours: Runs = []
    theirs: dict[str, Runs] = {variant: [] for variant in commands}
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
                command = [*commands[variant], str(task)]
                runs.append(judged(pinned(command, core), seconds, job))
            beside += [mine() for _ in range(BESIDE[peer])]
            ours.append(middle(beside))
    return row_of(job, peer, ours, theirs)


HEADINGS = (
    "workload",
    "peer",
    "peer, k/s",
    "ackclock, k/s",
    "ackclock / peer",
    "peer delivered, k",
    "ackclock",
    "peer lost",
    "ackclock",
    "same work",
)


def table(rows: list[dict[str, Any]]) -> Table:
    """Return the rows as a table for the terminal."""
    shows = Table(
        title="Delivered data packets per second of one core, and what was delivered and lost on "
        "the way"
    )
    left = {"workload", "peer", "same work"}
    for heading in HEADINGS:
        shows.add_column(heading, justify="left" if heading in left else "right")
    for row in rows:
        shows.add_row(*cells(row))
    return shows


def cells(row: dict[str, Any]) -> list[str]:
    """Return the cells of a row as the terminal and the page show them."""
    if "not" in row:
        return [row["workload"], row["peer"], *[""] * 7, f"not run: {row['not']}"]
    ours, theirs = row["ours"], row["theirs"]
    spread = (
        f" ({shown(row['least'])} – {shown(row['most'])})" if row["rounds"] > 1 else " (one round)"
    )
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
    """Return the versions of the peers and of g++."""
    newer = from_python()
    ns3 = version("libns3-dev") + (f" and {newer[0]}" if newer else "")
    compiler = subprocess.run(
        ["g++", "-dumpfullversion"], check=True, capture_output=True, text=True
    ).stdout.strip()
    return {"ns-3": ns3, "ns-2": version("ns2"), "g++": compiler}


def main() -> None:
    """Build the programs, run the jobs in turn, show the rows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=whole, default=5)
    parser.add_argument("--core", type=core, default=LAST_CORE)
    parser.add_argument("--only", default="", help="workloads whose name contains this")
    parser.add_argument("--peer", choices=(NS3, NS2), help="this one only")
    parser.add_argument(
        "--json", action="store_true", help="print only the figures, as JSON, on standard output"
    )
    parser.add_argument(
        "--record",
        action="store_true",
        help=f"keep them in {RECORDED.name}, from which bench/page.py writes",
    )
    options = parser.parse_args()
    if lacking := missing():
        raise SystemExit(
            f"the peers are not all here: apt-get install {' '.join(lacking)} (Debian's packages)"
        )
    if options.record and (options.only or options.peer):
        raise SystemExit("only a whole run is recorded: leave out --only and --peer")
    every = {job.name: job for job in jobs()}
    chosen = [every[name] for name in named(every, options.only)]
    engine, provenance = trained_engine(), about(versions())
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        ns3 = {number: [str(program)] for number, program in compiled(Path(folder)).items()}
        for job in chosen:
            ns2 = {
                scheduler: ["ns", str(HERE / "chain.tcl"), scheduler]
                for scheduler in job.schedulers()
            }
            for peer, commands in ((NS3, ns3), (NS2, ns2)):
                # A job with another algorithm is only for peers that cannot run the workload.
                if options.peer not in {None, peer} or (
                    job.instead and not Job(job.workload).cannot(peer)
                ):
                    continue
                rows.append(compare(job, peer, engine, commands, options.rounds, options.core))
                sys.stderr.write(f"{'  '.join(cell for cell in cells(rows[-1]) if cell)}\n")
    if options.json:
        sys.stdout.write(json.dumps(rows, indent=1) + "\n")
    else:
        Console(width=max(Console().width, 160)).print(table(rows))
    if options.record:
        RECORDED.write_text(json.dumps({"about": provenance, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
