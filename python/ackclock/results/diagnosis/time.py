"""Division of a flow's time into parts, of which kinds of limits take their shares."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["REASONS", "Ledger", "divide"]

REASONS = ("wire", "forced", "early", "policed", "mark", "reordering")
"""Reasons for reductions of cwnd, as columns of flows.parquet name them."""

FOLDED = 0.1
"""Smallest share of timeouts that is a part of its own; fewer count for their cause."""

BUSY = 0.9
"""From this share of the time on, a link counts as busy."""

# In the order of taking while the link is busy: signals of a queue show that it was.
_OF_A_QUEUE = ("forced", "early", "mark", "unreduced")
_BUSY_FIRST = (
    *_OF_A_QUEUE, "policed", "slow_start", "wire", "reordering", "timeouts",
)  # fmt: skip


class Ledger:
    """Shares of a flow's time by part, in sum 1; each kind of limit takes its shares out."""

    def __init__(self, parts: Mapping[str, float]) -> None:
        self._parts = dict(parts)

    def __getitem__(self, part: str) -> float:
        """Return the share that is left of a part."""
        return self._parts.get(part, 0.0)

    def take(self, *parts: str) -> float:
        """Take all that is left of these parts."""
        # The built-in sum rounds otherwise from Python 3.12 on.
        return math.fsum(self._parts.pop(part, 0.0) for part in parts)

    def take_some(self, part: str, most: float) -> float:
        """Take what is left of a part, up to a share."""
        taken = min(self[part], max(most, 0.0))
        self._parts[part] = self[part] - taken
        return taken

    def move(self, source: str, target: str) -> None:
        """Count what is left of one part as another."""
        self._parts[target] = self[target] + self.take(source)

    def rest(self) -> float:
        """Take what no kind has taken."""
        return self.take(*list(self._parts))


def divide(row: Mapping[str, Any], busy: float, *, is_blind: bool, is_alone: bool) -> Ledger:
    """Return the division of one flow's time.

    Parameters
    ----------
    row
        As in flows.parquet.
    busy
        Share of the flow's time in which its link transmitted, 0 to 1.
    is_blind
        Whether its algorithm answers neither losses nor marks: then no time is due to them.
    is_alone
        Whether it had the link for itself.

    Notes
    -----
    The parts: ``receive_window``, ``clamp``, ``application`` and ``idle`` (no connection, or not
    open yet) are measured. The rest, limited by cwnd or pacing, is due to the reason of the last
    reduction (`REASONS`), to ``slow_start`` or, with cwnd never reduced, ``unreduced``;
    ``timeouts`` are the episodes of timeouts. While the link was busy the part is ``link`` instead;
    of a link that was not busy as a whole, only answers to its queue become ``link``.
    """
    total = row["active_time"]
    if total <= 0.0:
        return Ledger({})
    held = {
        name: row[f"limited_{name}"] / total for name in ("receive_window", "clamp", "application")
    }
    window = (row["limited_cwnd"] + row["limited_pacing"]) / total
    scale = max(1.0, window + math.fsum(held.values()))
    held = {name: share / scale for name, share in held.items()}
    window /= scale
    parts = _window_parts(row, window, is_blind=is_blind)
    # If the link is not busy, only answers to its queue can count for it.
    answers = _BUSY_FIRST if busy >= BUSY else _OF_A_QUEUE
    left = min(math.fsum(parts[name] for name in answers), busy)
    parts["link"] = left
    for name in answers:
        taken = min(parts[name], left)
        parts[name] -= taken
        left -= taken
    over = busy - parts["link"]
    if is_alone and busy > _FULL and over > 0.0:
        # A limit beside a full link costs no more than the link's idle rest.
        before = math.fsum(held.values())
        taken = min(over, before)
        held = (
            {name: share * (1.0 - taken / before) for name, share in held.items()}
            if before
            else held
        )
        parts["link"] += taken
    return Ledger(
        {
            **parts,
            **held,
            "idle": max(0.0, 1.0 - math.fsum(parts.values()) - math.fsum(held.values())),
        }
    )


_FULL = 0.97


def _window_parts(row: Mapping[str, Any], window: float, *, is_blind: bool) -> dict[str, float]:
    """Return the parts of the time limited by cwnd or pacing, without regard to the link."""
    parts = dict.fromkeys((*REASONS, "slow_start", "unreduced", "timeouts"), 0.0)
    if is_blind:
        return {**parts, "unreduced": window}
    weights = _reasons(row)
    total = math.fsum(weights.values())
    if not total:
        return {**parts, "unreduced": window}
    for name, weight in weights.items():
        parts[name] = window * weight / total
    # Timeouts belong to their cause, and are a part of their own if they are long.
    blamed = math.fsum(parts[name] for name in REASONS)
    spent = ((row["time_loss"] or 0.0) + (row["time_silence"] or 0.0)) / row["active_time"]
    if blamed and spent >= FOLDED:
        parts["timeouts"] = min(spent, blamed)
        for name in REASONS:
            parts[name] *= 1.0 - parts["timeouts"] / blamed
    return parts


def _reasons(row: Mapping[str, Any]) -> dict[str, float]:
    """Return the weights by which the time limited by cwnd is divided, in any unit."""
    if row["window_after_nothing"] is not None:
        unreduced = row["window_after_nothing"]
        slow_start = min(row["time_slow_start"], unreduced)
        reasons = {name: row[f"window_after_{name}"] for name in REASONS}
        return {**reasons, "slow_start": slow_start, "unreduced": unreduced - slow_start}
    # A kernel does not say why it reduced cwnd; the emulator knows what it dropped.
    lost = {
        name: float(row[f"lost_{name}"] or 0) for name in ("wire", "forced", "early", "policed")
    }
    marks = float(row["ecn_reductions"])
    answered = row["recoveries"] + row["timeouts"]
    losses = sum(lost.values())
    if losses:
        lost = {name: count / losses * max(answered, 1) for name, count in lost.items()}
    elif answered:
        lost["reordering"] = float(answered)
    return {**dict.fromkeys(("unreduced", "slow_start"), 0.0), **lost, "mark": marks}
