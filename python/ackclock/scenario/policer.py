"""Policers: what comes too fast is dropped before the queue."""

from __future__ import annotations

from ackclock.scenario.quantities import Rate, Size
from ackclock.scenario.table import Table

__all__ = ["Policer"]


class Policer(Table):
    """A token bucket before the queue (tc: ``police rate RATE burst BURST drop``): a packet that finds no tokens is dropped."""

    rate: Rate
    """Rate of the tokens: what passes in the long run."""
    burst: Size
    """Size of the bucket, which is full at the beginning: what passes at once."""
