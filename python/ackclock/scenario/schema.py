"""The JSON Schema of a scenario for editors: with its address, examples, and names to choose."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ackclock import _core
from ackclock.scenario.directive import SCHEMA_ID
from ackclock.scenario.scenario import Scenario

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["editor_schema", "schema_text"]

# Examples of keys whose type has none, by table and key.
_EXAMPLES: Mapping[str, Mapping[str, Any]] = {
    "Scenario": {
        "name": "two-flows",
        "description": "CUBIC beside Reno at a full buffer.",
        "warmup": "10s",
        "seed": 1,
        "transport": {"delayed_ack": "off"},
        "network": {"kind": "dumbbell", "rate": "10Mbit/s", "rtt": "60ms", "buffer": "1bdp"},
        "flows": [{"cc": "cubic"}],
        "record": {"samples": "100ms"},
        "compare": {"cc": ["reno", "cubic"], "seeds": 10},
        "sweep": {"axes": [{"flows.count": [1, 10]}], "replications": 10},
    },
    "Dumbbell": {
        "rtt": "60ms",
        "bottleneck": {"rate": "10Mbit/s", "delay": "30ms", "limit": "1bdp"},
        "access": {"delay": "uniform(1ms, 50ms)"},
    },
    "AxisComparison": {"axis": "cc"},
    "Compare": {
        "cc": ["reno", "cubic"],
        "flows": ["mine"],
        "along": {"network.bottleneck.limit": ["0.5bdp", "1bdp"]},
        "seeds": 10,
        "metric": "goodput",
    },
    "DelayScheduleTable": {"steps": [["10s", "60ms"], ["20s", "25ms"]]},
    "LimitSchedule": {"schedule": [["0s", "1bdp"], ["30s", "8bdp"]]},
    "LossSchedule": {"schedule": [["0s", "0%"], ["10s", "1%"]]},
    "Link": {"from": "a", "to": "b"},
    "Node": {"name": "a"},
    "Outages": {"windows": [["5s", "7s"]]},
    "PacketList": {"packets": [10, 20]},
    "Periodic": {"every": 1000},
    "Prio": {"priomap": [1, 2, 2, 2, 1, 2, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]},
    "RateSchedule": {"schedule": [["0s", "10Mbit/s"], ["10s", "2Mbit/s"]]},
    "RateTrace": {"trace": "cellular.trace"},
    "Record": {
        "packets": ["bottleneck"],
        "pcap": ["bottleneck"],
        "decisions": ["mine"],
        "qlog": ["mine"],
    },
    "ResponseTable": {"metric": "goodput", "flows": "mine"},
    "Stop": {"response": "goodput", "most": 200, "relative": 0.02},
    "Sweep": {
        "axes": [{"flows.mine.cc.beta": [0.5, 0.7]}],
        "replications": 10,
        "responses": ["goodput", "queue_delay.p95"],
        "comparisons": ["cc"],
        "starts": "40ms",
    },
    "Video": {"trace": "film.csv"},
    "Writes": {"writes": [["0s", "10kB"], ["1s", "1MB"]]},
    "Flow": {"name": "mine", "count": 2, "stop": "30s", "from": "left", "to": "right"},
}


def _names_of_algorithms() -> list[str]:
    return [entry["name"] for entry in _core.list_cc() if entry["role"] != "slow start"]


def editor_schema() -> dict[str, Any]:
    """JSON Schema of a scenario file, as `ackclock schema` prints it.

    Each key has its meaning; a key without a default or a choice of words has an example. Names of
    congestion controls are offered, and other text is allowed.
    """
    schema = Scenario.json_schema()
    tables = {"Scenario": schema, **schema["$defs"]}
    for table, examples in _EXAMPLES.items():
        for key, example in examples.items():
            tables[table]["properties"][key]["examples"] = [example]
    cc = tables["Flow"]["properties"]["cc"]
    described = {"description": cc["description"], "title": "Cc", "default": None}
    tables["Flow"]["properties"]["cc"] = {
        **described,
        "anyOf": [
            {"type": "string", "enum": _names_of_algorithms()},
            {"type": "string", "examples": ["cos+reno", "cubic(beta=0.8)", "python:mine:Mine"]},
        ],
    }
    return {"$schema": schema.pop("$schema"), "$id": SCHEMA_ID, **schema}


def schema_text() -> str:
    """The schema as the text of its file, `scenarios/scenario.schema.json`."""
    return f"{json.dumps(editor_schema(), indent=1, ensure_ascii=False)}\n"
