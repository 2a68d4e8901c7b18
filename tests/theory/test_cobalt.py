"""COBALT: as CoDel with flows that answer, and soon rid of the queue of one that does not."""

from __future__ import annotations

from typing import Any

import polars as pl

import ackclock as ac


def bottleneck(qdisc: str, *flows: ac.Flow, **scenario: Any) -> dict[str, Any]:
    options = {"rate": "20Mbit/s", "rtt": "40ms", "duration": "30s", "warmup": "10s", **scenario}
    return ac.run(ac.dumbbell(profile="rfc", flows=list(flows), qdisc=qdisc, **options)).links.row(
        0, named=True
    )


def test_flows_that_answer_keep_a_short_queue() -> None:
    link = bottleneck("cobalt", ac.flow("cubic", count=4))
    # Twice the target: COBALT's first drops come closer together than CoDel's, so its mean is below
    # CoDel's here.
    assert link["queue_delay_mean"] < 0.010
    assert link["utilisation"] > 0.97
    assert link["dropped_forced"] == 0


def flooded(qdisc: Any) -> pl.DataFrame:
    """A fifth too much for 12 s, over 100 packets: 50 ms."""
    flood = ac.flow(app={"kind": "cbr", "rate": "24Mbit/s", "packet": "1000 bytes"})
    options = {
        "rate": "20Mbit/s",
        "rtt": "40ms",
        "buffer": "100 packets",
        "duration": "12s",
        "record": {"samples": "10ms"},
    }
    samples = ac.run(
        ac.dumbbell(profile="rfc", flows=[flood], qdisc=qdisc, **options)
    ).samples.links  # type: ignore[arg-type]
    return samples.filter(pl.col("link") == "bottleneck")


def last_long(samples: pl.DataFrame) -> float:
    """When a queue of half the buffer was seen last (s)."""
    time = samples.filter(pl.col("queue_delay") > 0.020)["time"].max()
    assert isinstance(time, float)
    return time


def test_blue_empties_the_queue_that_a_flood_fills() -> None:
    """BLUE has 1/6 after 43 overflows 5 ms apart; the control law needs seconds for 500 drops/s."""
    assert last_long(flooded("cobalt")) < 1.5
    assert last_long(flooded({"kind": "cobalt", "p_inc": 0})) > 3


def test_its_law_keeps_hold_of_the_flood_where_codels_lets_go() -> None:
    """A count that falls by one at a time, and not to nothing: the queue does not come back."""
    late = pl.col("time") > 10
    cobalt, codel = (
        flooded(qdisc).filter(late)["queue_delay"].mean()
        for qdisc in ({"kind": "cobalt", "p_inc": 0}, "codel")
    )
    assert isinstance(cobalt, float)
    assert isinstance(codel, float)
    assert cobalt < 0.010 < 0.020 < codel, (cobalt, codel)
