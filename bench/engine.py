"""Measures the speed of the engine alone.

    python bench/engine.py [--rounds N] [--only NAME] [--seconds S] [--trained] [--json] [--record]

Each workload runs in its own process on one core. The workloads take turns, so that a change of
the machine's speed touches all alike; the median counts. In each round the skeleton runs beside the
engine (bench/skeleton.py), so that the share of its speed can be compared between machines. Where
the processor's counters can be read (perf), the cycles of a packet are counted, too. Beside each
figure stands its ratio to the last recorded one (engine.json): compare only this ratio, and only
between runs on one machine. With --trained or --record, the build of `make trained` takes turns
with the plain build.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from instructions import per_packet
from rich.console import Console
from rich.table import Table
from skeleton import like
from workloads import (
    HERE,
    LAST_CORE,
    TRACED,
    WORKLOADS,
    Workload,
    about,
    above_zero,
    built_engine,
    built_skeleton,
    core,
    cycles,
    named,
    pinned,
    shown,
    trained_engine,
    whole,
)

RECORDED = HERE / "engine.json"
MEGA = 1e6

NAMED = {**{workload.name: workload for workload in WORKLOADS}, "w1-traced": TRACED}

Figures = dict[str, dict[str, float | None]]


def speed(said: dict[str, Any]) -> float:
    """Return delivered packets per second of processor time."""
    per_second: float = said["delivered_packets"] / said["processor_us"] * MEGA
    return per_second


def figures_of(
    said: list[dict[str, Any]],
    trained: list[dict[str, Any]],
    skeleton: dict[str, list[dict[str, Any]]],
    counted: dict[str, float | None],
) -> dict[str, float | None]:
    """Return the figures of a workload from its rounds; flows and packets are equal in all."""
    first = said[0]
    seconds = statistics.median(run["processor_us"] for run in said) / MEGA
    packets = first["delivered_packets"]
    shares = {
        order: statistics.median(
            speed(ours) / speed(limit) for ours, limit in zip(said, runs, strict=True)
        )
        if runs
        else None
        for order, runs in skeleton.items()
    }
    gains = [
        before["processor_us"] / after["processor_us"]
        for before, after in zip(said, trained, strict=False)
    ]
    return {
        "packets_per_second": packets / seconds,
        "trained_packets_per_second": packets
        / statistics.median(run["processor_us"] for run in trained)
        * MEGA
        if trained
        else None,
        "trained_ratio": statistics.median(gains) if gains else None,
        "events_per_second": first["events"] / seconds,
        "ns_per_packet": seconds * 1e9 / packets,
        **counted,
        "share_of_skeleton": shares["rounds"],
        "share_of_skeleton_by_events": shares["events"],
        "peak_bytes": first["peak_bytes"],
        "bytes_per_idle_flow": first["idle_bytes"] / first["flows"],
        "spread": (
            max(run["processor_us"] for run in said) - min(run["processor_us"] for run in said)
        )
        / MEGA
        / seconds,
    }


def measure(
    engine: Path,
    trained: Path | None,
    skeleton: Path | None,
    workloads: list[tuple[str, Workload]],
    rounds: int,
    core: int,
    seconds: float | None,
) -> Figures:
    """Measure the workloads in turn, each for `seconds` of simulated time or for its own."""
    said: dict[str, list[dict[str, Any]]] = {name: [] for name, _ in workloads}
    said_trained: dict[str, list[dict[str, Any]]] = {name: [] for name, _ in workloads}
    limits: dict[str, dict[str, list[dict[str, Any]]]] = {
        name: {"events": [], "rounds": []} for name, _ in workloads
    }
    counted: dict[str, dict[str, float | None]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, workload in workloads:
            (Path(folder) / name).write_text(workload.plan(seconds))
        for _ in range(rounds):
            for name, workload in workloads:
                said[name].append(pinned([str(engine), str(Path(folder) / name)], core))
                if trained:
                    said_trained[name].append(
                        pinned([str(trained), str(Path(folder) / name)], core)
                    )
                for order, runs in limits[name].items() if skeleton else ():
                    runs.append(pinned([str(skeleton), order, *like(workload.name)], core))
        for name, workload in workloads:
            all_cycles = cycles([str(engine), str(Path(folder) / name)], core)
            packets = said[name][0]["delivered_packets"]
            counted[name] = {
                "cycles_per_packet": all_cycles and all_cycles / packets,
                # With another duration, the seconds between which a workload counts may not exist.
                "instructions_per_packet": per_packet(engine, workload)
                if seconds is None
                else None,
            }
    return {
        name: figures_of(said[name], said_trained[name], limits[name], counted[name])
        for name, _ in workloads
    }


HEADINGS = (
    "workload",
    "Mpackets/s",
    "trained",
    "wanted",
    "of skeleton",
    "cycles/packet",
    "instr./packet",
    "peak MB",
    "B/idle flow",
    "spread",
)


def cells(workload: Workload, row: dict[str, float | None]) -> list[str]:
    """Return the cells of a row as the terminal and the page show them."""
    packets, peak = (row[name] or 0.0 for name in ("packets_per_second", "peak_bytes"))
    share, per_packet = row.get("share_of_skeleton"), row.get("cycles_per_packet")
    return [
        f"{workload.name.split('-')[0].upper()}  {workload.says}",
        shown(packets / MEGA),
        f"x {shown(row['trained_ratio'])}" if row["trained_ratio"] else "",
        shown(workload.target / MEGA) if workload.target else "",
        f"{shown(100 * share, 2)} %" if share else "",
        shown(per_packet) if per_packet else "",
        shown(row["instructions_per_packet"], 4) if row["instructions_per_packet"] else "",
        shown(peak / MEGA),
        shown(row["bytes_per_idle_flow"]),
        f"{100 * (row['spread'] or 0):.0f} %",
    ]


def table(figures: Figures, recorded: Figures) -> Table:
    """Return the figures as a table for the terminal."""
    shows = Table(
        title="Delivered data packets per second of one core; was: ratio to the recorded figure; "
        "trained: ratio to the plain build in the same round"
    )
    for heading in ("was", *HEADINGS):
        shows.add_column(heading, justify="left" if heading == "workload" else "right")
    for name, row in figures.items():
        ratio = of_recorded(name, row, recorded)
        shows.add_row(shown(ratio) if ratio else "", *cells(NAMED[name], row))
    return shows


def of_recorded(name: str, row: dict[str, float | None], recorded: Figures) -> float | None:
    """Return the ratio of the speed to the recorded speed, if one is recorded."""
    now, then = row["packets_per_second"], recorded.get(name, {}).get("packets_per_second")
    return now / then if now and then else None


def main() -> None:
    """Measure, show, record."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=whole, default=5)
    parser.add_argument("--core", type=core, default=LAST_CORE)
    parser.add_argument("--only", default="", help="workloads whose name contains this")
    parser.add_argument(
        "--trained",
        action="store_true",
        help="measure the build of `make trained` too (it takes minutes to make)",
    )
    parser.add_argument(
        "--json", action="store_true", help="print only the figures, as JSON, on standard output"
    )
    parser.add_argument(
        "--record",
        action="store_true",
        help=f"keep them in {RECORDED.name}, from which bench/page.py writes",
    )
    parser.add_argument(
        "--seconds",
        type=above_zero,
        help="simulated time in place of each workload's own; instructions are not counted",
    )
    parser.add_argument("--profile", default="release", help="cargo's profile for the engine")
    options = parser.parse_args()
    if options.record and (options.only or options.seconds or options.profile != "release"):
        raise SystemExit(
            "only a whole run of the release is recorded: leave out --only, --seconds and --profile"
        )
    if options.trained and options.profile != "release":
        raise SystemExit("a trained build is of the release: leave out --profile, or --trained")
    chosen = [(name, NAMED[name]) for name in named(NAMED, options.only)]
    engine, provenance = built_engine(options.profile), about()
    trained = trained_engine() if options.trained or options.record else None
    # The skeleton sends the packets of whole workloads.
    is_whole = options.seconds is None and options.profile == "release"
    skeleton = built_skeleton() if is_whole else None
    figures = measure(
        engine, trained, skeleton, chosen, options.rounds, options.core, options.seconds
    )
    if options.seconds is None and shutil.which("valgrind") is None:
        sys.stderr.write(
            "instructions are not counted: valgrind is not installed (Debian: apt-get install "
            "valgrind)\n"
        )
    # Records are of whole runs of the release build only.
    recorded: Figures = (
        json.loads(RECORDED.read_text())["figures"] if RECORDED.exists() and is_whole else {}
    )
    if options.json:
        beside = {
            name: {**row, "of_recorded": of_recorded(name, row, recorded)}
            for name, row in figures.items()
        }
        sys.stdout.write(json.dumps(beside, indent=1) + "\n")
    else:
        Console(width=max(Console().width, 140)).print(table(figures, recorded))
    if options.record:
        RECORDED.write_text(json.dumps({"about": provenance, "figures": figures}, indent=1) + "\n")


if __name__ == "__main__":
    main()
