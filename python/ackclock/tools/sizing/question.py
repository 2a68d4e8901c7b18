"""The question: a link, its flows, and the share of its time that it is to be busy."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ackclock import _core
from ackclock.catalogue.algorithms import traits
from ackclock.errors import Error
from ackclock.messages import shown
from ackclock.scenario.quantities import PS_PER_S, check_rate, check_time, rate_bps, time_ps

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ackclock.errors import Kind
    from ackclock.scenario import Scenario

__all__ = ["PACKET_BYTES", "Question", "SizingError"]

PACKET_BYTES = 1500
"""Full packet of the default profile: 1448 bytes of payload, 52 of headers."""

_MOST_FLOWS = 10_000
_CUBIC_C, _CUBIC_LEFT = 0.4, 0.7
_CYCLES = 10.0
# BBR drains its pipe every 5 or 10 s; a run must hold several of these times.
_LEAST_CYCLE_S = 3.0
_QUICK_S, _FULL_S = (10.0, 60.0), (60.0, 600.0)
_QUICK_PACKETS = 0.8e6
_QUICK_WARMUP_S, _FULL_WARMUP_S, _WARMUP_RTTS = 5.0, 10.0, 50.0


class SizingError(Error, ValueError):
    """A question about a buffer that cannot be asked; the message names the argument.

    Examples
    --------
    >>> import ackclock as ac
    >>> try:
    ...     ac.size_buffer(rate="20Mbit/s", rtt="40ms", flows=0)
    ... except ac.SizingError as error:
    ...     print("flows" in str(error))
    True
    """

    kind: Kind = "invalid"


@dataclass(frozen=True)
class Question:
    """A link, its flows, and the share of its time that it is to be busy."""

    rate: str
    """Line rate: "20Mbit/s"."""
    rtts: tuple[str, ...]
    """Base RTTs, over which the flows are spread: ("40ms",)."""
    is_range: bool = False
    """Whether `rtts` are the ends of a range, from which each flow draws its own."""
    flows: int = 1
    """Number of long flows."""
    cc: tuple[str, ...] = ("cubic",)
    """Congestion controls, which the flows take in turn."""
    qdisc: Any = "fifo"
    """Discipline, as in a scenario."""
    keep: float = 0.98
    """Share of the time that the link is to be busy, 0 to 1."""
    quick: bool = True
    """Short runs and few seeds."""

    @classmethod
    def of(
        cls,
        *,
        rate: str,
        rtt: str | Sequence[str],
        flows: int = 1,
        cc: str | Sequence[str] = "cubic",
        qdisc: Any = "fifo",
        keep: float | str = 0.98,
        quick: bool = True,
    ) -> Question:
        """Check the arguments.

        Raises
        ------
        SizingError
            If one of them is wrong.
        """
        rtts, is_range = _round_trips(rtt)
        return cls(
            _checked("rate", check_rate, rate),
            rtts,
            is_range,
            _flows(flows),
            (cc,) if isinstance(cc, str) else tuple(cc),
            qdisc,
            _share(keep),
            quick,
        )

    @property
    def rate_bps(self) -> int:
        """Line rate, bit/s."""
        return rate_bps(self.rate)

    @property
    def rtt_s(self) -> float:
        """Mean base RTT of the flows, s."""
        seconds = [time_ps(rtt) / PS_PER_S for rtt in self.rtts]
        if self.is_range:
            return sum(seconds) / len(seconds)
        return sum(seconds[at] for at in self._places()) / self.flows

    @property
    def bdp(self) -> float:
        """Bandwidth-delay product at the mean base RTT, packets."""
        return self.rate_bps * self.rtt_s / (8 * PACKET_BYTES)

    def _places(self) -> list[int]:
        """Index of the RTT of each flow: the congestion controls change first."""
        return [(number // len(self.cc)) % len(self.rtts) for number in range(self.flows)]

    @property
    def seconds(self) -> float:
        """Measured time of a run, s: ten sawteeth of a flow, within bounds."""
        window = max(2.0, self.bdp / self.flows)
        reno = window / 2 * self.rtt_s
        cubic = math.cbrt(window * (1 - _CUBIC_LEFT) / _CUBIC_C)
        is_cubic = all(traits(cc)["growth"] == "cubic function" for cc in self.cc)
        cycle = min(reno, cubic) if is_cubic else reno
        least, most = _QUICK_S if self.quick else _FULL_S
        wanted = min(max(_CYCLES * max(cycle, _LEAST_CYCLE_S), least), most)
        if not self.quick:
            return round(wanted)
        room = _QUICK_PACKETS / (self.rate_bps / (8 * PACKET_BYTES))
        return round(max(least, min(wanted, room)))

    @property
    def warmup(self) -> float:
        """Time before the measurement, s."""
        least = _QUICK_WARMUP_S if self.quick else _FULL_WARMUP_S
        return round(max(least, _WARMUP_RTTS * self.rtt_s))

    def scenario(self, folder: Path | None = None) -> Scenario:
        """The scenario of which the limit is varied.

        Raises
        ------
        ScenarioError
            If a congestion control or the discipline is wrong.
        """
        from ackclock.scenario import Scenario

        shortest = min(time_ps(rtt) for rtt in self.rtts)
        network = {
            "kind": "dumbbell",
            "bottleneck": {
                "rate": self.rate,
                "delay": _core.format_time(shortest // 2),
                "qdisc": self.qdisc,
                "limit": "1 packets",
                # Only ACKs go back, and their queue is not the subject.
                "reverse": {"qdisc": "fifo", "limit": "100000 packets"},
            },
        }
        table = {
            "name": "size",
            "duration": f"{self.warmup + self.seconds:g}s",
            "warmup": f"{self.warmup:g}s",
            "network": network,
            "flows": self._entries(shortest),
            "record": {"samples": "off"},
        }
        return Scenario.parse(table, folder=folder)

    def _entries(self, shortest: int) -> list[dict[str, Any]]:
        """Entries of flows: one for each congestion control and RTT."""
        entries: list[dict[str, Any]] = []
        counts: dict[tuple[int, int], int] = {}
        places = [0] * self.flows if self.is_range else self._places()
        for number, place in enumerate(places):
            key = (number % len(self.cc), place)
            counts[key] = counts.get(key, 0) + 1
        for (cc, place), count in counts.items():
            entry: dict[str, Any] = {
                "name": f"f{len(entries) + 1}",
                "cc": self.cc[cc],
                "count": count,
                "start": "uniform(0s, 1s)",
            }
            # The access links of a flow are crossed four times in a round trip.
            if self.is_range:
                widest = (time_ps(self.rtts[1]) - shortest) // 4
                entry["access"] = {"delay": f"uniform(0s, {_core.format_time(widest)})"}
            elif time_ps(self.rtts[place]) > shortest:
                more = (time_ps(self.rtts[place]) - shortest) // 4
                entry["access"] = {"delay": _core.format_time(more)}
            entries.append(entry)
        return entries

    def to_dict(self) -> dict[str, Any]:
        """The question as plain data."""
        return {
            "rate_bps": self.rate_bps,
            "rtts": list(self.rtts),
            "rtt_is_range": self.is_range,
            "rtt_mean": self.rtt_s,
            "flows": self.flows,
            "cc": list(self.cc),
            "qdisc": self.qdisc,
            "keep": self.keep,
            "bdp_packets": self.bdp,
            "seconds": self.seconds,
            "warmup": self.warmup,
        }


def _checked(name: str, check: Any, value: Any) -> str:
    try:
        return str(check(value))
    except ValueError as error:
        raise SizingError(f"{name}: {error}") from None


def _round_trips(rtt: str | Sequence[str]) -> tuple[tuple[str, ...], bool]:
    def checked(text: Any) -> str:
        return _checked("rtt", lambda value: check_time(value, positive=True), text)

    if not isinstance(rtt, str):
        texts = tuple(checked(text) for text in rtt)
        if not texts:
            raise SizingError("rtt: there is none: write '40ms', or several")
        return texts, False
    ends = re.fullmatch(r"\s*(\S.*?)\s*\.\.\s*(.*\S)\s*", rtt)
    if ends is None:
        return tuple(checked(text.strip()) for text in rtt.split(",")), False
    first, last = (checked(end) for end in ends.groups())
    if time_ps(first) >= time_ps(last):
        raise SizingError(f"rtt: {shown(rtt)} is not a range: the first RTT must be the shorter")
    return (first, last), True


def _flows(flows: Any) -> int:
    if isinstance(flows, bool) or not isinstance(flows, int) or not 1 <= flows <= _MOST_FLOWS:
        raise SizingError(f"flows: {shown(flows)} is not a number of 1 to {_MOST_FLOWS} flows")
    return flows


def _share(keep: float | str) -> float:
    text = str(keep).strip()
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = math.nan
    if not 0.5 <= share < 1:
        raise SizingError(
            f"keep: {shown(keep)} is not a share of the link: write 98% or 0.98, at least 50 % and "
            "below 100 %"
        )
    return share
