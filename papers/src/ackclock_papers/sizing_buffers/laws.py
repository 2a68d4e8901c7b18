"""The paper's formulas, with its equation numbers, and the numbers that it prints."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

OC3_PACKETS = 155e6 * 0.08 / (8 * 1500)
"""RTT x C of `minimum.toml`, `windows.toml` and `in-step.toml`, packets."""

SHORT_LOAD = 0.8
"""rho of `short.toml` and `completion.toml` (Figures 10 and 12)."""

LENGTHS = (2, 6, 14, 16, 30, 62)
"""Packets of the flows of `short.toml`."""

BUFFERS = (23, 46, 65, 92, 103, 131, 207, 413, 826)
"""Packets of `minimum.toml`."""

TABLE_PACKETS = 1291
"""RTT x C of Figure 15, packets (section 5.2.1)."""

PRINTED_EXAMPLES = {1.0: 0.9899, 1.5: 0.9999988, 2.0: 0.9999997}
"""Section 3.2's utilisations for 10,000 flows, by the multiple of 2 Tp C / sqrt(n)."""

_ROWS = (
    (100, 0.5, 64, 96.9, 94.7, 94.9),
    (100, 1, 129, 99.9, 99.3, 98.1),
    (100, 2, 258, 100.0, 99.9, 99.8),
    (100, 3, 387, 100.0, 99.8, 99.7),
    (200, 0.5, 46, 98.8, 97.0, 98.6),
    (200, 1, 91, 99.9, 99.2, 99.7),
    (200, 2, 182, 100.0, 99.8, 99.8),
    (200, 3, 273, 100.0, 100.0, 99.8),
    (300, 0.5, 37, 99.5, 98.6, 99.6),
    (300, 1, 74, 100.0, 99.3, 99.8),
    (300, 2, 148, 100.0, 99.9, 99.8),
    (300, 3, 222, 100.0, 100.0, 100.0),
    (400, 0.5, 32, 99.7, 99.2, 99.5),
    (400, 1, 64, 100.0, 99.8, 100.0),
    (400, 2, 128, 100.0, 100.0, 100.0),
    (400, 3, 192, 100.0, 100.0, 99.9),
)
FIGURE_15 = {
    f"{flows}, {multiple:g}x": {
        "flows": flows,
        "multiple": multiple,
        "packets": packets,
        "Model": model / 100,
        "Sim.": sim / 100,
        "Exp.": exp / 100,
    }
    for flows, multiple, packets, model, sim, exp in _ROWS
}
"""The table in Figure 15, by the labels of `router.toml`; utilisations as shares."""


def utilisation_bound(buffer: float, bdp: float, flows: float) -> float:
    """Equation 6: utilisation is at least erf(3 sqrt(3) / (2 sqrt(2)) B sqrt(n) / (2 Tp C + B)).

    Parameters
    ----------
    buffer, bdp
        B and 2 Tp C, packets.
    flows
        n, long flows that are not synchronised.
    """
    return math.erf(
        3 * math.sqrt(3) / (2 * math.sqrt(2)) * buffer * math.sqrt(flows) / (bdp + buffer)
    )


def window_deviation(buffer: float, bdp: float, flows: float) -> float:
    """Section 3.2's bound on the standard deviation of the sum of the windows, packets."""
    return (bdp + buffer) / (3 * math.sqrt(3) * math.sqrt(flows))


def window_after(time: float, bdp: float, rate: float) -> float:
    """Equation 9: W(t) = sqrt(2 C t + (2 Tp C)^2), packets.

    `time` is in s after an empty queue, `rate` in packets/s.
    """
    return math.sqrt(2 * rate * time + bdp**2)


def sawtooth_period(buffer: float, bdp: float, rate: float) -> float:
    """Appendix B's time until the queue holds B, s: B^2 / (2 C) + 2 Tp B.

    For B = 2 Tp C it is 1.5 B^2 / C.
    """
    return buffer**2 / (2 * rate) + bdp / rate * buffer


def bursts(length: int, window: int = 2) -> list[int]:
    """Section 4's bursts of a flow of so many packets: 2, 4, 8, ... and the rest."""
    sizes: list[int] = []
    while length > 0:
        sizes.append(min(window, length))
        length -= sizes[-1]
        window *= 2
    return sizes


def _moments(sizes: Sequence[int]) -> tuple[float, float]:
    return sum(sizes) / len(sizes), sum(size**2 for size in sizes) / len(sizes)


def mean_short_queue(length: int, load: float = 0.8) -> float:
    """Section 4: E[Q] = rho / (2 (1 - rho)) E[X^2] / E[X] - rho E[X] / 2, packets."""
    first, second = _moments(bursts(length))
    return load / (2 * (1 - load)) * second / first - load * first / 2


def short_buffer(length: int, load: float = 0.8, beyond: float = 0.025) -> float:
    """Section 4: the buffer B with P(Q >= B) = exp(-B 2 (1 - rho) / rho E[X] / E[X^2]), packets."""
    first, second = _moments(bursts(length))
    return -math.log(beyond) * load / (2 * (1 - load)) * second / first


def losses(buffer: float, bdp: float, flows: float) -> float:
    """Section 5.1.1: the loss rate 0.76 / w^2 of flows whose windows sum up to RTT C + B."""
    return 0.76 / ((bdp + buffer) / flows) ** 2
