"""Growth of a window from the end of slow start to the bandwidth-delay product."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ackclock.results.diagnosis.facts import FAR

if TYPE_CHECKING:
    from ackclock.results.diagnosis.facts import FlowFacts

__all__ = ["Growth", "growth"]


@dataclass(frozen=True)
class Growth:
    """Growth from where slow start ended to the bandwidth-delay product, without another loss.

    Attributes
    ----------
    began
        Time at which slow start ended, s.
    seconds
        Duration of the growth, s; infinite if no law of the algorithm's growth is known.
    first
        Cwnd when slow start ended, as a share of the bandwidth-delay product.
    law
        Law of the growth, in a few words; empty: none is known.
    """

    began: float
    seconds: float
    first: float
    law: str

    def idle(self, flow: FlowFacts) -> float:
        """Return the share of the flow's time in which linear growth leaves its link idle."""
        since, until = max(flow.start, self.began), min(flow.end, self.began + self.seconds)
        if until <= since:
            return 0.0
        middle = (since + until) / 2.0 - self.began
        filled = self.first + (1.0 - self.first) * middle / self.seconds
        return float((until - since) / (flow.end - flow.start) * (1.0 - min(filled, 1.0)))


def growth(flow: FlowFacts) -> Growth | None:
    """Return the growth after a slow start that ended below `FAR` BDP, or None.

    Notes
    -----
    At one segment per round trip the rest takes (BDP - cwnd) / mss of them. CUBIC's curve reaches
    it after K + ((BDP - W_max) / C)^(1/3) seconds (RFC 9438 section 4.2), or earlier along a
    straight line.
    """
    end_cwnd, bdp = flow.row["slow_start_end_cwnd"], flow.bdp
    if end_cwnd is None or not bdp:
        return None
    share = (
        (flow.fair_share or 0.0) / (flow.link.rate or 1.0)
        if flow.others and flow.link is not None
        else 1.0
    )
    target = bdp * flow.payload_share * share / flow.connections
    if end_cwnd >= FAR * target:
        return None
    began, first = float(flow.row["slow_start_end_time"]), end_cwnd / target
    straight = (target - end_cwnd) / flow.mss * flow.row["base_rtt"]
    if flow.traits["growth"] == "linear":
        return Growth(began, straight, first, "at one segment per RTT")
    if flow.traits["growth"] == "cubic function":
        # The closed forms need a library for arrays, which takes as long to load as a short run.
        from ackclock.theory.cubic import BETA, C, cubic_plateau_time

        now, wanted = end_cwnd / flow.mss, target / flow.mss
        largest = now / BETA
        curve = cubic_plateau_time(largest) + math.cbrt(max(wanted - largest, 0.0) / C)
        return Growth(
            began,
            min(curve, straight),
            first,
            "along CUBIC's curve" if curve < straight else "at one segment per RTT",
        )
    return Growth(began, math.inf, first, "")
