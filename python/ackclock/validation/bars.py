"""Bars: the largest deviations of the simulator from the kernel that pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.validation.measures import Key

__all__ = ["BARS", "ENOUGH", "LOSSES", "Bar", "bounds", "room"]


@dataclass(frozen=True)
class Bar:
    """The largest deviation that passes: an amount or a share of the kernel's mean, if larger."""

    text: str
    short: str
    """Short name for narrow columns."""
    relative: float = 0.0
    absolute: float = 0.0
    """Amount in the measure's unit."""
    packets: float = 0.0
    """Number of sent packets, for a share of packets."""
    spread: bool = False
    """Whether the spread of the kernel's repetitions is allowed too."""
    needs_both: bool = False
    """Whether a figure that the simulator lacks is not judged, as with too short a run."""


_SAWTOOTH = Bar("5 %", "5 %", relative=0.05)
_RETRANSMITTED = Bar("25 % or 5 packets", "25 %, 5 p", relative=0.25, packets=5)

BARS: Mapping[str, Bar] = {
    "goodput": Bar("2 %", "2 %", relative=0.02),
    "share": Bar("5 points or the kernel's spread", "5 points", absolute=0.05, spread=True),
    "rtt_mean": Bar("3 %", "3 %", relative=0.03),
    "rtt_p95": Bar("5 %", "5 %", relative=0.05),
    "retransmit_share": _RETRANSMITTED,
    "retransmit_share_in_all": _RETRANSMITTED,
    "cwnd_peak": _SAWTOOTH,
    "cwnd_trough": _SAWTOOTH,
    "period": Bar("5 %", "5 %", relative=0.05, needs_both=True),
    "cycle": Bar("5 %", "5 %", relative=0.05),
    "fct_mean": Bar("5 %", "5 %", relative=0.05),
    "fct_p95": Bar("5 %", "5 %", relative=0.05),
}
"""Bars by the name of a measure; a measure without one is shown for information."""

LOSSES = ("retransmit_share", "retransmit_share_in_all")
"""Figures of losses and retransmissions, with their own share of bars that hold."""

ENOUGH = 4
"""Fewest runs on each side to judge by the interval: with fewer it is too wide to miss."""

_SENT = {"retransmit_share": "sent", "retransmit_share_in_all": "sent_in_all"}


def bounds(
    key: Key, kernel: Sequence[float], sent: Mapping[tuple[str, str], float]
) -> tuple[float, float] | None:
    """Between what the simulator's mean has to be: the kernel's repetitions, widened by the bar.

    Parameters
    ----------
    key
        Name of the figure.
    kernel
        The repetitions' values.
    sent
        Packets sent in the kernel, mean over repetitions, by measure and what it is of.

    Returns
    -------
    tuple or None
        The lowest and the highest value that hold; None if there is no bar.
    """
    width = room(key, kernel, sent)
    if width is None:
        return None
    if BARS[key.measure].spread:
        mean = sum(kernel) / len(kernel)
        width = max(width, max(kernel) - min(kernel))
        return mean - width, mean + width
    return min(kernel) - width, max(kernel) + width


def room(key: Key, kernel: Sequence[float], sent: Mapping[tuple[str, str], float]) -> float | None:
    """The bar in the measure's unit: the largest deviation of the simulator, or None without a bar.

    Parameters are those of `bounds`.
    """
    bar = BARS.get(key.measure)
    if bar is None or not kernel:
        return None
    width = max(bar.relative * abs(sum(kernel) / len(kernel)), bar.absolute)
    if bar.packets:
        width = max(width, bar.packets / max(sent.get((_SENT[key.measure], key.of), 0.0), 1.0))
    return width
