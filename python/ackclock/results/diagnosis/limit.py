"""One limit of one flow, and the parts of a kind of limit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from ackclock.results.diagnosis.facts import FlowFacts

__all__ = ["Kind", "Limit"]


@dataclass(frozen=True)
class Limit:
    """A limit of a flow, with its share of the flow's time.

    Attributes
    ----------
    kind
        Name of the kind, as in docs/diagnosis.md.
    title
        Name of the limit, in a few words.
    share
        Share of the flow's time, 0 to 1.
    sentence
        Figures behind the limit, and the closed form if there is one.
    key
        The scenario's key to change; None: there is none.
    advice
        Advice for the key, in a few words; empty: none.
    bound
        Rate that the closed form allows, bit/s of payload; None: there is none.
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
        Name of the kind in results.
    looks_at
        The quantity that it looks at, for the line of a flow that nothing limits.
    on_kernel
        Whether runs on a kernel have the data that it needs.
    find
        Returns a flow's limit of this kind, if it has one, and takes its share out of the flow's
        time, so that no time counts twice.
    """

    name: str
    looks_at: str
    find: Callable[[FlowFacts], Limit | None]
    on_kernel: bool = True
