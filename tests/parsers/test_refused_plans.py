"""A plan that the engine refuses is a ScenarioError, as is all else that is wrong with a scenario."""

from pathlib import Path

import pytest

import ackclock as ac

SCENARIO = """duration = "1s"
flows = [{ cc = "reno" }]
network = { kind = "dumbbell", bottleneck = { rate = "10Mbit/s", delay = "10ms" } }
transport = { timestamp_clock = "4000h" }
"""


def test_a_clock_slower_than_the_longest_run(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text(SCENARIO)
    with pytest.raises(ac.ScenarioError, match=r"timestamp_clock_ps .* must be at most"):
        ac.run(file)
    file.write_text(SCENARIO.replace("4000h", "400h"))
    assert len(ac.run(file).flows) == 1
