"""Every metric on every example, cut short: a number in its range, or none.

There are flows that never start, streams, sessions, links whose rate varies, queues of all kinds.
"""

from pathlib import Path

import pytest

import ackclock as ac
from ackclock.metrics import METRICS, range_of

SCENARIOS = sorted((Path(__file__).parents[2] / "scenarios").glob("*.toml"))


@pytest.mark.long
@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_every_metric_is_a_number_in_its_range_or_none(path: Path) -> None:
    scenario = ac.load(path)
    record = {"samples": "5ms", "packets": [scenario.plan()["links"][0]["name"]]}
    changes = {"duration": "2500ms", "warmup": "500ms", "record": record, "compare": {}}
    result = ac.run(scenario.replace(changes))
    values = {name: result.metric(name) for name in METRICS}
    for name, value in values.items():
        lowest, highest = range_of(METRICS[name])
        assert value is None or lowest - 1e-9 <= value <= highest + 1e-9, (name, value)
    assert values["utilisation"] is not None
    # Each flow, link and stream alone.
    for name, figure in METRICS.items():
        tables = {
            "flows": result.flows,
            "links": result.links,
            "streams": result.streams,
            "run": result.flows.clear(),
        }
        for element in tables[figure.of]["name"].to_list()[:3]:
            result.metric(f"{name}@{element}")
