"""Figures of lesson 5, BBR and its probes."""

import polars as pl

from lesson_claims.bars import DELAY, RATE, TIME, WINDOW, Bar
from lesson_claims.claim import Claim
from lesson_claims.measures import phase_end, phase_length, probes_per_second, waiting
from lesson_runs import MSS, mbit, samples, window

BBR = [
    Claim(
        "bbr-probes",
        "STARTUP ends",
        "0.54",
        lambda of: phase_end(of("base"), "STARTUP"),
        TIME,
        "s",
        2,
    ),
    Claim(
        "bbr-probes",
        "most packets in flight by then",
        "104",
        lambda of: (
            float(samples(of("base"), "bbr").filter(pl.col("time") < 1)["inflight"].max()) / MSS
        ),  # type: ignore[arg-type]
        WINDOW,
    ),
    Claim(
        "bbr-probes", "DRAIN ends", "0.66", lambda of: phase_end(of("base"), "DRAIN"), TIME, "s", 2
    ),
    Claim(
        "bbr-probes",
        "probes per second",
        "3",
        lambda of: probes_per_second(of("base")),
        Bar.of(0.1, 0, "10 %"),
        digits=1,
    ),
    Claim(
        "bbr-probes",
        "packets that wait on average, 2 s to 10 s",
        "5",
        lambda of: float(waiting(of("base")).mean()),
        Bar.of(0.1, 0.5, "0.5"),
        digits=1,
    ),  # type: ignore[arg-type]
    Claim(
        "bbr-probes",
        "at most",
        "13",
        lambda of: float(waiting(of("base")).max()),
        Bar.of(0, 2, "2"),
    ),  # type: ignore[arg-type]
    Claim(
        "bbr-probes",
        "PROBE_RTT begins",
        "10.05",
        lambda of: phase_end(of("base"), "PROBE_BW"),
        TIME,
        "s",
        2,
    ),
    Claim(
        "bbr-probes",
        "PROBE_RTT takes",
        "0.26",
        lambda of: phase_length(of("base"), "PROBE_RTT"),
        TIME,
        "s",
        2,
    ),
    Claim(
        "bbr-probes",
        "window in it",
        "4",
        lambda of: window(of("base"), "bbr", 10.2),
        Bar.of(0, 0.1, "0.1"),
        "packets",
    ),
    Claim(
        "bbr-probes",
        "try 1: pacing rate at 15.5 s",
        "19",
        lambda of: (
            float(
                samples(of("try 1"), "bbr")
                .filter(pl.col("time").is_between(15.5, 15.65))["pacing_rate"]
                .mean()  # type: ignore[arg-type]
            )
            / 1e6
        ),
        Bar.of(0.05, 0, "5 %"),
        "Mbit/s",
        1,
        ("try 1",),
    ),
    Claim(
        "bbr-probes",
        "try 2: goodput with 2 % of losses",
        "9.3",
        lambda of: mbit(of("try 2"), "bbr"),
        RATE,
        "Mbit/s",
        1,
        ("try 2",),
    ),
    Claim(
        "bbr-probes",
        "try 2: Reno's goodput there",
        "2.1",
        lambda of: mbit(of("try 2 with Reno"), "bbr"),
        Bar.of(0.1, 0, "10 %"),
        "Mbit/s",
        1,
        ("try 2 with Reno",),
    ),
    Claim(
        "bbr-probes",
        "mean queue delay of one flow",
        "9",
        lambda of: 1e3 * of("base").links["queue_delay_mean"][0],
        DELAY,
        "ms",
        1,
    ),
    Claim(
        "bbr-probes",
        "try 3: mean queue delay of two flows",
        "66",
        lambda of: 1e3 * of("try 3").links["queue_delay_mean"][0],
        DELAY,
        "ms",
        1,
        ("try 3",),
    ),
]
