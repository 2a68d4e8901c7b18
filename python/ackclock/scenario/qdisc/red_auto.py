"""RED's automatic parameters, as ns-2.35 chooses them after Floyd's recommendations."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ackclock.scenario.quantities import PS_PER_S

__all__ = ["AutoRed", "auto_red"]


@dataclass(frozen=True)
class AutoRed:
    """Thresholds in packets of mean size, and the weight of the average."""

    min_threshold: float
    weight: float

    @property
    def max_threshold(self) -> float:
        """Three times the lower threshold, as ns-2 does."""
        return 3 * self.min_threshold


def auto_red(rate_bps: int, delay_ps: int, mean_packet_bytes: int, target_delay_ps: int) -> AutoRed:
    """Parameters of ns-2.35's ``red.cc`` for ``thresh_ 0``, ``maxthresh_ 0`` and ``q_weight_ -1``.

    The lower threshold is half of the target delay at line rate, at least five packets. The weight
    is 1 - exp(-1 / (10 R C)) with C the line rate in packets/s and R = max(100 ms, 3 (delay +
    1/C)): the average then follows over about ten round trips.
    """
    packets_per_second = rate_bps / (8 * mean_packet_bytes)
    rtt = max(0.1, 3 * (delay_ps / PS_PER_S + 1 / packets_per_second))
    weight = -math.expm1(-1 / (10 * rtt * packets_per_second))
    return AutoRed(
        min_threshold=max(5.0, target_delay_ps / PS_PER_S * packets_per_second / 2),
        # The last digits of expm1 may differ between platforms; a plan must not.
        weight=float(f"{weight:.10g}"),
    )
