"""The figure of streams' delays."""

from pathlib import Path

import numpy as np
import pytest

import ackclock as ac
from ackclock import plot


def _run(*flows: object, duration: str = "4s") -> ac.Result:
    return ac.run(ac.dumbbell(rate="2Mbit/s", rtt="20ms", flows=list(flows), duration=duration))  # type: ignore[arg-type]


@pytest.mark.long
def test_the_line_is_the_delay_of_an_empty_path(tmp_path: Path) -> None:
    result = _run(ac.flow(app={"kind": "cbr", "rate": "1Mbit/s"}, name="stream"))
    upper, lower = plot.delay(result).axes
    # 10 ms of propagation and 4.112 ms of transmission, in ms; no jitter.
    drawn = np.asarray(upper.lines[0].get_ydata(), dtype=np.float64)
    assert drawn[~np.isnan(drawn)] == pytest.approx(14.112)
    assert np.nanmax(np.asarray(lower.lines[0].get_ydata(), dtype=np.float64)) == 0.0
    # A run of nothing but streams has all its figures.
    result.write(tmp_path / "run", plots=True)
    assert (tmp_path / "run/plots/delay.svg").exists()
    assert (
        plot.delay(ac.results.Result.load(tmp_path / "run")).svg()
        == (tmp_path / "run/plots/delay.svg").read_text()
    )


def test_many_streams_are_one_line() -> None:
    result = _run(
        ac.flow(
            app={"kind": "cbr", "rate": "50kbit/s"},
            name="stream",
            count=20,
            start="uniform(0s, 1s)",
        )
    )
    labels = [text.get_text() for text in plot.delay(result).axes[0].get_legend().get_texts()]  # type: ignore[union-attr]
    assert labels == ["20 streams"]


def test_without_streams_there_is_nothing_to_draw() -> None:
    with pytest.raises(ValueError, match="it has no UDP stream"):
        plot.delay(_run(ac.flow("reno"), duration="1s"))
