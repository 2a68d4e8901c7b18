"""Tries one scenario: it is refused, or runs, or an oracle or a relation complains about it."""

from __future__ import annotations

import re
import resource
import time
import traceback
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ackclock.engine.cost_model import size_of
from ackclock.scenario.errors import ScenarioError
from fuzz.generate.draw import Draw
from fuzz.oracles import complaints
from fuzz.relations import RELATIONS, Subject, broken
from fuzz.trial import checked, run

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from fuzz.generate import Case
    from fuzz.trial import Trial

__all__ = ["ALL", "MOST_GROWTH_KB", "Outcome", "attempt", "kind_of"]

ALL = "all"
"""In place of a relation's name: every relation."""

MOST_GROWTH_KB = 300_000
"""Growth of peak memory beyond the estimate that is a failure; a hundredth of it is usual."""

_ROW_KB = 0.6
"""Memory of a recorded packet event: in the core, as a table, and in an oracle's sums."""
_EVERY = 4
"""Period of scenarios that are tried with a relation, too: two more runs take as long as all."""
_SENT_KB = 0.3
"""Memory of a sent packet; all sent packets may stand in a queue."""


@dataclass
class Outcome:
    """The outcome of a scenario."""

    events: int = 0
    seconds: float = 0.0
    """Processor time."""
    refusal: str | None = None
    complaints: list[tuple[str, str]] = field(default_factory=list)
    """Pairs of a name and a sentence.

    The name is that of an oracle or a relation, or "exception", "memory", "hang", "crash".
    """
    related: dict[str, float] = field(default_factory=dict)
    """Relations that applied, with the processor time of each, s."""


def kind_of(sentence: str) -> str:
    """Return the sentence without names and numbers, so that sentences of one kind count as one."""
    bare = re.sub(r"^[^:]{1,40}: ", "", sentence)
    bare = re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`|\{.*", "…", bare)
    return re.sub(r"(?<![A-Za-z])[-+]?[0-9][0-9.eE+-]*", "#", bare)[:100]


_largest_kb = 0
"""Peak memory of this process so far; 0 before it is known."""


def _memory_kb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _growth_kb() -> int:
    """Return by how much the peak memory has grown since the last call."""
    global _largest_kb
    before, _largest_kb = _largest_kb, _memory_kb()
    return _largest_kb - before


def _estimated_kb(trial: Trial) -> float:
    """Return the memory that users are told, plus that of recorded and of queued packets.

    No estimate knows the numbers of packets recorded and of packets in queues without a limit.
    """
    size = size_of(trial.plan, pcap=trial.scenario.record.pcap)
    rows = len(next(iter(trial.packets.values()))) if trial.result.has_packets else 0
    sent = sum(flow["sent_packets"] for flow in trial.flows)
    return size.own_memory / 1e3 + _ROW_KB * rows + _SENT_KB * sent


def _said(error: Exception) -> str:
    """Return the kind of an exception, its message and its place."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    said = f"{type(error).__name__}: {error}".partition("\n")[0]
    return f"{said[:200]} ({place.filename.rpartition('/')[2]}:{place.name})"


def _relate(
    outcome: Outcome, names: Iterable[str], subject: Subject, number: int, most: int
) -> None:
    """Try relations in this order until `most` of them have applied."""
    for name in names:
        began = time.process_time()
        try:
            sentences = broken(name, subject, number)
        except Exception as error:
            sentences = [f"raised: {_said(error)}"]
        if sentences is None:
            continue
        outcome.related[name] = time.process_time() - began
        outcome.complaints += [(name, sentence) for sentence in sentences]
        if len(outcome.related) == most:
            return


def _ask_oracles(outcome: Outcome, case: Case, number: int, folder: Path) -> Subject:
    """Run the scenario and ask all oracles, that of memory included."""
    trial = run(case, number, folder)
    outcome.events = trial.core.events
    outcome.complaints = complaints(trial)
    growth = _growth_kb()
    if growth > MOST_GROWTH_KB + _estimated_kb(trial):
        outcome.complaints.append(("memory", f"{growth} kB more than before"))
    return Subject(case, folder, trial.scenario, trial.plan)


def _some_relation(number: int) -> list[str]:
    """Return the relations in a drawn order; none for most scenarios."""
    if number % _EVERY:
        return []
    names = list(RELATIONS)
    Draw("relations", number).random.shuffle(names)
    return names


def attempt(case: Case, number: int, folder: Path, relation: str | None = None) -> Outcome:
    """Run a scenario in this process and ask all oracles.

    Parameters
    ----------
    case, number
        The scenario.
    folder
        Folder for its files.
    relation
        In place of the oracles ask this relation, or all of them (`ALL`).
    """
    _growth_kb()
    began = time.process_time()
    outcome = Outcome()
    try:
        if relation is None:
            subject = _ask_oracles(outcome, case, number, folder)
            _relate(outcome, _some_relation(number), subject, number, 1)
        else:
            subject = Subject(case, folder, *checked(case, folder))
            names = list(RELATIONS) if relation == ALL else [relation]
            _relate(outcome, names, subject, number, len(names))
    except ScenarioError as error:
        outcome.refusal = str(error)
    except Exception as error:
        outcome.complaints = [("exception", _said(error))]
    for path in folder.glob("*.txt"):
        path.unlink()
    outcome.seconds = time.process_time() - began
    return outcome
