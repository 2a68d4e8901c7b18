"""How much of a sweep a store has already: what is left is what takes time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ackclock.scenario.errors import ScenarioError
from ackclock.sweeps.store import Store, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from ackclock.sweeps.design import Design

__all__ = ["Left", "left_of"]

# Of more settings so many are looked at, evenly spread: looking for a run takes a millisecond.
_MOST_SETTINGS = 400


@dataclass(frozen=True)
class Left:
    """Runs that are still to be made, by setting."""

    runs: tuple[int, ...]
    """Of the first replications; a sequential stop may ask for more."""
    pilots: tuple[int, ...]
    """Of those that only find the warm-up; 0 each if there are none."""

    @classmethod
    def everything(cls, design: Design) -> Left:
        """All of a design that has not begun."""
        settings = len(design.settings)
        return cls((design.replications,) * settings, (1 if design.warmup == "auto" else 0,) * settings)


def left_of(design: Design, store: str | Path | None) -> Left:
    """Which runs of a design a store does not have.

    Replications are made in order, so that the first one that is missing is searched for by halves. Of many settings
    some are looked at.

    Parameters
    ----------
    design
        The sweep.
    store
        Folder of the store. There may be none yet, or one that cannot be used, which whoever opens it is told.
    """
    every = Left.everything(design)
    found = _opened(store)
    if found is None:
        return every
    step = max(1, -(-len(design.settings) // _MOST_SETTINGS))
    warmup_ps, pilots = None, every.pilots
    if design.warmup == "auto":
        from ackclock.sweeps.warmup import agreed
        from ackclock.sweeps.warmup import pilots as pilots_of

        pilot = pilots_of(design)
        figures = {at: _figures(found, pilot, at, 0, None) for at in range(0, len(design.settings), step)}
        pilots = _spread(design, step, lambda at: int(figures[at] is None))
        if step > 1 or any(pilots):
            return Left(every.runs, pilots)
        try:
            warmup_ps = agreed(design, {(at, 0): row for at, row in figures.items() if row is not None})
        except ScenarioError:
            return Left(every.runs, pilots)
    return Left(_spread(design, step, lambda at: design.replications - _first_missing(found, design, at, warmup_ps)), pilots)


def _opened(store: str | Path | None) -> Store | None:
    """The store, if there is one with something in it."""
    if store is None:
        return None
    try:
        found = Store.open(store)
        return found if found.has_any() else None
    except (StoreError, OSError):
        return None


def _spread(design: Design, step: int, count: Callable[[int], int]) -> tuple[int, ...]:
    seen = {at: count(at) for at in range(0, len(design.settings), step)}
    return tuple(seen[at - at % step] for at in range(len(design.settings)))


def _first_missing(store: Store, design: Design, setting: int, warmup_ps: int | None) -> int:
    least, most = 0, design.replications
    while least < most:
        middle = (least + most) // 2
        if _figures(store, design, setting, middle, warmup_ps) is None:
            most = middle
        else:
            least = middle + 1
    return least


def _figures(store: Store, design: Design, setting: int, replication: int, warmup_ps: int | None) -> Mapping[str, float | None] | None:
    outcome = store.get(design.task(setting, replication, warmup_ps=warmup_ps).key, design.responses)
    return None if outcome is None else outcome.figures
