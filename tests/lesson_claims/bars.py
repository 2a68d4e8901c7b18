"""Bars within which a figure of another TCP agrees."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Bar:
    """Distance that a run elsewhere may be off before its figure counts as another one."""

    relative: float
    absolute: float
    """In the claim's unit."""
    text: str

    def holds(self, ours: float, least: float, most: float) -> bool:
        """Whether our figure lies from `least` to `most`, widened by the bar on both sides."""
        margin = max(self.relative * abs(ours), self.absolute)
        return least - margin <= ours <= most + margin


# Rates, RTTs, windows, losses and periods have the bars of docs/validation.md, where both sides are
# measured in this way.
RATE = Bar(0.02, 0.05, "2 %")
SHARE = Bar(0.0, 0.5, "0.5")
SHARE_OF_20 = Bar(0.0, 1.0, "1")
RTT = Bar(0.03, 0.0, "3 %")
WINDOW = Bar(0.05, 1.0, "5 % or 1")
LOSS = Bar(0.25, 5.0, "25 % or 5")
LOSS_RATE = Bar(0.25, 0.0, "25 %")
TIME = Bar(0.05, 0.02, "5 % or 0.02")
COUNT = Bar(0.25, 1.0, "25 % or 1")
SCORE = Bar(0.0, 0.05, "0.05")
# ns-3's device holds a packet below CoDel, for 1.2 ms at 10 Mbit/s.
DELAY = Bar(0.05, 1.3, "5 % or 1.3")
