"""A result that is written and read equals the original."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

from ackclock.results import Result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fuzz.trial import Trial

__all__ = ["written_and_read"]

_EVERY = 128
"""Period of judged runs: writing takes ten times as long as a run."""


def written_and_read(trial: Trial) -> Iterator[str]:
    """Write a run's folder without figures, read it, and compare every table."""
    if trial.number % _EVERY:
        return
    folder = trial.folder / "written"
    try:
        yield from _compared(
            trial, Result.load(trial.result.write(folder, plots=False, report=False))
        )
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _compared(trial: Trial, loaded: Result) -> Iterator[str]:
    result = trial.result
    if json.dumps(loaded.summary()) != json.dumps(result.summary()):
        yield "another summary"
    if loaded.plan != json.loads(json.dumps(result.plan)):
        yield "another plan"
    if loaded.scenario_toml != result.scenario_toml:
        yield "another scenario.toml"
    tables = [("flows", loaded.flows, result.flows), ("links", loaded.links, result.links)]
    if result.plan["sessions"]:
        tables.append(("transfers", loaded.transfers, result.transfers))
    if result.plan["streams"]:
        tables.append(("streams", loaded.streams, result.streams))
    if result.has_samples:
        tables.append(("samples/flows", loaded.samples.flows, result.samples.flows))
        tables.append(("samples/links", loaded.samples.links, result.samples.links))
        tables.append(("samples/internals", loaded.samples.internals, result.samples.internals))
    if result.has_packets:
        tables.append(("packets", loaded.packets, result.packets))
    for name, other, mine in tables:
        if not other.equals(mine):
            yield f"another table {name}"
    if sorted(loaded.pcap) != sorted(result.pcap):
        yield f"captures {loaded.pcap}, and there are {result.pcap}"
