"""The result of looking at one property of the machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["Check", "State"]

State: TypeAlias = Literal["fine", "limited", "absent", "broken"]
"""State of a property.

- "fine": present and as it should be.
- "limited": works, with a restriction that the remedy lifts.
- "absent": optional, and not there.
- "broken": essential, and not there or wrong.
"""


@dataclass(frozen=True)
class Check:
    """A property of the machine or of the installation."""

    group: str
    """Subject: one of `ackclock.tools.doctor.GROUPS`."""
    name: str
    state: State
    value: str
    """The finding, in a few words."""
    remedy: str = ""
    """A way to better it; empty if there is nothing to do."""
