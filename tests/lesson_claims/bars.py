"""Bars within which a figure of another TCP agrees."""

from dataclasses import dataclass

from ackclock.verdicts import Margin, Range


@dataclass(frozen=True)
class Bar:
    """Distance that a run elsewhere may be off before its figure counts as another one."""

    margin: Margin
    text: str

    @classmethod
    def of(cls, share: float, amount: float, text: str) -> "Bar":
        """A share of our figure, or an amount in the claim's unit."""
        return cls(Margin(share, amount), text)

    def holds(self, ours: float, least: float, most: float) -> bool:
        """Whether our figure lies from `least` to `most`, widened by the bar on both sides."""
        margin = self.margin.of(ours)
        return Range(least - margin, most + margin).kind_of(ours) == "within"


# Rates, RTTs, windows, losses and periods have the bars of docs/validation.md, where both sides are
# measured in this way.
RATE = Bar.of(0.02, 0.05, "2 %")
SHARE = Bar.of(0.0, 0.5, "0.5")
SHARE_OF_20 = Bar.of(0.0, 1.0, "1")
RTT = Bar.of(0.03, 0.0, "3 %")
WINDOW = Bar.of(0.05, 1.0, "5 % or 1")
LOSS = Bar.of(0.25, 5.0, "25 % or 5")
LOSS_RATE = Bar.of(0.25, 0.0, "25 %")
TIME = Bar.of(0.05, 0.02, "5 % or 0.02")
COUNT = Bar.of(0.25, 1.0, "25 % or 1")
SCORE = Bar.of(0.0, 0.05, "0.05")
# ns-3's device holds a packet below CoDel, for 1.2 ms at 10 Mbit/s.
DELAY = Bar.of(0.05, 1.3, "5 % or 1.3")
