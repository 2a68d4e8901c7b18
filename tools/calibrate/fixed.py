"""A subject that never backs off."""

from ackclock.cc import CongestionControl


class Fixed(CongestionControl):
    """A window of `n` packets, always."""

    def __init__(self, setup, n=200.0):
        super().__init__(setup)
        self.cwnd = n * self.mss

    def on_ack(self, ack):
        """Do nothing."""

    def on_congestion(self, event):
        """Do nothing."""
