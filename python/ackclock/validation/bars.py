"""Bars: the largest deviations of the simulator from the kernel that pass."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ackclock.verdicts.margin import Margin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.validation.measures import Key

__all__ = ["BARS", "LOSSES", "Bar", "margin_of"]


@dataclass(frozen=True)
class Bar:
    """The largest deviation from the kernel's mean that passes, with its words."""

    text: str
    short: str
    """Short name for narrow columns."""
    margin: Margin
    packets: float = 0.0
    """Number of sent packets, for a share of packets."""
    needs_both: bool = False
    """Whether a figure that the simulator lacks is not judged, as with too short a run."""


def _share(percent: float, *, needs_both: bool = False) -> Bar:
    text = f"{percent:g} %"
    return Bar(text, text, Margin(share=percent / 100), needs_both=needs_both)


_RETRANSMITTED = Bar("25 % or 5 packets", "25 %, 5 p", Margin(share=0.25), packets=5)

BARS: Mapping[str, Bar] = {
    "goodput": _share(2),
    "share": Bar("5 points or the kernel's spread", "5 points", Margin(amount=0.05, spread=True)),
    "rtt_mean": _share(3),
    "rtt_p95": _share(5),
    "retransmit_share": _RETRANSMITTED,
    "retransmit_share_in_all": _RETRANSMITTED,
    "cwnd_peak": _share(5),
    "cwnd_trough": _share(5),
    "period": _share(5, needs_both=True),
    "cycle": _share(5),
    "fct_mean": _share(5),
    "fct_p95": _share(5),
}
"""Bars by the name of a measure; a measure without one is shown for information."""

LOSSES = ("retransmit_share", "retransmit_share_in_all")
"""Figures of losses and retransmissions, with their own share of bars that hold."""

_SENT = {"retransmit_share": "sent", "retransmit_share_in_all": "sent_in_all"}


def margin_of(key: Key, sent: Mapping[tuple[str, str], float]) -> Margin | None:
    """The bar of a figure as a margin; None: the figure is only shown.

    Parameters
    ----------
    key
        Name of the figure.
    sent
        Packets sent in the kernel, mean over repetitions, by measure and what it is of.
    """
    bar = BARS.get(key.measure)
    if bar is None or not bar.packets:
        return None if bar is None else bar.margin
    packets = bar.packets / max(sent.get((_SENT[key.measure], key.of), 0.0), 1.0)
    return replace(bar.margin, amount=packets)
