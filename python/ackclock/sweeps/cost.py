"""How large a sweep is, before anything of it has run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ackclock.scenario.plan import Plan

__all__ = ["Estimate", "core_seconds"]

# Of a packet of full size that a flow's narrowest link carries, with its ACK and all events of both: processor time on a core of 2024, from
# 0.3 us (bulk flows through a fifo) to 1.1 us (CoDel, short flows) over the scenarios of sweeps that come with ackclock.
_PER_PACKET_S = 0.7e-6
_PACKET_BITS = 12_000
# Setting up and writing down.
_PER_RUN_S = 4e-3
_PER_FLOW_S = 5e-5


@dataclass(frozen=True)
class Estimate:
    """How large a sweep is."""

    settings: int
    runs: int
    """At first; a sequential stop may ask for more."""
    most: int
    """At most."""
    pilots: int
    """Runs that only find the warm-up."""
    core_seconds: float
    """What pilots and first runs take on one core, about: right to a factor of three, and too much where links are idle."""

    def seconds_on(self, workers: int) -> float:
        """Wall time of pilots and first runs, about."""
        return self.core_seconds / max(1, min(workers, self.runs))


def core_seconds(plan: Plan) -> float:
    """What a run takes, about: the packets that the narrowest links of its flows can carry."""
    duration = plan["duration_ps"] / 1e12
    links = plan["links"]
    carrying: set[int] = set()
    flows = [*plan["flows"], *plan["streams"]]
    for flow in flows:
        limited = [(links[index]["rate_bps"], index) for index in flow["path"] if links[index].get("rate_bps") is not None]
        if limited:
            carrying.add(min(limited)[1])
    packets = sum(links[index]["rate_bps"] for index in carrying) * duration / _PACKET_BITS
    return float(_PER_RUN_S + _PER_FLOW_S * len(flows) + _PER_PACKET_S * packets)
