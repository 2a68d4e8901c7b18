"""Run ns-3's BBR and write the study's comparison: record.py PROGRAM RELEASE FOLDER.

PROGRAM is what build.py or the compiler made of dumbbell.cc, RELEASE its name (`ns-3.35`); FOLDER
gets RELEASE-short-path.json, RELEASE-two.json and RELEASE-five.json. Minutes.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from ackclock.metrics import convergence_time, jain_index, rates_of, variation

RATE = 10e6
SEEDS = range(1, 11)
_SPREAD = ("rtt.p50", "rtt.p95", "rtt.min", "queue p5", "queue p50", "queue p95")
_RATES = ("utilisation", "goodput", "jain_index", "variation of goodput")
RESPONSES = {
    "short-path": ("utilisation", "goodput", "rtt.p50"),
    "two": (*_SPREAD, *_RATES),
    "five": ("time to fair shares", "time to roughly fair shares", *_SPREAD, *_RATES),
}
"""The metrics of these runs in the study's experiments."""

START_S = 0.1
"""Flows start within this time, as in the study's experiments."""


def run(
    program: str, rtt_ms: int, buffer: int, seconds: int, since: int, starts: list[float]
) -> dict[str, Any]:
    """Run the program and parse its output."""
    words = [str(word) for word in (program, rtt_ms, buffer, seconds, since, *starts)]
    return dict(
        json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    )


def measured(
    output: dict[str, Any], seconds: int, since: int, starts: list[float]
) -> dict[str, float | None]:
    """The responses of the study's criteria, in base units, made as of ackclock's own runs."""
    delivered = [np.array(counter, dtype=float) for counter in output["delivered"]]
    time = output["step"] * np.arange(len(delivered[0]))
    after = time >= since - 1e-9
    goodputs = [8 * (counter[-1] - counter[after][0]) / (seconds - since) for counter in delivered]
    rtts = np.array(output["rtt"]).mean(axis=0)
    queue = np.array(output["queue"])[after]
    varied = [variation(rates_of(time, counter, since, seconds, 1.0)) for counter in delivered]
    responses: dict[str, float | None] = {
        "goodput": sum(goodputs),
        "utilisation": 8 * output["sent_bytes"] / RATE / (seconds - since),
        "rtt.min": min(quantiles[0] for quantiles in output["rtt"]),
        "rtt.p50": rtts[1],
        "rtt.p95": rtts[2],
        **{f"queue p{p}": float(np.percentile(queue, p, method="lower")) for p in (5, 50, 95)},
        "variation of goodput": None if None in varied else float(np.mean(varied)),  # type: ignore[arg-type]
    }
    if len(delivered) > 1:
        series = [(time, counter) for counter in delivered]
        responses["jain_index"] = jain_index(goodputs)
        for name, scale, delta, hold in (
            ("time to fair shares", 1.0, 0.2, 5.0),
            ("time to roughly fair shares", 3.0, 0.3, 3.0),
        ):
            responses[name] = convergence_time(
                series, max(starts), seconds, timescale=scale, delta=delta, hold=hold
            )
    return responses


def rows(program: str, experiment: str) -> list[dict[str, Any]]:
    """A row for each run of an experiment."""
    flows, buffer, seconds, since = {
        "short-path": (1, 100, 30, 12),
        "two": (2, 1000, 60, 5),
        "five": (5, 1000, 60, 0),
    }[experiment]
    records = []
    for rtt_ms in (4, 8, 20, 40) if experiment == "short-path" else (60,):
        for seed in SEEDS:
            drawn = random.Random(seed)
            starts = [round(drawn.uniform(0, START_S), 6) for _ in range(flows)]
            responses = measured(
                run(program, rtt_ms, buffer, seconds, since, starts), seconds, since, starts
            )
            kept = {name: responses[name] for name in RESPONSES[experiment]}
            rounded = {
                name: value if value is None else float(f"{value:.7g}")
                for name, value in kept.items()
            }
            axes = {"rtt_ms": rtt_ms, "cc": "bbr"} if experiment == "short-path" else {"cc": "bbr"}
            records.append({**axes, "seed": seed, **rounded})
    return records


def main(program: str, release: str, folder: Path) -> None:
    """Write the three files."""
    for experiment in RESPONSES:
        lines = ",\n".join(f"  {json.dumps(row)}" for row in rows(program, experiment))
        head = f'{{"simulator": "{release}", "made_by": "tests/theory/ns3/record.py",\n "runs": [\n'
        (folder / f"{release}-{experiment}.json").write_text(
            f"{head}{lines}\n]}}\n", encoding="utf-8"
        )


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
