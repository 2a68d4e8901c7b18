"""A process that tries scenarios; its parent notices when it hangs or dies."""

from __future__ import annotations

import resource
import signal
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fuzz.attempt import Outcome, attempt, kind_of
from fuzz.features import algorithms_of, keys_of
from fuzz.generate import generate

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from fuzz.generate import Case

__all__ = ["Tally", "serve_cases", "serve_numbers"]

_MOST_MEMORY = 8 << 30
"""Address space of a worker, bytes: numpy, polars and the threads of both take a third."""
_FEATURES = 2000
"""Number of first scenarios whose keys are all counted; after them one in sixteen is."""

Tally = dict[str, Any]
"""Sums over a range of scenarios, as JSON."""


def _begin() -> None:
    # At Ctrl-C the parent ends its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _next(pipe: Connection) -> Any:
    """Return the next object of the pipe; None if the other end is gone."""
    try:
        return pipe.recv()
    except (EOFError, OSError):
        return None


def _add(tally: Tally, number: int, case: Case, outcome: Outcome) -> None:
    tally["scenarios"] += 1
    tally["events"] += outcome.events
    tally["seconds"] += outcome.seconds
    tally["slowest"] = sorted([*tally["slowest"], [round(outcome.seconds, 3), number]])[-5:]
    if outcome.refusal is not None:
        tally["refused"][kind_of(outcome.refusal)] += 1
    for name, seconds in outcome.related.items():
        tally["related"][name] += 1
        tally["related_seconds"][name] += seconds
    for oracle, sentence in outcome.complaints:
        tally["complaints"].append([number, oracle, sentence])
    if number < _FEATURES or number % 16 == 0:
        tally["looked_at"] += 1
        tally["keys"].update(keys_of(case.data))
        tally["algorithms"].update(algorithms_of(case.data))


def serve_numbers(pipe: Connection, seed: int, number: Any, relation: str | None) -> None:
    """Try ranges of numbers as they come; `number` tells the parent the present scenario."""
    _begin()
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        while (span := _next(pipe)) is not None:
            tally: Tally = {
                "scenarios": 0,
                "events": 0,
                "seconds": 0.0,
                "looked_at": 0,
                "slowest": [],
            }
            tally |= {
                "refused": Counter(),
                "keys": Counter(),
                "algorithms": Counter(),
                "related": Counter(),
                "related_seconds": Counter(),
                "complaints": [],
            }
            for one in range(*span):
                number.value = one
                case = generate(seed, one)
                _add(tally, one, case, attempt(case, one, Path(folder), relation))
            pipe.send(tally)


def serve_cases(pipe: Connection) -> None:
    """Try cases as they come through the pipe, and send the complaints of each.

    A number and the name of a relation, or none, come with each case.
    """
    _begin()
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        while (sent := _next(pipe)) is not None:
            case, number, relation = sent
            pipe.send(attempt(case, number, Path(folder), relation).complaints)
