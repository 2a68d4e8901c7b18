"""Widths, colours, dashes and markers of figures; nothing here needs matplotlib."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ackclock.views.figure_options import ONE_COLUMN, TWO_COLUMNS

__all__ = [
    "COLOURS", "DASHES", "DROP_COLOUR", "GREY", "GUIDE", "MARKERS", "MARK_COLOUR", "ONE_COLUMN",
    "PHASE_SHADES", "QUEUE_COLOURS", "TWO_COLUMNS", "Shade",
]  # fmt: skip

# M. Okabe, K. Ito, "Color Universal Design", 2008; ordered so that neighbours differ in lightness
# too.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000")
DASHES: Sequence[Any] = (
    "-",
    (0, (5, 1.5)),
    (0, (1, 1)),
    (0, (5, 1.5, 1, 1.5)),
    (0, (3, 1, 1, 1, 1, 1)),
    (0, (8, 2)),
    "-",
)
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DROP_COLOUR = "#D55E00"
MARK_COLOUR = "#CC79A7"
GREY = "#767676"
GUIDE: dict[str, Any] = {"color": GREY, "linewidth": 0.7, "linestyle": (0, (2, 2)), "zorder": 1}
"""Style of thin dashed lines for limits, thresholds and base values."""
QUEUE_COLOURS = ("#4D4D4D", "#56B4E9", "#009E73")


class Shade(NamedTuple):
    """Background of a phase: a pale colour, and lines that tell it apart in grey print."""

    colour: str
    hatch: str = ""


PHASE_SHADES: Mapping[str, Shade] = {
    "slow start": Shade("#DCEFF9"),
    "fast recovery": Shade("#F3C583"),
    "ECN reduction": Shade("#EBD3E1", "...."),
    "timeout": Shade("#DDA384", "//////"),
    "STARTUP": Shade("#DCEFF9"),
    "DRAIN": Shade("#F3C583"),
    "PROBE_RTT": Shade("#BDBDBD"),
    "PROBE_BW up": Shade("#E2F2EC"),
    "PROBE_BW down": Shade("#EBD3E1", "...."),
}
"""Shades of phases by name; congestion avoidance, PROBE_BW and its cruise stay white."""
