"""Reno's growth, in Python."""

from ackclock.cc import Avoidance


class Own(Avoidance):
    """One segment a round trip; congestion leaves the share `left` of the window."""

    def __init__(self, setup, left=0.5):
        super().__init__(setup)
        self.left = left

    def next_cwnd(self, ack, window):
        return max(window.cwnd + window.mss * ack.credited / window.cwnd, window.mss)

    def ssthresh(self, _event, window):
        return max(self.left * window.cwnd, 2 * window.mss)
