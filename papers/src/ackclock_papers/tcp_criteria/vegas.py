"""P4's tests of Vegas: queue disciplines, coarse timers, traffic that does not control delay."""

from ackclock.studies.criteria import Level, less
from ackclock_papers.builders import every

CLOCKS = ("exact", "1 ms", "10 ms", "100 ms", "500 ms")
BUSY = 0.9
"""Share of the line rate."""
SHUT_OUT = 0.1
"""Share of an equal share."""
RATE = 20e6 * 1448 / 1500
"""Payload of the line, bit/s."""

QUEUES = every(
    {
        "the link stays busy": Level(
            "vegas-queues", "utilisation", lowest=BUSY, at={"cc": "vegas"}
        ),
        "packets wait less than Reno's": less("vegas-queues", "queue_delay", "cc", "vegas", "reno"),
        "no flow is shut out": Level(
            "vegas-queues", "min_max_ratio", lowest=SHUT_OUT, at={"cc": "vegas"}
        ),
    }
)
TIMERS = every(
    {
        "the link stays busy": Level(
            "vegas-timers", "utilisation", lowest=BUSY, at={"clock": list(CLOCKS)}
        ),
        **{
            f"packets wait less than Reno's, tick {clock}": less(
                "vegas-timers", "queue_delay", "clock", clock, "reno"
            )
            for clock in CLOCKS[1:]
        },
    }
)
BESIDE = every(
    {
        "beside TCP, half of an equal share at least": Level(
            "vegas-beside",
            "goodput",
            lowest=0.5 * RATE / 2,
            at={"cc": "vegas", "beside": ["reno", "cubic"]},
            unit="bit/s",
        ),
        **{
            f"beside {name}, nine tenths of the rate it leaves": Level(
                "vegas-beside",
                "goodput",
                lowest=0.9 * (RATE - left),
                at={"cc": "vegas", "beside": name},
                unit="bit/s",
            )
            for name, left in (
                ("UDP 10 Mbit/s", 10e6 * 1448 / 1500),
                ("UDP 18 Mbit/s", 18e6 * 1448 / 1500),
            )
        },
    }
)
