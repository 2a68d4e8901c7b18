"""docs/algorithms/your-own.md: its class works, and says what the page says of it."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import ackclock as ac
from ackclock.scenario import own

PAGE = (Path(__file__).parents[2] / "docs/algorithms/your-own.md").read_text(encoding="utf-8")

Write = Callable[[str], str]


@pytest.mark.parametrize(("a", "b"), [(1.0, 0.5), (2.0, 0.2)])
def test_aimd_is_the_built_in_one_but_for_the_whole_segments_it_counts_in(
    write: Write, a: float, b: float
) -> None:
    source = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert source
    name = write(source[1])

    def run(cc: str) -> ac.Result:
        return ac.run(
            ac.dumbbell(
                rate="20Mbit/s",
                rtt="50ms",
                buffer="0.5bdp",
                duration="60s",
                warmup="10s",
                flows=[ac.flow(cc)],
            )
        )

    mine, built_in = run(f"python:{name}:Aimd(a={a},b={b})"), run(f"aimd(a={a},b={b})")
    assert mine.value("goodput") == pytest.approx(built_in.value("goodput"), rel=0.02)
    assert mine.value("queue_delay.mean") == pytest.approx(
        built_in.value("queue_delay.mean"), rel=0.05
    )
    assert mine.flows["recoveries"][0] == pytest.approx(built_in.flows["recoveries"][0], abs=1)


def test_every_method_that_may_be_defined_is_named() -> None:
    for method in own._OPTIONAL:
        assert f"`{method}" in PAGE, method
