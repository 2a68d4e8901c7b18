"""Runs many scenarios over several processes; a stopped campaign continues where it was."""

from __future__ import annotations

import json
import multiprocessing
import multiprocessing.connection
import os
import time
from collections import Counter, deque
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fuzz.attempt import kind_of
from fuzz.pending import reason
from fuzz.worker import Tally, serve_numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["HANG_S", "Totals", "campaign"]

HANG_S = 60.0
"""A scenario that takes longer counts as hanging; most take some milliseconds."""
_CHUNK = 50
_EXAMPLES = 5
_THREADS = "POLARS_MAX_THREADS"
_START_S = 300.0
_SAVE_S = 5.0
_COUNTERS = ("refused", "keys", "algorithms", "pending", "related", "related_seconds")


@dataclass
class Totals:
    """Sums over all scenarios so far."""

    seed: int
    scenarios: int = 0
    events: int = 0
    seconds: float = 0.0
    """Processor time of all workers together."""
    looked_at: int = 0
    """Scenarios whose keys were counted."""
    refused: Counter[str] = field(default_factory=Counter)
    keys: Counter[str] = field(default_factory=Counter)
    algorithms: Counter[str] = field(default_factory=Counter)
    slowest: list[list[float]] = field(default_factory=list)
    failures: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Failures by oracle and kind of sentence: count, first scenario numbers, one sentence."""
    pending: Counter[str] = field(default_factory=Counter)
    """Number of complaints for each known defect that is not mended yet."""
    related: Counter[str] = field(default_factory=Counter)
    """Scenarios to which each relation applied."""
    related_seconds: Counter[str] = field(default_factory=Counter)
    """Processor time of each relation where it applied."""

    def add(self, tally: Tally) -> None:
        """Add the tally of a worker."""
        for name in ("scenarios", "events", "seconds", "looked_at"):
            setattr(self, name, getattr(self, name) + tally[name])
        for name in ("refused", "keys", "algorithms", "related", "related_seconds"):
            getattr(self, name).update(tally[name])
        self.slowest = sorted([*self.slowest, *tally["slowest"]])[-10:]
        for number, oracle, sentence in tally["complaints"]:
            self.fail(number, oracle, sentence)

    def fail(self, number: int, oracle: str, sentence: str) -> None:
        """Add one complaint."""
        kind = kind_of(sentence)
        known = reason(oracle, kind)
        if known is not None:
            self.pending[known] += 1
            return
        new: dict[str, Any] = {"count": 0, "numbers": [], "oracle": oracle, "sentence": sentence}
        found = self.failures.setdefault(f"{oracle}: {kind}", new)
        found["count"] += 1
        if len(found["numbers"]) < _EXAMPLES and number not in found["numbers"]:
            found["numbers"].append(number)

    def as_json(self) -> dict[str, Any]:
        """Return the totals for JSON, in an order that does not depend on the workers' timing."""
        found = dict(vars(self))
        for name in (*_COUNTERS, "failures"):
            found[name] = dict(sorted(found[name].items()))
        return found

    @classmethod
    def of_json(cls, found: dict[str, Any]) -> Totals:
        """Restore the totals that `as_json` returned."""
        made = cls(**found)
        for name in _COUNTERS:
            setattr(made, name, Counter(getattr(made, name)))
        return made


@contextmanager
def _single_threaded() -> Iterator[None]:
    """Make processes that are started meanwhile use one core: tables are too small for threads."""
    before = os.environ.get(_THREADS)
    os.environ[_THREADS] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_THREADS]
        else:
            os.environ[_THREADS] = before


