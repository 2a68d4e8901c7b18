"""Runs whose captures are read back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ackclock as ac

if TYPE_CHECKING:
    from pathlib import Path

POINTS = ("sender", "receiver", "bottleneck")


def captured(
    folder: Path, *, loss: float = 0.0, on_kernel: bool = False, **changes: Any
) -> tuple[ac.Result, Path]:
    """Run one flow, record it, and return the run and its folder of captures."""
    given: dict[str, Any] = {
        "rate": "10Mbit/s",
        "rtt": "40ms",
        "flows": [ac.flow("cubic")],
        "duration": "15s",
        "record": {"pcap": list(POINTS), "samples": "1ms"},
    }
    scenario = ac.dumbbell(**given | changes)
    if loss:
        scenario = scenario.replace({"network.bottleneck.loss": {"kind": "bernoulli", "p": loss}})
    run = ac.linux.run_on_linux if on_kernel else ac.run
    result = run(scenario)
    return result, result.write(folder / "run", report=False) / "pcap"
