"""Every metric on every example, cut short: a number in its range, or none.

There are flows that never start, streams, sessions, links whose rate varies, queues of all kinds.
"""

from pathlib import Path

import pytest

import ackclock as ac
from ackclock.metrics import METRICS

SCENARIOS = sorted((Path(__file__).parents[2] / "scenarios").glob("*.toml"))
SHARES = {
    name
    for name in METRICS
    if name.endswith(("_rate", "_share", "_index", "_ratio", "utilisation"))
    or name in {"loss_synchronisation", "smoothness", "jain_between"}
} - {"backoff_gap_ratio", "breaker_ratio"}


@pytest.mark.long
@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_every_metric_is_a_number_in_its_range_or_none(path: Path) -> None:
    changes = {"duration": "2500ms", "warmup": "500ms", "record": {"samples": "5ms"}, "compare": {}}
    result = ac.run(ac.load(path).replace(changes))
    values = {name: result.metric(name) for name in METRICS}
    for name in SHARES:
        value = values[name]
        assert value is None or -1e-9 <= value <= 1 + 1e-9, (name, value)
    for name, value in values.items():
        assert value is None or value >= 0.0 or name == "proportional_utility", (name, value)
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
