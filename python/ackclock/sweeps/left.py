"""The runs of a sweep that a store does not have yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.scenario.errors import ScenarioError
from ackclock.sweeps.cost import Left
from ackclock.sweeps.store import Store, StoreError
from ackclock.sweeps.warmup import agreed
from ackclock.sweeps.warmup import pilots as pilots_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from ackclock.sweeps.design import Design

__all__ = ["left_of"]

# Settings that are looked up, evenly spread, if there are more: a look-up takes a millisecond.
_MOST_SETTINGS = 400


def left_of(design: Design, store: str | Path | None) -> Left:
    """Count the runs of a design that a store does not have.

    Replications are made in order, so the first missing one is found by bisection. With very many
    settings only a sample of them is looked up. A folder without a store, or with one that cannot
    be used, has no runs; an error comes from the code that opens it for use.
    """
    every = design.whole
    opened = _opened(store)
    if opened is None:
        return every
    step = max(1, -(-len(design.settings) // _MOST_SETTINGS))
    warmup_ps, pilots = None, every.pilots
    if design.warmup == "auto":
        pilot = pilots_of(design)
        figures = {
            at: _figures(opened, pilot, at, 0, None) for at in range(0, len(design.settings), step)
        }
        pilots = _spread(design, step, lambda at: int(figures[at] is None))
        if step > 1 or any(pilots):
            return Left(every.runs, pilots)
        try:
            warmup_ps = agreed(
                design, {(at, 0): row for at, row in figures.items() if row is not None}
            )
        except ScenarioError:
            return Left(every.runs, pilots)
    return Left(
        _spread(
            design,
            step,
            lambda at: design.replications - _first_missing(opened, design, at, warmup_ps),
        ),
        pilots,
    )


def _opened(store: str | Path | None) -> Store | None:
    """The store, if there is one with something in it."""
    if store is None:
        return None
    try:
        opened = Store.open(store)
        return opened if opened.has_any() else None
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


def _figures(
    store: Store, design: Design, setting: int, replication: int, warmup_ps: int | None
) -> Mapping[str, float | None] | None:
    outcome = store.get(
        design.task(setting, replication, warmup_ps=warmup_ps).key, design.responses
    )
    return None if outcome is None else outcome.figures
