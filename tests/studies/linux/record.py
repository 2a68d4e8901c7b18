"""Make linux.json of the study bbr-beside-loss: one BBR flow beside 1 and 16 of CUBIC.

    python record.py FOLDER

Each run takes its 400 s of real time; runs that FOLDER already has are read. The scenario is that
of `peers.toml`, all flows starting together and a queue of 32 BDP.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import ackclock_papers.bbr_beside_loss as study
from ackclock.engine.linux import run_on_linux
from ackclock.results import Result
from ackclock.scenario import load

HOME = Path(study.__file__).parent
OTHERS = (1, 16)
SEEDS = (1, 2, 3)


def row(result: Result, others: int, seed: int) -> dict[str, Any]:
    """A run's responses under the names that `peers.toml` gives them."""
    summary = result.summary()
    goodputs = {
        flow["name"]: flow["goodput"] or 0.0 for flow in summary["flows"] if flow["part_of"] is None
    }
    return {
        "peer": "cubic",
        "others": others,
        "starts": "together",
        "seed": seed,
        "goodput of BBR": goodputs.pop("bbr"),
        "goodput of the others": sum(goodputs.values()),
        "queue_delay.mean": summary["links"][0]["queue_delay"]["mean"],
    }


def main(folder: Path) -> None:
    """Make what is missing, and write all of it beside the study."""
    rows = []
    engine = ""
    for seed in SEEDS:
        for others in OTHERS:
            there = folder / f"{others}-{seed}"
            if not (there / "summary.json").exists():
                scenario = load(
                    HOME / "peers.toml", changes={"flows.loss-based.count": others}, seed=seed
                )
                run_on_linux(scenario).write(there, plots=False, report=False)
            result = Result.load(there)
            engine = result.engine
            rows.append(row(result, others, seed))
    content = {"simulator": engine, "made_by": "tests/studies/linux/record.py", "runs": rows}
    (HOME / "linux.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
