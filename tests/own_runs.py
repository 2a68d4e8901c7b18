"""Runs with algorithms written in Python, and all that they leave."""

import json
from typing import Any

from ackclock import _core
from ackclock.scenario import Scenario


def traces(scenario: Scenario) -> dict[str, Any]:
    """Every column and counter of a run, but for the algorithms' names."""
    run = _core.run(json.dumps(scenario.plan()), None, scenario.finder)
    columns: dict[str, Any] = {}
    for part in ("flow_samples", "link_samples", "packets", "internals"):
        for name, values in getattr(run, part)().items():
            columns[f"{part}.{name}"] = values if isinstance(values, list) else values.tobytes()
    columns["flows"] = [
        {key: value for key, value in flow.items() if key != "cc"} for flow in run.flows()
    ]
    columns["links"] = run.links()
    return columns


def total(columns: dict[str, Any], counter: str) -> int:
    """A counter, over all flows."""
    return sum(flow[counter] for flow in columns["flows"])
