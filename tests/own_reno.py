"""Reno in Python in each of the three roles; step by step as the built-in one."""

from typing import Self

from ackclock.cc import (
    AckEvent,
    Avoidance,
    CongestionControl,
    CongestionEvent,
    Exit,
    Setup,
    SlowStart,
    Window,
)


def segments(cwnd: int, mss: int) -> int:
    return max(cwnd // mss, 1)


class Classic(SlowStart):
    def on_ack(self, ack: AckEvent, window: Window) -> float | Exit:
        if window.ssthresh is not None and window.cwnd + ack.credited >= window.ssthresh:
            return Exit(max(window.ssthresh - window.cwnd, 0))
        return ack.credited


class Reno(Avoidance):
    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.credit = 0

    def next_cwnd(self, ack: AckEvent, window: Window) -> int:
        self.credit += ack.credited
        grown, self.credit = divmod(self.credit, segments(window.cwnd, window.mss) * window.mss)
        return window.cwnd + grown * window.mss

    def ssthresh(self, event: CongestionEvent, window: Window) -> int:  # noqa: ARG002
        self.credit = 0
        return segments(window.cwnd, window.mss) // 2 * window.mss

    def clone(self) -> Self:
        """An undo restores no credit, as in Linux."""
        copy = type(self).__new__(type(self))
        copy.credit = 0
        return copy

    def internals(self) -> dict[str, float]:
        return {"credit": self.credit}


class Whole(CongestionControl):
    cwnd: int
    ssthresh: int | None

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.credit = 0
        self.in_slow_start = True
        self.before: tuple[int, int | None, bool] | None = None

    def on_ack(self, ack: AckEvent) -> None:
        if ack.in_recovery or not ack.is_cwnd_limited or ack.newly_acked == 0:
            return
        left = ack.credited
        if self.in_slow_start:
            if self.ssthresh is None or self.cwnd + left < self.ssthresh:
                self.cwnd += left
                return
            self.in_slow_start = False
            needed = max(self.ssthresh - self.cwnd, 0)
            self.cwnd += needed
            left -= needed
        self.credit += left
        grown, self.credit = divmod(self.credit, segments(self.cwnd, self.mss) * self.mss)
        self.cwnd += grown * self.mss

    def current_ssthresh(self) -> int | None:
        window = self.cwnd // self.mss
        return (
            None
            if self.ssthresh is None
            else max(self.ssthresh, (window // 2 + window // 4) * self.mss)
        )

    def on_congestion(self, event: CongestionEvent) -> None:
        self.before = (
            None
            if event.signal == "ecn"
            else (self.cwnd, self.current_ssthresh(), self.in_slow_start)
        )
        self.credit = 0
        self.ssthresh = max(segments(self.cwnd, self.mss) // 2, 2) * self.mss
        self.in_slow_start = event.signal == "rto"
        self.cwnd = self.mss if self.in_slow_start else self.ssthresh

    def on_repeated_timeout(self, event: CongestionEvent) -> None:  # noqa: ARG002
        self.credit = 0
        self.cwnd, self.in_slow_start = self.mss, True

    def on_loss_window(self, window: int, now: float) -> None:  # noqa: ARG002
        self.cwnd = max(window, self.mss)

    def on_spurious(self, now: float) -> bool:  # noqa: ARG002
        if self.before is not None:
            cwnd, ssthresh, self.in_slow_start = self.before
            self.cwnd = max(self.cwnd, cwnd)
            self.ssthresh = (
                None if ssthresh is None or self.ssthresh is None else max(self.ssthresh, ssthresh)
            )
            self.before = None
        return True

    def on_idle_restart(self, restart_window: int, now: float) -> None:  # noqa: ARG002
        self.ssthresh = self.current_ssthresh()
        if restart_window < self.cwnd:
            self.cwnd = restart_window
            self.in_slow_start = self.ssthresh is None or self.cwnd < self.ssthresh

    def internals(self) -> dict[str, float]:
        return {"slow_start": 1} if self.in_slow_start else {"slow_start": 0, "credit": self.credit}
