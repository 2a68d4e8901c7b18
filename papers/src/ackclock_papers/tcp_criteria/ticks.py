"""Vegas on a system whose clock ticks: round-trip times are told in whole ticks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ackclock.cc import Avoidance

if TYPE_CHECKING:
    from ackclock.cc import AckEvent, CongestionEvent, Setup, Window

ALPHA, BETA = 2.0, 4.0
_LEAST_SAMPLES = 3
_LEAST_SEGMENTS = 2


class TickedVegas(Avoidance):
    """The built-in Vegas with a coarse clock.

    Parameters
    ----------
    tick
        Tick of the clock that times a packet and its ACK, s; 0: exact, as in the built-in vegas.
    """

    slow_start = "vegas-start"

    def __init__(self, setup: Setup, tick: float = 0.0) -> None:
        super().__init__(setup)
        self.tick = tick
        self.base = math.inf
        self._forget()
        self.ended: float | None = None

    def _forget(self) -> None:
        self.least, self.samples, self.whole = math.inf, 0, False

    def _told(self, ack: AckEvent) -> float | None:
        """Return the sample in whole ticks: readings at both ends, each rounded down."""
        if ack.rtt_sample is None or not self.tick:
            return ack.rtt_sample
        sent = math.floor((ack.now - ack.rtt_sample) / self.tick)
        return (math.floor(ack.now / self.tick) - sent) * self.tick

    def begin(self, window: Window, now: float) -> None:  # noqa: ARG002
        """Begin avoidance; the current round does not count."""
        self._forget()

    def observe(self, ack: AckEvent, window: Window) -> None:  # noqa: ARG002
        """Collect samples; a round with a repair in it does not count."""
        self.ended = None
        sample = self._told(ack)
        if sample is not None:
            self.base = min(self.base, sample)
        if ack.in_recovery:
            self._forget()
            return
        if ack.round.start:
            if self.whole and self.samples:
                self.ended = self.least if self.samples >= _LEAST_SAMPLES else math.nan
            self.least, self.samples, self.whole = math.inf, 0, True
        if sample is not None:
            self.least = min(self.least, sample)
            self.samples += 1

    def next_cwnd(self, ack: AckEvent, window: Window) -> int:  # noqa: ARG002
        """Add or remove a packet at the end of a round."""
        if self.ended is None:
            return window.cwnd
        if math.isnan(self.ended):
            return window.cwnd + window.mss
        segments = window.cwnd / window.mss
        queued = segments * max(1.0 - self.base / self.ended, 0.0) if self.ended > 0 else 0.0
        if queued > BETA:
            return max(window.cwnd - window.mss, _LEAST_SEGMENTS * window.mss)
        return window.cwnd + window.mss if queued < ALPHA else window.cwnd

    def ssthresh(self, event: CongestionEvent, window: Window) -> int:  # noqa: ARG002
        """Half."""
        return int(0.5 * window.cwnd)
