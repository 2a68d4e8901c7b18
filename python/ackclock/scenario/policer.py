"""Policers: packets that come too fast are dropped before the queue."""

from __future__ import annotations

from ackclock.scenario.quantities import Bucket, Rate
from ackclock.scenario.table import Table

__all__ = ["Policer"]


class Policer(Table):
    """A token bucket before the queue, as of tc's ``police rate RATE burst BURST drop``.

    A packet that finds no tokens is dropped.
    """

    rate: Rate
    """Rate of the tokens: the rate that passes in the long run."""
    burst: Bucket
    """Size of the bucket, which is full at the beginning: the most that passes at once.

    A time such as "10ms" is that of the policer's rate.
    """
