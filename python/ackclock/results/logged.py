"""Names of the flows that `record.qlog` means."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.core_types.plan import Plan

__all__ = ["logged_flows"]


def logged_flows(named: Sequence[str], plan: Plan) -> list[str]:
    """Return the flows of a plan that are named, or belong to an entry or transfer that is.

    Examples
    --------
    >>> logged_flows(["mine"], {"flows": [{"name": "mine.1"}, {"name": "other"}]})
    ['mine.1']
    """
    names = [flow["name"] for flow in plan["flows"]]
    return [
        name
        for name in names
        if any(name == prefix or name.startswith((f"{prefix}.", f"{prefix}[")) for prefix in named)
    ]