class _Worker:
    """A process, its range of scenarios, and the time since which it has been at one of them."""

    def __init__(self, seed: int, relation: str | None) -> None:
        context = multiprocessing.get_context("spawn")
        self.number = context.Value("q", -1, lock=False)
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(
            target=serve_numbers, args=(theirs, seed, self.number, relation), daemon=True
        )
        with _single_threaded():
            self.process.start()
        theirs.close()
        self.span: tuple[int, int] | None = None
        self.is_dead = False
        self.at, self.since = -1, time.monotonic()

    def take(self, span: tuple[int, int]) -> None:
        self.span, self.at, self.since = span, -1, time.monotonic()
        self.number.value = -1
        self.pipe.send(span)

    def fault(self, hang_s: float) -> str | None:
        """Return what is wrong with the process; None if nothing is."""
        now = self.number.value
        if now != self.at:
            self.at, self.since = now, time.monotonic()
        if self.is_dead:
            self.process.join(5)
            return f"the process died with status {self.process.exitcode}"
        # Before the first scenario the process imports its modules.
        patience = hang_s if self.at >= 0 else hang_s + _START_S
        if self.span is not None and time.monotonic() - self.since > patience:
            return f"no end within {hang_s:g} s"
        return None

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _save(path: Path, totals: Totals, left: list[tuple[int, int]], count: int) -> None:
    temporary = path.with_suffix(".new")
    state = {"count": count, "left": sorted(left), "totals": totals.as_json()}
    temporary.write_text(json.dumps(state), encoding="utf-8")
    os.replace(temporary, path)  # noqa: PTH105


def _spans(first: int, end: int) -> list[tuple[int, int]]:
    return [(at, min(at + _CHUNK, end)) for at in range(first, end, _CHUNK)]


def _resumed(state: Path | None, seed: int, count: int) -> tuple[Totals, list[tuple[int, int]]]:
    """Return the totals of an earlier campaign and the ranges left; `count` may have grown."""
    if state is None or not state.exists():
        return Totals(seed), _spans(0, count)
    found = json.loads(state.read_text(encoding="utf-8"))
    left = [tuple(span) for span in found["left"] if span[0] < count]
    return Totals.of_json(found["totals"]), [*left, *_spans(found["count"], count)]


def campaign(
    seed: int,
    count: int,
    workers: int,
    state: Path | None = None,
    hang_s: float = HANG_S,
    progress: Callable[[Totals, int], None] | None = None,
    relation: str | None = None,
) -> Totals:
    """Try scenarios 0 to `count` of a seed.

    Parameters
    ----------
    seed, count
        Which scenarios.
    workers
        How many processes.
    state
        File of the totals and of the ranges still to do; a campaign that finds one continues it.
    hang_s
        A scenario that takes so long is a failure, and its process is killed.
    progress
        Called about every second with the totals and the number of scenarios left.
    relation
        In place of the oracles ask this relation of each scenario, or `fuzz.attempt.ALL`.
    """
    totals, spans = _resumed(state, seed, count)
    left = deque(spans)
    team = [_Worker(seed, relation) for _ in range(min(workers, max(len(left), 1)))]
    saved = shown = time.monotonic()
    try:
        while left or any(worker.span is not None for worker in team):
            for place, worker in enumerate(team):
                if worker.span is None and left:
                    worker.take(left.popleft())
                fault = worker.fault(hang_s)
                if fault is not None and worker.span is not None:
                    _after_fault(totals, left, worker, fault)
                    worker.end()
                    team[place] = _Worker(seed, relation)
            busy = [worker.pipe for worker in team if worker.span is not None]
            for pipe in multiprocessing.connection.wait(busy, timeout=0.2):
                worker = next(one for one in team if one.pipe is pipe)
                try:
                    totals.add(worker.pipe.recv())
                    worker.span = None
                except (EOFError, OSError):
                    worker.is_dead = True
            now = time.monotonic()
            if state is not None and now - saved > _SAVE_S:
                _save(state, totals, _unfinished(left, team), count)
                saved = now
            if progress is not None and now - shown > 1:
                progress(totals, sum(end - begin for begin, end in _unfinished(left, team)))
                shown = now
    finally:
        if state is not None:
            _save(state, totals, _unfinished(left, team), count)
        for worker in team:
            worker.end()
    return totals


def _unfinished(left: deque[tuple[int, int]], team: list[_Worker]) -> list[tuple[int, int]]:
    return [*left, *(worker.span for worker in team if worker.span is not None)]


def _after_fault(totals: Totals, left: deque[tuple[int, int]], worker: _Worker, fault: str) -> None:
    """Count the scenario that a process hung or died of, and put back the rest of its range."""
    first, end = worker.span or (0, 0)
    number = max(worker.at, first)
    totals.scenarios += 1
    totals.fail(number, "hang" if fault.startswith("no end") else "crash", fault)
    for span in ((number + 1, end), (first, number)):
        if span[0] < span[1]:
            left.appendleft(span)
    worker.span = None
