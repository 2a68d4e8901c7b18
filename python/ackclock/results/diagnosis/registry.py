"""The kinds of limits, in the order in which they take their part of a flow's time."""

from collections.abc import Sequence

from ackclock.results.diagnosis.kinds import (
    algorithm,
    application,
    aqm,
    buffer,
    clamp,
    early_exit,
    jitter,
    link,
    marks,
    needless,
    opening,
    other_link,
    outage,
    policer,
    random_loss,
    receive_window,
    reordering,
    reverse_path,
    slots,
    slow_start,
    timeouts,
    unexplained,
    unfair_share,
)
from ackclock.results.diagnosis.limit import Kind

__all__ = ["KINDS"]

KINDS: Sequence[Kind] = (
    receive_window.KIND,
    clamp.KIND,
    application.KIND,
    policer.KIND,
    outage.KIND,
    reverse_path.KIND,
    slots.KIND,
    random_loss.KIND,
    other_link.KIND,
    unfair_share.KIND,
    jitter.KIND,
    early_exit.KIND,
    buffer.KIND,
    aqm.KIND,
    marks.KIND,
    reordering.KIND,
    slow_start.KIND,
    algorithm.KIND,
    timeouts.KIND,
    opening.KIND,
    needless.KIND,
    link.KIND,
    unexplained.KIND,
)
"""Kinds are asked in this order, so special kinds come before general ones."""
