"""Make the linux-*.json of the study congestion-based: BBR and CUBIC on this machine's kernel.

    python record_congestion_based.py FOLDER

A run takes its real time, all runs a quarter of an hour; runs that FOLDER already has are read.
Settings of one length run side by side in one run, each on a path of its own: hosts, links and
queues are not shared.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import ackclock_papers.congestion_based as study
from ackclock.engine.linux import run_on_linux
from ackclock.metrics import jain_index
from ackclock.results import Result
from ackclock.scenario import Scenario, load
from ackclock_papers.congestion_based import rules

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.results.series import FlowSeries

HOME = Path(study.__file__).parent
SHARING = tuple(f"flows.{name}.start" for name in "bcde")
QUEUES = {"mean queue": "queue_packets.mean", "queue p5": "queue_packets.p5"}
LONGEST = {"longest queue": "queue_packets.max"}
LENGTH_S = {"loss": 60.0, "settled": 120.0, "sharing": 20.0}
"""Time in which an experiment counts: its duration less its warm-up."""


@dataclass(frozen=True)
class Part:
    """One setting of an experiment, or one variant of a recording."""

    experiment: str
    labels: Mapping[str, Any]
    """The setting as the study's TOML has it, or the recording's variant as `run`."""
    changes: Mapping[str, Any] = field(default_factory=dict)


def loss(cc: str, p: float) -> Part:
    """Figure 10, behind a buffer of one bandwidth-delay product."""
    return Part(
        "loss",
        {"loss": p, "cc": cc, "buffer": "1 BDP"},
        {"flows.cc": cc.lower(), "network.bottleneck.loss.p": p},
    )


def room(experiment: str, cc: str, products: int) -> Part:
    """Figures 6 and 7, over the buffer."""
    changes = {"flows.cc": cc.lower(), "network.bottleneck.limit": f"{products}bdp"}
    return Part(experiment, {"room": f"{products} BDP", "cc": cc}, changes)


def sharing(buffer: str, *, together: bool) -> Part:
    """Figure 8."""
    starts = dict.fromkeys(SHARING, "uniform(0s, 0.1s)") if together else {}
    labels = {"starts": "together" if together else "2 s apart", "buffer": buffer}
    return Part(
        "sharing", labels, {"network.bottleneck.limit": buffer.replace(" ", "").lower(), **starts}
    )


SETTLED = [room("settled", cc, products) for cc in ("BBR", "CUBIC") for products in (1, 2, 4, 8)]
STARTS = [
    *(room("startup", cc, products) for cc in ("BBR", "CUBIC") for products in (1, 2, 4, 8)),
    *(Part("first-seconds", {"run": name}, changes) for name, changes in rules.FIRST.items()),
    # 1 Gbit/s is left out: it is as much as the kernel's network carries on a machine with other
    # work.
    *(
        Part("startup-rates", {"run": name}, rules.RATES[name])
        for name in ("10 Mbit/s", "100 Mbit/s")
    ),
]
CUBIC = [loss("CUBIC", p) for p in (0.00001, 0.001, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5)]
BBR = [
    *(loss("BBR", p) for p in (0.01, 0.15, 0.3)),
    Part("steady", {"run": "run"}),
    Part("steps", {"run": "run"}),
]
RUNS: dict[str, tuple[Sequence[Part], str, int]] = {
    "starts": (STARTS, "2ms", 3),
    "settled": (SETTLED, "10ms", 2),
    "cubic": ([*CUBIC, loss("BBR", 0.05)], "1s", 3),
    "bbr": (BBR, "2ms", 3),
    "sharing": ([sharing("1 BDP", together=False), sharing("10 BDP", together=False)], "1s", 3),
}
"""The parts that run side by side, their sampling interval and repetitions."""


def side_by_side(parts: Sequence[Part], samples: str, seed: int) -> Scenario:
    """Join parts of one duration and warm-up: link N and flows `N-...` are those of part N."""
    every = [
        load(HOME / f"{part.experiment}.toml", changes=dict(part.changes)).data() for part in parts
    ]
    table: dict[str, Any] = {
        key: every[0][key] for key in ("duration", "warmup", "profile") if key in every[0]
    }
    table |= {
        "name": "side-by-side",
        "seed": seed,
        "record": {"samples": samples},
        "nodes": [],
        "links": [],
        "flows": [],
    }
    for number, data in enumerate(every):
        ends = {"from": f"from-{number}", "to": f"to-{number}"}
        table["nodes"] += [{"name": name} for name in ends.values()]
        table["links"].append({**data["network"]["bottleneck"], **ends, "name": f"part-{number}"})
        table["flows"] += [
            {**flow, **ends, "name": f"part-{number}-{flow['name']}"} for flow in data["flows"]
        ]
    return Scenario.parse(table)


def responses(part: Part, result: Result, number: int) -> dict[str, float | None]:
    """The responses of the study's criteria, in base units."""
    link = f"part-{number}"
    flows = [flow for flow in result.series if flow.name.startswith(f"{link}-")]
    if part.experiment in LENGTH_S:
        names = {flow.name for flow in flows}
        goodputs = [
            8 * flow["goodput_bytes"] / LENGTH_S[part.experiment]
            for flow in result.summary()["flows"]
            if flow["name"] in names
        ]
        if part.experiment == "loss":
            return {"goodput": sum(goodputs)}
        if part.experiment == "sharing":
            metrics = {"utilisation": "utilisation", "queue_delay.mean": "queue_delay.mean"}
            return {"jain_index": jain_index(goodputs), **_of_link(result, link, metrics)}
        return _of_link(result, link, {"utilisation": "utilisation", **QUEUES, **LONGEST})
    if part.experiment == "startup":
        return _of_link(result, link, LONGEST)
    if part.experiment == "first-seconds":
        rows = result.samples.links.filter(result.samples.links["link"].cast(str) == link)
        return {
            "shortest queue": float(
                rows["queue_packets"].cast(float).to_numpy()[rows["time"].to_numpy() >= 1.0].min()
            )
        }
    (flow,) = flows
    rate = flow.column("delivery_rate")
    if part.experiment == "startup-rates":
        bits = rules.packets_in_path(part.labels["run"]) * 12_000 / rules.RTPROP
        return {
            "round trips": (_first(flow, rate >= 0.9 * rules.PAYLOAD * bits) - flow.start)
            / rules.RTPROP
            - 1
        }
    if part.experiment == "steps":
        return {
            "time to find": _first(
                flow, (flow.time >= 20.0) & (rate >= 0.95 * 20e6 * rules.PAYLOAD)
            )
            - 20.0
        }
    after = flow.time >= 10.0
    out = flow.column("inflight")[after] / flow.mss / rules.BDP
    # In PROBE_RTT, and there alone, the window is four packets.
    return {
        "median out": float(np.median(out)),
        "share in PROBE_BW": float(np.mean(flow.column("cwnd")[after] > 4 * flow.mss)),
    }


