"""Sweeps that nobody ran, for what shows them: their figures are of a formula and a seed."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import ackclock as ac
from ackclock.sweeps.axes import Axis, settings_of
from ackclock.sweeps.design import Comparison, Design, Stop
from ackclock.sweeps.responses import Response
from ackclock.sweeps.result import SweepResult

Figure = Callable[[dict[str, Any], np.random.Generator], float | None]


@dataclass(frozen=True)
class FakeRun:
    key: str
    seed: int
    digest: str
    figures: dict[str, float | None]


def fake_sweep(
    axes: tuple[Axis, ...],
    responses: dict[str, Figure],
    *,
    replications: int = 10,
    compared: str | None = None,
    ratio: bool = False,
    stop: Stop | None = None,
) -> SweepResult:
    """The result of a sweep over these axes."""
    design = Design(
        name="fake <&> sweep",
        scenario=ac.dumbbell(
            rate="10Mbit/s", rtt="60ms", buffer="1bdp", flows=[ac.flow("reno")], duration="10s"
        ),
        axes=axes,
        settings=tuple(settings_of(axes)),
        responses=tuple(Response(name, name) for name in responses),
        comparisons=tuple(
            Comparison(axis.name, axis.labels[0], ratio) for axis in axes if axis.name == compared
        ),
        replications=replications,
        stop=stop,
    )
    runs = {}
    for setting in design.settings:
        where = dict(zip([axis.name for axis in axes], setting.labels, strict=True))
        for replication in range(replications):
            figures = {
                name: figure(where, np.random.default_rng(1000 * replication + index))
                for index, (name, figure) in enumerate(responses.items())
            }
            digest = hashlib.sha256(repr(figures).encode()).hexdigest()
            runs[setting.index, replication] = FakeRun(
                f"{setting.index}-{replication}", 1 + replication, digest, figures
            )
    return SweepResult.of(design, runs)


def axis(
    name: str,
    key: str,
    labels: tuple[Any, ...],
    numbers: tuple[float, ...] | None = None,
    unit: str | None = None,
) -> Axis:
    """An axis of one key."""
    return Axis(name, (key,), tuple((label,) for label in labels), labels, numbers, unit)


LIMIT = axis(
    "limit",
    "network.bottleneck.limit",
    ("5 packets", "10 packets", "20 packets", "40 packets"),
    (5.0, 10.0, 20.0, 40.0),
    "packets",
)
CC = axis("cc", "flows.cc", ("reno", "cubic", "bbr"))
COUNT = axis(
    "count",
    "flows.count",
    (1, 3, 10, 32, 100, 316, 1000),
    (1.0, 3.0, 10.0, 32.0, 100.0, 316.0, 1000.0),
)
PATH = axis("path", "network.bottleneck.rate", ("slow", "fast"))

_SKILL = {"reno": 0.12, "cubic": 0.08, "bbr": 0.03}


def utilisation(where: dict[str, Any], rng: np.random.Generator) -> float:
    packets = float(str(where.get("limit", "20 packets")).split()[0])
    poor = _SKILL.get(where.get("cc", "reno"), 0.1) * (
        1.0 if where.get("path", "slow") == "slow" else 2.0
    )
    return float(
        1.0 - poor * (20.0 / (packets + 10.0)) * (0.8 + 0.4 * rng.random()) - 0.01 * rng.random()
    )


def queue_delay(where: dict[str, Any], rng: np.random.Generator) -> float:
    packets = float(str(where.get("limit", "20 packets")).split()[0])
    share = {"reno": 0.6, "cubic": 0.75, "bbr": 0.15}.get(where.get("cc", "reno"), 0.5)
    return float(
        packets
        * 1.2e-3
        * share
        * (0.8 + 0.4 * rng.random())
        * (1.0 if where.get("path", "slow") == "slow" else 0.1)
    )


def lost(where: dict[str, Any], rng: np.random.Generator) -> float:
    return float(
        round(
            float(where.get("count", 1))
            * 30
            * (1 + rng.random())
            * (1 + _SKILL.get(where.get("cc", "reno"), 0.1))
        )
    )


UTILISATION: dict[str, Figure] = {"utilisation": utilisation}
DELAY: dict[str, Figure] = {"queue_delay.p95": queue_delay}
LOST: dict[str, Figure] = {"lost_packets": lost}
