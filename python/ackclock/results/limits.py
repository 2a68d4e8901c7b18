"""The limit of a link's queue over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["limits_of"]

_PS_PER_S = 10**12


def limits_of(qdisc: Mapping[str, Any]) -> list[tuple[float, Mapping[str, Any]]]:
    """The limits of a discipline in a plan, each with the time from which on it holds, s.

    A limit has `limit_packets` or `limit_bytes`. It has neither where anything may wait, and for a
    discipline of which each part has its own limit.

    Examples
    --------
    >>> limits_of({"kind": "fifo", "limit_packets": 20})
    [(0.0, {'kind': 'fifo', 'limit_packets': 20})]
    """
    first = qdisc.get("limit", qdisc)
    later = [(one["from_ps"] / _PS_PER_S, one) for one in first.get("later") or ()]
    return [(0.0, first), *later]
