"""The figures that flent's users know: sums and averages of TCP, and pings idle and under load."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ackclock.formulas.rates import goodput
from ackclock.tools.testsuites.flent import IDLE_S

if TYPE_CHECKING:
    from ackclock.results import Result

__all__ = ["Direction", "Ping", "RrulFigures", "rrul_figures"]


@dataclass(frozen=True)
class Direction:
    """The TCP flows of one direction."""

    name: str
    flows: int
    sum: float
    """Goodput of all flows, bit/s."""
    average: float
    """Goodput of a flow, bit/s."""


@dataclass(frozen=True)
class Ping:
    """Round trips of a ping, s."""

    name: str
    idle_mean: float
    """Mean before the TCP flows start."""
    mean: float
    """Mean under load."""
    p50: float
    p95: float
    p99: float
    lost: float
    """Share of the datagrams under load that did not come back, 0 to 1."""


@dataclass(frozen=True)
class RrulFigures:
    """Figures of a test of flent's."""

    directions: tuple[Direction, ...]
    pings: tuple[Ping, ...]

    @property
    def average(self) -> Ping:
        """Mean of the pings, as flent's "Ping (ms) avg"."""
        values = {
            key: float(np.mean([getattr(ping, key) for ping in self.pings]))
            for key in ("idle_mean", "mean", "p50", "p95", "p99", "lost")
        }
        return Ping("avg", **values)

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain data."""
        return {
            "directions": [asdict(direction) for direction in self.directions],
            "pings": [asdict(ping) for ping in (*self.pings, self.average)],
        }


def rrul_figures(result: Result) -> RrulFigures:
    """The figures of a run of rrul, rrul_be, tcp_nup or tcp_ndown.

    Notes
    -----
    The goodput of a flow is its payload over the time in which the TCP flows run. A round trip is
    the delay of a datagram on one way, and that of the datagram on the other way that leaves next.
    """
    plan = result.plan
    rows = {row["name"]: row for row in result.summary()["flows"]}
    directions = []
    for name in ("down", "up"):
        flows = [flow for flow in plan["flows"] if flow["name"].startswith(f"{name}-")]
        if not flows:
            continue
        goodputs = []
        for flow in flows:
            stop, start = flow.get("stop_ps"), flow["start_ps"]
            assert stop is not None
            size = rows[flow["name"]]["goodput_bytes"]
            goodputs.append(goodput(size, (stop - start) / 1e12) or 0.0)
        label = "download" if name == "down" else "upload"
        directions.append(
            Direction(label, len(flows), sum(goodputs), sum(goodputs) / len(goodputs))
        )
    return RrulFigures(tuple(directions), tuple(_pings(result)))


def _pings(result: Result) -> list[Ping]:
    datagrams = result.samples.datagrams
    end = max(flow.get("stop_ps") or 0 for flow in result.plan["flows"]) / 1e12
    pings = []
    names = [
        stream["name"].removeprefix("ping-").removesuffix("-down")
        for stream in result.plan["streams"]
        if stream["name"].endswith("-down")
    ]
    for name in names:
        ways = []
        for way in ("down", "up"):
            rows = datagrams.filter(datagrams["flow"] == f"ping-{name}-{way}").sort("number")
            sent = rows["sent_time"].to_numpy()
            delay = rows["delay"].to_numpy().astype(float)
            ways.append((sent, delay))
        (sent, there), (answers, back) = ways
        # The answer leaves when the datagram has come.
        at = np.searchsorted(answers, sent + np.nan_to_num(there))
        back = np.append(back, np.nan)[np.minimum(at, len(back))]
        rtts = there + back
        idle = rtts[(sent >= 0.0) & (sent < IDLE_S) & np.isfinite(rtts)]
        within = (sent >= IDLE_S) & (sent < end)
        loaded = rtts[within & np.isfinite(rtts)]
        pings.append(
            Ping(
                name,
                float(np.mean(idle)),
                float(np.mean(loaded)),
                float(np.percentile(loaded, 50)),
                float(np.percentile(loaded, 95)),
                float(np.percentile(loaded, 99)),
                1.0 - len(loaded) / max(1, int(np.sum(within))),
            )
        )
    return pings
