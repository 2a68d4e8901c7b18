"""Tables `compare` and `sweep`; they change nothing for one run, and must survive being written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fuzz.generate.algorithms import algorithm

if TYPE_CHECKING:
    from fuzz.generate.draw import Draw

__all__ = ["compare", "sweep"]

Table = dict[str, Any]

_METRICS = ["utilisation", "queue_delay.p95", "goodput", "loss_rate", "jain_index"]


def compare(draw: Draw, entries: list[str]) -> Table:
    """Draw a table `compare`."""
    table: Table = {}
    if draw.chance(0.6):
        table["cc"] = [algorithm(draw) for _ in range(draw.whole(1, 3))]
    if draw.chance(0.3):
        table["flows"] = draw.random.sample(entries, draw.whole(1, len(entries)))
    if draw.chance(0.4):
        table["along"] = {
            draw.one(["duration", "network.bottleneck.rate"]): ["1s", "2s"],
            "flows.count": [1, 2],
        }
    if draw.chance(0.5):
        table["seeds"] = draw.spread(1, 100_000)
    if draw.chance(0.3):
        table["on"] = draw.one([["sim"], ["linux"], ["sim", "linux"]])
    if draw.chance(0.3):
        table["metric"] = draw.one(_METRICS)
    if draw.chance(0.3):
        table["starts"] = draw.one(["auto", "fixed", "40ms"])
    if draw.chance(0.2):
        table["stop"] = {"response": "goodput", "relative": 0.1, "most": draw.whole(2, 500)}
    return table


def _range(draw: Draw) -> Table:
    if draw.chance(0.5):
        return {"from": 1, "to": draw.whole(2, 9), "step": 1}
    ends: Table = {"from": "1ms", "to": "1s"} if draw.chance(0.5) else {"from": 0.5, "to": 8}
    return ends | {"points": draw.whole(2, 20), "spacing": draw.one(["linear", "log"])}


def sweep(draw: Draw) -> Table:
    """Draw a table `sweep`."""
    axis: Table = {"duration": ["1s", "2s"]} if draw.chance(0.5) else {"warmup": _range(draw)}
    if draw.chance(0.5):
        axis |= {"name": "axis", "labels": ["one", 2]}
    response: Table = {"metric": draw.one(_METRICS), "name": "figure"}
    if draw.chance(0.5):
        response["over"] = draw.one(["total", "mean", "min", "max"])
    if draw.chance(0.3):
        response["flows"] = "flow1"
    table: Table = {"axes": [axis]}
    if draw.chance(0.5):
        table["replications"] = draw.spread(1, 1000)
    if draw.chance(0.7):
        table["responses"] = [response, draw.one(_METRICS)]
    if draw.chance(0.4):
        table["comparisons"] = draw.one(
            [["axis"], [{"axis": "axis", "base": "one", "ratio": draw.chance(0.5)}]]
        )
    if draw.chance(0.4):
        table["confidence"] = draw.one([0.5, 0.9, 0.95, 0.999])
    if draw.chance(0.3):
        table["every_metric"] = draw.chance(0.5)
    if draw.chance(0.3):
        table["warmup"] = "auto"
    if draw.chance(0.3):
        table["starts"] = draw.one(["auto", "fixed", "40ms"])
    if draw.chance(0.4):
        stop: Table = {"response": "figure", "most": draw.whole(2, 500)}
        stop |= {"half_width": draw.one([0.1, 1, "1ms"])} if draw.chance(0.5) else {"relative": 0.1}
        if draw.chance(0.5):
            stop["batch"] = draw.whole(1, 50)
        if draw.chance(0.3):
            stop["comparison"] = "axis"
        table["stop"] = stop
    return table
