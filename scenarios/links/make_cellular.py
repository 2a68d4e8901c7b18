"""Make `cellular.trace`: 30 s of a cellular link that nobody measured, as a Mahimahi trace.

    python scenarios/links/make_cellular.py

The process is the model of Winstein, Sivaraman & Balakrishnan, "Stochastic forecasts achieve high
throughput and low delay over cellular networks", NSDI 2013: packets can leave at the times of a
Poisson process whose rate wanders in Brownian motion, and an outage is sticky. The constants
are the paper's; the first rate is ackclock's.
"""

from pathlib import Path
from random import Random

SEED = "ackclock/links/cellular"
LENGTH_MS = 30_000
TICK_MS = 20
NOISE = 200.0
"""Packets per second per square root of a second."""
ESCAPE_RATE = 1.0
"""Outages end at this rate, 1/s."""
MOST = 1000.0
"""Packets per second, where the rate is reflected."""
START = 350.0


def opportunities() -> list[int]:
    """Times, ms."""
    random = Random(SEED)
    rate, found = START, []
    for tick in range(0, LENGTH_MS, TICK_MS):
        seconds = TICK_MS / 1000
        if rate > 0.0 or random.random() < ESCAPE_RATE * seconds:
            rate += random.gauss(0.0, NOISE * seconds**0.5)
        rate = max(0.0, MOST - abs(MOST - rate))
        at = 0.0
        while rate > 0.0:
            at += random.expovariate(rate) * 1000
            if at >= TICK_MS:
                break
            found.append(tick + int(at))
    return [*found, LENGTH_MS]


if __name__ == "__main__":
    lines = "".join(f"{ms}\n" for ms in opportunities())
    Path(__file__).with_name("cellular.trace").write_text(lines, encoding="ascii", newline="\n")
