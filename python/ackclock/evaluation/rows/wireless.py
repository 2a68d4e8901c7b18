"""Section 6.4: wireless paths: loss, rates that vary, jitter."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from ackclock.evaluation.grid import dumbbell, flow, milliseconds, packets_of, plain_number
from ackclock.evaluation.row import Cell, Context, Measure, Row, queue_delay_line, share_line

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ROWS", "cellular"]

_RATE, _RTT_MS = 20.0, 40.0
_BURST_MS = 35.0
"""Mean length of a burst, uniform from 20 to 50 ms."""


def _seconds(context: Context) -> float:
    return 30.0 if context.quick else 60.0


def _lossy(context: Context) -> Sequence[Cell]:
    found = []
    for percent in (0.1, 2.0) if context.quick else (0.01, 0.1, 1.0, 2.0):
        share = percent / 100.0
        gap_ms = _BURST_MS * (1.0 - share) / share
        for kind, loss in (
            ("random", {"kind": "bernoulli", "p": share}),
            (
                "bursts",
                {
                    "kind": "bursts",
                    "length": "uniform(20ms, 50ms)",
                    "gap": f"exponential({gap_ms:.4g}ms)",
                },
            ),
        ):
            found.append(
                Cell(
                    labels={"loss": f"{plain_number(percent)} % loss", "kind": kind},
                    scenario=dumbbell(
                        _RATE,
                        _RTT_MS,
                        packets_of(_RATE, _RTT_MS, 1.0),
                        [flow()],
                        seconds=_seconds(context),
                        warmup=10.0,
                        loss=loss,
                    ),
                    responses=("utilisation", "loss_rate"),
                    base_rtt=_RTT_MS / 1000.0,
                    rate=_RATE * 1e6,
                )
            )
    return found


_E24 = Row(
    id="E24",
    section="6.4",
    strength="SHOULD",
    title="Loss that is no congestion",
    demand="Wireless paths with loss should be looked at.",
    choice=(
        "One flow on 20 Mbit/s, 40 ms, 1 BDP; 0.01 to 2 % of the packets are lost at random, or in "
        "bursts of 20 to 50 ms that take the same share of the time. Utilisation by rule R1. "
        "Bursts are counted in time: counted in packets (Gilbert-Elliott), a flow in backoff stays "
        "in the bad state for a minute."
    ),
    cells=_lossy,
    measures=(
        Measure("utilisation", "1", "utilisation", line=share_line(), more_is_better=True),
        Measure("loss rate", "1", "loss_rate"),
    ),
    kernel=("2 % loss, random",),
    sources=(
        (
            "BBR keeps its rate at random loss where loss-based flows collapse (Cardwell et al., "
            "CACM 60(2), 2017, figure 8)."
        ),
    ),
)


def cellular(number: int, seconds: float) -> list[list[str]]:
    """The rate of a cellular link, in steps of 100 ms.

    Brownian motion with outages, as Sprout models such links (Winstein, Sivaraman & Balakrishnan,
    NSDI 2013, section 3). Sums of uniform numbers take the place of normal ones, so that the
    rates are equal on every machine.
    """
    draws = random.Random(number)
    mean = (2.0, 5.0, 10.0, 20.0)[number % 4]
    rate, found = mean, []
    for step in range(int(seconds * 10)):
        rate += 0.1 * mean * (sum(draws.random() for _ in range(12)) - 6.0)
        rate += 0.02 * (mean - rate)
        rate = min(max(rate, 0.0), 3.0 * mean)
        found.append([f"{100 * step}ms", f"{max(rate, 0.01):.2f}Mbit/s"])
    return found


def _varying(context: Context) -> Sequence[Cell]:
    seconds = _seconds(context)
    rates: dict[str, tuple[float, object]] = {}
    for number in range(1, 3 if context.quick else 5):
        mean = (2.0, 5.0, 10.0, 20.0)[number % 4]
        rates[f"cellular {number}"] = (mean, {"schedule": cellular(number, seconds + 10.0)})
    for half in (5,) if context.quick else (1, 5, 20):
        rates[f"square wave, {half} s"] = (
            12.0,
            {"schedule": [["0s", "4Mbit/s"], [f"{half}s", "20Mbit/s"]], "period": f"{2 * half}s"},
        )
    return [
        Cell(
            labels={"rate": name},
            scenario=dumbbell(
                mean,
                _RTT_MS,
                packets_of(mean, _RTT_MS, 4.0),
                [flow()],
                seconds=seconds,
                warmup=10.0,
                rate=rate,
            ),
            responses=("utilisation", "queue_delay.p95"),
            base_rtt=_RTT_MS / 1000.0,
            rate=mean * 1e6,
        )
        for name, (mean, rate) in rates.items()
    ]


_E25 = Row(
    id="E25",
    section="6.4",
    strength="SHOULD",
    title="Rates that vary",
    demand="Wireless paths of varying capacity should be looked at.",
    choice=(
        "One flow on four cellular links (a random walk of 2 to 20 Mbit/s on average) and on a "
        "square wave between 4 and 20 Mbit/s; 40 ms; a buffer of 4 BDP of the mean rate. A concern "
        "is a cell that is worse on both axes, utilisation and 95th percentile of the queueing "
        "delay, by rule R1."
    ),
    cells=_varying,
    measures=(
        Measure("utilisation", "1", "utilisation", line=share_line(), more_is_better=True),
        Measure("queueing delay, 95th percentile", "s", "queue_delay.p95", line=queue_delay_line()),
    ),
    joint=True,
)


def _jittery(context: Context) -> Sequence[Cell]:
    kinds: dict[str, dict[str, Any]] = {}
    for jitter in (20.0, 200.0) if context.quick else (5.0, 20.0, 80.0, 200.0):
        kinds[f"jitter {jitter:g} ms"] = {"jitter": f"uniform(0ms, {jitter:g}ms)"}
    for slot in (10.0,) if context.quick else (2.0, 10.0, 25.0):
        kinds[f"slots of {slot:g} ms"] = {"slot": milliseconds(slot)}
    return [
        Cell(
            labels={"link": name},
            scenario=dumbbell(
                _RATE,
                _RTT_MS,
                packets_of(_RATE, _RTT_MS, 1.0),
                [flow()],
                seconds=_seconds(context),
                warmup=10.0,
                **options,
            ),
            responses=("utilisation", "queue_delay.p95"),
            base_rtt=_RTT_MS / 1000.0,
            rate=_RATE * 1e6,
        )
        for name, options in kinds.items()
    ]


_E26 = Row(
    id="E26",
    section="6.4",
    strength="SHOULD",
    title="Jitter and batches",
    demand="Wireless paths with jitter should be looked at.",
    choice=(
        "One flow on 20 Mbit/s, 40 ms, 1 BDP; jitter of up to 5 to 200 ms without reordering, or "
        "packets that leave in batches every 2 to 25 ms. Utilisation and 95th percentile of the "
        "queueing delay by rule R1."
    ),
    cells=_jittery,
    measures=(
        Measure("utilisation", "1", "utilisation", line=share_line(), more_is_better=True),
        Measure("queueing delay, 95th percentile", "s", "queue_delay.p95", line=queue_delay_line()),
    ),
    kernel=("jitter 20 ms",),
)

ROWS = (_E24, _E25, _E26)
