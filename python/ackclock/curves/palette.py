"""Widths, colours, dashes and markers of figures; nothing here needs matplotlib."""

from collections.abc import Sequence
from typing import Any

ONE_COLUMN = 3.4
"""Width of a figure that fills one column of a two-column page, inches."""

TWO_COLUMNS = 7.0
"""Width of a figure across both columns, inches."""

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
