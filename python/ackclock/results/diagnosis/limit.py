"""One limit of one flow, and what a kind of limit consists of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from ackclock.results.diagnosis.facts import FlowFacts

__all__ = ["Kind", "Limit"]


@dataclass(frozen=True)
class Limit:
    """What held a flow back, and for how long.

    Attributes
    ----------
    kind
        Name of the kind, as in docs/diagnosis.md.
    title
        What limits, in a few words.
    share
        Share of the flow's time, 0 to 1.
    sentence
        The figures behind it, and the closed form where there is one.
    key
        The scenario's key to change; None: there is none.
    advice
        What to do with the key, in a few words; empty: nothing.
    bound
        What the closed form allows, bit/s of payload; None: there is none.
    law
        Name and source of the closed form; None: there is none.
    """

    kind: str
    title: str
    share: float
    sentence: str
    key: str | None = None
    advice: str = ""
    bound: float | None = None
    law: str | None = None


@dataclass(frozen=True)
class Kind:
    """A kind of limit.

    Attributes
    ----------
    name
        As results name it.
    looks_at
        What it looks at, as a flow that nothing limits is told.
    on_kernel
        Whether a kernel tells what it needs.
    find
        The limit of a flow, if it has one of this kind. It takes its shares out of the flow's
        time, so that none counts twice.
    """

    name: str
    looks_at: str
    find: Callable[[FlowFacts], Limit | None]
    on_kernel: bool = True