def _of_link(result: Result, link: str, names: Mapping[str, str]) -> dict[str, float | None]:
    return {name: result.metric(f"{metric}@{link}") for name, metric in names.items()}


def _first(flow: FlowSeries, where: Any) -> float:
    """The first time at which it holds, s: BBR's bandwidth is a maximum of such rates."""
    return float(flow.time[where][0])


def _rounded(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.7g}")


def made(folder: Path, name: str, seed: int) -> Result:
    """A run, made if FOLDER does not have it."""
    parts, samples, _ = RUNS[name]
    there = folder / f"{name}-{seed}"
    if not (there / "summary.json").exists():
        run_on_linux(side_by_side(parts, samples, seed)).write(there, plots=False, report=False)
    return Result.load(there)


def main(folder: Path) -> None:
    """Make what is missing, and write all of it beside the study."""
    by_experiment: dict[str, list[dict[str, Any]]] = {}
    engine = ""
    for name, (parts, _, seeds) in RUNS.items():
        for seed in range(1, seeds + 1):
            result = made(folder, name, seed)
            engine = result.engine
            for number, part in enumerate(parts):
                rounded = {
                    key: _rounded(value) for key, value in responses(part, result, number).items()
                }
                by_experiment.setdefault(part.experiment, []).append(
                    {**part.labels, "seed": seed, **rounded}
                )
    for experiment, rows in by_experiment.items():
        lines = ",\n".join(f"  {json.dumps(row)}" for row in rows)
        head = (
            f'{{"simulator": "{engine}", "made_by": '
            f'"tests/studies/linux/{Path(__file__).name}",\n "runs": [\n'
        )
        (HOME / f"linux-{experiment}.json").write_text(f"{head}{lines}\n]}}\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
